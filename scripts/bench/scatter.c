// SPDX-License-Identifier: GPL-2.0
/*
 * Takes nearly all free memory and gives back every other page of it, so that
 * no two free pages are neighbours: what long-running machines come to. Ends
 * once that is so and leaves a child behind to hold the rest.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define PAGE	4096UL

/* What the rest of the system goes on with */
#define SPARE	(96UL << 20)

static char *take(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		err(1, "%zu bytes", bytes);
	madvise(p, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < bytes; i += PAGE)
		p[i] = 1;
	return p;
}

static void give_back_every_other(char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 2 * PAGE)
		if (madvise(p + i, PAGE, MADV_DONTNEED))
			err(1, "madvise");
}

int main(void)
{
	struct sysinfo info;
	size_t bytes;
	int ready[2];
	char byte;

	if (pipe(ready))
		err(1, "pipe");
	if (fork()) {
		close(ready[1]);
		return read(ready[0], &byte, 1) != 1;
	}
	sysinfo(&info);
	bytes = (info.freeram * info.mem_unit - SPARE) / PAGE * PAGE;
	give_back_every_other(take(bytes), bytes);
	if (write(ready[1], "", 1) != 1)
		err(1, "pipe");
	pause();
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Writes and reads a pattern that every sector has of its own, from memory
 * whose pages are scattered: no two pieces of a request are neighbours, so
 * each needs a PRD of its own.
 *
 *   pattern [-H] write|read DEVICE SEED LBA TIMES PIECES [OFFSET [BYTES]]
 *     TIMES requests, one after another from LBA on, each of PIECES pages;
 *     of each page BYTES (4096) at OFFSET (0) are used. Up to 1024 pieces
 *     are a vector, whole pages beyond that one buffer. -H: all pages
 *     are above 4 GiB.
 *   pattern sgwrite|sgread DEVICE SEED LBA SECTORS
 *     one command by SG_IO, from huge pages: as large as the hardware allows
 *   pattern check FILE SEED LBA SECTORS
 *     reads it through the page cache; FILE may be the disk's image
 *
 * Says what is wrong and exits with 1.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <scsi/sg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define SECTOR	512
#define WORDS	(SECTOR / sizeof(uint64_t))
#define PAGE	4096UL
#define PFN	((1ULL << 55) - 1)
#define GIB4	(1ULL << 32)
#define POOLS	16

/* What a page holds where no data belongs, and data before it is read */
#define GUARD	0x5a
#define STALE	0xa5

struct request {
	uint64_t seed;
	uint64_t lba;
	size_t pieces;
	size_t offset;
	size_t bytes;
	char *pages;
};

/* splitmix64 */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static uint64_t word(uint64_t seed, uint64_t lba, unsigned int i)
{
	return mix(seed << 48 ^ lba << 6 ^ i);
}

static void fill_sector(void *sector, uint64_t seed, uint64_t lba)
{
	uint64_t *p = sector;

	for (unsigned int i = 0; i < WORDS; i++)
		p[i] = word(seed, lba, i);
}

static void check_sector(const void *sector, uint64_t seed, uint64_t lba)
{
	const uint64_t *p = sector;

	for (unsigned int i = 0; i < WORDS; i++)
		if (p[i] != word(seed, lba, i))
			errx(1, "sector %llu, byte %zu: %016llx is not %016llx",
			     (unsigned long long)lba, i * sizeof(*p),
			     (unsigned long long)p[i],
			     (unsigned long long)word(seed, lba, i));
}

/* The physical address of a page of ours */
static uint64_t physical(int pagemap, const char *page)
{
	uint64_t entry;

	if (pread(pagemap, &entry, sizeof(entry),
		  (uintptr_t)page / PAGE * sizeof(entry)) != sizeof(entry))
		err(1, "pagemap");
	if (!(entry & PFN))
		errx(1, "pagemap tells no frame");
	return (entry & PFN) * PAGE;
}

/*
 * Adds the pages of the pool that will do to the chosen ones. Frames of even
 * number are never neighbours.
 */
static size_t choose(char **pages, size_t chosen, char *pool, size_t n, bool high)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY);

	if (pagemap < 0)
		err(1, "pagemap");
	for (size_t i = 0; i < n; i++) {
		uint64_t address = physical(pagemap, pool + i * PAGE);

		if (!(address & PAGE) && (!high || address >= GIB4))
			pages[chosen++] = pool + i * PAGE;
	}
	close(pagemap);
	return chosen;
}

static void shuffle(char **pages, size_t n)
{
	for (size_t i = n - 1; i > 0; i--) {
		size_t j = (size_t)random() % (i + 1);
		char *page = pages[i];

		pages[i] = pages[j];
		pages[j] = page;
	}
}

/* Pages filled with GUARD, wherever the kernel has some */
static char *map_pages(size_t n)
{
	char *pool = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pool == MAP_FAILED)
		err(1, "memory");
	madvise(pool, n * PAGE, MADV_NOHUGEPAGE);
	memset(pool, GUARD, n * PAGE);
	return pool;
}

/*
 * n pages at consecutive virtual addresses, scattered in memory. Which frames
 * the kernel has free is its affair: what will not do is kept until there is
 * enough, lest the same come again.
 */
static char *scattered(size_t n, bool high)
{
	size_t size = 4 * n + 1024, chosen = 0;
	char **pages = calloc(POOLS * size, sizeof(*pages));
	char *target = mmap(NULL, n * PAGE, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!pages || target == MAP_FAILED)
		err(1, "memory");
	for (int i = 0; i < POOLS && chosen < n; i++)
		chosen = choose(pages, chosen, map_pages(size), size, high);
	if (chosen < n)
		errx(1, "only %zu of %zu pages are suitable", chosen, n);
	shuffle(pages, chosen);
	for (size_t i = 0; i < n; i++)
		if (mremap(pages[i], PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
			   target + i * PAGE) == MAP_FAILED)
			err(1, "mremap");
	return target;
}

static char *piece(const struct request *r, size_t i)
{
	return r->pages + i * PAGE + r->offset;
}

/* Calls f for each sector of the request */
static void each_sector(const struct request *r,
			void (*f)(char *sector, uint64_t seed, uint64_t lba))
{
	uint64_t lba = r->lba;

	for (size_t i = 0; i < r->pieces; i++)
		for (size_t at = 0; at < r->bytes; at += SECTOR)
			f(piece(r, i) + at, r->seed, lba++);
}

static void put(char *sector, uint64_t seed, uint64_t lba)
{
	fill_sector(sector, seed, lba);
}

static void spoil(char *sector, uint64_t seed, uint64_t lba)
{
	(void)seed, (void)lba;
	memset(sector, STALE, SECTOR);
}

static void compare(char *sector, uint64_t seed, uint64_t lba)
{
	check_sector(sector, seed, lba);
}

/* Nothing may have been written beside the pieces */
static void check_guards(const struct request *r)
{
	for (size_t i = 0; i < r->pieces; i++)
		for (size_t at = 0; at < PAGE; at++) {
			if (at == r->offset)
				at += r->bytes;
			if (at < PAGE && r->pages[i * PAGE + at] != GUARD)
				errx(1, "piece %zu: byte %zu beside it was written",
				     i, at);
		}
}

static void transfer(int fd, const struct request *r, bool writing)
{
	static struct iovec iov[IOV_MAX];
	size_t total = r->pieces * r->bytes;
	int n = (int)r->pieces;
	ssize_t done;

	if (r->pieces > IOV_MAX) {
		iov[0] = (struct iovec){ r->pages, total };
		n = 1;
	} else {
		for (int i = 0; i < n; i++)
			iov[i] = (struct iovec){ piece(r, (size_t)i), r->bytes };
	}
	done = writing ? pwritev(fd, iov, n, (off_t)r->lba * SECTOR) :
			 preadv(fd, iov, n, (off_t)r->lba * SECTOR);
	if (done < 0)
		err(1, "%s of %zu bytes at sector %llu", writing ? "write" : "read",
		    total, (unsigned long long)r->lba);
	if ((size_t)done != total)
		errx(1, "%s of %zu bytes at sector %llu: only %zd", writing ? "write" :
		     "read", total, (unsigned long long)r->lba, done);
}

static void run(int fd, struct request *r, bool writing, unsigned long times)
{
	while (times--) {
		each_sector(r, writing ? put : spoil);
		transfer(fd, r, writing);
		each_sector(r, compare);
		check_guards(r);
		r->lba += r->pieces * r->bytes / SECTOR;
	}
}

static void check(int fd, uint64_t seed, uint64_t lba, uint64_t sectors)
{
	static uint64_t buffer[2048 * WORDS];

	while (sectors) {
		size_t n = sectors < 2048 ? sectors : 2048;

		if (pread(fd, buffer, n * SECTOR, (off_t)lba * SECTOR) !=
		    (ssize_t)(n * SECTOR))
			err(1, "read at sector %llu", (unsigned long long)lba);
		for (size_t i = 0; i < n; i++)
			check_sector(buffer + i * WORDS, seed, lba + i);
		lba += n;
		sectors -= n;
	}
}

/* READ(16) or WRITE(16) */
static void pass_through(int fd, bool writing, void *data, uint64_t lba, uint32_t sectors)
{
	unsigned char cdb[16] = { writing ? 0x8a : 0x88 }, sense[32];
	struct sg_io_hdr io = {
		.interface_id = 'S',
		.dxfer_direction = writing ? SG_DXFER_TO_DEV : SG_DXFER_FROM_DEV,
		.cmd_len = sizeof(cdb),
		.cmdp = cdb,
		.dxfer_len = sectors * SECTOR,
		.dxferp = data,
		.mx_sb_len = sizeof(sense),
		.sbp = sense,
		.timeout = 60000,
	};

	for (int i = 0; i < 8; i++)
		cdb[2 + i] = (unsigned char)(lba >> (56 - 8 * i));
	for (int i = 0; i < 4; i++)
		cdb[10 + i] = (unsigned char)(sectors >> (24 - 8 * i));
	if (ioctl(fd, SG_IO, &io) < 0)
		err(1, "SG_IO of %u sectors", sectors);
	if (io.info & SG_INFO_CHECK || io.resid)
		errx(1, "SG_IO of %u sectors: status %d, driver %d, %d bytes left",
		     sectors, io.status, io.driver_status, io.resid);
}

static void run_sg(int fd, bool writing, uint64_t seed, uint64_t lba, uint32_t sectors)
{
	char *data = mmap(NULL, (sectors * SECTOR + 0x1fffffUL) & ~0x1fffffUL,
			  PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (data == MAP_FAILED)
		err(1, "huge pages");
	memset(data, STALE, sectors * SECTOR);
	if (writing)
		for (uint32_t i = 0; i < sectors; i++)
			fill_sector(data + i * SECTOR, seed, lba + i);
	pass_through(fd, writing, data, lba, sectors);
	for (uint32_t i = 0; i < sectors; i++)
		check_sector(data + i * SECTOR, seed, lba + i);
}

static unsigned long long number(const char *text)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 0);

	if (!*text || *end)
		errx(2, "not a number: %s", text);
	return value;
}

static int open_device(const char *path, int flags)
{
	int fd = open(path, flags);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

int main(int argc, char **argv)
{
	bool high = argc > 1 && !strcmp(argv[1], "-H");
	struct request r = { .bytes = PAGE };
	bool writing;

	argv += high;
	argc -= high;
	if (argc == 6 && !strcmp(argv[1], "check")) {
		check(open_device(argv[2], O_RDONLY), number(argv[3]),
		      number(argv[4]), number(argv[5]));
		return 0;
	}
	if (argc == 6 && !strncmp(argv[1], "sg", 2)) {
		run_sg(open_device(argv[2], O_RDWR), !strcmp(argv[1], "sgwrite"),
		       number(argv[3]), number(argv[4]), (uint32_t)number(argv[5]));
		return 0;
	}
	if (argc < 7 || argc > 9)
		errx(2, "see the comment at the top of pattern.c");

	writing = !strcmp(argv[1], "write");
	r.seed = number(argv[3]);
	r.lba = number(argv[4]);
	r.pieces = number(argv[6]);
	r.offset = argc > 7 ? number(argv[7]) : 0;
	r.bytes = argc > 8 ? number(argv[8]) : PAGE - r.offset;
	if (!r.pieces || r.offset + r.bytes > PAGE || !r.bytes || r.bytes % SECTOR ||
	    (r.pieces > IOV_MAX && r.bytes != PAGE))
		errx(2, "no such request");
	r.pages = scattered(r.pieces, high);
	run(open_device(argv[2], O_RDWR | O_DIRECT), &r, writing, number(argv[5]));
	return 0;
}

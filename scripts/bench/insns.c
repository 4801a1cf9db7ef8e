// SPDX-License-Identifier: GPL-2.0
/*
 * A TCG plugin for QEMU: counts the instructions a guest executes in each page
 * of the region that x86-64 Linux loads its modules into. Whenever the guest
 * executes the mark, an instruction that does nothing else (see mark.c), the
 * counts since the mark before go into QEMU's log:
 *
 *	INSNS <page, hexadecimal> <count>
 *	INSNS end
 *
 * Debian's QEMU has the plugin interface, version 1, and no header for it: what
 * is used of it is declared here.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mark.h"

typedef uint64_t qemu_plugin_id_t;

typedef struct {
	const char *target_name;
	struct {
		int min;
		int cur;
	} version;
	bool system_emulation;
	struct {
		int smp_vcpus;
		int max_vcpus;
	} system;
} qemu_info_t;

enum qemu_plugin_cb_flags {
	QEMU_PLUGIN_CB_NO_REGS,
};

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void (*tb_trans_cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*exec_cb)(unsigned int vcpu, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, tb_trans_cb cb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_cb cb,
					  enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, exec_cb cb,
					    enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_outs(const char *text);

#define UNUSED	__attribute__((unused))
#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = 1;

/* Where modules may lie, with and without KASLR, Documentation/x86/x86_64/mm */
#define REGION_START	UINT64_C(0xffffffffa0000000)
#define REGION_END	UINT64_C(0xffffffffff000000)
#define PAGE_BITS	12
#define PAGES		((REGION_END - REGION_START) >> PAGE_BITS)

/* What a callback is told: the page, and how many instructions run there */
#define INSNS_BITS	16
#define INSNS_MASK	((UINT64_C(1) << INSNS_BITS) - 1)

static int vcpus;
static uint64_t *counts;	/* of each virtual CPU, each page */

static const uint8_t mark[] = { MARK_BYTES };

static void count(unsigned int vcpu, void *data)
{
	uint64_t what = (uintptr_t)data;

	counts[vcpu * PAGES + (what >> INSNS_BITS)] += what & INSNS_MASK;
}

/* The sum of a page over the virtual CPUs; it starts again from 0 */
static uint64_t take(uint64_t page)
{
	uint64_t sum = 0;

	for (int i = 0; i < vcpus; i++) {
		sum += counts[i * PAGES + page];
		counts[i * PAGES + page] = 0;
	}
	return sum;
}

static void report(unsigned int vcpu UNUSED, void *data UNUSED)
{
	char line[64];

	for (uint64_t page = 0; page < PAGES; page++) {
		uint64_t sum = take(page);

		if (!sum)
			continue;
		snprintf(line, sizeof(line), "INSNS %" PRIx64 " %" PRIu64 "\n",
			 REGION_START + (page << PAGE_BITS), sum);
		qemu_plugin_outs(line);
	}
	qemu_plugin_outs("INSNS end\n");
}

static bool is_mark(const struct qemu_plugin_insn *insn)
{
	return qemu_plugin_insn_size(insn) == sizeof(mark) &&
	       !memcmp(qemu_plugin_insn_data(insn), mark, sizeof(mark));
}

static void watch_marks(struct qemu_plugin_tb *tb, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (is_mark(insn))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, report,
							       QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

/* A block does not leave its page, and is executed as a whole */
static void translated(qemu_plugin_id_t id UNUSED, struct qemu_plugin_tb *tb)
{
	uint64_t addr = qemu_plugin_tb_vaddr(tb);
	size_t n = qemu_plugin_tb_n_insns(tb);

	if (addr >= REGION_START && addr < REGION_END) {
		uintptr_t what = (addr - REGION_START) >> PAGE_BITS << INSNS_BITS | n;

		qemu_plugin_register_vcpu_tb_exec_cb(tb, count, QEMU_PLUGIN_CB_NO_REGS,
						     (void *)what);
	} else if (!(addr >> 63)) {
		watch_marks(tb, n);
	}
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
			       int argc UNUSED, char **argv UNUSED)
{
	if (!info->system_emulation || strcmp(info->target_name, "x86_64")) {
		fprintf(stderr, "insns: for qemu-system-x86_64 only\n");
		return -1;
	}
	vcpus = info->system.max_vcpus;
	counts = calloc((size_t)vcpus * PAGES, sizeof(*counts));
	if (!counts)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Breaches of the protocol: each is reported with what led to it.
 */
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/printk.h>

#include "sim.h"

/* The log is for the first ones; the rest are counted */
#define REPORTS		8
#define REPORTED_TRACE	24

static const char * const host_names[] = {
	[0] = "CAP", "GHC", "IS", "PI", "VS", "CCC_CTL", "CCC_PORTS", "EM_LOC",
	"EM_CTL", "CAP2", "BOHC",
};

static const char * const port_names[] = {
	[0] = "PxCLB", "PxCLBU", "PxFB", "PxFBU", "PxIS", "PxIE", "PxCMD", "",
	"PxTFD", "PxSIG", "PxSSTS", "PxSCTL", "PxSERR", "PxSACT", "PxCI",
	"PxSNTF", "PxFBS", "PxDEVSLP",
};

static const char *name_of(u32 offset)
{
	unsigned int n = (offset < 0x100 ? offset : (offset - 0x100) % 0x80) / 4;

	if (offset < 0x100)
		return n < ARRAY_SIZE(host_names) ? host_names[n] : "?";
	return n < ARRAY_SIZE(port_names) ? port_names[n] : "?";
}

/* Under the host's lock */
void sim_trace(struct sim_hba *hba, u32 offset, u32 value, bool write)
{
	struct sim_access *a = &hba->trace[hba->traced++ % SIM_TRACE];

	a->ns = ktime_get_ns();
	a->offset = offset;
	a->value = value;
	a->write = write;
	a->hardirq = in_hardirq();
	if (write)
		hba->counts.writes++;
	else
		hba->counts.reads++;
}

static void print_trace(struct sim_hba *hba)
{
	u64 i = hba->traced > REPORTED_TRACE ? hba->traced - REPORTED_TRACE : 0;
	const struct sim_access *a;

	for (; i < hba->traced; i++) {
		a = &hba->trace[i % SIM_TRACE];
		pr_err(SIM_NAME ":   %12llu ns %s %-8s port %2d 0x%08x%s\n", a->ns,
		       a->write ? "W" : "R", name_of(a->offset),
		       a->offset < 0x100 ? -1 : (int)(a->offset - 0x100) / 0x80,
		       a->value, a->hardirq ? " in interrupt" : "");
	}
}

/* Under the host's lock */
void sim_breach(struct sim_hba *hba, const char *fmt, ...)
{
	struct va_format vaf;
	va_list args;

	if (hba->counts.breaches++ >= REPORTS)
		return;

	va_start(args, fmt);
	vaf.fmt = fmt;
	vaf.va = &args;
	pr_err(SIM_NAME ": BREACH: %pV\n", &vaf);
	va_end(args);
	print_trace(hba);
}

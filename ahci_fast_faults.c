// SPDX-License-Identifier: GPL-2.0
/*
 * Faults for tests, in a build made with AHCIF_FAULTS=y only: files in debugfs
 * (ahci_fast/faults/) say how many times each thing is yet to go wrong, for all
 * ports together.
 */
#include <linux/atomic.h>
#include <linux/debugfs.h>
#include <linux/delay.h>

#include "ahci_fast.h"

static atomic_t left[AHCIF_FAULTS_N];
static u32 gap_us;

static const char * const names[] = {
	[AHCIF_FAULT_RING]	= "ring",
	[AHCIF_FAULT_END]	= "end",
	[AHCIF_FAULT_ANSWER]	= "answer",
	[AHCIF_FAULT_IRQ]	= "irq",
	[AHCIF_FAULT_TABLE]	= "table",
	[AHCIF_FAULT_PRD]	= "prd",
};

static_assert(ARRAY_SIZE(names) == AHCIF_FAULTS_N);

/**
 * ahcif_fault - whether something is to go wrong now
 * @what: the fault
 *
 * Context: any.
 * Return: true as many times as the fault's file says
 */
bool ahcif_fault(enum ahcif_fault_what what)
{
	return atomic_dec_if_positive(&left[what]) >= 0;
}

/**
 * ahcif_fault_answer - answer a command instead of libata
 * @cmd: the command
 *
 * As libata does with what it cannot translate, or knows the answer to.
 *
 * Context: ap->lock held.
 * Return: true if it is answered, with an error
 */
bool ahcif_fault_answer(struct scsi_cmnd *cmd)
{
	if (!ahcif_fault(AHCIF_FAULT_ANSWER))
		return false;
	cmd->result = DID_NO_CONNECT << 16;
	scsi_done(cmd);
	return true;
}

/**
 * ahcif_fault_gap - take longer between PxIS and PxSACT
 *
 * Whatever a controller does between the two then does happen between them.
 *
 * Context: any; busy for as many microseconds as the file gap_us says.
 */
void ahcif_fault_gap(void)
{
	udelay(READ_ONCE(gap_us));
}

/**
 * ahcif_faults_module_init - make the files
 * @root: the driver's folder in debugfs; they go with it
 *
 * Context: may sleep.
 */
void ahcif_faults_module_init(struct dentry *root)
{
	struct dentry *dir = debugfs_create_dir("faults", root);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		debugfs_create_atomic_t(names[i], 0600, dir, &left[i]);
	debugfs_create_u32("gap_us", 0600, dir, &gap_us);
	pr_warn(AHCIF_NAME ": a test build, made to fail on demand\n");
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ahci_fast: a libata driver for AHCI SATA controllers.
 *
 * What its files share: the register map, the structures a controller reads
 * from memory, the state of a host and of a port, and what each file offers.
 *
 * Section numbers refer to the Serial ATA AHCI 1.3.1 specification.
 */
#ifndef AHCI_FAST_H
#define AHCI_FAST_H

#include <linux/bits.h>
#include <linux/bitfield.h>
#include <linux/build_bug.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/libata.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>
#include <linux/stringify.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_device.h>
#include <scsi/scsi_host.h>

#include "compat.h"

#define AHCIF_NAME	"ahci_fast"
#define AHCIF_VERSION	"0.1.0"

#define AHCI_MAX_PORTS	32
#define AHCI_MAX_SLOTS	32

/* --- Generic host control, 3.1 --- */

#define AHCI_CAP		0x00	/* HBA capabilities, 3.1.1 */
#define AHCI_CAP_NP		GENMASK(4, 0)	/* number of ports - 1 */
#define AHCI_CAP_SXS		BIT(5)	/* external SATA */
#define AHCI_CAP_EMS		BIT(6)	/* enclosure management */
#define AHCI_CAP_CCCS		BIT(7)	/* command completion coalescing */
#define AHCI_CAP_NCS		GENMASK(12, 8)	/* number of slots - 1 */
#define AHCI_CAP_PSC		BIT(13)	/* partial state */
#define AHCI_CAP_SSC		BIT(14)	/* slumber state */
#define AHCI_CAP_PMD		BIT(15)	/* PIO multiple DRQ block */
#define AHCI_CAP_FBSS		BIT(16)	/* FIS-based switching */
#define AHCI_CAP_SPM		BIT(17)	/* port multiplier */
#define AHCI_CAP_SAM		BIT(18)	/* AHCI mode only */
#define AHCI_CAP_ISS		GENMASK(23, 20)	/* interface speed */
#define AHCI_CAP_SCLO		BIT(24)	/* command list override */
#define AHCI_CAP_SAL		BIT(25)	/* activity LED */
#define AHCI_CAP_SALP		BIT(26)	/* aggressive link power management */
#define AHCI_CAP_SSS		BIT(27)	/* staggered spin-up */
#define AHCI_CAP_SMPS		BIT(28)	/* mechanical presence switch */
#define AHCI_CAP_SSNTF		BIT(29)	/* SNotification register */
#define AHCI_CAP_SNCQ		BIT(30)	/* native command queueing */
#define AHCI_CAP_S64A		BIT(31)	/* 64-bit addressing */

#define AHCI_GHC		0x04	/* global HBA control, 3.1.2 */
#define AHCI_GHC_HR		BIT(0)	/* HBA reset */
#define AHCI_GHC_IE		BIT(1)	/* interrupt enable */
#define AHCI_GHC_MRSM		BIT(2)	/* MSI reverted to single message */
#define AHCI_GHC_AE		BIT(31)	/* AHCI enable */

#define AHCI_IS			0x08	/* interrupt status, a bit a port, 3.1.3 */
#define AHCI_PI			0x0c	/* ports implemented, 3.1.4 */
#define AHCI_VS			0x10	/* AHCI version, 3.1.5 */
#define AHCI_VS_1_2		0x00010200
#define AHCI_VS_1_3		0x00010300

#define AHCI_CAP2		0x24	/* capabilities extended, 3.1.10 */
#define AHCI_CAP2_BOH		BIT(0)	/* BIOS/OS handoff */
#define AHCI_CAP2_NVMP		BIT(1)	/* NVMHCI present */
#define AHCI_CAP2_APST		BIT(2)	/* automatic partial to slumber */
#define AHCI_CAP2_SDS		BIT(3)	/* device sleep */
#define AHCI_CAP2_SADM		BIT(4)	/* aggressive device sleep */
#define AHCI_CAP2_DESO		BIT(5)	/* device sleep from slumber only */

#define AHCI_BOHC		0x28	/* BIOS/OS handoff, 3.1.11 */
#define AHCI_BOHC_BOS		BIT(0)	/* BIOS owned */
#define AHCI_BOHC_OOS		BIT(1)	/* OS owned */
#define AHCI_BOHC_BB		BIT(4)	/* BIOS busy */

/* --- Port registers, 3.3 --- */

#define AHCI_PORTS		0x100	/* port 0 begins here */
#define AHCI_PORT_SIZE		0x80

#define AHCI_PXCLB		0x00	/* command list base, 3.3.1 */
#define AHCI_PXCLBU		0x04	/* 3.3.2 */
#define AHCI_PXFB		0x08	/* received FIS base, 3.3.3 */
#define AHCI_PXFBU		0x0c	/* 3.3.4 */

#define AHCI_PXIS		0x10	/* interrupt status, 3.3.5 */
#define AHCI_PXIE		0x14	/* interrupt enable, same bits, 3.3.6 */
#define AHCI_PXI_DHRS		BIT(0)	/* device to host register FIS */
#define AHCI_PXI_PSS		BIT(1)	/* PIO setup FIS */
#define AHCI_PXI_DSS		BIT(2)	/* DMA setup FIS */
#define AHCI_PXI_SDBS		BIT(3)	/* set device bits FIS */
#define AHCI_PXI_UFS		BIT(4)	/* unknown FIS */
#define AHCI_PXI_DPS		BIT(5)	/* PRD with I bit processed */
#define AHCI_PXI_PCS		BIT(6)	/* port connect change */
#define AHCI_PXI_DMPS		BIT(7)	/* mechanical presence */
#define AHCI_PXI_PRCS		BIT(22)	/* PhyRdy change */
#define AHCI_PXI_IPMS		BIT(23)	/* incorrect port multiplier */
#define AHCI_PXI_OFS		BIT(24)	/* overflow */
#define AHCI_PXI_INFS		BIT(26)	/* interface non-fatal error */
#define AHCI_PXI_IFS		BIT(27)	/* interface fatal error */
#define AHCI_PXI_HBDS		BIT(28)	/* host bus data error */
#define AHCI_PXI_HBFS		BIT(29)	/* host bus fatal error */
#define AHCI_PXI_TFES		BIT(30)	/* task file error */
#define AHCI_PXI_CPDS		BIT(31)	/* cold port detect */

#define AHCI_PXCMD		0x18	/* command and status, 3.3.7 */
#define AHCI_PXCMD_ST		BIT(0)	/* start */
#define AHCI_PXCMD_SUD		BIT(1)	/* spin-up device */
#define AHCI_PXCMD_POD		BIT(2)	/* power on device */
#define AHCI_PXCMD_CLO		BIT(3)	/* command list override */
#define AHCI_PXCMD_FRE		BIT(4)	/* FIS receive enable */
#define AHCI_PXCMD_FR		BIT(14)	/* FIS receive running */
#define AHCI_PXCMD_CR		BIT(15)	/* command list running */
#define AHCI_PXCMD_CPS		BIT(16)	/* cold presence state */
#define AHCI_PXCMD_PMA		BIT(17)	/* port multiplier attached */
#define AHCI_PXCMD_HPCP		BIT(18)	/* hot plug capable */
#define AHCI_PXCMD_MPSP		BIT(19)	/* mechanical presence switch */
#define AHCI_PXCMD_CPD		BIT(20)	/* cold presence detection */
#define AHCI_PXCMD_ESP		BIT(21)	/* external port */
#define AHCI_PXCMD_FBSCP	BIT(22)	/* FIS-based switching capable */
#define AHCI_PXCMD_ATAPI	BIT(24)	/* device is ATAPI */
#define AHCI_PXCMD_ICC		GENMASK(31, 28)	/* interface control */
#define AHCI_PXCMD_ICC_ACTIVE	1

/* What firmware sets once and an HBA reset may take away, 3.3.7 */
#define AHCI_PXCMD_HWINIT	(AHCI_PXCMD_HPCP | AHCI_PXCMD_MPSP | \
				 AHCI_PXCMD_CPD | AHCI_PXCMD_ESP | \
				 AHCI_PXCMD_FBSCP)

#define AHCI_PXTFD		0x20	/* task file data, 3.3.8 */
#define AHCI_PXTFD_STS		GENMASK(7, 0)
#define AHCI_PXSIG		0x24	/* signature, 3.3.9 */
#define AHCI_PXSSTS		0x28	/* SStatus, 3.3.10 */
#define AHCI_PXSCTL		0x2c	/* SControl, 3.3.11 */
#define AHCI_PXSERR		0x30	/* SError, 3.3.12 */
#define AHCI_PXSACT		0x34	/* SActive, 3.3.13 */
#define AHCI_PXCI		0x38	/* command issue, 3.3.14 */
#define AHCI_PXSNTF		0x3c	/* SNotification, 3.3.15 */

/* What ends in error handling; a row of port_errors[] says how */
#define AHCIF_PXI_ERRORS	(AHCI_PXI_UFS | AHCI_PXI_PCS | AHCI_PXI_PRCS | \
				 AHCI_PXI_OFS | AHCI_PXI_IFS | AHCI_PXI_HBDS | \
				 AHCI_PXI_HBFS | AHCI_PXI_TFES)

/*
 * Enabled while a port works. No DPS and DSS: no PRD asks for an interrupt,
 * and a DMA setup FIS is none of ours. PSS ends PIO reads.
 */
#define AHCIF_PXIE		(AHCIF_PXI_ERRORS | AHCI_PXI_DHRS | \
				 AHCI_PXI_PSS | AHCI_PXI_SDBS)

/* A register of a device that is gone reads as all ones (PCI, 2.8.1.3) */
#define AHCI_GONE		0xffffffffU

/* --- What the controller reads and writes in memory, 4 --- */

/**
 * struct ahci_cmd_hdr - a command slot, 4.2.2
 * @opts: AHCI_HDR_*
 * @prdbc: bytes moved, written by the controller (not for NCQ, 5.4.1)
 * @ctba: command table, 128 byte aligned
 * @ctbau: its upper half
 */
struct ahci_cmd_hdr {
	__le32	opts;
	__le32	prdbc;
	__le32	ctba;
	__le32	ctbau;
	__le32	reserved[4];
};

#define AHCI_HDR_CFL		GENMASK(4, 0)	/* FIS length in DWORDs */
#define AHCI_HDR_A		BIT(5)	/* ATAPI */
#define AHCI_HDR_W		BIT(6)	/* write to the device */
#define AHCI_HDR_P		BIT(7)	/* prefetchable */
#define AHCI_HDR_R		BIT(8)	/* reset */
#define AHCI_HDR_C		BIT(10)	/* clear BSY upon R_OK */
#define AHCI_HDR_PMP		GENMASK(15, 12)	/* port multiplier port */
#define AHCI_HDR_PRDTL		GENMASK(31, 16)	/* PRDs in the table */

/**
 * struct ahci_prd - a piece of memory, 4.2.3.3
 * @dba: its bus address, even; DBA and DBAU in one
 * @dbc: bytes - 1, odd, 22 bits; bit 31 asks for an interrupt
 */
struct ahci_prd {
	__le64	dba;
	__le32	reserved;
	__le32	dbc;
};

#define AHCI_PRD_MAX_BYTES	SZ_4M	/* 22 bits of DBC, 4.2.3.3 */

/**
 * struct ahci_cmd_tbl - a command table, 4.2.3
 * @cfis: command FIS
 * @acmd: ATAPI command
 * @prd: as many as the port's tables hold
 */
struct ahci_cmd_tbl {
	u8	cfis[64];
	u8	acmd[16];
	u8	reserved[48];
	struct ahci_prd prd[];
};

/**
 * struct ahci_rx_fis - received FIS, 4.2.1
 * @dsfis: DMA setup
 * @psfis: PIO setup
 * @rfis: device to host register
 * @sdbfis: set device bits
 * @ufis: unknown
 */
struct ahci_rx_fis {
	u8	dsfis[0x1c];
	u8	reserved1[0x04];
	u8	psfis[0x14];
	u8	reserved2[0x0c];
	u8	rfis[0x14];
	u8	reserved3[0x04];
	u8	sdbfis[0x08];
	u8	ufis[0x40];
	u8	reserved4[0x60];
};

static_assert(sizeof(struct ahci_cmd_hdr) == 32);
static_assert(sizeof(struct ahci_prd) == 16);
static_assert(sizeof(struct ahci_cmd_tbl) == 128);
static_assert(offsetof(struct ahci_cmd_tbl, acmd) == 0x40);
static_assert(sizeof(struct ahci_rx_fis) == 256);
static_assert(offsetof(struct ahci_rx_fis, psfis) == 0x20);
static_assert(offsetof(struct ahci_rx_fis, rfis) == 0x40);
static_assert(offsetof(struct ahci_rx_fis, sdbfis) == 0x58);
static_assert(offsetof(struct ahci_rx_fis, ufis) == 0x60);

/*
 * The one page every port has: command list, received FIS, and a small
 * command table in what is left. It serves reset and IDENTIFY; the tables of
 * a disk come when a disk is found.
 */
struct ahcif_port_page {
	struct ahci_cmd_hdr	hdr[AHCI_MAX_SLOTS];
	struct ahci_rx_fis	rx;
	struct ahci_cmd_tbl	tbl;
};

#define AHCIF_SMALL_PRDS \
	((SZ_4K - sizeof(struct ahcif_port_page)) / sizeof(struct ahci_prd))

static_assert(offsetof(struct ahcif_port_page, rx) == SZ_1K);
static_assert(offsetof(struct ahcif_port_page, tbl) % 128 == 0);
static_assert(sizeof(struct ahcif_port_page) < SZ_4K);

/* --- What a board is known to do otherwise than the specification --- */

#define AHCIF_NO_NCQ		BIT(0)	/* queueing is broken */
#define AHCIF_YES_NCQ		BIT(1)	/* queueing works, CAP denies it */
#define AHCIF_NO_FPDMA_AA	BIT(2)	/* DMA setup auto-activate is broken */
#define AHCIF_NO_MSI		BIT(3)	/* message signalled interrupts are broken */
#define AHCIF_NO_PMP		BIT(4)	/* no port multiplier */
#define AHCIF_NO_SNTF		BIT(5)	/* SNotification is broken */
#define AHCIF_NO_DEVSLP		BIT(6)	/* device sleep is broken */
#define AHCIF_NO_SXS		BIT(7)	/* external ports are not */
#define AHCIF_YES_FBS		BIT(8)	/* FIS-based switching works, CAP denies it */
#define AHCIF_32BIT_ONLY	BIT(9)	/* 64-bit DMA corrupts data */
#define AHCIF_43BIT_ONLY	BIT(10)	/* DMA above 8 TiB corrupts data */
#define AHCIF_SECT255		BIT(11)	/* at most 255 sectors a command */
#define AHCIF_IGN_IFS		BIT(12)	/* PxIS.IFS comes with device errors */
#define AHCIF_IGN_SERR_INTERNAL	BIT(13)	/* SError.E comes with device errors */
#define AHCIF_SRST_OFFLINE	BIT(14)	/* no answer to soft reset: no device */
#define AHCIF_SRST_RETRY_PMP0	BIT(15)	/* soft reset at PMP 15 ends in IPMS */
#define AHCIF_HRST_WANTS_SRST	BIT(16)	/* BSY stays after the signature FIS */
#define AHCIF_HRST_BOUNCE_PCS	BIT(17)	/* stuck link needs the port re-enabled */
#define AHCIF_ATAPI_DMA		BIT(18)	/* ATAPI by DMA whatever the length */
#define AHCIF_IS_BEFORE_PXIS	BIT(19)	/* IS is to be cleared before PxIS */
#define AHCIF_IS_DRAIN		BIT(20)	/* IS is to be seen 0 before leaving */
#define AHCIF_NO_SUSPEND	BIT(21)	/* firmware breaks suspend */
#define AHCIF_MV_PATA		BIT(22)	/* the last port is a PATA port */
#define AHCIF_PCS		BIT(23)	/* ports are enabled in config space */
#define AHCIF_NO_FPDMA_AUX	BIT(24)	/* nobody has tried the AUX field */

/* IS does not work as the specification says: no lean interrupt path there */
#define AHCIF_IS_ODD		(AHCIF_IS_BEFORE_PXIS | AHCIF_IS_DRAIN)

struct ahcif_host;

/**
 * struct ahcif_glue - what a bus does for the host, all optional
 * @setup_irq: called once CAP and PI are known; sets @irq and @irq_exclusive
 *	of the host. May sleep. 0 or a negative error.
 * @after_reset: called after each HBA reset, before a port is touched. May
 *	sleep.
 * @tune_port: called once for each port in use, before it starts
 * @before_start: called before each start of a port's command list, which is at
 *	rest, for what may be changed then only. In error handling, resume or
 *	probe; not under the port's lock.
 * @hardreset: resets a link in place of ahcif_port_hardreset()
 */
struct ahcif_glue {
	int (*setup_irq)(struct ahcif_host *h);
	void (*after_reset)(struct ahcif_host *h);
	void (*tune_port)(struct ahcif_host *h, struct ata_port *ap);
	void (*before_start)(struct ata_port *ap);
	int (*hardreset)(struct ata_link *link, unsigned int *class,
			 unsigned long deadline);
};

/**
 * struct ahcif_host - a controller
 *
 * The first part is filled by the glue before ahcif_host_attach(), the second
 * by the host file; constant once attached unless said.
 *
 * @dev: the device, for DMA and messages
 * @mmio: registers
 * @mmio_len: their length in bytes
 * @glue: the bus's part
 * @quirks: AHCIF_*
 * @ata_flags: ATA_FLAG_* to add to each port
 * @link_flags: ATA_LFLAG_* of each port's link
 * @force_port_map: PI to use in place of the register, 0: the register
 * @mask_port_map: ports to use of those, 0: all
 * @irq: interrupt number
 * @irq_exclusive: no other device shares the interrupt (MSI)
 * @mode: what the log calls the interface ("SATA", "RAID" ...)
 * @ata: libata's host
 * @cap: AHCI_CAP with the corrections of the board
 * @cap2: AHCI_CAP2 likewise, 0 before AHCI 1.2
 * @vs: AHCI_VS
 * @port_map: ports in use
 * @saved_cap: what is written back after an HBA reset
 * @saved_cap2: likewise
 * @saved_port_map: likewise
 * @saved_pxcmd: likewise, the firmware's bits of each port
 * @slots: command slots, 1..32
 * @sole: the number of the only port with a device, -1: none or several.
 *	Written by error handling, read in the interrupt; a hint.
 * @debugfs: folder of its counters
 */
struct ahcif_host {
	struct device		*dev;
	void __iomem		*mmio;
	resource_size_t		mmio_len;
	const struct ahcif_glue	*glue;
	u32			quirks;
	unsigned long		ata_flags;
	unsigned int		link_flags;
	u32			force_port_map;
	u32			mask_port_map;
	int			irq;
	bool			irq_exclusive;
	const char		*mode;

	struct ata_host		*ata;
	u32			cap;
	u32			cap2;
	u32			vs;
	u32			port_map;
	u32			saved_cap;
	u32			saved_cap2;
	u32			saved_port_map;
	u32			saved_pxcmd[AHCI_MAX_PORTS];
	unsigned int		slots;
	int			sole;
	struct dentry		*debugfs;
};

/**
 * struct ahcif_stats - what a port counts; all under the port's lock
 * @commands: commands issued
 * @prds: PRDs of those
 * @rings: doorbells rung, each for one command or a batch
 * @irq_lean: interrupts that the lean path settled
 * @irq_full: interrupts that read PxIS
 * @irq_idle: of those, the ones that found nothing
 * @late_rings: commands whose batch had no end, rung by the net
 * @rescues: commands found unrung when their timer ran out
 * @lost_irqs: commands found done when their timer ran out
 * @bad_prds: commands refused as their PRDs fell short
 * @overflows: PxIS.OFS seen
 * @freezes: times the port was frozen
 */
struct ahcif_stats {
	u64 commands;
	u64 prds;
	u64 rings;
	u64 irq_lean;
	u64 irq_full;
	u64 irq_idle;
	u64 late_rings;
	u64 rescues;
	u64 lost_irqs;
	u64 bad_prds;
	u64 overflows;
	u64 freezes;
};

/**
 * struct ahcif_port - a port
 * @lock: libata's lock of this port (ap->lock); no two ports share one
 * @mmio: registers of this port
 * @unrung: NCQ slots libata holds active that the controller does not know
 *	yet; a subset of ap->qc_active. Under @lock.
 * @batching: set while our queuecommand is in libata: a doorbell may wait.
 *	Under @lock.
 * @net: rings what no end of a batch has rung
 * @net_rings: @stats.rings when the net was hung. Under @lock.
 * @lean: a plain NCQ disk on a controller with an orderly IS: the lean
 *	interrupt path may be used. Under @lock.
 * @limits_wait: the size of a request is put in force at the next command of
 *	the block layer (older kernels, see compat.h)
 * @max_prds: PRDs each command table holds
 * @hdr: command list
 * @tbl: command table of each slot; one for all unless commands are queued
 * @rx: received FIS
 * @page: the memory of @hdr, @rx and the first table
 * @page_dma: its bus address
 * @tables: how many tables the disk has of its own, the first ones of @tbl
 * @tbl_dma: their bus addresses
 * @tbl_bytes: size of each
 * @stats: counters
 */
struct ahcif_port {
	spinlock_t		lock;	/* libata's ap->lock */
	void __iomem		*mmio;
	u32			unrung;
	bool			batching;
	bool			lean;
	bool			limits_wait;
	unsigned int		max_prds;
	struct timer_list	net;
	u64			net_rings;
	struct ahci_cmd_hdr	*hdr;
	struct ahci_cmd_tbl	*tbl[AHCI_MAX_SLOTS];
	struct ahci_rx_fis	*rx;
	struct ahcif_stats	stats;
	struct ahcif_port_page	*page;
	dma_addr_t		page_dma;
	unsigned int		tables;
	dma_addr_t		tbl_dma[AHCI_MAX_SLOTS];
	size_t			tbl_bytes;
};

/* --- Parameters: a number in a range; others are refused by name --- */

/**
 * struct ahcif_range - a parameter
 * @name: its name
 * @value: where it is kept
 * @min: smallest value
 * @max: largest value
 * @or_zero: 0 is allowed although @min is larger
 */
struct ahcif_range {
	const char	*name;
	unsigned int	*value;
	unsigned int	min;
	unsigned int	max;
	bool		or_zero;
};

extern const struct kernel_param_ops ahcif_range_ops;

#define AHCIF_PARAM_RANGE(_name, _var, _min, _max, _zero, _perm, _desc)	\
	static const struct ahcif_range _name##_range = {		\
		.name = #_name, .value = &(_var), .min = _min,		\
		.max = _max, .or_zero = _zero,				\
	};								\
	module_param_cb(_name, &ahcif_range_ops,			\
			(void *)&_name##_range, _perm);			\
	__MODULE_PARM_TYPE(_name, "uint");				\
	MODULE_PARM_DESC(_name, _desc)

#define AHCIF_PARAM(_name, _var, _min, _max, _perm, _desc)		\
	AHCIF_PARAM_RANGE(_name, _var, _min, _max, false, _perm,	\
			  _desc " [" __stringify(_min) ".." __stringify(_max) "]")

static inline struct ahcif_port *ahcif_port(const struct ata_port *ap)
{
	return ap->private_data;
}

static inline struct ahcif_host *ahcif_host(const struct ata_port *ap)
{
	return ap->host->private_data;
}

/* --- ahci_fast.c: the command engine --- */

#define AHCIF_MIN_PRDS	8
#define AHCIF_MAX_PRDS	2048

extern unsigned int ahcif_max_prds;

int ahcif_queuecommand(struct Scsi_Host *shost, struct scsi_cmnd *cmd);
void ahcif_commit_rqs(struct Scsi_Host *shost, u16 hwq);
AHCIF_TIMER_ACTION ahcif_eh_timed_out(struct scsi_cmnd *cmd);
void ahcif_net_timer(struct timer_list *timer);
enum ata_completion_errors ahcif_qc_prep(struct ata_queued_cmd *qc);
unsigned int ahcif_qc_issue(struct ata_queued_cmd *qc);
irqreturn_t ahcif_interrupt(int irq, void *data);
bool ahcif_lean_allowed(const struct ahcif_host *h);

/* --- ahci_fast_port.c: a port's life --- */

extern struct ata_port_operations ahcif_port_ops;

void ahcif_port_error(struct ata_port *ap, u32 pxis);
void ahcif_port_limits_late(struct ata_port *ap, struct scsi_cmnd *cmd);
int ahcif_port_configure(struct scsi_device *sdev, struct queue_limits *lim);
int ahcif_port_hardreset(struct ata_link *link, unsigned int *class,
			 unsigned long deadline);
int ahcif_port_comreset(struct ata_link *link, unsigned int *class,
			unsigned long deadline, bool wait, bool *online);
int ahcif_port_kick(struct ata_port *ap);
void ahcif_port_restart(struct ata_port *ap);
void ahcif_port_halt(struct ata_port *ap);
int ahcif_port_quiesce(struct ahcif_host *h, unsigned int port_no);

/* --- ahci_fast_host.c: a controller's life --- */

int ahcif_host_attach(struct ahcif_host *h);
void ahcif_host_detach(struct ahcif_host *h);
void ahcif_host_shutdown(struct ahcif_host *h);
void ahcif_host_suspend(struct ahcif_host *h, pm_message_t mesg);
int ahcif_host_resume(struct ahcif_host *h);
void ahcif_host_irq_off(struct ahcif_host *h);
int ahcif_host_restart(struct ahcif_host *h);
void ahcif_host_module_exit(void);

static inline void __iomem *ahcif_port_mmio(const struct ahcif_host *h,
					    unsigned int port_no)
{
	return h->mmio + AHCI_PORTS + port_no * AHCI_PORT_SIZE;
}

/* --- ahci_fast_pci.c --- */

#ifdef CONFIG_PCI
int ahcif_pci_register(void);
void ahcif_pci_unregister(void);
#else
static inline int ahcif_pci_register(void)
{
	return 0;
}

static inline void ahcif_pci_unregister(void)
{
}
#endif

/* --- ahci_fast_stats.c: counters in debugfs --- */

void ahcif_stats_module_init(void);
void ahcif_stats_module_exit(void);
void ahcif_stats_attach(struct ahcif_host *h);
void ahcif_stats_detach(struct ahcif_host *h);

/* --- ahci_fast_faults.c: what goes wrong on demand, in a test build --- */

/**
 * enum ahcif_fault_what - what can be made to go wrong
 * @AHCIF_FAULT_RING: a doorbell is not rung, its slots stay unrung
 * @AHCIF_FAULT_END: the end of a batch does not come
 * @AHCIF_FAULT_ANSWER: the last command of a batch is answered before libata
 *	sees it
 * @AHCIF_FAULT_IRQ: an interrupt is lost
 * @AHCIF_FAULT_TABLE: there is no memory for a set of command tables
 * @AHCIF_FAULT_PRD: a command's PRDs fall short of its bytes
 * @AHCIF_FAULTS_N: how many there are
 */
enum ahcif_fault_what {
	AHCIF_FAULT_RING,
	AHCIF_FAULT_END,
	AHCIF_FAULT_ANSWER,
	AHCIF_FAULT_IRQ,
	AHCIF_FAULT_TABLE,
	AHCIF_FAULT_PRD,
	AHCIF_FAULTS_N,
};

#ifdef AHCIF_FAULTS
bool ahcif_fault(enum ahcif_fault_what what);
bool ahcif_fault_answer(struct scsi_cmnd *cmd);
void ahcif_fault_gap(void);
void ahcif_faults_module_init(struct dentry *root);
#else
static inline bool ahcif_fault(enum ahcif_fault_what what)
{
	return false;
}

static inline bool ahcif_fault_answer(struct scsi_cmnd *cmd)
{
	return false;
}

static inline void ahcif_fault_gap(void)
{
}

static inline void ahcif_faults_module_init(struct dentry *root)
{
}
#endif

#endif /* AHCI_FAST_H */

// SPDX-License-Identifier: GPL-2.0
/*
 * A port's life: engines, FIS receive, resets, freeze and thaw, SCR, what an
 * error means, the memory of its commands, the limits of its disk.
 *
 * libata's error handler decides what is done; this file does it.
 */
#include <linux/blk-mq.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/iopoll.h>
#include <linux/module.h>
#include <linux/sched/mm.h>

#include "ahci_fast.h"

/* Engines stop within 500 ms, 10.1.2; FIS receive is known to take longer */
#define ENGINE_TIMEOUT_US	USEC_PER_SEC
#define ENGINE_POLL_US		USEC_PER_MSEC

/* PxSSTS.DET 3: a device, and communication with it, 3.3.10 */
#define SSTS_DET		GENMASK(3, 0)
#define SSTS_DET_ONLINE		3

/* Sizes a command table falls back to, PRDs that fill whole pages */
#define PRDS_OF_PAGES(n) \
	(((n) * PAGE_SIZE - sizeof(struct ahci_cmd_tbl)) / sizeof(struct ahci_prd))

static unsigned int max_request_kb = 4096;
AHCIF_PARAM_RANGE(max_request_kb, max_request_kb, 4, ATA_MAX_SECTORS_LBA48 / 2,
		  true, 0644,
		  "size of a request until max_sectors_kb is written, KiB [4..32767; 0 leaves the kernel's]");

/* --- Engines --- */

static bool gone(u32 reg)
{
	return reg == AHCI_GONE;
}

static u8 task_file_status(const struct ahcif_port *pp)
{
	return FIELD_GET(AHCI_PXTFD_STS, readl(pp->mmio + AHCI_PXTFD));
}

/* Clear @run in PxCMD and wait until the controller has cleared @running */
static int stop_unit(void __iomem *port, u32 run, u32 running)
{
	u32 cmd = readl(port + AHCI_PXCMD);

	if (gone(cmd))
		return -ENODEV;
	if (!(cmd & (run | running)))
		return 0;

	writel(cmd & ~run, port + AHCI_PXCMD);
	if (readl_poll_timeout(port + AHCI_PXCMD, cmd, !(cmd & running),
			       ENGINE_POLL_US, ENGINE_TIMEOUT_US))
		return -EIO;
	return 0;
}

/* Stop the command list, 10.3.1. What it held is forgotten: PxSACT and PxCI. */
static int stop_engine(struct ahcif_port *pp)
{
	return stop_unit(pp->mmio, AHCI_PXCMD_ST, AHCI_PXCMD_CR);
}

static void set_cmd(struct ahcif_port *pp, u32 bits)
{
	writel(readl(pp->mmio + AHCI_PXCMD) | bits, pp->mmio + AHCI_PXCMD);
	readl(pp->mmio + AHCI_PXCMD);	/* flush */
}

/* A device to talk to, and not in the middle of something */
static bool device_ready(struct ahcif_port *pp)
{
	u32 ssts = readl(pp->mmio + AHCI_PXSSTS);

	return FIELD_GET(SSTS_DET, ssts) == SSTS_DET_ONLINE &&
	       !(task_file_status(pp) & (ATA_BUSY | ATA_DRQ));
}

/*
 * Set PxCMD.ST. What a controller wants to be told before that, with the list
 * at rest, its glue tells it.
 */
static void set_start(struct ata_port *ap)
{
	const struct ahcif_glue *glue = ahcif_host(ap)->glue;
	struct ahcif_port *pp = ahcif_port(ap);

	if (glue && glue->before_start &&
	    !(readl(pp->mmio + AHCI_PXCMD) & (AHCI_PXCMD_ST | AHCI_PXCMD_CR)))
		glue->before_start(ap);
	set_cmd(pp, AHCI_PXCMD_ST);
}

/* Start the command list where 10.3.1 allows it: a device, neither BSY nor DRQ */
static int start_engine(struct ata_port *ap)
{
	if (!device_ready(ahcif_port(ap)))
		return -ENODEV;
	set_start(ap);
	return 0;
}

static void start_fis_rx(struct ahcif_port *pp)
{
	dma_addr_t hdr = pp->page_dma + offsetof(struct ahcif_port_page, hdr);
	dma_addr_t rx = pp->page_dma + offsetof(struct ahcif_port_page, rx);

	writel(lower_32_bits(hdr), pp->mmio + AHCI_PXCLB);
	writel(upper_32_bits(hdr), pp->mmio + AHCI_PXCLBU);
	writel(lower_32_bits(rx), pp->mmio + AHCI_PXFB);
	writel(upper_32_bits(rx), pp->mmio + AHCI_PXFBU);
	set_cmd(pp, AHCI_PXCMD_FRE);
}

/* Spin the device up, power it, wake the link, 3.3.7 */
static void power_up(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);
	u32 cmd = readl(pp->mmio + AHCI_PXCMD) & ~AHCI_PXCMD_ICC;

	if (ahcif_host(ap)->cap & AHCI_CAP_SSS)
		cmd |= AHCI_PXCMD_SUD;
	if (cmd & AHCI_PXCMD_CPD)
		cmd |= AHCI_PXCMD_POD;
	writel(cmd, pp->mmio + AHCI_PXCMD);
	writel(cmd | FIELD_PREP(AHCI_PXCMD_ICC, AHCI_PXCMD_ICC_ACTIVE),
	       pp->mmio + AHCI_PXCMD);
}

/* With staggered spin-up: the port listens no more, the device rests */
static void power_down(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);
	u32 sctl;

	if (!(ahcif_host(ap)->cap & AHCI_CAP_SSS))
		return;

	/* PxSCTL.DET must be 0 before SUD is cleared, 3.3.7 */
	sctl = readl(pp->mmio + AHCI_PXSCTL);
	writel(sctl & ~SSTS_DET, pp->mmio + AHCI_PXSCTL);
	writel(readl(pp->mmio + AHCI_PXCMD) & ~AHCI_PXCMD_SUD,
	       pp->mmio + AHCI_PXCMD);
}

/* Forget interrupts and errors of the past: SError, then PxIS, then IS */
static void clear_interrupts(struct ahcif_host *h, unsigned int port_no)
{
	void __iomem *port = ahcif_port_mmio(h, port_no);
	u32 serr = readl(port + AHCI_PXSERR);
	u32 pxis;

	if (gone(serr))
		return;
	writel(serr, port + AHCI_PXSERR);

	pxis = readl(port + AHCI_PXIS);
	if (pxis)
		writel(pxis, port + AHCI_PXIS);
	writel(BIT(port_no), h->mmio + AHCI_IS);
}

/**
 * ahcif_port_quiesce - make a port silent: no interrupt, no engine, no DMA
 * @h: the host
 * @port_no: the port, in use or not
 *
 * Context: may sleep up to a second.
 * Return: 0, -EIO if an engine goes on, -ENODEV if the controller is gone
 */
int ahcif_port_quiesce(struct ahcif_host *h, unsigned int port_no)
{
	void __iomem *port = ahcif_port_mmio(h, port_no);
	int rc;

	if (AHCI_PORTS + (port_no + 1) * AHCI_PORT_SIZE > h->mmio_len)
		return -ENODEV;

	writel(0, port + AHCI_PXIE);
	rc = stop_unit(port, AHCI_PXCMD_ST, AHCI_PXCMD_CR);
	if (!rc)
		rc = stop_unit(port, AHCI_PXCMD_FRE, AHCI_PXCMD_FR);
	clear_interrupts(h, port_no);
	return rc;
}

/**
 * ahcif_port_kick - bring a port back to where it takes commands
 * @ap: the port
 *
 * Stop, override BSY and DRQ if they stand (PxCMD.CLO, 3.3.7), start.
 *
 * Context: error handling, may sleep up to a second.
 * Return: 0, -EOPNOTSUPP where BSY stands and there is no CLO, -EIO if the
 * engine or CLO does not end, -ENODEV without a device
 */
int ahcif_port_kick(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);
	u32 cmd;
	int rc;

	rc = stop_engine(pp);
	if (rc)
		return rc;

	if (!(task_file_status(pp) & (ATA_BUSY | ATA_DRQ)))
		return start_engine(ap);

	if (!(ahcif_host(ap)->cap & AHCI_CAP_SCLO)) {
		if (!(ahcif_host(ap)->quirks & AHCIF_HRST_WANTS_SRST))
			return -EOPNOTSUPP;
		/* BSY never goes by itself there: the reset has to try */
		set_start(ap);
		return 0;
	}

	set_cmd(pp, AHCI_PXCMD_CLO);
	if (readl_poll_timeout(pp->mmio + AHCI_PXCMD, cmd,
			       !(cmd & AHCI_PXCMD_CLO),
			       ENGINE_POLL_US, ENGINE_TIMEOUT_US))
		return -EIO;
	/* BSY and DRQ are gone by the override, whatever the device thinks */
	set_start(ap);
	return 0;
}

/* --- SCR --- */

static int scr_offset(const struct ata_port *ap, unsigned int scr)
{
	switch (scr) {
	case SCR_STATUS:
		return AHCI_PXSSTS;
	case SCR_CONTROL:
		return AHCI_PXSCTL;
	case SCR_ERROR:
		return AHCI_PXSERR;
	case SCR_ACTIVE:
		return AHCI_PXSACT;
	case SCR_NOTIFICATION:
		if (ahcif_host(ap)->cap & AHCI_CAP_SSNTF)
			return AHCI_PXSNTF;
		fallthrough;
	default:
		return -EINVAL;
	}
}

static int scr_read(struct ata_link *link, unsigned int scr, u32 *val)
{
	int offset = scr_offset(link->ap, scr);

	if (offset < 0)
		return offset;
	*val = readl(ahcif_port(link->ap)->mmio + offset);
	return 0;
}

static int scr_write(struct ata_link *link, unsigned int scr, u32 val)
{
	int offset = scr_offset(link->ap, scr);

	if (offset < 0)
		return offset;
	writel(val, ahcif_port(link->ap)->mmio + offset);
	return 0;
}

/* --- Resets --- */

static int check_ready(struct ata_link *link)
{
	return ata_check_ready(task_file_status(ahcif_port(link->ap)));
}

static unsigned int classify(struct ata_port *ap)
{
	u32 sig = readl(ahcif_port(ap)->mmio + AHCI_PXSIG);
	struct ata_taskfile tf = {
		.nsect	= sig & 0xff,
		.lbal	= sig >> 8 & 0xff,
		.lbam	= sig >> 16 & 0xff,
		.lbah	= sig >> 24,
	};

	return ata_port_classify(ap, &tf);
}

/* Send a register FIS that is no command from slot 0 */
static void send_control_fis(struct ata_port *ap, struct ata_taskfile *tf, u32 opts)
{
	struct ahcif_port *pp = ahcif_port(ap);

	ata_tf_to_fis(tf, 0, 0, pp->tbl[0]->cfis);
	pp->hdr[0].opts = cpu_to_le32(FIELD_PREP(AHCI_HDR_CFL, 5) | opts);
	pp->hdr[0].prdbc = 0;
	writel(BIT(0), pp->mmio + AHCI_PXCI);
}

static unsigned long ms_left(unsigned long deadline)
{
	return time_before(jiffies, deadline) ?
	       jiffies_to_msecs(deadline - jiffies) : 0;
}

/* SRST up and down, 10.4.1. Null, or what went wrong. */
static const char *pulse_srst(struct ata_link *link, unsigned long deadline)
{
	struct ata_port *ap = link->ap;
	struct ahcif_port *pp = ahcif_port(ap);
	struct ata_taskfile tf;
	u32 ci;

	ata_tf_init(link->device, &tf);
	tf.ctl |= ATA_SRST;
	send_control_fis(ap, &tf, AHCI_HDR_R | AHCI_HDR_C);
	if (readl_poll_timeout(pp->mmio + AHCI_PXCI, ci, !(ci & BIT(0)),
			       ENGINE_POLL_US,
			       max(ms_left(deadline), 1UL) * USEC_PER_MSEC)) {
		ahcif_port_kick(ap);
		return "1st FIS failed";
	}

	ata_msleep(ap, 1);	/* at least 5 us */

	tf.ctl &= ~ATA_SRST;
	send_control_fis(ap, &tf, 0);
	readl(pp->mmio + AHCI_PXCI);	/* flush */
	return NULL;
}

static int port_softreset(struct ata_link *link, unsigned int *class,
			  unsigned long deadline)
{
	struct ata_port *ap = link->ap;
	const char *reason;
	int rc;

	rc = ahcif_port_kick(ap);
	if (rc) {
		ata_link_err(link, "softreset failed (%s)\n",
			     rc == -EOPNOTSUPP ? "device busy" : "engine stuck");
		return -EIO;
	}

	reason = pulse_srst(link, deadline);
	if (reason) {
		rc = -EIO;
		goto fail;
	}

	rc = ata_wait_after_reset(link, deadline, check_ready);
	if (rc == -EBUSY && ahcif_host(ap)->quirks & AHCIF_SRST_OFFLINE) {
		ata_link_info(link, "device not ready, treating as offline\n");
		*class = ATA_DEV_NONE;
		return 0;
	}
	if (rc) {
		reason = "device not ready";
		goto fail;
	}
	*class = classify(ap);
	return 0;
fail:
	ata_link_err(link, "softreset failed (%s)\n", reason);
	return rc;
}

/**
 * ahcif_port_comreset - reset the link
 * @link: the host's link
 * @class: what is there afterwards
 * @deadline: in jiffies
 * @wait: wait until the device is ready (neither BSY nor DRQ)
 * @online: set if the link came up
 *
 * The received FIS area is made to say BSY first, so that nothing old is
 * taken for the signature FIS that ends the reset (10.4.2).
 *
 * Context: error handling, may sleep.
 * Return: 0, -EAGAIN to ask for a soft reset, or a negative error
 */
int ahcif_port_comreset(struct ata_link *link, unsigned int *class,
			unsigned long deadline, bool wait, bool *online)
{
	AHCIF_DEB_TIMING *timing = sata_ehc_deb_timing(&link->eh_context);
	struct ata_port *ap = link->ap;
	struct ahcif_port *pp = ahcif_port(ap);
	struct ata_taskfile tf;
	int rc;

	*online = false;
	rc = stop_engine(pp);
	if (rc == -ENODEV)
		return rc;

	ata_tf_init(link->device, &tf);
	tf.status = ATA_BUSY;
	ata_tf_to_fis(&tf, 0, 0, pp->rx->rfis);
	clear_interrupts(ahcif_host(ap), ap->port_no);

	rc = sata_link_hardreset(link, timing, deadline, online,
				 wait ? check_ready : NULL);
	start_engine(ap);
	if (*online)
		*class = classify(ap);
	return rc;
}

/**
 * ahcif_port_hardreset - the hard reset of boards without one of their own
 * @link: the host's link
 * @class: what is there afterwards
 * @deadline: in jiffies
 *
 * Context: error handling, may sleep.
 * Return: as ahcif_port_comreset()
 */
int ahcif_port_hardreset(struct ata_link *link, unsigned int *class,
			 unsigned long deadline)
{
	bool srst = ahcif_host(link->ap)->quirks & AHCIF_HRST_WANTS_SRST;
	bool online;
	int rc;

	rc = ahcif_port_comreset(link, class, deadline, !srst, &online);
	return srst && online ? -EAGAIN : rc;
}

static int hardreset(struct ata_link *link, unsigned int *class,
		     unsigned long deadline)
{
	const struct ahcif_glue *glue = ahcif_host(link->ap)->glue;

	if (glue && glue->hardreset)
		return glue->hardreset(link, class, deadline);
	return ahcif_port_hardreset(link, class, deadline);
}

/* PxCMD.ATAPI drives the activity LED only, 3.3.7, but is to say the truth */
static void postreset(struct ata_link *link, unsigned int *class)
{
	struct ahcif_port *pp = ahcif_port(link->ap);
	u32 cmd = readl(pp->mmio + AHCI_PXCMD);
	u32 want = cmd & ~AHCI_PXCMD_ATAPI;

	ata_std_postreset(link, class);

	if (*class == ATA_DEV_ATAPI)
		want |= AHCI_PXCMD_ATAPI;
	if (want != cmd)
		writel(want, pp->mmio + AHCI_PXCMD);
}

/* --- Memory --- */

static void set_table(struct ahcif_port *pp, unsigned int slot,
		      struct ahci_cmd_tbl *tbl, dma_addr_t dma)
{
	pp->tbl[slot] = tbl;
	pp->hdr[slot].ctba = cpu_to_le32(lower_32_bits(dma));
	pp->hdr[slot].ctbau = cpu_to_le32(upper_32_bits(dma));
}

/* Back to the small table that every port has: it serves one command at a time, of any slot */
static void set_small_table(struct ahcif_port *pp)
{
	unsigned int i;

	for (i = 0; i < AHCI_MAX_SLOTS; i++)
		set_table(pp, i, &pp->page->tbl,
			  pp->page_dma + offsetof(struct ahcif_port_page, tbl));
	pp->max_prds = AHCIF_SMALL_PRDS;
}

static void free_tables(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);
	unsigned int i;

	for (i = 0; i < pp->tables; i++)
		dma_free_attrs(ap->dev, pp->tbl_bytes, pp->tbl[i],
			       pp->tbl_dma[i], DMA_ATTR_FORCE_CONTIGUOUS);
	pp->tables = 0;
	set_small_table(pp);
}

/*
 * A table of @prds for each of @n slots; a single one serves all of them. Each
 * begins on a page and is one piece of memory behind an IOMMU, too, where
 * coherent memory may otherwise be scattered pages: such a table is several
 * mappings, and QEMU uses the first of them only.
 */
static int alloc_tables(struct ata_port *ap, unsigned int n, unsigned int prds)
{
	struct ahcif_port *pp = ahcif_port(ap);
	gfp_t gfp = GFP_NOIO | __GFP_NOWARN;
	struct ahci_cmd_tbl *tbl;
	unsigned int i;

	if (ahcif_fault(AHCIF_FAULT_TABLE))
		return -ENOMEM;

	pp->tbl_bytes = PAGE_ALIGN(struct_size(tbl, prd, prds));
	/* There is something smaller to try, so nobody is to wait for memory */
	if (pp->tbl_bytes > PAGE_SIZE)
		gfp |= __GFP_NORETRY;
	for (i = 0; i < n; i++) {
		tbl = dma_alloc_attrs(ap->dev, pp->tbl_bytes, &pp->tbl_dma[i],
				      gfp, DMA_ATTR_FORCE_CONTIGUOUS);
		if (!tbl) {
			free_tables(ap);
			return -ENOMEM;
		}
		set_table(pp, i, tbl, pp->tbl_dma[i]);
		pp->tables++;
	}
	for (; i < AHCI_MAX_SLOTS; i++)
		set_table(pp, i, pp->tbl[0], pp->tbl_dma[0]);
	pp->max_prds = prds;
	return 0;
}

/* Tables as long as asked for, or as memory has */
static int make_tables(struct ata_port *ap, unsigned int n)
{
	unsigned int prds = ahcif_max_prds;
	unsigned int pages = PAGE_ALIGN(prds * sizeof(struct ahci_prd)) / PAGE_SIZE;

	while (alloc_tables(ap, n, prds)) {
		if (pages <= 1)
			return -ENOMEM;
		pages /= 2;
		prds = min_t(unsigned int, prds, PRDS_OF_PAGES(pages));
	}
	if (prds < ahcif_max_prds)
		ata_port_warn(ap, "memory is short: %u PRDs a command, not %u\n",
			      prds, ahcif_max_prds);
	return 0;
}

/*
 * Queued commands need a table for each slot, others run one at a time. Where
 * there is no memory for that, the small table must do, without a queue. An
 * ATAPI device never needs more than that one. A disk the SCSI layer knows keeps
 * what it has: its queue was made for that.
 */
static void provide_tables(struct ata_device *dev)
{
	struct ata_port *ap = dev->link->ap;
	bool queued = dev->flags & ATA_DFLAG_NCQ;
	unsigned int n = queued ? ahcif_host(ap)->slots : 1;

	if (dev->class == ATA_DEV_ATAPI || ahcif_port(ap)->tables >= n)
		return;
	if (dev->sdev && !(dev->flags & ATA_DFLAG_DETACHED)) {
		dev->flags &= ~ATA_DFLAG_NCQ;
		return;
	}

	free_tables(ap);
	if (!make_tables(ap, n))
		return;
	dev->flags &= ~ATA_DFLAG_NCQ;
	ata_port_warn(ap, "memory is short: %zu PRDs a command, not %u%s\n",
		      AHCIF_SMALL_PRDS, ahcif_max_prds,
		      queued ? ", and no queueing" : "");
}

/* --- Freeze, thaw, errors --- */

/* No more interrupts; what was not rung will not be. Under ap->lock. */
static void freeze(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);

	writel(0, pp->mmio + AHCI_PXIE);
	pp->unrung = 0;
	pp->stats.freezes++;
}

static void thaw(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);
	u32 pxis = readl(pp->mmio + AHCI_PXIS);

	writel(pxis, pp->mmio + AHCI_PXIS);
	writel(BIT(ap->port_no), ahcif_host(ap)->mmio + AHCI_IS);
	writel(AHCIF_PXIE, pp->mmio + AHCI_PXIE);
}

/**
 * struct port_error - what bits of PxIS mean, 3.3.5 and 6.1
 * @bits: any of these
 * @err_mask: AC_ERR_*
 * @action: ATA_EH_*
 * @freeze: nothing the port says from here on can be trusted
 * @hotplug: the link went or came
 * @text: for the log
 */
struct port_error {
	u32		bits;
	unsigned int	err_mask;
	unsigned int	action;
	bool		freeze;
	bool		hotplug;
	const char	*text;
};

static const struct port_error port_errors[] = {
	{ .bits = AHCI_PXI_UFS, .err_mask = AC_ERR_HSM,
	  .action = ATA_EH_RESET, .freeze = true, .text = "unknown FIS" },
	{ .bits = AHCI_PXI_OFS, .err_mask = AC_ERR_HSM,
	  .action = ATA_EH_RESET, .freeze = true, .text = "overflow" },
	{ .bits = AHCI_PXI_HBFS, .err_mask = AC_ERR_HOST_BUS,
	  .action = ATA_EH_RESET, .freeze = true, .text = "host bus error" },
	{ .bits = AHCI_PXI_HBDS, .err_mask = AC_ERR_HOST_BUS,
	  .action = ATA_EH_RESET, .text = "host bus error" },
	{ .bits = AHCI_PXI_IFS, .err_mask = AC_ERR_ATA_BUS,
	  .action = ATA_EH_RESET, .freeze = true,
	  .text = "interface fatal error" },
	{ .bits = AHCI_PXI_PCS, .freeze = true, .hotplug = true,
	  .text = "connection status changed" },
	{ .bits = AHCI_PXI_PRCS, .freeze = true, .hotplug = true,
	  .text = "PHY RDY changed" },
};

/*
 * A task file error belongs to the command that is alone. With several, the
 * device knows which it was: libata asks it (log 10h).
 */
static void charge_device_error(struct ata_port *ap)
{
	struct ata_queued_cmd *qc = ata_qc_from_tag(ap, ap->link.active_tag);

	if (qc)
		qc->err_mask |= AC_ERR_DEV;
	else
		ap->link.eh_info.err_mask |= AC_ERR_DEV;

	if (ahcif_host(ap)->quirks & AHCIF_IGN_SERR_INTERNAL)
		ap->link.eh_info.serror &= ~SERR_INTERNAL;
}

/* Enter what PxIS says into libata's books. True if the port is to freeze. */
static bool decode_errors(struct ata_port *ap, u32 pxis)
{
	struct ata_eh_info *ehi = &ap->link.eh_info;
	const struct port_error *e;
	bool freeze = false;

	for (e = port_errors; e < port_errors + ARRAY_SIZE(port_errors); e++) {
		if (!(pxis & e->bits))
			continue;
		ehi->err_mask |= e->err_mask;
		ehi->action |= e->action;
		if (e->hotplug)
			ata_ehi_hotplugged(ehi);
		ata_ehi_push_desc(ehi, "%s", e->text);
		freeze |= e->freeze;
	}
	return freeze;
}

/**
 * ahcif_port_error - hand an error to libata
 * @ap: the port
 * @pxis: PxIS, with bits of AHCIF_PXI_ERRORS
 *
 * Every active command becomes libata's to retry or to fail, so what is still
 * unrung is forgotten here: it must not reach the device any more.
 *
 * Context: interrupt, ap->lock held.
 */
void ahcif_port_error(struct ata_port *ap, u32 pxis)
{
	struct ata_eh_info *ehi = &ap->link.eh_info;
	struct ahcif_port *pp = ahcif_port(ap);
	u32 serr = readl(pp->mmio + AHCI_PXSERR);

	pp->unrung = 0;
	ata_ehi_clear_desc(ehi);
	ata_ehi_push_desc(ehi, "irq_stat 0x%08x", pxis);

	/* A port whose SError stands may not go on, 6.2.2 */
	writel(serr, pp->mmio + AHCI_PXSERR);
	ehi->serror |= serr;

	if (ahcif_host(ap)->quirks & AHCIF_IGN_IFS)
		pxis &= ~AHCI_PXI_IFS;
	if (pxis & AHCI_PXI_TFES)
		charge_device_error(ap);

	if (decode_errors(ap, pxis))
		ata_port_freeze(ap);
	else
		ata_port_abort(ap);
}

/*
 * The only port with a device, if there is just one. Ports are looked at side
 * by side; under the host's lock the last to finish sees all.
 */
static void find_sole_port(struct ahcif_host *h)
{
	unsigned long flags;
	unsigned int i;
	int sole = -1;

	spin_lock_irqsave(&h->ata->lock, flags);
	for (i = 0; i < h->ata->n_ports; i++) {
		if (ata_dev_absent(h->ata->ports[i]->link.device))
			continue;
		if (sole >= 0) {
			sole = -1;
			break;
		}
		sole = i;
	}
	WRITE_ONCE(h->sole, sole);
	spin_unlock_irqrestore(&h->ata->lock, flags);
}

static void error_handler(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);

	/* Restart the list: the device waits, PxSACT and PxCI must go, 6.2.2 */
	if (!ahcif_frozen(ap) && (stop_engine(pp) || start_engine(ap)))
		ap->link.eh_context.i.action |= ATA_EH_RESET;

	ata_std_error_handler(ap);

	/* An empty port needs no tables; the controller must be done with them */
	if (!ata_dev_enabled(ap->link.device) && !stop_engine(pp))
		free_tables(ap);
	find_sole_port(ahcif_host(ap));
}

/* No request of the block layer runs on a port's devices, or starts */
static void hold_requests(struct ata_port *ap)
{
	struct scsi_device *sdev;

	shost_for_each_device(sdev, ap->scsi_host)
		blk_mq_freeze_queue(sdev->request_queue);
}

static void schedule_eh(struct ata_port *ap)
{
	unsigned long flags;

	spin_lock_irqsave(ap->lock, flags);
	ata_port_schedule_eh(ap);
	spin_unlock_irqrestore(ap->lock, flags);
}

static void release_requests(struct ata_port *ap)
{
	struct scsi_device *sdev;

	shost_for_each_device(sdev, ap->scsi_host)
		blk_mq_unfreeze_queue(sdev->request_queue);
}

/**
 * ahcif_port_restart - stop and start a port's command list between requests
 * @ap: a port in use
 *
 * For what the controller takes in at a start only (@before_start of the glue).
 * The requests that run end first, however long they take, and those that come
 * wait: none fails. Error handling does the rest, as it does with nothing to
 * do: it restarts the list. Without a device the list does not run, and the
 * next start will do.
 *
 * No disk comes or goes while its requests are held, so that the same are let
 * go (scan_mutex), and no memory is asked of a disk that is held (noio).
 *
 * Context: process context, may sleep as long as a request takes.
 */
void ahcif_port_restart(struct ata_port *ap)
{
	unsigned int noio = memalloc_noio_save();

	mutex_lock(&ap->scsi_host->scan_mutex);
	/* In error handling a device may be there that is not known yet */
	ata_port_wait_eh(ap);
	if (!ata_dev_absent(ap->link.device)) {
		hold_requests(ap);
		schedule_eh(ap);
		ata_port_wait_eh(ap);
		release_requests(ap);
	}
	mutex_unlock(&ap->scsi_host->scan_mutex);
	memalloc_noio_restore(noio);
}
EXPORT_SYMBOL_GPL(ahcif_port_restart);

static void post_internal_cmd(struct ata_queued_cmd *qc)
{
	if (qc->flags & AHCIF_QCFLAG_EH)
		ahcif_port_kick(qc->ap);
}

/* --- Results --- */

/*
 * An error in a set device bits FIS is one command's of all those in flight,
 * and the FIS does not say whose: the log does (10h), and libata puts into the
 * result of that command what it reads there. On kernels before 6.3 an error left
 * in the result of the others would fail them as well.
 */
static void tf_from_sdb(const struct ahci_rx_fis *rx, struct ata_taskfile *tf)
{
	tf->status = rx->sdbfis[2] & ~ATA_ERR;
	tf->error = 0;
}

/*
 * What the device said at the end of a command. A PIO read ends with its PIO
 * setup FIS, whose E_Status is byte 15; an NCQ command with a set device bits
 * FIS; all others with a register FIS.
 */
static AHCIF_RTF_RETURN qc_fill_rtf(struct ata_queued_cmd *qc)
{
	const struct ahci_rx_fis *rx = ahcif_port(qc->ap)->rx;

	if (qc->tf.protocol == ATA_PROT_PIO && qc->dma_dir == DMA_FROM_DEVICE &&
	    !(qc->flags & AHCIF_QCFLAG_EH)) {
		ata_tf_from_fis(rx->psfis, &qc->result_tf);
		qc->result_tf.status = rx->psfis[15];
	} else if (ata_is_ncq(qc->tf.protocol)) {
		tf_from_sdb(rx, &qc->result_tf);
	} else {
		ata_tf_from_fis(rx->rfis, &qc->result_tf);
	}
	return AHCIF_RTF_DONE;
}

#ifdef HAVE_QC_NCQ_FILL_RTF
/*
 * Commands with a duration limit say in the status of the FIS that ended them
 * whether they met it: keep it before another FIS comes. Others need none.
 */
static void qc_ncq_fill_rtf(struct ata_port *ap, u64 done)
{
	unsigned long slots = done;
	struct ata_queued_cmd *qc;
	unsigned int tag;

	if (likely(!(ap->link.device->flags & ATA_DFLAG_CDL_ENABLED)) ||
	    !ap->link.sactive)
		return;

	for_each_set_bit(tag, &slots, ATA_MAX_QUEUE) {
		qc = ata_qc_from_tag(ap, tag);
		if (!qc || !ata_is_ncq(qc->tf.protocol))
			continue;
		tf_from_sdb(ahcif_port(ap)->rx, &qc->result_tf);
		qc->result_tf.flags = qc->tf.flags;
		qc->flags |= ATA_QCFLAG_RTF_FILLED;
	}
}
#endif

/* --- The device's limits --- */

/*
 * libata takes a disk whose IDENTIFY word 93 is not 0 for a PATA disk behind a
 * bridge and holds it at 256 sectors. NCQ is Serial ATA's own, no PATA disk
 * offers it; QEMU's disk is one that is taken wrongly.
 */
static void lift_bridge_limit(struct ata_device *dev)
{
	if (dev->class != ATA_DEV_ATA || dev->max_sectors != ATA_MAX_SECTORS ||
	    !(dev->flags & ATA_DFLAG_LBA48) || ata_id_is_sata(dev->id) ||
	    !ata_id_has_ncq(dev->id) ||
	    ahcif_dev_quirks(dev) & AHCIF_DEV_BRIDGE_OK)
		return;

	dev->max_sectors = ahcif_dev_quirks(dev) & AHCIF_DEV_MAX_SEC_1024 ?
			   ATA_MAX_SECTORS_1024 : ATA_MAX_SECTORS_LBA48;
}

/*
 * Disks that time out on the requests this driver makes by default, where the
 * kernel's list does not have them yet: 4 MiB and more hang their firmware
 * (mainline's ATA_QUIRK_MAX_SEC entries). They get one sector less.
 */
static const struct {
	const char	*model;
	const char	*revision;
	unsigned int	sectors;
} disk_limits[] = {
	{ "INTEL SSDSC2KG480G8", "XCV10120", 8191 },
	{ "DELLBOSS VD", "MV.R00-0", 8191 },
};

static void apply_disk_limits(struct ata_device *dev)
{
	unsigned char model[ATA_ID_PROD_LEN + 1];
	unsigned char revision[ATA_ID_FW_REV_LEN + 1];
	unsigned int i;

	ata_id_c_string(dev->id, model, ATA_ID_PROD, sizeof(model));
	ata_id_c_string(dev->id, revision, ATA_ID_FW_REV, sizeof(revision));

	for (i = 0; i < ARRAY_SIZE(disk_limits); i++)
		if (!strcmp(model, disk_limits[i].model) &&
		    !strcmp(revision, disk_limits[i].revision))
			dev->max_sectors = min(dev->max_sectors,
					       disk_limits[i].sectors);
}

/* Called when a device is found or found again; the port is libata's alone */
static void dev_config(struct ata_device *dev)
{
	u32 quirks = ahcif_host(dev->link->ap)->quirks;

	lift_bridge_limit(dev);
	apply_disk_limits(dev);
	if (quirks & AHCIF_SECT255)
		dev->max_sectors = min(dev->max_sectors, 255U);
	if (dev->class == ATA_DEV_ATAPI && quirks & AHCIF_ATAPI_DMA)
		ahcif_dev_quirks(dev) |= AHCIF_DEV_ATAPI_MOD16_DMA;

	provide_tables(dev);
}

/**
 * ahcif_port_configure - set the limits of a SCSI device
 * @sdev: the device
 * @lim: the limits of its queue
 *
 * Context: the SCSI layer's scan.
 * Return: 0 or libata's error
 */
int ahcif_port_configure(struct scsi_device *sdev, struct queue_limits *lim)
{
	struct ata_port *ap = ata_shost_to_port(sdev->host);
	struct ahcif_port *pp = ahcif_port(ap);
	int rc = ahcif_libata_configure(sdev, lim);
	unsigned int prds;

	if (rc || !pp)
		return rc;

	/* libata appends a drain buffer to what an ATAPI device sends */
	prds = pp->max_prds - (sdev->dma_drain_len ? 1 : 0);
	lim->max_segments = min_t(unsigned int, lim->max_segments, prds);

	if (max_request_kb && ap->link.device->class != ATA_DEV_ATAPI) {
		ahcif_limit_request(lim, max_request_kb * 2);
		pp->limits_wait = AHCIF_LIMITS_LATE;
	}
	return 0;
}

/**
 * ahcif_port_limits_late - put the size of a request in force, older kernels
 * @ap: the port
 * @cmd: a command that comes by
 *
 * See compat.h. Commands of the SCSI layer's own come before sd has set the
 * limits and are let pass.
 *
 * Context: any, no lock held.
 */
void ahcif_port_limits_late(struct ata_port *ap, struct scsi_cmnd *cmd)
{
	if (blk_rq_is_passthrough(scsi_cmd_to_rq(cmd)))
		return;

	ahcif_port(ap)->limits_wait = false;
	if (max_request_kb)
		ahcif_limits_late(cmd, max_request_kb * 2);
}

/* --- Start and stop --- */

static int port_resume(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);

	power_up(ap);
	start_fis_rx(pp);
	/* Without a device, or with a busy one: a reset starts it later */
	start_engine(ap);
	return 0;
}

#ifdef CONFIG_PM
static int port_suspend(struct ata_port *ap, pm_message_t mesg)
{
	int rc = ahcif_port_quiesce(ahcif_host(ap), ap->port_no);

	if (rc) {
		ata_port_err(ap, "engine does not stop (%d)\n", rc);
		ata_port_freeze(ap);
		return rc;
	}
	power_down(ap);
	return 0;
}
#endif

static int port_start(struct ata_port *ap)
{
	struct ahcif_host *h = ahcif_host(ap);
	struct ahcif_port *pp;

	pp = devm_kzalloc(ap->dev, sizeof(*pp), GFP_KERNEL);
	if (!pp)
		return -ENOMEM;

	pp->page = dma_alloc_coherent(ap->dev, SZ_4K, &pp->page_dma, GFP_KERNEL);
	if (!pp->page)
		return -ENOMEM;

	spin_lock_init(&pp->lock);
	timer_setup(&pp->net, ahcif_net_timer, 0);
	pp->mmio = ahcif_port_mmio(h, ap->port_no);
	pp->hdr = pp->page->hdr;
	pp->rx = &pp->page->rx;
	pp->lean = ahcif_lean_allowed(h);
	set_small_table(pp);

	ap->lock = &pp->lock;
	ap->private_data = pp;
	return port_resume(ap);
}

/**
 * ahcif_port_halt - stop a port for good, keep its memory
 * @ap: a port in use
 *
 * For shutdown: nothing of the port is to move from here on, but whoever
 * still holds it may look at it.
 *
 * Context: may sleep.
 */
void ahcif_port_halt(struct ata_port *ap)
{
	unsigned long flags;

	spin_lock_irqsave(ap->lock, flags);
	ap->pflags |= ATA_PFLAG_FROZEN;
	freeze(ap);
	spin_unlock_irqrestore(ap->lock, flags);

	ahcif_port_quiesce(ahcif_host(ap), ap->port_no);
}

static void port_stop(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);
	int rc;

	timer_delete_sync(&pp->net);
	rc = ahcif_port_quiesce(ahcif_host(ap), ap->port_no);

	/* Memory the controller may still write to is not given back */
	if (rc == -EIO) {
		ata_port_err(ap, "engine does not stop, its memory is lost\n");
		return;
	}
	free_tables(ap);
	dma_free_coherent(ap->dev, SZ_4K, pp->page, pp->page_dma);
}

struct ata_port_operations ahcif_port_ops = {
	.inherits		= &sata_port_ops,

	.qc_prep		= ahcif_qc_prep,
	.qc_issue		= ahcif_qc_issue,
	.qc_fill_rtf		= qc_fill_rtf,
#ifdef HAVE_QC_NCQ_FILL_RTF
	.qc_ncq_fill_rtf	= qc_ncq_fill_rtf,
#endif

	.dev_config		= dev_config,

	.freeze			= freeze,
	.thaw			= thaw,
	.softreset		= port_softreset,
	.hardreset		= hardreset,
	.postreset		= postreset,
	.error_handler		= error_handler,
	.post_internal_cmd	= post_internal_cmd,

	.scr_read		= scr_read,
	.scr_write		= scr_write,

#ifdef CONFIG_PM
	.port_suspend		= port_suspend,
	.port_resume		= port_resume,
#endif
	.port_start		= port_start,
	.port_stop		= port_stop,
};

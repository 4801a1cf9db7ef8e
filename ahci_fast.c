// SPDX-License-Identifier: GPL-2.0
/*
 * The command engine: from libata's command to the doorbell, from the
 * interrupt back to libata. The only hot code of the driver.
 *
 * A doorbell is two register writes however many commands it starts, so
 * commands of one batch of the block layer share one. Until it is rung, libata
 * holds commands active which the controller does not know: the "unrung" mask.
 * Every rule about it stands where it is kept: see ring(), ahcif_qc_issue(),
 * active_slots() and ahcif_port_freeze().
 */
#include <linux/module.h>
#include <linux/scatterlist.h>

#include "ahci_fast.h"

unsigned int ahcif_max_prds = 1016;
AHCIF_PARAM(max_prds, ahcif_max_prds, AHCIF_MIN_PRDS, AHCIF_MAX_PRDS, 0444,
	    "pieces of memory (PRDs) a command may have");

static unsigned int batch = 16;
AHCIF_PARAM(batch, batch, 0, AHCI_MAX_SLOTS, 0644,
	    "commands of a batch that ring the doorbell before its end; 0 rings for each command");

static unsigned int lean_irq = 1;
AHCIF_PARAM(lean_irq, lean_irq, 0, 1, 0444,
	    "interrupts of plain NCQ disks without reading PxIS");

/* At least one whole tick */
#define NET_TICKS	2

/* Interrupts that say no more than "look at PxSACT" on an NCQ disk */
#define PXI_BENIGN	(AHCI_PXI_DHRS | AHCI_PXI_PSS | AHCI_PXI_DSS | \
			 AHCI_PXI_SDBS | AHCI_PXI_DPS)

/**
 * ahcif_lean_allowed - whether ports of a host may use the lean interrupt path
 * @h: the host
 *
 * Return: true unless the parameter or the board forbids it.
 */
bool ahcif_lean_allowed(const struct ahcif_host *h)
{
	return lean_irq && !(h->quirks & AHCIF_IS_ODD);
}

/*
 * Tell the controller of all that is unrung. PxSACT comes before PxCI (5.5.1);
 * writel() also orders the command tables before the first of them, and the
 * two writes go to one device, so the second needs no barrier of its own.
 */
static void ring(struct ahcif_port *pp)
{
	void __iomem *mmio = pp->mmio;
	u32 slots = pp->unrung;

	if (ahcif_fault(AHCIF_FAULT_RING))
		return;

	pp->unrung = 0;
	pp->stats.rings++;
	writel(slots, mmio + AHCI_PXSACT);
	writel_relaxed(slots, mmio + AHCI_PXCI);
}

/*
 * sg_next() without a call for each, and without looking for the end. The
 * barrier keeps the rare case a branch: gcc would take it in every step, as
 * conditional moves.
 */
static struct scatterlist *next_segment(struct scatterlist *sg)
{
	sg++;
	if (unlikely(sg_is_chain(sg))) {
		barrier();
		sg = sg_chain_ptr(sg);
	}
	return sg;
}

/*
 * Describe the data of a command: one PRD for each mapped segment. The block
 * layer and the DMA mapping keep segments even and within AHCI_PRD_MAX_BYTES;
 * should one ever not be, the controller would take it for a shorter one and
 * say nothing.
 *
 * Return: bytes described, 0 if a segment cannot be
 */
static u64 fill_prds(struct ata_queued_cmd *qc, struct ahci_prd *prd)
{
	const struct ahci_prd *end = prd + qc->n_elem;
	struct scatterlist *sg = qc->sg;
	u32 any_addr = 0, any_dbc = 0, every_dbc = ~0;
	u64 bytes = 0;

	for (;;) {
		dma_addr_t addr = sg_dma_address(sg);
		u32 len = sg_dma_len(sg);
		u32 dbc = len - 1;

		prd->dba = cpu_to_le64(addr);
		prd->dbc = cpu_to_le32(dbc);
		any_addr |= (u32)addr;
		any_dbc |= dbc;
		every_dbc &= dbc;
		bytes += len;
		if (++prd >= end)
			break;
		sg = next_segment(sg);
	}
	if (qc->scsicmd && ahcif_fault(AHCIF_FAULT_PRD)) {
		le32_add_cpu(&prd[-1].dbc, -ATA_SECT_SIZE);
		bytes -= ATA_SECT_SIZE;
	}
	if (unlikely(any_dbc >= AHCI_PRD_MAX_BYTES || any_addr & 1 ||
		     !(every_dbc & 1)))
		return 0;
	return bytes;
}

static void write_fis(struct ata_queued_cmd *qc, struct ahci_cmd_tbl *tbl)
{
	ata_tf_to_fis(&qc->tf, qc->dev->link->pmp, 1, tbl->cfis);
}

/* What an ATAPI command has besides. Apart, as it would cost all others. */
static noinline void write_atapi(struct ata_queued_cmd *qc, struct ahci_cmd_tbl *tbl,
				 struct ahci_cmd_hdr *hdr)
{
	memset(tbl->acmd, 0, sizeof(tbl->acmd));
	memcpy(tbl->acmd, qc->cdb, qc->dev->cdb_len);
	hdr->opts |= cpu_to_le32(AHCI_HDR_A | AHCI_HDR_P);
	write_fis(qc, tbl);
}

/**
 * ahcif_qc_prep - write a command's FIS, PRDs and header
 * @qc: the command
 *
 * The FIS comes last, so that nothing is to be kept over that call.
 *
 * Context: ap->lock held. Called by libata before ahcif_qc_issue().
 * Return: AC_ERR_OK, or AC_ERR_SYSTEM when the PRDs do not hold all bytes of
 * the command: a table that falls short makes the controller drop data
 * (PxIS.OFS, 3.3.5), so such a command is not let out. A table that is longer
 * than the command is harmless: the device ends the transfer.
 */
enum ata_completion_errors ahcif_qc_prep(struct ata_queued_cmd *qc)
{
	struct ahcif_port *pp = ahcif_port(qc->ap);
	struct ahci_cmd_tbl *tbl = pp->tbl[qc->hw_tag];
	struct ahci_cmd_hdr *hdr = &pp->hdr[qc->hw_tag];
	u32 opts = FIELD_PREP(AHCI_HDR_CFL, 5);

	if (qc->flags & ATA_QCFLAG_DMAMAP) {
		if (unlikely(qc->n_elem > pp->max_prds ||
			     fill_prds(qc, tbl->prd) < qc->nbytes)) {
			pp->stats.bad_prds++;
			return AC_ERR_SYSTEM;
		}
		opts |= FIELD_PREP(AHCI_HDR_PRDTL, qc->n_elem);
		pp->stats.prds += qc->n_elem;
	}

	if (qc->tf.flags & ATA_TFLAG_WRITE)
		opts |= AHCI_HDR_W;

	hdr->opts = cpu_to_le32(opts);
	hdr->prdbc = 0;

	if (unlikely(ata_is_atapi(qc->tf.protocol)))
		write_atapi(qc, tbl, hdr);
	else
		write_fis(qc, tbl);
	return AC_ERR_OK;
}

/**
 * ahcif_qc_issue - hand a command to the controller, now or with its batch
 * @qc: the command
 *
 * The doorbell may wait only while ahcif_queuecommand() is on the stack with a
 * command that has others behind it: the batch's last command or commit_rqs
 * rings for all. Whatever enters otherwise (error handling, libata's deferred
 * work) has no end of batch behind it and rings at once.
 *
 * What one doorbell starts, a controller may take in the order of the slots'
 * numbers, from the last one it took on and round again (5.3.2.12). The block
 * layer gives out tags in that order as well, to the requests as they are made:
 * so the order is kept even by kernels that issue a batch from its end (6.1).
 * Only with a full queue it passes over some tags whose release it has put off.
 *
 * Context: ap->lock held.
 * Return: 0
 */
unsigned int ahcif_qc_issue(struct ata_queued_cmd *qc)
{
	struct ahcif_port *pp = ahcif_port(qc->ap);

	pp->stats.commands++;
	if (unlikely(!ata_is_ncq(qc->tf.protocol))) {
		pp->stats.rings++;
		writel(BIT(qc->hw_tag), pp->mmio + AHCI_PXCI);
		return 0;
	}

	pp->unrung |= BIT(qc->hw_tag);
	if (!pp->batching || hweight32(pp->unrung) >= batch)
		ring(pp);
	return 0;
}

/*
 * The block layer promises an end to each batch, but the SCSI layer may answer
 * the last command before it reaches us (a device being deleted, a CDB too
 * long for the host), or a queue that is quiesced swallows it, and then there
 * is none. The net catches what is left. It is set once in a few ticks, not for
 * each batch, and never taken down: a pending timer costs a batch nothing.
 */
static void hang_net(struct ahcif_port *pp)
{
	if (timer_pending(&pp->net))
		return;
	pp->net_rings = pp->stats.rings;
	mod_timer(&pp->net, jiffies + NET_TICKS);
}

/**
 * ahcif_net_timer - ring what no end of a batch has rung
 * @timer: the net of a port
 *
 * Only what was there when the net was hung: if a doorbell rang since, this is
 * a later batch, perhaps just growing, and has the net's time to itself.
 *
 * Context: timer; takes ap->lock.
 */
void ahcif_net_timer(struct timer_list *timer)
{
	struct ahcif_port *pp = from_timer(pp, timer, net);
	unsigned long flags;

	spin_lock_irqsave(&pp->lock, flags);
	if (pp->unrung && pp->stats.rings == pp->net_rings) {
		pp->stats.late_rings += hweight32(pp->unrung);
		ring(pp);
	} else if (pp->unrung) {
		hang_net(pp);
	}
	spin_unlock_irqrestore(&pp->lock, flags);
}

/**
 * ahcif_queuecommand - take a command from the SCSI layer
 * @shost: the port's SCSI host
 * @cmd: the command
 *
 * Translation, mapping, issue and doorbell under one hold of the port's lock.
 * The flag that ends a batch is read before libata sees the command, which
 * may be finished and gone afterwards; and it is acted upon here, since the
 * last command need not reach ahcif_qc_issue(): libata may answer it itself,
 * refuse it or put it off. That is for the device right on the port; libata
 * has its own way to find others (behind a port multiplier).
 *
 * Context: any; takes ap->lock.
 * Return: 0 or SCSI_MLQUEUE_*
 */
int ahcif_queuecommand(struct Scsi_Host *shost, struct scsi_cmnd *cmd)
{
	struct ata_port *ap = ata_shost_to_port(shost);
	struct ahcif_port *pp = ahcif_port(ap);
	bool last = cmd->flags & SCMD_LAST && !ahcif_fault(AHCIF_FAULT_END);
	unsigned long flags;
	int rc;

	if (unlikely(cmd->device != READ_ONCE(ap->link.device->sdev)))
		return ata_scsi_queuecmd(shost, cmd);

	if (AHCIF_LIMITS_LATE && unlikely(pp->limits_wait))
		ahcif_port_limits_late(ap, cmd);

	spin_lock_irqsave(ap->lock, flags);
	pp->batching = !last;
	if (last && pp->unrung && ahcif_fault_answer(cmd))
		rc = 0;
	else
		rc = ata_sas_queuecmd(cmd, ap);
	pp->batching = false;
	if (pp->unrung) {
		if (last)
			ring(pp);
		else
			hang_net(pp);
	}
	spin_unlock_irqrestore(ap->lock, flags);
	return rc;
}

/**
 * ahcif_commit_rqs - the block layer's batch ended before its last command
 * @shost: the port's SCSI host
 * @hwq: hardware queue, always 0
 *
 * Context: any; takes ap->lock.
 */
void ahcif_commit_rqs(struct Scsi_Host *shost, u16 hwq)
{
	struct ata_port *ap = ata_shost_to_port(shost);
	struct ahcif_port *pp = ahcif_port(ap);
	unsigned long flags;

	if (!pp || ahcif_fault(AHCIF_FAULT_END))
		return;

	spin_lock_irqsave(ap->lock, flags);
	if (pp->unrung)
		ring(pp);
	spin_unlock_irqrestore(ap->lock, flags);
}

/*
 * What is still active: what the register says, and what it cannot know yet.
 * An unrung slot left out would look finished.
 */
static u32 active_slots(const struct ata_port *ap, const struct ahcif_port *pp)
{
	if (ap->link.sactive)
		return readl(pp->mmio + AHCI_PXSACT) | pp->unrung;
	return readl(pp->mmio + AHCI_PXCI);
}

/* Complete what is no longer active. True if anything was. */
static bool complete_slots(struct ata_port *ap, u32 active)
{
	struct ata_eh_info *ehi = &ap->link.eh_info;
	int done = ata_qc_complete_multiple(ap, active);

	if (unlikely(done < 0)) {
		ehi->err_mask |= AC_ERR_HSM;
		ehi->action |= ATA_EH_RESET;
		ata_port_freeze(ap);
	}
	return done > 0;
}

/*
 * The lean path: clear what an NCQ disk raises without reading it, then see
 * which slots are gone. One read, one write, and one more write of IS by the
 * caller.
 *
 * No completion is lost: PxIS is cleared before PxSACT is read, so a command
 * that ends after the read sets PxIS anew (3.3.5). No error is lost: only
 * benign bits are cleared, any other keeps IS.IPS set (3.1.3) and interrupts
 * again when IS is cleared (10.7.2); and when no slot is gone the full path
 * looks at once.
 *
 * Return: true if that settled the interrupt
 */
static __always_inline bool interrupt_lean(struct ata_port *ap, struct ahcif_port *pp)
{
	void __iomem *mmio = pp->mmio;
	u32 active;

	if (!pp->lean || !ap->link.sactive ||
	    (ap->pflags & (ATA_PFLAG_EH_PENDING | ATA_PFLAG_EH_IN_PROGRESS |
			   ATA_PFLAG_FROZEN)))
		return false;

	writel(PXI_BENIGN, mmio + AHCI_PXIS);
	ahcif_fault_gap();
	active = readl(mmio + AHCI_PXSACT) | pp->unrung;
	if (active == ap->qc_active)
		return false;

	pp->stats.irq_lean++;
	complete_slots(ap, active);
	return true;
}

/* An ATAPI device may send more than was asked for; the rest is dropped */
static u32 errors_in(const struct ata_port *ap, u32 pxis)
{
	u32 errors = pxis & AHCIF_PXI_ERRORS;

	if (ap->link.device->class == ATA_DEV_ATAPI)
		errors &= ~AHCI_PXI_OFS;
	return errors;
}

/*
 * Of queued commands only one has failed: those that ended before it are
 * completed, lest they be executed twice. Not where the link or the controller
 * is in doubt, for then PxSACT is as well.
 */
static void interrupt_error(struct ata_port *ap, struct ahcif_port *pp, u32 errors)
{
	if (errors == AHCI_PXI_TFES && ap->link.sactive)
		complete_slots(ap, active_slots(ap, pp));
	ahcif_port_error(ap, errors);
}

/* The full path: read PxIS, decode it */
static void interrupt_full(struct ata_port *ap, struct ahcif_port *pp)
{
	u32 pxis = readl(pp->mmio + AHCI_PXIS);
	u32 errors = errors_in(ap, pxis);

	writel(pxis, pp->mmio + AHCI_PXIS);
	ahcif_fault_gap();
	pp->stats.irq_full++;
	if (pxis & AHCI_PXI_OFS && pxis != AHCI_GONE)
		pp->stats.overflows++;

	if (unlikely(errors)) {
		interrupt_error(ap, pp, errors);
		return;
	}
	if (!complete_slots(ap, active_slots(ap, pp)))
		pp->stats.irq_idle++;
}

/* The command of a timer, if libata still has it in hand. Under ap->lock. */
static struct ata_queued_cmd *running(struct ata_port *ap, struct scsi_cmnd *cmd)
{
	struct ata_queued_cmd *qc = ata_qc_from_tag(ap, scsi_cmd_to_rq(cmd)->tag);

	return qc && qc->scsicmd == cmd ? qc : NULL;
}

/*
 * Look at a port whose interrupt may have been lost. All of IS is cleared, as a
 * controller may send its next message only when IS was 0. Not for boards whose
 * IS is odd: libata resets those ports. Under ap->lock.
 *
 * Return: true if that ended the command of a tag
 */
static bool look_again(struct ata_port *ap, struct ahcif_port *pp, unsigned int tag)
{
	struct ahcif_host *h = ap->host->private_data;

	if (h->quirks & AHCIF_IS_ODD)
		return false;

	interrupt_full(ap, pp);
	writel(h->port_map, h->mmio + AHCI_IS);
	/* One that failed stays active until error handling is done with it */
	if (ap->qc_active & BIT_ULL(tag))
		return false;

	pp->stats.lost_irqs++;
	dev_warn_ratelimited(ap->dev, "port %u: an interrupt was lost, found by a timer\n",
			     ap->port_no);
	return true;
}

/*
 * What a timer that ran out may mean short of a failure: the command was never
 * rung, or it is done and its interrupt was lost. Under ap->lock.
 *
 * Return: true if it was that, and then @action says what to do with the timer
 */
static bool rescue(struct ata_port *ap, struct scsi_cmnd *cmd, AHCIF_TIMER_ACTION *action)
{
	struct ahcif_port *pp = ahcif_port(ap);
	struct ata_queued_cmd *qc = running(ap, cmd);

	if (!pp || !qc || ahcif_frozen(ap))
		return false;

	if (pp->unrung & BIT(qc->hw_tag)) {
		pp->stats.rescues++;
		ring(pp);
		*action = AHCIF_TIMER_AGAIN;
		return true;
	}
	*action = AHCIF_TIMER_DONE;
	return look_again(ap, pp, qc->tag);
}

/**
 * ahcif_eh_timed_out - a command's timer ran out
 * @cmd: the command
 *
 * A command the controller was never told of has not failed: it is rung and
 * given its time once more. Neither has one whose interrupt was lost: it is
 * completed here.
 *
 * Context: process context; takes ap->lock.
 * Return: what to do with the timer
 */
AHCIF_TIMER_ACTION ahcif_eh_timed_out(struct scsi_cmnd *cmd)
{
	struct ata_port *ap = ata_shost_to_port(cmd->device->host);
	AHCIF_TIMER_ACTION action;
	unsigned long flags;
	bool rescued;

	spin_lock_irqsave(ap->lock, flags);
	rescued = rescue(ap, cmd, &action);
	spin_unlock_irqrestore(ap->lock, flags);

	return rescued ? action : ahcif_libata_timed_out(cmd);
}

/*
 * One port of those IS names. A frozen port's slots say nothing: its engine
 * may be stopped, which clears them, and commands that ended that way have not
 * been carried out. thaw() clears what is left here.
 */
static void port_interrupt(struct ata_port *ap)
{
	struct ahcif_port *pp = ahcif_port(ap);

	if (!pp)
		return;

	spin_lock(ap->lock);
	if (!ahcif_frozen(ap) && !interrupt_lean(ap, pp))
		interrupt_full(ap, pp);
	spin_unlock(ap->lock);
}

/*
 * With an interrupt of our own and one disk on the controller there is no
 * need to ask IS whose it is: nearly always it is that disk's. All of IS is
 * cleared. A port with something left sets its bit again, and as IS was 0 in
 * between, that is a new message even to controllers that send one only then.
 */
static bool sole_port_interrupt(struct ahcif_host *h)
{
	int n = h->irq_exclusive ? READ_ONCE(h->sole) : -1;
	struct ata_port *ap;
	bool settled;

	if (n < 0)
		return false;

	ap = h->ata->ports[n];
	spin_lock(ap->lock);
	settled = interrupt_lean(ap, ahcif_port(ap));
	spin_unlock(ap->lock);

	if (settled)
		writel(h->port_map, h->mmio + AHCI_IS);
	return settled;
}

/*
 * All ports that IS names. IS is cleared after PxIS: it is a latch of the
 * ports' levels, cleared first it would be set again at once (10.7.2). The
 * boards that want it the other way say so.
 */
static void named_ports_interrupt(struct ahcif_host *h, u32 is)
{
	unsigned long ports = is & h->port_map;
	unsigned int n;

	if (h->quirks & AHCIF_IS_BEFORE_PXIS)
		writel(is, h->mmio + AHCI_IS);

	for_each_set_bit(n, &ports, AHCI_MAX_PORTS)
		port_interrupt(h->ata->ports[n]);

	if (!(h->quirks & AHCIF_IS_BEFORE_PXIS))
		writel(is, h->mmio + AHCI_IS);
}

/* Apart from the lean path, whose way in is short without it */
static noinline irqreturn_t any_port_interrupt(struct ahcif_host *h)
{
	u32 is = readl(h->mmio + AHCI_IS);

	if (!is)
		return h->irq_exclusive ? IRQ_HANDLED : IRQ_NONE;

	do {
		named_ports_interrupt(h, is);
		if (likely(!(h->quirks & AHCIF_IS_DRAIN)))
			break;
		is = readl(h->mmio + AHCI_IS);
	} while (is && is != AHCI_GONE);

	return IRQ_HANDLED;
}

/**
 * ahcif_interrupt - the interrupt of a controller with one vector
 * @irq: its number
 * @data: libata's host
 *
 * Context: hard interrupt, or its thread; takes the ports' locks.
 * Return: IRQ_NONE if no port asked for it and the line is shared
 */
irqreturn_t ahcif_interrupt(int irq, void *data)
{
	struct ata_host *ata = data;
	struct ahcif_host *h = ata->private_data;

	if (ahcif_fault(AHCIF_FAULT_IRQ))
		return IRQ_HANDLED;
	if (likely(sole_port_interrupt(h)))
		return IRQ_HANDLED;
	return any_port_interrupt(h);
}

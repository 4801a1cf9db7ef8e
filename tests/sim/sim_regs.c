// SPDX-License-Identifier: GPL-2.0
/*
 * The registers: what reading and writing them does, and what the specification
 * forbids the driver to do. Numbers are its sections (AHCI 1.3.1).
 */
#include <linux/delay.h>
#include <linux/hardirq.h>
#include <linux/module.h>

#include "sim.h"

/* PxSCTL.DET is to stand at 1 for a millisecond, 10.4.2 */
#define COMRESET_US	1000

#define TFD_NOTHING	0x7f	/* no device, 3.3.8 */
#define TFD_READY	0x50	/* DRDY and DSC */
#define SIG_ATA		0x00000101

/* --- Interrupts --- */

/* PxIS as it reads: some bits stand for bits of PxSERR, 3.3.5 */
static u32 pxis(const struct sim_port *port)
{
	u32 is = port->is;

	if (port->serr & SERR_X)
		is |= IS_PCS;
	if (port->serr & SERR_N)
		is |= IS_PRCS;
	if (port->serr & SERR_F)
		is |= IS_UFS;
	return is;
}

/* IS.IPS is a latch of what PxIS and PxIE have in common, 3.1.3 */
static void latch(struct sim_port *port)
{
	struct sim_hba *hba = port->hba;
	u32 bit = BIT(port->no);

	if (!(pxis(port) & port->ie) || hba->is & bit)
		return;
	hba->is |= bit;
	sim_irq_update(hba, bit);
}

/* Set bits of PxIS. Under the host's lock. */
void sim_port_raise(struct sim_port *port, u32 bits)
{
	port->is |= bits & ~IS_READ_ONLY;
	latch(port);
}

static void write_pxis(struct sim_port *port, u32 value)
{
	struct sim_hba *hba = port->hba;

	if (in_hardirq()) {
		if (port->is_seq == hba->irq_seq)
			sim_breach(hba, "port %u: PxIS cleared after IS, 10.7.2", port->no);
		port->pxis_seq = hba->irq_seq;
	}
	if (value & port->is)
		hba->stuck = 0;
	port->is &= ~value;
}

static void write_is(struct sim_hba *hba, u32 value)
{
	unsigned long bits = value & hba->is;
	unsigned int i;

	hba->is &= ~value;
	for_each_set_bit(i, &bits, SIM_PORTS) {
		if (in_hardirq())
			hba->ports[i].is_seq = hba->irq_seq;
		/* What still stands is latched again */
		latch(&hba->ports[i]);
	}
}

/* --- Link --- */

static void forget_commands(struct sim_port *port)
{
	port->ci = 0;
	port->sact = 0;
	port->queued = 0;
	port->stopped = false;
	port->epoch++;
	port->cmd &= ~CMD_CCS;
}

/* The signature FIS after a reset. Without FIS receive it waits, 5.2.2.1 */
void sim_port_send_signature(struct sim_port *port)
{
	port->signature = false;
	port->tfd = TFD_READY;
	port->sig = SIG_ATA;
	sim_port_raise(port, IS_DHRS);
}

/* A device was found on the link. Under the host's lock. */
static void online(struct sim_port *port)
{
	port->ssts = SSTS_UP;
	port->tfd = TFD_BSY;
	port->signature = true;
	port->disk->in_reset = false;
	port->disk->log_valid = false;
	wake_up(&port->wait);
}

/* What happens to a disk from outside. Under the host's lock. */
void sim_port_plug(struct sim_port *port)
{
	online(port);
	port->serr |= SERR_N | SERR_X;
	latch(port);
}

void sim_port_unplug(struct sim_port *port)
{
	port->ssts = 0;
	port->tfd = TFD_NOTHING;
	port->epoch++;
	port->serr |= SERR_N;
	port->signature = false;
	latch(port);
}

static void comreset(struct sim_port *port)
{
	forget_commands(port);
	port->tfd = port->disk ? TFD_BSY : TFD_NOTHING;
	port->ssts = 0;
	port->sig = U32_MAX;
}

static void write_sctl(struct sim_port *port, u32 value)
{
	u32 was = FIELD_GET(SCTL_DET, port->sctl);
	u32 det = FIELD_GET(SCTL_DET, value);
	struct sim_hba *hba = port->hba;

	port->sctl = value & 0xfff;
	if (was == det)
		return;
	if (det == 1) {
		if (port->cmd & CMD_ST)
			sim_breach(hba, "port %u: COMRESET while ST is 1, 10.4.2", port->no);
		port->comreset = ktime_get();
		comreset(port);
	} else if (was == 1) {
		if (ktime_us_delta(ktime_get(), port->comreset) < COMRESET_US)
			sim_breach(hba, "port %u: COMRESET of %lld us, 10.4.2", port->no,
				   ktime_us_delta(ktime_get(), port->comreset));
		port->serr |= SERR_X | SERR_N;
		latch(port);
		if (port->disk && det == 0)
			online(port);
	}
}

/* --- PxCMD --- */

static void start(struct sim_port *port)
{
	struct sim_hba *hba = port->hba;

	if (!(port->cmd & CMD_FRE))
		sim_breach(hba, "port %u: ST set while FRE is 0, 10.3.1", port->no);
	if (port->cmd & CMD_CR)
		sim_breach(hba, "port %u: ST set while CR is 1, 10.3.1", port->no);
	if (port->tfd & (TFD_BSY | TFD_DRQ))
		sim_breach(hba, "port %u: ST set while BSY or DRQ (PxTFD 0x%x), 10.3.1",
			   port->no, port->tfd);
	if (FIELD_GET(SSTS_DET, port->ssts) != 3)
		sim_breach(hba, "port %u: ST set without a device, 10.3.1", port->no);
	port->cmd |= CMD_CR;
	port->stopped = false;
}

/* What runs is let run to its end, and CR stands until then */
static void stop(struct sim_port *port)
{
	forget_commands(port);
	if (!port->busy)
		port->cmd &= ~CMD_CR;
}

static void write_cmd(struct sim_port *port, u32 value)
{
	u32 writable = CMD_WRITABLE | (port->hba->cap & CAP_SPM ? CMD_PMA : 0) |
		       (port->hba->cap & CAP_SSS ? CMD_SUD : 0);
	u32 changed = (port->cmd ^ value) & writable;

	if (changed & CMD_FRE && !(value & CMD_FRE) && port->cmd & (CMD_ST | CMD_CR))
		sim_breach(port->hba, "port %u: FRE cleared while ST or CR is 1, 10.3.2",
			   port->no);
	if (value & CMD_CLO && port->hba->cap & CAP_SCLO) {
		if (port->cmd & CMD_ST)
			sim_breach(port->hba, "port %u: CLO while ST is 1, 3.3.7", port->no);
		port->tfd &= ~(TFD_BSY | TFD_DRQ);
	}
	if (changed & CMD_ST && value & CMD_ST)
		start(port);
	port->cmd ^= changed;
	if (changed & CMD_SUD && port->cmd & CMD_SUD && port->disk && !port->sctl)
		online(port);
	if (changed & CMD_ST && !(value & CMD_ST))
		stop(port);
	port->cmd &= ~CMD_FR;
	if (port->cmd & CMD_FRE)
		port->cmd |= CMD_FR;
	wake_up(&port->wait);
}

/* --- Doorbells --- */

static void write_sact(struct sim_port *port, u32 value)
{
	struct sim_hba *hba = port->hba;

	if (!(port->cmd & CMD_ST)) {
		if (value)
			sim_breach(hba, "port %u: PxSACT written while ST is 0, 3.3.13",
				   port->no);
		return;
	}
	if (port->sact & value)
		sim_breach(hba, "port %u: tags 0x%x in use set again in PxSACT", port->no,
			   port->sact & value);
	port->sact |= value;
}

/* Slots of one doorbell are taken in the order of their numbers from the last on */
static void enqueue(struct sim_port *port, u32 slots)
{
	unsigned long bits = slots;
	unsigned int i;

	for_each_set_bit(i, &bits, SIM_SLOTS)
		port->queue[port->queued++] = i;
	port->hba->counts.commands += hweight32(slots);
	port->hba->counts.rings++;
	wake_up(&port->wait);
}

static void write_ci(struct sim_port *port, u32 value)
{
	struct sim_hba *hba = port->hba;
	u32 slots = GENMASK(FIELD_GET(CAP_NCS, hba->cap), 0);

	if (!(port->cmd & CMD_ST)) {
		if (value)
			sim_breach(hba, "port %u: PxCI written while ST is 0, 3.3.14", port->no);
		return;
	}
	if (value & ~slots)
		sim_breach(hba, "port %u: slots 0x%x of PxCI do not exist", port->no,
			   value & ~slots);
	if (port->ci & value)
		sim_breach(hba, "port %u: slots 0x%x in use rung again", port->no,
			   port->ci & value);
	value &= slots & ~port->ci;
	port->rung_sact = (port->rung_sact & ~value) | (port->sact & value);
	port->ci |= value;
	enqueue(port, value);
}

/* --- Addresses of the command list and the received FIS --- */

static void write_base(struct sim_port *port, u32 reg, u32 value)
{
	bool list = reg == PORT_CLB || reg == PORT_CLBU;
	u32 running = list ? CMD_ST | CMD_CR : CMD_FRE | CMD_FR;
	u64 *base = list ? &port->clb : &port->fb;
	u32 align = list ? SZ_1K : SZ_256;
	bool upper = reg == PORT_CLBU || reg == PORT_FBU;
	u64 now = upper ? (*base & U32_MAX) | (u64)value << 32 :
			  (*base & ~(u64)U32_MAX) | value;

	if (now != *base && port->cmd & running)
		sim_breach(port->hba, "port %u: %s moved while it is in use, 3.3.%d",
			   port->no, list ? "command list" : "received FIS", list ? 1 : 3);
	if (!upper && value & (align - 1))
		sim_breach(port->hba, "port %u: %s at 0x%08x is not aligned", port->no,
			   list ? "command list" : "received FIS", value);
	*base = now;
}

/* --- All registers --- */

static u32 read_port(struct sim_port *port, u32 reg)
{
	switch (reg) {
	case PORT_CLB:
		return lower_32_bits(port->clb);
	case PORT_CLBU:
		return upper_32_bits(port->clb);
	case PORT_FB:
		return lower_32_bits(port->fb);
	case PORT_FBU:
		return upper_32_bits(port->fb);
	case PORT_IS:
		return pxis(port);
	case PORT_IE:
		return port->ie;
	case PORT_CMD:
		return port->cmd;
	case PORT_TFD:
		return port->tfd;
	case PORT_SIG:
		return port->sig;
	case PORT_SSTS:
		return port->ssts;
	case PORT_SCTL:
		return port->sctl;
	case PORT_SERR:
		return port->serr;
	case PORT_SACT:
	case PORT_CI:
		/* What ends after this read must set PxIS anew, or it is lost */
		if (in_hardirq() && port->pxis_seq != port->hba->irq_seq)
			sim_breach(port->hba, "port %u: %s read before PxIS is cleared, 5.3.2.3",
				   port->no, reg == PORT_CI ? "PxCI" : "PxSACT");
		return reg == PORT_CI ? port->ci : port->sact;
	default:
		return 0;
	}
}

static void write_port(struct sim_port *port, u32 reg, u32 value)
{
	switch (reg) {
	case PORT_CLB:
	case PORT_CLBU:
	case PORT_FB:
	case PORT_FBU:
		write_base(port, reg, value);
		break;
	case PORT_IS:
		write_pxis(port, value);
		break;
	case PORT_IE:
		port->ie = value & IS_VALID;
		latch(port);
		break;
	case PORT_CMD:
		write_cmd(port, value);
		break;
	case PORT_SCTL:
		write_sctl(port, value);
		break;
	case PORT_SERR:
		port->serr &= ~value;
		break;
	case PORT_SACT:
		write_sact(port, value);
		break;
	case PORT_CI:
		write_ci(port, value);
		break;
	case PORT_TFD:
	case PORT_SIG:
	case PORT_SSTS:
		sim_breach(port->hba, "port %u: a read-only register (0x%x) is written",
			   port->no, reg);
		break;
	}
}

static u32 read_host(struct sim_hba *hba, u32 offset)
{
	switch (offset) {
	case HOST_CAP:
		return hba->cap;
	case HOST_GHC:
		return hba->ghc | (hba->cap & CAP_SAM ? GHC_AE : 0);
	case HOST_IS:
		return hba->is;
	case HOST_PI:
		return hba->pi;
	case HOST_VS:
		return hba->vs;
	case HOST_CAP2:
		return hba->cap2;
	default:
		return 0;
	}
}

/* HBA reset, 10.4.3. What firmware sets once (PI, CAP) stays. */
void sim_regs_reset(struct sim_hba *hba)
{
	struct sim_port *port;
	unsigned int i;

	hba->ghc = 0;
	hba->is = 0;
	for (i = 0; i < SIM_PORTS; i++) {
		port = &hba->ports[i];
		port->is = 0;
		port->ie = 0;
		port->cmd = hba->cap & CAP_SSS ? CMD_POD : CMD_POD | CMD_SUD;
		port->serr = 0;
		port->sctl = 0;
		port->clb = 0;
		port->fb = 0;
		comreset(port);
		if (port->disk && !(hba->cap & CAP_SSS))
			online(port);
	}
}

static void write_ghc(struct sim_hba *hba, u32 value)
{
	if (value & GHC_HR) {
		sim_regs_reset(hba);
		return;
	}
	hba->ghc = value & (GHC_IE | GHC_AE);
	sim_irq_update(hba, hba->is);
}

static void write_host(struct sim_hba *hba, u32 offset, u32 value)
{
	switch (offset) {
	case HOST_GHC:
		write_ghc(hba, value);
		break;
	case HOST_IS:
		write_is(hba, value);
		break;
	}
}

static bool is_ours(const void __iomem *addr)
{
	return (unsigned long)addr - SIM_BASE < SIM_REGS;
}

static struct sim_port *port_at(struct sim_hba *hba, u32 offset)
{
	unsigned int no = (offset - 0x100) / 0x80;

	if (!(hba->pi & BIT(no)))
		sim_breach(hba, "port %u, which does not exist, is touched (0x%x)", no, offset);
	return &hba->ports[no];
}

u32 ahci_sim_readl(const void __iomem *addr)
{
	u32 offset = (unsigned long)addr - SIM_BASE, value = U32_MAX;
	struct sim_hba *hba = sim_hba;
	unsigned long flags;

	if (!is_ours(addr))
		return readl(addr);

	raw_spin_lock_irqsave(&hba->lock, flags);
	if (hba->gone)
		;
	else if (offset < 0x100)
		value = read_host(hba, offset);
	else
		value = read_port(port_at(hba, offset), offset % 0x80);
	sim_trace(hba, offset, value, false);
	raw_spin_unlock_irqrestore(&hba->lock, flags);
	return value;
}
EXPORT_SYMBOL_GPL(ahci_sim_readl);

void ahci_sim_writel(u32 value, void __iomem *addr)
{
	u32 offset = (unsigned long)addr - SIM_BASE;
	struct sim_hba *hba = sim_hba;
	unsigned long flags;

	if (!is_ours(addr)) {
		writel(value, addr);
		return;
	}

	raw_spin_lock_irqsave(&hba->lock, flags);
	sim_trace(hba, offset, value, true);
	if (hba->gone)
		;
	else if (offset < 0x100)
		write_host(hba, offset, value);
	else
		write_port(port_at(hba, offset), offset % 0x80, value);
	raw_spin_unlock_irqrestore(&hba->lock, flags);
}
EXPORT_SYMBOL_GPL(ahci_sim_writel);

// SPDX-License-Identifier: GPL-2.0
/*
 * A controller's life, on any bus: capabilities and their corrections, the
 * handoff from the firmware, HBA reset, port map, DMA, attach, suspend,
 * resume, shutdown. Every glue file comes in by ahcif_host_attach().
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/iopoll.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "ahci_fast.h"

/* An HBA reset ends within a second, 10.4.3 */
#define HBA_RESET_US		USEC_PER_SEC
#define HBA_RESET_POLL_US	(10 * USEC_PER_MSEC)

/* GHC.AE may need to be written again on old controllers */
#define AHCI_ENABLE_TRIES	5

/* The firmware lets go within 25 ms, or 2 s once it says that it is busy, 10.6.3 */
#define BOHC_POLL_US		USEC_PER_MSEC
#define BOHC_WAIT_US		(25 * USEC_PER_MSEC)
#define BOHC_BUSY_US		(2 * USEC_PER_SEC)

static unsigned int skip_host_reset;
AHCIF_PARAM(skip_host_reset, skip_host_reset, 0, 1, 0444,
	    "do not reset the controller");

static unsigned int ignore_sss;
AHCIF_PARAM(ignore_sss, ignore_sss, 0, 1, 0444,
	    "scan ports in parallel although the controller asks for staggered spin-up");

/* --- Parameters --- */

static int range_set(const char *text, const struct kernel_param *kp)
{
	const struct ahcif_range *r = kp->arg;
	unsigned int value;
	int rc = kstrtouint(text, 0, &value);

	if (!rc && ((value >= r->min && value <= r->max) ||
		    (!value && r->or_zero))) {
		WRITE_ONCE(*r->value, value);
		return 0;
	}
	pr_err("%s: parameter %s: '%.*s' is not %s%u..%u\n",
	       module_name(kp->mod), r->name, (int)strcspn(text, "\n"), text,
	       r->or_zero ? "0 or " : "", r->min, r->max);
	return rc ? -EINVAL : -ERANGE;
}

static int range_get(char *buffer, const struct kernel_param *kp)
{
	const struct ahcif_range *r = kp->arg;

	return sysfs_emit(buffer, "%u\n", *r->value);
}

const struct kernel_param_ops ahcif_range_ops = {
	.set = range_set,
	.get = range_get,
};
EXPORT_SYMBOL_GPL(ahcif_range_ops);

static unsigned int dma_bits;

static int dma_bits_set(const char *text, const struct kernel_param *kp)
{
	unsigned int value;

	if (kstrtouint(text, 0, &value) ||
	    (value && value != 32 && value != 43 && value != 64)) {
		pr_err(AHCIF_NAME ": parameter dma_bits: '%.*s' is not 0, 32, 43 or 64\n",
		       (int)strcspn(text, "\n"), text);
		return -EINVAL;
	}
	dma_bits = value;
	return 0;
}

static const struct kernel_param_ops dma_bits_ops = {
	.set = dma_bits_set,
	.get = param_get_uint,
};

module_param_cb(dma_bits, &dma_bits_ops, &dma_bits, 0444);
__MODULE_PARM_TYPE(dma_bits, "uint");
MODULE_PARM_DESC(dma_bits, "address bits for DMA, never more than the controller has [0 = the controller's, 32, 43, 64]");

/* --- SCSI host templates --- */

/*
 * A template says how many commands a host takes, and that is the number of
 * slots (CAP.NCS). libata makes a SCSI host itself, with no place to correct
 * it, and a host may outlive its controller: so there is one template for each
 * number of slots met, and they live as long as the module.
 */
static struct scsi_host_template *templates[AHCI_MAX_SLOTS + 1];
static DEFINE_MUTEX(templates_lock);

static const struct scsi_host_template template = {
	ATA_NCQ_SHT_QD(AHCIF_NAME, AHCI_MAX_SLOTS),
	.max_segment_size	= AHCI_PRD_MAX_BYTES,
};

static struct scsi_host_template *template_for(unsigned int slots)
{
	struct scsi_host_template *sht;

	mutex_lock(&templates_lock);
	sht = templates[slots];
	if (!sht) {
		sht = kmemdup(&template, sizeof(template), GFP_KERNEL);
		if (sht) {
			sht->queuecommand = ahcif_queuecommand;
			sht->commit_rqs = ahcif_commit_rqs;
			sht->eh_timed_out = ahcif_eh_timed_out;
			ahcif_set_configure(sht);
			sht->sg_tablesize = ahcif_max_prds;
			sht->can_queue = slots;
		}
		templates[slots] = sht;
	}
	mutex_unlock(&templates_lock);
	return sht;
}

/**
 * ahcif_host_module_exit - give back what hosts shared
 *
 * Context: module exit, no host is left.
 */
void ahcif_host_module_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(templates); i++)
		kfree(templates[i]);
}

/* --- Reset and what it takes away --- */

static int enable_ahci(struct ahcif_host *h)
{
	unsigned int i;
	u32 ghc;

	ghc = readl(h->mmio + AHCI_GHC);
	for (i = 0; i < AHCI_ENABLE_TRIES && !(ghc & AHCI_GHC_AE); i++) {
		writel(ghc | AHCI_GHC_AE, h->mmio + AHCI_GHC);
		msleep(HBA_RESET_POLL_US / USEC_PER_MSEC);
		ghc = readl(h->mmio + AHCI_GHC);
	}
	if (ghc == AHCI_GONE)
		return -ENODEV;
	if (ghc & AHCI_GHC_AE)
		return 0;
	dev_err(h->dev, "AHCI mode does not come on (GHC 0x%08x)\n", ghc);
	return -EIO;
}

/* Write back what the firmware had set and a reset may have cleared, 10.4.3 */
static void restore_config(struct ahcif_host *h)
{
	unsigned long ports = h->port_map;
	unsigned int i;

	writel(h->saved_cap, h->mmio + AHCI_CAP);
	if (h->saved_cap2)
		writel(h->saved_cap2, h->mmio + AHCI_CAP2);
	writel(h->saved_port_map, h->mmio + AHCI_PI);
	readl(h->mmio + AHCI_PI);	/* flush */

	for_each_set_bit(i, &ports, AHCI_MAX_PORTS)
		writel(h->saved_pxcmd[i], ahcif_port_mmio(h, i) + AHCI_PXCMD);
}

static int reset_hba(struct ahcif_host *h)
{
	u32 ghc;
	int rc;

	rc = enable_ahci(h);
	if (rc)
		return rc;

	if (skip_host_reset) {
		dev_info(h->dev, "skipping global host reset\n");
		return 0;
	}

	ghc = readl(h->mmio + AHCI_GHC);
	writel(ghc | AHCI_GHC_HR, h->mmio + AHCI_GHC);
	if (readl_poll_timeout(h->mmio + AHCI_GHC, ghc, !(ghc & AHCI_GHC_HR),
			       HBA_RESET_POLL_US, HBA_RESET_US)) {
		dev_err(h->dev, "controller reset failed (GHC 0x%08x)\n", ghc);
		return -EIO;
	}

	rc = enable_ahci(h);
	if (rc)
		return rc;
	restore_config(h);
	return 0;
}

/* Ports silent, then the controller's interrupt on */
static void init_hba(struct ahcif_host *h)
{
	unsigned long ports = h->port_map;
	unsigned int i;
	int rc;

	for_each_set_bit(i, &ports, AHCI_MAX_PORTS) {
		rc = ahcif_port_quiesce(h, i);
		if (rc)
			dev_warn(h->dev, "port %u: engine does not stop (%d)\n",
				 i, rc);
	}
	writel(readl(h->mmio + AHCI_GHC) | AHCI_GHC_IE, h->mmio + AHCI_GHC);
	readl(h->mmio + AHCI_GHC);	/* flush */
}

/**
 * ahcif_host_restart - reset the controller and make it ready for its ports
 * @h: the host
 *
 * Context: may sleep a few seconds.
 * Return: 0, or -EIO, -ENODEV if the controller does not answer
 */
int ahcif_host_restart(struct ahcif_host *h)
{
	int rc = reset_hba(h);

	if (rc)
		return rc;
	if (h->glue && h->glue->after_reset)
		h->glue->after_reset(h);
	init_hba(h);
	return 0;
}

/**
 * ahcif_host_irq_off - no interrupts from this controller
 * @h: the host
 *
 * Needed before it is put to sleep (AHCI 1.3.1, 8.3.3).
 *
 * Context: any.
 */
void ahcif_host_irq_off(struct ahcif_host *h)
{
	writel(readl(h->mmio + AHCI_GHC) & ~AHCI_GHC_IE, h->mmio + AHCI_GHC);
	readl(h->mmio + AHCI_GHC);	/* flush */
}

/* --- What the controller says of itself, and what is wrong with that --- */

/* Take the controller over from the firmware, 10.6.3 */
static void take_from_firmware(struct ahcif_host *h)
{
	u32 bohc;

	if (!(h->cap2 & AHCI_CAP2_BOH))
		return;

	bohc = readl(h->mmio + AHCI_BOHC);
	if (!(bohc & AHCI_BOHC_BOS))
		return;

	writel(bohc | AHCI_BOHC_OOS, h->mmio + AHCI_BOHC);
	if (!readl_poll_timeout(h->mmio + AHCI_BOHC, bohc,
				!(bohc & AHCI_BOHC_BOS),
				BOHC_POLL_US, BOHC_WAIT_US))
		return;
	if (bohc & AHCI_BOHC_BB &&
	    !readl_poll_timeout(h->mmio + AHCI_BOHC, bohc,
				!(bohc & AHCI_BOHC_BOS),
				BOHC_POLL_US, BOHC_BUSY_US))
		return;
	dev_warn(h->dev, "firmware does not let go (BOHC 0x%08x), going on\n",
		 bohc);
}

/* A capability the board has or lacks whatever its register says */
static u32 correct(struct ahcif_host *h, u32 cap, u32 bit, u32 on, u32 off,
		   const char *name)
{
	if (!(cap & bit) && h->quirks & on) {
		dev_info(h->dev, "board can do %s, turning it on\n", name);
		return cap | bit;
	}
	if (cap & bit && h->quirks & off) {
		dev_info(h->dev, "board cannot do %s, turning it off\n", name);
		return cap & ~bit;
	}
	return cap;
}

static void correct_caps(struct ahcif_host *h)
{
	u32 cap = h->saved_cap;

	cap = correct(h, cap, AHCI_CAP_S64A, 0, AHCIF_32BIT_ONLY, "64-bit DMA");
	cap = correct(h, cap, AHCI_CAP_SNCQ, AHCIF_YES_NCQ, AHCIF_NO_NCQ, "NCQ");
	cap = correct(h, cap, AHCI_CAP_SPM, 0, AHCIF_NO_PMP, "port multipliers");
	cap = correct(h, cap, AHCI_CAP_SSNTF, 0, AHCIF_NO_SNTF, "SNotification");
	cap = correct(h, cap, AHCI_CAP_FBSS, AHCIF_YES_FBS, 0, "FBS");
	cap = correct(h, cap, AHCI_CAP_SXS, 0, AHCIF_NO_SXS, "external ports");
	h->cap = cap;

	h->cap2 = correct(h, h->saved_cap2, AHCI_CAP2_SDS, 0, AHCIF_NO_DEVSLP,
			  "device sleep");
	if (!(h->cap2 & AHCI_CAP2_SDS))
		h->cap2 &= ~AHCI_CAP2_SADM;
}

static unsigned int cap_ports(const struct ahcif_host *h)
{
	return FIELD_GET(AHCI_CAP_NP, h->cap) + 1;
}

/* What PI says, or should say */
static u32 implemented_ports(struct ahcif_host *h)
{
	u32 map = readl(h->mmio + AHCI_PI);

	if (h->force_port_map) {
		dev_info(h->dev, "forcing port map 0x%x to 0x%x\n", map,
			 h->force_port_map);
		return h->force_port_map;
	}
	/* Before 1.3, PI was not always set */
	if (!map && h->vs < AHCI_VS_1_3) {
		map = GENMASK(cap_ports(h) - 1, 0);
		dev_warn(h->dev, "forcing port map to 0x%x\n", map);
	}
	return map;
}

/*
 * The ports to use: those there are, less those the user or the board masks,
 * and never more than CAP.NP says, unless the board knows better.
 */
static int choose_ports(struct ahcif_host *h)
{
	u32 mask = h->mask_port_map ?: U32_MAX;
	unsigned int np = cap_ports(h);
	u32 map = implemented_ports(h);

	h->saved_port_map = map;
	map &= mask;
	if (mask != U32_MAX)
		dev_warn(h->dev, "masking port map 0x%x to 0x%x\n",
			 h->saved_port_map, map);
	if (!h->force_port_map && hweight32(map) > np) {
		dev_warn(h->dev, "port map 0x%x has more than %u ports, using CAP.NP\n",
			 map, np);
		map = GENMASK(np - 1, 0) & mask;
	}
	h->port_map = map;
	if (map)
		return 0;
	dev_err(h->dev, "no port to use (PI 0x%x, mask 0x%x)\n",
		h->saved_port_map, mask);
	return -ENODEV;
}

/* No port is touched whose registers lie outside of what is mapped */
static int check_registers(struct ahcif_host *h)
{
	unsigned int ports = max_t(unsigned int, cap_ports(h), fls(h->port_map));
	resource_size_t need = AHCI_PORTS + ports * AHCI_PORT_SIZE;

	if (need <= h->mmio_len)
		return 0;
	dev_err(h->dev, "registers too small for %u ports (%pa of %pa bytes)\n",
		ports, &h->mmio_len, &need);
	return -ENODEV;
}

static void save_pxcmd(struct ahcif_host *h)
{
	unsigned long ports = h->port_map;
	unsigned int i;

	for_each_set_bit(i, &ports, AHCI_MAX_PORTS)
		h->saved_pxcmd[i] = readl(ahcif_port_mmio(h, i) + AHCI_PXCMD) &
				    AHCI_PXCMD_HWINIT;
}

static int read_config(struct ahcif_host *h)
{
	int rc;

	if (h->mmio_len < AHCI_PORTS || readl(h->mmio + AHCI_CAP) == AHCI_GONE) {
		dev_err(h->dev, "controller does not answer\n");
		return -ENODEV;
	}

	rc = enable_ahci(h);
	if (rc)
		return rc;

	h->saved_cap = readl(h->mmio + AHCI_CAP);
	h->vs = readl(h->mmio + AHCI_VS);
	if (h->vs >= AHCI_VS_1_2)
		h->saved_cap2 = readl(h->mmio + AHCI_CAP2);

	correct_caps(h);
	take_from_firmware(h);
	rc = choose_ports(h);
	if (!rc)
		rc = check_registers(h);
	if (rc)
		return rc;
	save_pxcmd(h);
	h->slots = FIELD_GET(AHCI_CAP_NCS, h->cap) + 1;
	return 0;
}

/* --- Attach --- */

static int set_dma_mask(struct ahcif_host *h)
{
	unsigned int bits = h->cap & AHCI_CAP_S64A ? 64 : 32;
	int rc;

	/* A bus that reaches less has said so already (STA2X11) */
	if (h->dev->dma_mask && *h->dev->dma_mask < DMA_BIT_MASK(32))
		return 0;

	if (h->quirks & AHCIF_43BIT_ONLY)
		bits = min(bits, 43U);
	if (dma_bits)
		bits = min(bits, dma_bits);

	rc = dma_set_mask_and_coherent(h->dev, DMA_BIT_MASK(bits));
	if (rc)
		dev_err(h->dev, "no DMA with %u bits (%d)\n", bits, rc);
	return rc;
}

static unsigned long port_flags(const struct ahcif_host *h)
{
	unsigned long flags = ATA_FLAG_SATA | ATA_FLAG_PIO_DMA | h->ata_flags;

	if (!(h->quirks & AHCIF_MV_PATA))
		flags |= ATA_FLAG_ACPI_SATA;
	if (h->cap & AHCI_CAP_SNCQ) {
		flags |= ATA_FLAG_NCQ;
		if (!(h->quirks & AHCIF_NO_FPDMA_AUX))
			flags |= ATA_FLAG_FPDMA_AUX;
		if (!(h->quirks & AHCIF_NO_FPDMA_AA))
			flags |= ATA_FLAG_FPDMA_AA;
	}
	return flags;
}

static int alloc_ata_host(struct ahcif_host *h)
{
	struct ata_port_info info = {
		.flags		= port_flags(h),
		.link_flags	= h->link_flags,
		.pio_mask	= ATA_PIO4,
		.udma_mask	= ATA_UDMA6,
		.port_ops	= &ahcif_port_ops,
	};
	const struct ata_port_info *infos[] = { &info, NULL };
	unsigned int ports = max_t(unsigned int, cap_ports(h), fls(h->port_map));

	h->ata = ata_host_alloc_pinfo(h->dev, infos, ports);
	if (!h->ata)
		return -ENOMEM;
	h->ata->private_data = h;
	h->sole = -1;

	if (!(h->cap & AHCI_CAP_SSS) || ignore_sss)
		h->ata->flags |= ATA_HOST_PARALLEL_SCAN;
	else
		dev_info(h->dev, "SSS flag set, parallel bus scan disabled\n");
	return 0;
}

/* External and hot-plug ports: libata leaves their link power alone */
static void mark_external_port(struct ahcif_host *h, struct ata_port *ap)
{
	u32 cmd = readl(ahcif_port_mmio(h, ap->port_no) + AHCI_PXCMD);

	if ((cmd & AHCI_PXCMD_ESP && h->cap & AHCI_CAP_SXS) ||
	    cmd & AHCI_PXCMD_HPCP)
		ap->pflags |= ATA_PFLAG_EXTERNAL;
}

static void prepare_ports(struct ahcif_host *h)
{
	struct ata_port *ap;
	unsigned int i;

	for (i = 0; i < h->ata->n_ports; i++) {
		ap = h->ata->ports[i];
		if (!(h->port_map & BIT(i))) {
			ap->ops = &ata_dummy_port_ops;
			continue;
		}
		ata_port_desc(ap, "port 0x%x", AHCI_PORTS + i * AHCI_PORT_SIZE);
		mark_external_port(h, ap);
		if (h->glue && h->glue->tune_port)
			h->glue->tune_port(h, ap);
	}
}

static const char *speed_name(u32 cap)
{
	static const char * const names[] = { "?", "1.5", "3", "6" };
	unsigned int iss = FIELD_GET(AHCI_CAP_ISS, cap);

	return names[iss < ARRAY_SIZE(names) ? iss : 0];
}

static void print_host(struct ahcif_host *h)
{
	dev_info(h->dev, AHCIF_NAME " " AHCIF_VERSION ": AHCI %x.%x%x, %s, %s Gbps, %u slots\n",
		 h->vs >> 16, h->vs >> 8 & 0xff, h->vs & 0xff,
		 h->mode ? h->mode : "platform", speed_name(h->cap), h->slots);
	dev_info(h->dev, "ports 0x%x of %u, %s interrupt\n", h->port_map,
		 cap_ports(h), h->irq_exclusive ? "own" : "shared");
}

/**
 * ahcif_host_attach - bring a controller up and give its disks to the kernel
 * @h: the host, its glue's part filled, zero otherwise; lives as long as its
 *	device is bound
 *
 * The drive data of @h->dev become libata's host (dev_get_drvdata()).
 *
 * Context: probe, may sleep a few seconds.
 * Return: 0 or a negative error, with a line in the log; what was taken goes
 * with the device's resources
 */
int ahcif_host_attach(struct ahcif_host *h)
{
	struct scsi_host_template *sht;
	int rc;

	rc = read_config(h);
	if (rc)
		return rc;
	sht = template_for(h->slots);
	if (!sht)
		return -ENOMEM;
	rc = set_dma_mask(h);
	if (rc)
		return rc;
	rc = alloc_ata_host(h);
	if (rc)
		return rc;
	if (h->glue && h->glue->setup_irq) {
		rc = h->glue->setup_irq(h);
		if (rc)
			return rc;
	}
	rc = ahcif_host_restart(h);
	if (rc)
		return rc;
	prepare_ports(h);
	print_host(h);

	rc = ata_host_activate(h->ata, h->irq, ahcif_interrupt, IRQF_SHARED, sht);
	if (rc)
		return rc;
	ahcif_stats_attach(h);
	return 0;
}
EXPORT_SYMBOL_GPL(ahcif_host_attach);

/**
 * ahcif_host_detach - take the disks of a controller from the kernel
 * @h: the host
 *
 * Context: remove, may sleep; the rest goes with the device's resources.
 */
void ahcif_host_detach(struct ahcif_host *h)
{
	ahcif_stats_detach(h);
	ata_host_detach(h->ata);
}
EXPORT_SYMBOL_GPL(ahcif_host_detach);

/**
 * ahcif_host_shutdown - make a controller silent before the machine goes
 * @h: the host
 *
 * No DMA and no interrupt is left for the next kernel or the firmware.
 *
 * Context: shutdown, may sleep.
 */
void ahcif_host_shutdown(struct ahcif_host *h)
{
	unsigned int i;

	for (i = 0; i < h->ata->n_ports; i++)
		if (h->ata->ports[i]->private_data)
			ahcif_port_halt(h->ata->ports[i]);
	ahcif_host_irq_off(h);
}
EXPORT_SYMBOL_GPL(ahcif_host_shutdown);

/**
 * ahcif_host_suspend - put a controller to sleep, its ports sleep already
 * @h: the host
 * @mesg: why
 *
 * Context: system sleep.
 */
void ahcif_host_suspend(struct ahcif_host *h, pm_message_t mesg)
{
	ahcif_host_irq_off(h);
	ata_host_suspend(h->ata, mesg);
}
EXPORT_SYMBOL_GPL(ahcif_host_suspend);

/**
 * ahcif_host_resume - wake a controller, its ports follow
 * @h: the host
 *
 * Context: system sleep.
 * Return: 0 or a negative error of ahcif_host_restart()
 */
int ahcif_host_resume(struct ahcif_host *h)
{
	int rc = 0;

	if (h->dev->power.power_state.event == PM_EVENT_SUSPEND)
		rc = ahcif_host_restart(h);
	if (rc)
		return rc;
	ata_host_resume(h->ata);
	return 0;
}
EXPORT_SYMBOL_GPL(ahcif_host_resume);

/* --- The module --- */

static int __init ahcif_init(void)
{
	int rc;

	ahcif_stats_module_init();
	rc = ahcif_pci_register();
	if (rc)
		ahcif_stats_module_exit();
	return rc;
}

static void __exit ahcif_exit(void)
{
	ahcif_pci_unregister();
	ahcif_stats_module_exit();
	ahcif_host_module_exit();
}

module_init(ahcif_init);
module_exit(ahcif_exit);

MODULE_DESCRIPTION("Fast libata driver for AHCI SATA controllers");
MODULE_LICENSE("GPL");
MODULE_VERSION(AHCIF_VERSION);

// SPDX-License-Identifier: GPL-2.0
/*
 * AHCI controllers on PCI.
 *
 * Most of this is data: the boards (what a controller does otherwise than the
 * specification), the ids that name them, and the machines whose firmware or
 * wiring needs care. The rest finds the registers and the interrupt and hands
 * the controller to the host file.
 *
 * The facts are those of Linux's ahci driver, 6.1 and 6.12.
 */
#include <linux/ahci-remap.h>
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/dmi.h>
#include <linux/kstrtox.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "ahci_fast.h"

#define AHCIF_ABAR	5	/* the BAR of the registers, 2.1.11 */

/* Intel's config space */
#define ICH_MAP		0x90	/* which function has the ports */
#define ICH_MAP_MV	GENMASK(1, 0)	/* not 0: shared with the IDE function */
#define ICH_PCS		0x92	/* port control and status: a bit a port */

/*
 * NVIDIA MCP89's config space. The names are guesses from what the writes do.
 */
#define MCP89_LOCK		0xf8
#define MCP89_LOCK_OPEN		BIT(27)
#define MCP89_CLASS_LOCK	0x54c
#define MCP89_CLASS_LOCK_OPEN	BIT(12)
#define MCP89_CLASS		0x4a4	/* class code above, revision below */

/**
 * struct ahcif_pci - a controller on PCI
 * @host: what the host file knows of it
 * @glue: what the host file calls here
 * @pdev: the device
 * @board: its entry in the table of boards
 * @board_id: the number of that
 * @bar: the BAR of the registers
 * @gtf_filter: ATA_ACPI_FILTER_* to add for each disk
 * @remapped_nvme: NVMe disks that the firmware hides behind this controller
 * @pcs_lock: held while ICH_PCS is changed: ports are reset side by side
 */
struct ahcif_pci {
	struct ahcif_host	host;
	struct ahcif_glue	glue;
	struct pci_dev		*pdev;
	const struct board *board;
	unsigned int		board_id;
	int			bar;
	unsigned int		gtf_filter;
	unsigned int		remapped_nvme;
	struct mutex		pcs_lock;	/* ICH_PCS */
};

static struct ahcif_pci *to_pci_host(struct ahcif_host *h)
{
	return container_of(h, struct ahcif_pci, host);
}

static struct ahcif_pci *dev_to_pci_host(struct device *dev)
{
	struct ata_host *ata = dev_get_drvdata(dev);

	return to_pci_host(ata->private_data);
}

/* --- Parameters --- */

/* pata_marvell drives all ports of a Marvell chip, this driver only SATA's */
static unsigned int marvell_enable = !IS_ENABLED(CONFIG_PATA_MARVELL);
AHCIF_PARAM(marvell_enable, marvell_enable, 0, 1, 0644,
	    "drive Marvell controllers, 0 leaves them to pata_marvell");

static unsigned int msi = 1;
AHCIF_PARAM(msi, msi, 0, 1, 0644,
	    "message signalled interrupts where the board can do them");

static unsigned int pci_latency;
AHCIF_PARAM(pci_latency, pci_latency, 0, 255, 0644,
	    "PCI latency timer in bus clocks, 0 = leave it");

/* The form that dev_name() gives a PCI device, for nothing else ever matches */
static bool is_pci_name(const char *name)
{
	unsigned int domain, bus, slot, func;
	char canonical[32];

	if (sscanf(name, "%x:%x:%x.%x", &domain, &bus, &slot, &func) != 4)
		return false;
	if (bus > U8_MAX || slot > PCI_SLOT(~0) || func > PCI_FUNC(~0))
		return false;
	snprintf(canonical, sizeof(canonical), "%04x:%02x:%02x.%x",
		 domain, bus, slot, func);
	return !strcmp(name, canonical);
}

/* Cuts the first "DEVICE=MASK" or "MASK" (no device) off a list */
static int next_mask(char **list, char **device, u32 *mask)
{
	char *value = strsep(list, ",");

	*device = strchr(value, '=') ? strsep(&value, "=") : NULL;
	return kstrtou32(value, 0, mask);
}

static int check_masks(char *list)
{
	bool alone = !strchr(list, ',');
	char *device;
	u32 mask;
	int rc;

	while (list) {
		rc = next_mask(&list, &device, &mask);
		if (rc)
			return rc;
		if (device ? !is_pci_name(device) : !alone)
			return -EINVAL;
	}
	return 0;
}

static int set_masks(const char *val, const struct kernel_param *kp)
{
	char *list;
	int rc;

	list = kstrdup(val, GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	rc = check_masks(list);
	kfree(list);
	if (rc) {
		pr_err(AHCIF_NAME ": parameter %s: '%s' is not MASK or 0000:00:1f.2=MASK,... with masks of 32 bits\n",
		       kp->name, val);
		return rc;
	}
	return param_set_charp(val, kp);
}

static const struct kernel_param_ops masks_ops = {
	.set = set_masks,
	.get = param_get_charp,
	.free = param_free_charp,
};

static char *mask_port_map;
module_param_cb(mask_port_map, &masks_ops, &mask_port_map, 0444);
__MODULE_PARM_TYPE(mask_port_map, "charp");
MODULE_PARM_DESC(mask_port_map,
		 "ports to use: MASK for each controller, or DEVICE=MASK,... with DEVICE like 0000:00:1f.2");

/* What the parameter says of one device; 0: nothing */
static int asked_mask(const char *name, u32 *mask)
{
	char *copy, *list, *device;
	u32 value;

	*mask = 0;
	if (!mask_port_map)
		return 0;

	copy = kstrdup(mask_port_map, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	list = copy;
	while (list) {
		next_mask(&list, &device, &value);
		if (!device || !strcmp(device, name))
			*mask = value;
	}
	kfree(copy);
	return 0;
}

/* --- Link resets of special boards and machines --- */

static void pcs_enable(struct ahcif_pci *p, u16 ports, bool on)
{
	u16 old, new;

	mutex_lock(&p->pcs_lock);
	pci_read_config_word(p->pdev, ICH_PCS, &old);
	new = on ? old | ports : old & ~ports;
	if (new != old)
		pci_write_config_word(p->pdev, ICH_PCS, new);
	mutex_unlock(&p->pcs_lock);
}

/* SStatus.DET: something is there, and the Phys do not talk */
static bool link_is_stuck(struct ata_link *link)
{
	u32 sstatus;

	return !sata_scr_read(link, SCR_STATUS, &sstatus) &&
	       (sstatus & 0xf) == 1;
}

static void bounce_port(struct ata_port *ap)
{
	struct ahcif_pci *p = to_pci_host(ahcif_host(ap));

	ata_port_info(ap, "link is stuck, disabling the port for a second\n");
	pcs_enable(p, BIT(ap->port_no), false);
	ata_msleep(ap, 1000);
	pcs_enable(p, BIT(ap->port_no), true);
}

/*
 * Avoton: after a COMRESET some SSDs leave the port at SStatus.DET = 1, and no
 * further COMRESET helps. The port's state machines begin anew only when its
 * enable bit in config space is taken away and given back; that a reload of
 * the driver cured the port is how this was found. Price: a second, only in
 * this state.
 */
static int avoton_hardreset(struct ata_link *link, unsigned int *class,
			    unsigned long deadline)
{
	unsigned long patience = deadline - jiffies;
	bool online;
	int i, rc;

	for (i = 0; i < 2; i++) {
		rc = ahcif_port_comreset(link, class, deadline, true, &online);
		if (!link_is_stuck(link))
			break;
		bounce_port(link->ap);
		deadline += patience;
	}
	return rc;
}

static int link_ready(struct ata_link *link)
{
	struct ahcif_port *port = ahcif_port(link->ap);

	return ata_check_ready(readl(port->mmio + AHCI_PXTFD) & AHCI_PXTFD_STS);
}

#define P5WDH_PORT	1	/* where the bridge is soldered */

/*
 * ASUS P5W DH Deluxe: a SiI 4726 is wired to this port of a chipset that knows
 * no port multiplier. With nothing behind its first port the bridge shows a
 * "Config Disk", which sends no signature after COMRESET and hangs at a soft
 * reset of PMP port 0. So a link reset is all it gets, BSY is awaited for two
 * seconds and then overridden, and it is taken for a disk (tune_port()).
 * Price: a disk that is slower than that is reset again.
 */
static int p5wdh_hardreset(struct ata_link *link, unsigned int *class,
			   unsigned long deadline)
{
	bool online;
	int rc;

	if (link->ap->port_no != P5WDH_PORT)
		return ahcif_port_hardreset(link, class, deadline);

	rc = ahcif_port_comreset(link, class, deadline, false, &online);
	if (!online)
		return rc;
	rc = ata_wait_after_reset(link, jiffies + 2 * HZ, link_ready);
	if (rc)
		ahcif_port_kick(link->ap);
	return rc;
}

/* --- Boards --- */

/**
 * struct board - what a controller does otherwise than the specification
 * @quirks: AHCIF_*
 * @ata_flags: ATA_FLAG_* to add
 * @link_flags: ATA_LFLAG_* of each link
 * @bars: bit of the BAR with the registers, 0: the usual one
 * @force_port_map: what PI should say, 0: what it says
 * @mask_port_map: ports that are SATA ports, 0: all
 * @hardreset: resets a link, NULL: as usual
 * @notice: what the user of such a controller should know
 */
struct board {
	u32		quirks;
	unsigned long	ata_flags;
	unsigned int	link_flags;
	u32		bars;
	u32		force_port_map;
	u32		mask_port_map;
	int		(*hardreset)(struct ata_link *link, unsigned int *class,
				     unsigned long deadline);
	const char	*notice;
};

enum board_id {
	/* driver_override binds a device without an entry to the first one */
	BOARD_PLAIN,

	/* by what they have in common */
	BOARD_43BIT,
	BOARD_BAR0,
	BOARD_FBS,
	BOARD_FBS_ATAPI,
	BOARD_IGN_IFS,
	BOARD_NO_DEBOUNCE,
	BOARD_NO_MSI,
	BOARD_PCS,
	BOARD_PCS_NO_DEVSLP,
	BOARD_PCS_NO_SNTF,

	/* by chip */
	BOARD_ANNAPURNA,
	BOARD_AVOTON,
	BOARD_CAVIUM_GEN5,
	BOARD_ENMOTUS,
	BOARD_HUAWEI,
	BOARD_ICH6,
	BOARD_JMB361,
	BOARD_JMB58X,
	BOARD_MCP65,
	BOARD_MCP77,
	BOARD_MCP89,
	BOARD_MCP89_APPLE,
	BOARD_MV6121,
	BOARD_MV6145,
	BOARD_PROMISE,
	BOARD_SB600,
	BOARD_SB700,
	BOARD_THUNDERX,
	BOARD_VT8251,
};

/* What Marvell 88SE61xx ("Thor") have in common */
#define MV_THOR \
	.quirks = AHCIF_NO_NCQ | AHCIF_NO_MSI | AHCIF_NO_PMP | \
		  AHCIF_MV_PATA | AHCIF_IS_BEFORE_PXIS, \
	.notice = "PATA port unused, marvell_enable=0 leaves all to pata_marvell"

static const struct board boards[] = {
	[BOARD_PLAIN] = { },

	/*
	 * ASM1060, ASM1061 and ASM1062 claim 64 bits and drop the upper 21:
	 * an IOMMU that gives high addresses sees faults at other ones.
	 */
	[BOARD_43BIT] = {
		.quirks = AHCIF_43BIT_ONLY,
	},
	[BOARD_BAR0] = {
		.bars = BIT(0),
	},
	[BOARD_FBS] = {
		.quirks = AHCIF_YES_FBS,
	},
	/*
	 * 88SE9215: PIO of optical drives goes wrong, DMA does not; why is not
	 * known. libata would choose PIO where a length is no multiple of 16.
	 */
	[BOARD_FBS_ATAPI] = {
		.quirks = AHCIF_YES_FBS | AHCIF_ATAPI_DMA,
	},
	[BOARD_IGN_IFS] = {
		.quirks = AHCIF_IGN_IFS,
	},
	[BOARD_NO_DEBOUNCE] = {
		.link_flags = ATA_LFLAG_NO_DEBOUNCE_DELAY,
	},
	/*
	 * Samsung's SSDs of some MacBooks: queued commands time out with MSI
	 * and never without, bugzilla 60731. Price: a shared interrupt.
	 */
	[BOARD_NO_MSI] = {
		.quirks = AHCIF_NO_MSI,
	},
	/*
	 * Older Intel chipsets, and ones nobody has tried without: where the
	 * firmware left a port disabled in config space, PI claims it and
	 * nothing is ever found there.
	 */
	[BOARD_PCS] = {
		.quirks = AHCIF_PCS,
	},
	[BOARD_PCS_NO_DEVSLP] = {
		.quirks = AHCIF_PCS | AHCIF_NO_DEVSLP,
	},
	[BOARD_PCS_NO_SNTF] = {
		.quirks = AHCIF_PCS | AHCIF_NO_SNTF,
	},

	[BOARD_ANNAPURNA] = {
		.quirks = AHCIF_NO_PMP | AHCIF_NO_MSI,
	},
	[BOARD_AVOTON] = {
		.quirks = AHCIF_PCS | AHCIF_HRST_BOUNCE_PCS,
		.hardreset = avoton_hardreset,
	},
	[BOARD_CAVIUM_GEN5] = {
		.bars = BIT(4),
	},
	[BOARD_ENMOTUS] = {
		.bars = BIT(2),
	},
	[BOARD_HUAWEI] = { },	/* see revisions */
	[BOARD_ICH6] = {
		.quirks = AHCIF_PCS,
	},
	[BOARD_JMB361] = {
		.quirks = AHCIF_IGN_IFS,
		.force_port_map = BIT(0),
		.notice = "only the first port exists",
	},
	/*
	 * JMB582 and JMB585 claim 64 bits and corrupt data in silence above
	 * 4 GiB. Price: bounce buffers, or an IOMMU's.
	 */
	[BOARD_JMB58X] = {
		.quirks = AHCIF_IGN_IFS | AHCIF_32BIT_ONLY,
	},
	[BOARD_MCP65] = {	/* MCP67 and MCP73 as well */
		.quirks = AHCIF_NO_FPDMA_AA | AHCIF_NO_PMP | AHCIF_YES_NCQ,
		.ata_flags = ATA_FLAG_NO_DIPM,
	},
	[BOARD_MCP77] = {	/* MCP79 as well */
		.quirks = AHCIF_NO_FPDMA_AA | AHCIF_NO_PMP,
	},
	[BOARD_MCP89] = {
		.quirks = AHCIF_NO_FPDMA_AA,
	},
	[BOARD_MCP89_APPLE] = {	/* see enable_mcp89() */
		.quirks = AHCIF_NO_FPDMA_AA,
	},
	/*
	 * 88SE6111, 6121 and 6145 raise a port's bit in IS by an edge. Is IS
	 * cleared while PxIS holds an event, the bit stays 0, nobody looks at
	 * the port and its command times out: on a 6121 each disk of SATA 2 or
	 * 3 fails to IDENTIFY, slower ones mostly win the race (bugzilla
	 * 216094). So IS goes first, as in Marvell's own driver. Price: up to
	 * one empty interrupt for each real one.
	 *
	 * Their PATA port shows in PI, above the SATA ports.
	 */
	[BOARD_MV6121] = {
		MV_THOR,
		.mask_port_map = GENMASK(1, 0),
	},
	[BOARD_MV6145] = {
		MV_THOR,
		.mask_port_map = GENMASK(3, 0),
	},
	[BOARD_PROMISE] = {
		.notice = "only SATA disks work with this driver, SAS disks do not",
	},
	[BOARD_SB600] = {
		.quirks = AHCIF_IGN_SERR_INTERNAL | AHCIF_NO_MSI |
			  AHCIF_SECT255 | AHCIF_32BIT_ONLY |
			  AHCIF_SRST_RETRY_PMP0,
	},
	[BOARD_SB700] = {	/* SB800 as well, see revisions */
		.quirks = AHCIF_IGN_SERR_INTERNAL | AHCIF_SRST_RETRY_PMP0,
	},
	/*
	 * ThunderX, erratum 22536: an event that comes while the handler runs
	 * raises no interrupt of its own, so the handler stays until IS is 0.
	 */
	[BOARD_THUNDERX] = {
		.quirks = AHCIF_IS_DRAIN,
		.bars = BIT(0),
	},
	[BOARD_VT8251] = {
		.quirks = AHCIF_NO_NCQ | AHCIF_NO_PMP | AHCIF_HRST_WANTS_SRST,
	},
};

/**
 * struct revision - what some revisions of a board do otherwise
 * @board: the board
 * @first: first revision this is about
 * @last: last one
 * @set: AHCIF_* to add
 * @clear: AHCIF_* to take away
 */
struct revision {
	unsigned int	board;
	u8		first;
	u8		last;
	u32		set;
	u32		clear;
};

static const struct revision revisions[] = {
	{ BOARD_MCP65, 0xa1, 0xa2, .set = AHCIF_NO_MSI },
	{ BOARD_SB700, 0x40, 0xff, .clear = AHCIF_IGN_SERR_INTERNAL }, /* SB800 */
	{ BOARD_HUAWEI, 0x00, 0x2f, .set = AHCIF_NO_SXS },
};

/* --- Ids --- */

#define ID(vend, dev, brd) \
	{ PCI_DEVICE(PCI_VENDOR_ID_##vend, dev), .driver_data = BOARD_##brd }

#define ID_SUB(vend, dev, subvend, subdev, brd) \
	{ PCI_DEVICE_SUB(PCI_VENDOR_ID_##vend, dev, \
			 PCI_VENDOR_ID_##subvend, subdev), \
	  .driver_data = BOARD_##brd }

/* Only with this class, for the same id can be another function */
#define ID_AHCI(vend, dev, brd) \
	{ PCI_DEVICE(PCI_VENDOR_ID_##vend, dev), \
	  .class = PCI_CLASS_STORAGE_SATA_AHCI, .class_mask = 0xffffff, \
	  .driver_data = BOARD_##brd }

#define ID_RAID(vend, subvend, brd) \
	{ PCI_DEVICE_SUB(vend, PCI_ANY_ID, subvend, PCI_ANY_ID), \
	  .class = PCI_CLASS_STORAGE_RAID << 8, .class_mask = 0xffffff, \
	  .driver_data = BOARD_##brd }

/*
 * The first that matches counts. There is no MODULE_DEVICE_TABLE: it would
 * load the module by itself, and a boot disk would change its driver unasked.
 */
static const struct pci_device_id pci_ids[] = {
	/* Intel */
	ID(INTEL, 0x02d3, PCS),		/* Comet Lake PCH-U */
	ID(INTEL, 0x02d7, PCS),		/* Comet Lake PCH RAID */
	ID(INTEL, 0x06d6, PCS),		/* Comet Lake PCH-H RAID */
	ID(INTEL, 0x06d7, PCS),		/* Comet Lake-H RAID */
	ID(INTEL, 0x0f22, PCS),		/* Bay Trail */
	ID(INTEL, 0x0f23, PCS_NO_DEVSLP), /* Bay Trail */
	ID(INTEL, 0x19b0, PLAIN),	/* Denverton */
	ID(INTEL, 0x19b1, PLAIN),	/* Denverton */
	ID(INTEL, 0x19b2, PLAIN),	/* Denverton */
	ID(INTEL, 0x19b3, PLAIN),	/* Denverton */
	ID(INTEL, 0x19b4, PLAIN),	/* Denverton */
	ID(INTEL, 0x19b5, PLAIN),	/* Denverton */
	ID(INTEL, 0x19b6, PLAIN),	/* Denverton */
	ID(INTEL, 0x19b7, PLAIN),	/* Denverton */
	ID(INTEL, 0x19be, PLAIN),	/* Denverton */
	ID(INTEL, 0x19bf, PLAIN),	/* Denverton */
	ID(INTEL, 0x19c0, PLAIN),	/* Denverton */
	ID(INTEL, 0x19c1, PLAIN),	/* Denverton */
	ID(INTEL, 0x19c2, PLAIN),	/* Denverton */
	ID(INTEL, 0x19c3, PLAIN),	/* Denverton */
	ID(INTEL, 0x19c4, PLAIN),	/* Denverton */
	ID(INTEL, 0x19c5, PLAIN),	/* Denverton */
	ID(INTEL, 0x19c6, PLAIN),	/* Denverton */
	ID(INTEL, 0x19c7, PLAIN),	/* Denverton */
	ID(INTEL, 0x19ce, PLAIN),	/* Denverton */
	ID(INTEL, 0x19cf, PLAIN),	/* Denverton */
	ID(INTEL, 0x1c02, PCS),		/* Cougar Point */
	ID(INTEL, 0x1c03, PCS),		/* Cougar Point mobile */
	ID(INTEL, 0x1c04, PCS),		/* Cougar Point RAID */
	ID(INTEL, 0x1c05, PCS),		/* Cougar Point mobile RAID */
	ID(INTEL, 0x1c06, PCS),		/* Cougar Point RAID */
	ID(INTEL, 0x1c07, PCS),		/* Cougar Point RAID */
	ID(INTEL, 0x1d02, PCS),		/* Patsburg */
	ID(INTEL, 0x1d04, PCS),		/* Patsburg RAID */
	ID(INTEL, 0x1d06, PCS),		/* Patsburg RAID */
	ID(INTEL, 0x1e02, PCS),		/* Panther Point */
	ID(INTEL, 0x1e03, PCS),		/* Panther Point mobile */
	ID(INTEL, 0x1e04, PCS),		/* Panther Point RAID */
	ID(INTEL, 0x1e05, PCS),		/* Panther Point RAID */
	ID(INTEL, 0x1e06, PCS),		/* Panther Point RAID */
	ID(INTEL, 0x1e07, PCS),		/* Panther Point mobile RAID */
	ID(INTEL, 0x1e0e, PCS),		/* Panther Point RAID */
	ID(INTEL, 0x1f22, PCS),		/* Avoton */
	ID(INTEL, 0x1f23, PCS),		/* Avoton */
	ID(INTEL, 0x1f24, PCS),		/* Avoton RAID */
	ID(INTEL, 0x1f25, PCS),		/* Avoton RAID */
	ID(INTEL, 0x1f26, PCS),		/* Avoton RAID */
	ID(INTEL, 0x1f27, PCS),		/* Avoton RAID */
	ID(INTEL, 0x1f2e, PCS),		/* Avoton RAID */
	ID(INTEL, 0x1f2f, PCS),		/* Avoton RAID */
	ID(INTEL, 0x1f32, AVOTON),	/* Avoton SATA 3 */
	ID(INTEL, 0x1f33, AVOTON),	/* Avoton SATA 3 */
	ID(INTEL, 0x1f34, AVOTON),	/* Avoton SATA 3 RAID */
	ID(INTEL, 0x1f35, AVOTON),	/* Avoton SATA 3 RAID */
	ID(INTEL, 0x1f36, AVOTON),	/* Avoton SATA 3 RAID */
	ID(INTEL, 0x1f37, AVOTON),	/* Avoton SATA 3 RAID */
	ID(INTEL, 0x1f3e, AVOTON),	/* Avoton SATA 3 RAID */
	ID(INTEL, 0x1f3f, AVOTON),	/* Avoton SATA 3 RAID */
	ID(INTEL, 0x22a3, PCS),		/* Cherry Trail */
	ID(INTEL, 0x2323, PCS),		/* DH89xxCC */
	ID(INTEL, 0x23a3, PCS),		/* Coleto Creek */
	ID(INTEL, 0x2652, ICH6),	/* ICH6 */
	ID(INTEL, 0x2653, ICH6),	/* ICH6M */
	ID(INTEL, 0x2681, PCS),		/* ESB2 */
	ID(INTEL, 0x2682, PCS),		/* ESB2 */
	ID(INTEL, 0x2683, PCS),		/* ESB2 */
	ID(INTEL, 0x27c1, PCS),		/* ICH7 */
	ID(INTEL, 0x27c3, PCS),		/* ICH7R */
	ID(INTEL, 0x27c5, PCS),		/* ICH7M */
	ID(INTEL, 0x27c6, PCS),		/* ICH7M DH */
	ID(INTEL, 0x2821, PCS),		/* ICH8 */
	ID(INTEL, 0x2822, PCS_NO_SNTF),	/* ICH8, Lewisburg RAID */
	ID(INTEL, 0x2823, PCS),		/* Wellsburg, Lewisburg */
	ID(INTEL, 0x2824, PCS),		/* ICH8 */
	ID(INTEL, 0x2826, PCS),		/* Wellsburg, Lewisburg RAID, SATA 0 */
	ID(INTEL, 0x2827, PCS),		/* Wellsburg, Lewisburg RAID, SATA 1 */
	ID(INTEL, 0x2829, PCS),		/* ICH8M */
	ID(INTEL, 0x282a, PCS),		/* ICH8M */
	ID(INTEL, 0x282f, PCS),		/* Wellsburg, Lewisburg RAID, SATA 2 */
	ID(INTEL, 0x2922, PCS),		/* ICH9 */
	ID(INTEL, 0x2923, PCS),		/* ICH9 */
	ID(INTEL, 0x2924, PCS),		/* ICH9 */
	ID(INTEL, 0x2925, PCS),		/* ICH9 */
	ID(INTEL, 0x2927, PCS),		/* ICH9 */
	ID(INTEL, 0x2929, PCS),		/* ICH9M */
	ID(INTEL, 0x292a, PCS),		/* ICH9M */
	ID(INTEL, 0x292b, PCS),		/* ICH9M */
	ID(INTEL, 0x292c, PCS),		/* ICH9M */
	ID(INTEL, 0x292f, PCS),		/* ICH9M */
	ID(INTEL, 0x294d, PCS),		/* ICH9 */
	ID(INTEL, 0x294e, PCS),		/* ICH9M */
	ID(INTEL, 0x34d3, PCS),		/* Ice Lake LP */
	ID(INTEL, 0x3a05, PCS),		/* ICH10 */
	ID(INTEL, 0x3a22, PCS),		/* ICH10 */
	ID(INTEL, 0x3a25, PCS),		/* ICH10 */
	ID(INTEL, 0x3b22, PCS),		/* 5 Series */
	ID(INTEL, 0x3b23, PCS),		/* 5 Series */
	ID(INTEL, 0x3b24, PCS),		/* 5 Series RAID */
	ID(INTEL, 0x3b25, PCS),		/* 5 Series RAID */
	ID(INTEL, 0x3b29, PCS),		/* 5 Series mobile */
	ID(INTEL, 0x3b2b, PCS),		/* 5 Series RAID */
	ID(INTEL, 0x3b2c, PCS),		/* 5 Series mobile RAID */
	ID(INTEL, 0x3b2f, PCS),		/* 5 Series */
	ID(INTEL, 0x43d4, PCS),		/* Rocket Lake PCH-H RAID */
	ID(INTEL, 0x43d5, PCS),		/* Rocket Lake PCH-H RAID */
	ID(INTEL, 0x43d6, PCS),		/* Rocket Lake PCH-H RAID */
	ID(INTEL, 0x43d7, PCS),		/* Rocket Lake PCH-H RAID */
	ID(INTEL, 0x4b63, PCS),		/* Elkhart Lake */
	ID(INTEL, 0x502a, PCS),		/* Tolapai */
	ID(INTEL, 0x502b, PCS),		/* Tolapai */
	ID(INTEL, 0x5ae3, PCS),		/* Apollo Lake */
	ID(INTEL, 0x8c02, PCS),		/* Lynx Point */
	ID(INTEL, 0x8c03, PCS),		/* Lynx Point mobile */
	ID(INTEL, 0x8c04, PCS),		/* Lynx Point RAID */
	ID(INTEL, 0x8c05, PCS),		/* Lynx Point mobile RAID */
	ID(INTEL, 0x8c06, PCS),		/* Lynx Point RAID */
	ID(INTEL, 0x8c07, PCS),		/* Lynx Point mobile RAID */
	ID(INTEL, 0x8c0e, PCS),		/* Lynx Point RAID */
	ID(INTEL, 0x8c0f, PCS),		/* Lynx Point mobile RAID */
	ID(INTEL, 0x8c82, PCS),		/* 9 Series */
	ID(INTEL, 0x8c83, PCS),		/* 9 Series mobile */
	ID(INTEL, 0x8c84, PCS),		/* 9 Series RAID */
	ID(INTEL, 0x8c85, PCS),		/* 9 Series mobile RAID */
	ID(INTEL, 0x8c86, PCS),		/* 9 Series RAID */
	ID(INTEL, 0x8c87, PCS),		/* 9 Series mobile RAID */
	ID(INTEL, 0x8c8e, PCS),		/* 9 Series RAID */
	ID(INTEL, 0x8c8f, PCS),		/* 9 Series mobile RAID */
	ID(INTEL, 0x8d02, PCS),		/* Wellsburg */
	ID(INTEL, 0x8d04, PCS),		/* Wellsburg RAID */
	ID(INTEL, 0x8d06, PCS),		/* Wellsburg RAID */
	ID(INTEL, 0x8d0e, PCS),		/* Wellsburg RAID */
	ID(INTEL, 0x8d62, PCS),		/* Wellsburg second */
	ID(INTEL, 0x8d64, PCS),		/* Wellsburg second RAID */
	ID(INTEL, 0x8d66, PCS),		/* Wellsburg second RAID */
	ID(INTEL, 0x8d6e, PCS),		/* Wellsburg second RAID */
	ID(INTEL, 0x9c02, PCS),		/* Lynx Point LP */
	ID(INTEL, 0x9c03, PCS),		/* Lynx Point LP */
	ID(INTEL, 0x9c04, PCS),		/* Lynx Point LP RAID */
	ID(INTEL, 0x9c05, PCS),		/* Lynx Point LP RAID */
	ID(INTEL, 0x9c06, PCS),		/* Lynx Point LP RAID */
	ID(INTEL, 0x9c07, PCS),		/* Lynx Point LP RAID */
	ID(INTEL, 0x9c0e, PCS),		/* Lynx Point LP RAID */
	ID(INTEL, 0x9c0f, PCS),		/* Lynx Point LP RAID */
	ID(INTEL, 0x9c83, PCS),		/* Wildcat Point LP */
	ID(INTEL, 0x9c85, PCS),		/* Wildcat Point LP RAID */
	ID(INTEL, 0x9c87, PCS),		/* Wildcat Point LP RAID */
	ID(INTEL, 0x9c8f, PCS),		/* Wildcat Point LP RAID */
	ID(INTEL, 0x9d03, PCS),		/* Sunrise Point LP */
	ID(INTEL, 0x9d05, PCS),		/* Sunrise Point LP RAID */
	ID(INTEL, 0x9d07, PCS),		/* Sunrise Point LP RAID */
	ID(INTEL, 0x9dd3, PCS),		/* Cannon Lake PCH-LP */
	ID(INTEL, 0xa102, PCS),		/* Sunrise Point-H */
	ID(INTEL, 0xa103, PCS),		/* Sunrise Point mobile */
	ID(INTEL, 0xa105, PCS),		/* Sunrise Point-H RAID */
	ID(INTEL, 0xa106, PCS),		/* Sunrise Point-H RAID */
	ID(INTEL, 0xa107, PCS),		/* Sunrise Point mobile RAID */
	ID(INTEL, 0xa10f, PCS),		/* Sunrise Point-H RAID */
	ID(INTEL, 0xa182, PCS),		/* Lewisburg */
	ID(INTEL, 0xa186, PCS),		/* Lewisburg RAID */
	ID(INTEL, 0xa1d2, PCS),		/* Lewisburg RAID */
	ID(INTEL, 0xa1d6, PCS),		/* Lewisburg RAID */
	ID(INTEL, 0xa202, PCS),		/* Lewisburg */
	ID(INTEL, 0xa206, PCS),		/* Lewisburg RAID */
	ID(INTEL, 0xa252, PCS),		/* Lewisburg RAID */
	ID(INTEL, 0xa256, PCS),		/* Lewisburg RAID */
	ID(INTEL, 0xa356, PCS),		/* Cannon Lake PCH-H RAID */
	ID(INTEL, 0xa386, PCS),		/* Comet Lake PCH-V RAID */
	ID_RAID(PCI_VENDOR_ID_INTEL, PCI_SUBVENDOR_ID_DELL, PCS), /* Dell S140, S150 */

	/* AMD, and ATI before */
	ID(AMD, 0x7800, PLAIN),		/* Hudson-2 */
	ID(AMD, 0x7801, NO_DEBOUNCE),	/* Hudson-2 in AHCI mode */
	ID(AMD, 0x7900, PLAIN),		/* Carrizo */
	ID(AMD, 0x7901, PLAIN),		/* Green Sardine */
	ID_RAID(PCI_VENDOR_ID_AMD, PCI_ANY_ID, PLAIN), /* no other RAID class */
	ID(ATI, 0x4380, SB600),		/* SB600 */
	ID(ATI, 0x4390, SB700),		/* SB700, SB800 */
	ID(ATI, 0x4391, SB700),		/* SB700, SB800 */
	ID(ATI, 0x4392, SB700),		/* SB700, SB800 */
	ID(ATI, 0x4393, SB700),		/* SB700, SB800 */
	ID(ATI, 0x4394, SB700),		/* SB700, SB800 */
	ID(ATI, 0x4395, SB700),		/* SB700, SB800 */

	/* NVIDIA */
	ID(NVIDIA, 0x044c, MCP65),	/* MCP65 */
	ID(NVIDIA, 0x044d, MCP65),	/* MCP65 */
	ID(NVIDIA, 0x044e, MCP65),	/* MCP65 */
	ID(NVIDIA, 0x044f, MCP65),	/* MCP65 */
	ID(NVIDIA, 0x045c, MCP65),	/* MCP65 */
	ID(NVIDIA, 0x045d, MCP65),	/* MCP65 */
	ID(NVIDIA, 0x045e, MCP65),	/* MCP65 */
	ID(NVIDIA, 0x045f, MCP65),	/* MCP65 */
	ID(NVIDIA, 0x0550, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0551, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0552, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0553, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0554, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0555, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0556, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0557, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0558, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0559, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x055a, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x055b, MCP65),	/* MCP67 */
	ID(NVIDIA, 0x0580, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0581, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0582, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0583, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0584, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0585, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0586, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0587, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0588, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x0589, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x058a, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x058b, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x058c, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x058d, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x058e, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x058f, MCP65),	/* shown to Linux */
	ID(NVIDIA, 0x07f0, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f1, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f2, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f3, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f4, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f5, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f6, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f7, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f8, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07f9, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07fa, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x07fb, MCP65),	/* MCP73 */
	ID(NVIDIA, 0x0ab4, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0ab5, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0ab6, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0ab7, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0ab8, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0ab9, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0aba, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0abb, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0abc, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0abd, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0abe, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0abf, MCP77),	/* MCP79 */
	ID(NVIDIA, 0x0ad0, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad1, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad2, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad3, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad4, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad5, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad6, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad7, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad8, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ad9, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0ada, MCP77),	/* MCP77 */
	ID(NVIDIA, 0x0adb, MCP77),	/* MCP77 */
	ID_SUB(NVIDIA, 0x0d85, APPLE, 0xcb89, MCP89_APPLE), /* MacBook7,1 */
	ID(NVIDIA, 0x0d84, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d85, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d86, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d87, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d88, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d89, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d8a, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d8b, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d8c, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d8d, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d8e, MCP89),	/* MCP89 */
	ID(NVIDIA, 0x0d8f, MCP89),	/* MCP89 */

	/* JMicron; the other function of these chips is an IDE controller */
	ID(JMICRON, 0x0582, JMB58X),	/* JMB582 */
	ID(JMICRON, 0x0585, JMB58X),	/* JMB585 */
	ID_AHCI(JMICRON, 0x2361, JMB361), /* JMB361 */
	ID(JMICRON, 0x2362, IGN_IFS),	/* JMB362B, its AHCI has the IDE class */
	ID(JMICRON, 0x236f, IGN_IFS),	/* JMB362C likewise */
	ID_AHCI(JMICRON, PCI_ANY_ID, IGN_IFS), /* JMB360, 363, 365, 366 */

	/* Marvell */
	ID(MARVELL, 0x6121, MV6121),	/* 88SE6121 */
	ID(MARVELL, 0x6145, MV6145),	/* 88SE6145 */
	ID_AHCI(MARVELL_EXT, 0x9123, FBS), /* 88SE9128 */
	ID(MARVELL_EXT, 0x9125, FBS),	/* 88SE9125 */
	ID(MARVELL_EXT, 0x9172, FBS),	/* 88SE9182 */
	ID_SUB(MARVELL_EXT, 0x9178, MARVELL_EXT, 0x9170, FBS), /* 88SE9170 */
	ID(MARVELL_EXT, 0x917a, FBS),	/* 88SE9172 */
	ID(MARVELL_EXT, 0x9182, FBS),	/* 88SE9172 */
	ID(MARVELL_EXT, 0x9192, FBS),	/* 88SE9172 on some Gigabyte boards */
	ID(MARVELL_EXT, 0x91a0, FBS),	/* 88SE91A0 */
	ID(MARVELL_EXT, 0x91a2, FBS),	/* 88SE91A2 */
	ID(MARVELL_EXT, 0x91a3, FBS),	/* 88SE91A3 */
	ID(MARVELL_EXT, 0x9215, FBS_ATAPI), /* 88SE9215 */
	ID(MARVELL_EXT, 0x9230, FBS),	/* 88SE9230 */
	ID(MARVELL_EXT, 0x9235, NO_DEBOUNCE), /* 88SE9235 */
	ID(TTI, 0x0642, FBS),		/* HighPoint RocketRAID 642L */
	ID(TTI, 0x0645, FBS),		/* HighPoint RocketRAID 644L */

	/* ASMedia */
	ID(ASMEDIA, 0x0601, 43BIT),	/* ASM1060 */
	ID(ASMEDIA, 0x0602, 43BIT),	/* ASM1060 */
	ID(ASMEDIA, 0x0611, 43BIT),	/* ASM1061 */
	ID(ASMEDIA, 0x0612, 43BIT),	/* ASM1061, ASM1062 */
	ID(ASMEDIA, 0x0621, 43BIT),	/* ASM1061R */
	ID(ASMEDIA, 0x0622, 43BIT),	/* ASM1062R */
	ID(ASMEDIA, 0x0624, 43BIT),	/* ASM1062 with a JMB575 */
	ID(ASMEDIA, 0x1062, PLAIN),	/* ASM1062A */
	ID(ASMEDIA, 0x1064, PLAIN),	/* ASM1064 */
	ID(ASMEDIA, 0x1164, PLAIN),	/* ASM1164 */
	ID(ASMEDIA, 0x1165, PLAIN),	/* ASM1165 */
	ID(ASMEDIA, 0x1166, PLAIN),	/* ASM1166 */

	/* Others */
	ID(AL, 0x5288, IGN_IFS),	/* ULi M5288 */
	ID_AHCI(AMAZON_ANNAPURNA_LABS, 0x0031, ANNAPURNA), /* Alpine */
	ID_AHCI(CAVIUM, 0xa01c, THUNDERX), /* ThunderX */
	ID_AHCI(CAVIUM, 0xa084, CAVIUM_GEN5), /* fifth generation */
	{ PCI_DEVICE(0x1c44, 0x8000), .driver_data = BOARD_ENMOTUS }, /* Enmotus */
	ID_AHCI(HUAWEI, 0xa235, HUAWEI), /* Kunpeng */
	ID(LOONGSON, 0x7a08, BAR0),	/* LS7A */
	ID(PROMISE, 0x3781, PROMISE),	/* FastTrak TX8660 in AHCI mode */
	ID(PROMISE, 0x3f20, PROMISE),	/* PDC42819 */
	ID(SAMSUNG, 0x1600, NO_MSI),	/* SSD of a MacBook */
	ID(SAMSUNG, 0xa800, NO_MSI),	/* SSD of a MacBook */
	ID(SI, 0x0186, PLAIN),		/* SiS 968 */
	ID(SI, 0x1184, PLAIN),		/* SiS 966 */
	ID(SI, 0x1185, PLAIN),		/* SiS 968 */
	ID(STMICRO, 0xcc06, BAR0),	/* ConneXt */
	ID(VIA, 0x3349, VT8251),	/* VT8251 */
	ID(VIA, 0x6287, VT8251),	/* VT8251 */

	/* Whatever says that it is an AHCI controller */
	{ PCI_DEVICE_CLASS(PCI_CLASS_STORAGE_SATA_AHCI, 0xffffff),
	  .driver_data = BOARD_PLAIN },
	{ }
};

/* --- Machines --- */

/**
 * struct machine - what a computer's firmware or wiring asks for
 * @at: bus and function it is about (PCI_DEVID)
 * @at_mask: which bits of that count, 0: it is about every controller
 * @until: first good BIOS date, yyyymmdd; 0: none is known
 * @since: what this allows is safe from that BIOS date on; 0: from any
 * @cap: bits that CAP must have set
 * @quirks: AHCIF_* to add
 * @not_quirks: AHCIF_* to take away
 * @ata_flags: ATA_FLAG_* to add
 * @force_port_map: what PI should say
 * @gtf_filter: ATA_ACPI_FILTER_* to add
 * @hardreset: resets a link
 * @says: for the log
 */
struct machine {
	u16		at;
	u16		at_mask;
	u32		until;
	u32		since;
	u32		cap;
	u32		quirks;
	u32		not_quirks;
	unsigned long	ata_flags;
	u32		force_port_map;
	unsigned int	gtf_filter;
	int		(*hardreset)(struct ata_link *link, unsigned int *class,
				     unsigned long deadline);
	const char	*says;
};

#define MACHINE(name, field1, text1, field2, text2, ...) { \
	.ident = name, \
	.matches = { DMI_MATCH(field1, text1), DMI_MATCH(field2, text2) }, \
	.driver_data = (void *)&(const struct machine) { __VA_ARGS__ }, \
}

#define AT(bus, slot, func) \
	.at = PCI_DEVID(bus, PCI_DEVFN(slot, func)), .at_mask = U16_MAX

#define ALLOW_64BIT \
	AT(0, 0x12, 0), .not_quirks = AHCIF_32BIT_ONLY, \
	.says = "64-bit DMA works"
#define NO_SPINDOWN \
	.at = PCI_DEVFN(0x1f, 0), .at_mask = PCI_DEVFN(0x1f, 0), \
	.ata_flags = ATA_FLAG_NO_POWEROFF_SPINDOWN, \
	.says = "the BIOS stops the disks at power off, Linux does not"
#define NO_SUSPEND \
	AT(0, 0x1f, 2), .quirks = AHCIF_NO_SUSPEND, \
	.says = "disks do not come back from suspend, so it is refused"
#define NO_LPM \
	.ata_flags = ATA_FLAG_NO_LPM, \
	.says = "link power management is broken, so it is off"
#define SRST_OFFLINE \
	.quirks = AHCIF_SRST_OFFLINE, \
	.says = "a link that answers no soft reset counts as empty"

#define ASUS		"ASUSTeK Computer INC."
#define ASUSTEK		"ASUSTeK COMPUTER INC."
#define GIGABYTE	"Gigabyte Technology Co., Ltd."
#define HP		"Hewlett-Packard"

static const struct dmi_system_id machines[] = {
	/*
	 * SB600: most boards corrupt data with 64-bit addresses, so BOARD_SB600
	 * is held to 32 bits. These were tested and do not, bugzilla 9412. MSI
	 * misspelt its own name before BIOS 1.5, hence the short match.
	 */
	MACHINE("ASUS M2A-VM", DMI_BOARD_VENDOR, ASUS,
		DMI_BOARD_NAME, "M2A-VM",
		ALLOW_64BIT, .since = 20071026),	/* 1501, 0901 is bad */
	MACHINE("MSI K9A2 Platinum", DMI_BOARD_VENDOR, "MICRO-STAR INTER",
		DMI_BOARD_NAME, "MS-7376", ALLOW_64BIT),
	MACHINE("MSI K9AGM2", DMI_BOARD_VENDOR, "MICRO-STAR INTER",
		DMI_BOARD_NAME, "MS-7327", ALLOW_64BIT),
	MACHINE("ASUS M3A", DMI_BOARD_VENDOR, ASUS,
		DMI_BOARD_NAME, "M3A", ALLOW_64BIT),

	/*
	 * At power off these spin up a disk that Linux has spun down, to spin
	 * it down again. Of on-board controllers only, hence the slot.
	 */
	MACHINE("HP Compaq nx6310", DMI_SYS_VENDOR, HP,
		DMI_PRODUCT_NAME, "HP Compaq nx6310", NO_SPINDOWN),
	MACHINE("HP Compaq 6720s", DMI_SYS_VENDOR, HP,
		DMI_PRODUCT_NAME, "HP Compaq 6720s", NO_SPINDOWN),

	/*
	 * After suspend to RAM the link to the disk stays down, with it what
	 * was not written. Bugzilla 12276; 15462 for why dates and not
	 * versions: HP uses both names and versions again. 15104: G725, where
	 * 1.03 is bad, 3.04 good and nothing known between.
	 */
	MACHINE("HP Pavilion dv4", DMI_SYS_VENDOR, HP,
		DMI_PRODUCT_NAME, "HP Pavilion dv4 Notebook PC",
		NO_SUSPEND, .until = 20090105),		/* F.30 */
	MACHINE("HP Pavilion dv5", DMI_SYS_VENDOR, HP,
		DMI_PRODUCT_NAME, "HP Pavilion dv5 Notebook PC",
		NO_SUSPEND, .until = 20090506),		/* F.16 */
	MACHINE("HP Pavilion dv6", DMI_SYS_VENDOR, HP,
		DMI_PRODUCT_NAME, "HP Pavilion dv6 Notebook PC",
		NO_SUSPEND, .until = 20090423),		/* F.21 */
	MACHINE("HP HDX18", DMI_SYS_VENDOR, HP,
		DMI_PRODUCT_NAME, "HP HDX18 Notebook PC",
		NO_SUSPEND, .until = 20090430),		/* F.23 */
	MACHINE("eMachines G725", DMI_SYS_VENDOR, "eMachines",
		DMI_PRODUCT_NAME, "eMachines G725",
		NO_SUSPEND, .until = 20091216),		/* 3.04 */

	/*
	 * Disks vanish or time out once their links save power. The W541's
	 * date is that of the release notes. On the B550-F it is ports 5 and 6
	 * of 1022:43eb, seen with WD20EFAX, and no other port.
	 */
	MACHINE("ThinkPad X250", DMI_SYS_VENDOR, "LENOVO",
		DMI_PRODUCT_VERSION, "ThinkPad X250",
		NO_LPM, .until = 20180406),		/* 1.31 */
	MACHINE("ThinkPad L450", DMI_SYS_VENDOR, "LENOVO",
		DMI_PRODUCT_VERSION, "ThinkPad L450",
		NO_LPM, .until = 20180420),		/* 1.28 */
	MACHINE("ThinkPad T450s", DMI_SYS_VENDOR, "LENOVO",
		DMI_PRODUCT_VERSION, "ThinkPad T450s",
		NO_LPM, .until = 20180315),		/* 1.33 */
	MACHINE("ThinkPad W541", DMI_SYS_VENDOR, "LENOVO",
		DMI_PRODUCT_VERSION, "ThinkPad W541",
		NO_LPM, .until = 20180310),		/* 2.35 */
	MACHINE("ASUSPRO D840MB", DMI_SYS_VENDOR, ASUSTEK,
		DMI_PRODUCT_NAME, "ASUSPRO D840MB_M840SA",
		NO_LPM),				/* 320 is bad */
	MACHINE("ROG STRIX B550-F", DMI_BOARD_VENDOR, ASUSTEK,
		DMI_BOARD_NAME, "ROG STRIX B550-F GAMING (WI-FI)",
		NO_LPM),				/* 3621 is bad */

	/*
	 * A SiI 5723 on the board makes a RAID. Some of its firmware keeps the
	 * link up with no disk behind, and answers neither soft reset nor
	 * IDENTIFY: detection takes minutes. It does answer the second reset,
	 * with a signature that means nothing.
	 */
	MACHINE("Gigabyte EP45-DQ6", DMI_BOARD_VENDOR, GIGABYTE,
		DMI_BOARD_NAME, "EP45-DQ6", AT(0x0a, 0, 0), SRST_OFFLINE),
	MACHINE("Gigabyte EP45-DS5", DMI_BOARD_VENDOR, GIGABYTE,
		DMI_BOARD_NAME, "EP45-DS5", AT(0x03, 0, 0), SRST_OFFLINE),

	MACHINE("ASUS P5W DH Deluxe", DMI_SYS_VENDOR, "ASUSTEK COMPUTER INC",
		DMI_PRODUCT_NAME, "P5W DH Deluxe",
		AT(0, 0x1f, 2), .hardreset = p5wdh_hardreset,
		.says = "the second port leads to a SiI 4726"),

	/*
	 * Its ACPI sends the disk commands, among them one that turns on DMA
	 * setup offsets. The controller is not told, and queueing fails.
	 */
	MACHINE("Acer Aspire 3810T", DMI_SYS_VENDOR, "Acer",
		DMI_PRODUCT_NAME, "Aspire 3810T",
		.gtf_filter = ATA_ACPI_FILTER_FPDMA_OFFSET,
		.says = "ACPI may not turn on DMA setup offsets"),

	/*
	 * At times NP says one or two ports and PI none; all three ports are
	 * missing then or lose their links for good (bugzilla 189471). With
	 * three ports named it happens far less.
	 */
	MACHINE("Acer Switch Alpha 12", DMI_SYS_VENDOR, "Acer",
		DMI_PRODUCT_NAME, "Switch SA5-271",
		.cap = 0xc734ff00, .force_port_map = GENMASK(2, 0),
		.says = "using three ports whatever the controller says"),
	{ }
};

static u32 bios_date(void)
{
	int year, month, day;

	/* 0 where nobody knows: as the oldest, which is the careful guess */
	dmi_get_date(DMI_BIOS_DATE, &year, &month, &day);
	return year * 10000 + month * 100 + day;
}

static bool machine_applies(struct ahcif_pci *p,
			    const struct dmi_system_id *dmi)
{
	const struct machine *m = dmi->driver_data;
	u16 here = PCI_DEVID(p->pdev->bus->number, p->pdev->devfn);

	if ((here ^ m->at) & m->at_mask)
		return false;
	if (m->cap && (readl(p->host.mmio + AHCI_CAP) & m->cap) != m->cap)
		return false;
	if (m->until && bios_date() >= m->until)
		return false;
	if (m->since && bios_date() < m->since) {
		pci_warn(p->pdev, "%s: %s, but only with a BIOS from %u on\n",
			 dmi->ident, m->says, m->since);
		return false;
	}
	return true;
}

static void apply_machine(struct ahcif_pci *p,
			  const struct dmi_system_id *dmi)
{
	const struct machine *m = dmi->driver_data;
	struct ahcif_host *h = &p->host;

	pci_warn(p->pdev, "%s: %s%s\n", dmi->ident, m->says,
		 m->until ? "; a newer BIOS cures this" : "");
	h->quirks = (h->quirks | m->quirks) & ~m->not_quirks;
	h->ata_flags |= m->ata_flags;
	p->gtf_filter |= m->gtf_filter;
	if (m->force_port_map)
		h->force_port_map = m->force_port_map;
	if (m->hardreset)
		p->glue.hardreset = m->hardreset;
}

/* --- What the host file calls --- */

static int use_vector(struct ahcif_host *h, const char *kind)
{
	int irq = pci_irq_vector(to_pci_dev(h->dev), 0);

	if (irq <= 0) {
		dev_err(h->dev, "no interrupt\n");
		return -ENODEV;
	}
	h->irq = irq;
	dev_info(h->dev, "interrupt %d by %s\n", irq, kind);
	return 0;
}

/* A ladder: what is cheapest for the CPU first */
static int setup_irq(struct ahcif_host *h)
{
	struct pci_dev *pdev = to_pci_dev(h->dev);
	bool wanted = msi && !(h->quirks & AHCIF_NO_MSI);

	h->irq_exclusive = true;
	if (wanted && pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSI) == 1)
		return use_vector(h, "MSI");
	if (wanted && pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSIX) == 1)
		return use_vector(h, "MSI-X");

	h->irq_exclusive = false;
	pci_intx(pdev, 1);
	return use_vector(h, "INTx");
}

static void after_reset(struct ahcif_host *h)
{
	struct ahcif_pci *p = to_pci_host(h);

	if (h->quirks & AHCIF_PCS)
		pcs_enable(p, h->port_map, true);
	/* The PATA port follows the last SATA port, and may hold an event */
	if (h->quirks & AHCIF_MV_PATA)
		ahcif_port_quiesce(h, fls(p->board->mask_port_map));
	/*
	 * Not before the reset: what the firmware or a crashed kernel left
	 * running would write to memory that is ours by now.
	 */
	pci_set_master(p->pdev);
}

static void filter_gtf(struct ata_port *ap, unsigned int filter)
{
#ifdef CONFIG_ATA_ACPI
	struct ata_device *dev;

	ata_for_each_dev(dev, &ap->link, ALL)
		dev->gtf_filter |= filter;
#endif
}

static void tune_port(struct ahcif_host *h, struct ata_port *ap)
{
	struct ahcif_pci *p = to_pci_host(h);

	ata_port_pbar_desc(ap, p->bar, -1, "abar");
	filter_gtf(ap, p->gtf_filter);
	if (p->glue.hardreset == p5wdh_hardreset &&
	    ap->port_no == P5WDH_PORT)
		ap->link.flags |= ATA_LFLAG_NO_SRST | ATA_LFLAG_ASSUME_ATA;
}

/* --- Probe, a step a function --- */

static bool left_to_pata_marvell(struct pci_dev *pdev)
{
	if (pdev->vendor != PCI_VENDOR_ID_MARVELL || marvell_enable)
		return false;
	pci_info(pdev, "left to pata_marvell, marvell_enable=1 takes it\n");
	return true;
}

static struct ahcif_pci *alloc_host(struct pci_dev *pdev,
				    unsigned int board_id)
{
	const struct board *board = &boards[board_id];
	struct ahcif_pci *p;

	p = devm_kzalloc(&pdev->dev, sizeof(*p), GFP_KERNEL);
	if (!p)
		return NULL;
	p->pdev = pdev;
	p->board = board;
	p->board_id = board_id;
	mutex_init(&p->pcs_lock);
	p->glue.setup_irq = setup_irq;
	p->glue.after_reset = after_reset;
	p->glue.tune_port = tune_port;
	p->glue.hardreset = board->hardreset;

	p->host.dev = &pdev->dev;
	p->host.glue = &p->glue;
	p->host.quirks = board->quirks;
	p->host.ata_flags = board->ata_flags;
	p->host.link_flags = board->link_flags;
	p->host.force_port_map = board->force_port_map;
	if (board->notice)
		pci_info(pdev, "%s\n", board->notice);
	return p;
}

static void apply_revision(struct ahcif_pci *p)
{
	const struct revision *r = revisions;
	int i;

	for (i = 0; i < ARRAY_SIZE(revisions); i++, r++) {
		if (r->board != p->board_id ||
		    p->pdev->revision < r->first ||
		    p->pdev->revision > r->last)
			continue;
		p->host.quirks = (p->host.quirks | r->set) & ~r->clear;
	}
}

static void config_bits(struct pci_dev *pdev, int where, u32 clear, u32 set)
{
	u32 val;

	pci_read_config_dword(pdev, where, &val);
	pci_write_config_dword(pdev, where, (val & ~clear) | set);
}

/*
 * MacBook7,1 in BIOS mode: firmware turns the controller into an IDE one, at
 * each resume again. This gives it back the class of an AHCI controller; the
 * device id stays changed, which does no harm.
 */
static void enable_mcp89(struct ahcif_pci *p)
{
	struct pci_dev *pdev = p->pdev;

	if (p->board_id != BOARD_MCP89_APPLE)
		return;
	pci_info(pdev, "enabling the AHCI mode that firmware turned off\n");
	config_bits(pdev, MCP89_LOCK, 0, MCP89_LOCK_OPEN);
	config_bits(pdev, MCP89_CLASS_LOCK, 0, MCP89_CLASS_LOCK_OPEN);
	config_bits(pdev, MCP89_CLASS, ~0xffU,
		    PCI_CLASS_STORAGE_SATA_AHCI << 8);
	config_bits(pdev, MCP89_CLASS_LOCK, MCP89_CLASS_LOCK_OPEN, 0);
	config_bits(pdev, MCP89_LOCK, MCP89_LOCK_OPEN, 0);
}

/*
 * ICH6 has one id for its IDE and its AHCI face. In combined mode the IDE
 * function owns some of the ports, and ata_piix drives them.
 */
static int refuse_combined(struct ahcif_pci *p)
{
	u8 map;

	if (p->board_id != BOARD_ICH6)
		return 0;
	pci_read_config_byte(p->pdev, ICH_MAP, &map);
	if (!(map & ICH_MAP_MV))
		return 0;
	pci_info(p->pdev, "in combined mode, left to ata_piix\n");
	return -ENODEV;
}

/*
 * All BARs are claimed, not just ours: many controllers show their ports in an
 * IDE interface as well, and nobody else may use that now.
 */
static int map_registers(struct ahcif_pci *p)
{
	u32 bars = p->board->bars ?: BIT(AHCIF_ABAR);
	struct pci_dev *pdev = p->pdev;
	int rc;

	p->bar = __ffs(bars);
	if (!(pci_resource_flags(pdev, p->bar) & IORESOURCE_MEM)) {
		pci_err(pdev, "BAR %d is no memory, so no AHCI\n", p->bar);
		return -ENODEV;
	}
	rc = pcim_iomap_regions_request_all(pdev, bars, AHCIF_NAME);
	/* Another driver lives on this device: leave it enabled */
	if (rc == -EBUSY)
		pcim_pin_device(pdev);
	if (rc)
		return rc;
	p->host.mmio = pcim_iomap_table(pdev)[p->bar];
	p->host.mmio_len = pci_resource_len(pdev, p->bar);
	return 0;
}

static void apply_machines(struct ahcif_pci *p)
{
	const struct dmi_system_id *dmi = dmi_first_match(machines);

	for (; dmi; dmi = dmi_first_match(dmi + 1))
		if (machine_applies(p, dmi))
			apply_machine(p, dmi);
}

static int mask_ports(struct ahcif_pci *p)
{
	u32 sata = p->board->mask_port_map ?: U32_MAX;
	u32 asked;
	int rc;

	rc = asked_mask(pci_name(p->pdev), &asked);
	if (rc)
		return rc;
	sata &= asked ?: U32_MAX;
	if (!sata) {
		pci_err(p->pdev, "mask_port_map=%#x leaves no port\n", asked);
		return -ENODEV;
	}
	p->host.mask_port_map = sata == U32_MAX ? 0 : sata;
	return 0;
}

/*
 * Intel's "RAID mode" hides NVMe disks behind the AHCI controller. Nothing
 * reaches them there, so the user should know. They share its interrupt, and
 * MSI-X does not work in that mode: only INTx is safe.
 */
static void find_remapped(struct ahcif_pci *p)
{
	void __iomem *mmio = p->host.mmio;
	u32 map;
	int i;

	if (p->pdev->vendor != PCI_VENDOR_ID_INTEL || p->bar != AHCIF_ABAR ||
	    p->host.mmio_len < SZ_512K || !(readl(mmio + AHCI_VSCAP) & 1))
		return;

	map = readl(mmio + AHCI_REMAP_CAP);
	for (i = 0; i < AHCI_MAX_REMAP; i++)
		if (map & BIT(i) && readl(mmio + ahci_remap_dcc(i)) ==
				    PCI_CLASS_STORAGE_EXPRESS)
			p->remapped_nvme++;
	if (!p->remapped_nvme)
		return;

	pci_warn(p->pdev, "%u NVMe disks are hidden behind this controller, choose AHCI instead of RAID in the BIOS to use them\n",
		 p->remapped_nvme);
	p->host.quirks |= AHCIF_NO_MSI;
}

/* Not from pdev->class: that was read before enable_mcp89() */
static void name_mode(struct ahcif_pci *p)
{
	u16 class;

	pci_read_config_word(p->pdev, PCI_CLASS_DEVICE, &class);
	switch (class) {
	case PCI_CLASS_STORAGE_IDE:
		p->host.mode = "IDE";
		break;
	case PCI_CLASS_STORAGE_SATA:
		p->host.mode = "SATA";
		break;
	case PCI_CLASS_STORAGE_RAID:
		p->host.mode = "RAID";
		break;
	default:
		p->host.mode = "unknown";
	}
}

static void write_latency(struct pci_dev *pdev)
{
	if (pci_latency)
		pci_write_config_byte(pdev, PCI_LATENCY_TIMER, pci_latency);
}

static int ahcif_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct ahcif_pci *p;
	int rc;

	if (left_to_pata_marvell(pdev))
		return -ENODEV;
	p = alloc_host(pdev, id->driver_data);
	if (!p)
		return -ENOMEM;
	apply_revision(p);
	enable_mcp89(p);
	rc = pcim_enable_device(pdev);
	if (rc)
		return rc;
	rc = refuse_combined(p);
	if (rc)
		return rc;
	rc = map_registers(p);
	if (rc)
		return rc;
	apply_machines(p);
	rc = mask_ports(p);
	if (rc)
		return rc;
	find_remapped(p);
	name_mode(p);
	write_latency(pdev);
	rc = ahcif_host_attach(&p->host);
	if (rc)
		return rc;
	/* The PCI core took a reference; from here on "auto" may suspend */
	pm_runtime_put_noidle(&pdev->dev);
	return 0;
}

static void ahcif_pci_remove(struct pci_dev *pdev)
{
	pm_runtime_get_noresume(&pdev->dev);
	ahcif_host_detach(&dev_to_pci_host(&pdev->dev)->host);
}

static void ahcif_pci_shutdown(struct pci_dev *pdev)
{
	ahcif_host_shutdown(&dev_to_pci_host(&pdev->dev)->host);
}

/* --- Power --- */

static int ahcif_pci_suspend(struct device *dev)
{
	struct ahcif_host *h = &dev_to_pci_host(dev)->host;

	if (h->quirks & AHCIF_NO_SUSPEND) {
		dev_err(dev, "suspend refused: this BIOS loses the disks, update it\n");
		return -EIO;
	}
	ahcif_host_suspend(h, PMSG_SUSPEND);
	return 0;
}

static int ahcif_pci_resume(struct device *dev)
{
	struct ahcif_pci *p = dev_to_pci_host(dev);

	enable_mcp89(p);
	write_latency(p->pdev);
	return ahcif_host_resume(&p->host);
}

/* No interrupt may come from a device in D3, 8.3.3 */
static int ahcif_pci_runtime_suspend(struct device *dev)
{
	ahcif_host_irq_off(&dev_to_pci_host(dev)->host);
	return 0;
}

static int ahcif_pci_runtime_resume(struct device *dev)
{
	struct ahcif_pci *p = dev_to_pci_host(dev);

	write_latency(p->pdev);
	return ahcif_host_restart(&p->host);
}

static const struct dev_pm_ops ahcif_pci_pm_ops = {
	SYSTEM_SLEEP_PM_OPS(ahcif_pci_suspend, ahcif_pci_resume)
	RUNTIME_PM_OPS(ahcif_pci_runtime_suspend, ahcif_pci_runtime_resume, NULL)
};

/* --- Driver --- */

static ssize_t remapped_nvme_show(struct device *dev,
				  struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", dev_to_pci_host(dev)->remapped_nvme);
}
static DEVICE_ATTR_RO(remapped_nvme);

static struct attribute *ahcif_pci_attrs[] = {
	&dev_attr_remapped_nvme.attr,
	NULL
};
ATTRIBUTE_GROUPS(ahcif_pci);

static struct pci_driver ahcif_pci_driver = {
	.name		= AHCIF_NAME,
	.id_table	= pci_ids,
	.probe		= ahcif_pci_probe,
	.remove		= ahcif_pci_remove,
	.shutdown	= ahcif_pci_shutdown,
	.dev_groups	= ahcif_pci_groups,
	.driver.pm	= pm_ptr(&ahcif_pci_pm_ops),
};

int ahcif_pci_register(void)
{
	return pci_register_driver(&ahcif_pci_driver);
}

void ahcif_pci_unregister(void)
{
	pci_unregister_driver(&ahcif_pci_driver);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * The controller of Allwinner's A10, A20 and R40: clocks, supplies, reset, PHY,
 * and the depths of its DMA FIFO (P0DMACR). All else is ahci_fast's.
 *
 * Its core is DesignWare's. Allwinner publishes no description of it, Texas
 * Instruments describes the same core in the AM1808's manual (SPRUH82, chapter
 * 28); the steps that start the PHY are known from the vendor's kernel alone.
 */
#include <linux/clk.h>
#include <linux/delay.h>
#include <linux/iopoll.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/regulator/consumer.h>
#include <linux/reset.h>

#include "ahci_fast.h"

#define SUNXI_NAME	"ahci_sunxi_fifo"

/* --- Registers beyond those of AHCI --- */

#define PHYCS0R			0xc0	/* PHY control and status */
#define PHYCS0R_POWER_UP	BIT(19)
#define PHYCS0R_STATE		GENMASK(30, 28)
#define PHYCS0R_STATE_UP	2
#define PHYCS1R			0xc4
#define PHYCS1R_HOLD		BIT(19)	/* set while the rest is set up */
#define PHYCS2R			0xc8
#define PHYCS2R_CALIBRATE	BIT(24)	/* clears itself when done */

/* FIFO depths, as powers of two; 0 on controllers that do not say */
#define PPARAMR			0xf0
#define PPARAMR_RX_DEPTH	GENMASK(3, 0)
#define PPARAMR_TX_DEPTH	GENMASK(7, 4)

/* 0 while the PHY is set up, all bits when it is; what they do is not known */
#define RWCR			0xfc
#define RWCR_ALL		GENMASK(2, 0)

/*
 * DMA of port 0. TXTS and RXTS: a transaction is 2^n DWORDs. TXABL and RXABL: a
 * burst on the bus is at most 2^(n-1) DWORDs, 0 for 256. A field each of 4 bits,
 * all to be changed with the command list at rest. The rest is reserved.
 */
#define P0DMACR			(AHCI_PORTS + 0x70)
#define P0DMACR_TXTS		GENMASK(3, 0)
#define P0DMACR_RXTS		GENMASK(7, 4)
#define P0DMACR_TXABL		GENMASK(11, 8)
#define P0DMACR_RXABL		GENMASK(15, 12)
#define P0DMACR_FIELDS		GENMASK(15, 0)
#define P0DMACR_FIELD_MAX	15

/* The only port */
#define SUNXI_PORT		0

#define A10_COMPATIBLE		"allwinner,sun4i-a10-ahci"
#define R40_COMPATIBLE		"allwinner,sun8i-r40-ahci"

/* Power takes some 50 us and calibration 10 us; a bound for what never comes */
#define PHY_POLL_US		10
#define PHY_WAIT_US		(100 * USEC_PER_MSEC)

/* A FIFO of less than 16 DWORDs does not exist: such a PPARAMR says nothing */
#define FIFO_DEPTH_MIN		4

/* --- FIFO depths: what may be asked for --- */

enum fifo_field_no { TXTS, RXTS, TXABL, RXABL, FIFO_FIELDS };

/**
 * struct fifo_field - a field of P0DMACR
 * @mask: its bits
 * @name: its parameter and its attribute
 * @tested: the largest value boards are known to work with
 * @standard: the value without anybody's wish
 * @depth: field of PPARAMR that limits it, 0: none
 * @property: the device tree's name for it, null: none
 */
struct fifo_field {
	u32			mask;
	const char		*name;
	unsigned int		tested;
	unsigned int		standard;
	u32			depth;
	const char		*property;
};

/*
 * Written with 0x4433 an A20 writes 120 to 132 MB/s, without 36 to 45. Values
 * above the tested ones have corrupted file systems.
 */
static const struct fifo_field fifo_fields[] = {
	[TXTS] = { .mask = P0DMACR_TXTS, .name = "txts", .tested = 4, .standard = 3,
		   .depth = PPARAMR_TX_DEPTH, .property = "snps,tx-ts-max" },
	[RXTS] = { .mask = P0DMACR_RXTS, .name = "rxts", .tested = 4, .standard = 3,
		   .depth = PPARAMR_RX_DEPTH, .property = "snps,rx-ts-max" },
	[TXABL] = { .mask = P0DMACR_TXABL, .name = "txabl", .tested = 8, .standard = 4 },
	[RXABL] = { .mask = P0DMACR_RXABL, .name = "rxabl", .tested = 8, .standard = 4 },
};

#define FIFO_UNASKED	(-1)

/* The parameters */
static int fifo_asked[FIFO_FIELDS] = {
	FIFO_UNASKED, FIFO_UNASKED, FIFO_UNASKED, FIFO_UNASKED,
};

static int *fifo_asked_for(const struct fifo_field *f)
{
	return &fifo_asked[f - fifo_fields];
}

/* FIELD_GET and FIELD_PREP with a mask that is no constant */
static unsigned int get_field(u32 mask, u32 reg)
{
	return (reg & mask) >> __ffs(mask);
}

static u32 put_field(u32 mask, u32 reg, unsigned int value)
{
	return (reg & ~mask) | value << __ffs(mask);
}

/* No text but a number of 4 bits; the rest is looked at when all is known */
static int fifo_param_set(const char *text, const struct kernel_param *kp)
{
	const struct fifo_field *f = kp->arg;
	unsigned int value;
	int rc = kstrtouint(text, 0, &value);

	if (!rc && value <= P0DMACR_FIELD_MAX) {
		*fifo_asked_for(f) = value;
		return 0;
	}
	pr_err(SUNXI_NAME ": parameter %s: '%.*s' is not 0..%u\n", f->name,
	       (int)strcspn(text, "\n"), text, f->tested);
	return rc ?: -ERANGE;
}

static int fifo_param_get(char *buffer, const struct kernel_param *kp)
{
	const struct fifo_field *f = kp->arg;
	int asked = *fifo_asked_for(f);

	return sysfs_emit(buffer, "%d\n",
			  asked == FIFO_UNASKED ? (int)f->standard : asked);
}

static const struct kernel_param_ops fifo_param_ops = {
	.set = fifo_param_set,
	.get = fifo_param_get,
};

#define FIFO_PARAM(_name, _no, _desc)					\
	module_param_cb(_name, &fifo_param_ops,				\
			(void *)&fifo_fields[_no], 0444);		\
	__MODULE_PARM_TYPE(_name, "uint");				\
	MODULE_PARM_DESC(_name, _desc)

FIFO_PARAM(txts, TXTS, "TXTS: transmit transaction of 2^n DWORDs [0..4, default 3]");
FIFO_PARAM(rxts, RXTS, "RXTS: receive transaction of 2^n DWORDs [0..4, default 3]");
FIFO_PARAM(txabl, TXABL, "TXABL: transmit burst of 2^(n-1) DWORDs, 0: 256 [0..8, default 4]");
FIFO_PARAM(rxabl, RXABL, "RXABL: receive burst of 2^(n-1) DWORDs, 0: 256 [0..8, default 4]");

static unsigned int allow_untested_fifo;
AHCIF_PARAM(allow_untested_fifo, allow_untested_fifo, 0, 1, 0444,
	    "allow FIFO values that no board is known to work with; some have corrupted file systems");

static unsigned int enable_pmp;
AHCIF_PARAM(enable_pmp, enable_pmp, 0, 1, 0444,
	    "let libata look for port multipliers, once ahci_fast has them: no effect yet");

/**
 * struct sunxi - a controller
 * @host: ahci_fast's part
 * @clocks: bus and module clock
 * @n_clocks: how many the device tree gives
 * @supplies: see supply_names
 * @reset: null where there is none (A10, A20)
 * @powered: supplies and clocks are on, the reset is off
 * @lock: held while a depth is changed
 * @dmacr: depths in force, as in P0DMACR. Written under @lock once attached, read
 *	at each start of the command list.
 * @pparamr: the register, 0 if it says nothing
 */
struct sunxi {
	struct ahcif_host	host;
	struct clk_bulk_data	*clocks;
	int			n_clocks;
	struct regulator_bulk_data supplies[3];
	struct reset_control	*reset;
	bool			powered;
	struct mutex		lock; /* one change of a depth at a time */
	u32			dmacr;
	u32			pparamr;
};

static struct sunxi *to_sunxi(struct ahcif_host *h)
{
	return container_of(h, struct sunxi, host);
}

static struct sunxi *dev_to_sunxi(struct device *dev)
{
	struct ata_host *ata = dev_get_drvdata(dev);

	return to_sunxi(ata->private_data);
}

/*
 * Does this boot allow the value? If not a line says so. @who and @what are whom
 * the value is for and where it comes from ("parameter", "attribute").
 */
static bool fifo_allowed(const char *who, const char *what,
			 const struct fifo_field *f, unsigned int value)
{
	unsigned int most = allow_untested_fifo ? P0DMACR_FIELD_MAX : f->tested;

	if (value <= most)
		return true;
	pr_err("%s: %s %s: %u is not 0..%u%s\n", who, what, f->name, value, most,
	       allow_untested_fifo ? "" :
	       "; allow_untested_fifo=1 allows more, at your data's risk");
	return false;
}

/* The largest value for a field that the FIFO of this controller allows */
static unsigned int fifo_fits(const struct fifo_field *f, u32 pparamr)
{
	unsigned int depth;

	if (!f->depth)
		return P0DMACR_FIELD_MAX;
	depth = get_field(f->depth, pparamr);
	return depth < FIFO_DEPTH_MIN ? P0DMACR_FIELD_MAX : depth - 1;
}

/* May this value be used here? If not, or only just, a line says so. */
static int check_fifo(struct sunxi *s, const struct fifo_field *f,
		      const char *what, unsigned int value)
{
	unsigned int fits = fifo_fits(f, s->pparamr);
	struct device *dev = s->host.dev;

	if (!fifo_allowed(dev_name(dev), what, f, value))
		return -ERANGE;
	if (value > fits) {
		dev_err(dev, "%s %s: %u is not 0..%u: a transaction takes half the FIFO at most (PPARAMR 0x%08x)\n",
			what, f->name, value, fits, s->pparamr);
		return -ERANGE;
	}
	if (value > f->tested)
		dev_warn(dev, "%s %s: %u is untested; values too high have corrupted file systems\n",
			 what, f->name, value);
	return 0;
}

static void set_fifo(struct sunxi *s, const struct fifo_field *f,
		     unsigned int value)
{
	WRITE_ONCE(s->dmacr, put_field(f->mask, s->dmacr, value));
}

/*
 * A DesignWare property stands at the port or at the controller, in DWORDs.
 * -EINVAL: at neither.
 */
static int read_property(struct device *dev, const char *name, u32 *dwords)
{
	struct device_node *port;
	int rc = -EINVAL;

	for_each_available_child_of_node(dev->of_node, port)
		if (rc == -EINVAL && of_node_name_eq(port, "sata-port"))
			rc = of_property_read_u32(port, name, dwords);
	return rc == -EINVAL ? of_property_read_u32(dev->of_node, name, dwords) : rc;
}

/* What the device tree asks for, or the standard, with a line if it is refused */
static unsigned int fifo_of_board(struct sunxi *s, const struct fifo_field *f)
{
	u32 dwords = 0;
	int rc;

	if (!f->property)
		return f->standard;
	rc = read_property(s->host.dev, f->property, &dwords);
	if (rc == -EINVAL)
		return f->standard;
	if (rc || !is_power_of_2(dwords)) {
		dev_err(s->host.dev, "property %s: %u is no power of two\n",
			f->property, dwords);
		return f->standard;
	}
	if (check_fifo(s, f, f->property, ilog2(dwords)))
		return f->standard;
	return ilog2(dwords);
}

/* A parameter beats the device tree, that beats the standard */
static int choose_fifo(struct sunxi *s)
{
	const struct fifo_field *f;
	int asked, rc;

	s->pparamr = readl(s->host.mmio + PPARAMR);
	for (f = fifo_fields; f < fifo_fields + FIFO_FIELDS; f++) {
		asked = *fifo_asked_for(f);
		if (asked == FIFO_UNASKED) {
			set_fifo(s, f, fifo_of_board(s, f));
			continue;
		}
		rc = check_fifo(s, f, "parameter", asked);
		if (rc)
			return rc;
		set_fifo(s, f, asked);
	}
	return 0;
}

/* --- FIFO depths: what is in force --- */

/* The command list is at rest. What is reserved stays as it is. */
static void write_fifo(struct ata_port *ap)
{
	struct ahcif_host *h = ap->host->private_data;
	u32 dmacr = readl(h->mmio + P0DMACR) & ~P0DMACR_FIELDS;

	writel(dmacr | READ_ONCE(to_sunxi(h)->dmacr), h->mmio + P0DMACR);
}

static const struct fifo_field *fifo_of_attr(struct device_attribute *attr)
{
	return container_of(attr, struct dev_ext_attribute, attr)->var;
}

static ssize_t fifo_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  get_field(fifo_of_attr(attr)->mask,
				    READ_ONCE(dev_to_sunxi(dev)->dmacr)));
}

static ssize_t fifo_store(struct device *dev, struct device_attribute *attr,
			  const char *buf, size_t count)
{
	const struct fifo_field *f = fifo_of_attr(attr);
	struct sunxi *s = dev_to_sunxi(dev);
	unsigned int value;
	int rc = kstrtouint(buf, 0, &value);

	if (rc) {
		dev_err(dev, "attribute %s: '%.*s' is not 0..%u\n", f->name,
			(int)strcspn(buf, "\n"), buf, f->tested);
		return rc;
	}
	rc = check_fifo(s, f, "attribute", value);
	if (rc)
		return rc;

	mutex_lock(&s->lock);
	set_fifo(s, f, value);
	/* Not after a resume that failed: no register may be touched then */
	if (s->powered)
		ahcif_port_restart(s->host.ata->ports[SUNXI_PORT]);
	mutex_unlock(&s->lock);
	return count;
}

/* What the register holds, reserved bits and all */
static ssize_t p0dmacr_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	struct sunxi *s = dev_to_sunxi(dev);

	if (!s->powered)
		return -EIO;
	return sysfs_emit(buf, "0x%08x\n", readl(s->host.mmio + P0DMACR));
}
static DEVICE_ATTR_ADMIN_RO(p0dmacr);

#define FIFO_ATTR(_name, _no)						\
	static struct dev_ext_attribute fifo_attr_##_name = {		\
		.attr = __ATTR(_name, 0644, fifo_show, fifo_store),	\
		.var = (void *)&fifo_fields[_no],			\
	}

FIFO_ATTR(txts, TXTS);
FIFO_ATTR(rxts, RXTS);
FIFO_ATTR(txabl, TXABL);
FIFO_ATTR(rxabl, RXABL);

static struct attribute *sunxi_attrs[] = {
	&fifo_attr_txts.attr.attr,
	&fifo_attr_rxts.attr.attr,
	&fifo_attr_txabl.attr.attr,
	&fifo_attr_rxabl.attr.attr,
	&dev_attr_p0dmacr.attr,
	NULL
};
ATTRIBUTE_GROUPS(sunxi);

/* --- Power --- */

static const char * const supply_names[] = { "ahci", "phy", "target" };

static_assert(ARRAY_SIZE(supply_names) ==
	      sizeof_field(struct sunxi, supplies) / sizeof(struct regulator_bulk_data));

static int power_on(struct sunxi *s)
{
	struct device *dev = s->host.dev;
	int rc;

	rc = regulator_bulk_enable(ARRAY_SIZE(s->supplies), s->supplies);
	if (rc) {
		dev_err(dev, "a supply does not come on (%d): look at ahci-supply, phy-supply and target-supply\n",
			rc);
		return rc;
	}
	rc = clk_bulk_prepare_enable(s->n_clocks, s->clocks);
	if (rc) {
		dev_err(dev, "a clock does not start (%d)\n", rc);
		goto supplies_off;
	}
	rc = reset_control_deassert(s->reset);
	if (rc) {
		dev_err(dev, "the reset line is not let go (%d)\n", rc);
		goto clocks_off;
	}
	s->powered = true;
	return 0;

clocks_off:
	clk_bulk_disable_unprepare(s->n_clocks, s->clocks);
supplies_off:
	regulator_bulk_disable(ARRAY_SIZE(s->supplies), s->supplies);
	return rc;
}

static void power_off(void *data)
{
	struct sunxi *s = data;

	if (!s->powered)
		return;
	s->powered = false;
	reset_control_assert(s->reset);
	clk_bulk_disable_unprepare(s->n_clocks, s->clocks);
	regulator_bulk_disable(ARRAY_SIZE(s->supplies), s->supplies);
}

static void change_bits(struct sunxi *s, unsigned int reg, u32 clear, u32 set)
{
	u32 value = readl(s->host.mmio + reg);

	writel((value & ~clear) | set, s->host.mmio + reg);
}

/*
 * How the vendor's kernel sets the PHY up before it lets it start. What the
 * bits mean is not published: amplitudes and bandwidths, by their number.
 */
static const struct phy_step {
	unsigned int	reg;
	u32		clear;
	u32		set;
} phy_steps[] = {
	{ PHYCS1R, 0, PHYCS1R_HOLD },
	{ PHYCS0R, GENMASK(26, 24), 5 << 24 | BIT(23) | BIT(18) },
	{ PHYCS1R, GENMASK(17, 16) | GENMASK(12, 8) | GENMASK(7, 6),
	  2 << 16 | 6 << 8 | 2 << 6 },
	{ PHYCS1R, 0, BIT(28) | BIT(15) },
	{ PHYCS1R, PHYCS1R_HOLD, 0 },
	{ PHYCS0R, GENMASK(22, 20), 3 << 20 },
	{ PHYCS2R, GENMASK(9, 5), 0x19 << 5 },
};

static int start_phy(struct sunxi *s)
{
	void __iomem *mmio = s->host.mmio;
	const struct phy_step *step;
	u32 value;

	writel(0, mmio + RWCR);
	usleep_range(5000, 10000);
	for (step = phy_steps; step < phy_steps + ARRAY_SIZE(phy_steps); step++)
		change_bits(s, step->reg, step->clear, step->set);
	usleep_range(5000, 10000);

	change_bits(s, PHYCS0R, 0, PHYCS0R_POWER_UP);
	if (readl_poll_timeout(mmio + PHYCS0R, value,
			       FIELD_GET(PHYCS0R_STATE, value) == PHYCS0R_STATE_UP,
			       PHY_POLL_US, PHY_WAIT_US)) {
		dev_err(s->host.dev, "the PHY does not power up (PHYCS0R 0x%08x): look at its clock and at ahci-supply and phy-supply\n",
			value);
		return -ETIMEDOUT;
	}

	change_bits(s, PHYCS2R, 0, PHYCS2R_CALIBRATE);
	if (readl_poll_timeout(mmio + PHYCS2R, value,
			       !(value & PHYCS2R_CALIBRATE),
			       PHY_POLL_US, PHY_WAIT_US)) {
		dev_err(s->host.dev, "the PHY does not end its calibration (PHYCS2R 0x%08x): look at its reference clock\n",
			value);
		return -ETIMEDOUT;
	}

	usleep_range(15000, 20000);
	writel(RWCR_ALL, mmio + RWCR);
	return 0;
}

/* --- Probe, a step a function --- */

static const struct ahcif_glue sunxi_glue = {
	.before_start	= write_fifo,
};

static struct sunxi *alloc_sunxi(struct device *dev)
{
	struct sunxi *s = devm_kzalloc(dev, sizeof(*s), GFP_KERNEL);

	if (!s)
		return NULL;
	mutex_init(&s->lock);
	s->host.dev = dev;
	s->host.glue = &sunxi_glue;
	/*
	 * CAP promises no queueing, which works, and port multipliers: looking
	 * for one, the controller does not find some disks. What comes with
	 * queueing elsewhere has not been tried on these.
	 */
	s->host.quirks = AHCIF_32BIT_ONLY | AHCIF_YES_NCQ | AHCIF_NO_FPDMA_AA |
			 AHCIF_NO_FPDMA_AUX | (enable_pmp ? 0 : AHCIF_NO_PMP);
	s->host.ata_flags = ATA_FLAG_NO_DIPM;
	return s;
}

static int get_registers(struct sunxi *s, struct platform_device *pdev)
{
	struct resource *res;

	s->host.mmio = devm_platform_get_and_ioremap_resource(pdev, 0, &res);
	if (IS_ERR(s->host.mmio))
		return dev_err_probe(s->host.dev, PTR_ERR(s->host.mmio),
				     "no registers: look at reg\n");
	s->host.mmio_len = resource_size(res);
	return 0;
}

/* The line is the controller's own */
static int get_irq(struct sunxi *s, struct platform_device *pdev)
{
	s->host.irq = platform_get_irq(pdev, 0);
	s->host.irq_exclusive = true;
	return s->host.irq < 0 ? s->host.irq : 0;
}

static int get_power(struct sunxi *s)
{
	struct device *dev = s->host.dev;
	unsigned int i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(s->supplies); i++)
		s->supplies[i].supply = supply_names[i];
	rc = devm_regulator_bulk_get(dev, ARRAY_SIZE(s->supplies), s->supplies);
	if (rc)
		return dev_err_probe(dev, rc, "no supply: look at *-supply\n");

	s->n_clocks = devm_clk_bulk_get_all(dev, &s->clocks);
	if (s->n_clocks <= 0)
		return dev_err_probe(dev, s->n_clocks ?: -ENOENT,
				     "no clock: look at clocks\n");

	s->reset = devm_reset_control_array_get_optional_shared(dev);
	if (IS_ERR(s->reset))
		return dev_err_probe(dev, PTR_ERR(s->reset),
				     "no reset line: look at resets\n");
	if (!s->reset && of_device_is_compatible(dev->of_node, R40_COMPATIBLE)) {
		dev_err(dev, "an R40 without a reset line: look at resets\n");
		return -ENOENT;
	}
	return 0;
}

static int wake(struct sunxi *s)
{
	int rc = power_on(s);

	if (rc)
		return rc;
	rc = devm_add_action_or_reset(s->host.dev, power_off, s);
	if (rc)
		return rc;
	return start_phy(s);
}

static void detach(void *data)
{
	struct sunxi *s = data;

	ahcif_host_detach(&s->host);
}

static int attach(struct sunxi *s)
{
	int rc = ahcif_host_attach(&s->host);

	if (rc)
		return rc;
	dev_info(s->host.dev, "FIFO: txts %lu, rxts %lu, txabl %lu, rxabl %lu (P0DMACR 0x%04x)\n",
		 FIELD_GET(P0DMACR_TXTS, s->dmacr), FIELD_GET(P0DMACR_RXTS, s->dmacr),
		 FIELD_GET(P0DMACR_TXABL, s->dmacr), FIELD_GET(P0DMACR_RXABL, s->dmacr),
		 s->dmacr);
	return devm_add_action_or_reset(s->host.dev, detach, s);
}

/* What is taken goes with the device, in the reverse order */
static int sunxi_probe(struct platform_device *pdev)
{
	struct sunxi *s = alloc_sunxi(&pdev->dev);
	int rc;

	if (!s)
		return -ENOMEM;
	rc = get_registers(s, pdev);
	if (rc)
		return rc;
	rc = get_irq(s, pdev);
	if (rc)
		return rc;
	rc = get_power(s);
	if (rc)
		return rc;
	rc = wake(s);
	if (rc)
		return rc;
	rc = choose_fifo(s);
	if (rc)
		return rc;
	return attach(s);
}

static void sunxi_shutdown(struct platform_device *pdev)
{
	ahcif_host_shutdown(&dev_to_sunxi(&pdev->dev)->host);
}

/* --- Sleep --- */

static int sunxi_suspend(struct device *dev)
{
	struct sunxi *s = dev_to_sunxi(dev);

	/* A resume before this one has failed: no register may be touched */
	if (!s->powered)
		return 0;
	ahcif_host_suspend(&s->host, PMSG_SUSPEND);
	power_off(s);
	return 0;
}

/*
 * The power stays on where the PHY does not start: the port will look for its
 * disk all the same, and registers without a clock would hang the bus.
 */
static int sunxi_resume(struct device *dev)
{
	struct sunxi *s = dev_to_sunxi(dev);
	int rc;

	rc = power_on(s);
	if (rc)
		return rc;
	rc = start_phy(s);
	if (rc)
		return rc;
	return ahcif_host_resume(&s->host);
}

static DEFINE_SIMPLE_DEV_PM_OPS(sunxi_pm_ops, sunxi_suspend, sunxi_resume);

/* --- Driver --- */

/* No alias is made of this: the module never loads by itself */
static const struct of_device_id sunxi_of_match[] = {
	{ .compatible = A10_COMPATIBLE },
	{ .compatible = R40_COMPATIBLE },
	{ }
};

static struct platform_driver sunxi_driver = {
	.probe		= sunxi_probe,
	.shutdown	= sunxi_shutdown,
	.driver		= {
		.name		= SUNXI_NAME,
		.of_match_table	= sunxi_of_match,
		.pm		= pm_sleep_ptr(&sunxi_pm_ops),
		.dev_groups	= sunxi_groups,
	},
};

/* Refused here, not when it is set: which parameter comes first is not known then */
static int check_params(void)
{
	const struct fifo_field *f;

	for (f = fifo_fields; f < fifo_fields + FIFO_FIELDS; f++)
		if (*fifo_asked_for(f) != FIFO_UNASKED &&
		    !fifo_allowed(SUNXI_NAME, "parameter", f, *fifo_asked_for(f)))
			return -ERANGE;
	return 0;
}

static int __init sunxi_init(void)
{
	int rc = check_params();

	return rc ?: platform_driver_register(&sunxi_driver);
}

static void __exit sunxi_exit(void)
{
	platform_driver_unregister(&sunxi_driver);
}

module_init(sunxi_init);
module_exit(sunxi_exit);

MODULE_DESCRIPTION("Allwinner's AHCI SATA controller with tunable DMA FIFO depths, on ahci_fast");
MODULE_LICENSE("GPL");
MODULE_VERSION(AHCIF_VERSION);

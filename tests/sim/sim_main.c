// SPDX-License-Identifier: GPL-2.0
/*
 * One simulated controller: what it is by parameters, and debugfs to look at it and
 * to do to it what happens to controllers:
 *
 *   ahci_sim/counts    what was counted, "name value" a line
 *   ahci_sim/do        bad PORT LBA | good PORT | unplug PORT | plug PORT | gone | back
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "sim.h"

static unsigned int cap = 0xc5341f05;
module_param(cap, uint, 0444);
MODULE_PARM_DESC(cap, "CAP; the default is that of a PC's, 6 ports");

static unsigned int cap2;
module_param(cap2, uint, 0444);
MODULE_PARM_DESC(cap2, "CAP2");

static unsigned int pi = 0x3f;
module_param(pi, uint, 0444);
MODULE_PARM_DESC(pi, "ports implemented, holes allowed");

static unsigned int vs = 0x00010301;
module_param(vs, uint, 0444);
MODULE_PARM_DESC(vs, "VS");

static unsigned int disks = 1;
module_param(disks, uint, 0444);
MODULE_PARM_DESC(disks, "ports with a disk, a mask");

static unsigned int megabytes = 64;
module_param(megabytes, uint, 0444);
MODULE_PARM_DESC(megabytes, "size of a disk");

static unsigned int sector_size = 512;
module_param(sector_size, uint, 0444);
MODULE_PARM_DESC(sector_size, "bytes of a sector, 512 or 4096");

bool sim_edge;
module_param_named(edge, sim_edge, bool, 0444);
MODULE_PARM_DESC(edge, "messages in place of a line");

unsigned int sim_latency_us;
module_param_named(latency_us, sim_latency_us, uint, 0644);
MODULE_PARM_DESC(latency_us, "what a queued command takes at least");

struct sim_hba *sim_hba;

/* --- debugfs --- */

static int counts_show(struct seq_file *m, void *unused)
{
	struct sim_hba *hba = m->private;
	struct sim_counts counts;
	unsigned long flags;

	raw_spin_lock_irqsave(&hba->lock, flags);
	counts = hba->counts;
	raw_spin_unlock_irqrestore(&hba->lock, flags);

	seq_printf(m, "reads %llu\nwrites %llu\ninterrupts %llu\ncommands %llu\nrings %llu\nbreaches %llu\n",
		   counts.reads, counts.writes, counts.interrupts, counts.commands,
		   counts.rings, counts.breaches);
	seq_printf(m, "mappings %u\n", sim_dma_held(hba));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

static int act(struct sim_hba *hba, const char *what, unsigned int no, u64 lba)
{
	struct sim_port *port = &hba->ports[no % SIM_PORTS];

	if (!strcmp(what, "gone"))
		hba->gone = true;
	else if (!strcmp(what, "back"))
		hba->gone = false;
	else if (!port->disk)
		return -ENODEV;
	else if (!strcmp(what, "bad"))
		port->disk->bad_lba = lba;
	else if (!strcmp(what, "good"))
		port->disk->bad_lba = U64_MAX;
	else if (!strcmp(what, "unplug"))
		sim_port_unplug(port);
	else if (!strcmp(what, "plug"))
		sim_port_plug(port);
	else
		return -EINVAL;
	return 0;
}

static ssize_t do_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct sim_hba *hba = file->private_data;
	char text[64], what[16] = "";
	unsigned int no = 0;
	unsigned long flags;
	u64 lba = 0;
	int rc;

	if (count >= sizeof(text) || copy_from_user(text, from, count))
		return -EINVAL;
	text[count] = 0;
	if (sscanf(text, "%15s %u %llu", what, &no, &lba) < 1)
		return -EINVAL;

	raw_spin_lock_irqsave(&hba->lock, flags);
	rc = act(hba, what, no, lba);
	raw_spin_unlock_irqrestore(&hba->lock, flags);
	return rc ?: count;
}

static const struct file_operations do_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.write	= do_write,
};

/* --- Life --- */

static int check_parameters(void)
{
	if (sector_size != 512 && sector_size != 4096) {
		pr_err(SIM_NAME ": sector_size=%u is not 512 or 4096\n", sector_size);
		return -EINVAL;
	}
	return 0;
}

static int make_port(struct sim_hba *hba, unsigned int no)
{
	struct sim_port *port = &hba->ports[no];

	port->hba = hba;
	port->no = no;
	if (disks & pi & BIT(no)) {
		port->disk = sim_disk_create((u64)megabytes * SZ_1M / sector_size, sector_size);
		if (!port->disk)
			return -ENOMEM;
	}
	return sim_port_start(port);
}

static void destroy(struct sim_hba *hba)
{
	unsigned int i;

	for (i = 0; i < SIM_PORTS; i++) {
		sim_port_stop(&hba->ports[i]);
		sim_disk_destroy(hba->ports[i].disk);
	}
	kfree(hba);
}

static struct sim_hba *create(void)
{
	struct sim_hba *hba = kzalloc(sizeof(*hba), GFP_KERNEL);
	unsigned int i;
	int rc = 0;

	if (!hba)
		return NULL;
	raw_spin_lock_init(&hba->lock);
	hba->cap = cap;
	hba->cap2 = cap2;
	hba->pi = pi;
	hba->vs = vs;
	for (i = 0; i < SIM_PORTS && !rc; i++)
		rc = make_port(hba, i);
	if (!rc)
		return hba;
	destroy(hba);
	return NULL;
}

/* The glue knows where the registers are (SIM_BASE), and finds the interrupt as ever */
static int register_device(struct sim_hba *hba)
{
	struct resource irq = DEFINE_RES_IRQ(hba->irq);
	int rc;

	hba->pdev = platform_device_alloc(SIM_NAME, 0);
	if (!hba->pdev)
		return -ENOMEM;
	sim_dma_init(hba);
	rc = platform_device_add_resources(hba->pdev, &irq, 1);
	if (!rc)
		rc = platform_device_add(hba->pdev);
	if (rc)
		platform_device_put(hba->pdev);
	return rc;
}

static int __init sim_init(void)
{
	struct sim_hba *hba;
	int rc = check_parameters();

	if (rc)
		return rc;
	hba = create();
	if (!hba)
		return -ENOMEM;
	sim_hba = hba;
	sim_regs_reset(hba);
	rc = sim_irq_init(hba);
	if (rc)
		goto destroy;
	rc = register_device(hba);
	if (rc)
		goto irq;
	hba->debugfs = debugfs_create_dir(SIM_NAME, NULL);
	debugfs_create_file("counts", 0400, hba->debugfs, hba, &counts_fops);
	debugfs_create_file("do", 0200, hba->debugfs, hba, &do_fops);
	return 0;
irq:
	sim_irq_exit(hba);
destroy:
	destroy(hba);
	return rc;
}

static void __exit sim_exit(void)
{
	struct sim_hba *hba = sim_hba;

	debugfs_remove_recursive(hba->debugfs);
	platform_device_unregister(hba->pdev);
	if (sim_dma_held(hba))
		pr_err(SIM_NAME ": BREACH: %u mappings are left\n", sim_dma_held(hba));
	sim_irq_exit(hba);
	destroy(hba);
}

module_init(sim_init);
module_exit(sim_exit);

MODULE_DESCRIPTION("A simulated AHCI controller");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0
/*
 * What the ports count, in debugfs: ahci_fast/<device>/port<N>/stats, one
 * "name value" a line.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "ahci_fast.h"

static struct dentry *root;

static const struct {
	const char	*name;
	size_t		offset;
} counters[] = {
#define COUNTER(name) { #name, offsetof(struct ahcif_stats, name) }
	COUNTER(commands),
	COUNTER(prds),
	COUNTER(rings),
	COUNTER(irq_lean),
	COUNTER(irq_full),
	COUNTER(irq_idle),
	COUNTER(late_rings),
	COUNTER(rescues),
	COUNTER(lost_irqs),
	COUNTER(bad_prds),
	COUNTER(overflows),
	COUNTER(freezes),
#undef COUNTER
};

static_assert(ARRAY_SIZE(counters) * sizeof(u64) == sizeof(struct ahcif_stats));

static int stats_show(struct seq_file *m, void *unused)
{
	struct ata_port *ap = m->private;
	struct ahcif_port *pp = ahcif_port(ap);
	struct ahcif_stats stats;
	unsigned long flags;
	unsigned int i;

	spin_lock_irqsave(ap->lock, flags);
	stats = pp->stats;
	spin_unlock_irqrestore(ap->lock, flags);

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		seq_printf(m, "%s %llu\n", counters[i].name,
			   *(u64 *)((void *)&stats + counters[i].offset));
	seq_printf(m, "max_prds %u\ntables %u\n", pp->max_prds, pp->tables);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/**
 * ahcif_stats_attach - show the counters of a host
 * @h: the host, attached
 *
 * Context: may sleep.
 */
void ahcif_stats_attach(struct ahcif_host *h)
{
	struct dentry *dir = debugfs_create_dir(dev_name(h->dev), root);
	struct dentry *port;
	char name[16];
	unsigned int i;

	h->debugfs = dir;
	for (i = 0; i < h->ata->n_ports; i++) {
		if (!h->ata->ports[i]->private_data)
			continue;
		snprintf(name, sizeof(name), "port%u", i);
		port = debugfs_create_dir(name, dir);
		debugfs_create_file("stats", 0400, port, h->ata->ports[i],
				    &stats_fops);
	}
}

/**
 * ahcif_stats_detach - hide the counters of a host
 * @h: the host
 *
 * Context: may sleep; waits for readers.
 */
void ahcif_stats_detach(struct ahcif_host *h)
{
	debugfs_remove_recursive(h->debugfs);
}

/* The folder of all hosts */
void ahcif_stats_module_init(void)
{
	root = debugfs_create_dir(AHCIF_NAME, NULL);
	ahcif_faults_module_init(root);
}

void ahcif_stats_module_exit(void)
{
	debugfs_remove_recursive(root);
}

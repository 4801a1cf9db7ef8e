// SPDX-License-Identifier: GPL-2.0
/*
 * A port's worker: takes commands in the order of their doorbells and has them
 * carried out, and sends the signature after a reset.
 */
#include <linux/kthread.h>

#include "sim.h"

/* Something to do? Under the host's lock. */
static bool runnable(const struct sim_port *port)
{
	return port->cmd & CMD_ST && !port->stopped && port->queued && port->disk;
}

static bool signs(const struct sim_port *port)
{
	return port->signature && port->cmd & CMD_FRE;
}

static bool has_work(struct sim_port *port)
{
	unsigned long flags;
	bool work;

	raw_spin_lock_irqsave(&port->hba->lock, flags);
	work = runnable(port) || signs(port);
	raw_spin_unlock_irqrestore(&port->hba->lock, flags);
	return work;
}

/* The register FIS that ends a reset; libata reads what it left in memory */
static void send_signature(struct sim_port *port)
{
	u8 fis[20] = { 0x34, 0x40, 0x50, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1 };
	unsigned long flags;
	bool wanted;
	u64 fb;

	raw_spin_lock_irqsave(&port->hba->lock, flags);
	wanted = signs(port);
	fb = port->fb;
	raw_spin_unlock_irqrestore(&port->hba->lock, flags);

	if (!wanted || !sim_dma_copy(port->hba, fb + FIS_D2H, fis, sizeof(fis), true))
		return;

	raw_spin_lock_irqsave(&port->hba->lock, flags);
	if (signs(port))
		sim_port_send_signature(port);
	raw_spin_unlock_irqrestore(&port->hba->lock, flags);
}

/* The next slot, or -1 */
static int take(struct sim_port *port, unsigned int *epoch)
{
	unsigned long flags;
	int slot = -1;

	raw_spin_lock_irqsave(&port->hba->lock, flags);
	if (runnable(port)) {
		slot = port->queue[0];
		port->queued--;
		memmove(port->queue, port->queue + 1, port->queued);
		port->cmd = (port->cmd & ~CMD_CCS) | FIELD_PREP(CMD_CCS, slot);
		port->busy = true;
		*epoch = port->epoch;
	}
	raw_spin_unlock_irqrestore(&port->hba->lock, flags);
	return slot;
}

static void put(struct sim_port *port)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&port->hba->lock, flags);
	port->busy = false;
	if (!(port->cmd & CMD_ST))
		port->cmd &= ~CMD_CR;
	raw_spin_unlock_irqrestore(&port->hba->lock, flags);
}

static int worker(void *data)
{
	struct sim_port *port = data;
	unsigned int epoch;
	int slot;

	while (!kthread_should_stop()) {
		wait_event_interruptible(port->wait, has_work(port) || kthread_should_stop());
		send_signature(port);
		slot = take(port, &epoch);
		if (slot < 0)
			continue;
		sim_disk_run(port, slot, epoch);
		put(port);
	}
	return 0;
}

int sim_port_start(struct sim_port *port)
{
	init_waitqueue_head(&port->wait);
	port->worker = kthread_run(worker, port, "ahci_sim/%u", port->no);
	return PTR_ERR_OR_ZERO(port->worker);
}

void sim_port_stop(struct sim_port *port)
{
	if (!IS_ERR_OR_NULL(port->worker))
		kthread_stop(port->worker);
	port->worker = NULL;
}

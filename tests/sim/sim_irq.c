// SPDX-License-Identifier: GPL-2.0
/*
 * The controller's interrupt: a line (level) or messages (edge), delivered in
 * hard interrupt context, never inside the access that raised it.
 */
#include <linux/interrupt.h>

#include "sim.h"

/* A handler that clears nothing would be called for ever */
#define STUCK_MAX	1000

static bool line(const struct sim_hba *hba)
{
	return hba->ghc & GHC_IE && hba->is && !hba->gone;
}

static void deliver(struct irq_work *work)
{
	struct sim_hba *hba = container_of(work, struct sim_hba, irq_work);
	unsigned long flags;
	bool wanted;

	raw_spin_lock_irqsave(&hba->lock, flags);
	wanted = sim_edge ? !hba->gone : line(hba) && !hba->masked;
	if (wanted && ++hba->stuck == STUCK_MAX) {
		sim_breach(hba, "%u interrupts in a row, and no PxIS cleared", STUCK_MAX);
		hba->ghc &= ~GHC_IE;
	}
	if (wanted) {
		hba->irq_seq++;
		hba->counts.interrupts++;
	}
	raw_spin_unlock_irqrestore(&hba->lock, flags);

	if (wanted)
		generic_handle_irq(hba->irq);
}

/*
 * IS or GHC.IE have changed; @rising: bits of IS that were 0. A message is sent
 * for each rise, a line stands as long as there is a bit. Under the host's lock.
 */
void sim_irq_update(struct sim_hba *hba, u32 rising)
{
	if (!line(hba))
		return;
	if (sim_edge ? rising : !hba->masked)
		irq_work_queue(&hba->irq_work);
}

static void chip_mask(struct irq_data *d)
{
	struct sim_hba *hba = irq_data_get_irq_chip_data(d);
	unsigned long flags;

	raw_spin_lock_irqsave(&hba->lock, flags);
	hba->masked = true;
	raw_spin_unlock_irqrestore(&hba->lock, flags);
}

static void chip_unmask(struct irq_data *d)
{
	struct sim_hba *hba = irq_data_get_irq_chip_data(d);
	unsigned long flags;

	raw_spin_lock_irqsave(&hba->lock, flags);
	hba->masked = false;
	if (!sim_edge)
		sim_irq_update(hba, 0);
	raw_spin_unlock_irqrestore(&hba->lock, flags);
}

static void chip_ack(struct irq_data *d)
{
}

static struct irq_chip chip = {
	.name		= SIM_NAME,
	.irq_mask	= chip_mask,
	.irq_unmask	= chip_unmask,
	.irq_ack	= chip_ack,
};

int sim_irq_init(struct sim_hba *hba)
{
	hba->irq = irq_alloc_descs(-1, 0, 1, NUMA_NO_NODE);
	if (hba->irq < 0)
		return hba->irq;
	hba->irq_work = IRQ_WORK_INIT_HARD(deliver);
	irq_set_chip_data(hba->irq, hba);
	irq_set_chip_and_handler(hba->irq, &chip,
				 sim_edge ? handle_edge_irq : handle_level_irq);
	irq_set_status_flags(hba->irq, IRQ_NOPROBE);
	return 0;
}

void sim_irq_exit(struct sim_hba *hba)
{
	irq_work_sync(&hba->irq_work);
	irq_free_descs(hba->irq, 1);
}

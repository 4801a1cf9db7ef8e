// SPDX-License-Identifier: GPL-2.0
/*
 * Binds ahci_fast, as it is, to the simulated controller.
 */
#include <linux/module.h>
#include <linux/platform_device.h>

#include "ahci_fast.h"
#include "sim.h"

static bool exclusive = true;
module_param(exclusive, bool, 0444);
MODULE_PARM_DESC(exclusive, "the interrupt is the controller's alone");

static void detach(void *data)
{
	ahcif_host_detach(data);
}

static int glue_probe(struct platform_device *pdev)
{
	struct ahcif_host *h = devm_kzalloc(&pdev->dev, sizeof(*h), GFP_KERNEL);
	int rc;

	if (!h)
		return -ENOMEM;
	h->dev = &pdev->dev;
	h->mmio = (void __iomem *)SIM_BASE;
	h->mmio_len = SIM_REGS;
	h->irq = platform_get_irq(pdev, 0);
	if (h->irq < 0)
		return h->irq;
	h->irq_exclusive = exclusive;
	rc = dma_coerce_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (rc)
		return rc;
	rc = ahcif_host_attach(h);
	if (rc)
		return rc;
	return devm_add_action_or_reset(&pdev->dev, detach, h);
}

static void glue_shutdown(struct platform_device *pdev)
{
	struct ata_host *ata = platform_get_drvdata(pdev);

	ahcif_host_shutdown(ata->private_data);
}

static struct platform_driver glue = {
	.probe		= glue_probe,
	.shutdown	= glue_shutdown,
	.driver.name	= SIM_NAME,
};
module_platform_driver(glue);

MODULE_DESCRIPTION("Binds ahci_fast to the simulated controller");
MODULE_LICENSE("GPL");

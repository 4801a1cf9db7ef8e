/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included ahead of each source of the driver when it is built for the simulated
 * controller: every register access goes to the model. The sources themselves
 * stay as they are.
 *
 * What the model has no notion of (bytes, words, strings) gets an undefined name, so
 * that a driver that uses it does not build.
 */
#ifndef SIM_IO_H
#define SIM_IO_H

#include <linux/io.h>

u32 ahci_sim_readl(const void __iomem *addr);
void ahci_sim_writel(u32 value, void __iomem *addr);

#undef readl
#undef writel
#undef readl_relaxed
#undef writel_relaxed
#undef ioread32
#undef iowrite32
#define readl(addr)			ahci_sim_readl(addr)
#define writel(value, addr)		ahci_sim_writel(value, addr)
#define readl_relaxed(addr)		ahci_sim_readl(addr)
#define writel_relaxed(value, addr)	ahci_sim_writel(value, addr)
#define ioread32(addr)			ahci_sim_readl(addr)
#define iowrite32(value, addr)		ahci_sim_writel(value, addr)

#undef readb
#undef readw
#undef readq
#undef writeb
#undef writew
#undef writeq
#define readb				ahci_sim_has_no_readb
#define readw				ahci_sim_has_no_readw
#define readq				ahci_sim_has_no_readq
#define writeb				ahci_sim_has_no_writeb
#define writew				ahci_sim_has_no_writew
#define writeq				ahci_sim_has_no_writeq

#endif /* SIM_IO_H */

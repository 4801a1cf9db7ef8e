// SPDX-License-Identifier: GPL-2.0
/*
 * The device's own address space. Each mapping gets an address that was never
 * used before, with a page of nothing behind it, so that what touches memory after
 * its unmapping, beyond its end or in the wrong direction is seen.
 */
#include <linux/dma-map-ops.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "sim.h"

/* Beyond 32 bits, so that a truncated address is seen; or within */
#define DMA_FIRST_64	BIT_ULL(40)
#define DMA_FIRST_32	0x10000000ULL

/* Held no longer than this takes to copy */
#define CHUNK		SZ_16K

struct sim_map {
	struct rb_node			node;
	u64				dma;
	size_t				len;
	u8				*cpu;
	enum dma_data_direction		dir;
	bool				coherent;
};

static struct sim_hba *hba_of(struct device *dev)
{
	return sim_hba;
}

static void insert(struct sim_hba *hba, struct sim_map *map)
{
	struct rb_node **link = &hba->maps.rb_node, *parent = NULL;

	while (*link) {
		parent = *link;
		link = map->dma < rb_entry(parent, struct sim_map, node)->dma ?
		       &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&map->node, parent, link);
	rb_insert_color(&map->node, &hba->maps);
}

/* The mapping that an address lies in */
static struct sim_map *find(struct sim_hba *hba, u64 dma)
{
	struct rb_node *node = hba->maps.rb_node;
	struct sim_map *map;

	while (node) {
		map = rb_entry(node, struct sim_map, node);
		if (dma < map->dma)
			node = node->rb_left;
		else if (dma - map->dma >= map->len)
			node = node->rb_right;
		else
			return map;
	}
	return NULL;
}

static dma_addr_t add(struct device *dev, void *cpu, size_t len,
		      enum dma_data_direction dir, bool coherent)
{
	struct sim_hba *hba = hba_of(dev);
	struct sim_map *map = kzalloc(sizeof(*map), GFP_ATOMIC);
	unsigned long flags;

	if (!map)
		return DMA_MAPPING_ERROR;
	map->cpu = cpu;
	map->len = len;
	map->dir = dir;
	map->coherent = coherent;

	raw_spin_lock_irqsave(&hba->map_lock, flags);
	if (!hba->next_dma)
		hba->next_dma = hba->cap & CAP_S64A ? DMA_FIRST_64 : DMA_FIRST_32;
	map->dma = hba->next_dma + offset_in_page(cpu);
	hba->next_dma += PAGE_ALIGN(offset_in_page(cpu) + len) + PAGE_SIZE;
	insert(hba, map);
	raw_spin_unlock_irqrestore(&hba->map_lock, flags);
	return map->dma;
}

static void complain(struct sim_hba *hba, const char *what, u64 dma, size_t len)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&hba->lock, flags);
	sim_breach(hba, "%s: %zu bytes at 0x%llx", what, len, dma);
	raw_spin_unlock_irqrestore(&hba->lock, flags);
}

static void remove(struct device *dev, u64 dma, size_t len,
		   enum dma_data_direction dir)
{
	struct sim_hba *hba = hba_of(dev);
	const char *wrong = NULL;
	struct sim_map *map;
	unsigned long flags;

	raw_spin_lock_irqsave(&hba->map_lock, flags);
	map = find(hba, dma);
	if (map)
		rb_erase(&map->node, &hba->maps);
	raw_spin_unlock_irqrestore(&hba->map_lock, flags);

	if (!map || map->dma != dma)
		wrong = "unmapped what was not mapped";
	else if (map->len != len || map->dir != dir)
		wrong = "unmapped otherwise than mapped";
	if (wrong)
		complain(hba, wrong, dma, len);
	kfree(map);
}

static void *ops_alloc(struct device *dev, size_t size, dma_addr_t *dma,
		       gfp_t gfp, unsigned long attrs)
{
	void *cpu = alloc_pages_exact(PAGE_ALIGN(size), gfp | __GFP_ZERO);

	if (!cpu)
		return NULL;
	*dma = add(dev, cpu, size, DMA_BIDIRECTIONAL, true);
	if (*dma != DMA_MAPPING_ERROR)
		return cpu;
	free_pages_exact(cpu, PAGE_ALIGN(size));
	return NULL;
}

/* Memory that a running engine reads or writes is not to be given back, 10.1.2 */
static void check_unused(struct sim_hba *hba, u64 dma, size_t len)
{
	const struct sim_port *port;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&hba->lock, flags);
	for (i = 0, port = hba->ports; i < SIM_PORTS && !hba->gone; i++, port++) {
		if (port->cmd & (CMD_ST | CMD_CR) && port->clb - dma < len)
			sim_breach(hba, "port %u: command list freed while it runs", i);
		if (port->cmd & (CMD_FRE | CMD_FR) && port->fb - dma < len)
			sim_breach(hba, "port %u: received FIS freed while it is in use", i);
	}
	raw_spin_unlock_irqrestore(&hba->lock, flags);
}

static void ops_free(struct device *dev, size_t size, void *cpu, dma_addr_t dma,
		     unsigned long attrs)
{
	check_unused(hba_of(dev), dma, size);
	remove(dev, dma, size, DMA_BIDIRECTIONAL);
	/* What is read after this is seen to be wrong */
	memset(cpu, 0x6b, size);
	free_pages_exact(cpu, PAGE_ALIGN(size));
}

static dma_addr_t ops_map_page(struct device *dev, struct page *page,
			       unsigned long offset, size_t size,
			       enum dma_data_direction dir, unsigned long attrs)
{
	return add(dev, page_address(page) + offset, size, dir, false);
}

static void ops_unmap_page(struct device *dev, dma_addr_t dma, size_t size,
			   enum dma_data_direction dir, unsigned long attrs)
{
	remove(dev, dma, size, dir);
}

static void ops_unmap_sg(struct device *dev, struct scatterlist *sgl, int n,
			 enum dma_data_direction dir, unsigned long attrs)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(sgl, sg, n, i)
		remove(dev, sg_dma_address(sg), sg_dma_len(sg), dir);
}

static int ops_map_sg(struct device *dev, struct scatterlist *sgl, int n,
		      enum dma_data_direction dir, unsigned long attrs)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(sgl, sg, n, i) {
		sg->dma_address = add(dev, sg_virt(sg), sg->length, dir, false);
		if (sg->dma_address == DMA_MAPPING_ERROR) {
			ops_unmap_sg(dev, sgl, i, dir, attrs);
			return -ENOMEM;
		}
		sg_dma_len(sg) = sg->length;
	}
	return n;
}

static int ops_supported(struct device *dev, u64 mask)
{
	return mask >= (hba_of(dev)->cap & CAP_S64A ? GENMASK_ULL(40, 0) : U32_MAX);
}

static const struct dma_map_ops ops = {
	.alloc		= ops_alloc,
	.free		= ops_free,
	.map_page	= ops_map_page,
	.unmap_page	= ops_unmap_page,
	.map_sg		= ops_map_sg,
	.unmap_sg	= ops_unmap_sg,
	.dma_supported	= ops_supported,
};

void sim_dma_init(struct sim_hba *hba)
{
	raw_spin_lock_init(&hba->map_lock);
	hba->maps = RB_ROOT;
	set_dma_ops(&hba->pdev->dev, &ops);
}

/* How many mappings the driver holds */
unsigned int sim_dma_held(struct sim_hba *hba)
{
	unsigned int n = 0;
	struct rb_node *node;
	unsigned long flags;

	raw_spin_lock_irqsave(&hba->map_lock, flags);
	for (node = rb_first(&hba->maps); node; node = rb_next(node))
		n++;
	raw_spin_unlock_irqrestore(&hba->map_lock, flags);
	return n;
}

static const char *copy_chunk(struct sim_hba *hba, u64 dma, void *buf,
			      size_t len, bool to_host)
{
	struct sim_map *map = find(hba, dma);

	if (!map)
		return "the device touches memory that is not mapped";
	if (len > map->len - (dma - map->dma))
		return "the device touches memory beyond a mapping";
	if (map->dir == (to_host ? DMA_TO_DEVICE : DMA_FROM_DEVICE))
		return "the device moves data the wrong way";
	if (to_host)
		memcpy(map->cpu + (dma - map->dma), buf, len);
	else
		memcpy(buf, map->cpu + (dma - map->dma), len);
	return NULL;
}

/* Moves data as the device does. False: there was a breach, nothing more is moved. */
bool sim_dma_copy(struct sim_hba *hba, u64 dma, void *buf, size_t len, bool to_host)
{
	const char *wrong = NULL;
	unsigned long flags;
	size_t n;

	for (; len && !wrong; len -= n, dma += n, buf += n) {
		n = min_t(size_t, len, CHUNK);
		raw_spin_lock_irqsave(&hba->map_lock, flags);
		wrong = copy_chunk(hba, dma, buf, n, to_host);
		raw_spin_unlock_irqrestore(&hba->map_lock, flags);
	}
	if (wrong)
		complain(hba, wrong, dma - n, n);
	return !wrong;
}

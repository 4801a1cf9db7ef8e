// SPDX-License-Identifier: GPL-2.0
/*
 * What the controller and the disk do with a command: fetch it, look whether it is
 * sound, move its data, say how it ended. Runs in the port's worker, without the
 * host's lock but where it changes a register.
 */
#include <linux/ata.h>
#include <linux/delay.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "sim.h"

#define SRST_US		5	/* SRST is to stand so long, ATA8-AST */
#define STATUS_OK	0x50
#define STATUS_ERR	0x51
#define ERROR_ABRT	0x04
#define ERROR_UNC	0x40
#define FIS_WORDS	5
#define NCQ_LOG		0x10

/* A command in hand */
struct sim_command {
	struct sim_port		*port;
	struct sim_disk		*disk;
	unsigned int		slot;
	unsigned int		epoch;
	struct sim_header	header;
	u32			opts;
	u8			fis[64];
	struct sim_prd		*prds;
	unsigned int		n_prds;
	u64			moved;
};

static struct sim_hba *hba_of(const struct sim_command *c)
{
	return c->port->hba;
}

#define breach(c, fmt, ...)						\
	do {								\
		unsigned long flags_;					\
		raw_spin_lock_irqsave(&hba_of(c)->lock, flags_);	\
		sim_breach(hba_of(c), "port %u slot %u: " fmt,		\
			   (c)->port->no, (c)->slot, ##__VA_ARGS__);	\
		raw_spin_unlock_irqrestore(&hba_of(c)->lock, flags_);	\
	} while (0)

/* --- Fetching --- */

static void check_prds(struct sim_command *c)
{
	const struct sim_prd *prd;
	unsigned int i;

	for (i = 0, prd = c->prds; i < c->n_prds; i++, prd++) {
		if (le64_to_cpu(prd->dba) & 1)
			breach(c, "PRD %u at an odd address, 4.2.3.3", i);
		if (!(le32_to_cpu(prd->dbc) & 1))
			breach(c, "PRD %u of an odd number of bytes, 4.2.3.3", i);
		if (prd->reserved || le32_to_cpu(prd->dbc) & PRD_RESERVED)
			breach(c, "PRD %u: reserved bits are set, 4.2.3.3", i);
	}
}

static bool fetch_prds(struct sim_command *c, u64 table)
{
	size_t bytes;

	c->n_prds = FIELD_GET(HEADER_PRDTL, c->opts);
	bytes = c->n_prds * sizeof(struct sim_prd);
	if (!bytes)
		return true;
	c->prds = kvmalloc(bytes, GFP_KERNEL);
	if (!c->prds || !sim_dma_copy(hba_of(c), table + TABLE_PRDS, c->prds, bytes, false))
		return false;
	check_prds(c);
	return true;
}

static bool fetch(struct sim_command *c)
{
	u64 list = c->port->clb + c->slot * sizeof(struct sim_header), table;

	if (!sim_dma_copy(hba_of(c), list, &c->header, sizeof(c->header), false))
		return false;
	c->opts = le32_to_cpu(c->header.opts);
	table = (u64)le32_to_cpu(c->header.ctbau) << 32 | le32_to_cpu(c->header.ctba);
	if (table & 127)
		breach(c, "command table 0x%llx is not aligned, 4.2.2", table);
	if (c->opts & HEADER_RESERVED)
		breach(c, "reserved bits of the command header are set, 4.2.2");
	if (FIELD_GET(HEADER_CFL, c->opts) != FIS_WORDS)
		breach(c, "a register FIS of %lu DWORDs", FIELD_GET(HEADER_CFL, c->opts));
	if (!sim_dma_copy(hba_of(c), table, c->fis, sizeof(c->fis), false))
		return false;
	if (c->fis[0] != 0x27)
		breach(c, "FIS type 0x%02x is none that a host sends", c->fis[0]);
	return fetch_prds(c, table);
}

/* --- Moving data --- */

static u64 prd_bytes(const struct sim_command *c)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < c->n_prds; i++)
		sum += FIELD_GET(PRD_DBC, le32_to_cpu(c->prds[i].dbc)) + 1;
	return sum;
}

/* Move @bytes between the disk's @buf and the memory of the PRDs. */
static bool move(struct sim_command *c, u8 *buf, u64 bytes, bool to_host)
{
	unsigned int i;
	u64 n;

	if (prd_bytes(c) != bytes)
		breach(c, "PRDs of %llu bytes for a command of %llu", prd_bytes(c), bytes);
	if (!!(c->opts & HEADER_W) == to_host)
		breach(c, "the header's W bit says the wrong direction");

	for (i = 0; i < c->n_prds && c->moved < bytes; i++) {
		n = min_t(u64, FIELD_GET(PRD_DBC, le32_to_cpu(c->prds[i].dbc)) + 1,
			  bytes - c->moved);
		if (READ_ONCE(c->port->epoch) != c->epoch ||
		    !sim_dma_copy(hba_of(c), le64_to_cpu(c->prds[i].dba),
				  buf + c->moved, n, to_host))
			return false;
		c->moved += n;
		cond_resched();
	}
	return true;
}

/* --- Ending --- */

static bool post_fis(struct sim_command *c, unsigned int where, const u8 *fis, size_t len)
{
	return sim_dma_copy(hba_of(c), c->port->fb + where, (void *)fis, len, true);
}

/* Under the host's lock; false if the command was forgotten meanwhile */
static bool alive(const struct sim_command *c)
{
	return c->port->epoch == c->epoch;
}

static void end(struct sim_command *c, u8 status, u8 error, u32 pxis)
{
	struct sim_port *port = c->port;
	unsigned long flags;

	raw_spin_lock_irqsave(&port->hba->lock, flags);
	if (alive(c)) {
		port->tfd = status | error << 8;
		if (status & TFD_ERR) {
			port->stopped = true;
			pxis |= IS_TFES;
		} else {
			port->ci &= ~BIT(c->slot);
		}
		sim_port_raise(port, pxis);
	}
	raw_spin_unlock_irqrestore(&port->hba->lock, flags);
}

/* With a register FIS from the device */
static void end_d2h(struct sim_command *c, u8 status, u8 error)
{
	u8 fis[20] = { 0x34, 0x40, status, error, c->fis[4], c->fis[5], c->fis[6], c->fis[7],
		       c->fis[8], c->fis[9], c->fis[10], 0, c->fis[12], c->fis[13] };
	__le32 prdbc = cpu_to_le32(c->moved);

	if (!sim_dma_copy(hba_of(c), c->port->clb + c->slot * sizeof(c->header) +
			  offsetof(struct sim_header, prdbc), &prdbc, sizeof(prdbc), true) ||
	    !post_fis(c, FIS_D2H, fis, sizeof(fis)))
		return;
	end(c, status, error, IS_DHRS);
}

static void end_pio_in(struct sim_command *c)
{
	u8 fis[20] = { 0x5f, 0x60, 0x58, 0, c->fis[4], c->fis[5], c->fis[6], c->fis[7],
		       c->fis[8], c->fis[9], c->fis[10], 0, c->fis[12], c->fis[13],
		       0, STATUS_OK };

	if (post_fis(c, FIS_PIO_SETUP, fis, sizeof(fis)))
		end(c, STATUS_OK, 0, IS_PSS);
}

/* --- NCQ --- */

static u64 lba_of(const struct sim_command *c, bool lba48)
{
	const u8 *f = c->fis;
	u64 lba = f[4] | f[5] << 8 | f[6] << 16;

	if (!lba48)
		return lba | (u64)(f[7] & 0xf) << 24;
	return lba | (u64)f[8] << 24 | (u64)f[9] << 32 | (u64)f[10] << 40;
}

static bool hits_bad(const struct sim_disk *disk, u64 lba, u64 count)
{
	return disk->bad_lba >= lba && disk->bad_lba - lba < count;
}

/* The disk takes the command: PxCI goes, PxSACT stays */
static void accept(struct sim_command *c)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&hba_of(c)->lock, flags);
	if (alive(c))
		c->port->ci &= ~BIT(c->slot);
	raw_spin_unlock_irqrestore(&hba_of(c)->lock, flags);
}

static void end_ncq(struct sim_command *c)
{
	struct sim_port *port = c->port;
	unsigned long flags;
	u8 fis[8] = { 0xa1, 0x40, 0x40, 0 };
	__le32 done = cpu_to_le32(BIT(c->slot));

	memcpy(fis + 4, &done, sizeof(done));
	if (READ_ONCE(port->epoch) != c->epoch || !post_fis(c, FIS_SDB, fis, sizeof(fis)))
		return;
	raw_spin_lock_irqsave(&port->hba->lock, flags);
	if (alive(c)) {
		port->sact &= ~BIT(c->slot);
		sim_port_raise(port, IS_SDBS);
	}
	raw_spin_unlock_irqrestore(&port->hba->lock, flags);
}

static void fail_ncq(struct sim_command *c, u8 error, u64 lba)
{
	struct sim_disk *disk = c->disk;
	u8 fis[8] = { 0xa1, 0x40, STATUS_ERR & 0x77, error };
	u8 sum = 0;
	int i;

	memset(disk->log, 0, sizeof(disk->log));
	disk->log[0] = c->slot;
	disk->log[2] = STATUS_ERR;
	disk->log[3] = error;
	for (i = 0; i < 3; i++) {
		disk->log[4 + i] = lba >> 8 * i;
		disk->log[8 + i] = lba >> 8 * (i + 3);
	}
	disk->log[7] = 0x40;
	for (i = 0; i < 511; i++)
		sum += disk->log[i];
	disk->log[511] = -sum;
	disk->log_valid = true;

	if (post_fis(c, FIS_SDB, fis, sizeof(fis)))
		end(c, STATUS_ERR, error, IS_SDBS);
}

static void run_ncq(struct sim_command *c)
{
	u64 lba = lba_of(c, true), count = c->fis[3] | c->fis[11] << 8;
	struct sim_disk *disk = c->disk;
	bool read = c->fis[2] == ATA_CMD_FPDMA_READ;

	count = count ?: 65536;
	if (!(c->port->rung_sact & BIT(c->slot)))
		breach(c, "PxCI was rung before PxSACT, 5.3.2");
	if (c->fis[12] >> 3 != c->slot)
		breach(c, "tag %u in slot %u, 5.3.2", c->fis[12] >> 3, c->slot);

	accept(c);
	if (disk->log_valid) {
		breach(c, "a queued command before the error log was read");
		return;
	}
	if (sim_latency_us)
		usleep_range(sim_latency_us, sim_latency_us + 50);
	if (lba + count > disk->sectors)
		fail_ncq(c, ERROR_ABRT, lba);
	else if (hits_bad(disk, lba, count))
		fail_ncq(c, ERROR_UNC, disk->bad_lba);
	else if (move(c, disk->data + lba * disk->sector_size, count * disk->sector_size, read))
		end_ncq(c);
}

/* --- IDENTIFY and logs --- */

static void id_string(u16 *words, int n, const char *text)
{
	int i;

	for (i = 0; i < n; i++) {
		words[i] = *text ? *text++ << 8 : ' ' << 8;
		words[i] |= *text ? *text++ : ' ';
	}
}

static void identify(struct sim_disk *disk, struct sim_hba *hba, u16 *id)
{
	u32 lba28 = min_t(u64, disk->sectors, 0x0fffffff);
	unsigned int i;

	memset(id, 0, 512);
	id[0] = 0x0040;
	id_string(id + 10, 10, "SIM0000000001");
	id_string(id + 23, 4, "1.0");
	id_string(id + 27, 20, "AHCI SIM DISK");
	id[47] = 0x8010;
	id[49] = 0x0f00;
	id[50] = 0x4000;
	id[53] = 0x0006;
	id[59] = 0x0110;
	id[60] = lba28;
	id[61] = lba28 >> 16;
	id[63] = 0x0407;
	id[64] = 0x0003;
	for (i = 65; i <= 68; i++)
		id[i] = 120;
	id[75] = FIELD_GET(CAP_NCS, hba->cap);
	id[76] = 0x000e | (hba->cap & CAP_SNCQ ? BIT(8) : 0);
	id[78] = 0;
	id[80] = 0x01f0;
	id[82] = 0x4020;
	id[83] = 0x7400;
	id[84] = 0x4060;
	id[85] = 0x4020;
	id[86] = 0xb400;
	id[87] = 0x4060;
	id[88] = 0x407f;
	for (i = 0; i < 4; i++)
		id[100 + i] = disk->sectors >> 16 * i;
	id[106] = disk->sector_size == 4096 ? 0x5000 : 0x4000;
	id[117] = disk->sector_size / 2;
	id[118] = disk->sector_size / 2 >> 16;
	id[217] = 1;
	for (i = 0; i < 256; i++)
		id[i] = (__force u16)cpu_to_le16(id[i]);
}

static void run_read_log(struct sim_command *c)
{
	u8 *page = kzalloc(512, GFP_KERNEL);
	u8 log = c->fis[4];

	if (!page)
		return;
	if (log == NCQ_LOG) {
		memcpy(page, c->disk->log, 512);
		c->disk->log_valid = false;
	} else if (log == 0) {
		page[0] = 1;
		page[2 * NCQ_LOG] = 1;
	} else {
		end_d2h(c, STATUS_ERR, ERROR_ABRT);
		goto out;
	}
	if (!move(c, page, 512, true))
		goto out;
	if (c->fis[2] == ATA_CMD_READ_LOG_DMA_EXT)
		end_d2h(c, STATUS_OK, 0);
	else
		end_pio_in(c);
out:
	kfree(page);
}

static void run_identify(struct sim_command *c)
{
	u16 *id = kmalloc(512, GFP_KERNEL);

	if (!id)
		return;
	identify(c->disk, hba_of(c), id);
	if (move(c, (u8 *)id, 512, true))
		end_pio_in(c);
	kfree(id);
}

/* --- All other commands --- */

static void run_data(struct sim_command *c, bool lba48, bool read, bool pio)
{
	u64 lba = lba_of(c, lba48), count = c->fis[12];
	struct sim_disk *disk = c->disk;

	if (lba48)
		count |= c->fis[13] << 8;
	count = count ?: lba48 ? 65536 : 256;
	if (lba + count > disk->sectors || hits_bad(disk, lba, count)) {
		end_d2h(c, STATUS_ERR, lba + count > disk->sectors ? ERROR_ABRT : ERROR_UNC);
		return;
	}
	if (!move(c, disk->data + lba * disk->sector_size, count * disk->sector_size, read))
		return;
	if (pio && read)
		end_pio_in(c);
	else
		end_d2h(c, STATUS_OK, 0);
}

static void run_command(struct sim_command *c)
{
	switch (c->fis[2]) {
	case ATA_CMD_FPDMA_READ:
	case ATA_CMD_FPDMA_WRITE:
		run_ncq(c);
		return;
	}
	if (c->port->rung_sact & BIT(c->slot))
		breach(c, "PxSACT names a command that is not queued, 5.3.2");
	if (READ_ONCE(c->port->sact))
		breach(c, "a command that is not queued among queued ones (PxSACT 0x%x)",
		       c->port->sact);

	switch (c->fis[2]) {
	case ATA_CMD_ID_ATA:
		run_identify(c);
		break;
	case ATA_CMD_READ_LOG_EXT:
	case ATA_CMD_READ_LOG_DMA_EXT:
		run_read_log(c);
		break;
	case ATA_CMD_READ:
		run_data(c, false, true, false);
		break;
	case ATA_CMD_READ_EXT:
		run_data(c, true, true, false);
		break;
	case ATA_CMD_WRITE:
		run_data(c, false, false, false);
		break;
	case ATA_CMD_WRITE_EXT:
	case ATA_CMD_WRITE_FUA_EXT:
		run_data(c, true, false, false);
		break;
	case ATA_CMD_PIO_READ:
	case ATA_CMD_READ_MULTI:
		run_data(c, false, true, true);
		break;
	case ATA_CMD_PIO_READ_EXT:
	case ATA_CMD_READ_MULTI_EXT:
		run_data(c, true, true, true);
		break;
	case ATA_CMD_PIO_WRITE:
	case ATA_CMD_WRITE_MULTI:
		run_data(c, false, false, true);
		break;
	case ATA_CMD_PIO_WRITE_EXT:
	case ATA_CMD_WRITE_MULTI_EXT:
		run_data(c, true, false, true);
		break;
	case ATA_CMD_SET_FEATURES:
	case ATA_CMD_SET_MULTI:
	case ATA_CMD_FLUSH:
	case ATA_CMD_FLUSH_EXT:
	case ATA_CMD_VERIFY:
	case ATA_CMD_VERIFY_EXT:
	case ATA_CMD_STANDBYNOW1:
	case ATA_CMD_IDLEIMMEDIATE:
	case ATA_CMD_CHK_POWER:
		end_d2h(c, STATUS_OK, 0);
		break;
	default:
		end_d2h(c, STATUS_ERR, ERROR_ABRT);
	}
}

/* A register FIS that is no command: SRST up, SRST down, 10.4.1 */
static void run_control(struct sim_command *c)
{
	bool srst = c->fis[15] & ATA_SRST;
	struct sim_port *port = c->port;
	unsigned long flags;

	if (srst && (c->opts & (HEADER_R | HEADER_C)) != (HEADER_R | HEADER_C))
		breach(c, "SRST without R and C in its header, 10.4.1");

	raw_spin_lock_irqsave(&port->hba->lock, flags);
	if (!alive(c))
		goto out;
	port->ci &= ~BIT(c->slot);
	if (srst) {
		port->srst = ktime_get();
		c->disk->in_reset = true;
	} else if (c->disk->in_reset) {
		if (ktime_us_delta(ktime_get(), port->srst) < SRST_US)
			sim_breach(port->hba, "port %u: SRST of less than 5 us", port->no);
		c->disk->in_reset = false;
		c->disk->log_valid = false;
		port->tfd = TFD_BSY;
		port->signature = true;
	}
out:
	raw_spin_unlock_irqrestore(&port->hba->lock, flags);
}

/* Carry the command of a slot out. In the port's worker. */
void sim_disk_run(struct sim_port *port, unsigned int slot, unsigned int epoch)
{
	struct sim_command *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return;
	c->port = port;
	c->disk = port->disk;
	c->slot = slot;
	c->epoch = epoch;
	if (fetch(c) && c->disk) {
		if (c->fis[1] & BIT(7))
			run_command(c);
		else
			run_control(c);
	}
	kvfree(c->prds);
	kfree(c);
}

struct sim_disk *sim_disk_create(u64 sectors, u32 sector_size)
{
	struct sim_disk *disk = kzalloc(sizeof(*disk), GFP_KERNEL);

	if (!disk)
		return NULL;
	disk->sectors = sectors;
	disk->sector_size = sector_size;
	disk->bad_lba = U64_MAX;
	disk->data = vzalloc(sectors * sector_size);
	if (disk->data)
		return disk;
	kfree(disk);
	return NULL;
}

void sim_disk_destroy(struct sim_disk *disk)
{
	if (disk)
		vfree(disk->data);
	kfree(disk);
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A simulated AHCI controller: what its files share.
 *
 * It is written from the specification (Serial ATA AHCI 1.3.1) and from that alone:
 * it shares no header with the driver it tests, so that a wrong bit there is not
 * wrong here too.
 */
#ifndef SIM_H
#define SIM_H

#include <linux/bits.h>
#include <linux/bitfield.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/platform_device.h>
#include <linux/rbtree.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#define SIM_NAME	"ahci_sim"
#define SIM_PORTS	32
#define SIM_SLOTS	32
#define SIM_REGS	0x1100	/* 0x100 for the host, 0x80 for each port */

/* No address of the kernel's: an access that passes the model by dies at once */
#define SIM_BASE	0xdead000000000000UL

/* --- Registers, 3 --- */

#define HOST_CAP	0x00
#define CAP_NCS		GENMASK(12, 8)
#define CAP_SPM		BIT(17)
#define CAP_SAM		BIT(18)
#define CAP_SCLO	BIT(24)
#define CAP_SSS		BIT(27)
#define CAP_SNCQ	BIT(30)
#define CAP_S64A	BIT(31)
#define HOST_GHC	0x04
#define GHC_HR		BIT(0)
#define GHC_IE		BIT(1)
#define GHC_AE		BIT(31)
#define HOST_IS		0x08
#define HOST_PI		0x0c
#define HOST_VS		0x10
#define HOST_CAP2	0x24

#define PORT_CLB	0x00
#define PORT_CLBU	0x04
#define PORT_FB		0x08
#define PORT_FBU	0x0c
#define PORT_IS		0x10
#define PORT_IE		0x14
#define IS_DHRS		BIT(0)
#define IS_PSS		BIT(1)
#define IS_SDBS		BIT(3)
#define IS_UFS		BIT(4)
#define IS_PCS		BIT(6)
#define IS_PRCS		BIT(22)
#define IS_TFES		BIT(30)
/* Shadows of PxSERR, cleared there, 3.3.5 */
#define IS_READ_ONLY	(IS_UFS | IS_PCS | IS_PRCS)
#define IS_VALID	(GENMASK(7, 0) | GENMASK(31, 22))
#define PORT_CMD	0x18
#define CMD_ST		BIT(0)
#define CMD_SUD		BIT(1)
#define CMD_POD		BIT(2)
#define CMD_CLO		BIT(3)
#define CMD_FRE		BIT(4)
#define CMD_CCS		GENMASK(12, 8)
#define CMD_FR		BIT(14)
#define CMD_CR		BIT(15)
#define CMD_PMA		BIT(17)
#define CMD_WRITABLE	(CMD_ST | CMD_FRE | GENMASK(27, 24))
#define PORT_TFD	0x20
#define TFD_ERR		BIT(0)
#define TFD_DRQ		BIT(3)
#define TFD_BSY		BIT(7)
#define PORT_SIG	0x24
#define PORT_SSTS	0x28
#define SSTS_DET	GENMASK(3, 0)
#define SSTS_UP		0x133	/* active, 6 Gbps, a device and its PHY */
#define PORT_SCTL	0x2c
#define SCTL_DET	GENMASK(3, 0)
#define PORT_SERR	0x30
#define SERR_N		BIT(16)	/* PhyRdy changed */
#define SERR_F		BIT(25)	/* unknown FIS */
#define SERR_X		BIT(26)	/* exchanged */
#define PORT_SACT	0x34
#define PORT_CI		0x38

/* --- In memory, 4.2 --- */

struct sim_header {
	__le32	opts;
	__le32	prdbc;
	__le32	ctba;
	__le32	ctbau;
	__le32	reserved[4];
};

#define HEADER_CFL	GENMASK(4, 0)
#define HEADER_W	BIT(6)
#define HEADER_R	BIT(8)
#define HEADER_C	BIT(10)
#define HEADER_PRDTL	GENMASK(31, 16)
#define HEADER_RESERVED	BIT(11)

struct sim_prd {
	__le64	dba;
	__le32	reserved;
	__le32	dbc;
};

#define PRD_DBC		GENMASK(21, 0)
#define PRD_RESERVED	GENMASK(30, 22)
#define TABLE_PRDS	0x80	/* offset of the PRDs in a command table */

/* Where each FIS is put, 4.2.1 */
#define FIS_PIO_SETUP	0x20
#define FIS_D2H		0x40
#define FIS_SDB		0x58

/* --- The model --- */

struct sim_hba;

/**
 * struct sim_disk - what is plugged into a port
 * @data: its sectors
 * @sectors: how many
 * @sector_size: bytes
 * @bad_lba: reads and writes of this one fail, U64_MAX: none
 * @log: the NCQ error log (10h) to be read
 * @log_valid: an NCQ command has failed; only that log may be read now
 * @in_reset: SRST was set and not yet cleared
 */
struct sim_disk {
	u8	*data;
	u64	sectors;
	u32	sector_size;
	u64	bad_lba;
	u8	log[512];
	bool	log_valid;
	bool	in_reset;
};

/**
 * struct sim_port - a port. All but the disk's data under the host's lock.
 * @hba: its host
 * @no: its number
 * @clb: registers: command list
 * @fb: received FIS
 * @is: PxIS without its read-only bits
 * @ie: PxIE
 * @cmd: PxCMD
 * @tfd: PxTFD
 * @sig: PxSIG
 * @ssts: PxSSTS
 * @sctl: PxSCTL
 * @serr: PxSERR
 * @sact: PxSACT
 * @ci: PxCI
 * @disk: what is plugged in, null: nothing
 * @signature: a signature FIS waits for PxCMD.FRE
 * @stopped: the command list waits for its restart after an error
 * @queue: slots in the order the controller will fetch them
 * @queued: how many
 * @epoch: raised when what runs is to be forgotten
 * @busy: the worker has a command in hand
 * @comreset: when PxSCTL.DET became 1
 * @worker: carries commands out
 * @wait: where it waits
 * @pxis_seq: number of the interrupt in which PxIS was last written
 * @is_seq: number of the interrupt in which IS was last written for this port
 * @rung_sact: slots that PxSACT named when they were rung
 * @srst: when SRST was set
 */
struct sim_port {
	struct sim_hba		*hba;
	unsigned int		no;
	u64			clb;
	u64			fb;
	u32			is;
	u32			ie;
	u32			cmd;
	u32			tfd;
	u32			sig;
	u32			ssts;
	u32			sctl;
	u32			serr;
	u32			sact;
	u32			ci;
	struct sim_disk		*disk;
	bool			signature;
	bool			stopped;
	u8			queue[SIM_SLOTS];
	unsigned int		queued;
	unsigned int		epoch;
	bool			busy;
	ktime_t			comreset;
	struct task_struct	*worker;
	wait_queue_head_t	wait;
	u64			pxis_seq;
	u64			is_seq;
	u32			rung_sact;
	ktime_t			srst;
};

/* What is counted */
struct sim_counts {
	u64	reads;
	u64	writes;
	u64	interrupts;
	u64	commands;
	u64	rings;
	u64	breaches;
};

/* One access, for the report of a breach */
struct sim_access {
	u64	ns;
	u32	offset;
	u32	value;
	bool	write;
	bool	hardirq;
};

#define SIM_TRACE	64

/**
 * struct sim_hba - the controller
 * @pdev: the device the driver binds to
 * @lock: of everything here but the mappings
 * @cap: CAP
 * @cap2: CAP2
 * @pi: PI
 * @vs: VS
 * @ghc: GHC
 * @is: IS
 * @ports: by number
 * @gone: every register reads as all ones
 * @irq: the Linux interrupt
 * @irq_work: delivers it
 * @masked: by the interrupt's chip
 * @irq_seq: number of the interrupt that is being handled
 * @stuck: deliveries in a row without a PxIS cleared
 * @map_lock: of @maps
 * @maps: what the device may touch, by address
 * @next_dma: the next address that was never used
 * @counts: see there
 * @trace: the last accesses, a ring
 * @traced: how many there were
 * @debugfs: folder
 */
struct sim_hba {
	struct platform_device	*pdev;
	raw_spinlock_t		lock; /* everything but the mappings */
	u32			cap;
	u32			cap2;
	u32			pi;
	u32			vs;
	u32			ghc;
	u32			is;
	struct sim_port		ports[SIM_PORTS];
	bool			gone;
	int			irq;
	struct irq_work		irq_work;
	bool			masked;
	u64			irq_seq;
	unsigned int		stuck;
	raw_spinlock_t		map_lock; /* the mappings */
	struct rb_root		maps;
	u64			next_dma;
	struct sim_counts	counts;
	struct sim_access	trace[SIM_TRACE];
	u64			traced;
	struct dentry		*debugfs;
};

extern struct sim_hba *sim_hba;
extern bool sim_edge;
extern unsigned int sim_latency_us;

/* sim_regs.c; the first two stand in sim_io.h as well */
u32 ahci_sim_readl(const void __iomem *addr);
void ahci_sim_writel(u32 value, void __iomem *addr);
void sim_regs_reset(struct sim_hba *hba);
void sim_port_raise(struct sim_port *port, u32 bits);
void sim_port_plug(struct sim_port *port);
void sim_port_unplug(struct sim_port *port);
void sim_port_send_signature(struct sim_port *port);

/* sim_disk.c */
void sim_disk_run(struct sim_port *port, unsigned int slot, unsigned int epoch);
struct sim_disk *sim_disk_create(u64 sectors, u32 sector_size);
void sim_disk_destroy(struct sim_disk *disk);

/* sim_port.c */
int sim_port_start(struct sim_port *port);
void sim_port_stop(struct sim_port *port);

/* sim_dma.c */
void sim_dma_init(struct sim_hba *hba);
unsigned int sim_dma_held(struct sim_hba *hba);
bool sim_dma_copy(struct sim_hba *hba, u64 dma, void *buf, size_t len, bool to_host);

/* sim_irq.c */
int sim_irq_init(struct sim_hba *hba);
void sim_irq_exit(struct sim_hba *hba);
void sim_irq_update(struct sim_hba *hba, u32 rising);

/* sim_check.c */
void sim_trace(struct sim_hba *hba, u32 offset, u32 value, bool write);
__printf(2, 3) void sim_breach(struct sim_hba *hba, const char *fmt, ...);

#endif /* SIM_H */

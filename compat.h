/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every difference between the kernels this driver builds for.
 *
 * Stable series and distributions move interfaces without a new version
 * number, so Kbuild looks into the headers and defines HAVE_*; nothing here
 * or elsewhere asks for a version.
 */
#ifndef AHCIF_COMPAT_H
#define AHCIF_COMPAT_H

#include <linux/backing-dev.h>
#include <linux/blkdev.h>
#include <linux/libata.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_device.h>
#include <scsi/scsi_host.h>

/* The state "frozen" got a helper in 6.2 */
static inline bool ahcif_frozen(const struct ata_port *ap)
{
	return ap->pflags & ATA_PFLAG_FROZEN;
}

/* ATA_QCFLAG_FAILED was renamed in 6.3 */
#ifdef HAVE_ATA_QCFLAG_EH
#define AHCIF_QCFLAG_EH		ATA_QCFLAG_EH
#else
#define AHCIF_QCFLAG_EH		ATA_QCFLAG_FAILED
#endif

/* "horkage" became "quirks" in 6.12 */
#ifdef HAVE_ATA_QUIRKS
#define ahcif_dev_quirks(dev)		((dev)->quirks)
#define AHCIF_DEV_BRIDGE_OK		ATA_QUIRK_BRIDGE_OK
#define AHCIF_DEV_MAX_SEC_128		ATA_QUIRK_MAX_SEC_128
#define AHCIF_DEV_MAX_SEC_1024		ATA_QUIRK_MAX_SEC_1024
#define AHCIF_DEV_ATAPI_MOD16_DMA	ATA_QUIRK_ATAPI_MOD16_DMA
#else
#define ahcif_dev_quirks(dev)		((dev)->horkage)
#define AHCIF_DEV_BRIDGE_OK		ATA_HORKAGE_BRIDGE_OK
#define AHCIF_DEV_MAX_SEC_128		ATA_HORKAGE_MAX_SEC_128
#define AHCIF_DEV_MAX_SEC_1024		ATA_HORKAGE_MAX_SEC_1024
#define AHCIF_DEV_ATAPI_MOD16_DMA	ATA_HORKAGE_ATAPI_MOD16_DMA
#endif

/* qc_fill_rtf cannot fail since 6.3 */
#ifdef HAVE_QC_FILL_RTF_VOID
#define AHCIF_RTF_RETURN	void
#define AHCIF_RTF_DONE
#else
#define AHCIF_RTF_RETURN	bool
#define AHCIF_RTF_DONE		true
#endif

/* The type of eh_timed_out changed in 6.3; libata brought its own in 6.12.y */
#ifdef HAVE_SCSI_TIMEOUT_ACTION
#define AHCIF_TIMER_ACTION	enum scsi_timeout_action
#define AHCIF_TIMER_AGAIN	SCSI_EH_RESET_TIMER
#define AHCIF_TIMER_DONE	SCSI_EH_DONE
#define AHCIF_TIMER_NOT_OURS	SCSI_EH_NOT_HANDLED
#else
#define AHCIF_TIMER_ACTION	enum blk_eh_timer_return
#define AHCIF_TIMER_AGAIN	BLK_EH_RESET_TIMER
#define AHCIF_TIMER_DONE	BLK_EH_DONE
#define AHCIF_TIMER_NOT_OURS	BLK_EH_DONE
#endif

static inline AHCIF_TIMER_ACTION ahcif_libata_timed_out(struct scsi_cmnd *cmd)
{
#ifdef HAVE_ATA_SCSI_EH_TIMED_OUT
	return ata_scsi_eh_timed_out(cmd);
#else
	return AHCIF_TIMER_NOT_OURS;
#endif
}

int ahcif_port_configure(struct scsi_device *sdev, struct queue_limits *lim);

/*
 * Limits of a disk.
 *
 * Since 6.10 the low-level driver edits a struct queue_limits. max_user_sectors
 * in it is the size of a request until the administrator says otherwise.
 *
 * Before, sd overwrites max_sectors with 1280 KiB at its first look at a disk,
 * after slave_configure and before the disk is announced. What comes next is
 * the block layer's own first read, of the partition table: there the size is
 * put in force (ahcif_limits_late()), so nobody has seen another, and whatever
 * is written to max_sectors_kb stays.
 */
#ifdef HAVE_DEVICE_CONFIGURE
#define AHCIF_LIMITS_LATE	false

static inline void ahcif_set_configure(struct scsi_host_template *sht)
{
	sht->device_configure = ahcif_port_configure;
}

static inline int ahcif_libata_configure(struct scsi_device *sdev,
					 struct queue_limits *lim)
{
	return ata_scsi_device_configure(sdev, lim);
}

static inline void ahcif_limit_request(struct queue_limits *lim,
				       unsigned int sectors)
{
	lim->max_user_sectors = sectors;
}

static inline void ahcif_limits_late(struct scsi_cmnd *cmd, unsigned int sectors)
{
}
#else
#define AHCIF_LIMITS_LATE	true

static inline int ahcif_slave_configure(struct scsi_device *sdev)
{
	return ahcif_port_configure(sdev, &sdev->request_queue->limits);
}

static inline void ahcif_set_configure(struct scsi_host_template *sht)
{
	sht->slave_configure = ahcif_slave_configure;
}

static inline int ahcif_libata_configure(struct scsi_device *sdev,
					 struct queue_limits *lim)
{
	return ata_scsi_slave_config(sdev);
}

static inline void ahcif_limit_request(struct queue_limits *lim,
				       unsigned int sectors)
{
}

static inline void ahcif_limits_late(struct scsi_cmnd *cmd, unsigned int sectors)
{
	struct request_queue *q = cmd->device->request_queue;
	struct queue_limits *lim = &q->limits;
	unsigned int hw = min(lim->max_hw_sectors, lim->max_dev_sectors);
	unsigned long flags;

	spin_lock_irqsave(&q->queue_lock, flags);
	/* Not if somebody was faster, or sd follows the device's own wish */
	if (lim->max_sectors == min_t(unsigned int, BLK_DEF_MAX_SECTORS, hw)) {
		lim->max_sectors = min(sectors, hw);
		if (q->disk)
			q->disk->bdi->io_pages = lim->max_sectors >>
						 (PAGE_SHIFT - SECTOR_SHIFT);
	}
	spin_unlock_irqrestore(&q->queue_lock, flags);
}
#endif

/* Debounce timings became unsigned int in 6.6 */
#ifdef HAVE_DEB_TIMING_INT
#define AHCIF_DEB_TIMING	const unsigned int
#else
#define AHCIF_DEB_TIMING	const unsigned long
#endif

#endif /* AHCIF_COMPAT_H */

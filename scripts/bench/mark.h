/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The mark: nopl with a displacement that no compiler makes ("AHCI").
 * Intel SDM 2, NOP: 0F 1F /0.
 */
#define MARK_BYTES 0x0f, 0x1f, 0x80, 'A', 'H', 'C', 'I'

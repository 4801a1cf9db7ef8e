/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The protocol between the driver and the controller, for spin: who tells whom what
 * in which order, over all interleavings of their register accesses.
 *
 * A step of this model is one access to a register or what happens under a lock
 * between two of them. On one side stand a submitter for each port (the block
 * layer's batches, queuecommand, commit_rqs), the interrupt handler on its lean
 * and its full path, and error handling; on the other the controller's PxSACT,
 * PxCI, PxIS and IS, a disk for each port that ends commands in any order and
 * may fail, and the interrupt as a message (edge) or a line (LEVEL).
 *
 * Proved: nothing is completed that the disk has not ended; when nothing moves any
 * more, every command was completed and every error was seen.
 *
 * CURE_n takes one of the cures out (see tests/model/cures), and the proof must fail;
 * what it fails with is the hazard's explanation, in docs/hazards.md.
 * No net and no timer is modelled: the protocol must hold without them.
 */

#ifndef COMMANDS
#define COMMANDS	3	/* of port 0 */
#endif
#ifndef COMMANDS_1
#define COMMANDS_1	1	/* of port 1, 0: it has no disk */
#endif
#ifndef ERRORS
#define ERRORS		1	/* the disk of port 0 fails so often at most */
#endif
#define TAGS		3
#define PORTS		2
#define FULL		((1 << TAGS) - 1)
#define BIT(n)		(1 << (n))

/* --- The controller --- */

byte sact[PORTS];	/* PxSACT */
byte taken[PORTS];	/* what PxCI has told the disk */
bool sdbs[PORTS];	/* PxIS.SDBS: queued commands have ended */
bool tfes[PORTS];	/* PxIS.TFES: one has failed */
bool pcs[PORTS];	/* PxIS.PCS: the link went, and what runs with it */
bool pxie[PORTS] = true;
bool halted[PORTS];	/* after an error, until the list is restarted */
byte is;		/* IS */
bool message;		/* on its way (edge) */

/* IS.IPS is a latch of PxIS and PxIE, 3.1.3 */
inline latch(p) {
	if
	:: pxie[p] && (sdbs[p] || tfes[p] || pcs[p]) && !(is & BIT(p)) ->
		is = is | BIT(p);
		message = true
	:: else
	fi
}

#ifdef LEVEL
#define INTERRUPT	(is != 0)
#else
#define INTERRUPT	message
#endif

/* --- The driver --- */

byte issued[PORTS];	/* libata's qc_active */
byte unrung[PORTS];
byte owned[PORTS];	/* of those issued: error handling's, no completion */
bool frozen[PORTS];
bool eh[PORTS];		/* error handling is wanted or at work */
bool lock[PORTS];	/* ap->lock */

/* What is known beside: ended by the disk, and not completed yet */
byte ended[PORTS];
byte left[PORTS];	/* commands still to be carried out */
byte errors = ERRORS;

inline take(p)	{ atomic { !lock[p] -> lock[p] = true } }
inline give(p)	{ lock[p] = false }

inline write_sact(p) {
	atomic {
		sact[p] = sact[p] | unrung[p];
		printf("driver: writes PxSACT, tags %d\n", unrung[p])
	}
}

inline write_ci(p) {
	atomic {
		printf("driver: writes PxCI, tags %d\n", unrung[p]);
		taken[p] = taken[p] | unrung[p];
		assert((taken[p] & ~sact[p]) == 0)
	}
}

inline ring(p) {
	assert((unrung[p] & ~issued[p]) == 0);
#ifdef CURE_SACT_FIRST
	write_ci(p);
	write_sact(p);
#else
	write_sact(p);
	write_ci(p);
#endif
	unrung[p] = 0
}

/* ata_qc_complete_multiple(): those libata has issued and the controller has not */
inline complete(p, current, gone) {
	gone = issued[p] & ~current & ~owned[p];
	printf("handler: completes tags %d\n", gone);
	assert((gone & ~ended[p]) == 0);
	assert((current & ~issued[p]) == 0);
	issued[p] = issued[p] & ~gone;
	ended[p] = ended[p] & ~gone
}

/* A batch: commands until the last one, or until commit_rqs ends it early. */
proctype Submitter(byte p)
{
	byte tag;
	bool last;

	do
	:: left[p] > 0 && issued[p] != FULL && !eh[p] ->
		take(p);
		if
		/* libata takes none while the port is frozen, nor the SCSI layer */
		:: eh[p] || frozen[p] || issued[p] == FULL -> give(p)
		:: else ->
			atomic {
				if
				:: !(issued[p] & BIT(0)) -> tag = 0
				:: !(issued[p] & BIT(1)) -> tag = 1
				:: !(issued[p] & BIT(2)) -> tag = 2
				fi;
				left[p]--;
				issued[p] = issued[p] | BIT(tag);
				unrung[p] = unrung[p] | BIT(tag);
				if
				:: last = true;
					printf("block layer: a command, tag %d, the last of its batch\n", BIT(tag))
				:: last = false;
					printf("block layer: a command, tag %d, more to come\n", BIT(tag))
				fi;
				tag = 0
			};
#ifndef CURE_LAST
			if
			:: last -> ring(p)
			:: else
			fi;
#endif
			give(p);
#ifndef CURE_COMMIT
			/* The next one may not come: no tag, an error, deferred */
			if
			:: !last ->
				printf("block layer: no more comes\n");
				take(p);
				if
				:: unrung[p] -> ring(p)
				:: else
				fi;
				give(p)
			:: !last && issued[p] != FULL && !eh[p] && left[p] > 0	/* it comes */
			:: else
			fi;
#else
			skip;
#endif
			last = false
		fi
	:: left[p] == 0 && issued[p] == 0 && !eh[p] -> break
#ifdef HALT
	:: frozen[p] -> break
#endif
	od
}

/* Ends what it has in any order. SActive goes first, then PxIS comes, 5.3.2 */
proctype Disk(byte p)
{
	byte tag;

end:	do
	:: atomic {
		taken[p] && !halted[p] ->
		if
		:: taken[p] & BIT(0) -> tag = 0
		:: taken[p] & BIT(1) -> tag = 1
		:: taken[p] & BIT(2) -> tag = 2
		fi;
		taken[p] = taken[p] & ~BIT(tag);
		sact[p] = sact[p] & ~BIT(tag);
		ended[p] = ended[p] | BIT(tag);
		printf("disk: ends tag %d, it leaves PxSACT\n", BIT(tag));
		tag = 0
	   };
	   atomic { sdbs[p] = true; printf("disk: sets PxIS.SDBS\n"); latch(p) }
	:: atomic {
		taken[p] && !halted[p] && p == 0 && errors > 0 ->
		errors--;
		halted[p] = true;
		if
		:: tfes[p] = true; printf("disk: fails a command, sets PxIS.TFES\n")
		:: pcs[p] = true; printf("link: goes, sets PxIS.PCS\n")
		fi;
		latch(p)
	   }
	od
}

/* --- The interrupt handler --- */

/* Both kinds of error give all that is issued to error handling, and forget
 * what was not rung; a link event freezes the port as well. */
inline port_error(p, hotplug) {
#ifndef CURE_FORGET
	unrung[p] = 0;
#endif
	owned[p] = issued[p];
	eh[p] = true;
	printf("handler: an error, tags %d go to error handling\n", owned[p]);
	if
	:: hotplug -> frozen[p] = true; pxie[p] = false
	:: else
	fi
}

inline full_path(p) {
	atomic {
		e_tfes = tfes[p];
		e_pcs = pcs[p];
		e_sdbs = sdbs[p];
		worked = worked || e_tfes || e_pcs || e_sdbs
	};
	/* PCS goes by PxSERR, in error handling */
	atomic {
		if :: e_tfes -> tfes[p] = false :: else fi;
		if :: e_sdbs -> sdbs[p] = false :: else fi;
		printf("handler: full path, PxIS read and cleared\n")
	};
	if
	:: e_tfes && !e_pcs ->
		current = sact[p] | unrung[p];
		complete(p, current, gone);
		port_error(p, false)
	:: e_pcs ->
		pcs[p] = false;
		port_error(p, true)
	:: else ->
		current = sact[p] | unrung[p];
		complete(p, current, gone)
	fi
}

inline lean_path(p) {
	settled = false;
	if
	:: issued[p] && !eh[p] && !frozen[p] ->
#ifdef CURE_PXIS_FIRST
		atomic { current = sact[p]; printf("handler: reads PxSACT: %d\n", current) };
		atomic { sdbs[p] = false; printf("handler: clears PxIS.SDBS\n") };
#else
#ifdef CURE_BENIGN
		atomic { sdbs[p] = false; tfes[p] = false; printf("handler: clears all of PxIS\n") };
#else
		atomic { sdbs[p] = false; printf("handler: clears PxIS.SDBS\n") };
#endif
		atomic { current = sact[p]; printf("handler: reads PxSACT: %d\n", current) };
#endif
#ifndef CURE_UNRUNG
		current = current | unrung[p];
#endif
		if
		:: current == issued[p] -> skip
		:: else ->
			complete(p, current, gone);
			settled = true;
			worked = true
		fi
	:: else
	fi
}

inline port_interrupt(p) {
	take(p);
#ifndef CURE_FROZEN
	if
	:: !frozen[p] ->
#endif
		lean_path(p);
		if
#ifdef CURE_FALL_BACK
		:: !settled && (!issued[p] || eh[p]) -> full_path(p)
#else
		:: !settled -> full_path(p)
#endif
		:: else
		fi;
#ifndef CURE_FROZEN
	:: else
	fi;
#endif
	give(p)
}

/* What still stands is latched again, and is a new message */
inline write_is(mask) {
	atomic {
		is = is & ~(mask);
		printf("handler: clears IS\n");
		latch(0);
		latch(1)
	}
}

/* What is known no more makes no difference between states */
inline forget() {
	atomic {
		seen = 0; current = 0; gone = 0;
		worked = false; settled = false;
		e_tfes = false; e_pcs = false; e_sdbs = false
	}
}

proctype Handler()
{
	byte seen, current, gone, idle;
	bool worked, settled, e_tfes, e_pcs, e_sdbs;

end:	do
	:: INTERRUPT ->
		message = false;
		worked = false;
		printf("handler: an interrupt\n");
#if COMMANDS_1 == 0
		/* The only port with a disk: IS is not asked */
		take(0);
		settled = false;
		if
		:: !frozen[0] -> lean_path(0)
		:: else
		fi;
		give(0);
		if
		:: settled -> idle = 0; write_is(3); forget(); goto end
		:: else
		fi;
#endif
		seen = is;
		if
		:: seen & BIT(0) -> port_interrupt(0)
		:: else
		fi;
		if
		:: seen & BIT(1) -> port_interrupt(1)
		:: else
		fi;
		write_is(seen);
		/* An interrupt that finds nothing may come, but not for ever */
		if
		:: worked -> idle = 0
		:: else -> idle++; assert(idle < 3)
		fi;
		forget()
	od
}

/* --- Error handling: stop, requeue, start, thaw --- */

proctype ErrorHandling(byte p)
{
	byte n, other = 1 - p;

end:	do
	:: eh[p] ->
		/* PxCMD.ST to 0: the controller forgets */
		atomic { sact[p] = 0; taken[p] = 0; printf("error handling: stops the list\n") };
		/* libata has them carried out again, those the disk ended too */
		take(p);
		atomic {
			n = (owned[p] & 1) + ((owned[p] >> 1) & 1) + ((owned[p] >> 2) & 1);
			left[p] = left[p] + n;
			issued[p] = issued[p] & ~owned[p];
			ended[p] = ended[p] & issued[p];
			owned[p] = 0;
			n = 0
		};
		give(p);
		halted[p] = false;
		/* Thaw: the past is forgotten, then interrupts come */
		atomic { sdbs[p] = false; tfes[p] = false; pcs[p] = false };
		atomic { is = is & ~BIT(p); latch(other) };
		take(p);
		atomic { frozen[p] = false; pxie[p] = true; printf("error handling: done\n"); latch(p) };
		eh[p] = false;
		give(p)
	od
}

#ifdef HALT
/*
 * Shutdown: the port is frozen and its list stopped whatever runs, and nobody
 * takes the commands over.
 */
proctype Halt()
{
	take(0);
	atomic { frozen[0] = true; pxie[0] = false; unrung[0] = 0; printf("shutdown: freezes the port\n") };
	give(0);
	atomic { sact[0] = 0; taken[0] = 0; halted[0] = true; printf("shutdown: stops the list\n") }
}
#endif

/* When nothing moves any more, everything has been done. */
proctype Judge()
{
	timeout ->
	printf("nothing moves any more: tags %d are not completed\n", issued[0]);
#ifndef HALT
	assert(left[0] == 0 && left[1] == 0);
	assert(issued[0] == 0 && issued[1] == 0);
	assert(!tfes[0] && !pcs[0] && !halted[0])
#else
	skip
#endif
}

init {
	atomic {
		left[0] = COMMANDS;
		left[1] = COMMANDS_1;
		run Submitter(0);
		run Disk(0);
		run ErrorHandling(0);
#if COMMANDS_1
		run Submitter(1);
		run Disk(1);
#endif
#ifdef HALT
		run Halt();
#endif
		run Handler();
		run Judge()
	}
}

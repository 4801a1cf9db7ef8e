#!/bin/bash
# The harness itself, proved with the stock driver: each exit code of
# scripts/guest occurs when it should and only then.
source "$(dirname "$0")/lib.sh"

# Guests that fail on purpose leave no logs behind.
export TMPDIR=$tmp

# Writes a job from standard input and prints its path.
job() {
	{ echo '. /lib.sh'; cat; } > "$tmp/$1.job"
	echo "$tmp/$1.job"
}

# code_is CODE DESCRIPTION ARGUMENTS...
code_is() {
	local wanted=$1 description=$2 code=0
	shift 2
	guest --timeout 120 "$@" || code=$?
	is "$code" "$wanted" "$description" || diag_guest
}

# verdict_has REGEX DESCRIPTION: what the last guest's run was said to be.
verdict_has() {
	[[ $guest_verdict =~ $1 ]]
	result $? "$2" || diag "$guest_verdict"
}

# shellcheck disable=SC2317 # called by ok
process_gone() {
	! kill -0 "$1" 2>/dev/null
}

check_success() {
	local kernel image disk verify
	verify=$(job verify <<- 'JOB'
		load_stock
		wait_disk
		scheduler_none
		verify_fio --size=4M
		drop_caches
		say "$(disk_of 0000:00:1f.2) $(driver_of 0000:00:1f.2) $1"
	JOB
	)
	for kernel in $(kernels); do
		image=$(image "verify-$kernel" 64M)
		mapfile -t disk < <(disk "$image")
		guest_ok "$kernel: fio verifies a disk of the stock driver" \
			--kernel "$kernel" --job "$verify" --job-arg "a  'b' \$c" --log "$tmp/log" -- "${disk[@]}"
		is "$guest_output" "# sda ahci a  'b' \$c" "$kernel: the job's output and argument"
		ok "$kernel: the image was written" grep -qm1 '[^\x00]' -a "$image"
		ok "$kernel: the kernel log is whole" grep -q 'Linux version' "$tmp/log/dmesg.log"
		is "$(find "$tmp/log" -type f -printf '%f\n' | sort | paste -sd ' ')" \
			'console.log dmesg.log qemu.log' "$kernel: the logs are kept on demand"
	done
}

# broke_is CODE TIMES DESCRIPTION LINE...: a guest with these lines on its
# console ends with that code, having been started once more so often.
broke_is() {
	local code=$1 times=$2 description=$3
	shift 3
	code_is "$code" "$description" --job "$(job broken <<- JOB
		for line in $(printf " '%s'" "$@"); do
			echo "\$line" > /dev/ttyS0
		done
		fail 'on purpose'
	JOB
	)"
	is "$(grep -c 'once more' <<< "$guest_verdict")" "$times" '... is started once more so often'
}

# What the kernel prints when it was broken by the emulator, and when not.
check_broken_guests() {
	broke_is 1 1 'flags that no processor can have' \
		'[    9.000000] RSP: 0018:ffffc90000ccfc50 EFLAGS: 04bbd242'
	broke_is 1 0 'flags that one can have' \
		'[    9.000000] RSP: 0018:ffffc90000ccfc50 EFLAGS: 00250246'
	broke_is 2 1 'a breakpoint without our driver' '[    9.000000] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI' \
		'[    9.100000] Modules linked in: ahci libahci libata'
	broke_is 2 0 'a breakpoint with our driver' '[    9.000000] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI' \
		'[    9.100000] Modules linked in: ahci_fast(OE) libata'
	broke_is 2 0 'a breakpoint after our driver' '[    9.000000] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI' \
		'[    9.100000] Modules linked in: libata [last unloaded: ahci_fast(OE)]'
}

check_job_failure() {
	code_is 1 'code 1: the job fails' --job "$(job one <<< 'fail "on purpose"')"
	is "$guest_output" 'FAIL: on purpose' 'a failed job says why'
	code_is 1 'code 1: the job does not parse' --job "$(job syntax <<< 'if then')"
}

check_complaints() {
	local warn
	warn=$(job warn <<< 'echo "<4>WARNING: on purpose" > /dev/kmsg')
	code_is 2 'code 2: the kernel warns' --job "$warn"
	verdict_has 'WARNING: on purpose' 'the warning is quoted'
	code_is 0 'code 0: the warning is allowed' --job "$warn" --allow 'on purpose'
	code_is 2 'code 2: another warning is not' --job "$warn" --allow 'something else'
	code_is 2 'code 2: the kernel warns and the job fails' \
		--job "$(job both <<< 'echo "<4>BUG: on purpose" > /dev/kmsg; exit 1')"
	code_is 0 'code 0: only the job speaks of a BUG:' --job "$(job talk <<< 'say "BUG: on purpose"')"
	code_is 2 'code 2: panic' --job "$(job panic <<< 'echo c > /proc/sysrq-trigger')"
	verdict_has 'Kernel panic' 'the panic is quoted'
}

check_early_end() {
	local assertion=$tmp/bin
	code_is 3 'code 3: power off before the end' --job "$(job off <<< 'poweroff -f')"
	code_is 3 'code 3: QEMU refuses an argument' --job "$(job none <<< true)" -- -device no-such-device
	verdict_has 'no-such-device' 'what QEMU says is quoted'
	mkdir "$assertion"
	printf '#!/bin/sh\necho "Assertion failed: x" >&2\n' > "$assertion/qemu-system-x86_64"
	chmod +x "$assertion/qemu-system-x86_64"
	PATH=$assertion:$PATH code_is 3 'code 3: QEMU speaks of an assertion' --job "$(job none <<< true)"
	verdict_has 'Assertion failed: x' 'the assertion is quoted'
}

check_timeout() {
	local started=$SECONDS
	code_is 4 'code 4: the job hangs' --timeout 20 --job "$(job hang <<< 'sleep 1000')"
	ok 'the timeout is kept' test $((SECONDS - started)) -lt 40
	verdict_has 'cpu 0:.* do_idle' 'it is said where the first processor is'
	verdict_has 'cpu 1:.* do_idle' 'it is said where the second processor is'
}

# pid_of LOGDIR: QEMU's, as soon as it runs, for 10 seconds at most.
pid_of() {
	local i
	for ((i = 0; i < 100; i++)); do
		[[ ! -s $1/pid ]] || break
		sleep 0.1
	done
	cat "$1/pid"
}

# shellcheck disable=SC2317 # in the background
stop_emulator() {
	local pid
	pid=$(pid_of "$1") && sleep 5 && kill -STOP "$pid"
}

# A QEMU that hangs itself is told from a kernel that hangs.
check_hung_emulator() {
	stop_emulator "$tmp/stopped" &
	code_is 4 'code 4: QEMU hangs' --timeout 20 --log "$tmp/stopped" --job "$(job hang <<< 'sleep 1000')"
	verdict_has "monitor does not answer" 'it is said that it was QEMU'
}

check_not_started() {
	local option
	code_is 5 'code 5: no job' --kernel 6.12
	code_is 5 'code 5: unknown option' --frobnicate 1
	code_is 5 'code 5: unknown kernel' --kernel 1.0 --job /dev/null
	code_is 5 'code 5: unknown threads' --threads many --job /dev/null
	for option in timeout memory smp; do
		code_is 5 "code 5: --$option is no number" --$option abc --job /dev/null
		code_is 5 "code 5: --$option is 0" --$option 0 --job /dev/null
	done
}

# A guest that is cut short leaves neither QEMU nor files behind, and may be
# talked to before.
check_termination() {
	local guest pid
	mkdir "$tmp/own"
	TMPDIR=$tmp/own "$root/scripts/guest" --log "$tmp/cut" --job "$(job wait <<< 'sleep 1000')" \
		> /dev/null 2>&1 &
	guest=$!
	pid=$(pid_of "$tmp/cut")
	is "$(qmp "$tmp/cut" '{"execute":"query-status"}' | jq -r '.return.status? // empty')" \
		running 'QMP answers'
	kill -TERM "$guest"
	wait "$guest"
	is $? 143 'the signal is passed on'
	ok 'QEMU is gone' process_gone "$pid"
	is "$(ls "$tmp/own")" '' 'no file is left'
}

# 100 reads of the stock driver are some 7 register accesses each.
check_mark() {
	local image disk mark accesses
	image=$(image mark 16M)
	mapfile -t disk < <(disk "$image")
	cat > "$tmp/count" <<- 'AWK'
		/^MARK/ { name = $2 }
		/^ahci_mem_/ { accesses[name]++ }
		/^process_ncq_command / { commands[name]++ }
		END { print accesses["reads"] + 0, commands["reads"] + 0, accesses["idle"] + 0 }
	AWK
	mark=$(job mark <<- 'JOB'
		load_stock
		wait_disk
		scheduler_none
		sleep 1
		echo "MARK idle" > "$MARK_TTY"
		echo "MARK reads" > "$MARK_TTY"
		dd if=/dev/sda of=/dev/null iflag=direct bs=4k count=100 2>/dev/null
		echo "MARK end" > "$MARK_TTY"
	JOB
	)
	guest_ok 'a guest with marks' --job "$mark" \
		--mark "awk -f '$tmp/count' > '$tmp/counts'" -- "${disk[@]}"
	read -r accesses commands idle < "$tmp/counts"
	diag "register accesses $accesses, NCQ commands $commands, between reads $idle"
	ok 'marks: accesses are counted' test "$accesses" -ge 200 -a "$accesses" -le 900
	is "$commands" 100 'marks: each command is counted'
	is "$idle" 0 'marks: nothing else is'
	code_is 1 'code 1: the program that reads the marks fails' --job "$(job none <<< true)" --mark 'exit 7'
}

check_success
check_job_failure
check_broken_guests
check_complaints
check_early_end
check_timeout
check_hung_emulator
check_not_started
check_termination
check_mark
done_testing

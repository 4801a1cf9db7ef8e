# Usage: jq -n -f summary.jq --slurpfile environment environment.json \
#	--slurpfile timed TIMED --slurpfile counted COUNTED --rawfile counts COUNTS
# Makes one object of what a bench found: the environment, both drivers'
# limits, and a row a workload. TIMED and COUNTED are the turns of the run that
# took times and of the one that counted, COUNTS is what count printed.
# Everything per I/O and per GiB comes from fio's own totals.

# Percentile $p (0..1) of an array of numbers, between the two nearest.
def percentile($p):
	sort | ((length - 1) * $p) as $at | ($at | floor) as $low
	| .[$low] + ($at - $low) * (.[$low + 1] // .[$low]) - ($at - $low) * .[$low];
def median: percentile(0.5);

def drivers: {"stock": "ahci", "ours": "ahci_fast"};
def ios: .read.total_ios + .write.total_ios;
def bytes: .read.io_bytes + .write.io_bytes;
def random: .["job options"].rw | startswith("rand");
def speed: if random then .read.iops + .write.iops
	else (.read.bw_bytes + .write.bw_bytes) / 1048576 end;

# Job $i of all turns of $driver in $runs, by turn, each with its interrupts.
def jobs($runs; $driver; $i):
	[$runs[] | select(.driver == $driver)] | sort_by(.turn)
	| map({interrupts: .interrupts[$i], prds: .prds[$i], prd_commands: .prd_commands[$i]} + .fio.jobs[$i]);

# What count printed for job $i of $driver, by turn.
def counts($driver; $i):
	$counts | split("\n") | map(split("\t"))
	| map(select(.[0] == $driver and .[2] == "\($i)") | map(tonumber? // .))
	| sort_by(.[1])
	| map({reads: .[3], writes: .[4], commands: .[5], insns_driver: .[6], insns_stack: .[7]});

# The figures of job $i with one driver.
def figures($driver; $i):
	jobs($timed; $driver; $i) as $runs
	| [jobs($counted; $driver; $i), counts($driver; $i)] | transpose
	| map(.[1] + {ios: (.[0] | ios), bytes: (.[0] | bytes), interrupts: .[0].interrupts})
	| {
		speeds: ($runs | map(speed)),
		speed: ($runs | map(speed) | median),
		iops: ($runs | map(.read.iops + .write.iops) | median),
		prds_per_command: (if $runs[0].prd_commands > 0
			then $runs | map(.prds / .prd_commands) | median else null end),
		interrupts_per_io: ($runs | map(.interrupts / ios) | median),
		counted_interrupts_per_io: (map(.interrupts / .ios) | median),
		reads_per_io: (map(.reads / .ios) | median),
		registers_per_io: (map((.reads + .writes) / .ios) | median),
		commands_per_gib: (map(.commands * 1073741824 / .bytes) | median),
		insns_driver_per_io: (map(.insns_driver / .ios) | median),
		insns_stack_per_io: (map(.insns_stack / .ios) | median),
		insns_stack_per_gib: (map(.insns_stack * 1073741824 / .bytes) | median),
		counted: .
	};

# Stock and ours of one turn make a pair: what slows the machine for a while
# slows both.
def ratio:
	[.ours.speeds, .stock.speeds] | transpose | map(.[0] / .[1])
	| {pairs: ., median: median, lower: percentile(0.25), upper: percentile(0.75)};

def row($i):
	$timed[0].fio.jobs[$i] as $job
	| {workload: $job.jobname, label: ($job.desc // $job.jobname),
		unit: (if $job | random then "IOPS" else "MiB/s" end),
		block_size: $job["job options"].bs, depth: ($job["job options"].iodepth | tonumber)}
	+ (drivers | map_values(figures(.; $i)))
	| . + {ratio: ratio};

def of_driver(f): drivers | map_values(. as $driver
	| first($timed[] | select(.driver == $driver)) | f);

{
	environment: $environment[0],
	limits: of_driver(.limits | map_values(tonumber)),
	parameters: of_driver(.parameters),
	rows: [range($timed[0].fio.jobs | length) | row(.)]
}

#!/usr/bin/env bash
# Follows the page about sweeps as its readers do, and compares their records with those of one machine.
#
#   cluster.sh slurm PROGRAM      on a Slurm cluster of one machine, which fails once
#   cluster.sh snakemake PROGRAM  with Snakemake, of which a process is killed once
#
# PROGRAM is cpsrl. The lines that it runs are those of the page. Whatever ends it, it ends all processes that it
# has started: it knows them by the variable CHECK in their environment.
set -euo pipefail
page=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../../site/docs/cluster.md
PATH+=:/usr/sbin # of the daemons
dir=$(mktemp -d)
trap clear_up EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$dir" # munge demands it
conf=$dir/slurm.conf home=$dir/home
mkdir "$home"

# The reader's cpsrl is the program, except that the process of a shard which has a file in the folder victims stops
# before it begins, once, and then runs when nothing else would.
mkdir "$dir/victims"
cp "$2" "$dir/cpsrl"
cat >"$home/cpsrl" <<-end
	#!/bin/bash
	victim=$dir/victims/\${@: -1}
	victim=\${victim%/8}
	if [[ "\$*" == *" -shard "* && -f \$victim ]]; then
		rm "\$victim"
		echo \$\$ >"\$victim.new"
		mv "\$victim.new" "\$victim.process"
		kill -STOP \$\$
		exec nice -n 19 $dir/cpsrl "\$@"
	fi
	exec $dir/cpsrl "\$@"
end
chmod +x "$home/cpsrl"

# --- Processes ------------------------------------------------------------------

# ours prints the processes that the check has started.
ours() { grep -lsFxz "CHECK=$dir" /proc/[0-9]*/environ | cut -d/ -f3 || true; }

# named PATTERN prints those that have an argument which matches.
named() {
	local process
	for process in $(ours); do
		! grep -qsz -e "$1" "/proc/$process/cmdline" || echo "$process"
	done
}

# clear_up ends all processes of the check and removes its folder.
clear_up() {
	local list _
	trap '' INT TERM HUP
	for _ in {1..100}; do
		list=$(ours)
		[[ -n $list ]] || break
		kill -KILL $list 2>/dev/null || true
		sleep 0.1
	done
	rm -rf "$dir"
}

# A keeper clears up if the check is killed.
setsid bash -c "dir=$dir; $(declare -f ours clear_up); while kill -0 $$; do sleep 1; done; clear_up" >/dev/null 2>&1 </dev/null &
disown

# fail SENTENCE ends the check, with what daemons and jobs have said.
fail() {
	local log
	for log in "$dir"/*.log "$home"/*/*.log; do
		[[ ! -s $log ]] || { echo "--- ${log#"$dir/"}" && tail -n 40 "$log"; }
	done
	echo "cluster.sh: $1"
	exit 1
} >&2

# await WHAT COMMAND… runs the command until it succeeds, for five minutes at most.
await() {
	local end=$((SECONDS + 300))
	until "${@:2}"; do
		((SECONDS < end)) || fail "five minutes have not brought $1"
		sleep 0.1
	done
}

# --- The reader -------------------------------------------------------------------

# block N HEADING prints the Nth block of lines under a heading of the page.
block() {
	awk -v n="$1" -v heading="### $2" '
		/^ *```/ { open = !open; k += open; indent = index($0, "`"); next }
		open && here && k == n { print substr($0, indent) }
		!open && /^#/ { here = $0 == heading; k = 0 }
	' "$page" | grep . || fail "the page has no block $1 under \"$2\""
}

# reader LINES runs lines in a new shell in the reader's home.
reader() { (cd "$home" && exec env -i CHECK="$dir" HOME="$home" PATH="$PATH" SLURM_CONF="$conf" bash -euc "$1"); }

# alone LINE NAME runs the sweep of a line of cpsrl slurm on one machine, into a folder of the reader.
alone() {
	local flags=${1#cpsrl slurm }
	[[ $flags != "$1" && $flags == *" -shards "* ]] || fail "the line is not cpsrl slurm … -shards …: $1"
	reader "./cpsrl sweep ${flags%% -shards *} -o $2 -quiet"
}

# same ONE OTHER compares the records of two folders.
same() { diff -rq -x run.json -x 'shard-*.json' -x '.cpsrl.*.tmp' "$home/$1" "$home/$2" || fail "$2 has other records than one machine"; }

# shard ID prints which of 8 shards has the setting, by the hash that the package core/sweep names.
shard() {
	local sum
	sum=$(printf 'shard %s' "$1" | sha256sum)
	echo $((16#${sum:15:1} % 8))
}

# shared prints the shards that have at least two settings of the folder one, with their files.
shared() {
	local file
	for file in "$home"/one/*.jsonl; do
		file=$(basename "$file")
		echo "$(shard "${file%.jsonl}") $file"
	done | awk '{ files[$1] = files[$1] " " $2; n[$1]++ } END { for (s in n) if (n[s] > 1) print s files[s] }' | sort -n
}

# stop FOLDER SHARD FILE… stops the process of a shard, a victim, when a file of it is there and another is not. It
# sets process, and whole to what tells the files that are there from the same ones written again. The process advances
# in small steps, and lets others go first, so that it does not get ahead on a busy machine.
stop() {
	local shard=$2 folder=$home/$1 end
	shift 2
	set -- "${@/#/$folder/}"
	await "a process of shard $shard" test -e "$dir/victims/$shard.process"
	process=$(<"$dir/victims/$shard.process")
	await "the stop of shard $shard" stopped
	end=$((SECONDS + 300))
	until any "$@"; do
		((SECONDS < end)) || fail "five minutes have not brought a whole setting of shard $shard"
		kill -CONT "$process"
		sleep 0.03
		kill -STOP "$process" 2>/dev/null || fail "shard $shard has ended without a whole setting"
	done
	await "the stop of shard $shard" stopped
	! whole=$(stat -c '%n %i %s %y' "$@" 2>/dev/null) || fail "shard $shard was whole before it could be stopped"
}

# stopped tells whether the process has stopped, or has ended.
stopped() { ! grep -qs '^State:.[^TZX]' "/proc/$process/status"; }

# any FILE… tells whether one of the files is there.
any() {
	local file
	for file; do
		[[ ! -e $file ]] || return 0
	done
	return 1
}

# kept WHOLE demands that files which were whole have not been written again.
kept() {
	local files
	mapfile -t files < <(cut -d' ' -f1 <<<"$1")
	[[ $(stat -c '%n %i %s %y' "${files[@]}") == "$1" ]] || fail "a whole setting was computed again"
}

# --- Slurm ------------------------------------------------------------------------

daemon() {
	CHECK=$dir SLURM_CONF=$conf HOME=$home setsid "$@" >>"$dir/$1.log" 2>&1 </dev/null &
	disown
}

slurm_cluster() {
	local host=${HOSTNAME%%.*} user port
	user=$(id -un)
	await "two free ports" free_ports
	cat >"$conf" <<-end
		ClusterName=check
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		SlurmdPort=$((port + 1))
		SlurmUser=$user
		SlurmdUser=$user
		AuthType=auth/munge
		AuthInfo=socket=$dir/munge,cred_expire=10
		CredType=cred/munge
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SchedulerType=sched/builtin
		SchedulerParameters=sched_interval=1
		SlurmdParameters=config_overrides
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool
		SlurmctldPidFile=$dir/slurmctld.pid
		SlurmdPidFile=$dir/slurmd.pid
		MailProg=/bin/true
		MessageTimeout=100
		SlurmdTimeout=600
		KillWait=5
		MinJobAge=3600
		MaxArraySize=8
		JobRequeue=0
		ReturnToService=2
		NodeName=$host NodeAddr=127.0.0.1 CPUs=2
		PartitionName=all Nodes=ALL Default=YES State=UP
	end
	mkdir "$dir"/{state,spool}
	(umask 077 && head -c 128 /dev/urandom >"$dir/key")
	daemon munged --foreground --key-file="$dir/key" --socket="$dir/munge" --pid-file="$dir/munged.pid" --seed-file="$dir/seed" --log-file="$dir/munge.log"
	await "munge" test -S "$dir/munge"
	daemon slurmctld -D
	daemon slurmd -D
	await "a cluster" idle
}

# free_ports sets port to one that nobody listens on, and so the next.
free_ports() {
	port=$((20000 + RANDOM % 10000))
	! (: </dev/tcp/127.0.0.1/$port) 2>/dev/null && ! (: </dev/tcp/127.0.0.1/$((port + 1))) 2>/dev/null
}

idle() { [[ $(reader "scontrol show node --oneliner" 2>/dev/null) == *" State=IDLE "* ]]; }

# quiet demands that squeue, as the page has it, lists no job.
quiet() { [[ $(reader "$watch" 2>/dev/null | wc -l) == 1 ]]; }

# machine prints the processes of the machine: all but those of the cluster's head.
machine() {
	local process
	for process in $(ours); do
		grep -qsz -e '^munged$' -e '^slurmctld$' -e 'slurmscriptd' "/proc/$process/cmdline" || echo "$process"
	done
}

no_machine() { [[ -z $(machine) ]]; }

# fail_machine ends all processes of the machine while it runs one task, and starts it again. The daemons are stopped
# first and end last, so that they report nothing. The partition takes no task meanwhile: one that begins when the
# machine fails may be ended by a message that was for its first start.
fail_machine() {
	local daemons process tasks=()
	reader "scontrol update PartitionName=all State=DOWN"
	await "the end of the other tasks" one_task
	daemons=" $(named '^slurmd$' | tr '\n' ' ') $(named '^slurmstepd: ' | tr '\n' ' ') "
	kill -STOP $daemons
	for process in $(machine); do
		[[ $daemons == *" $process "* ]] || tasks+=("$process")
	done
	kill -KILL "${tasks[@]}" 2>/dev/null || true
	kill -KILL $daemons
	await "the end of the machine" no_machine
	reader "scontrol update NodeName=${HOSTNAME%%.*} State=DOWN Reason=failed"
	daemon slurmd -D
	await "the machine" idle
	await "the end of all messages" no_messages
	reader "scontrol update PartitionName=all State=UP"
}

one_task() { [[ $(reader "squeue -h -t RUNNING,COMPLETING -o %T" 2>/dev/null) == RUNNING ]]; }

no_messages() { [[ $(reader sdiag 2>/dev/null | grep -cE '^Agent (queue size|count): +0$') == 2 ]]; }

slurm() {
	local path write watch array victims files others first second one other process whole
	local page_steps="Slurm, step by step"
	path=$(block 1 "$page_steps" | grep '^export ')
	write=$(block 2 "$page_steps")
	watch=$(block 4 "$page_steps")
	alone "$write" one
	reader "./cpsrl table one -o one.csv; ./cpsrl plot one -o one.svg"
	mapfile -t victims < <(shared)
	[[ ${#victims[@]} -ge 2 ]] || fail "fewer than two of eight shards have two settings"
	read -r first files <<<"${victims[0]}"
	read -r second others <<<"${victims[1]}"
	touch "$dir/victims/"{"$first","$second"}
	slurm_cluster

	# The page, with a task that others need the machine for and a machine that fails.
	reader "$(block 1 "$page_steps"; echo "$write"; block 3 "$page_steps")"
	array=$(reader "squeue --me -h -r -n cpsrl-sweep -o %F" | sort -u)
	stop jobs/records "$first" $files
	one=$whole
	reader "scontrol requeue ${array}_$first"
	stop jobs/records "$second" $others
	other=$whole
	fail_machine
	await "the end of all jobs" quiet
	reader "$(block 5 "$page_steps")" | cmp - "$home/one.csv" || fail "the table is another one"
	cmp "$home/jobs/figure.svg" "$home/one.svg" || fail "the figure is another one"
	same one jobs/records
	kept "$one"
	kept "$other"
	grep -q 'interrupted; 1 of ' "$home/jobs/shard-$array-$first.log" || fail "shard $first was not interrupted"
	! grep -q 'interrupted' "$home/jobs/shard-$array-$second.log" || fail "shard $second was not killed"
	for one in "$first" "$second"; do
		[[ $(reader "scontrol show job ${array}_$one") == *" Restarts="[1-9]" "* ]] || fail "Slurm has not requeued shard $one"
	done

	# An array that is too long for the cluster is refused; with -max-array it is two.
	write="cpsrl slurm -preset fig1-quick -episodes 2 -runs 1 -vary seed=1,2,3,4,5,6,7,8,9,10,11,12 -shards 10 -o wide"
	alone "$write" few
	! reader "$path; $write; wide/submit.sh" 2>"$dir/said" || fail "Slurm took an array that is too long"
	grep -q 'Invalid job array specification' "$dir/said" || fail "$(cat "$dir/said")"
	quiet || fail "a refused array has left a job"
	reader "$path; $write -max-array 8; wide/submit.sh"
	await "the end of all jobs" quiet
	same few wide/records
	[[ -e $home/wide/records/shard-9.json ]] || fail "shard 9 is not there"

	# The table names what is missing, and what is missing is submitted again.
	files=$(cd "$home/wide/records" && ls ./*.jsonl | head -n 1)
	rm "$home/wide/table.csv" "$home/wide/records/$files"
	reader "$path; cd wide; sbatch table.sbatch"
	await "the end of the table" quiet
	grep -q '^shards are missing (--array=.*); look into their logs' "$home/wide/table.log" || fail "the table does not name what is missing"
	[[ ! -e $home/wide/table.csv ]] || fail "a table of missing shards is there"
	reader "$path; wide/submit.sh"
	await "the end of all jobs" quiet
	same few wide/records
	[[ -e $home/wide/table.csv ]] || fail "the table is not there"

	# Without its variables, a line of the page is an error.
	! reader './cpsrl sweep wide/sweep.json -o unset -shard "${SLURM_ARRAY_TASK_ID-}/8"' 2>"$dir/said" || fail "a half -shard is no error"
	grep -q 'SLURM_ARRAY_TASK_ID may not be set' "$dir/said" && [[ ! -e $home/unset ]] || fail "$(cat "$dir/said")"
}

# --- Snakemake ----------------------------------------------------------------------

snakemake() {
	local line write first files process whole
	write=$(block 2 "Slurm, step by step")
	alone "$write" one
	reader "./cpsrl table one -o one.csv"
	block 1 "Other programs" >"$home/Snakefile"
	line=$(block 2 "Other programs")
	reader "./$write; cp jobs/sweep.json ."
	mkdir "$home/bin"
	mv "$home/cpsrl" "$home/bin"
	read -r first files < <(shared)
	touch "$dir/victims/$first"
	reader "PATH=~/bin:\$PATH; exec $line" >"$dir/snakemake.log" 2>&1 &
	stop sweep "$first" $files
	kill -KILL "$process"
	! wait $! || fail "Snakemake has not seen that a shard was killed"
	reader "PATH=~/bin:\$PATH; exec $line" >"$dir/snakemake.log" 2>&1 || fail "Snakemake failed"
	cmp "$home/table.csv" "$home/one.csv" || fail "the table is another one"
	same one sweep
	kept "$whole"
}

case $1 in
slurm | snakemake) "$1" ;;
*) fail "there is no check \"$1\"" ;;
esac

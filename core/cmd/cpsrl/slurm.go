package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"cpsrl/core/record"
	"cpsrl/core/sweep"
)

var slurmCommand = command{
	name: "slurm", args: "FILE | -preset NAME … -vary KEY=VALUE,… [flags] -shards N -o DIR",
	short: "write the jobs that run a sweep on a Slurm cluster",
	long: varyHelp + `

Writes into DIR what a Slurm cluster needs to compute the sweep in N shards: sweep.json, the sweep; sweep.sbatch, a job array
with a task for each shard; table.sbatch, which makes table.csv and figure.svg of the records; submit.sh, which submits the
array and, after it, the table; and records, the folder of the sweep. Run DIR/submit.sh on a machine that has sbatch and sees
DIR as the cluster does. A task that is stopped and requeued goes on, and submit.sh again submits only what is missing. The
files are short and may be changed, for instance to name a partition. The jobs run the cpsrl that PATH leads to when they are
submitted, or the program that CPSRL names.`,
	operands: []string{"FILE"}, optional: true,
	setup: func(flags *flag.FlagSet) action {
		source := newSweepFlags(flags)
		dir := flags.String("o", "", "write into the folder `DIR`")
		shards := wholeNumber(flags, "shards", 0, 1, sweep.MaxShards, "the number of shards, `N`")
		cpus := wholeNumber(flags, "cpus", 1, 1, 1024, "the processors of a task, `N`")
		limit := "1:00:00"
		flags.Func("time", "the time limit of a task as Slurm writes it, `TIME` (default "+limit+")", func(text string) error {
			if !timeLimit(text) {
				return fmt.Errorf("expected a time such as 30 (minutes), 2:00:00 (hours) or 1-12 (days and hours)")
			}
			limit = text
			return nil
		})
		most := mostFlag(flags)
		return func(h *host, args []string) error {
			s, name, err := source.sweep(h, args)
			switch {
			case err != nil:
				return err
			case *shards == 0:
				return badf("flag -shards", "a number of shards was expected")
			case *dir == "" || *dir == "-":
				return badf("flag -o", "a folder was expected")
			}
			run := &sweep.Run{Engine: record.Engine, Shards: *shards, Sweep: s}
			if _, err := h.beginSweep(&disk{h, filepath.Join(*dir, recordsFolder)}, run, name, 0, runtime.NumCPU()); err != nil {
				return err
			}
			words := strings.NewReplacer("SHARDS", fmt.Sprint(*shards), "CPUS", fmt.Sprint(*cpus), "TIME", limit, "MOST", fmt.Sprint(*most))
			for _, file := range []struct{ name, text string }{
				{"sweep.json", string(s.Encode()) + "\n"}, {"sweep.sbatch", words.Replace(sweepJob)},
				{"table.sbatch", tableJob}, {"submit.sh", words.Replace(submit)},
			} {
				path := filepath.Join(*dir, file.name)
				if err := h.write(path, []byte(file.text)); err != nil {
					return err
				}
				if strings.HasSuffix(path, ".sh") {
					os.Chmod(path, 0o777&^umask()) // some file systems cannot; bash reads it all the same
				}
			}
			return nil
		}
	},
}

// timeLimits are the forms of time limits that Slurm documents (sbatch's --time), in units of seconds: minutes,
// minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes, days-hours:minutes:seconds. A number may be
// larger than a clock shows, and 0 is no limit.
var timeLimits = []struct {
	form  *regexp.Regexp
	units []int64
}{
	{regexp.MustCompile(`^(\d+)$`), []int64{60}},
	{regexp.MustCompile(`^(\d+):(\d+)$`), []int64{60, 1}},
	{regexp.MustCompile(`^(\d+):(\d+):(\d+)$`), []int64{3600, 60, 1}},
	{regexp.MustCompile(`^(\d+)-(\d+)$`), []int64{86400, 3600}},
	{regexp.MustCompile(`^(\d+)-(\d+):(\d+)$`), []int64{86400, 3600, 60}},
	{regexp.MustCompile(`^(\d+)-(\d+):(\d+):(\d+)$`), []int64{86400, 3600, 60, 1}},
}

// timeLimit reports whether sbatch takes a text as a time limit. Slurm counts seconds in 31 bits.
func timeLimit(text string) bool {
	if strings.EqualFold(text, "unlimited") || strings.EqualFold(text, "infinite") || text == "-1" {
		return true
	}
	for _, of := range timeLimits {
		match := of.form.FindStringSubmatch(text)
		if match == nil {
			continue
		}
		seconds := int64(0)
		for k, digits := range match[1:] {
			n, err := strconv.ParseInt(digits, 10, 32)
			if err != nil {
				return false
			}
			seconds += n * of.units[k]
		}
		return seconds <= math.MaxInt32
	}
	return false
}

// recordsFolder is the folder of the records beside the jobs.
const recordsFolder = "records"

const sweepJob = `#!/bin/bash
#SBATCH --job-name=cpsrl-sweep
#SBATCH --cpus-per-task=CPUS
#SBATCH --time=TIME
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=shard-%A-%a.log
# Computes one shard of the sweep. submit.sh gives the program and the array, and where indices are bounded an OFFSET.
set -eu
exec "${1:-${CPSRL:-cpsrl}}" sweep sweep.json -o records -workers CPUS -shard "$((${SLURM_ARRAY_TASK_ID:?} + ${OFFSET:-0}))/SHARDS"
`

const tableJob = `#!/bin/bash
#SBATCH --job-name=cpsrl-table
#SBATCH --time=1:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=table.log
# Makes the table and the figure of the sweep, if all shards are whole.
set -eu
program=${1:-${CPSRL:-cpsrl}}
missing=$("$program" sweep -missing records)
if [ -n "$missing" ]; then
	echo "shards are missing ($missing); look into their logs, then run submit.sh again" >&2
	exit 1
fi
"$program" table records -o table.csv
"$program" plot records -o figure.svg
`

const submit = `#!/bin/bash
# Submits the shards that are not whole, and then the table.
set -eu
program=$(command -v "${CPSRL:-cpsrl}") || {
	echo "submit.sh: there is no program ${CPSRL:-cpsrl}; let PATH lead to it, or CPSRL name it" >&2
	exit 1
}
[[ $program == /* ]] || program=$PWD/$program
export OFFSET=0
cd "$(dirname "$0")"
missing=$("$program" sweep -missing records -max-array MOST)
after=""
while read -r flags; do
	[ -n "$flags" ] || continue
	said=$(sbatch --parsable $flags sweep.sbatch "$program")
	# A site may let sbatch say more: the last line that is an ID, or an ID;CLUSTER, is the job.
	job=$(grep -xE '[0-9]+(;[^[:space:]]+)?' <<<"$said" | tail -n 1)
	[ -n "$job" ] || {
		echo "submit.sh: sbatch printed no job ID, so the table is not submitted: $said" >&2
		exit 1
	}
	after="$after:${job%%;*}"
done <<<"$missing"
sbatch ${after:+--dependency=afterany$after} table.sbatch "$program"
`

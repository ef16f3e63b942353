package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
			if text == "" || strings.Trim(text, "0123456789:-") != "" {
				return fmt.Errorf("expected a time such as 30, 2:00:00 or 1-12:00:00")
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
			ids, possible := map[string]bool{}, false
			for t := range s.Settings() {
				ids[t.ID], possible, err = true, possible || t.Err == nil, t.Err
			}
			if !possible {
				return in(name, fmt.Errorf("no setting is possible; the last: %w", err))
			}
			f := &folder{filepath.Join(*dir, recordsFolder), &sweep.Run{Engine: record.Engine, Shards: *shards, Sweep: s}}
			if err := h.begin(f, ids); err != nil {
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

// recordsFolder is the folder of the records beside the jobs.
const recordsFolder = "records"

const sweepJob = `#!/bin/bash
#SBATCH --job-name=cpsrl-sweep
#SBATCH --cpus-per-task=CPUS
#SBATCH --time=TIME
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=shard-%A-%a.log
# Computes one shard of the sweep. submit.sh gives the array, and where indices are bounded an OFFSET.
set -eu
exec "${CPSRL:-cpsrl}" sweep sweep.json -o records -workers CPUS -shard "$((${SLURM_ARRAY_TASK_ID:?} + ${OFFSET:-0}))/SHARDS"
`

const tableJob = `#!/bin/bash
#SBATCH --job-name=cpsrl-table
#SBATCH --time=1:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=table.log
# Makes the table and the figure of the sweep, if all shards are whole.
set -eu
missing=$("${CPSRL:-cpsrl}" sweep -missing records)
if [ -n "$missing" ]; then
	echo "shards are missing ($missing); look into their logs, then run submit.sh again" >&2
	exit 1
fi
"${CPSRL:-cpsrl}" table records -o table.csv
"${CPSRL:-cpsrl}" plot records -o figure.svg
`

const submit = `#!/bin/bash
# Submits the shards that are not whole, and then the table.
set -eu
program=$(command -v "${CPSRL:-cpsrl}") || {
	echo "submit.sh: there is no program ${CPSRL:-cpsrl}; let PATH lead to it, or CPSRL name it" >&2
	exit 1
}
[[ $program == /* ]] || program=$PWD/$program
export CPSRL=$program OFFSET=0
cd "$(dirname "$0")"
missing=$("$CPSRL" sweep -missing records -max-array MOST)
after=""
while read -r flags; do
	[ -n "$flags" ] || continue
	job=$(sbatch --parsable $flags sweep.sbatch)
	after="$after:${job%%;*}"
done <<<"$missing"
sbatch ${after:+--dependency=afterany$after} table.sbatch
`

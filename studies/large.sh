#!/usr/bin/env bash
# large.sh [FOLDER] plays SysAdmin with 20 and with 30 machines (instances 3 and 5 of IPPC 2011; large.json), whose states no
# list holds: told the true model, F-PSRL, C-PSRL with the suggested edges and with none, at random, and with no action. All
# who plan search by the same planner. For each agent, the mean return of an episode, over all episodes and over the last 50,
# with the 95% interval over the runs, and in how many runs the last 50 are at least 90% of those of F-PSRL in the same run.
# Then what the policy of the search is worth in the true model with 10 machines (instance 1), as a share of V⋆ (share; one policy
# for each run). It goes on where it ended: the records are in the folder (by default ./studies-out).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
table=$here/large.csv

# numbers FILE PROBLEM LINK prints a row for each agent of a file of records.
numbers() {
	"$cpsrl" summary "$1" -long | python3 -c '
import csv, math, sys
problem, link, planner = sys.argv[1:]
t = {3: 4.302653, 4: 3.182446, 10: 2.262157}  # of Student, by runs: two-sided, 95%
of, values = {}, {}
for row in csv.DictReader(line for line in sys.stdin if not line.startswith("#")):
    of.setdefault(row["agent"], {}).setdefault(row["run"], []).append(float(row["return"]))
    if row["optimal"]:
        values.setdefault(row["agent"], []).append(float(row["value"]) / float(row["optimal"]))
def interval(list, digits=0):
    n, mean = len(list), sum(list) / len(list)
    half = t[n] * math.sqrt(sum((v - mean) ** 2 for v in list) / (n - 1) / n)
    return f"{mean:.{digits}f} ± {half:.{digits}f}"
late = {agent: {run: sum(list[-50:]) / len(list[-50:]) for run, list in runs.items()} for agent, runs in of.items()}
for agent, runs in of.items():
    episodes = len(next(iter(runs.values())))
    near = sum(late[agent][run] >= .9 * late["f-psrl"][run] for run in runs) if "f-psrl" in of else ""
    every = interval([sum(list) / len(list) for list in runs.values()])
    last = interval(list(late[agent].values())) if episodes > 50 else ""
    share = interval([100 * v for v in values[agent]], 2) if agent in values else ""
    if share:
        every = ""
    print(problem, planner, agent, episodes, len(runs), every, last, near, share, link, sep="\t")
' "$2" "$3" "$(grep -o '"planner":"[^"]*"' "$1" | head -n 1 | cut -d'"' -f4)"
}

rows() {
	printf 'problem\tplanner\tagent\tepisodes\truns\treturn\tlast 50\tnear\tshare\tlink\n'
	settings large | while IFS=, read -r file problem; do
		numbers "$file" "$problem" "$(link "$file")"
	done
}
all=$(rows)
csv <<<"$all" >"$table"

#!/usr/bin/env bash
# rddl.sh [FOLDER] asks which problems of the planning competitions of 2011 and 2014 "cpsrl convert" reads: each MDP of them with ten
# instances. The folder (by default ./studies-out) has a checkout of github.com/pyrddlgym-project/rddlrepository (MIT), whose files in
# RDDL are not copied here; rddl.csv is of its commit 01b7d6f. rddl.csv beside this script gets a row for each problem and year: its
# instances, how many are read, which are not, the reason of the first of these, and log10 of the number of states times actions, legal
# or not, in the smallest and the largest that is read. It takes a minute of one core. CPSRL names the program (by default ./cpsrl).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-studies-out}
export CPSRL=${CPSRL:-./cpsrl}
games=$(find -L "$folder" -type d -path '*/archive/competitions' -print -quit)
if [[ -z $games ]]; then
	echo "rddl.sh: $folder has no checkout of github.com/pyrddlgym-project/rddlrepository" >&2
	exit 2
fi
python3 - "$games" "$here/rddl.csv" <<'end'
import csv, json, math, os, re, subprocess, sys
from pathlib import Path

games, table = map(Path, sys.argv[1:])


def number(instance):
    return int(re.sub(r"\D", "", instance.stem))


def size(model):
    return sum(math.log10(v["size"]) for v in model["state"] + model["action"])


with open(table, "w", encoding="utf-8", newline="") as file:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["year", "problem", "instances", "read", "smallest", "largest", "not read", "reason"])
    for year in ("2011", "2014"):
        for problem in sorted(games.glob(f"IPPC{year}/*/MDP")):
            instances = sorted(problem.glob("instance*.rddl"), key=number)
            sizes, refused, reason = [], [], ""
            for instance in instances:
                said = subprocess.run([os.environ["CPSRL"], "convert", problem / "domain.rddl", instance], capture_output=True, text=True)
                if said.returncode == 0:
                    sizes.append(size(json.loads(said.stdout)))
                    continue
                refused.append(number(instance))
                reason = reason or re.sub(r"^.*\.rddl: (line \d+, column \d+: )?", "", said.stderr.strip())
            row = [year, problem.parent.name, len(instances), len(sizes), f"{min(sizes):.1f}", f"{max(sizes):.1f}", " ".join(map(str, refused)), reason]
            rows.writerow(row)
            print(*row)
end

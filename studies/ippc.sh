#!/usr/bin/env bash
# ippc.sh [FOLDER] plays instances of the planning competition of 2011: told the true model, F-PSRL, C-PSRL with the prior that the
# domain's text suggests ("cpsrl convert") and with no edge stated, at random, and with no action. Four runs of seed 8, rows mixed and tied,
# payoffs known, Z = 3, or 2 where all sets of three are too many. All who plan do so by the same planner: exactly where a list holds the states, else by a search whose
# budget was chosen by what it collects in the true model. The folder (by default ./studies-out) has a checkout of
# github.com/pyrddlgym-project/rddlrepository (MIT), whose files in RDDL are not copied here. ippc.csv beside this script gets a row for
# each instance and agent: how many state variables there are, and parents of one at most; the mean return of an episode, over all episodes and over the last fifth, with the 95% interval over the runs, and
# the SHA-256 of the records; and V⋆, where it is known. Minimum is what the competition counted as 0, the better one of its random play and no action, as
# github.com/prost-planner/prost has it. It goes on where it ended. CPSRL names the program (by default ./cpsrl).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-studies-out}
export CPSRL=${CPSRL:-./cpsrl}
games=$(find -L "$folder" -type d -path '*/archive/competitions' -print -quit)
if [[ -z $games ]]; then
	echo "ippc.sh: $folder has no checkout of github.com/pyrddlgym-project/rddlrepository" >&2
	exit 2
fi
mkdir -p "$folder/ippc"
python3 - "$games/IPPC2011" "$folder/ippc" "$here/ippc.csv" <<'end'
import csv, hashlib, json, math, os, subprocess, sys
from pathlib import Path

games, out, table = map(Path, sys.argv[1:])
agents = ["optimal", "f-psrl", "c-psrl", "c-psrl:eta=0", "random", "constant"]
runs = 4
settings = [  # problem, instance, Z, planner, episodes, minimum
    ("SysAdmin", 1, 3, "exact", 50, 210.18),
    ("SysAdmin", 3, 3, "uct:300:5", 50, 345.4),
    ("SysAdmin", 10, 2, "uct:300:5", 50, 471.1),
    ("GameOfLife", 1, 3, "exact", 50, 70.53),
    ("GameOfLife", 4, 3, "uct:300:5", 50, 167.23),
    ("GameOfLife", 10, 3, "uct:300:5", 50, 176.73),
    ("Navigation", 1, 3, "exact", 50, -37.27),
    ("Navigation", 3, 3, "uct:600:40", 50, -40.0),
    ("SkillTeaching", 1, 3, "exact", 50, 39.34),
    ("SkillTeaching", 3, 3, "uct:200:5", 50, -83.23),
    ("Elevators", 1, 3, "exact", 50, -65.2),
    ("CrossingTraffic", 1, 3, "uct:300:15", 30, -32.73),
]


def cpsrl(*args):
    return subprocess.run([os.environ["CPSRL"], *map(str, args)], stdout=subprocess.PIPE, text=True, check=True).stdout


def interval(values):
    n, mean = len(values), sum(values) / len(values)
    half = {4: 3.182446}[n] * math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)  # Student's t, 95%
    return f"{mean:.1f} ± {half:.1f}"


rows = [["problem", "instance", "variables", "parents", "Z", "planner", "episodes", "agent", "return", "last fifth", "optimal", "minimum", "sha256"]]
for problem, instance, z, planner, episodes, minimum in settings:
    model, records = out / f"{problem}-{instance}.json", out / f"{problem}-{instance}.jsonl"
    files = [games / problem / "MDP" / f"{name}.rddl" for name in ("domain", f"instance{instance}")]
    cpsrl("convert", *files, "-o", model)
    flags = ["-seed", 8, "-runs", runs, "-episodes", episodes, "-planner", planner, "-tables", "tied", "-dirichlet", "mix:0.01:0.1:1", "-z", z]
    cpsrl("run", "-quiet", "-resume", "-model", model, "-agents", ",".join(agents), *flags, "-o", records)
    laws = json.loads(cpsrl("model", "-model", model, "-expand"))["transition"]
    lines = records.read_text().splitlines()
    digest = hashlib.sha256("".join(line + "\n" for line in lines[1:]).encode()).hexdigest()
    of, best = {}, ""
    for record in map(json.loads, lines[1:]):
        of.setdefault(record["agent"], {}).setdefault(record["run"], []).append(record["return"])
        if "optimal" in record:
            best = f"{record['optimal']:.1f}"
    for agent in agents:
        every = [sum(list) / episodes for list in of[agent].values()]
        last = [sum(list[-episodes // 5:]) / (episodes // 5) for list in of[agent].values()]
        rows.append([problem, instance, len(laws), max(len(law["given"]) for law in laws), z, planner, episodes, agent, interval(every), interval(last), best, minimum, digest])
with open(table, "w", encoding="utf-8", newline="") as file:
    csv.writer(file, lineterminator="\n").writerows(rows)
end

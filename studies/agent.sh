#!/usr/bin/env bash
# agent.sh [FOLDER] lets agents of cpsrl act in CliffWalking and Taxi-v3 through site/python/cpsrl.py, and writes the records into
# the folder (by default ./studies-out). The rules are those of site/python/standin.py, which its tests compare with cpsrl's models
# and, where it can be had, with Gymnasium. Rewards are learned. CPSRL names the program (by default ./cpsrl). agent.csv beside this
# script gets, for each problem and agent, the mean return in each tenth of the episodes, over all runs, and the SHA-256 of the
# records, which the same program gives again to the byte.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-studies-out}
export CPSRL=${CPSRL:-./cpsrl}
mkdir -p "$out"
PYTHONPATH=$here/../site/python python3 - "$out" "$here/agent.csv" <<'end'
import csv, hashlib, sys
from pathlib import Path
import cpsrl, standin

out, table = map(Path, sys.argv[1:])
seed, runs = 1, 3
with open(table, "w", encoding="utf-8", newline="") as file:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["problem", "agent", "horizon", "episodes", "runs", "seed", *(f"tenth {k}" for k in range(1, 11)), "sha256"])
    for name, problem, episodes in (("CliffWalking-v1", cpsrl.cliff_walking(), 100), ("Taxi-v4", cpsrl.taxi_v3(), 1500)):
        for label in ("c-psrl", "psrl"):
            path = out / f"{name}-{label}.jsonl"
            env = cpsrl.Gymnasium(standin.make(name), problem)
            records = cpsrl.evaluate(lambda run: problem.agent(agent=label, seed=seed, run=run), env, episodes=episodes, runs=runs, seed=seed, label=label, out=path)
            tenth = episodes // 10
            means = [sum(r["return"] for r in records if (r["episode"] - 1) // tenth == k) / (runs * tenth) for k in range(10)]
            row = [problem.name, label, problem.horizon, episodes, runs, seed, *(f"{m:.1f}" for m in means), hashlib.sha256(path.read_bytes()).hexdigest()]
            rows.writerow(row)
            print(*row[:-1])
end

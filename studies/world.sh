#!/usr/bin/env bash
# world.sh [FOLDER] lets the agent of site/docs/world.md, as it stands there, act in the world of Figure 2 (c), runs our agents, and
# compares them run by run. It goes on where it ended: the records are in the folder (by default ./studies-out). CPSRL names the
# program (by default ./cpsrl). world.csv beside this script gets, for each agent, its cumulative regret and how much less that is
# than Q-learning's, as mean ± half the 95% interval over the runs, and the fingerprint of our records and the SHA-256 of its own, which the same program gives again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-studies-out}/world
export CPSRL=$(realpath "${CPSRL:-./cpsrl}")
mkdir -p "$out"
cd "$out"
[[ -f ours.jsonl ]] || "$CPSRL" run -preset fig2c -quiet -o ours.jsonl
if [[ ! -f q.jsonl ]]; then
	sed -n '/^```python$/,/^```$/p' "$here/../site/docs/world.md" | sed '/^```/d; s/"q\.jsonl"/"q.jsonl.new"/' >agent.py
	PYTHONPATH=$here/../site/python python3 -B agent.py
	mv q.jsonl.new q.jsonl
fi
python3 - "$here/world.csv" <<'end'
import csv, hashlib, os, subprocess, sys
from pathlib import Path


def last(*flags):
    said = subprocess.run([os.environ["CPSRL"], "summary", "ours.jsonl", *flags], capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(line for line in said.splitlines() if not line.startswith("#")))
    return {row["agent"]: f"{float(row['mean']):.1f} ± {float(row['hi']) - float(row['mean']):.1f}" for row in rows if row["episode"] == rows[-1]["episode"]}


said = subprocess.run([os.environ["CPSRL"], "summary", "ours.jsonl"], capture_output=True, text=True, check=True).stdout
fingerprint = next(line.split()[2] for line in said.splitlines() if line.startswith("# fingerprint "))
theirs = hashlib.sha256(Path("q.jsonl").read_bytes()).hexdigest()
regret = last("-with", "q.jsonl")
with open(sys.argv[1], "w", encoding="utf-8", newline="") as file:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["agent", "regret", "less that of q-learning", "records"])
    for agent, value in regret.items():
        ours = not agent.startswith("q-learning")
        less = next(iter(last("-with", "q.jsonl", "-paired", f"{agent},q-learning").values())) if ours else ""
        rows.writerow([agent, value, less, fingerprint if ours else theirs])
end

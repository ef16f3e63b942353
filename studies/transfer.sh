#!/usr/bin/env bash
# transfer.sh [FOLDER] asks what a graph that was learned in some environments is worth in the next one. Thirty random graphs over 8 state variables and 2 actions have ten
# environments each, which share the graph and the payoffs and not the tables (true tables resampled; run k is environment k + 1). C-PSRL
# plays one after the other. Its prior in the first states no edge; in each later one it is what it believed at the end of the one before,
# at trust at most t ("cpsrl posterior -records FILE -as prior -trust T"). Beside it play C-PSRL without a prior and F-PSRL, which knows
# the graph, in the same environments. At last each goes, with the prior of its ten, to an environment of the next graph, where what
# was learned is wrong. transfer.csv beside this script gets a row for each graph and agent: the regret of 100 episodes in each
# environment, then in that of the other graph, and the SHA-256 of all its record lines. It goes on where it ended: rows that are whole
# are in the folder (by default ./studies-out). CPSRL names the program (by default ./cpsrl).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-studies-out}/transfer
export CPSRL=${CPSRL:-./cpsrl}
mkdir -p "$out"
python3 - "$out" "$here/transfer.csv" <<'end'
import csv, hashlib, json, os, subprocess, sys
from pathlib import Path

out, table = map(Path, sys.argv[1:])
graphs, environments = 30, 10
sizes = "-states 8 -actions 2 -values 2 -parents 2 -horizon 10"
arms = {"no prior": None, "learned, t = 0.9": "0.9", "learned, t = 0.99": "0.99", "learned, t = 0.999": "0.999", "the true graph": None}


def cpsrl(*args, text=None):
    return subprocess.run([os.environ["CPSRL"], *args], input=text, capture_output=True, text=True, check=True).stdout


def model(graph):
    path = out / "model.json"
    path.write_text(cpsrl("model", "-domain", "random-fmdp", *sizes.split(), "-scopes", "own", "-seed", "8", "-run", str(graph)))
    return str(path)


def play(problem, arm, environment, prior):
    told = ["-eta", "0"]
    if prior:
        (out / "prior.json").write_text(prior)
        told = ["-prior", str(out / "prior.json")]
    agent = "f-psrl" if arm == "the true graph" else "c-psrl"
    return cpsrl("run", "-model", problem, "-true-tables", "resampled", "-dirichlet", "1", "-tables", "rows", "-z", "3", "-seed", "8", "-episodes", "100",
                 "-agents", agent, "-first", str(environment), "-runs", "1", "-workers", "1", "-quiet", *told)


def chain(graph, arm, trust):
    regrets, digest, prior = [], hashlib.sha256(), None
    for environment in range(environments + 1):
        problem = model(graph if environment < environments else graph + 1)
        records = play(problem, arm, environment, prior)
        lines = records.splitlines(keepends=True)[1:]
        digest.update("".join(lines).encode())
        regrets.append(sum(json.loads(line)["regret"] for line in lines))
        if trust:
            prior = cpsrl("posterior", "-records", "-", "-as", "prior", "-trust", trust, text=records)
    return [*(f"{r:.4f}" for r in regrets), digest.hexdigest()]


rows = [["graph", "agent", *range(1, environments + 1), "other graph", "sha256"]]
for graph in range(graphs):
    for arm, trust in arms.items():
        kept = out / f"{graph}, {arm}.json"
        if not kept.exists():
            row = chain(graph, arm, trust)
            kept.with_name("partial").write_text(json.dumps(row))
            kept.with_name("partial").rename(kept)
        rows.append([graph, arm, *json.loads(kept.read_text())])
with open(table, "w", encoding="utf-8", newline="") as file:
    csv.writer(file, lineterminator="\n").writerows(rows)
end

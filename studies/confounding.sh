#!/usr/bin/env bash
# confounding.sh [FOLDER] asks how far the intervals of "cpsrl policy" are off where the log lacks a cause, in the three types of the
# paper's note on confounding. (1) confounding-1.json: the hidden infection makes fever and pain begin together. (2) confounding-2.json:
# whoever treats sees how severe the illness is, and so does the outcome; and sepsis, whose diabetes the log lacks. (3) confounding-3.json:
# one draw of the power moves two machines. Logs are of 300 episodes ("cpsrl transitions -episodes 300 -behaviour"): who acts sees everything (world),
# or what the log has (view), or acts at random. In sepsis, payoffs, ends and first states are told, of a model without diabetes.
# confounding.csv beside this script gets, for each setting, the means over the seeds of what the log says and of what is true, in how many logs the
# 90% interval of the proposed policy and of its gain over the behaviour held the truth, in how many the program warned that the values do not fit what
# the log was paid, and the SHA-256 of all that "cpsrl policy" said. It goes
# on where it ended: what it said is in the folder (by default ./studies-out). CPSRL names the program (by default ./cpsrl).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-studies-out}/confounding
export CPSRL=${CPSRL:-./cpsrl}
mkdir -p "$out"
python3 - "$out" "$here" <<'end'
import csv, hashlib, os, re, subprocess, sys
from pathlib import Path

out, here = map(Path, sys.argv[1:])


def cpsrl(*args):
    return subprocess.run([os.environ["CPSRL"], *args], capture_output=True, text=True, check=True).stdout


world, plain = out / "sepsis.json", out / "sepsis-without.json"
world.write_text(cpsrl("model", "-domain", "sepsis", "-diabetic", "hidden"))
plain.write_text(cpsrl("model", "-domain", "sepsis"))
small = ["-horizon", "4", "-models", "200"]
settings = [("1: two causes", here / "confounding-1.json", small, ("random", "world"), 100)]
settings += [("2: a cause and an effect", here / "confounding-2.json", small, ("random", "view", "world"), 100)]
settings += [("3: two effects", here / "confounding-3.json", small, ("random", "world"), 100)]
settings += [("2: sepsis", world, ["-prior", str(plain), "-without", "reward,done", "-z", "5", "-models", "100"], ("random", "view", "world"), 10)]


def said(name, truth, flags, behaviour, seed):
    kept = out / f"{name[3:]}, {behaviour}, {seed}.txt"
    if not kept.exists():
        log = kept.with_suffix(".csv")
        log.write_text(cpsrl("transitions", "-model", str(truth), "-episodes", "300", "-behaviour", behaviour, "-seed", str(seed)))
        kept.with_suffix(".partial").write_text(cpsrl("policy", str(log), "-truth", str(truth), "-seed", str(seed), *flags))
        kept.with_suffix(".partial").rename(kept)
        log.unlink()
    return kept.read_text()


def numbers(text, what):
    line = next(line for line in text.splitlines() if line.startswith(what))
    mean, lo, hi, true = re.search(r"(\S+)   90%: (\S+) to (\S+); in the truth (\S+)", line).groups()
    return float(mean), float(lo), float(hi), float(true)


rows = [["type", "who acts sees", "logs", "says", "truth", "held", "gain says", "gain truth", "gain held", "warned", "sha256"]]
for name, truth, flags, behaviours, logs in settings:
    for behaviour in behaviours:
        texts = [said(name, truth, flags, behaviour, seed) for seed in range(1, logs + 1)]
        row = [name, behaviour, logs]
        for what in ("the proposed policy", "gain"):
            all = [numbers(text, what) for text in texts]
            row += [f"{sum(n[0] for n in all) / logs:.3f}", f"{sum(n[3] for n in all) / logs:.3f}", sum(n[1] <= n[3] <= n[2] for n in all)]
        row.append(sum("Caution: the values of the behaviour do not fit" in text for text in texts))
        rows.append(row + [hashlib.sha256("".join(texts).encode()).hexdigest()])
with open(here / "confounding.csv", "w", encoding="utf-8", newline="") as file:
    csv.writer(file, lineterminator="\n").writerows(rows)
end

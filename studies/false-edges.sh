#!/usr/bin/env bash
# false-edges.sh [FOLDER] measures what a false edge in the prior costs, and how much to trust a prior that may have one.
# The problems are random FMDPs of 5 + 2 binary variables. Each state variable has 3 true parents, on which its reward
# depends, too. The prior states one of them and, with -false 1, one false edge into each variable. The script writes the
# records into the folder (by default ./studies-out) and prints the rows of the README's table: cumulative regret of C-PSRL
# after 300 episodes, as mean ± half the 95% interval over 20 runs, and the mean regret per episode over the last 60. It
# does not compute a file of records again that is there already. CPSRL names the program (by default ./cpsrl).
# false-edges.csv beside this script gets the numbers with the link and receipt of each experiment.
set -euo pipefail
table=$(cd "$(dirname "$0")" && pwd)/false-edges.csv
out=${1:-studies-out}
cpsrl=${CPSRL:-./cpsrl}
episodes=300 runs=20 last=60
mkdir -p "$out"

# cell Z FLAGS… prints "regret ± half the interval (regret of an episode at the end)".
cell() {
	local file="$out/false-z$*.jsonl" z=$1 total end link flags="${*:2}"
	file=${file// /}
	shift
	[[ -s $file ]] || "$cpsrl" run -domain random-fmdp -states 5 -actions 2 -parents 3 -horizon 50 -scopes tied -z "$z" "$@" \
		-agents c-psrl -episodes $episodes -runs $runs -seed 1 -workers 1 -o "$file"
	total=$("$cpsrl" summary "$file" | awk -F, -v k=$episodes '$2 == k { printf "%.1f ± %.1f", $3, $5 - $3 }')
	end=$("$cpsrl" summary "$file" -of regret | awk -F, -v k=$((episodes - last)) '$2 > k { s += $3; n++ } END { printf "%.3f", s / n }')
	link=$("$cpsrl" link -receipt "$file")
	echo "$z,$flags,$total ($end),\"$link\"" >>"$table"
	echo "$total ($end)"
}

echo "sparseness,prior,regret,link" >"$table"
echo "| prior | Z = 3, binding | Z = 4 |"
echo "|---|---|---|"
echo "| nothing | $(cell 3 -eta 0) | $(cell 4 -eta 0) |"
echo "| one true edge each, certain | $(cell 3 -eta 1) | $(cell 4 -eta 1) |"
for trust in 1 .999 .99 .9; do
	echo "| one true and one false edge each, trust $trust | $(cell 3 -eta 1 -false 1 -trust $trust) | $(cell 4 -eta 1 -false 1 -trust $trust) |"
done
for trust in .999 .99 .9; do
	echo "| one true edge each, trust $trust | $(cell 3 -eta 1 -trust $trust) | $(cell 4 -eta 1 -trust $trust) |"
done

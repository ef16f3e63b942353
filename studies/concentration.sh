#!/usr/bin/env bash
# concentration.sh [FOLDER] measures regret by the concentration α of the tables' rows, on four problems.
# It writes the records of each experiment into the folder (by default ./studies-out) and prints the rows of the findings'
# table: cumulative regret after 300 episodes, as mean ± half the 95% interval over 20 runs, and the mean regret per episode over
# the last 60. It does not compute a file of records again that is there already. CPSRL names the program (by
# default ./cpsrl). concentration.csv beside this script gets the numbers with the link and receipt of each experiment.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-studies-out}
cpsrl=${CPSRL:-./cpsrl}
episodes=300 runs=20 last=60
mkdir -p "$out"

# coffee prints the spec of the coffee robot without any known edge.
coffee() {
	printf '{"format":"cpsrl/spec","version":1,"domain":{"name":"model","model":%s},"sparseness":4}' "$(cat "$here/../models/coffee-robot.json")"
}
coffee >"$out/coffee.json"

# cell PROBLEM ALPHA AGENT FILE prints "regret ± half the interval (regret of an episode at the end)".
cell() {
	local problem=$1 alpha=$2 agent=$3 file=$4 total end link
	total=$("$cpsrl" summary "$file" | awk -F, -v a="$agent" -v k=$episodes '$1 == a && $2 == k { printf "%.0f ± %.0f", $3, $5 - $3 }')
	end=$("$cpsrl" summary "$file" -of regret | awk -F, -v a="$agent" -v k=$((episodes - last)) '$1 == a && $2 > k { s += $3; n++ } END { printf "%.2f", s / n }')
	link=$("$cpsrl" link -receipt "$file")
	echo "$problem,$alpha,$agent,$total ($end),\"$link\"" >>"$table"
	echo "$total ($end)"
}

# study NAME FLAGS… runs a problem with every concentration and prints its rows.
study() {
	local name=$1 alpha file
	shift
	for alpha in 1 0.5 0.1 0.01 ess:1 learn:0.01:0.1:1; do
		file="$out/$name-${alpha//:/-}.jsonl"
		[[ -s $file ]] || "$cpsrl" run "$@" -agents f-psrl,c-psrl -dirichlet "$alpha" -episodes $episodes -runs $runs -seed 1 -workers 1 -o "$file"
		echo "| $name | $alpha | $(cell "$name" "$alpha" f-psrl "$file") | $(cell "$name" "$alpha" c-psrl "$file") |"
	done
	file="$out/$name-psrl.jsonl"
	[[ -s $file ]] || "$cpsrl" run "$@" -agents psrl -episodes $episodes -runs $runs -seed 1 -workers 1 -o "$file"
	echo "| $name | PSRL, 1 | $(cell "$name" 1 psrl "$file") | |"
}

table=$here/concentration.csv
echo "problem,concentration,agent,regret,link" >"$table"
echo "| problem | α | F-PSRL | C-PSRL |"
echo "|---|---|---|---|"
study coffee -spec "$out/coffee.json"
study taxi5-eta0 -preset fig2d -eta 0
study taxi5 -preset fig2d
study fig2a -preset fig2a

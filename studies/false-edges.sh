#!/usr/bin/env bash
# false-edges.sh [FOLDER] measures what a false edge in the prior costs, and how much to trust a prior that may have one.
# The problems are random FMDPs of 5 + 2 binary variables. Each state variable has 3 true parents, on which its reward
# depends, too. The prior states one of them and, with -false 1, one false edge into each variable. The script writes the
# records into the folder (by default ./studies-out) and prints the rows of the findings' table: cumulative regret of C-PSRL
# after 300 episodes, as mean ± half the 95% interval over 200 runs, the mean regret per episode over the last 60, and how
# much more this is than without a prior, run by run (the same true models), as mean ± half the 95% interval. It
# does not compute a file of records again that is there already. CPSRL names the program (by default ./cpsrl).
# false-edges.csv beside this script gets the numbers with the link and receipt of each experiment.
set -euo pipefail
table=$(cd "$(dirname "$0")" && pwd)/false-edges.csv
out=${1:-studies-out}
cpsrl=${CPSRL:-./cpsrl}
episodes=300 runs=200 last=60
student=1.97196 # the 97.5% quantile of Student's t with runs − 1 degrees of freedom
mkdir -p "$out"

# file Z FLAGS… prints the name of a file of records.
file() {
	local name="$out/false-z$*.jsonl"
	echo "${name// /}"
}

# ends FILE prints the regret of each run.
ends() { "$cpsrl" summary "$1" -endings | awk -F, '$1 == "c-psrl" { print $4 }'; }

# cell Z FLAGS… prints "regret ± half the interval (regret of an episode at the end) | difference ± half the interval".
cell() {
	local z=$1 file nothing total end more link
	file=$(file "$@") nothing=$(file "$z" -eta 0)
	shift
	[[ -s $file ]] || "$cpsrl" run -domain random-fmdp -states 5 -actions 2 -parents 3 -horizon 50 -scopes tied -z "$z" "$@" \
		-agents c-psrl -episodes $episodes -runs $runs -seed 1 -workers 1 -o "$file"
	total=$("$cpsrl" summary "$file" | awk -F, -v k=$episodes '$2 == k { printf "%.2f ± %.2f", $3, $5 - $3 }')
	end=$("$cpsrl" summary "$file" -of regret | awk -F, -v k=$((episodes - last)) '$2 > k { s += $3; n++ } END { printf "%.3f", s / n }')
	more=–
	[[ $file == "$nothing" ]] || more=$(paste <(ends "$file") <(ends "$nothing") | awk -v t=$student '{ d[NR] = $1 - $2; s += d[NR] }
		END { for (r = 1; r <= NR; r++) q += (d[r] - s / NR) ^ 2; printf "%+.2f ± %.2f", s / NR, t * sqrt(q / (NR - 1) / NR) }')
	more=${more/-/−}
	link=$("$cpsrl" link -receipt "$file")
	echo "$z,$*,$total ($end),$more,\"$link\"" >>"$table"
	echo "$total ($end) | $more"
}

echo "sparseness,prior,regret,more,link" >"$table"
echo "| prior | Z = 3, binding | more than without | Z = 4 | more than without |"
echo "|---|---|---|---|---|"
echo "| nothing | $(cell 3 -eta 0) | $(cell 4 -eta 0) |"
echo "| one true edge each, certain | $(cell 3 -eta 1) | $(cell 4 -eta 1) |"
for trust in 1 .999 .99 .9; do
	echo "| one true and one false edge each, trust $trust | $(cell 3 -eta 1 -false 1 -trust $trust) | $(cell 4 -eta 1 -false 1 -trust $trust) |"
done
for trust in .999 .99 .9; do
	echo "| one true edge each, trust $trust | $(cell 3 -eta 1 -trust $trust) | $(cell 4 -eta 1 -trust $trust) |"
done

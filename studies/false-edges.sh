#!/usr/bin/env bash
# false-edges.sh [FOLDER] measures what a false edge in the prior costs, and how much to trust a prior that may have one
# (false-edges.json). The problems are random FMDPs of 5 + 2 binary variables. Each state variable has 3 true parents, on which
# its reward depends, too. The prior states one of them and, with -false 1, one false edge into each variable. The numbers are
# cumulative regret of C-PSRL after 300 episodes, as mean ± half the 95% interval over 200 runs, the mean regret per episode
# over the last 60, and how much more this is than without a prior, run by run (the same true models), as mean ± half the
# 95% interval. It goes on where it ended: the records are in the folder (by default ./studies-out).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
episodes=300 last=60
student=1.97196 # the 97.5% quantile of Student's t with runs − 1 degrees of freedom
table=$here/false-edges.csv

# ends FILE prints the regret of each run.
ends() { "$cpsrl" summary "$1" -endings | awk -F, '$1 == "c-psrl" { print $4 }'; }

rows() {
	declare -A nothing # the file without a prior, by sparseness
	settings false-edges | while IFS=, read -r file prior z; do
		[[ $prior != "-eta 0" ]] || nothing[$z]=$file
		total=$("$cpsrl" summary "$file" | awk -F, -v k=$episodes '$2 == k { printf "%.2f ± %.2f", $3, $5 - $3 }')
		end=$("$cpsrl" summary "$file" -of regret | awk -F, -v k=$((episodes - last)) '$2 > k { s += $3; n++ } END { printf "%.3f", s / n }')
		more=–
		[[ $prior == "-eta 0" ]] || more=$(paste <(ends "$file") <(ends "${nothing[$z]}") | awk -v t=$student '{ d[NR] = $1 - $2; s += d[NR] }
			END { for (r = 1; r <= NR; r++) q += (d[r] - s / NR) ^ 2; printf "%+.2f ± %.2f", s / NR, t * sqrt(q / (NR - 1) / NR) }')
		more=${more/-/−}
		echo "$z,$prior,$total ($end),$more,\"$(link "$file")\""
	done
}
all=$(rows)
printf 'sparseness,prior,regret,more,link\n%s\n' "$all" >"$table"

#!/usr/bin/env bash
# concentration.sh [FOLDER] measures regret by the concentration α of the tables' rows, on four problems (concentration.json):
# cumulative regret after 300 episodes, as mean ± half the 95% interval over 20 runs, and the mean regret per episode over
# the last 60. It goes on where it ended: the records are in the folder (by default ./studies-out).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
episodes=300 last=60
table=$here/concentration.csv

rows() {
	settings concentration | while IFS=, read -r file problem alpha; do
		agents "$file" | while read -r agent; do
			total=$("$cpsrl" summary "$file" | awk -F, -v a="$agent" -v k=$episodes '$1 == a && $2 == k { printf "%.0f ± %.0f", $3, $5 - $3 }')
			end=$("$cpsrl" summary "$file" -of regret | awk -F, -v a="$agent" -v k=$((episodes - last)) '$1 == a && $2 > k { s += $3; n++ } END { printf "%.2f", s / n }')
			echo "$problem,$alpha,$agent,$total ($end),\"$(link "$file")\""
		done
	done
}
all=$(rows)
printf 'problem,concentration,agent,regret,link\n%s\n' "$all" >"$table"

#!/usr/bin/env bash
# gallery.sh [FOLDER] plays the presets of the gallery (gallery.json): for each problem and agent, the cumulative regret as
# mean ± half the 95% interval, how many runs have learned of how many, and the median episode at which these had. It goes on where it
# ended: the records are in the folder (by default ./studies-out).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
table=$here/gallery.csv

rows() {
	settings gallery | while IFS=, read -r file problem; do
		agents "$file" | while read -r agent; do
			regret=$("$cpsrl" summary "$file" | awk -F, -v a="$agent" '$1 == a { mean = $3; hi = $5 } END { printf "%.*f ± %.*f", mean < 30, mean, mean < 30, hi - mean }')
			learned=$("$cpsrl" summary "$file" -endings | awk -F, -v a="$agent" '$1 == a { runs++ } $1 == a && $5 != "" { print $5 > "/dev/stderr"; n++ } END { print runs "," n + 0 }' 2>"$out/learned.txt")
			by=$(sort -n "$out/learned.txt" | awk '{ e[NR] = $1 } END { if (NR) print e[int((NR + 1) / 2)] }')
			echo "$problem,$agent,$regret,$learned,$by,\"$(link "$file")\""
		done
	done
}
all=$(rows)
printf 'problem,agent,regret,runs,learned,by,link\n%s\n' "$all" >"$table"

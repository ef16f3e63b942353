#!/usr/bin/env bash
# gallery.sh [FOLDER] plays the presets of the gallery (gallery.json): for each problem and agent, the cumulative regret as
# mean ± half the 95% interval, how many runs have learned of how many, and the median episode at which these had. It goes on where it
# ended: the records are in the folder (by default ./studies-out).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
table=$here/gallery.csv

rows() {
	printf 'problem\tagent\tregret\truns\tlearned\tby\tlink\n'
	settings gallery | while IFS=, read -r file problem; do
		"$cpsrl" summary "$file" | tabs >"$out/means.txt"
		"$cpsrl" summary "$file" -endings | tabs >"$out/ends.txt"
		agents "$file" | while IFS= read -r agent; do
			regret=$(awk -F'\t' -v a="$agent" '$1 == a { mean = $3; hi = $5 } END { printf "%.*f ± %.*f", mean < 30, mean, mean < 30, hi - mean }' "$out/means.txt")
			learned=$(awk -F'\t' -v a="$agent" '$1 == a { runs++; n += $5 != "" } END { printf "%d\t%d", runs, n }' "$out/ends.txt")
			by=$(awk -F'\t' -v a="$agent" '$1 == a && $5 != "" { print $5 }' "$out/ends.txt" | sort -n | awk '{ e[NR] = $1 } END { if (NR) print e[int((NR + 1) / 2)] }')
			printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$problem" "$agent" "$regret" "$learned" "$by" "$(link "$file")"
		done
	done
}
all=$(rows)
csv <<<"$all" >"$table"

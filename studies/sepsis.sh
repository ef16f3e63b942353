#!/usr/bin/env bash
# sepsis.sh [FOLDER] asks what the physician's edges add in sepsis (sepsis.json): deaths and regret of 200 patients in 50 runs, under C-PSRL
# with the stated edges and with no edge stated, with tied rows, where no patient has diabetes, where some have it
# and agents do not see it, and where they see it. The difference is that of no edge stated, run by run, with its 95% interval (Student's t). sepsis.csv
# beside this script gets the numbers. It goes on where it ended: the records are in the folder (by default ./studies-out).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
table=$here/sepsis.csv
nothing=c-psrl:prior=nothing

# last MEASURE FILE AGENT [FLAGS…] prints mean ± half of an agent at the end, with a sign for a difference.
last() {
	local measure=$1 file=$2 agent=$3
	shift 3
	"$cpsrl" summary "$file" -of "$measure" "$@" | tabs | awk -F'\t' -v a="$agent" -v sign="${1:+yes}" '$1 == a { mean = $3; half = $5 - $3 }
		END { printf (sign ? "%+.1f ± %.1f" : "%.1f ± %.1f"), mean, half }' | sed 's/-/−/'
}

rows() {
	printf 'diabetes\tagent\tdeaths\tmore deaths\tregret\tmore regret\tlink\n'
	settings sepsis | while IFS=, read -r file diabetes; do
		for agent in c-psrl $nothing; do
			printf '%s\t%s' "$diabetes" "$agent"
			for measure in first-end cumulative-regret; do
				printf '\t%s\t' "$(last $measure "$file" $agent)"
				[[ $agent == "$nothing" ]] || printf %s "$(last $measure "$file" $nothing -paired "$nothing,$agent")"
			done
			printf '\t%s\n' "$(link "$file")"
		done
	done
}
all=$(rows)
csv <<<"$all" >"$table"

#!/usr/bin/env bash
# search.sh [FOLDER] asks what a search loses that is told the true model, by its trials (search.json): the exact regret of the
# policy of uct on Figure 1 (four steps), on SysAdmin with a ring of four machines (ten steps) and on the coffee robot (six
# steps), as mean ± half the 95% interval over 20 runs, a policy each, beside that of playing at random. A trial is as long as an
# episode. It goes on where it ended: the records are in the folder (by default ./studies-out).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
table=$here/search.csv

rows() {
	printf 'problem\ttrials\tagent\tregret\thalf\toptimal\tlink\n'
	settings search | while IFS=, read -r file problem trials; do
		optimal=$("$cpsrl" summary "$file" -long | awk -F, '$2 == "optimal" { printf "%.3f", $4; exit }')
		"$cpsrl" summary "$file" -of regret | tabs | awk -F'\t' -v by="$problem\t$trials" -v best="$optimal" -v link="$(link "$file")" 'NR > 1 { printf "%s\t%s\t%.4f\t%.4f\t%s\t%s\n", by, $1, $3, $5 - $3, best, link }'
	done
}
all=$(rows)
csv <<<"$all" >"$table"

#!/usr/bin/env bash
# gallery.sh [FOLDER] plays the presets of the gallery. It writes the records into the folder (by default ./studies-out) and
# prints, for each problem and agent, the cumulative regret as mean ± half the 95% interval, how many runs have learned of how
# many, and the median episode at which these had. It does not compute a file of records again that is there already. CPSRL names
# the program (by default ./cpsrl). gallery.csv beside this script gets the numbers with the link and receipt of each experiment.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
table=$here/gallery.csv
out=${1:-studies-out}
cpsrl=${CPSRL:-./cpsrl}
mkdir -p "$out"

echo "problem,agent,regret,runs,learned,by,link" >"$table"
for problem in $("$cpsrl" gallery | awk 'NR > 1 { print $1 }'); do
	file=$out/$problem.jsonl
	[[ -s $file ]] || "$cpsrl" run -preset "$problem" -o "$file"
	link=$("$cpsrl" link -receipt "$file")
	"$cpsrl" summary "$file" -endings | awk -F, '!/^#/ && NR > 1 && $1 != "agent" { print $1 }' | uniq | while read -r agent; do
		regret=$("$cpsrl" summary "$file" | awk -F, -v a="$agent" '$1 == a { mean = $3; hi = $5 } END { printf "%.*f ± %.*f", mean < 30, mean, mean < 30, hi - mean }')
		learned=$("$cpsrl" summary "$file" -endings | awk -F, -v a="$agent" '$1 == a { runs++ } $1 == a && $5 != "" { print $5 > "/dev/stderr"; n++ } END { print runs "," n + 0 }' 2>"$out/learned.txt")
		by=$(sort -n "$out/learned.txt" | awk '{ e[NR] = $1 } END { if (NR) print e[int((NR + 1) / 2)] }')
		echo "$problem,$agent,$regret,$learned,$by,\"$link\"" | tee -a "$table"
	done
done

#!/usr/bin/env bash
# calibration.sh asks how often the intervals of "cpsrl policy" hold the true values where its prior is right ("cpsrl calibration"): 1,000
# truths in each of seven settings, drawn from the prior, each with a log like calibration-log.csv: 40 episodes over two state
# variables and an action, with rewards, ends and missing cells. calibration.csv beside this script gets a row for each setting, value and
# band: in how many of 1,000 logs it held the true value, and in how many of the first 25, which a test computes again; and the
# command, where whole.csv is calibration-log.csv without the rows that lack a cell. It takes some minutes of one core. CPSRL names the program (by default ./cpsrl).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cpsrl=${CPSRL:-./cpsrl}
log=$here/calibration-log.csv
known="-without reward,done -reward 2*a+(b==1)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
whole=$work/whole.csv
grep -v ',,' "$log" >"$whole"

# setting WORDS FILE FLAGS… prints the rows of a setting.
setting() {
	local words=$1 command=(calibration "$2" -action u -z 2 -horizon 4 -models 1000 "${@:3}") logs
	for logs in 1000 25; do "$cpsrl" "${command[@]}" -logs "$logs" >"$work/$logs" 2>"$work/words" || { cat "$work/words" >&2; return 1; }; done
	command[1]=$(basename "$2")
	paste -d, "$work/1000" "$work/25" |
		awk -F, -v words="$words" -v command="cpsrl ${command[*]} -logs 1000" 'NR > 1 { sub(/ of.*/, "", $6); print words "," $1 "," $2 "," $3 "," $6 ",\"" command "\"" }'
}

{
	echo "setting,value,band,held,of the first 25,command"
	setting "rows" "$whole" $known
	setting "tied rows" "$whole" $known -tables tied
	setting "trees" "$whole" $known -tables trees
	setting "α mixed and tied rows" "$whole" $known -tables tied -dirichlet mix:0.1:1
	setting "learned payoffs" "$whole" -without done
	setting "learned payoffs and ends" "$whole"
	setting "learned payoffs and ends with missing cells and tied rows" "$log" -tables tied
} >"$here/calibration.csv.partial"
mv "$here/calibration.csv.partial" "$here/calibration.csv"

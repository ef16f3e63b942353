#!/usr/bin/env bash
# sysadmin.sh [FOLDER] measures regret on a benchmark where C-PSRL without a prior does not learn: instance 1 of SysAdmin, of
# the planning competition IPPC 2011. Ten machines are up or down. In each step one of them may be rebooted. A machine that is
# up stays up with probability .45 + .5·(1 + its running in-neighbours)/(1 + its in-neighbours), a machine that is down comes
# up with .05, and a rebooted one with 1. A step pays 1 for each machine that is up, less .75 for a reboot. The script
# writes the records into the folder (by default ./studies-out) and prints, for each concentration of the tables' rows, the
# cumulative regret after 150 episodes as mean ± half the 95% interval, and how many runs have learned. It does not compute a
# file of records again that is there already. CPSRL names the program (by default ./cpsrl). sysadmin.csv beside this script
# gets the numbers with the link and receipt of each experiment.
set -euo pipefail
table=$(cd "$(dirname "$0")" && pwd)/sysadmin.csv
out=${1:-studies-out}
cpsrl=${CPSRL:-./cpsrl}
episodes=150 runs=5
mkdir -p "$out"

# model prints the model, with the links of the instance.
model() {
	awk 'BEGIN {
		n = 10
		k = split("1 4 1 9 2 8 3 4 3 9 4 5 5 7 6 4 6 8 7 9 8 6 8 10 9 6 10 2", link, " ")
		for (e = 1; e < k; e += 2) { into[link[e + 1]] = into[link[e + 1]] " " link[e]; degree[link[e + 1]]++ }
		printf "{\"format\":\"cpsrl/model\",\"version\":1,\"name\":\"SysAdmin 1\",\"horizon\":40,\"state\":["
		for (i = 1; i <= n; i++) printf "%s{\"name\":\"m%d\",\"size\":2,\"values\":[\"down\",\"up\"]}", (i > 1 ? "," : ""), i
		printf "],\"action\":[{\"name\":\"reboot\",\"size\":%d,\"values\":[\"none\"", n + 1
		for (i = 1; i <= n; i++) printf ",\"m%d\"", i
		printf "]}],\"initial\":[{\"state\":["
		for (i = 1; i <= n; i++) printf "%s1", (i > 1 ? "," : "")
		printf "],\"p\":1}],\"transition\":["
		for (i = 1; i <= n; i++) {
			printf "%s{\"of\":\"m%d\",\"given\":[\"m%d\"", (i > 1 ? "," : ""), i, i
			d = split(into[i], parent, " ")
			for (e = 1; e <= d; e++) printf ",\"m%d\"", parent[e]
			printf ",\"reboot\"],\"p\":["
			for (row = 0; row < 2 ^ (d + 1); row++) {
				up = int(row / 2 ^ d)
				running = 0
				for (e = 0; e < d; e++) running += int(row / 2 ^ e) % 2
				for (a = 0; a <= n; a++) {
					p = a == i ? 1 : up ? .45 + .5 * (1 + running) / (1 + d) : .05
					printf "%s[%.17g,%.17g]", (row + a ? "," : ""), 1 - p, p
				}
			}
			printf "]}"
		}
		printf "],\"reward\":["
		for (i = 1; i <= n; i++) printf "{\"given\":[\"m%d\"],\"mean\":[0,1],\"kind\":\"fixed\"},", i
		printf "{\"given\":[\"reboot\"],\"mean\":[0"
		for (i = 1; i <= n; i++) printf ",-0.75"
		printf "],\"kind\":\"fixed\"}]}\n"
	}'
}
printf '{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":%s}}' "$(model)" >"$out/sysadmin.json"

echo "concentration,agent,regret,learned,link" >"$table"
echo "| α | F-PSRL | C-PSRL |"
echo "|---|---|---|"

# cell ALPHA AGENT FILE prints "regret ± half the interval (runs that have learned)".
cell() {
	local alpha=$1 agent=$2 file=$3 total learned link
	total=$("$cpsrl" summary "$file" | awk -F, -v a="$agent" -v k=$episodes '$1 == a && $2 == k { printf "%.0f ± %.0f", $3, $5 - $3 }')
	learned=$("$cpsrl" summary "$file" -endings | awk -F, -v a="$agent" '$1 == a && $5 != "" { n++ } END { print n + 0 }')
	link=$("$cpsrl" link -receipt "$file")
	echo "$alpha,$agent,$total,$learned,\"$link\"" >>"$table"
	echo "$total ($learned of $runs)"
}
for alpha in 1 0.01 ess:1 learn:0.01:0.1:1; do
	file="$out/sysadmin-${alpha//:/-}.jsonl"
	[[ -s $file ]] || "$cpsrl" run -spec "$out/sysadmin.json" -agents f-psrl,c-psrl -dirichlet "$alpha" -episodes $episodes -runs $runs -seed 1 -workers 1 -o "$file"
	echo "| $alpha | $(cell "$alpha" f-psrl "$file") | $(cell "$alpha" c-psrl "$file") |"
done

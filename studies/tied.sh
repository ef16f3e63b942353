#!/usr/bin/env bash
# tied.sh [FOLDER] measures regret by what is assumed of the tables' rows, on four problems: SysAdmin (instance 1 of IPPC 2011),
# the coffee robot, taxi 5×5 and the random FMDP of Figure 2 (a). The rows are independent with α = 1 or with a learned α, or
# they may be tied and α is mixed; on SysAdmin also independent with α = 0.01 and with ess 1. C-PSRL plays without a prior and
# with the prior that every action variable may be a parent of every state variable, stated at trust .9, at .99 and as certain;
# F-PSRL assumes the same rows. The last experiment compares tied rows with α = 1 on Figure 2 (a) with its own prior, run by run.
# The script writes the records into the folder (by default ./studies-out) and prints the rows of the findings' tables:
# cumulative regret as mean ± half the 95% interval, and how many runs have learned. It does not compute a file of records again
# that is there already. CPSRL names the program (by default ./cpsrl). tied.csv beside this script gets the numbers with the
# link and receipt of each experiment.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
table=$here/tied.csv
out=${1:-studies-out}
cpsrl=${CPSRL:-./cpsrl}
runs=20 seed=8
mkdir -p "$out"

# edges P ACTIONS STATES prints the prior that states an edge from each action variable to each state variable.
edges() {
	local p=$1 from to list=""
	for from in $2; do for to in $3; do list+="${list:+,}[\"$from\",\"$to\"$p]"; done; done
	echo "{\"edges\":[$list]}"
}

# spec DOMAIN ACTIONS STATES EPISODES SPARSENESS LAW AGENTS prints a spec.
spec() {
	echo "{\"format\":\"cpsrl/spec\",\"version\":3,\"domain\":$1,\"prior\":{\"edges\":[]},
		\"priors\":{\"likely\":$(edges ,0.9 "$2" "$3"),\"very\":$(edges ,0.99 "$2" "$3"),\"certain\":$(edges "" "$2" "$3")},
		\"sparseness\":$5,\"agents\":[$7],\"episodes\":$4,\"runs\":$runs,\"seed\":$seed,$6,\"depth\":\"yes\"}"
}

# cell PROBLEM LAW AGENT EPISODES FILE prints "regret ± half the interval (runs that have learned)".
cell() {
	local total learned link
	total=$("$cpsrl" summary "$5" | awk -F, -v a="$3" -v k="$4" '$1 == a && $2 == k { printf "%.*f ± %.*f", $3 < 30, $3, $3 < 30, $5 - $3 }')
	learned=$("$cpsrl" summary "$5" -endings | awk -F, -v a="$3" '$1 == a && $5 != "" { n++ } END { print n + 0 }')
	link=$("$cpsrl" link -receipt "$5")
	echo "$1,$2,$3,$total,$learned,\"$link\"" >>"$table"
	echo "$total ($learned)"
}

every='"f-psrl","c-psrl","c-psrl:prior=likely","c-psrl:prior=very","c-psrl:prior=certain"'

# study PROBLEM DOMAIN ACTIONS STATES EPISODES SPARSENESS LAW MEMBERS AGENTS runs a problem with a law of rows and prints its row.
study() {
	local file="$out/tied-$1-$7.jsonl" agents=${9//\"/} agent row=""
	if [[ ! -s $file ]]; then
		spec "$2" "$3" "$4" "$5" "$6" "$8" "$9" >"$out/tied.json"
		"$cpsrl" run -spec "$out/tied.json" -workers 2 -o "$file"
	fi
	for agent in ${agents//,/ }; do row+=" $(cell "$1" "$7" "$agent" "$5" "$file") |"; done
	echo "| $1 | $7 |$row"
}

# laws PROBLEM DOMAIN ACTIONS STATES EPISODES SPARSENESS runs a problem with the three laws of rows.
laws() {
	study "$@" "α = 1" '"tables":"rows","dirichlet":1' "$every"
	study "$@" "learned" '"tables":"rows","dirichlet":{"learn":[0.01,0.1,1]}' "$every"
	study "$@" "tied" '"tables":"tied","dirichlet":{"mix":[0.01,0.1,1]}' "$every"
}

echo "problem,rows,agent,regret,learned,link" >"$table"
echo "| problem | rows | F-PSRL | C-PSRL | trust .9 | trust .99 | certain |"
echo "|---|---|---|---|---|---|---|"
sysadmin=(sysadmin '{"name":"sysadmin"}' reboot "m1 m2 m3 m4 m5 m6 m7 m8 m9 m10" 150 5)
laws "${sysadmin[@]}"
study "${sysadmin[@]}" "α = 0.01" '"tables":"rows","dirichlet":0.01' '"f-psrl","c-psrl"'
study "${sysadmin[@]}" "ess 1" '"tables":"rows","dirichlet":{"ess":1}' '"f-psrl","c-psrl"'
laws coffee "{\"name\":\"model\",\"model\":$(cat "$here/../models/coffee-robot.json")}" do "office wet umbrella rain robotCoffee userCoffee" 300 4
laws taxi5 '{"name":"taxi"}' move "row col passenger destination" 300 5
laws fig2a '{"name":"random-fmdp","rewardScopes":"tied"}' "X7 X8 X9" "X1 X2 X3 X4 X5 X6" 300 5

# Figure 2 (a) with its own prior: 100 runs, and the difference run by run.
file="$out/tied-fig2a-prior.jsonl"
tied="c-psrl:dirichlet=mix:0.01:0.1:1,tables=tied"
[[ -s $file ]] || "$cpsrl" run -preset fig2a -agents "c-psrl,$tied" -runs 100 -seed $seed -workers 2 -o "$file"
link=$("$cpsrl" link -receipt "$file")
# end AGENT SUMMARY prints the mean of the last episode in a summary ± half the interval.
end() { sed 's/"//g' <<<"$2" | awk -v a="$1,500," 'index($0, a) == 1 { split(substr($0, length(a) + 1), f, ","); printf "%.2f ± %.2f", f[1], f[3] - f[1] }'; }
all=$("$cpsrl" summary "$file")
while IFS='|' read -r rows total; do
	echo "fig2a-prior,$rows,c-psrl,$total,,\"$link\"" >>"$table"
	echo "| fig2a with its prior | $rows | $total |"
done <<-END
	α = 1|$(end c-psrl "$all")
	tied|$(end "$tied" "$all")
	difference|$(end "$tied" "$("$cpsrl" summary "$file" -paired "$tied,c-psrl")")
END

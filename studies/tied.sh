#!/usr/bin/env bash
# tied.sh [FOLDER] measures regret by what is assumed of the tables' rows, on four problems (tied.json): SysAdmin (instance 1
# of IPPC 2011), the coffee robot, taxi 5×5 and the random FMDP of Figure 2 (a). The rows are independent with α = 1 or with a
# learned α, or they may be tied and α is mixed; on SysAdmin also independent with α = 0.01 and with ess 1 (tied-sysadmin.json).
# C-PSRL plays without a prior and with the prior that every action variable may be a parent of every state variable, stated at
# trust .9, at .99 and as certain; F-PSRL assumes the same rows. The last experiment compares tied rows with α = 1 on Figure 2 (a)
# with its own prior, run by run, over 100 runs (tied-prior.json). The numbers are cumulative regret as mean ± half the 95%
# interval, and how many runs have learned. It goes on where it ended: the records are in the folder (by default ./studies-out).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
table=$here/tied.csv

rows() {
	{
		settings tied | head -n 3
		settings tied-sysadmin
		settings tied | tail -n +4
	} | while IFS=, read -r file problem rows; do
		agents "$file" | while read -r agent; do
			total=$("$cpsrl" summary "$file" | awk -F, -v a="$agent" '$1 == a { mean = $3; hi = $5 } END { printf "%.*f ± %.*f", mean < 30, mean, mean < 30, hi - mean }')
			learned=$("$cpsrl" summary "$file" -endings | awk -F, -v a="$agent" '$1 == a && $5 != "" { n++ } END { print n + 0 }')
			echo "$problem,$rows,$agent,$total,$learned,\"$(link "$file")\""
		done
	done
	local file _
	IFS=, read -r file _ < <(settings tied-prior)
	local tied="c-psrl:dirichlet=mix:0.01:0.1:1,tables=tied" all rows total
	all=$("$cpsrl" summary "$file")
	while IFS='|' read -r rows total; do
		echo "fig2a-prior,$rows,c-psrl,$total,,\"$(link "$file")\""
	done <<-END
		α = 1|$(end c-psrl "$all")
		tied|$(end "$tied" "$all")
		difference|$(end "$tied" "$("$cpsrl" summary "$file" -paired "$tied,c-psrl")")
	END
}

# end AGENT SUMMARY prints the mean of the last episode in a summary ± half the interval.
end() { sed 's/"//g' <<<"$2" | awk -v a="$1,500," 'index($0, a) == 1 { split(substr($0, length(a) + 1), f, ","); printf "%.2f ± %.2f", f[1], f[3] - f[1] }'; }

all=$(rows)
printf 'problem,rows,agent,regret,learned,link\n%s\n' "$all" >"$table"

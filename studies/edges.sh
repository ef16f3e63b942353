#!/usr/bin/env bash
# edges.sh measures how much the true edges are worth, as shares of the value of the best policy. It takes the true models of
# 20 runs of the random FMDP with 5 and with 2 parents, and the one true model of the taxi. It prints the rows of the findings'
# table. CPSRL names the program (by default ./cpsrl).
set -euo pipefail
cpsrl=${CPSRL:-./cpsrl}

# study NAME RUNS FLAGS… prints the row of a problem.
study() {
	local name=$1 runs=$2 run
	shift 2
	for ((run = 0; run < runs; run++)); do
		"$cpsrl" model "$@" -runs "$runs" -run $run | "$cpsrl" edges -model - | grep -o '"value":[^,}]*' | cut -d: -f2 |
			awk 'NR == 1 { v = $1 } NR > 1 { print $1 / v }'
	done | sort -g | awk -v name="$name" '{ s[NR] = $1; zero += $1 == 0; one += $1 > 0.01 }
		END { m = int((NR + 1) / 2); printf "| %s | %d | %.2f%% | %.1f%% | %.0f%% | %.0f%% |\n", name, NR, 100 * (s[m] + s[NR + 1 - m]) / 2, 100 * s[NR], 100 * zero / NR, 100 * one / NR }'
}

echo "| problem | true edges | median | largest | worth nothing | worth more than 1% |"
echo "|---|---|---|---|---|---|"
study "random FMDP, 5 parents" 20 -preset fig2a
study "random FMDP, 2 parents" 20 -preset fig2a -parents 2
study "taxi 5×5" 1 -preset fig2d

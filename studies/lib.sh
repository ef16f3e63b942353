# lib.sh is what the scripts of studies share. A study is a sweep: NAME.json. "./build.sh studies" computes its records, unless
# they are there, and calls NAME.sh, which writes NAME.csv: each number with the link of its experiment and a receipt.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-studies-out}
cpsrl=${CPSRL:-./cpsrl}

# settings NAME computes the sweep NAME.json and prints a line for each setting: its file and labels, joined by commas.
settings() {
	"$cpsrl" sweep "$here/$1.json" -o "$out/$1"
	"$cpsrl" sweep -list "$out/$1" | tail -n +2
}

# link FILE prints the link of a file's experiment with its receipt, once computed.
link() {
	[[ $1.link -nt $1 ]] || "$cpsrl" link -receipt "$1" >"$1.link"
	cat "$1.link"
}

# tabs reads CSV and prints its rows with tabs between the cells, since a label may have a comma; comments stay out.
tabs() { python3 -c 'import csv, sys; [print(*row, sep="\t") for row in csv.reader(line for line in sys.stdin if not line.startswith("#"))]'; }

# csv reads rows with tabs between the cells and prints CSV.
csv() { python3 -c 'import csv, sys; csv.writer(sys.stdout, lineterminator="\n").writerows(line.rstrip("\n").split("\t") for line in sys.stdin)'; }

# agents FILE prints the agents of a file of records.
agents() { "$cpsrl" summary "$1" -endings | tabs | awk -F'\t' 'NR > 1 { print $1 }' | uniq; }

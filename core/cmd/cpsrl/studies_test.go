package main

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// studyRows reads a table of studies, without its header.
func studyRows(t *testing.T, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, "../../../studies/"+name+".csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// The program still gives what studies/transfer.sh wrote: the first graph, with what was learned at trust 0.99, byte for byte.
func TestTransferStudy(t *testing.T) {
	const trust, environments = "0.99", 10
	digest, prior, found := sha256.New(), "", []string{}
	for k := range environments + 1 {
		graph := "0"
		if k == environments {
			graph = "1"
		}
		model := file(t, "m.json", ok(t, "model", "-domain", "random-fmdp", "-states", "8", "-actions", "2", "-values", "2", "-parents", "2", "-horizon", "10", "-scopes", "own", "-seed", "8", "-run", graph))
		args := []string{"run", "-model", model, "-true-tables", "resampled", "-dirichlet", "1", "-tables", "rows", "-z", "3", "-seed", "8", "-episodes", "100",
			"-agents", "c-psrl", "-first", strconv.Itoa(k), "-runs", "1", "-workers", "1"}
		if prior == "" {
			args = append(args, "-eta", "0")
		} else {
			args = append(args, "-prior", file(t, "p.json", prior))
		}
		records := ok(t, args...)
		_, lines, _ := strings.Cut(records, "\n")
		digest.Write([]byte(lines))
		sum := 0.0
		for line := range strings.Lines(lines) {
			sum += decode[struct{ Regret float64 }](t, line).Regret
		}
		found = append(found, fmt.Sprintf("%.4f", sum))
		prior = ok(t, "posterior", "-records", file(t, "r.jsonl", records), "-as", "prior", "-trust", trust)
	}
	found = append(found, hex.EncodeToString(digest.Sum(nil)))
	for _, row := range studyRows(t, "transfer") {
		if row[0] == "0" && row[1] == "learned, t = "+trust && strings.Join(row[2:], " ") != strings.Join(found, " ") {
			t.Errorf("the study has %v, now it is %v; run ./build.sh studies transfer", row[2:], found)
		}
	}
}

// The program still gives what studies/calibration.sh wrote of the first 25 logs.
func TestCalibrationStudy(t *testing.T) {
	log := "../../../studies/calibration-log.csv"
	for _, setting := range []string{"learned payoffs and ends", "learned payoffs and ends with missing cells and tied rows"} {
		of := log
		if !strings.Contains(setting, "missing") {
			whole := ""
			for line := range strings.Lines(read(t, log)) {
				if !strings.Contains(line, ",,") {
					whole += line
				}
			}
			of = file(t, "whole.csv", whole)
		}
		var rows [][]string
		for _, row := range studyRows(t, "calibration") {
			if row[0] == setting {
				rows = append(rows, row)
			}
		}
		if len(rows) != 9 {
			t.Fatalf("%s has %d rows", setting, len(rows))
		}
		r := cpsrl(t, append(append([]string{"calibration", of}, strings.Fields(rows[0][5])...), "-logs", "25")...)
		for k, line := range strings.Split(strings.TrimSpace(r.stdout), "\n")[1:] {
			cells := strings.Split(line, ",")
			held, _, _ := strings.Cut(cells[2], " of ")
			if want := rows[k]; cells[0] != want[1] || cells[1] != want[2] || held != want[4] {
				t.Errorf("%s: the study has %v, now it is %s; run ./build.sh studies calibration", setting, want[:5], line)
			}
		}
	}
}

// The program still gives what studies/confounding.sh wrote of the ward, where whoever treats sees everything, but for what it says
// of 100 logs, which takes long: that is for LONG.
func TestConfoundingStudy(t *testing.T) {
	if os.Getenv("LONG") == "" {
		t.Skip("it takes long; ./build.sh test -long")
	}
	model, digest := "../../../studies/confounding-2.json", sha256.New()
	for seed := 1; seed <= 100; seed++ {
		log := file(t, "w.csv", ok(t, "transitions", "-model", model, "-episodes", "300", "-behaviour", "world", "-seed", strconv.Itoa(seed)))
		digest.Write([]byte(cpsrl(t, "policy", log, "-truth", model, "-seed", strconv.Itoa(seed), "-horizon", "4", "-models", "200").stdout))
	}
	for _, row := range studyRows(t, "confounding") {
		if row[0] == "2: a cause and an effect" && row[1] == "world" && row[9] != hex.EncodeToString(digest.Sum(nil)) {
			t.Error("what the program says of the ward is not what the study has; run ./build.sh studies confounding")
		}
	}
}

// CHANGELOG says of the problems in RDDL what studies/rddl.sh found: how many of each year are read. Where one is not, there is a reason.
func TestRDDLStudy(t *testing.T) {
	found, all := map[string]int{}, map[string]int{}
	for _, row := range studyRows(t, "rddl") {
		instances, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		left := len(strings.Fields(row[6]))
		if row[3] != strconv.Itoa(instances-left) || (left > 0) != (row[7] != "") {
			t.Errorf("%q has another number of instances that are not read", row)
		}
		found[row[0]] += instances - left
		all[row[0]] += instances
	}
	want := fmt.Sprintf("%d of %d MDP instances of IPPC 2011, %d of %d of 2014 (`studies/rddl.csv`)", found["2011"], all["2011"], found["2014"], all["2014"])
	if !strings.Contains(read(t, "../../../CHANGELOG.md"), want) {
		t.Errorf("CHANGELOG does not say %q", want)
	}
}

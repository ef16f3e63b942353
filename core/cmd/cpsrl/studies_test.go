package main

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// studyRows reads the rows of a table of studies that begin with these cells. There must be so many.
func studyRows(t *testing.T, name string, want int, begin ...string) (found [][]string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, "../../../studies/"+name+".csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if slices.Equal(row[:len(begin)], begin) {
			found = append(found, row)
		}
	}
	if len(found) != want {
		t.Fatalf("%s.csv has %d rows that begin with %q, want %d", name, len(found), begin, want)
	}
	return found
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
	if row := studyRows(t, "transfer", 1, "0", "learned, t = "+trust)[0]; !slices.Equal(row[2:], found) {
		t.Errorf("the study has %v, now it is %v; run ./build.sh studies transfer", row[2:], found)
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
		rows := studyRows(t, "calibration", 9, setting)
		r := cpsrl(t, append(append([]string{"calibration", of}, strings.Fields(rows[0][5])[3:]...), "-logs", "25")...)
		lines := strings.Split(strings.TrimSpace(r.stdout), "\n")[1:]
		if len(lines) != len(rows) {
			t.Fatalf("%s: %+v", setting, r)
		}
		for k, line := range lines {
			cells := strings.Split(line, ",")
			held, _, _ := strings.Cut(cells[2], " of ")
			if want := rows[k]; cells[0] != want[1] || cells[1] != want[2] || held != want[4] {
				t.Errorf("%s: the study has %v, now it is %s; run ./build.sh studies calibration", setting, want[:5], line)
			}
		}
	}
}

// Payoffs and ends that depend on the next state are learned coarsely: the findings say how coarsely, of sepsis.
func TestCoarse(t *testing.T) {
	model := file(t, "sepsis.json", ok(t, "model", "-domain", "sepsis"))
	log := file(t, "log.csv", ok(t, "transitions", "-model", model, "-episodes", "1000", "-behaviour", "random", "-seed", "2"))
	flags := []string{"policy", log, "-z", "5", "-models", "60"}
	learned := cpsrl(t, flags...).stdout
	told := cpsrl(t, append(flags, "-prior", model, "-without", "reward,done", "-truth", model)...).stdout
	numbers := func(text, of string) (list []float64) {
		t.Helper()
		found := regexp.MustCompile("(?m)^" + of + `\s+(\S+)\s+90%: (\S+) to (\S+?)(?:; in the truth (\S+))?$`).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("there is no line of %s in %s", of, text)
		}
		for _, number := range found[1:] {
			v, _ := strconv.ParseFloat(number, 64)
			list = append(list, v)
		}
		return list
	}
	behaviour, proposed := "the behaviour in the log", "the proposed policy"
	paid := regexp.MustCompile(`were paid (\S+) on average \(90%: (\S+) to ([^)]+)\)`).FindStringSubmatch(learned)
	if paid == nil {
		t.Fatal(learned)
	}
	was := make([]float64, 3)
	for k := range was {
		was[k], _ = strconv.ParseFloat(paid[1+k], 64)
	}
	said, value := numbers(learned, behaviour), numbers(told, behaviour)
	best := numbers(told, proposed)
	findings := read(t, "../../../site/docs/findings.md")
	for _, words := range []string{
		fmt.Sprintf("says %.2f to %.2f of the behaviour", said[1], said[2]),
		fmt.Sprintf("were paid %.2f on average (%.2f to %.2f)", was[0], was[1], was[2]),
		fmt.Sprintf("and %.2f of the policy that it proposes", numbers(learned, proposed)[0]),
		fmt.Sprintf("it says %.2f to %.2f of the behaviour, which is worth %.2f", value[1], value[2], value[3]),
		fmt.Sprintf("and %.2f to %.2f of the proposed policy, which is worth %.2f", best[1], best[2], best[3]),
	} {
		if words = strings.ReplaceAll(words, "-", "−"); !strings.Contains(findings, words) {
			t.Errorf("the findings do not say %q", words)
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
		r := cpsrl(t, "policy", log, "-truth", model, "-seed", strconv.Itoa(seed), "-horizon", "4", "-models", "200")
		if r.status != statusOK || r.stdout == "" {
			t.Fatalf("seed %d: %+v", seed, r)
		}
		digest.Write([]byte(r.stdout))
	}
	if row := studyRows(t, "confounding", 1, "2: a cause and an effect", "world")[0]; row[10] != hex.EncodeToString(digest.Sum(nil)) {
		t.Error("what the program says of the ward is not what the study has; run ./build.sh studies confounding")
	}
}

// CHANGELOG says of the problems in RDDL what studies/rddl.sh found: how many of each year are read. Where one is not, there is a reason.
func TestRDDLStudy(t *testing.T) {
	found, all := map[string]int{}, map[string]int{}
	for _, row := range append(studyRows(t, "rddl", 8, "2011"), studyRows(t, "rddl", 8, "2014")...) {
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

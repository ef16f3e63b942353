package results_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/strict"
	"cpsrl/internal/small"
)

// Oracle: the records of Run. They are read back completely, in their order, with their
// fingerprint.
func TestReader(t *testing.T) {
	for name, sp := range small.All(t) {
		e, lines := ready(t, sp), small.Encoded(run(t, sp))
		file := slices.Concat(experiment.AppendHeader(nil, e.Header()), lines)
		// The same records, written with other spaces and line ends, or with escaped letters.
		spaced := bytes.ReplaceAll(bytes.ReplaceAll(file, []byte(`":`), []byte(`": `)), []byte("\n"), []byte("\r\n"))
		escaped := bytes.ReplaceAll(file, []byte(`"run":`), []byte(`"\u0072un":`))
		for k := range 6 {
			ordered := k%2 == 1
			r, err := results.NewReader(bytes.NewReader([][]byte{file, spaced, escaped}[k/2]))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			r.Ordered = ordered
			var got []*record.Record
			var whole []byte
			for line, err := range r.All() {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				got, whole = append(got, line.Record), append(whole, line.Lines...)
				if line.Number != len(got)+1 {
					t.Errorf("%s: line %d holds record %d", name, line.Number, len(got))
				}
			}
			if !bytes.Equal(small.Encoded(got), lines) || !r.Whole() || r.Fingerprint() != fmt.Sprintf("%x", sha256.Sum256(lines)) {
				t.Errorf("%s: %d records, whole %v, fingerprint %s", name, len(got), r.Whole(), r.Fingerprint())
			}
			if ordered && (!bytes.Equal(whole, lines) || r.Runs() != sp.Runs) {
				t.Errorf("%s: %d whole runs, %d of %d bytes", name, r.Runs(), len(whole), len(lines))
			}
		}
	}
}

// Files that are incomplete or wrong.
func TestReaderRefuses(t *testing.T) {
	sp := specOf(t, `{"name":"figure1"}`, `,"agents":["psrl","c-psrl"],"episodes":2,"runs":2`)
	e := ready(t, sp)
	lines := bytes.SplitAfter(small.Encoded(run(t, sp)), []byte("\n"))[:8]
	header := experiment.AppendHeader(nil, e.Header())
	read := func(ordered, torn bool, parts [][]byte) (*results.Reader, int, error) {
		r, err := results.NewReader(bytes.NewReader(slices.Concat(parts...)))
		if err != nil {
			return nil, 0, err
		}
		r.Ordered, r.DropTorn = ordered, torn
		n := 0
		for _, err := range r.All() {
			if err != nil {
				return r, n, err
			}
			n++
		}
		return r, n, nil
	}
	replaced := func(line []byte, old, by string) []byte { return bytes.Replace(line, []byte(old), []byte(by), 1) }
	with := func(tail ...[]byte) [][]byte { return slices.Concat([][]byte{header}, tail) }
	// All records are there, but not in their order: their fingerprint is no receipt.
	if r, n, err := read(false, false, with(slices.Concat(lines[2:4], lines[:2], lines[4:])...)); err != nil || n != 8 || r.Whole() {
		t.Errorf("shuffled: %d records, whole %v, %v", n, r.Whole(), err)
	}
	half := lines[6][:20]
	for _, c := range []struct {
		name          string
		ordered, torn bool
		parts         [][]byte
		records, runs int
		says          string
	}{
		{"empty", false, false, nil, 0, 0, "line 1: a header in the format cpsrl/records was expected, but the file is empty"},
		{"blank lines", true, false, [][]byte{[]byte("\n"), header, []byte(" \n"), lines[0]}, 1, 0, ""},
		{"unfinished", true, false, with(lines[:6]...), 6, 1, ""},
		{"torn off", true, true, append(with(lines[:6]...), half), 6, 1, ""},
		{"torn off, by anyone", true, false, append(with(lines[:6]...), half), 6, 1, "line 8: "},
		{"no last newline", true, false, with(bytes.TrimSpace(lines[0])), 1, 0, ""},
		{"out of order", true, false, with(lines[2]), 0, 0, `line 2: run 0, agent "c-psrl", episode 1 is out of order; records come by run, agent and episode`},
		{"out of order, as it may be", false, false, with(lines[2]), 1, 0, ""},
		{"too many", true, false, append(with(lines...), lines[0]), 8, 2, "is out of order"},
		{"another agent", false, false, with(replaced(lines[0], "psrl", "qsrl")), 0, 0, `line 2: the agent "qsrl" is not in the spec`},
		{"no belief", false, false, with(replaced(lines[0], "psrl", "c-psrl")), 0, 0, `line 2: /belief: the record of "c-psrl" has no belief`},
		{"a belief", false, false, with(replaced(lines[2], "c-psrl", "psrl")), 0, 0, `line 2: /belief: the record of "psrl" has a belief`},
		{"another regret", false, false, with(replaced(lines[0], `"regret":`, `"regret":1`)), 0, 0, "line 2: /regret: "},
		{"long line", false, false, with(bytes.Repeat([]byte("x"), strict.MaxLine+1)), 0, 0, "line 2: the line is longer than 1 MiB"},
	} {
		r, n, err := read(c.ordered, c.torn, c.parts)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, want %s", c.name, err, c.says)
		case r != nil && (n != c.records || r.Runs() != c.runs || err == nil && r.Whole() != (n == len(lines))):
			t.Errorf("%s: %d records, %d runs, whole %v", c.name, n, r.Runs(), r.Whole())
		}
	}
}

// Records of engine 1 are read, but fields that engine 1 did not write are refused in them.
func TestReaderOfEngine1(t *testing.T) {
	data, err := os.ReadFile("../record/testdata/records-v1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	read := func(data []byte) (n int, err error) {
		r, err := results.NewReader(bytes.NewReader(data))
		if err != nil {
			return 0, err
		}
		for _, err := range r.All() {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	if n, err := read(data); n != 8 || err != nil {
		t.Errorf("%d records, %v", n, err)
	}
	for _, test := range []struct{ old, new, want string }{
		{`"return":3,`, `"return":3,"promise":1,`, "/promise: engine 1 wrote no promise"},
		{`"superset":`, `"logTruth":-1,"superset":`, "/belief/logTruth: engine 1 wrote no logTruth"},
		{`"superset":`, `"valueRecall":1,"superset":`, "/belief/valueRecall: engine 1 wrote no valueRecall"},
	} {
		if _, err := read(bytes.Replace(data, []byte(test.old), []byte(test.new), 1)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.new, err)
		}
	}
}

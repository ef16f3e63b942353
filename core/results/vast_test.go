package results_test

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/internal/small"
)

// ringFile is an experiment where no list holds the states, and the file of its records.
func ringFile(t *testing.T) (*experiment.Experiment, []*record.Record, []byte) {
	t.Helper()
	e := ready(t, small.Decode(t, small.Ring(20, `"c-psrl","f-psrl","optimal","random"`, small.RingPlanner)))
	list := run(t, e.Spec())
	return e, list, slices.Concat(experiment.AppendHeader(nil, e.Header()), small.Encoded(list))
}

// Where no list holds the states, records have returns and no regrets; each measure is there or says why it is not.
// Oracle: sums by hand.
func TestVastMeasures(t *testing.T) {
	e, list, _ := ringFile(t)
	s, ends := results.NewSummary(e), results.NewAgentEnds(e, results.Default(e))
	for _, r := range list {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
		if err := ends.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if of := results.Default(e); of.Key != "return" {
		t.Errorf("the default is %s", of.Key)
	}
	for _, of := range results.Measures() {
		curves, why := s.Curves(of), of.Missing(e)
		lacks := of.Solved || slices.Contains([]string{"model-error", "value-recall", "depth", "first-end", "second-end"}, of.Key)
		if lacks != (len(curves) == 0) || of.Solved != (why == "not computed: S·A is 22020096, above 1048576") || lacks && of.Absent == "" {
			t.Errorf("%s: %d curves, %q", of.Key, len(curves), why)
		}
		for _, c := range curves {
			for _, p := range c.Points {
				if math.IsNaN(p.Mean) || math.IsInf(p.Mean, 0) {
					t.Errorf("%s of %s is %v", of.Key, c.Agent, p.Mean)
				}
			}
		}
		if text := s.Conclude(of, curves); (text == "") != lacks || strings.Contains(text, "NaN") || strings.Contains(text, "regret") {
			t.Errorf("%s: %q", of.Key, text)
		}
	}
	for _, key := range []string{"return", "cumulative-return"} {
		for k, c := range s.RunCurves(measureOf(t, key)) {
			sum := 0.0
			for i, v := range c.Values {
				r := list[(c.Run*4+k/2)*3+i]
				if sum += r.Return; key == "return" && v != r.Return || key != "return" && v != sum {
					t.Errorf("%s of %s in run %d: %v", key, c.Agent, c.Run, c.Values)
				}
			}
		}
	}
	if text := s.Conclusion(); !strings.HasPrefix(text, "Return of an episode after 3 episodes, mean ± 95% c.i. over 2 runs: C-PSRL ") {
		t.Error(text)
	}
	if s.Warn() != "" || s.HaveLearned() != "" || s.Learned() != nil || s.Optimum() != nil {
		t.Errorf("%q, %q, %v", s.Warn(), s.HaveLearned(), s.Optimum())
	}
	if _, known := s.Truth(0).Random(); known {
		t.Error("the value of random play is known")
	}
	for _, end := range ends.All() {
		if end.Learned != -1 || end.Point.N != 2 || len(end.Values) != 2 {
			t.Errorf("%+v", end)
		}
	}
	pair, _ := e.DefaultPair()
	c := s.Paired(results.Default(e), pair, s)
	if text := results.Verdict(e, results.Default(e), c); pair.Base != "optimal" || len(c.Points) != 3 || text == "" {
		t.Errorf("%v: %q", pair, text)
	}
}

// The records are read, in pieces, too, and joined to the same bytes; and not without what the header says.
func TestVastRead(t *testing.T) {
	e, _, file := ringFile(t)
	reader, err := results.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line, err := range reader.All() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; line.Record.Valued != nil {
			t.Error("a regret")
		}
	}
	if n != e.Records() || !reader.Whole() {
		t.Errorf("%d records", n)
	}
	var parts []*results.Part
	var files []io.ReaderAt
	for _, agents := range [][]string{{"c-psrl", "f-psrl"}, {"optimal", "random"}} {
		s := e.Spec().Clone()
		s.Agents = agents
		part := ready(t, s)
		b := slices.Concat(experiment.AppendHeader(nil, part.Header()), small.Encoded(run(t, s)))
		p, err := results.ReadPart(agents[0], bytes.NewReader(b))
		if err != nil || !p.Whole {
			t.Fatal(err)
		}
		parts, files = append(parts, p), append(files, bytes.NewReader(b))
	}
	joined, err := results.Join(parts)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for piece, err := range joined.Lines(files) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, piece...)
	}
	if !bytes.Equal(all, file) {
		t.Error("the parts are not the whole")
	}
	head, lines, _ := bytes.Cut(file, []byte("\n"))
	valued := bytes.Replace(lines, []byte(`"return":`), []byte(`"optimal":2,"value":1,"regret":1,"return":`), 1)
	half := bytes.Replace(lines, []byte(`"return":`), []byte(`"optimal":2,"return":`), 1)
	small := small.Encoded(run(t, specOf(t, `{"name":"figure1"}`, `,"episodes":1`)))
	of := ready(t, specOf(t, `{"name":"figure1"}`, `,"episodes":1`))
	for _, c := range []struct {
		head, lines []byte
		want        string
	}{
		{head, valued, "line 2: /optimal: the header says that the records have no regret"},
		{head, half, `line 2: /value: the field "value" is missing`},
		{bytes.TrimSpace(experiment.AppendHeader(nil, of.Header())), bytes.Replace(small, small[bytes.Index(small, []byte(`"optimal"`)):bytes.Index(small, []byte(`"return"`))], nil, 1), `line 2: /optimal: the field "optimal" is missing`},
	} {
		reader, err := results.NewReader(bytes.NewReader(slices.Concat(c.head, []byte("\n"), c.lines)))
		if err != nil {
			t.Fatal(err)
		}
		for _, err = range reader.All() {
			if err != nil {
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A program of others tells returns, which are drawn beside ours; its regrets have nothing beside them.
func TestVastForeign(t *testing.T) {
	e, _, _ := ringFile(t)
	of := results.Default(e)
	returns := foreign(t, "label,run,episode,return\nucrl,0,1,30\nucrl,0,2,35\n")
	regrets := foreign(t, "label,run,episode,regret\nucrl,0,1,3\n")
	if got := returns.RunCurves(of, nil); len(got) != 1 || !slices.Equal(got[0].Values, []float64{30, 35}) || returns.Absent(of, nil) != "" {
		t.Errorf("%v, %s", got, returns.Absent(of, nil))
	}
	if got := returns.RunCurves(measureOf(t, "cumulative-return"), nil); len(got) != 1 || !slices.Equal(got[0].Values, []float64{30, 65}) {
		t.Error(got)
	}
	if got := regrets.Absent(of, nil); got != "Another program tells only its regret, so it has no return of an episode." {
		t.Error(got)
	}
	if got := returns.Absent(results.CumulativeRegret(), nil); !strings.HasPrefix(got, "The regret of a return is V* less the return") {
		t.Error(got)
	}
}

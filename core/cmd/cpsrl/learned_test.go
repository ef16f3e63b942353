package main

import (
	"math"
	"strings"
	"testing"
)

// What a run has learned is the prior of the next problem: the belief of the last record, trusted at most so much. Oracle: the records.
func TestPosteriorOfRun(t *testing.T) {
	records := file(t, "r.jsonl", ok(t, "run", "-domain", "random-fmdp", "-states", "3", "-actions", "2", "-parents", "2", "-z", "2", "-episodes", "4", "-runs", "2", "-agents", "psrl,c-psrl,c-psrl:eta=0", "-workers", "1"))
	type record struct {
		Run, Episode int
		Agent        string
		Belief       *struct{ Edges [][]float64 }
	}
	believed := map[string][][]float64{}
	for line := range strings.Lines(read(t, records)) {
		if r := decode[record](t, line); r.Episode == 4 && r.Belief != nil {
			believed[r.Agent+string(rune('0'+r.Run))] = r.Belief.Edges
		}
	}
	type prior struct {
		State, Action []struct{ Name string }
		Sparseness    any
		Edges         [][]any
	}
	for _, c := range []struct {
		args, of string
		trust    float64
	}{
		{"", "c-psrl:eta=00", 0.99}, {"-run 1 -agent c-psrl -trust 0.9", "c-psrl1", 0.9}, {"-run 1 -agent c-psrl:eta=0 -trust 0.999", "c-psrl:eta=01", 0.999},
		{"-trust 0.5", "c-psrl:eta=00", 0.5},
	} {
		text := ok(t, append([]string{"posterior", "-records", records, "-as", "prior"}, strings.Fields(c.args)...)...)
		got, stated := decode[prior](t, text), map[string]float64{}
		for _, e := range got.Edges {
			stated[e[0].(string)+e[1].(string)] = e[2].(float64)
		}
		names := got.State
		names = append(names, got.Action...)
		for j, row := range believed[c.of] {
			for i, p := range row {
				want := min(max(p, 1-c.trust), c.trust)
				have, has := stated[names[i].Name+names[j].Name]
				if !has {
					have = 0.5
				}
				if math.Abs(have-want) > 1e-12 {
					t.Errorf("%s: %s → %s has %v, want %v", c.args, names[i].Name, names[j].Name, have, want)
				}
			}
		}
		if got.Sparseness != 2.0 || len(names) != 5 || c.trust == 0.5 && len(got.Edges) > 0 {
			t.Errorf("%s: %s", c.args, text)
		}
		// It starts the next problem.
		ok(t, "run", "-domain", "random-fmdp", "-states", "3", "-actions", "2", "-parents", "2", "-episodes", "1", "-runs", "1", "-agents", "c-psrl", "-prior", file(t, "p.json", text))
	}
	// Transitions are trusted as much.
	lines, _, _ := logOf(t, 500)
	model, log := file(t, "stock.json", stockModel), file(t, "t.jsonl", lines)
	for _, e := range decode[prior](t, ok(t, "posterior", "-transitions", log, "-prior", model, "-as", "prior", "-trust", "0.8")).Edges {
		if p := e[2].(float64); p < 0.2 || p > 0.8 {
			t.Errorf("%v is trusted more than 0.8", e)
		}
	}
	for args, says := range map[string]string{
		"-records R -as csv":                  "-records is for -as prior",
		"-records R":                          "-records is for -as prior",
		"-records R -as prior -z 2":           "-z is for transitions",
		"-records R -as prior -transitions T": "-transitions is for transitions",
		"-records R -as prior -run 7":         "no record tells what c-psrl:eta=0 believes in run 7",
		"-records R -as prior -agent psrl":    "PSRL has no belief about edges",
		"-records R -as prior -agent random":  `"random" is none of the agents`,
		"-records R -as prior -trust 1":       "expected a number from 0.5 to 0.999999",
		"-records R -as prior -trust NaN":     "expected a number from 0.5 to 0.999999",
		"-transitions T -trust 0.9":           "-trust is for -as prior",
		"-transitions T -run 0":               "-agent and -run are for -records",
		"":                                    "-transitions FILE or -records FILE was expected",
	} {
		args = strings.NewReplacer("R", records, "T", log).Replace(args)
		refused(t, cpsrl(t, append([]string{"posterior"}, strings.Fields(args)...)...), says)
	}
}

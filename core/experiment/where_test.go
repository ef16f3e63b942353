package experiment

import (
	"slices"
	"strings"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// Where rows of a sampled table repeat, the trace says of which parents, and so it does of the
// true tables. A Dirichlet distribution of a tiny α samples rows that have one value, so they do
// repeat. Of rows with an α of 1, of an estimate and of a told model, the trace says nothing.
// Oracle: rows of the written tables, as text; those of the move are beside each other.
func TestTraceWhere(t *testing.T) {
	labels := []string{"c-psrl:dirichlet=0.000001", "f-psrl:dirichlet=0.000001"}
	for _, k := range arm.Kinds() {
		labels = append(labels, k.Key)
	}
	for _, label := range labels {
		e := decoded(t, `{"format":"cpsrl/spec","version":4,"domain":{"name":"taxi","grid":"3x3","horizon":3},"agents":["`+label+`"],"episodes":2,"runs":1,"seed":1}`)
		trace, err := e.Trace(t.Context(), 0, label, 2)
		if err != nil {
			t.Fatal(err)
		}
		text := record.EncodeTrace(trace)
		if _, err := record.DecodeTrace(text); err != nil {
			t.Errorf("%s: %v", label, err)
		}
		if !strings.Contains(label, ":") {
			if strings.Contains(string(text), `"where"`) {
				t.Errorf("%s: %v, true %v", label, trace.Sampled.Where, trace.True.Where)
			}
			continue
		}
		const move = 4
		for j, f := range trace.Sampled.Transition {
			if trace.State[j].Size == 1 || !slices.Contains(trace.Sampled.Graph[j], move) {
				continue
			}
			_, rows, _ := strings.Cut(string(strict.Encode(f)), `"p":[[`)
			list := strings.Split(strings.TrimSuffix(rows, "]]}"), "],[")
			some := false // whether it matters somewhere
			for k := range list {
				some = some || list[k] != list[k/6*6]
			}
			at := slices.IndexFunc(trace.Sampled.Where, func(w record.TraceWhere) bool { return w.X == move && w.Y == j })
			if says := at < 0 || trace.Sampled.Where[at].Text != "does not matter"; says != some {
				t.Errorf("%s: the move matters to %s: %v, in %v", label, trace.State[j].Name, some, trace.Sampled.Where)
			}
		}
		if len(trace.Sampled.Where) == 0 || !slices.Contains(trace.True.Where, record.TraceWhere{X: move, Y: 0, Text: "matters only as south or north (its other values are alike)"}) {
			t.Errorf("%s: %v, true %v", label, trace.Sampled.Where, trace.True.Where)
		}
	}
}

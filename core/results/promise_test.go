package results_test

import (
	"math"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/internal/small"
)

// The promise of every agent is the traced value of its policy in the sampled model, and
// ln P_k(z_*) is the logarithm of the product of the beliefs before the episode. Optimism
// and unpromised value add up to the regret.
func TestPromise(t *testing.T) {
	for _, text := range []string{
		`{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["psrl","f-psrl","c-psrl","c-psrl:eta=0","f-psrl:graph=prior"],"episodes":6,"runs":2}`,
		`{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi","grid":"3x3"},"agents":["f-psrl","c-psrl"],"episodes":3}`,
		`{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":2,"actionVariables":1,"parents":1,"horizon":5},"agents":["c-psrl:eta=0"],"sparseness":1,"rewards":"learned","episodes":9}`,
	} {
		e := ready(t, small.Decode(t, text))
		sum := results.NewSummary(e)
		records := []*record.Record{}
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
			if err := sum.Add(r); err != nil {
				t.Fatal(err)
			}
			again, err := record.DecodeRecord(record.AppendRecord(nil, r))
			if err != nil || *again.Promise != *r.Promise {
				t.Fatalf("the record does not read back: %v", err)
			}
			trace, err := e.Trace(t.Context(), r.Run, r.Agent, r.Episode)
			if err != nil {
				t.Fatal(err)
			}
			if *r.Promise != trace.Sampled.Value || *trace.Record.Promise != *r.Promise {
				t.Errorf("%s, episode %d: the promise is %v, in the sampled model %v", r.Agent, r.Episode, *r.Promise, trace.Sampled.Value)
			}
			if r.Belief == nil {
				continue
			}
			in, _ := e.Instance(r.Run)
			trivial, want, listed := in.View.Trivial(), 0.0, true
			for j, z := range in.View.Graph() {
				if trivial.Has(j) {
					continue
				}
				p := 0.0
				listed = listed && trace.Before[j].Count == len(trace.Before[j].Sets)
				for _, set := range trace.Before[j].Sets {
					g, _ := document.Graph{set.Parents}.Bigraph(in.View.X())
					if g[0].Without(trivial) == z.Without(trivial) {
						p += set.P
					}
				}
				want += math.Log(p)
			}
			switch got := r.Belief.LogTruth; {
			case math.IsInf(want, -1) && listed:
				if got != nil {
					t.Errorf("%s: ln P(z*) is %v, but the prior excludes z*", r.Agent, *got)
				}
			case got == nil || *got > 0 || listed && math.Abs(*got-want) > 1e-12*(1+math.Abs(want)):
				t.Errorf("%s, episode %d: ln P(z*) = %v, want %v", r.Agent, r.Episode, got, want)
			case trace.Record.Belief.LogTruth == nil || *trace.Record.Belief.LogTruth != *got:
				t.Errorf("%s, episode %d: the trace has another ln P(z*)", r.Agent, r.Episode)
			}
		}
		rows := func(key string) []row { return rowsOf(sum.Curves(named(t, key))) }
		optimism, unpromised := rows("optimism"), rows("unpromised")
		for k, r := range rows("cumulative-regret") {
			if got := optimism[k].Mean + unpromised[k].Mean; math.Abs(got-r.Mean) > 1e-9 {
				t.Errorf("%s, episode %d: the parts add up to %v, the regret is %v", r.Agent, r.Episode, got, r.Mean)
			}
		}
	}
}

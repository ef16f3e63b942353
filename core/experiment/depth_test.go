package experiment_test

import (
	"math"
	"slices"
	"testing"

	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/internal/small"
)

// Oracle: the largest log weights of the two kinds of sets, by a belief that observes the steps of the
// traces. A record without its depth is that of the spec without the switch. F-PSRL has one set
// for each variable and therefore no odds, and PSRL has no belief.
func TestDepth(t *testing.T) {
	for _, law := range []string{`"tables":"tied","dirichlet":{"mix":[0.1,1]}`, `"tables":"rows"`} {
		document := `{"format":"cpsrl/spec","version":3,"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"parents":2,"horizon":12},` +
			`"prior":{"eta":1,"trust":0.9},"sparseness":3,"agents":["psrl","f-psrl","c-psrl"],"episodes":8,"runs":1,"seed":3,` + law + `}`
		plain := small.Run(t, small.Decode(t, document))
		e := ready(t, small.Decode(t, patched(t, document, `{"depth":"yes"}`)))
		in, err := e.Instance(0)
		if err != nil {
			t.Fatal(err)
		}
		var locals []*posterior.Local
		for j := range in.View.Y() {
			sets, err := in.Prior.Enumerate(j)
			if err != nil {
				t.Fatal(err)
			}
			law := e.Spec().Law()
			law.Sets = in.Prior.LogWeights(j, sets)
			locals = append(locals, posterior.NewLocal(&in.View.Space, j, sets, nil, law))
		}
		at := 0
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			var got []record.Depth
			if r.Belief != nil {
				belief := *r.Belief
				got, belief.Depth, r.Belief = belief.Depth, nil, &belief
			}
			if line, want := small.Encoded([]*record.Record{r}), small.Encoded(plain[at:at+1]); string(line) != string(want) {
				t.Errorf("without the depth: %s, want %s", line, want)
			}
			if at++; r.Agent != "c-psrl" {
				if got != nil {
					t.Errorf("%s has the depth %v", r.Agent, got)
				}
				continue
			}
			var want []record.Depth
			for j, local := range locals {
				with, without := math.Inf(-1), math.Inf(-1)
				prior := in.Prior.LogWeights(j, local.Sets())
				for k, z := range local.Sets() {
					w := local.LogEvidence(k) + prior[k]
					if truth := in.View.Graph()[j]; z.Contains(truth) {
						with = max(with, w)
					} else {
						without = max(without, w)
					}
				}
				want = append(want, record.Depth{Of: j, LogOdds: with - without})
			}
			if !slices.EqualFunc(got, want, func(a, b record.Depth) bool {
				return a.Of == b.Of && math.Abs(a.LogOdds-b.LogOdds) < 1e-9*(1+math.Abs(b.LogOdds))
			}) {
				t.Errorf("episode %d: the depth is %v, want %v", r.Episode, got, want)
			}
			trace, err := e.Trace(t.Context(), 0, r.Agent, r.Episode)
			if err != nil {
				t.Fatal(err)
			}
			var steps []posterior.Step
			for _, s := range trace.Steps {
				steps = append(steps, posterior.Step{Point: s.X, Next: s.Y})
			}
			for _, local := range locals {
				local.Observe(steps)
			}
		}
	}
}

package experiment

import (
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/spec"
)

// shopSpec has a payoff whose parents are hidden: profit, of stock and order. Its bounds are declared.
const shopSpec = `{"format":"cpsrl/spec","version":4,"domain":{"name":"model","model":{"format":"cpsrl/model","version":2,"horizon":8,
 "state":[{"name":"stock","size":2},{"name":"season","size":2}],"action":[{"name":"order","size":2}],"initial":"uniform",
 "transition":[{"of":"stock","given":["stock","order"],"p":[[0.9,0.1],[0.2,0.8],[0.4,0.6],[0.1,0.9]]},{"of":"season","given":["season"],"p":[[0.9,0.1],[0.1,0.9]]}],
 "reward":[{"given":["stock","order"],"mean":[-3,-1,7,2],"kind":"fixed","name":"profit","scope":"hidden","range":[-4,8]}]}},
 "prior":{"edges":PRIOR},"agents":["psrl","f-psrl","c-psrl","greedy"],"rewards":"learned","episodes":150,"runs":1,"seed":3}`

// C-PSRL learns the parents of a payoff as those of a variable, from the edges that the prior states of
// it; F-PSRL and PSRL have no such belief. Oracle: the true parents; the prior; the strict reader.
func TestLearnedScopes(t *testing.T) {
	e := decoded(t, strings.Replace(shopSpec, "PRIOR", `[["stock","stock"],["order","profit",0.6],["season","profit",0]]`, 1))
	last := map[string][]float64{}
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if learns := r.Agent == "c-psrl" || r.Agent == "greedy"; learns != (r.Belief != nil && r.Belief.Payoffs != nil) {
			t.Fatalf("%s: %+v", r.Agent, r.Belief)
		} else if learns {
			p := r.Belief.Payoffs[0]
			if len(r.Belief.Payoffs) != 1 || p.Of != "profit" || p.Edges[1] != 0 || slices.Contains(p.Parents, 1) {
				t.Fatalf("%s: %+v", r.Agent, p)
			}
			last[r.Agent] = p.Edges
			if r.Episode == 150 && !slices.Equal(p.Best, []int{0, 2}) {
				t.Errorf("%s: the best parents are %v", r.Agent, p.Best)
			}
		}
		if r.Episode == 150 && r.Agent != "greedy" && r.Regret > 2 {
			t.Errorf("%s still regrets %v", r.Agent, r.Regret)
		}
	}
	for label, edges := range last {
		if edges[0] < .99 || edges[2] < .99 {
			t.Errorf("%s: the payoff depends on stock and order with %v", label, edges)
		}
	}
	if p := e.first.Prior; p.Payoffs == nil || len(p.Payoffs.Likely) != 1 || p.Payoffs.Likely[0].X != 2 || !p.Payoffs.Forbidden[0].Has(1) || !p.Known[0].Has(0) {
		t.Errorf("the prior is %+v", e.first.Prior)
	}
	// A link holds the edges, and "*" closes the list of parents.
	l, err := spec.DecodeLink(e.Link(nil))
	if err != nil || spec.EncodeLink(l) != e.Link(nil) || len(l.Spec.Prior.Edges) != 3 {
		t.Errorf("the link opens as %v, %v", l, err)
	}
	closed := decoded(t, strings.Replace(shopSpec, "PRIOR", `[["stock","profit"],["*","profit",0]]`, 1))
	if p := closed.first.Prior.Payoffs; p.Count(0).Int64() != 1 || !p.Known[0].Has(0) {
		t.Errorf("the closed prior is %+v", p)
	}
	if got := closed.Spec().Prior.Edges; !slices.Contains(got, document.Edge{From: "order", To: "profit", P: 0}) {
		t.Errorf("the closed list is %v", got)
	}
	// More known parents than Z allows are refused, of a payoff as of a variable.
	s, err := spec.Decode([]byte(strings.NewReplacer("PRIOR", `[["stock","profit"],["order","profit"]]`, `"rewards":"learned"`, `"rewards":"learned","sparseness":1`).Replace(shopSpec)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(s); err == nil || !strings.Contains(err.Error(), `"profit" has 2 known parents`) {
		t.Errorf("too many known parents: %v", err)
	}
	for edges, says := range map[string]string{
		`[["profit","stock"]]`: `"profit" is a payoff; no edge starts from it`,
		`[["stock","gain"]]`:   `no state variable "gain"`,
	} {
		s, err := spec.Decode([]byte(strings.Replace(shopSpec, "PRIOR", edges, 1)))
		if err == nil {
			_, err = New(s)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", edges, err, says)
		}
	}
}

// The prior of a payoff's parents knows the variables with one value, as that of a variable's parents does.
func TestTrivialOfPayoffs(t *testing.T) {
	text := strings.NewReplacer("PRIOR", "[]", `{"name":"season","size":2}`, `{"name":"season","size":1}`, `"of":"season","given":["season"],"p":[[0.9,0.1],[0.1,0.9]]`, `"of":"season","given":["season"],"p":[[1]]`).Replace(shopSpec)
	if p := decoded(t, text).first.Prior; p.Trivial.Empty() || p.Payoffs.Telling().Count(0).Cmp(p.Telling().Count(0)) != 0 {
		t.Errorf("the prior is %+v, that of payoffs %+v", p, p.Payoffs)
	}
}

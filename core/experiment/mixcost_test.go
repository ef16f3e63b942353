package experiment

import (
	"fmt"
	"math"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
)

// blockWork returns the work of weighing the blocks of the steps of an episode by a belief: for each set whose probability
// may matter, the rows that the steps select and, if rows are tied, the groups of rows along each parent.
func blockWork(p *play, e *agent.Episode, j int, local *posterior.Local) (work float64) {
	law, space := p.Task().Law, &p.View.Space
	size := space.State[j].Size
	block := 5.0
	if alphas := law.Rows.Alphas(size, 1); law.Rows.Mixes() {
		n := float64(len(alphas))
		if block += 0.5 * n; alphas[len(alphas)-1]/alphas[0] > 1e3 && alphas[len(alphas)-1] > 10 { // no table holds ratios that large
			block = 10 + 1.5*n
		}
	}
	probabilities := local.Probabilities(make([]float64, len(local.Sets())))
	for k, z := range local.Sets() {
		if work += 50; probabilities[k] < 1e-26 {
			continue
		}
		changed := func(given []int) float64 {
			rows := map[int]bool{}
			for _, step := range e.Steps {
				rows[space.RowAt(given, step.Point, step.Next)] = true
			}
			return float64(len(rows))
		}
		work += block * changed(z.Parents())
		if law.Structure == concentration.Tied {
			for i := range z.All() {
				work += 60 + block*changed(z.Without(bigraph.Of(i)).Parents())
			}
		}
	}
	return work + float64(len(e.Steps))*(30+3*float64(len(local.Sets())))
}

// Oracle: the work of the first episodes of an agent whose rows are tied or mixed, counted as it is done. The estimate is
// within a factor of 2 of it, also where the α of a mix are so far apart that no table holds their ratios.
func TestCostOfMixes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	for _, label := range []string{"c-psrl", "greedy:graph=best"} {
		for name, members := range map[string]string{
			"near":          `"dirichlet":{"mix":[0.01,0.1,1]}`,
			"seven":         `"dirichlet":{"mix":[1e-6,1e-5,1e-4,1e-3,1e-2,0.1,1]}`,
			"far":           `"dirichlet":{"mix":[1,1e6]}`,
			"very far":      `"dirichlet":{"mix":[1e-6,1e-5,1e-4,1e-3,1e-2,0.1,1,1e6]}`,
			"all large":     `"dirichlet":{"mix":[0.01,0.1,1,100,1e3,1e4,1e5,1e6]}`,
			"many sets":     `"dirichlet":{"mix":[0.01,0.1,1]},"sparseness":9`,
			"many sets far": `"dirichlet":{"mix":[0.01,0.1,1,100,1e3,1e4,1e5,1e6]},"sparseness":9`,
		} {
			for _, tables := range []string{"rows", "tied"} {
				for _, horizon := range []int{1, 100} {
					s, err := spec.Decode(fmt.Appendf(nil, `{"format":"cpsrl/spec","version":5,"domain":{"name":"random-fmdp","horizon":%d},"agents":[%q],"tables":%q,%s,"episodes":6,"runs":1}`, horizon, label, tables, members))
					if err != nil {
						t.Fatal(err)
					}
					e, err := New(s)
					if err != nil {
						t.Fatal(err)
					}
					_, costs := e.Costs()
					bare := s.Clone() // the same with independent rows and one α: what has no blocks
					bare.Tables = "rows"
					if err := bare.Set("dirichlet", "0.5"); err != nil {
						t.Fatal(err)
					}
					other, err := New(bare)
					if err != nil {
						t.Fatal(err)
					}
					_, without := other.Costs()
					truth, err := e.truth(0)
					if err != nil {
						t.Fatal(err)
					}
					p, err := truth.enter(e.arms[0])
					if err != nil {
						t.Fatal(err)
					}
					work, base := 0.0, 0.0
					for k, err := range p.episodes(t.Context(), s.Episodes) {
						if err != nil {
							t.Fatal(err)
						}
						if _, err := p.score(t.Context(), k); err != nil { // the agent learns
							t.Fatal(err)
						}
						for j, b := range p.beliefs {
							local := b.(*posterior.Local)
							work += blockWork(p, k, j, local) / float64(s.Episodes)
							base += float64(len(local.Sets())) * (50 + 3*float64(len(k.Steps))) / float64(s.Episodes)
						}
					}
					work += without[0] - base
					if cost := costs[0]; !(math.Abs(math.Log(work/cost)) < math.Log(2)) {
						t.Errorf("%s, %s, %s, H = %d: the work of an episode is %.3g operations, the estimate %.3g", label, name, tables, horizon, work, cost)
					}
				}
			}
		}
	}
}

// Data cost what they are weighed with: each transition is a step, and nothing else of an episode is paid for. Oracle: the
// difference of two horizons.
func TestCostOfData(t *testing.T) {
	for _, members := range dataSpecs[:2] {
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":5,` + members + `}`))
		if err != nil {
			t.Fatal(err)
		}
		cost := func(n int) float64 {
			with := s.Clone()
			if n > 0 {
				data, err := spec.NewData(experienced(t, s, n))
				if err != nil {
					t.Fatal(err)
				}
				if err := with.Start(data); err != nil {
					t.Fatal(err)
				}
			}
			e, err := New(with)
			if err != nil {
				t.Fatal(err)
			}
			return e.Cost()
		}
		none, some, more := cost(0), cost(100), cost(300)
		if least := 30.0 * 100 * float64(s.Runs); some-none < least || more-some < 1.5*(some-none) {
			t.Errorf("%.60s: without data %v, with 100 transitions %v, with 300 %v", members, none, some, more)
		}
	}
}

package experiment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/experiment"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
)

// instance builds a run of a spec, to which a patch is applied.
func instance(t *testing.T, document, patch string, run int) *experiment.Instance {
	t.Helper()
	sp, err := spec.Decode([]byte(patched(t, document, patch)))
	if err != nil {
		t.Fatal(err)
	}
	in, err := experiment.NewInstance(sp, run)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Every variable gets the given number of false edges, and none of them is true. A smaller
// number gives some of the edges of a larger one. Other runs have other false edges. False
// edges change neither the truth nor the revealed edges.
func TestFalseEdges(t *testing.T) {
	seen := map[string]bool{}
	for run := range 20 {
		plain := instance(t, randomSpec, `{"prior":{"eta":1}}`, run)
		truth := plain.View.Graph()
		var before bigraph.Bigraph
		for n := range 5 {
			in := instance(t, randomSpec, fmt.Sprintf(`{"prior":{"eta":1,"false":%d},"sparseness":4}`, n), run)
			if !slices.Equal(in.View.Graph(), truth) || !slices.Equal(in.View.Transition[0].P, plain.View.Transition[0].P) {
				t.Fatal("false edges changed the truth")
			}
			for j, z := range in.Prior.Known {
				wrong := z.Without(truth[j])
				if !z.Contains(plain.Prior.Known[j]) || wrong.Len() != min(n, 4-truth[j].Len()) {
					t.Errorf("run %d: %d false edges are asked for, and %v known into Y_%d, of which %v are wrong", run, n, z.Parents(), j, wrong.Parents())
				}
				if before != nil && !z.Contains(before[j]) {
					t.Errorf("run %d: %d false edges do not contain %d", run, n, n-1)
				}
			}
			before = in.Prior.Known
			if n == 1 {
				seen[fmt.Sprint(in.Prior.Known)] = true
			}
			// With a trust, the edges are the same and have that probability.
			soft := instance(t, randomSpec, fmt.Sprintf(`{"prior":{"eta":1,"false":%d,"trust":0.9},"sparseness":1}`, n), run)
			if !soft.Prior.Known[0].Empty() || !slices.Equal(soft.Prior.Stated(), in.Prior.Known) {
				t.Errorf("run %d: at a trust %v are stated, want %v", run, soft.Prior.Stated(), in.Prior.Known)
			}
		}
	}
	if len(seen) < 10 {
		t.Errorf("20 runs have %d sorts of false edges", len(seen))
	}
	// A variable with one value neither has nor is a false parent. Without η, the domain's
	// suggestion is revealed.
	in := instance(t, taxiSpec, `{"prior":{"false":9}}`, 0)
	for j, z := range in.Prior.Known {
		trivial := in.View.Trivial()
		if !z.Contains(in.Suggested[j]) || !z.Without(in.Suggested[j]).Both(trivial).Empty() || trivial.Has(j) && z != in.Suggested[j] {
			t.Errorf("taxi: %v into Y_%d", z.Parents(), j)
		}
	}
}

// Too many known edges are refused; too many likely edges are not.
func TestTrustIsAdmissible(t *testing.T) {
	for patch, refused := range map[string]bool{
		`{"prior":{"eta":2,"false":2},"sparseness":3}`:             true,
		`{"prior":{"eta":2,"false":2,"trust":0.9},"sparseness":3}`: false,
	} {
		sp, err := spec.Decode([]byte(patched(t, randomSpec, patch)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := experiment.New(sp); (err != nil) != refused || err != nil && !strings.Contains(err.Error(), "known parents") {
			t.Errorf("%s: %v", patch, err)
		}
	}
}

// An edge with probability 1 is a known edge, and an edge with probability ½ changes
// nothing, to the byte. No sampled graph has a forbidden edge, and each has every known
// edge.
func TestCertainEdges(t *testing.T) {
	plain := playedBy(t, patched(t, randomSpec, `{"prior":{"edges":[["X4","X1"],["X1","X2"]]}}`))
	certain := playedBy(t, patched(t, randomSpec, `{"prior":{"edges":[["X1","X2",1],["X3","X3",0.5],["X4","X1",1],["X2","X1",0.5]]}}`))
	for label, lines := range plain {
		for at, line := range lines {
			if certain[label][at] != line {
				t.Fatalf("%q differs:\n%s\n%s", label, certain[label][at], line)
			}
		}
	}
	for _, line := range playedBy(t, patched(t, randomSpec, `{"prior":{"edges":[["X4","X1"],["X1","X1",0],["X2","X3",0]]},"episodes":20,"agents":["c-psrl"]}`))["c-psrl"] {
		g := decoded(t, line).Belief.Graph
		if !slices.Contains(g[0], 3) || slices.Contains(g[0], 0) || slices.Contains(g[2], 1) {
			t.Errorf("sampled %v", g)
		}
	}
}

// An agent with a switch or a prior of its own has the belief of C-PSRL under a spec with
// that switch or prior: after the same steps their hyper-posteriors are equal.
func TestArms(t *testing.T) {
	const priors = `"priors":{"expert":{"edges":[["X4","X1",0.9],["X1","X2"]]},"wrong":{"eta":1,"trust":0.9,"false":1}}`
	for label, patch := range map[string]string{
		"c-psrl:dirichlet=0.1":                                  `{"dirichlet":0.1}`,
		"c-psrl:dirichlet=learn:0.1:1":                          `{"dirichlet":{"learn":[0.1,1]}}`,
		"c-psrl:dirichlet=mix:0.1:1":                            `{"dirichlet":{"mix":[0.1,1]}}`,
		"c-psrl:tables=tied":                                    `{"tables":"tied"}`,
		"c-psrl:tables=tied,dirichlet=mix:1":                    `{"tables":"tied","dirichlet":{"mix":[1]}}`,
		"c-psrl:update=printed":                                 `{"update":"printed"}`,
		"c-psrl:prior=expert":                                   `{"prior":{"edges":[["X4","X1",0.9],["X1","X2"]]}}`,
		"c-psrl:prior=wrong":                                    `{"prior":{"eta":1,"trust":0.9,"false":1}}`,
		"c-psrl:eta=0,prior=wrong":                              `{"prior":{"eta":0,"trust":0.9,"false":1}}`,
		"c-psrl:eta=2,dirichlet=0.1,update=printed,prior=wrong": `{"prior":{"eta":2,"trust":0.9,"false":1},"dirichlet":0.1,"update":"printed"}`,
		"f-psrl:dirichlet=0.1,prior=expert":                     `{"prior":{"edges":[["X4","X1",0.9],["X1","X2"]]},"dirichlet":0.1}`,
	} {
		base, _, _ := strings.Cut(label, ":")
		if base == "f-psrl" {
			base = "f-psrl:graph=prior"
		}
		believe := func(in *experiment.Instance, label string) []agent.Belief {
			arm, err := arm.Parse(label)
			if err != nil {
				t.Fatal(err)
			}
			a, err := arm.Build(in.Task())
			if err != nil {
				t.Fatal(err)
			}
			rng := posterior.NewStream(1).Rand
			for range 50 {
				step := posterior.Step{Point: make([]int, in.View.X()), Next: make([]int, in.View.Y())}
				in.View.DrawTransition(rng, step.Point, step.Next)
				a.Observe([]posterior.Step{step})
			}
			return a.(agent.Believer).Beliefs()
		}
		newest := patched(t, randomSpec, `{"version":3}`)
		want := believe(instance(t, newest, patch, 3), base)
		for j, got := range believe(instance(t, newest, `{`+priors+`,"agents":["`+label+`"]}`, 3), label) {
			p, q := got.Probabilities(make([]float64, len(got.Sets()))), want[j].Probabilities(make([]float64, len(want[j].Sets())))
			if !slices.Equal(got.Sets(), want[j].Sets()) || !slices.Equal(p, q) || !slices.Equal(evidenceOf(got), evidenceOf(want[j])) {
				t.Errorf("%s, Y_%d: %v, want %v", label, j, p, q)
			}
		}
	}
}

// evidenceOf returns ln P(data | z) of each set of a belief.
func evidenceOf(belief agent.Belief) []float64 {
	list := make([]float64, len(belief.Sets()))
	for k := range list {
		list[k] = belief.LogEvidence(k)
	}
	return list
}

package results_test

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"cpsrl/core/results"
	"cpsrl/internal/small"
)

// reliable plays a spec and returns the reliability of an agent.
func reliable(t *testing.T, document, agent string, episode int) *results.Reliability {
	t.Helper()
	sp := small.Decode(t, document)
	e := ready(t, sp)
	beliefs := &results.EdgeBeliefs{Episode: episode}
	for _, r := range run(t, sp) {
		beliefs.Add(r)
	}
	rel, err := results.NewReliability(e, beliefs, agent)
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

// Where truths are drawn from the prior of C-PSRL and its belief is exact, the diagram is calibrated: in each bin, as many edges
// are true as their probabilities say, to 4 standard errors. An agent that takes rows for uniform (α = 1) where they are nearly
// deterministic (α = 0.1) is not.
func TestReliabilityIsCalibrated(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("it tests the mathematics natively")
	}
	const document = `{"format":"cpsrl/spec","version":2,"prior":{"eta":1},"sparseness":3,"agents":["c-psrl"],"episodes":3,"runs":300,"seed":12,"dirichlet":1,` +
		`"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"parents":"uniform","horizon":12,"rewardScopes":"own","rows":1}}`
	worst := func(document string) (worst float64) {
		rel := reliable(t, document, "", 0)
		if rel.Agent != "c-psrl" || rel.Episode != 3 || rel.Runs != 300 || rel.Certain != 3*300 || rel.OneGraph {
			t.Fatalf("%+v", rel)
		}
		edges := 0
		for k, b := range rel.Bins {
			if edges += b.N; b.N < 30 {
				continue
			}
			if low := float64(k) / 10; b.Mean < low || b.Mean > low+0.1 {
				t.Errorf("the mean of bin %d is %v", k, b.Mean)
			}
			error := math.Sqrt(float64(b.N) * b.Mean * (1 - b.Mean))
			worst = max(worst, math.Abs(float64(b.True)-float64(b.N)*b.Mean)/error)
		}
		if edges != 12*300 {
			t.Errorf("%d edges", edges)
		}
		return worst
	}
	if z := worst(document); z > 4 {
		t.Errorf("the exact belief is missed by %.1f standard errors", z)
	}
	if z := worst(strings.Replace(document, `"rows":1}`, `"rows":0.1}`, 1)); z < 6 {
		t.Errorf("a wrong α is missed by %.1f standard errors only", z)
	}
}

// Oracle: a bin at a time, from the records, over all edges. A known edge, a forbidden one, a likely one, and a variable with one value.
func TestReliabilityBins(t *testing.T) {
	const document = `{"format":"cpsrl/spec","version":4,"domain":{"name":"model","model":{"format":"cpsrl/model","version":1,"horizon":4,"state":[{"name":"a","size":2},{"name":"one","size":1},{"name":"b","size":2}],` +
		`"action":[{"name":"c","size":2}],"initial":"uniform","transition":[{"of":"one","given":[],"p":[[1]]},{"of":"a","given":["b","c"],"p":[[0.9,0.1],[0.2,0.8],[0.5,0.5],[1,0]]},{"of":"b","given":["a"],"p":[[0.3,0.7],[0.6,0.4]]}],` +
		`"reward":[{"given":["a"],"mean":[0,1],"kind":"fixed"}]}},"prior":{"edges":[["b","a",1],["a","a",0],["a","b",0.8]]},"sparseness":2,"agents":["f-psrl","c-psrl","psrl"],"episodes":9,"firstRun":2,"runs":7}`
	sp := small.Decode(t, document)
	records := run(t, sp)
	rel := reliable(t, document, "", 6)
	if rel.Agent != "c-psrl" || rel.Certain != 2*7 || !rel.OneGraph || rel.Runs != 7 {
		t.Errorf("%+v", rel)
	}
	truth := map[[2]int]bool{{0, 2}: true, {0, 3}: true, {2, 0}: true} // [Y, X]: b, c → a and a → b
	for k, bin := range rel.Bins {
		n, true, sum := 0, 0, 0.0
		for _, r := range records {
			if r.Agent != "c-psrl" || r.Episode != 6 {
				continue
			}
			for _, edge := range [][2]int{{0, 3}, {2, 0}, {2, 2}, {2, 3}} {
				p := r.Belief.Edges[edge[0]][edge[1]]
				if low := float64(k) / 10; p < low-1e-9 || p >= low+0.1-1e-9 && k < 9 {
					continue
				}
				n, sum = n+1, sum+p
				if truth[edge] {
					true++
				}
			}
		}
		if bin.N != n || bin.True != true || n > 0 && math.Abs(bin.Mean-sum/float64(n)) > 1e-12 {
			t.Errorf("bin %d: %+v, want %d of %d, mean %v", k, bin, true, n, sum/float64(n))
		}
	}
	e := ready(t, sp)
	beliefs := &results.EdgeBeliefs{Episode: 9}
	beliefs.Add(records[len(records)-1]) // of PSRL
	for agent, says := range map[string]string{
		"f-psrl": "no record tells what f-psrl believes after episode 9", "c-psrl": "no record tells", "psrl": "has no belief about edges", "x": `"x" is none of the agents`,
	} {
		if _, err := results.NewReliability(e, beliefs, agent); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", agent, err)
		}
	}
	for _, r := range records {
		beliefs.Add(r)
	}
	if _, err := results.NewReliability(e, beliefs, "f-psrl"); err == nil || !strings.Contains(err.Error(), "certain of every edge") {
		t.Errorf("F-PSRL: %v", err)
	}
	if _, err := results.NewReliability(e, &results.EdgeBeliefs{Episode: 10}, ""); err == nil || !strings.Contains(err.Error(), "episodes are 1 to 9") {
		t.Errorf("episode 10: %v", err)
	}
}

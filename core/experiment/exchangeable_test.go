package experiment_test

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"cpsrl/internal/small"
)

var exchangeable = flag.Int("exchangeable", 500, "the runs of most rows of TestExchangeable")

// deviations plays C-PSRL on truths drawn from its own prior, and returns by how many
// standard errors the identities of posterior sampling are missed. Given the history, the
// sampled and the true model have the same law and are exchangeable. So in every episode
// recall and precision have the same mean, as do the sizes of z_k and z_*, and the promise
// V_k(π_k) and V_*(π_*).
func deviations(t *testing.T, change string, runs int) map[string]float64 {
	t.Helper()
	document := patched(t, fmt.Sprintf(`{"format":"cpsrl/spec","version":2,"prior":{"eta":1},"sparseness":4,"agents":["c-psrl"],"episodes":16,"runs":%d,"seed":11,
		"domain":{"name":"random-fmdp","stateVariables":4,"actionVariables":2,"parents":"uniform","horizon":20,"rewardScopes":"tied"}}`, runs), change)
	e := ready(t, small.Decode(t, document))
	differences := map[string][]float64{}
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Episode&(r.Episode-1) != 0 {
			continue
		}
		in, err := e.Instance(r.Run)
		if err != nil {
			t.Fatal(err)
		}
		for name, d := range map[string]float64{
			"recall − precision": r.Belief.Recall - r.Belief.Precision,
			"|z_k| − |z_*|":      r.Belief.Parents - float64(in.View.Graph().Edges())/float64(in.View.Y()),
			"promise − V_*":      *r.Promise - r.Optimal,
		} {
			key := fmt.Sprintf("%s at %d", name, r.Episode)
			differences[key] = append(differences[key], d)
		}
	}
	z := map[string]float64{}
	for key, list := range differences {
		n, mean, squares := float64(len(list)), 0.0, 0.0
		for _, d := range list {
			mean += d / n
		}
		for _, d := range list {
			squares += (d - mean) * (d - mean)
		}
		z[key] = mean / math.Sqrt(squares/(n-1)/n)
	}
	if len(z) != 15 {
		t.Fatalf("%d statistics", len(z))
	}
	return z
}

// C-PSRL is exact posterior sampling if the rewards do not reveal the graph. The test has
// the power to detect cases in which it is not exact. Oracle: the identities of
// exchangeability, to 4 standard errors.
//
//	go test ./core/experiment -run TestExchangeable -v -exchangeable 3000
func TestExchangeable(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("it tests the mathematics natively; TestGolden shows that runs have the same bits under js")
	}
	for _, c := range []struct {
		name, change string
		holds        bool
		share        float64 // of the runs
	}{
		{"learned rewards", `{"rewards":"learned"}`, true, 1},
		{"known rewards on own scopes", `{"domain":{"rewardScopes":"own"}}`, true, 1},
		{"learned rewards on own scopes", `{"rewards":"learned","domain":{"rewardScopes":"own"}}`, true, 0.5},
		{"known rewards on the true parents", `{"domain":{"rewardScopes":"tied"}}`, false, 2},
		{"the printed update", `{"domain":{"rewardScopes":"own"},"update":"printed"}`, false, 0.2},
		{"rows of α = 0.1", `{"domain":{"rewardScopes":"own","rows":0.1},"dirichlet":0.1}`, true, 0.5},
		{"rows of ess 2", `{"rewards":"learned","domain":{"rows":{"ess":2}},"dirichlet":{"ess":2}}`, true, 0.5},
		{"rows of a learned α", `{"domain":{"rewardScopes":"own","rows":{"learn":[0.05,1]}},"dirichlet":{"learn":[0.05,1]}}`, true, 0.5},
		{"rows of another α", `{"domain":{"rewardScopes":"own","rows":0.1},"dirichlet":1}`, false, 0.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			z := deviations(t, c.change, int(c.share*float64(*exchangeable)))
			worst := 0.0
			for _, name := range []string{"recall − precision", "|z_k| − |z_*|", "promise − V_*"} {
				line := []string{}
				for k := 1; k <= 16; k *= 2 {
					d := z[fmt.Sprintf("%s at %d", name, k)]
					worst = max(worst, math.Abs(d))
					line = append(line, fmt.Sprintf("%6.1f", d))
				}
				t.Logf("%-20s in standard errors, at k = 1, 2, 4, 8, 16: %s", name, strings.Join(line, " "))
			}
			if (worst < 4) != c.holds {
				t.Errorf("the identities are missed by up to %.1f standard errors; they hold: %v", worst, c.holds)
			}
		})
	}
}

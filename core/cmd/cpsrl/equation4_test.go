package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestEquation4 runs the commands with which the findings compare the exact weight of a parent set and
// the one that equation (4) prints, and checks the sentences of the findings, README and the article on them.
func TestEquation4(t *testing.T) {
	for path, sentences := range map[string][]string{
		"../../../README.md": {"With 2 true parents and 5000 transitions, the exact posterior expects 2.00 parents per variable, the printed one 5.00."},
		"../../../site/docs/findings.md": {
			"# P(true set): 0.999 on average", "# P(true set): 0.000 on average",
			"The exact posterior expects 2.00 parents per variable, the printed one 5.00. Seeds 2 and 3 give the same, to the digits shown.",
		},
		"../../../site/docs/paper.md": {"the exact weight puts probability 0.999 on the true parent sets, and the printed one puts 0.000, at each of three seeds."},
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(string(data)), " ")
		for _, sentence := range sentences {
			if !strings.Contains(text, sentence) {
				t.Errorf("%s does not say %q", path, sentence)
			}
		}
	}
	for seed := 1; seed <= 3; seed++ {
		two := file(t, "two.json", fmt.Sprintf(`{"format":"cpsrl/spec","version":2,"domain":{"name":"random-fmdp","parents":2},
			"prior":{"eta":2},"sparseness":5,"seed":%d}`, seed))
		model := ok(t, "model", "-spec", two)
		prior := file(t, "prior.json", ok(t, "prior", "-spec", two))
		transitions := file(t, "transitions.jsonl", ok(t, "transitions", "-model", file(t, "model.json", model), "-n", "5000", "-seed", fmt.Sprint(seed)))

		truth := map[string][]string{}
		for _, f := range decode[struct {
			Transition []struct {
				Of    string
				Given []string
			}
		}](t, model).Transition {
			truth[f.Of] = slices.Sorted(slices.Values(f.Given))
		}
		for update, want := range map[string]string{"exact": "0.999 2.00", "printed": "0.000 5.00"} {
			p, parents := 0.0, 0.0
			for of, sets := range decode[struct {
				Variables map[string][]struct {
					Parents []string
					P       float64
				}
			}](t, ok(t, "posterior", "-prior", prior, "-transitions", transitions, "-update", update)).Variables {
				for _, z := range sets {
					parents += z.P * float64(len(z.Parents))
					if slices.Equal(slices.Sorted(slices.Values(z.Parents)), truth[of]) {
						p += z.P
					}
				}
			}
			n := float64(len(truth))
			if got := fmt.Sprintf("%.3f %.2f", p/n, parents/n); got != want {
				t.Errorf("seed %d, %s: P(true set) and the expected number of parents are %s, want %s", seed, update, got, want)
			}
		}
	}
}

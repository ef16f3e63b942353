package domain_test

import (
	"math"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// riverSwim holds the rules of several rivers of 6 places, by TabulaRL's numbers.
func riverSwim(rivers int) rules {
	right := [6][6]float64{
		{.4, .6},
		{.05, .6, .35},
		{0, .05, .6, .35},
		{0, 0, .05, .6, .35},
		{0, 0, 0, .05, .6, .35},
		{0, 0, 0, 0, .4, .6},
	}
	var sizes []int
	for range rivers {
		sizes = append(sizes, 2)
	}
	return rules{
		starts:  map[string]float64{text(make([]int, rivers)...): 1},
		actions: all(sizes...),
		step: func(state, action string) []outcome {
			list, pays := []outcome{{p: 1}}, 0.
			for i := range rivers {
				law := right[state[i]]
				if action[i] == 0 {
					law = [6]float64{}
					law[max(int(state[i])-1, 0)] = 1
				}
				if state[i] == 0 && action[i] == 0 {
					pays += .005
				}
				if state[i] == 5 && action[i] == 1 {
					pays++
				}
				var longer []outcome
				for _, o := range list {
					for place, p := range law {
						if p > 0 {
							longer = append(longer, outcome{p: o.p * p, next: o.next + text(place)})
						}
					}
				}
				list = longer
			}
			for k := range list {
				list[k].pays = pays
			}
			return list
		},
	}
}

// Oracles: value iteration by TabulaRL's numbers, and independence: V⋆ of several rivers is the sum of theirs.
func TestRiverSwim(t *testing.T) {
	one := riverSwim(1)
	v := one.value(20)
	if math.Abs(v-3.397263959) > 1e-8 {
		t.Errorf("V⋆ = %.10f", v)
	}
	for rivers := 1; rivers <= 3; rivers++ {
		var graph bigraph.Bigraph
		for i := range rivers {
			graph = append(graph, bigraph.Of(i, rivers+i))
		}
		checkProblem(t, &domain.RiverSwim{Rivers: rivers, Length: 6, Horizon: 20}, riverSwim(rivers), graph, float64(rivers)*v)
	}
	if got := planned(t, build(t, &domain.RiverSwim{Rivers: 4, Length: 6, Horizon: 20}).View); math.Abs(got-4*v) > 1e-9 {
		t.Errorf("V⋆ of four rivers is %v, want %v", got, 4*v)
	}
}

// The error names the parameter to change.
func TestRiverSwimLimits(t *testing.T) {
	if fmdp.MaxPoints != 1<<20 {
		t.Error("16 is not the largest length of four rivers that planning admits")
	}
	for _, c := range []struct {
		domain domain.RiverSwim
		name   string
	}{
		{domain.RiverSwim{Rivers: 4, Length: 16}, ""},
		{domain.RiverSwim{Rivers: 4, Length: 17}, "length"},
		{domain.RiverSwim{Rivers: 5}, "rivers"},
		{domain.RiverSwim{Rivers: 4, Length: 16, Horizon: 16384}, "horizon"},
	} {
		err := param.Complete(c.domain.Params)
		if err == nil {
			_, err = c.domain.Build(nil, domain.Given{})
		}
		if wrong, _ := err.(*param.Error); (err != nil) != (c.name != "") || wrong != nil && wrong.Name != c.name {
			t.Errorf("%+v: %v, want %q", c.domain, err, c.name)
		}
	}
}

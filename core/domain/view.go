package domain

import (
	"math"
	"slices"

	"cpsrl/core/fmdp"
)

// viewOf returns what agents see of a world: its model without the hidden variables. The law of a
// variable is averaged over the hidden parents, which have the probabilities of the start. That is
// exact for noise, whose values are drawn anew at each step; else what agents see is no MDP, and the
// view holds the true graph of what they see, with tables that stand for its laws.
func viewOf(world *fmdp.Model) *fmdp.Model {
	if world.Hidden == 0 {
		return world
	}
	seen := world.Y() - world.Hidden
	view := &fmdp.Model{
		Space:   fmdp.Space{State: world.State[:seen:seen], Action: world.Action, Legal: world.Legal},
		Name:    world.Name,
		Horizon: world.Horizon,
		Ends:    world.Ends,
	}
	hidden := hiddenLaw(world)
	view.Initial = make([]float64, view.States())
	for s, p := range world.Initial {
		view.Initial[s/len(hidden)] += p
	}
	for j := range seen {
		view.Transition = append(view.Transition, seenFactor(world, &world.Transition[j], hidden))
	}
	for _, r := range world.Reward {
		r.Given = slices.Clone(r.Given)
		for k, i := range r.Given {
			r.Given[k] = inView(world, i)
		}
		view.Reward = append(view.Reward, r)
	}
	return view
}

// inView returns the index in the view of a variable that is seen.
func inView(world *fmdp.Model, i int) int {
	if i < world.Y() {
		return i
	}
	return i - world.Hidden // action variables, and those of the next state, come after all state variables
}

// hiddenLaw returns the probability of each assignment of the hidden variables at the start.
func hiddenLaw(world *fmdp.Model) []float64 {
	n := 1
	for _, v := range world.State[world.Y()-world.Hidden:] {
		n *= v.Size
	}
	law := make([]float64, n)
	for s, p := range world.Initial {
		law[s%n] += p
	}
	return law
}

// seenFactor returns the law of a variable without its hidden parents, over which it is averaged with
// the given probabilities of their assignments.
func seenFactor(world *fmdp.Model, f *fmdp.Factor, hidden []float64) fmdp.Factor {
	seen := world.Y() - world.Hidden
	isHidden := func(i int) bool { return i >= seen && i < world.Y() }
	var kept, dropped []int
	for _, i := range f.Given {
		if isHidden(i) {
			dropped = append(dropped, i)
		} else {
			kept = append(kept, i)
		}
	}
	g := fmdp.Factor{Size: f.Size, Known: f.Known}
	for _, i := range kept {
		g.Given = append(g.Given, inView(world, i))
	}
	if dropped == nil {
		g.P = f.P
		return g
	}
	g.P = make([]float64, world.Rows(kept)*f.Size)
	// The law of the dropped variables at the start.
	weights := make([]float64, world.Rows(dropped))
	values, list := make([]int, world.X()), hiddenVariables(world)
	for h, p := range hidden {
		rest := h
		for k := len(list) - 1; k >= 0; k-- {
			size := world.Var(list[k]).Size
			values[list[k]], rest = rest%size, rest/size
		}
		weights[world.Row(dropped, values)] += p
	}
	toKept, toDropped := world.Project(f.Given, kept, 1), world.Project(f.Given, dropped, 1)
	for row := range toKept {
		for k, p := range f.Row(row) {
			g.P[int(toKept[row])*f.Size+k] += float64(weights[toDropped[row]] * p)
		}
	}
	return g
}

func hiddenVariables(world *fmdp.Model) (list []int) {
	for j := world.Y() - world.Hidden; j < world.Y(); j++ {
		list = append(list, j)
	}
	return list
}

// Sight is how much of the world agents see.
type Sight int

const (
	// Full: agents see every variable.
	Full Sight = iota
	// Noisy: the values of all hidden variables are drawn anew at each step, whatever happened before.
	// What agents see is an MDP, whose law is the average over the noise, though the variables of the next
	// state may depend on each other.
	Noisy
	// Blind: a hidden variable keeps something from step to step, so what agents see is no MDP. The best
	// policy of the world, which sees everything, may be better than any of the view: the regret against
	// it is an upper bound.
	Blind
)

// noiseTolerance is how far the start of noise may be from its law.
const noiseTolerance = 1e-9

func sightOf(world *fmdp.Model) Sight {
	if world.Hidden == 0 {
		return Full
	}
	law := []float64{1}
	for _, j := range hiddenVariables(world) {
		f := &world.Transition[j]
		if len(f.Given) > 0 {
			return Blind
		}
		var longer []float64
		for _, p := range law {
			for _, q := range f.P {
				longer = append(longer, float64(p*q))
			}
		}
		law = longer
	}
	n := len(law)
	for s := 0; s < len(world.Initial); s += n {
		p := 0.0
		for h := range n {
			p += world.Initial[s+h]
		}
		for h := range n {
			if math.Abs(world.Initial[s+h]-p*law[h]) > noiseTolerance {
				return Blind
			}
		}
	}
	return Noisy
}

// SeenLaws returns the law of what agents see for each assignment of the hidden variables, over the
// variables of the view, and the probability of each assignment at the start.
func SeenLaws(world *fmdp.Model) (laws [][]fmdp.Factor, weights []float64) {
	weights = hiddenLaw(world)
	for h := range weights {
		laws = append(laws, seenLaw(world, h, len(weights)))
	}
	return laws, weights
}

// seenLaw returns the law of what agents see given assignment h of n of the hidden variables. A table
// that does not depend on them is the world's own.
func seenLaw(world *fmdp.Model, h, n int) (law []fmdp.Factor) {
	one := make([]float64, n)
	one[h] = 1
	for j := range world.Y() - world.Hidden {
		law = append(law, seenFactor(world, &world.Transition[j], one))
	}
	return law
}

// SeenJoint writes the joint law of the next state that agents see into dst, which has length S·A·S of
// the view: the average over the hidden variables, which have the probabilities of the start.
func SeenJoint(dst []float64, world, view *fmdp.Model) {
	weights, one := hiddenLaw(world), make([]float64, len(dst))
	for h, weight := range weights {
		if weight == 0 {
			continue
		}
		fmdp.Joint(one, &view.Space, seenLaw(world, h, len(weights)))
		for i, p := range one {
			dst[i] += float64(weight * p)
		}
	}
}

package domain

import (
	"math"
	"slices"

	"cpsrl/core/bigraph"
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
	if world.First != nil {
		view.First = world.First.Marginal(0, seen)
	}
	if world.Initial != nil {
		view.Initial = make([]float64, view.States())
		for s, p := range world.Initial {
			view.Initial[s/len(hidden)] += p
		}
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
	if world.Initial == nil {
		hidden, values := world.First.Marginal(world.Y()-world.Hidden, world.Y()), make([]int, world.Hidden)
		for h := range law {
			rest := h
			for k := world.Hidden - 1; k >= 0; k-- {
				size := world.State[world.Y()-world.Hidden+k].Size
				values[k], rest = rest%size, rest/size
			}
			law[h] = hidden.At(values)
		}
		return law
	}
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
	// Blind: a hidden variable keeps something from step to step, so what agents see is no MDP. Regret is
	// against the best policy that sees the hidden variables, too, but no draw of the noise among them (see
	// [NoiseOf]): what nobody can know is no regret. That policy may be better than any of the view, so the
	// regret is an upper bound.
	Blind
)

// noiseTolerance is how far the start of noise may be from its law.
const noiseTolerance = 1e-9

func sightOf(world *fmdp.Model) Sight {
	switch {
	case world.Hidden == 0:
		return Full
	case NoiseOf(world).Len() == world.Hidden:
		return Noisy
	}
	return Blind
}

// NoiseOf returns the hidden variables that are noise: they are drawn anew at each step, whatever happened
// before. The law of such a variable has no parents, and at the start, too, the variable follows it, whatever
// the other variables are. The other hidden variables are memory. A variable without parents that follows
// another law at the start, or depends on others there, is memory, too.
func NoiseOf(world *fmdp.Model) (noise bigraph.Scope) {
	all := bigraph.First(world.Y())
	for _, j := range hiddenVariables(world) {
		if f := &world.Transition[j]; len(f.Given) == 0 && follows(world, j, f.P, all) {
			noise = noise.With(j)
		}
	}
	return noise
}

// follows reports whether a variable has that law at the start, given any values of the others.
func follows(world *fmdp.Model, j int, law []float64, all bigraph.Scope) bool {
	if world.Initial == nil {
		own := world.First.Independent(j)
		for v, p := range own {
			if math.Abs(p-law[v]) > noiseTolerance {
				return false
			}
		}
		return own != nil
	}
	others := all.Without(bigraph.Of(j)).Parents()
	rest, value := world.Project(all.Parents(), others, 1), world.Project(all.Parents(), []int{j}, 1)
	of := make([]float64, world.Rows(others))
	for s, p := range world.Initial {
		of[rest[s]] += p
	}
	for s, p := range world.Initial {
		if math.Abs(p-float64(of[rest[s]]*law[value[s]])) > noiseTolerance {
			return false
		}
	}
	return true
}

// Informed returns what the policy of reference tells apart in a world that is [Blind]: for each state, its
// class and its probability in the class, whose states differ only in noise. Classes are numbered row-major
// over what agents see and the memory, so those of one state of the view follow each other. If nothing is
// noise, Informed returns nil.
func Informed(world *fmdp.Model) (class []int32, weights []float64) {
	noise := NoiseOf(world)
	if noise.Empty() {
		return nil, nil
	}
	all := bigraph.First(world.Y())
	weights = make([]float64, world.States())
	for s := range weights {
		weights[s] = 1
	}
	for j := range noise.All() {
		for s, value := range world.Project(all.Parents(), []int{j}, 1) {
			weights[s] *= world.Transition[j].P[value]
		}
	}
	return world.Project(all.Parents(), all.Without(noise).Parents(), 1), weights
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

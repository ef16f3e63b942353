// Package answer holds the answers of the commands that run no experiment, in JSON: plans,
// factorizations, posteriors and the values of edges.
//
// # Goroutines and memory
//
// Functions may be called by several goroutines at once.
package answer

import (
	"cmp"
	"io"
	"math/big"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// Plan holds the optimal values and actions of a model at the first step. States and
// actions are numbered row-major.
type Plan struct {
	Value  float64   `json:"value"`  // V_1 under μ
	Values []float64 `json:"values"` // V_1(s)
	Policy []int32   `json:"policy"` // π_1(s)
}

// count returns n as a number up to 2^53 and as a string above, because JSON readers may
// round larger numbers.
func count(n *big.Int) any {
	if n.IsUint64() && n.Uint64() <= 1<<53 {
		return n.Uint64()
	}
	return n.String()
}

// WriteFactorizations writes η and the parent sets 𝒵_j of each variable as one
// line of JSON:
//
//	{"eta":2,"variables":{"side":{"count":64,"sets":[["side"],…]}}}
//
// Sets are in the order of [bigraph.Prior.Enumerate]. If a variable has more sets than
// can be listed, WriteFactorizations writes nothing and returns an *[strict.InvalidError] that
// names the variable and the number of sets. Variables with one value are no parents, as in
// [bigraph.Prior.Telling].
func WriteFactorizations(w io.Writer, space *fmdp.Space, prior *bigraph.Prior) error {
	prior = prior.Telling()
	if err := checkSets(space, prior); err != nil {
		return err
	}
	type variable struct {
		Count any        `json:"count"`
		Sets  [][]string `json:"sets"`
	}
	var variables strict.Ordered
	for j, v := range space.State {
		variables = append(variables, strict.Member{Name: v.Name, Value: strict.Later(func() any {
			sets, _ := prior.Enumerate(j) // checkSets has excluded the error
			doc := variable{count(prior.Count(j)), make([][]string, len(sets))}
			for k, z := range sets {
				doc.Sets[k] = space.Names(z.Parents())
			}
			return doc
		})})
	}
	return strict.WriteLine(w, strict.Ordered{{Name: "eta", Value: prior.Degree()}, {Name: "variables", Value: variables}})
}

// checkSets returns an error for the first variable with too many parent sets to list.
func checkSets(space *fmdp.Space, prior *bigraph.Prior) error {
	for j, v := range space.State {
		if n := prior.Count(j); n.Cmp(big.NewInt(bigraph.MaxSets)) > 0 {
			return strict.Invalid("/sparseness", "%q has %v", v.Name, &bigraph.TooManyError{Y: j, Count: n})
		}
	}
	return nil
}

// Posterior is the hyper-posterior over the parent sets of each variable, given
// transitions.
type Posterior struct {
	// Variables holds the parent sets of each Y variable, by name. The most probable set
	// is first; ties are in the order of the prior.
	Variables map[string][]RankedSet `json:"variables"`
	Edges     []RankedEdge           `json:"edges"` // every edge from a variable with more than one value, by Y variable, then X variable
	// What is said of a request to the engine: how a table was read, how many transitions there are, and
	// whether they are few. The command says it on standard error.
	Table       *Table   `json:"table,omitzero"`
	Transitions int      `json:"transitions,omitzero"`
	Caution     *Caution `json:"caution,omitzero"`
	// The edges in the order of [Rank], and those of the prior that trusts each as much as it is probable, as
	// [Stated] has it.
	Uncertain []RankedEdge    `json:"uncertain,omitzero"`
	Certain   []RankedEdge    `json:"certain,omitzero"`
	Excluded  []RankedEdge    `json:"excluded,omitzero"`
	Prior     []document.Edge `json:"prior,omitzero"`
	// Contexts says, for tied rows, where each parent of the most probable sets matters. It is absent
	// for rows that are not tied.
	Contexts []RankedContext `json:"contexts,omitzero"`
}

// RankedContext is the probability that an X variable matters for a Y variable in a context, given
// the most probable set of the Y variable's parents: that the distributions for its values are not
// all the same there.
type RankedContext struct {
	From  string   `json:"from"`  // a parent
	To    string   `json:"to"`    // the Y variable
	Given []string `json:"given"` // the other parents
	Where []int    `json:"where"` // their values
	P     float64  `json:"p"`
}

// RankedSet is a parent set and its probability in a hyper-posterior.
type RankedSet struct {
	Parents     []string `json:"parents"`
	P           float64  `json:"p"`           // P(z | data)
	LogEvidence float64  `json:"logEvidence"` // ln P(data | z)
}

// RankedEdge is an edge of a bigraph and its probability.
type RankedEdge struct {
	From string  `json:"from"` // an X variable
	To   string  `json:"to"`   // a Y variable
	P    float64 `json:"p"`
}

// WritePosterior writes a [Posterior] as one line of JSON, with the variables in the
// order of the space. Each variable has its top most probable parent sets, or all of
// them if top is 0. Edges from variables with one value are left out. The members in more come last.
func WritePosterior(w io.Writer, space *fmdp.Space, beliefs []posterior.Weights, top int, more ...strict.Member) error {
	variables := strict.Ordered{}
	var contexts []RankedContext
	for j, v := range space.State {
		b := &beliefs[j]
		best := b.Sets[Ranked(b.LogWeight)[0]]
		for _, m := range b.Matters {
			contexts = append(contexts, RankedContext{space.Var(m.Parent).Name, v.Name, space.Names(best.Without(bigraph.Of(m.Parent)).Parents()), m.Context, m.P})
		}
		variables = append(variables, strict.Member{Name: v.Name, Value: strict.Later(func() any {
			order := Ranked(b.LogWeight)
			if top > 0 && top < len(order) {
				order = order[:top]
			}
			sets := make([]RankedSet, len(order))
			for at, k := range order {
				sets[at] = RankedSet{space.Names(b.Sets[k].Parents()), b.P[k], b.LogEvidence[k]}
			}
			return sets
		})})
	}
	object := strict.Ordered{{Name: "variables", Value: variables}, {Name: "edges", Value: EdgesOf(space, beliefs)}}
	if contexts != nil {
		object = append(object, strict.Member{Name: "contexts", Value: contexts})
	}
	return strict.WriteLine(w, append(object, more...))
}

// Ranked returns the indices of the values in descending order of value. Ties keep their
// order.
func Ranked(values []float64) []int {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order
}

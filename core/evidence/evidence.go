// Package evidence says what data tell about a graph: it reads transitions, weighs the parent sets of a prior by
// them, ranks the edges, and says when the transitions are few.
//
// # Goroutines
//
// Functions may be called by several goroutines at once.
package evidence

import (
	"io"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/format"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// Posterior is the hyper-posterior over the parent sets of each variable, given
// transitions.
type Posterior struct {
	// Variables holds the parent sets of each Y variable, by name. The most probable set
	// is first; ties are in the order of the prior.
	Variables map[string][]RankedSet `json:"variables"`
	Edges     []document.RankedEdge  `json:"edges"` // every edge from a variable with more than one value, by Y variable, then X variable
	// What is said of a request to the engine: how a table was read, how many transitions there are, and
	// whether they are few. The command says it on standard error.
	Table       *format.Table `json:"table,omitzero"`
	Transitions int           `json:"transitions,omitzero"`
	Caution     *Caution      `json:"caution,omitzero"`
	// The edges in the order of [Rank], and those of the prior that trusts each as much as it is probable, as
	// [Answer.Stated] has it.
	Uncertain []document.RankedEdge `json:"uncertain,omitzero"`
	Certain   []document.RankedEdge `json:"certain,omitzero"`
	Excluded  []document.RankedEdge `json:"excluded,omitzero"`
	Prior     []document.Edge       `json:"prior,omitzero"`
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

// Write writes a [Posterior] as one line of JSON, with the variables in the
// order of the space. Each variable has its top most probable parent sets, or all of
// them if top is 0. Edges from variables with one value are left out. The members in more come last.
func (a *Answer) Write(w io.Writer, top int, more ...strict.Member) error {
	variables := strict.Ordered{}
	var contexts []RankedContext
	for j, v := range a.Space.State {
		b := &a.Beliefs[j]
		best := b.Sets[posterior.Ranked(b.LogWeight)[0]]
		for _, m := range b.Matters {
			contexts = append(contexts, RankedContext{a.Space.Var(m.Parent).Name, v.Name, a.Space.Names(best.Without(bigraph.Of(m.Parent)).Parents()), m.Context, m.P})
		}
		variables = append(variables, strict.Member{Name: v.Name, Value: strict.Later(func() any {
			order := posterior.Ranked(b.LogWeight)
			if top > 0 && top < len(order) {
				order = order[:top]
			}
			sets := make([]RankedSet, len(order))
			for at, k := range order {
				sets[at] = RankedSet{a.Space.Names(b.Sets[k].Parents()), b.P[k], b.LogEvidence[k]}
			}
			return sets
		})})
	}
	object := strict.Ordered{{Name: "variables", Value: variables}, {Name: "edges", Value: a.Edges()}}
	if contexts != nil {
		object = append(object, strict.Member{Name: "contexts", Value: contexts})
	}
	return strict.WriteLine(w, append(object, more...))
}

// WriteAll writes what [Answer.Write] writes, with what is said of the transitions, which were data, and with the edges
// in the order of [Rank] and as a prior.
func (a *Answer) WriteAll(w io.Writer, top int, data *Data) error {
	more := strict.Ordered{{Name: "transitions", Value: a.Transitions}}
	if data.Log != nil {
		more = append(more, strict.Member{Name: "table", Value: data.Log.Table()})
	}
	if a.Caution != nil {
		more = append(more, strict.Member{Name: "caution", Value: a.Caution})
	}
	uncertain, certain, excluded := Rank(a.Edges())
	return a.Write(w, top, append(more,
		strict.Member{Name: "uncertain", Value: uncertain}, strict.Member{Name: "certain", Value: certain}, strict.Member{Name: "excluded", Value: excluded},
		strict.Member{Name: "prior", Value: document.PriorEdges(a.Stated(MostTrust).Prior, a.Space)})...)
}

package document

import (
	"io"
	"math/big"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

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

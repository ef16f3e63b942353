// Package bigraph holds the causal graphs of C-PSRL: bipartite graphs from the
// variables X (state and action now) to the variables Y (state at the next
// step), and the partial graph G_0 that serves as the prior.
//
// A bigraph is its parent sets z = (z_1, …, z_dY), one [Scope] for each Y_j.
// A [Prior] lists known edges z_0 and the degree of sparseness Z; it stands for
// the set of consistent factorizations 𝒵 = 𝒵_1 × … × 𝒵_dY (Algorithm 1, line 2),
// which can be counted in closed form and listed in a fixed order.
//
// # Goroutines and memory
//
// Scopes, graphs and priors are plain data: any number of goroutines may read them, and
// no function here changes its arguments. The prior that [Prior.Of] returns shares its
// slices with the receiver and the argument. All other returned slices are new.
package bigraph

import (
	"iter"
	"math/bits"
)

// MaxX is the largest number of X variables: a Scope is one machine word.
const MaxX = 64

// Scope is a set of X variables: bit i stands for X_i, counting from 0.
type Scope uint64

// Of returns the scope that holds the given variables.
func Of(parents ...int) Scope {
	var z Scope
	for _, i := range parents {
		z = z.With(i)
	}
	return z
}

// First returns the scope of the first n variables.
func First(n int) Scope {
	if n >= MaxX {
		return ^Scope(0)
	}
	return Scope(1)<<n - 1
}

// Has reports whether X_i is in z.
func (z Scope) Has(i int) bool { return z>>i&1 == 1 }

// With returns z with X_i.
func (z Scope) With(i int) Scope {
	if i < 0 || i >= MaxX {
		panic("bigraph: variable index out of range")
	}
	return z | 1<<i
}

// Without returns the variables of z that are not in y.
func (z Scope) Without(y Scope) Scope { return z &^ y }

// Len returns |z|.
func (z Scope) Len() int { return bits.OnesCount64(uint64(z)) }

// Contains reports whether y ⊆ z.
func (z Scope) Contains(y Scope) bool { return y&^z == 0 }

// All yields the variables of z in ascending order.
func (z Scope) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w := uint64(z); w != 0; w &= w - 1 {
			if !yield(bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// Parents returns the variables of z in ascending order. The slice is never nil.
func (z Scope) Parents() []int {
	p := make([]int, 0, z.Len())
	for w := uint64(z); w != 0; w &= w - 1 {
		p = append(p, bits.TrailingZeros64(w))
	}
	return p
}

// Bigraph is a factorization z: entry j is the parent set z_j of Y_j.
type Bigraph []Scope

// Contains reports whether other ⊆ g, edge by edge.
func (g Bigraph) Contains(other Bigraph) bool {
	for j := range g {
		if !g[j].Contains(other[j]) {
			return false
		}
	}
	return true
}

// Edges returns the number of edges, Σ_j |z_j|.
func (g Bigraph) Edges() int {
	n := 0
	for _, z := range g {
		n += z.Len()
	}
	return n
}

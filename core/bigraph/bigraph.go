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

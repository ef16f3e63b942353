package bigraph_test

import (
	"fmt"

	"cpsrl/core/bigraph"
)

// The prior of the paper's Figure 1.
func ExamplePrior() {
	p := &bigraph.Prior{X: 4, Known: bigraph.Bigraph{bigraph.Of(0, 1), bigraph.Of(1, 3)}, Sparseness: 3}
	fmt.Println("η:", p.Degree())
	fmt.Println("|𝒵|:", p.CountAll())
	sets, _ := p.Enumerate(0)
	for _, z := range sets {
		fmt.Println(z.Parents())
	}
	// Output:
	// η: 2
	// |𝒵|: 9
	// [0 1]
	// [0 1 2]
	// [0 1 3]
}

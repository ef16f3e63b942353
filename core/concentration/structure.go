package concentration

import "slices"

// Structure is what a table p_j(·|x[z]) may look like a priori: its local structure (Friedman and
// Goldszmidt, UAI 1996).
type Structure int

const (
	// Rows has a row of its own for each value of x[z], as in the paper.
	Rows Structure = iota
	// Tied may repeat rows along one parent.
	Tied
	// Trees may repeat rows wherever a decision tree on the parents says so.
	Trees
)

// structures are the words of the structures in specs, labels, flags and prior files.
var structures = []string{Rows: "rows", Tied: "tied", Trees: "trees"}

// Structures returns the words of all structures, the default first.
func Structures() []string { return slices.Clone(structures) }

func (s Structure) String() string { return structures[s] }

// StructureOf returns the structure of a word, and whether the word is known.
func StructureOf(word string) (structure Structure, known bool) {
	k := slices.Index(structures, word)
	return Structure(max(k, 0)), k >= 0
}

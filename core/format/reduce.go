package format

import (
	"math"
	"slices"
)

// reduction is a table whose needless given variables are left out.
type reduction struct {
	given  []int
	size   func(i int) int // the number of values of a variable
	width  int             // the number of entries of a row
	table  []float64       // row-major, the last given variable varying fastest
	cares  []bool          // whether a row matters; nil if all do
	within float64         // how far equal entries may be from each other
}

// reduce leaves out the given variables on which no row that matters depends, from the last one to
// the first.
func (t *reduction) reduce() {
	after := 1 // rows between two values of the variable
	for k := len(t.given) - 1; k >= 0; k-- {
		n := t.size(t.given[k])
		if !t.drop(n, after) {
			after *= n
			continue
		}
		t.given = slices.Delete(slices.Clone(t.given), k, k+1)
	}
}

// drop leaves out the variable whose n values are that many rows apart, and reports whether it
// could.
func (t *reduction) drop(n, after int) bool {
	rows := len(t.table) / t.width
	short := make([]float64, 0, len(t.table)/n)
	var cares []bool
	for block := 0; block < rows; block += n * after {
		for first := block; first < block+after; first++ {
			keep := -1
			for row := first; row < first+n*after; row += after {
				switch {
				case t.cares != nil && !t.cares[row]:
				case keep < 0:
					keep = row
				case !t.same(keep, row):
					return false
				}
			}
			if t.cares != nil {
				cares = append(cares, keep >= 0)
			}
			keep = max(keep, first) // any row, if none matters
			short = append(short, t.table[keep*t.width:(keep+1)*t.width]...)
		}
	}
	t.table, t.cares = short, cares
	return true
}

// same reports whether two rows are equal.
func (t *reduction) same(a, b int) bool {
	for k := range t.width {
		p, q := t.table[a*t.width+k], t.table[b*t.width+k]
		if p != q && !(math.Abs(p-q) <= t.within) {
			return false
		}
	}
	return true
}

package format

import (
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
)

// picture returns a picture of the problem: the fluent with the most groundings over one type of objects, with links
// between those that depend on each other, or over places x… and y… of a grid. It is nil if there is no such fluent.
func (r *rddlReader) picture(m *fmdp.Model) document.Picture {
	var of *rddlFluent
	for _, f := range r.declared {
		if f.kind != stateFluent || !r.bools[f.first] || f.total < 2 {
			continue
		}
		if grid := len(f.types) == 2 && numbered(f.types[0], "x") != nil && numbered(f.types[1], "y") != nil; (grid || len(f.types) == 1) && (of == nil || f.total > of.total) {
			of = f
		}
	}
	if of == nil {
		return nil
	}
	p := &document.NodesPicture{}
	for k := range int(of.total) {
		p.Nodes = append(p.Nodes, m.State[of.first+k].Name)
	}
	if len(of.types) == 2 {
		columns, rows := numbered(of.types[0], "x"), numbered(of.types[1], "y")
		for k := range int(of.total) {
			p.Places = append(p.Places, [2]int{len(rows) - 1 - rows[k%len(rows)], columns[k/len(rows)]})
		}
	} else {
		for k := range int(of.total) {
			for _, i := range m.Transition[of.first+k].Given {
				if from := i - of.first; from >= 0 && from < int(of.total) && from != k {
					p.Links = append(p.Links, [2]string{p.Nodes[from], p.Nodes[k]})
				}
			}
		}
	}
	if p.Check("", &m.Space) != nil {
		return nil
	}
	return p
}

// numbered returns the place of each object among those of its type by the number behind a letter, or nil if they have other names.
func numbered(t *rddlType, letter string) []int {
	numbers := make([]int, len(t.values))
	for k, value := range t.values {
		digits, is := strings.CutPrefix(value, letter)
		n, err := strconv.Atoi(digits)
		if !is || err != nil {
			return nil
		}
		numbers[k] = n
	}
	sorted := slices.Sorted(slices.Values(numbers))
	for k, n := range numbers {
		numbers[k] = slices.Index(sorted, n)
	}
	return numbers
}

package format

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/cells"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// nexts may stand behind the name of a next value.
var nexts = []string{"′", "'", "’", "_next"}

// pairs are what programs put behind the names of variables in a graph of two time slices. Some count the
// slices backwards, so the edges of a graph say which of the two comes first.
var pairs = [][2]string{
	{"_0", "_1"}, {"0", "1"}, {"_t0", "_t1"}, {"_t_0", "_t_1"}, {"t0", "t1"}, {"[0]", "[1]"}, {"0", "t"}, {"_0", "_t"},
	{"_t", "_t1"}, {"_t", "_t+1"}, {"_t-1", "_t"}, {"(t)", "(t+1)"}, {"(t-1)", "(t)"}, {"_lag1", "_lag0"},
}

// naming finds the variables that the nodes of a graph are, by their names.
type naming struct {
	space *fmdp.Space
	names map[string]int // of X

	now, next string // what stands behind the names in the first and in the second slice, if the graph has such names
	strict    bool   // whether a name without any of these is of a variable in the first slice, at both ends of an edge
}

// newNaming returns the names of a space. The function shown, which may be nil, returns a name as the
// language of the graph writes it.
func newNaming(space *fmdp.Space, shown func(name string) string) *naming {
	n := &naming{space: space, names: map[string]int{}}
	for i := range space.X() {
		n.names[space.Var(i).Name] = i
	}
	for i := 0; shown != nil && i < space.X(); i++ {
		if name := shown(space.Var(i).Name); n.lookup(name) < 0 {
			n.names[name] = i
		}
	}
	return n
}

// lookup returns the index of the variable with that name, or −1. A name that a spreadsheet would take for a formula may have an
// apostrophe before it, as in our own tables.
func (n *naming) lookup(called string) int {
	for _, name := range []string{called, cells.Plain(called)} {
		if i, has := n.names[name]; has {
			return i
		}
	}
	return -1
}

// without returns the variable whose name with the suffix is called, or −1.
func (n *naming) without(suffix, called string) int {
	if bare, is := strings.CutSuffix(called, suffix); is && suffix != "" {
		return n.lookup(bare)
	}
	return -1
}

// primed returns the state variable whose next value has that name, or −1.
func (n *naming) primed(called string) int {
	for _, suffix := range slices.Concat(nexts, []string{n.next}) {
		if i := n.without(suffix, called); i >= 0 && i < n.space.Y() {
			return i
		}
	}
	return -1
}

// divide finds out how a graph names two slices, by the names at the ends of its edges that are not those
// of variables.
func (n *naming) divide(edges [][2]string) {
	found, forward := make([]int, len(pairs)), make([]int, len(pairs))
	for _, e := range edges {
		for end, called := range e {
			if n.lookup(called) >= 0 {
				continue
			}
			for k, pair := range pairs {
				for slice, suffix := range pair {
					switch {
					case n.without(suffix, called) < 0:
					case slice == end:
						found[k], forward[k] = found[k]+1, forward[k]+1
					default:
						found[k], forward[k] = found[k]+1, forward[k]-1
					}
				}
			}
		}
	}
	k := slices.Index(found, slices.Max(found))
	switch {
	case found[k] == 0:
	case forward[k] < 0:
		n.now, n.next = pairs[k][1], pairs[k][0]
	default:
		n.now, n.next = pairs[k][0], pairs[k][1]
	}
}

// tail returns the variable now from which an edge leads, or −1 and the reason.
func (n *naming) tail(called string) (int, string) {
	i := n.lookup(called)
	if i < 0 {
		i = n.without(n.now, called)
	}
	switch {
	case i >= 0:
		return i, ""
	case n.primed(called) >= 0:
		return -1, fmt.Sprintf("%q is a next value; an edge leads from a variable now", param.Clip(called))
	}
	return -1, fmt.Sprintf("there is no variable %q", param.Clip(called))
}

// head returns the variable to whose next value an edge leads, or −1 and the reason. A next value may have
// the name of its variable.
func (n *naming) head(called string) (int, string) {
	i := n.lookup(called)
	if i >= 0 && i < n.space.Y() {
		return i, ""
	}
	if j := n.primed(called); j >= 0 {
		return j, ""
	}
	if i < 0 {
		i = n.without(n.now, called)
	}
	switch {
	case i >= n.space.Y():
		return -1, fmt.Sprintf("%q is an action; edges lead to state variables", param.Clip(called))
	case i >= 0:
		return -1, fmt.Sprintf("%q is a variable now; an edge leads to a next value", param.Clip(called))
	}
	return -1, fmt.Sprintf("there is no variable %q", param.Clip(called))
}

// first reports whether an edge stays in the first slice, where the graph has two: then it says how values
// hang together at the beginning, and nothing of next values.
func (n *naming) first(from, to string) bool {
	now := func(called string) bool {
		return n.lookup(called) >= 0 && n.strict || n.lookup(called) < 0 && n.without(n.now, called) >= 0
	}
	return now(from) && now(to)
}

const noteFirst = "edges within the first of two slices are left out: they say nothing of next values"

package format

import (
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// bif is the Bayesian network interchange format, in which bnlearn, pgmpy and others write networks. A
// network without decisions is nothing to plan, but its graph is what experts know: it is read as a prior.
// Of a network of two slices, in which next values have names of their own, the edges to these count.
var bif = Language{
	Name: "BIF",
	Match: func(text string) bool {
		s := newBIF(text)
		switch {
		case s.now.is("probability"):
			s.take()
			return s.now.is("(")
		case !s.now.is("network") && !s.now.is("variable"):
			return false
		}
		s.take()
		for k := 0; k < 10 && s.now.kind == name && (s.now.quoted || !s.now.is("->") && !s.now.is("→")); k++ {
			s.take()
		}
		return s.now.is("{")
	},
	Read: func(text string, space *fmdp.Space) ([]document.Edge, []Error, string) {
		g := &statedGraph{space: space, strict: true, notes: []string{"the tables of the network are left out: each parent that it names is certain"}}
		g.own = func(*node, string) (x, y int) { return -1, -1 }
		s := newBIF(text)
		depth := 0
		for s.now.kind != end {
			switch t := s.take(); {
			case t.is("{"):
				depth++
			case t.is("}"):
				depth = max(0, depth-1)
			case depth > 0:
			case t.is("probability"):
				g.law(s)
			case t.is("network"), t.is("variable"):
				skipBIF(s)
			default:
				g.fail(t, "%q is not read; network, variable and probability are", param.Clip(t.text))
				skipBIF(s)
			}
		}
		if depth > 0 && !s.failed() {
			g.fail(s.now, `"}" was expected, but the file ends`)
		}
		if s.failed() {
			g.keep(*s.failure)
		}
		return g.resolved()
	},
}

func newBIF(text string) *scanner {
	s := &scanner{marks: "{}()[];,|", remark: "//", block: true, quotes: true}
	s.scan(text)
	return s
}

// skipBIF passes over what stands before a brace.
func skipBIF(s *scanner) {
	for s.now.kind != end && !s.now.is("{") && !s.now.is("variable") && !s.now.is("probability") {
		s.take()
	}
}

// law reads of whose law a table is: ( x | a, b ), or ( x a b ) as older programs write it.
func (g *statedGraph) law(s *scanner) {
	at, fault := s.now, ""
	var names []token
	if s.now.is("(") {
		s.take()
	} else {
		fault = `"(" was expected behind "probability"`
	}
	for {
		if t := &s.now; t.kind == name && !t.is("variable") && !t.is("probability") {
			names = append(names, *t)
		} else if t.is("|") && len(names) != 1 {
			fault = "a table has the law of one variable"
		} else if !t.is(",") && !t.is("|") {
			break
		}
		s.take()
	}
	switch {
	case !s.now.is(")"):
		at, fault = s.now, `")" was expected behind the names of variables`
	case len(names) == 0:
		fault = "a table has the law of a variable"
	case len(names) > mostEdges-len(g.edges):
		fault = "the network has too many edges"
	}
	if fault != "" {
		g.fail(at, "%s", fault)
		names = nil
	}
	for k := 1; k < len(names); k++ {
		g.link(names[k], names[0], &edge{p: 1})
	}
	skipBIF(s)
}

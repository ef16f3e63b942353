package format

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// plainly is the probability of an edge that the text of a law says by itself. It is not 1: what does not change may take the edge
// out of an instance.
const plainly = 0.95

// offer returns the prior of someone who has read the domain and not the instance, or nil if that says nothing or would take too long. What
// the text of a law can read for some values of what does not change is possible, all else is forbidden, and what it reads of its
// own objects is likely.
func (r *rddlReader) offer(m *fmdp.Model) *document.Stated {
	var likely, possible, forbidden reasons
	work := 0
	for j := range r.states {
		f := r.owner[j]
		l := lifted{rddlReader: r, work: &work, own: map[int]*rddlFluent{}, seen: map[string]bool{}}
		env := make([]filled, r.frame)
		for k, object := range r.envOf(f, r.index[j])[:len(f.types)] {
			env[k] = filled{object, true}
		}
		l.read(f.law, env)
		if work > mostGrounds {
			return nil
		}
		to, never := m.State[j].Name, fmt.Sprintf("In no instance, the law of %s reads it.", param.Clip(f.name))
		others := 2*l.can.Len() < m.X() // shorter than to list what is forbidden
		if others {
			forbidden.add(never, document.Others, to)
		}
		for i := range m.X() {
			from := m.Var(i).Name
			switch of := l.own[i]; {
			case !l.can.Has(i):
				if !others {
					forbidden.add(never, from, to)
				}
			case of != nil && m.Var(i).Size > 1:
				likely.add(fmt.Sprintf("The law of %s reads %s%s.", param.Clip(f.name), param.Clip(of.name), [...]string{"", " of the same object", " of the same objects"}[min(len(of.types), 2)]), from, to)
			case others:
				possible.add(fmt.Sprintf("In some instances, the law of %s reads it.", param.Clip(f.name)), from, to)
			}
		}
	}
	edges := slices.Concat(likely.with(plainly), possible.with(0.5), forbidden.with(0))
	if len(edges) == 0 {
		return nil
	}
	return &document.Stated{Edges: edges}
}

// reasons are edges by reason, in the order in which the reasons came.
type reasons struct {
	list  []document.Reason
	place map[string]int
}

func (s *reasons) add(why, from, to string) {
	k, has := s.place[why]
	if !has {
		if s.place == nil {
			s.place = map[string]int{}
		}
		k = len(s.list)
		s.place[why] = k
		s.list = append(s.list, document.Reason{Why: why})
	}
	s.list[k].Edges = append(s.list[k].Edges, [2]string{from, to})
}

// with returns the reasons, each with that probability.
func (s *reasons) with(p float64) []document.Reason {
	for k := range s.list {
		s.list[k].P = p
	}
	return s.list
}

// filled is what a variable over objects stands for: an object, or −1 for any.
type filled struct {
	object int
	own    bool // it is an object of the fluent whose law is read
}

// lifted is what the text of a law can read, with the objects of its fluent filled in and nothing else.
type lifted struct {
	*rddlReader
	work  *int
	level int // of the expression that is read
	can   bigraph.Scope
	own   map[int]*rddlFluent // by variable, the fluent that is read of own objects
	seen  map[string]bool     // intermediate fluents, with what fills them in
}

// read adds what an expression can read.
func (l *lifted) read(e *rddlExpr, env []filled) {
	if l.level++; l.level > mostLevel {
		*l.work = mostGrounds
	}
	defer func() { l.level-- }()
	if *l.work += 1 + len(e.vars); *l.work > mostGrounds {
		return
	}
	if strings.HasSuffix(e.op, "_") { // a quantifier
		for _, v := range e.vars {
			env[v.slot] = filled{object: -1}
		}
	}
	for _, arg := range e.args {
		l.read(arg, env)
	}
	if e.op != exprFluent || e.of.kind == nonFluent {
		return
	}
	f, objects, own := e.of, make([]filled, len(e.args)), true
	for k, arg := range e.args {
		objects[k] = filled{object: -1}
		switch arg.op {
		case exprObject:
			objects[k].object = int(arg.value)
		case exprVariable:
			objects[k] = env[arg.vars[0].slot]
		}
		own = own && objects[k].own
	}
	if f.kind != intermFluent {
		l.groundings(f, objects, own)
		return
	}
	if key := fmt.Sprint(f.name, objects); !l.seen[key] {
		l.seen[key] = true
		*l.work += l.frame
		l.read(f.law, append(objects, make([]filled, l.frame-len(objects))...))
	}
}

// groundings adds the variables of a fluent with such objects.
func (l *lifted) groundings(f *rddlFluent, objects []filled, own bool) {
	if f.kind == actionFluent && l.joint { // one variable holds all of them
		l.add(l.states, f, own)
		return
	}
	for k := range f.total {
		fits := true
		for i, object := range l.envOf(f, k)[:len(objects)] {
			fits = fits && (objects[i].object < 0 || objects[i].object == object)
		}
		if fits {
			l.add(l.variable(f.first+int(k)), f, own)
		}
	}
	*l.work += int(f.total)
}

func (l *lifted) add(i int, f *rddlFluent, own bool) {
	l.can = l.can.With(i)
	if own && l.own[i] == nil {
		l.own[i] = f
	}
}

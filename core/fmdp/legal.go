package fmdp

import (
	"slices"

	"cpsrl/core/bigraph"
)

// Legal is the joint actions that there are, if they are not all assignments of the action
// variables: in the order of their values, the last action variable varying fastest. Action a of
// a space is entry a of the list. A Legal does not change.
type Legal struct {
	list  [][]int
	index []int32 // by the row-major index of a joint action, its place in the list; −1 if it is not there
}

// NewLegal returns the legal joint actions over the action variables, in their order. The error
// is a *[Fault]: there is an action, each has a value of each variable, and none occurs twice.
func NewLegal(action []Variable, list [][]int) (*Legal, error) {
	all := product(action)
	switch {
	case len(list) == 0:
		return nil, fault(at("legal"), "there is no legal action; at least one is needed")
	case all > MaxPoints:
		return nil, fault(at("legal"), "the action variables have %s joint actions, legal or not, more than %d", Saturated(all), MaxPoints)
	}
	l := &Legal{index: slices.Repeat([]int32{-1}, all)}
	for k, values := range list {
		if len(values) != len(action) {
			return nil, fault(at("legal", k), "%d values for %d action variables", len(values), len(action))
		}
		index := 0
		for i, v := range values {
			if v < 0 || v >= action[i].Size {
				return nil, fault(at("legal", k, i), "%q has no value %d; values are 0 to %d", action[i].Name, v, action[i].Size-1)
			}
			index = index*action[i].Size + v
		}
		if l.index[index] >= 0 {
			return nil, fault(at("legal", k), "this joint action is listed twice")
		}
		l.index[index] = int32(k)
		l.list = append(l.list, slices.Clone(values))
	}
	slices.SortFunc(l.list, slices.Compare)
	next := int32(0)
	for i, k := range l.index {
		if k >= 0 {
			l.index[i], next = next, next+1
		}
	}
	return l, nil
}

// NewAtMost returns the joint actions in which at most that many variables differ from their
// defaults. The error is a *[Fault].
func NewAtMost(action []Variable, most int, defaults []int) (*Legal, error) {
	switch all := product(action); {
	case all > MaxPoints:
		return nil, fault(at("legal"), "the action variables have %s joint actions, legal or not, more than %d", Saturated(all), MaxPoints)
	case most < 0:
		return nil, fault(at("legal", "maxNonDefault"), "%d variables; at least 0 are needed", most)
	case len(defaults) != len(action):
		return nil, fault(at("legal", "default"), "%d values for %d action variables", len(defaults), len(action))
	}
	for i, v := range defaults {
		if v < 0 || v >= action[i].Size {
			return nil, fault(at("legal", "default", i), "%q has no value %d; values are 0 to %d", action[i].Name, v, action[i].Size-1)
		}
	}
	var list [][]int
	values := slices.Clone(defaults)
	var choose func(i, left int) bool
	choose = func(i, left int) bool { // false if there are too many
		if i == len(action) {
			list = append(list, slices.Clone(values))
			return len(list) <= MaxPoints
		}
		for v := range action[i].Size {
			if v != defaults[i] && left == 0 {
				continue
			}
			values[i] = v
			spent := 0
			if v != defaults[i] {
				spent = 1
			}
			if !choose(i+1, left-spent) {
				return false
			}
		}
		values[i] = defaults[i]
		return true
	}
	if !choose(0, most) {
		return nil, fault(at("legal"), "more than %d joint actions are legal", MaxPoints)
	}
	return NewLegal(action, list)
}

// List returns the legal joint actions, which the caller must not change; nil if l is nil.
func (l *Legal) List() [][]int {
	if l == nil {
		return nil
	}
	return l.list
}

// at returns the number of a joint action, which must be legal.
func (l *Legal) at(action []Variable, values []int) int {
	k := l.find(action, values)
	if k < 0 {
		panic("fmdp: an action that is not legal")
	}
	return int(k)
}

// find returns the number of a joint action, or −1 if it is not legal.
func (l *Legal) find(action []Variable, values []int) int32 {
	index := 0
	for i, v := range values {
		index = index*action[i].Size + v
	}
	return l.index[index]
}

// Allows reports whether the joint action of a point, whose values are those of the variables, is legal.
func (s *Space) Allows(point []int) bool {
	return s.Legal == nil || s.Legal.find(s.Action, point[len(s.State):]) >= 0
}

// Assignments numbers the assignments of a set of X variables that some point has: those of the
// state variables, row-major, and for each of them the projections of the joint actions, in
// their order. Without a [Legal] that is the row-major order of all assignments.
type Assignments struct {
	space *Space
	scope bigraph.Scope
	state []int   // the state variables of the scope
	class []int32 // for each joint action, the number of its projection; nil without a Legal
	first []int   // for each projection, the first joint action that has it
}

// Assignments returns the numbering for a scope.
func (s *Space) Assignments(scope bigraph.Scope) *Assignments {
	a := &Assignments{space: s, scope: scope}
	if s.Legal == nil {
		return a
	}
	states := bigraph.First(s.Y())
	a.state = (scope & states).Parents()
	a.class, a.first = s.Legal.project(s, scope.Without(states).Parents())
	return a
}

// project numbers the projections of the joint actions on some action variables.
func (l *Legal) project(s *Space, vars []int) (class []int32, first []int) {
	seen := make([]int32, s.Rows(vars)) // 1 more than the number of a projection
	class = make([]int32, len(l.list))
	for a, values := range l.list {
		row := 0
		for _, i := range vars {
			row = row*s.Var(i).Size + values[i-len(s.State)]
		}
		if seen[row] == 0 {
			first = append(first, a)
			seen[row] = int32(len(first))
		}
		class[a] = seen[row] - 1
	}
	return class, first
}

// Len returns the number of assignments.
func (a *Assignments) Len() int {
	if a.class == nil {
		return a.space.Rows(a.scope.Parents())
	}
	return times(a.space.Rows(a.state), len(a.first))
}

// Rows returns, for each assignment, the row that it selects in a table over the given variables,
// times scale. Given variables that are not in the scope have the value 0.
func (a *Assignments) Rows(given []int, scale int) []int32 {
	s := a.space
	if a.class == nil {
		return s.Project(a.scope.Parents(), given, scale)
	}
	return a.combine(s.Project(a.state, given, scale), len(a.first), func(k int) int32 { return a.add(given, a.first[k], scale) })
}

// add returns what the values of the joint action add to the row of a table, times scale.
func (a *Assignments) add(given []int, action, scale int) int32 {
	s, sum := a.space, 0
	for k, n := len(given)-1, scale; k >= 0; k-- {
		if i := given[k]; i >= s.Y() && i < s.X() && a.scope.Has(i) {
			sum += n * s.Legal.list[action][i-s.Y()]
		}
		n *= s.Var(given[k]).Size
	}
	return int32(sum)
}

// Within returns, for each assignment, its number among the assignments of a smaller scope, times
// scale.
func (a *Assignments) Within(smaller *Assignments, scale int) []int32 {
	if a.class == nil {
		return a.space.Project(a.scope.Parents(), smaller.scope.Parents(), scale)
	}
	states := a.space.Project(a.state, smaller.state, scale*len(smaller.first))
	return a.combine(states, len(a.first), func(k int) int32 { return int32(scale) * smaller.class[a.first[k]] })
}

// Of returns, for each point x, the number of its assignment.
func (a *Assignments) Of() []int32 {
	s := a.space
	if a.class == nil {
		return s.Project(bigraph.First(s.X()).Parents(), a.scope.Parents(), 1)
	}
	states := s.Project(bigraph.First(s.Y()).Parents(), a.state, len(a.first))
	return a.combine(states, len(a.class), func(k int) int32 { return a.class[k] })
}

// combine adds each of n entries to each entry of the states.
func (a *Assignments) combine(states []int32, n int, entry func(k int) int32) []int32 {
	entries := make([]int32, n)
	for k := range entries {
		entries[k] = entry(k)
	}
	list := make([]int32, 0, len(states)*n)
	for _, s := range states {
		for _, e := range entries {
			list = append(list, s+e)
		}
	}
	return list
}

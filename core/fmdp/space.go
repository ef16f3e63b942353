// Package fmdp holds factored Markov decision processes: variables with finite
// ranges, tables over scopes of variables, and models made of them.
//
// The variables X are the state variables followed by the action variables; Y_j
// is state variable j one step later. A point x = (s, a) and its index agree
// row-major, the last variable varying fastest, so that index(x) =
// index(s)·A + index(a). The arithmetic of indices over variables is in this package.
//
// Spaces, factors and models are plain data: any number of goroutines may read them.
// [Model.Validate] normalises rows in place. [Space.Var] and [Factor.Row] return parts
// of the value itself, not copies. Functions with a dst argument write into it.
package fmdp

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"

	"cpsrl/core/bigraph"
)

// Unseen stands, in place of a value, for one that is not known.
const Unseen = -1

// Limits on what a model may hold.
const (
	MaxVariables = bigraph.MaxX // state and action variables together
	MaxName      = 1 << 7       // bytes of a variable's name: answers repeat names
	MaxPoints    = 1 << 20      // S·A where all points are listed, as exact planning does
	MaxJoint     = 1 << 23      // S²A, where a dense joint law is asked for
	MaxHorizon   = 1 << 14      // H
	MaxPolicy    = 1 << 26      // S·H, the entries of a non-stationary policy
	MaxTable     = 1 << 24      // entries of all transition tables together
	MaxPayoffs   = 1 << 25      // reward factors times S·A
	MaxRewards   = 1 << 10      // reward factors
	MaxEnds      = 1<<8 - 1     // kinds of ends
	MaxHidden    = 1 << 10      // assignments of the hidden variables
	MaxPay       = 1e12         // |payoff| of a reward factor: values stay finite
)

// Variable is one state or action variable.
type Variable struct {
	Name   string
	Size   int      // number of values, at least 1
	Values []string // labels, one for each value; or none
}

// Label returns the label of value v, or its number.
func (v *Variable) Label(value int) string {
	if value < len(v.Values) {
		return v.Values[value]
	}
	return fmt.Sprint(value)
}

// Unlike returns the first value whose label is not that of another variable of as many values, or −1.
func (v *Variable) Unlike(of *Variable) int {
	for value := range max(len(v.Values), len(of.Values)) {
		if v.Label(value) != of.Label(value) {
			return value
		}
	}
	return -1
}

// Space holds the variables of a problem.
type Space struct {
	State  []Variable
	Action []Variable
	Legal  *Legal // the joint actions that there are, and where; nil for all everywhere
}

// X returns d_X, the number of state and action variables.
func (s *Space) X() int { return len(s.State) + len(s.Action) }

// Y returns d_Y, the number of state variables.
func (s *Space) Y() int { return len(s.State) }

// Var returns X_i or, for i = d_X + j, Y_j. The caller must not change it.
func (s *Space) Var(i int) *Variable {
	if i < len(s.State) {
		return &s.State[i]
	}
	if i -= len(s.State); i < len(s.Action) {
		return &s.Action[i]
	}
	return &s.State[i-len(s.Action)]
}

// Prime is the end of the name of a state variable at the next step: "row'" is Y_j if "row" is X_j.
const Prime = "'"

// Lookup returns the index i of the X variable of that name, or -1.
func (s *Space) Lookup(name string) int {
	for i := range s.X() {
		if s.Var(i).Name == name {
			return i
		}
	}
	return -1
}

// LookupNext is Lookup that also knows the variables of the next state: the index of "row'" is
// d_X + j if "row" is X_j and no variable is called "row'".
func (s *Space) LookupNext(name string) int {
	i := s.Lookup(name)
	if base, primed := strings.CutSuffix(name, Prime); i < 0 && primed {
		if j := s.Lookup(base); j >= 0 && j < s.Y() {
			return s.X() + j
		}
	}
	return i
}

// NameOf returns the name of X_i or, for i = d_X + j, of Y_j.
func (s *Space) NameOf(i int) string {
	if i >= s.X() {
		return s.Var(i).Name + Prime
	}
	return s.Var(i).Name
}

// Names returns the names of the variables with these indices.
func (s *Space) Names(vars []int) []string {
	names := make([]string, len(vars))
	for k, i := range vars {
		names[k] = s.NameOf(i)
	}
	return names
}

// States returns S. It and the counts below are saturated: math.MaxInt stands for any
// larger number.
func (s *Space) States() int { return product(s.State) }

// Actions returns A, the number of joint actions that there are.
func (s *Space) Actions() int {
	if s.Legal != nil {
		return s.Legal.count
	}
	return product(s.Action)
}

// Points returns S·A.
func (s *Space) Points() int { return Times(s.States(), s.Actions()) }

// Joint returns S²A, the number of entries of a dense transition table.
func (s *Space) Joint() int { return Times(s.States(), s.Points()) }

func product(vars []Variable) int {
	n := 1
	for i := range vars {
		n = Times(n, vars[i].Size)
	}
	return n
}

// Times multiplies positive numbers, saturating at math.MaxInt.
func Times(a, b int) int {
	if b > 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}

// Trivial returns the X variables that have only one value.
func (s *Space) Trivial() bigraph.Scope {
	var z bigraph.Scope
	for i := range s.X() {
		if s.Var(i).Size == 1 {
			z = z.With(i)
		}
	}
	return z
}

// Index returns the index of point, which holds one value for each X variable,
// or of a state, which holds one for each state variable. The joint action of a point must be
// legal.
func (s *Space) Index(point []int) int {
	if s.Legal != nil && len(point) > len(s.State) {
		return s.Index(point[:len(s.State)])*s.Legal.count + s.Legal.at(point[len(s.State):])
	}
	index := 0
	for i, v := range point {
		index = index*s.Var(i).Size + v
	}
	return index
}

// Strides returns what one unit of each X variable adds to the index of a point, if all joint
// actions are legal.
func (s *Space) Strides() []int {
	strides := make([]int, s.X())
	for i, n := s.X()-1, 1; i >= 0; i-- {
		strides[i] = n
		n *= s.Var(i).Size
	}
	return strides
}

// Point writes the values of the X variables at the given index into dst, which has
// length d_X, and returns dst. If dst has length d_Y, index is that of a state.
func (s *Space) Point(dst []int, index int) []int {
	if s.Legal != nil && len(dst) > len(s.State) {
		s.Legal.Values(dst[len(s.State):], index%s.Legal.count)
		s.Point(dst[:len(s.State)], index/s.Legal.count)
		return dst
	}
	for i := len(dst) - 1; i >= 0; i-- {
		n := s.Var(i).Size
		dst[i] = index % n
		index /= n
	}
	return dst
}

// JointAction writes the values of the action variables in the joint action of that number into dst, and returns it.
func (s *Space) JointAction(dst []int, action int) []int {
	if s.Legal != nil {
		return s.Legal.Values(dst, action)
	}
	for i := len(dst) - 1; i >= 0; i-- {
		n := s.Action[i].Size
		dst[i], action = action%n, action/n
	}
	return dst
}

// JointActions lists the values of the action variables by the number of the joint action.
func (s *Space) JointActions() [][]int {
	n := len(s.Action)
	list, values := make([][]int, s.Actions()), make([]int, s.Actions()*n)
	for a := range list {
		list[a] = s.JointAction(values[a*n:(a+1)*n:(a+1)*n], a)
	}
	return list
}

// Rows returns the number of rows of a table over the given variables.
func (s *Space) Rows(given []int) int {
	n := 1
	for _, i := range given {
		n = Times(n, s.Var(i).Size)
	}
	return n
}

// Sizes returns how many values each given variable has.
func (s *Space) Sizes(given []int) []int {
	size := make([]int, len(given))
	for k, i := range given {
		size[k] = s.Var(i).Size
	}
	return size
}

// Tuples yields the rows of a table over variables of those sizes, each with the values of the variables. These are
// valid until the next.
func Tuples(size []int) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		values := make([]int, len(size))
		for row := 0; !slices.Contains(size, 0); row++ {
			if !yield(row, values) {
				return
			}
			k := len(size) - 1
			for ; k >= 0; k-- {
				if values[k]++; values[k] < size[k] {
					break
				}
				values[k] = 0
			}
			if k < 0 {
				return
			}
		}
	}
}

// Row returns the row of a table over the given variables that point selects.
func (s *Space) Row(given []int, point []int) int {
	row := 0
	for _, i := range given {
		row = row*s.Var(i).Size + point[i]
	}
	return row
}

// RowAt is Row for a table that may be given variables of the next state, too.
func (s *Space) RowAt(given, point, next []int) int {
	row := 0
	for _, i := range given {
		v := 0
		if i < len(point) {
			v = point[i]
		} else {
			v = next[i-len(point)]
		}
		row = row*s.Var(i).Size + v
	}
	return row
}

// RowOf returns the row of a table over the given variables for every index x.
func (s *Space) RowOf(given []int) []int32 {
	if s.Legal != nil {
		all := s.Assignments(bigraph.First(s.X()))
		return all.Rows(given, 1)
	}
	return s.Project(bigraph.First(s.X()).Parents(), given, 1)
}

// Project returns an entry for each assignment of the variables in to, row-major in the
// order written: the row that the assignment selects in a table over the variables in
// from, times scale. Variables that are in from but not in to have the value 0.
func (s *Space) Project(to, from []int, scale int) []int32 {
	stride := make([]int, s.X()+s.Y())
	for k, n := len(from)-1, scale; k >= 0; k-- {
		stride[from[k]] = n
		n *= s.Var(from[k]).Size
	}
	rows := make([]int32, s.Rows(to))
	n := 1 // the number of assignments of the variables after to[k]; they fill rows[:n]
	for k := len(to) - 1; k >= 0; k-- {
		size := s.Var(to[k]).Size
		for v := 1; v < size; v++ {
			more, add := rows[v*n:][:n], int32(v*stride[to[k]])
			for r, row := range rows[:n] {
				more[r] = row + add
			}
		}
		n *= size
	}
	return rows
}

// Validate checks the variables: there is a state variable, there are at most
// MaxVariables in all, and each has a name of its own of at most MaxName bytes, a size of at
// least 1 and labels for all of its values or none. The error is a *[Fault]. The variables of a model whose states are
// listed must also pass [Space.CheckPoints].
func (s *Space) Validate() error {
	switch {
	case len(s.State) == 0:
		return fault(at("state"), "there is no state variable; at least one is needed")
	case s.X() > MaxVariables:
		return fault(at("state"), "%d state and action variables, more than %d", s.X(), MaxVariables)
	}
	seen := map[string]bool{}
	for i := range s.X() {
		v, in := s.Var(i), at("state", i)
		if i >= s.Y() {
			in = at("action", i-s.Y())
		}
		switch {
		case v.Name == "":
			return fault(in.to("name"), "the variable has no name")
		case len(v.Name) > MaxName:
			return fault(in.to("name"), "the name has %d bytes, more than %d", len(v.Name), MaxName)
		case seen[v.Name]:
			return fault(in.to("name"), "a second variable is named %q", v.Name)
		case v.Size < 1:
			return fault(in.to("size"), "variable %q has size %d; at least 1 is needed", v.Name, v.Size)
		case len(v.Values) != 0 && len(v.Values) != v.Size:
			return fault(in.to("values"), "variable %q has %d labels for %d values", v.Name, len(v.Values), v.Size)
		}
		seen[v.Name] = true
	}
	return nil
}

// CheckPoints returns a *[Fault] if there is no action variable or S·A exceeds MaxPoints:
// planning needs an action, and all points.
func (s *Space) CheckPoints() error {
	if err := s.checkAction(); err != nil {
		return err
	}
	if n := s.Points(); n > MaxPoints {
		return fault(at("state"), "%s state-action pairs (S·A), more than %d", Saturated(n), MaxPoints)
	}
	return nil
}

// CheckSizes returns a *[Fault] if the variables have more than MaxPoints values together, so that not even a law of each
// could be listed.
func (s *Space) CheckSizes() error {
	total := 0
	for i := range s.X() {
		v, in := s.Var(i), at("state", i)
		if i >= s.Y() {
			in = at("action", i-s.Y())
		}
		if v.Size > MaxPoints-total {
			return fault(in.to("size"), "the variables have more than %d values up to those of %q", MaxPoints, v.Name)
		}
		total += v.Size
	}
	return nil
}

// checkAction returns a *[Fault] if there is no action variable.
func (s *Space) checkAction() error {
	if len(s.Action) == 0 {
		return fault(at("action"), "there is no action variable; planning needs at least one, which may have a single value")
	}
	return nil
}

// Saturated formats a count in which math.MaxInt stands for itself and any larger number.
func Saturated(n int) string {
	if n == math.MaxInt {
		return fmt.Sprintf("at least 2^%d-1", bits.UintSize-1)
	}
	return fmt.Sprint(n)
}

// TooLargeError says that a table would have more entries than a limit allows.
type TooLargeError struct{ Entries, Limit int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("a table of %s entries, more than %d", Saturated(e.Entries), e.Limit)
}

package fmdp

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"cpsrl/core/bigraph"
)

// Legal is the joint actions that there are, if they are not all assignments of the action
// variables: in the order of their values, the last action variable varying fastest. Action a of
// a space is entry a of the list. If it depends on the state which of them are legal, the list has those that are legal in
// some state: see [Space.Choices]. A Legal does not change.
type Legal struct {
	sizes []int   // of the action variables
	count int     // the number of legal joint actions
	joint []int32 // their row-major numbers among all joint actions, ascending; nil if all are legal
	index []int32 // by the number of a joint action, its place in the list; −1 if it is not there; nil if all are legal
	// values has those of the legal joint actions, one after another, where more joint actions than MaxPoints are legal or
	// not, so that they have no numbers. Then joint and index are nil. Else it is nil.
	values []int32
	byState
}

// byState says in which states which actions are legal. It is empty if they are the same in all.
type byState struct {
	rule    string    // a formula that says it; "" if there is none
	given   []int     // the state variables of which it is a function, ascending
	column  []int32   // by joint action, its column in may
	columns int       // of may
	may     []bool    // by the row of a table over the given variables, then by column
	set     []int32   // by that row, the place of its actions in sets
	sets    [][]int32 // joint actions, ascending; no two sets are the same
}

// MaxChoices is the largest number of entries of the different sets of actions that are legal in a state.
const MaxChoices = 1 << 22

// maxLegal is the largest number of values of legal joint actions that have no numbers.
const maxLegal = 1 << 22

// NewLegal returns the legal joint actions over the action variables, in their order. The error
// is a *[Fault]: there is an action, each has a value of each variable, and none occurs twice.
func NewLegal(action []Variable, list [][]int) (*Legal, error) {
	for k, values := range list {
		if len(values) != len(action) {
			return nil, fault(at("legal", k), "%d values for %d action variables", len(values), len(action))
		}
		for i, v := range values {
			if v < 0 || v >= action[i].Size {
				return nil, fault(at("legal", k, i), "%q has no value %d; values are 0 to %d", action[i].Name, v, action[i].Size-1)
			}
		}
	}
	all, err := allActions(action, true)
	switch {
	case err != nil:
		return nil, err
	case all > MaxPoints:
		return listed(action, list)
	}
	is := make([]bool, all)
	for k, values := range list {
		index := 0
		for i, v := range values {
			index = index*action[i].Size + v
		}
		if is[index] {
			return nil, listedTwice(k)
		}
		is[index] = true
	}
	return newLegal(action, is)
}

func listedTwice(k int) error { return fault(at("legal", k), "this joint action is listed twice") }

// listed returns the joint actions of a list without numbers.
func listed(action []Variable, list [][]int) (*Legal, error) {
	if len(list) > maxLegal/max(len(action), 1) {
		return nil, fault(at("legal"), "the %d legal joint actions of %d action variables are more than are listed; they may have %d values together", len(list), len(action), maxLegal)
	}
	keys, key, seen := make([]string, len(list)), []byte{}, map[string]bool{}
	for k, values := range list {
		key = key[:0]
		for _, v := range values {
			key = binary.BigEndian.AppendUint32(key, uint32(v)) // in the order of the values
		}
		if keys[k] = string(key); seen[keys[k]] {
			return nil, listedTwice(k)
		}
		seen[keys[k]] = true
	}
	slices.Sort(keys)
	l := &Legal{sizes: sizesOf(action), count: len(list), values: make([]int32, 0, len(list)*len(action))}
	for _, key := range keys {
		for ; key != ""; key = key[4:] {
			l.values = append(l.values, int32(binary.BigEndian.Uint32([]byte(key[:4]))))
		}
	}
	if l.count == 0 {
		return nil, noLegal()
	}
	return l, nil
}

func noLegal() error { return fault(at("legal"), "there is no legal action; at least one is needed") }

// allActions returns the number of joint actions, legal or not. More than MaxPoints are refused, or if few of them are legal
// only more of a single variable.
func allActions(action []Variable, few bool) (int, error) {
	all, most := product(action), 0
	for _, v := range action {
		most = max(most, v.Size)
	}
	if all > MaxPoints && !few || most > MaxPoints {
		return 0, fault(at("legal"), "the action variables have %s joint actions, legal or not, more than %d", Saturated(all), MaxPoints)
	}
	return all, nil
}

func sizesOf(action []Variable) []int {
	sizes := make([]int, len(action))
	for i, v := range action {
		sizes[i] = v.Size
	}
	return sizes
}

// newLegal returns the joint actions of which is says, by number, whether they are legal.
func newLegal(action []Variable, is []bool) (*Legal, error) {
	l := &Legal{sizes: sizesOf(action)}
	for _, legal := range is {
		if legal {
			l.count++
		}
	}
	switch l.count {
	case 0:
		return nil, noLegal()
	case len(is):
		return l, nil
	}
	l.joint, l.index = make([]int32, 0, l.count), make([]int32, len(is))
	for k, legal := range is {
		if l.index[k] = -1; legal {
			l.index[k] = int32(len(l.joint))
			l.joint = append(l.joint, int32(k))
		}
	}
	return l, nil
}

// LegalWhere returns the joint actions for whose values a condition holds. The error is a *[Fault].
func LegalWhere(action []Variable, holds func(values []int) bool) (*Legal, error) {
	all, err := allActions(action, false)
	if err != nil {
		return nil, err
	}
	is, values := make([]bool, all), make([]int, len(action))
	for k := range is {
		is[k] = holds(values)
		for i := len(values) - 1; i >= 0; i-- { // the next joint action
			if values[i]++; values[i] < action[i].Size {
				break
			}
			values[i] = 0
		}
	}
	return newLegal(action, is)
}

// LegalIn returns the joint actions that a condition allows, which may depend on the state: it is a function of the given
// variables of the space, ascending, and holds says for each row of their table whether it does. Rule is the condition as a
// formula, by which a document says it. The error is a *[Fault]: in each state an action is legal.
func LegalIn(s *Space, given []int, holds []bool, rule string) (*Legal, error) {
	split := 0
	for split < len(given) && given[split] < s.Y() {
		split++
	}
	state, action := given[:split], given[split:]
	columns := s.Rows(action)
	some := make([]bool, columns)
	for k, is := range holds {
		some[k%columns] = some[k%columns] || is
	}
	columnOf := func(values []int) int {
		column := 0
		for _, i := range action {
			column = column*s.Var(i).Size + values[i-s.Y()]
		}
		return column
	}
	l, err := LegalWhere(s.Action, func(values []int) bool { return some[columnOf(values)] })
	if err != nil || len(state) == 0 {
		return l, err
	}
	column, values := make([]int32, l.count), make([]int, len(s.Action))
	for a := range column {
		column[a] = int32(columnOf(l.Values(values, a)))
	}
	return l.in(s, byState{rule: rule, given: state, column: column, columns: columns, may: holds})
}

// Where returns the legal joint actions of which, in a state, those are legal that lists has for the row of a table over the
// given variables. The lists are ascending. The error is a *[Fault] in "allowed".
func (l *Legal) Where(s *Space, given []int, lists [][]int32) (*Legal, error) {
	if l == nil {
		all := product(s.Action)
		l = &Legal{sizes: sizesOf(s.Action), count: all}
	}
	for k, i := range given {
		if i >= s.Y() || k > 0 && i <= given[k-1] {
			return nil, fault(at("allowed", "given", k), "%q is no state variable, or not in the order of the state", s.NameOf(i))
		}
	}
	rows := s.Rows(given)
	if len(given) == 0 || len(lists) != rows || Times(rows, l.count) > MaxPoints {
		return nil, fault(at("allowed", "actions"), "%d lists of actions; the given variables have %s assignments", len(lists), Saturated(rows))
	}
	by := byState{given: given, column: make([]int32, l.count), columns: l.count, may: make([]bool, rows*l.count)}
	for a := range by.column {
		by.column[a] = int32(a)
	}
	for row, list := range lists {
		for k, a := range list {
			if a < 0 || int(a) >= l.count || k > 0 && a <= list[k-1] {
				return nil, fault(at("allowed", "actions", row, k), "there is no action %d, or it is not in its order", a)
			}
			by.may[row*l.count+int(a)] = true
		}
	}
	return l.in(s, by)
}

// in returns the legal joint actions with what says where they are legal, of which the sets are added.
func (l *Legal) in(s *Space, by byState) (*Legal, error) {
	by.set = make([]int32, len(by.may)/by.columns)
	known, key, entries := map[string]int32{}, make([]byte, by.columns), 0
	for row, tuple := range Tuples(s.Sizes(by.given)) {
		may := by.may[row*by.columns:][:by.columns]
		for k, is := range may {
			if key[k] = 0; is {
				key[k] = 1
			}
		}
		number, met := known[string(key)]
		if !met {
			number = int32(len(by.sets))
			known[string(key)] = number
			set := []int32{}
			for a, column := range by.column {
				if may[column] {
					set = append(set, int32(a))
				}
			}
			if len(set) == 0 {
				return nil, fault(at("legal"), "no action is legal where %s; at least one is needed in each state", s.assigned(by.given, tuple))
			}
			if entries += len(set); entries > MaxChoices {
				return nil, fault(at("legal"), "the different sets of actions that are legal in a state have more than %d entries together", MaxChoices)
			}
			by.sets = append(by.sets, set)
		}
		by.set[row] = number
	}
	restricted := *l
	restricted.byState = by
	return &restricted, nil
}

// assigned says which values some variables have: "fuel = 0 and day = mon".
func (s *Space) assigned(given, values []int) string {
	parts := make([]string, len(given))
	for k, i := range given {
		parts[k] = fmt.Sprintf("%s = %s", s.NameOf(i), s.Var(i).Label(values[k]))
	}
	return strings.Join(parts, " and ")
}

// NewAtMost returns the joint actions in which at most that many variables differ from their
// defaults. It lists those, not all joint actions. The error is a *[Fault].
func NewAtMost(action []Variable, most int, defaults []int) (*Legal, error) {
	all, err := allActions(action, true)
	switch {
	case err != nil:
		return nil, err
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
	if all <= MaxPoints {
		return LegalWhere(action, func(values []int) bool {
			spent := 0
			for i, v := range values {
				if v != defaults[i] {
					spent++
				}
			}
			return spent <= most
		})
	}
	if n := countAtMost(action, most); n > min(MaxPoints, maxLegal/len(action)) {
		return nil, fault(at("legal"), "%s joint actions of %d variables are legal, more than %d", Saturated(n), len(action), min(MaxPoints, maxLegal/len(action)))
	}
	var list [][]int
	values := slices.Clone(defaults)
	var from func(i, left int)
	from = func(i, left int) {
		if i == len(values) {
			list = append(list, slices.Clone(values))
			return
		}
		if left == 0 {
			from(len(values), 0) // the rest have their defaults
			return
		}
		for v := range action[i].Size {
			spent := 1
			if values[i] = v; v == defaults[i] {
				spent = 0
			}
			from(i+1, left-spent)
		}
		values[i] = defaults[i]
	}
	from(0, most)
	return listed(action, list)
}

// countAtMost returns the number of joint actions in which at most that many variables differ from a default.
func countAtMost(action []Variable, most int) (total int) {
	ways := make([]int, min(most, len(action))+1) // by the number of variables that differ
	ways[0] = 1
	for _, v := range action {
		for k := len(ways) - 1; k > 0; k-- {
			ways[k] = plus(ways[k], Times(ways[k-1], v.Size-1))
		}
	}
	for _, n := range ways {
		total = plus(total, n)
	}
	return total
}

// plus adds numbers of at least 0, saturating at math.MaxInt.
func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// Len returns the number of legal joint actions; 0 if l is nil.
func (l *Legal) Len() int {
	if l == nil {
		return 0
	}
	return l.count
}

// All reports whether all joint actions are legal in some state, as they are if l is nil.
func (l *Legal) All() bool { return l == nil || l.joint == nil && l.values == nil }

// ByState reports whether it depends on the state which actions are legal.
func (l *Legal) ByState() bool { return l != nil && l.set != nil }

// Given returns the state variables that say which actions are legal, ascending; nil if they do not depend on the state.
func (l *Legal) Given() []int {
	if l == nil {
		return nil
	}
	return l.given
}

// Rule returns the formula that says which actions are legal in a state; "" if there is none or it does not depend on the state.
func (l *Legal) Rule() string { return l.rule }

// Lists returns the numbers of the joint actions that are legal in a state, by the row of a table over the variables of
// [Legal.Given]. The lists do not change.
func (l *Legal) Lists() [][]int32 {
	lists := make([][]int32, len(l.set))
	for row, k := range l.set {
		lists[row] = l.sets[k]
	}
	return lists
}

// Bounds returns how many joint actions are legal in a state, at least and at most.
func (l *Legal) Bounds() (least, most int) {
	if !l.ByState() {
		return l.Len(), l.Len()
	}
	least = l.count
	for _, set := range l.sets {
		least, most = min(least, len(set)), max(most, len(set))
	}
	return least, most
}

// Values writes the values of a legal joint action into dst, and returns it.
func (l *Legal) Values(dst []int, action int) []int {
	if l.values != nil {
		for i, v := range l.values[action*len(dst):][:len(dst)] {
			dst[i] = int(v)
		}
		return dst
	}
	if l.joint != nil {
		action = int(l.joint[action])
	}
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i], action = action%l.sizes[i], action/l.sizes[i]
	}
	return dst
}

// List returns the legal joint actions as a new list; nil if l is nil.
func (l *Legal) List() [][]int {
	if l == nil {
		return nil
	}
	list, n := make([][]int, l.count), len(l.sizes)
	values := make([]int, l.count*n)
	for a := range list {
		list[a] = l.Values(values[a*n:(a+1)*n:(a+1)*n], a)
	}
	return list
}

// at returns the number of a joint action, which must be legal.
func (l *Legal) at(values []int) int {
	k := l.find(values)
	if k < 0 {
		panic("fmdp: an action that is not legal")
	}
	return k
}

// find returns the number of a joint action, or −1 if it is not legal.
func (l *Legal) find(values []int) int {
	if l.values != nil {
		other, low, high := make([]int, len(values)), 0, l.count
		for low < high { // it is one of those from low to before high, if at all
			middle := (low + high) / 2
			switch slices.Compare(values, l.Values(other, middle)) {
			case 0:
				return middle
			case 1:
				low = middle + 1
			default:
				high = middle
			}
		}
		return -1
	}
	index := 0
	for i, v := range values {
		index = index*l.sizes[i] + v
	}
	if l.index == nil {
		return index
	}
	return int(l.index[index])
}

// Allows reports whether the joint action of a point, whose values are those of the variables, is legal in its state.
func (s *Space) Allows(point []int) bool {
	if s.Legal == nil {
		return true
	}
	a := s.Legal.find(point[len(s.State):])
	return a >= 0 && s.May(point, a)
}

// ActionOf returns the number of the joint action with these values of the action variables, or −1 if it is legal in no state.
func (s *Space) ActionOf(values []int) int {
	if s.Legal != nil {
		return s.Legal.find(values)
	}
	action := 0
	for i, v := range values {
		action = action*s.Action[i].Size + v
	}
	return action
}

// May reports whether the joint action of that number is legal in a state.
func (s *Space) May(state []int, action int) bool {
	l := s.Legal
	return !l.ByState() || l.may[s.Row(l.given, state)*l.columns+int(l.column[action])]
}

// Choices returns the numbers of the joint actions that are legal in a state, ascending; nil if all are in each state. The caller
// must not change the list.
func (s *Space) Choices(state []int) []int32 {
	l := s.Legal
	if !l.ByState() {
		return nil
	}
	return l.sets[l.set[s.Row(l.given, state)]]
}

// DrawAction returns the number of a joint action that is legal in a state, each as likely. It consumes one number of rng.
func (s *Space) DrawAction(rng *rand.Rand, state []int) int {
	if list := s.Choices(state); list != nil {
		return int(list[rng.IntN(len(list))])
	}
	return rng.IntN(s.Actions())
}

// LegalPoints returns, for each point x, whether its action is legal in its state; nil if all are.
func (s *Space) LegalPoints() []bool {
	l := s.Legal
	if !l.ByState() {
		return nil
	}
	points := make([]bool, 0, s.Points())
	for _, row := range s.Project(bigraph.First(s.Y()).Parents(), l.given, l.columns) {
		for _, column := range l.column {
			points = append(points, l.may[int(row)+int(column)])
		}
	}
	return points
}

// Assignments numbers the assignments of a set of X variables that some point has: those of the
// state variables, row-major, and for each of them the projections of the joint actions, in
// their order. If all joint actions are legal, that is the row-major order of all assignments.
type Assignments struct {
	space *Space
	scope bigraph.Scope
	state []int   // the state variables of the scope
	class []int32 // for each joint action, the number of its projection; nil if all are legal
	first []int   // for each projection, the first joint action that has it
}

// Assignments returns the numbering for a scope.
func (s *Space) Assignments(scope bigraph.Scope) *Assignments {
	a := &Assignments{space: s, scope: scope}
	if s.Legal.All() {
		return a
	}
	states := bigraph.First(s.Y())
	a.state = scope.Both(states).Parents()
	a.class, a.first = s.Legal.project(s, scope.Without(states).Parents())
	return a
}

// project numbers the projections of the joint actions on some action variables.
func (l *Legal) project(s *Space, vars []int) (class []int32, first []int) {
	if s.Rows(vars) > MaxPoints {
		return l.projectMany(s, vars)
	}
	class = make([]int32, l.count)
	values := make([]int, len(l.sizes))
	seen := make([]int32, s.Rows(vars)) // 1 more than the number of a projection
	for a := range class {
		l.Values(values, a)
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

// projectMany is project for variables that have too many assignments for a list.
func (l *Legal) projectMany(s *Space, vars []int) (class []int32, first []int) {
	class = make([]int32, l.count)
	values, key, seen := make([]int, len(l.sizes)), []byte{}, map[string]int32{}
	for a := range class {
		l.Values(values, a)
		key = key[:0]
		for _, i := range vars {
			key = binary.AppendUvarint(key, uint64(values[i-len(s.State)]))
		}
		number, met := seen[string(key)]
		if !met {
			number = int32(len(first))
			first, seen[string(key)] = append(first, a), number
		}
		class[a] = number
	}
	return class, first
}

// Len returns the number of assignments.
func (a *Assignments) Len() int {
	if a.class == nil {
		return a.space.Rows(a.scope.Parents())
	}
	return Times(a.space.Rows(a.state), len(a.first))
}

// Rows returns, for each assignment, the row that it selects in a table over the given variables,
// times scale. Given variables that are not in the scope have the value 0.
func (a *Assignments) Rows(given []int, scale int) []int32 {
	s := a.space
	if a.class == nil {
		return s.Project(a.scope.Parents(), given, scale)
	}
	values := make([]int, len(s.Action))
	return a.combine(s.Project(a.state, given, scale), len(a.first), func(k int) int32 {
		return a.add(given, s.Legal.Values(values, a.first[k]), scale)
	})
}

// add returns what the values of a joint action add to the row of a table, times scale.
func (a *Assignments) add(given, values []int, scale int) int32 {
	s, sum := a.space, 0
	for k, n := len(given)-1, scale; k >= 0; k-- {
		if i := given[k]; i >= s.Y() && i < s.X() && a.scope.Has(i) {
			sum += n * values[i-s.Y()]
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

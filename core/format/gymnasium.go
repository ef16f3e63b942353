package format

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// gymnasium is the table env.unwrapped.P of Gymnasium's small environments, as JSON:
//
//	{"format":"gymnasium/P","radix":[["row",4],["col",12]],"actions":["up",…],
//	 "horizon":100,"initial":[…],"P":{"0":{"0":[[p,next,reward,terminated],…],…},…}}
//
// The radix says how the number of a state is made of the values of its variables: the last one
// varies fastest. The page "File formats" has the Python that writes it.
var gymnasium = modelFormat{
	"Gymnasium's P as JSON",
	func(text string) bool {
		for _, token := range []string{"{", `"format"`, ":", `"gymnasium/P"`} {
			var found bool
			if text, found = strings.CutPrefix(strings.TrimSpace(text), token); !found {
				return false
			}
		}
		return true
	},
	func(text string, o Options) (*fmdp.Model, []string, error) {
		d := gymReader{}
		if err := strict.Decode([]byte(text), &d.gymDoc); err != nil {
			return nil, nil, err
		}
		return d.model(o)
	},
}

type gymDoc struct {
	Format  string    `json:"format"`
	Radix   []gymSize `json:"radix"`
	Actions []string  `json:"actions"`
	Horizon int       `json:"horizon,omitzero"`
	Initial []float64 `json:"initial"`
	P       gymTable  `json:"P"`
}

var _ = strict.Know(gymDoc{})

type gymReader struct {
	gymDoc
	space   fmdp.Space
	steps   [][]gymStep // by state and action
	entered []uint8     // how each state is entered in episodes: bits of the constants below
	odd     bool        // whether a state that no episode reaches goes on through a terminal one
}

// How a state is entered.
const (
	going = 1 << iota
	terminal
)

// mostNames is how many actions may have names.
const mostNames = 1 << 10

// gymSize is a variable and its number of values, as [name, size].
type gymSize struct {
	name string
	size int
}

// DecodeStrict implements [strict.Decoder].
func (g *gymSize) DecodeStrict(r *strict.Reader) error {
	n := 0
	err := r.List("[name, size]", func(k int) error {
		switch n = k + 1; k {
		case 0:
			return r.Value(&g.name)
		case 1:
			return r.Value(&g.size)
		}
		return strict.Invalid(r.Around(), "a variable is [name, size]")
	})
	if err == nil && n != 2 && r.Null() == nil {
		return strict.Invalid(r.Place(), "a variable is [name, size]")
	}
	return err
}

// gymStep is one outcome of an action.
type gymStep struct {
	p, reward  float64
	next       int
	terminated bool
}

// DecodeStrict implements [strict.Decoder].
func (s *gymStep) DecodeStrict(r *strict.Reader) error {
	n := 0
	err := r.List("[p, next, reward, terminated]", func(k int) error {
		switch n = k + 1; k {
		case 0:
			return r.Value(&s.p)
		case 1:
			return r.Value(&s.next)
		case 2:
			return r.Value(&s.reward)
		case 3:
			return r.Value(&s.terminated)
		}
		return strict.Invalid(r.Around(), "an outcome is [p, next, reward, terminated]")
	})
	if err == nil && n != 4 && r.Null() == nil {
		return strict.Invalid(r.Place(), "an outcome is [p, next, reward, terminated]")
	}
	return err
}

// gymTable holds the outcomes of every action in every state, in the order of the text.
type gymTable []gymRow

type gymRow struct {
	state, action int
	steps         []gymStep
}

// DecodeStrict implements [strict.Decoder].
func (t *gymTable) DecodeStrict(r *strict.Reader) error {
	number := func(what string) (int, error) {
		n, err := strconv.Atoi(r.Name())
		if err != nil || n < 0 || n >= fmdp.MaxPoints || strconv.Itoa(n) != r.Name() {
			return 0, strict.Invalid(r.Place(), "%q is not the number of %s", param.Clip(r.Name()), what)
		}
		return n, nil
	}
	return r.Members(func() error {
		state, err := number("a state")
		if err != nil {
			return err
		}
		return r.Members(func() error {
			action, err := number("an action")
			if err != nil {
				return err
			}
			row := gymRow{state: state, action: action}
			err = r.List("an array of outcomes", func(int) error {
				var s gymStep
				if err := r.Spend(64); err != nil {
					return err
				}
				err := r.Value(&s)
				row.steps = append(row.steps, s)
				return err
			})
			*t = append(*t, row)
			return err
		})
	})
}

// model returns the table as a model.
func (d *gymReader) model(o Options) (*fmdp.Model, []string, error) {
	for _, v := range d.Radix {
		d.space.State = append(d.space.State, fmdp.Variable{Name: v.name, Size: v.size})
	}
	d.space.Action = []fmdp.Variable{{Name: actionName, Size: len(d.Actions), Values: d.Actions}}
	if err := d.space.Validate(); err != nil {
		return nil, nil, strict.Invalid("/radix", "%v", err)
	}
	for k, name := range d.Actions {
		if slices.Contains(d.Actions[:k], name) {
			return nil, nil, strict.Invalid(fmt.Sprintf("/actions/%d", k), "a second action is named %q", param.Clip(name))
		}
		if k == mostNames {
			return nil, nil, strict.Invalid("/actions", "there are more than %d actions", mostNames)
		}
	}
	if err := d.space.CheckPoints(); err != nil {
		return nil, nil, strict.Invalid("/radix", "%v", err)
	}
	h, err := o.horizon(d.Horizon)
	if err != nil {
		return nil, nil, err
	}
	m := &fmdp.Model{Space: d.space, Horizon: h, Initial: d.Initial}
	if len(d.Initial) != d.space.States() {
		return nil, nil, strict.Invalid("/initial", "%d probabilities for %d states", len(d.Initial), d.space.States())
	}
	if err := (&fmdp.Scaling{}).Initial(m.Initial); err != nil {
		return nil, nil, strict.Invalid("/initial", "%v", err)
	}
	if err := d.check(); err != nil {
		return nil, nil, err
	}
	if err := d.reach(m.Initial); err != nil {
		return nil, nil, err
	}
	if err := d.product(); err != nil {
		return nil, nil, err
	}
	entries := 0
	for j := range d.Radix {
		f, err := d.law(j)
		if err != nil {
			return nil, nil, err
		}
		if entries += len(f.P); entries > fmdp.MaxTable {
			return nil, nil, strict.Invalid("/P", "the transition tables have more than %d entries", fmdp.MaxTable)
		}
		m.Transition = append(m.Transition, f)
	}
	if m.Reward, err = d.rewards(); err != nil {
		return nil, nil, err
	}
	m.Ends = d.ends()
	var notes []string
	if d.odd {
		notes = []string{"from states that no episode reaches, the file goes on through terminal states; the model ends there"}
	}
	return m, notes, nil
}

// at returns the place of a state and an action in the document, and words for them.
func (d *gymReader) at(x int) (place, words string) {
	point := d.space.Point(make([]int, d.space.X()), x)
	n := d.space.Actions()
	parts := make([]string, d.space.Y())
	for j := range parts {
		parts[j] = fmt.Sprintf("%s=%d", param.Clip(d.space.State[j].Name), point[j])
	}
	return fmt.Sprintf("/P/%d/%d", x/n, x%n), "the state " + strings.Join(parts, ", ") + " with the action " + param.Clip(d.Actions[x%n])
}

// check puts the outcomes in order: one for each next state. Their probabilities sum to 1.
func (d *gymReader) check() error {
	states, actions := d.space.States(), d.space.Actions()
	d.steps = make([][]gymStep, states*actions)
	for _, row := range d.P {
		place := fmt.Sprintf("/P/%d", row.state)
		switch {
		case row.state >= states:
			return strict.Invalid(place, "the radix has %d states", states)
		case row.action >= actions:
			return strict.Invalid(fmt.Sprintf("%s/%d", place, row.action), "there are names of %d actions", actions)
		}
		x := row.state*actions + row.action
		place, words := d.at(x)
		sum, steps := 0.0, []gymStep{}
		index := map[int]int{}
		for k, s := range row.steps {
			at := fmt.Sprintf("%s/%d", place, k)
			switch first, has := index[s.next]; {
			case !(s.p >= 0):
				return strict.Invalid(at, "a probability is at least 0, not %v", s.p)
			case s.next < 0 || s.next >= states:
				return strict.Invalid(at, "there is no state %d; the radix has %d", s.next, states)
			case s.p == 0:
			case !has:
				index[s.next] = len(steps)
				steps = append(steps, s)
			case steps[first].reward != s.reward:
				return strict.Invalid(at, "%s pays different rewards on the way to the state %d", words, s.next)
			case steps[first].terminated != s.terminated:
				return strict.Invalid(at, "%s enters the state %d both as a terminal one and not", words, s.next)
			default:
				steps[first].p += s.p
			}
			sum += s.p
		}
		if math.Abs(sum-1) > fmdp.SumTolerance {
			return strict.Invalid(place, "the probabilities of %s sum to %v; they must sum to 1", words, sum)
		}
		for k := range steps {
			if sum != 1 {
				steps[k].p /= sum
			}
		}
		d.steps[x] = steps
	}
	if x := slices.IndexFunc(d.steps, func(s []gymStep) bool { return s == nil }); x >= 0 {
		_, words := d.at(x)
		return strict.Invalid("/P", "%s has no outcomes", words)
	}
	return nil
}

// reach finds the states that episodes reach, and which of them are terminal.
func (d *gymReader) reach(initial []float64) error {
	d.entered = make([]uint8, len(initial))
	var queue []int
	for s, p := range initial {
		if p > 0 {
			d.entered[s], queue = going, append(queue, s)
		}
	}
	actions := d.space.Actions()
	for ; len(queue) > 0; queue = queue[1:] {
		for x := queue[0] * actions; x < (queue[0]+1)*actions; x++ {
			for _, s := range d.steps[x] {
				how := uint8(going)
				if s.terminated {
					how = terminal
				}
				before := d.entered[s.next]
				if before != 0 && before != how {
					place, words := d.at(x)
					return strict.Invalid(place, "%s enters the state %d, which is terminal here and not elsewhere; a state of a model is either", words, s.next)
				}
				if d.entered[s.next] = how; before == 0 && how == going {
					queue = append(queue, s.next)
				}
			}
		}
	}
	// A state that no episode reaches may be terminal, too.
	sure := slices.Clone(d.entered)
	for x, steps := range d.steps {
		for _, s := range steps {
			if d.entered[x/actions] != 0 || !s.terminated {
				continue
			}
			d.odd = d.odd || sure[s.next] == going
			if sure[s.next] == 0 {
				d.entered[s.next] = terminal
			}
		}
	}
	for x, steps := range d.steps {
		for _, s := range steps {
			d.odd = d.odd || sure[x/actions] == 0 && d.entered[x/actions] != terminal && !s.terminated && d.entered[s.next] == terminal
		}
	}
	return nil
}

// matters reports whether an action is taken in the state: it is not if an episode ends there.
func (d *gymReader) matters(x int) bool { return d.entered[x/d.space.Actions()] != terminal }

// product checks that next values are independent of each other in every state with every
// action.
func (d *gymReader) product() error {
	point := make([]int, d.space.Y())
	for x, steps := range d.steps {
		if !d.matters(x) {
			continue
		}
		laws := make([]map[int]float64, len(point))
		for j := range laws {
			laws[j] = map[int]float64{}
		}
		for _, s := range steps {
			for j, v := range d.space.Point(point, s.next) {
				laws[j][v] += s.p
			}
		}
		all := 1
		for _, law := range laws {
			all *= len(law)
			if all > len(steps) {
				break
			}
		}
		same := all == len(steps)
		for _, s := range steps {
			p := 1.0
			for j, v := range d.space.Point(point, s.next) {
				p *= laws[j][v]
			}
			same = same && math.Abs(p-s.p) <= within
		}
		if !same {
			place, words := d.at(x)
			return strict.Invalid(place, "after %s, the next values are not independent of each other; one variable in place of several can hold them", words)
		}
	}
	return nil
}

// within is how far equal probabilities may be from each other: they are sums in any order.
const within = 1e-12

// sized returns an error if a table over states and actions with rows of that size is too large.
func (d *gymReader) sized(size int, what string) error {
	if size > fmdp.MaxTable/d.space.Points() {
		return strict.Invalid("/P", "%s takes a table of more than %d entries", what, fmdp.MaxTable)
	}
	return nil
}

// law returns the law of a next value over its parents.
func (d *gymReader) law(j int) (fmdp.Factor, error) {
	f := fmdp.Factor{Size: d.Radix[j].size}
	if err := d.sized(f.Size, "the law of "+strconv.Quote(param.Clip(d.Radix[j].name))); err != nil {
		return f, err
	}
	p, cares := make([]float64, d.space.Points()*f.Size), make([]bool, d.space.Points())
	point := make([]int, d.space.Y())
	for x, steps := range d.steps {
		cares[x] = d.matters(x)
		for _, s := range steps {
			p[x*f.Size+d.space.Point(point, s.next)[j]] += s.p
		}
	}
	t := reduction{given: d.every(d.space.X()), size: d.sizeOf, width: f.Size, table: p, cares: cares, within: within}
	t.reduce()
	f.Given, f.P = t.given, t.table
	return f, nil
}

// every returns the numbers below n.
func (d *gymReader) every(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func (d *gymReader) sizeOf(i int) int { return d.space.Var(i).Size }

// rewards returns the payoff: over the state and the action, or on arrival if the next state
// matters.
func (d *gymReader) rewards() ([]fmdp.Reward, error) {
	arrives := false
	for x, steps := range d.steps {
		for _, s := range steps {
			arrives = arrives || d.matters(x) && s.reward != steps[0].reward
		}
	}
	n, next := d.space.X(), 1
	if arrives {
		n, next = n+d.space.Y(), d.space.States()
	}
	if err := d.sized(next, "a payoff on arrival"); err != nil {
		return nil, err
	}
	pay, cares := make([]float64, d.space.Points()*next), make([]bool, d.space.Points()*next)
	for x, steps := range d.steps {
		for _, s := range steps {
			row := x
			if arrives {
				row = x*next + s.next
			}
			if cares[row] = d.matters(x); cares[row] {
				pay[row] = s.reward
			}
		}
	}
	t := reduction{given: d.every(n), size: d.sizeOf, width: 1, table: pay, cares: cares}
	t.reduce()
	if !slices.ContainsFunc(t.table, func(v float64) bool { return v != 0 }) {
		return nil, nil
	}
	return []fmdp.Reward{{Given: t.given, Mean: t.table, Scale: 1, Of: -1}}, nil
}

// ends returns the terminal states.
func (d *gymReader) ends() []fmdp.Ending {
	is := make([]float64, len(d.entered))
	for s, how := range d.entered {
		if how == terminal {
			is[s] = 1
		}
	}
	t := reduction{given: d.every(d.space.Y()), size: d.sizeOf, width: 1, table: is}
	t.reduce()
	end := fmdp.Ending{Name: "terminated", Given: t.given}
	for row, v := range t.table {
		if v == 0 {
			continue
		}
		values := make([]int, len(t.given))
		for k := len(values) - 1; k >= 0; k-- {
			values[k], row = row%d.sizeOf(t.given[k]), row/d.sizeOf(t.given[k])
		}
		end.Is = append(end.Is, values)
	}
	if end.Is == nil {
		return nil
	}
	return []fmdp.Ending{end}
}

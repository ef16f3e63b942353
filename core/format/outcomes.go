package format

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// Outcomes are what a table of transitions says besides them: what was paid, and where episodes begin and end.
type Outcomes struct {
	Paid    []float64 // in each transition; NaN where the cell is missing. Nil if no column says it
	Over    []bool    // whether the episode ended with each transition. Nil if no column such as done says it
	Last    []LastStep
	Starts  [][]int // the states in which episodes begin, one for each episode of which that is told
	Longest int     // the most steps of an episode

	first   []bool // whether each transition leaves the first state of an episode
	follows []bool // whether it leaves the state that the one before has led to
	alone   []int  // the last steps that are the first of their episodes, by number
}

// LastStep is a step after which the next state is not in the table: the last one of an episode, or one before a gap.
type LastStep struct {
	X    []int
	Paid float64 // as in Outcomes; NaN, too, if no column says it
	Over bool    // a column such as done says that the episode ended with it
	Goes bool    // the episode goes on: there is a later row of it

	after int // the transition that has led to its state, or −1
}

// Returns returns what the first n steps of each episode paid, or fewer if it ended before: of the episodes of which the table has
// the beginning, all these steps and what each of them paid. Episodes of one row come first.
func (o *Outcomes) Returns(n int) (list []float64) {
	for _, k := range o.alone {
		if step := &o.Last[k]; (step.Over || n == 1) && !math.IsNaN(step.Paid) {
			list = append(list, step.Paid)
		}
	}
	if o.Paid == nil {
		return list
	}
	last := map[int]*LastStep{}
	for k := range o.Last {
		last[o.Last[k].after] = &o.Last[k]
	}
	for begin, first := range o.first {
		if !first {
			continue
		}
		sum, whole := 0.0, false
		for k := begin; ; k++ {
			sum += o.Paid[k]
			steps := k - begin + 1
			if whole = steps == n || o.Over != nil && o.Over[k]; whole {
				break
			}
			if k+1 < len(o.follows) && o.follows[k+1] {
				continue
			}
			if step := last[k]; step != nil {
				sum += step.Paid
				whole = step.Over || steps+1 == n
			}
			break
		}
		if whole && !math.IsNaN(sum) {
			list = append(list, sum)
		}
	}
	return list
}

// outcomeReader reads the outcomes row by row.
type outcomeReader struct {
	*Outcomes
	of    *logReader
	paid  []int // the columns of what is paid in a step; what there is of them is added up
	ends  []int // the columns that say that an episode is over, and was not just cut off
	now   int   // the row of the step whose next state comes next
	steps int   // of the present episode, up to it
	start bool  // it is the first of its episode
	led   int   // the row to which the last transition has led, or −1
	again []int // the state in which the present episode goes on if each row is a transition
}

// outcomes begins to read the outcomes of the log.
func (r *logReader) outcomes() *outcomeReader {
	o := &outcomeReader{Outcomes: &r.log.Outcomes, of: r, led: -1}
	for _, k := range r.all(AsReward) {
		if c := &r.columns[k]; c.told || !sumsUp(c.Name) {
			o.paid = append(o.paid, k)
		}
	}
	for _, k := range r.all(AsEnd) {
		if c := &r.columns[k]; !cutsOff(c.Name) {
			o.ends = append(o.ends, k)
		}
	}
	return o
}

// sumsUp reports whether a column of rewards has what was paid up to a row, by its name.
func sumsUp(name string) bool {
	n := plainName(name)
	return strings.HasPrefix(n, "return") || strings.HasPrefix(n, "cumulative") || strings.HasPrefix(n, "total")
}

// cutsOff reports whether a column that ends episodes ends them for no reason of the problem's, by its name.
func cutsOff(name string) bool {
	n := plainName(name)
	return strings.HasPrefix(n, "truncat") || strings.HasPrefix(n, "timeout")
}

// payment returns what a row says was paid in its step.
func (o *outcomeReader) payment(n int) float64 {
	if len(o.paid) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, k := range o.paid {
		c, id := &o.of.columns[k], o.of.rows[n][k]
		if c.missing[id] || !c.is[id] || math.IsInf(c.number[id], 0) {
			return math.NaN()
		}
		sum += c.number[id]
	}
	return sum
}

// over reports whether a row says that the episode is over.
func (o *outcomeReader) over(n int) bool {
	return slices.ContainsFunc(o.ends, func(k int) bool {
		c := &o.of.columns[k]
		return truthOf(c.words[o.of.rows[n][k]]) == 1
	})
}

// keep keeps the outcome of the transition that was read last.
func (o *outcomeReader) keep(paid float64, over bool) {
	if len(o.paid) > 0 {
		o.Paid = append(o.Paid, paid)
	}
	if len(o.ends) > 0 {
		o.Over = append(o.Over, over)
	}
}

// row keeps the outcome of a row that is a transition from a state to another.
func (o *outcomeReader) row(n int, from, to []int) {
	over := o.over(n)
	first := !slices.Equal(o.again, from) || n > 0 && o.of.episode[n] != o.of.episode[n-1]
	if first {
		o.Starts, o.steps = append(o.Starts, from), 0
	}
	o.first, o.follows = append(o.first, first), append(o.follows, !first)
	o.keep(o.payment(n), over)
	o.steps++
	o.Longest = max(o.Longest, o.steps)
	if o.again = to; over {
		o.again = nil
	}
}

// begin says that a row is of the episode of the row before, and that it counts as a step.
func (o *outcomeReader) begin(n int, same, counts bool) {
	if o.now, o.start = n, !same; !same {
		o.steps = 0
	}
	if counts {
		o.steps++
		o.Longest = max(o.Longest, o.steps)
	}
}

// step keeps the outcome of the step before row n, which has its next state. If nobody acts in row n, it may say that the episode
// is over.
func (o *outcomeReader) step(n int, acts bool) {
	o.first, o.follows = append(o.first, o.start), append(o.follows, o.led == o.now)
	o.led = n
	o.keep(o.payment(o.now), !acts && (o.over(o.now) || o.over(n)))
}

// last keeps a step whose next state is not in the table. Without actions there is no such step: a row is a state.
func (o *outcomeReader) last(state, action []int, goes bool) {
	if state != nil && len(action) > 0 {
		after := -1
		if o.led == o.now {
			after = len(o.first) - 1
		}
		if o.start {
			o.alone = append(o.alone, len(o.Last))
		}
		o.Last = append(o.Last, LastStep{slices.Concat(state, action), o.payment(o.now), o.over(o.now), goes, after})
	}
}

// remember makes the values of the steps before state variables, which follow the others: first those of one step before. What has
// too few steps before it is left out.
func (l *Log) remember(lag int) error {
	from := l.Space
	dY := from.Y()
	space := &fmdp.Space{State: slices.Clone(from.State), Action: from.Action}
	for k := 1; k < lag; k++ {
		for _, v := range from.State {
			v.Name = fmt.Sprintf("%s %d before", v.Name, k)
			space.State = append(space.State, v)
		}
	}
	if err := space.Validate(); err != nil {
		return wholly("with the values of %s before: %v", param.Count(lag-1, "step"), err)
	}
	// past returns so many states before the one that transition k leaves, the last first; false if they are not known.
	past := func(k, steps int) (values []int, known bool) {
		for range steps {
			if k < 0 || !l.follows[k] {
				return nil, false
			}
			k--
			values = append(values, l.Transitions[k].X[:dY]...)
		}
		return values, true
	}
	join := func(parts ...[]int) []int { return slices.Concat(parts...) }
	kept := Outcomes{Longest: max(l.Longest-lag+1, 1)}
	var transitions []document.Transition
	at := make([]int, len(l.Transitions)) // where each one is kept, or −1
	for k, t := range l.Transitions {
		at[k] = -1
		before, known := past(k, lag-1)
		if !known {
			continue
		}
		at[k] = len(transitions)
		x := join(t.X[:dY], before, t.X[dY:])
		transitions = append(transitions, document.Transition{X: x, Y: join(t.Y, x[:dY*(lag-1)])})
		if l.Paid != nil {
			kept.Paid = append(kept.Paid, l.Paid[k])
		}
		if l.Over != nil {
			kept.Over = append(kept.Over, l.Over[k])
		}
		if l.first[k-lag+1] {
			kept.Starts = append(kept.Starts, x[:space.Y()])
		}
		kept.first, kept.follows = append(kept.first, l.first[k-lag+1]), append(kept.follows, k > 0 && at[k-1] >= 0 && l.follows[k])
	}
	for _, s := range l.Last {
		if s.after < 0 {
			continue
		}
		if before, known := past(s.after, lag-2); known {
			x := join(s.X[:dY], l.Transitions[s.after].X[:dY], before, s.X[dY:])
			kept.Last = append(kept.Last, LastStep{x, s.Paid, s.Over, s.Goes, at[s.after]})
		}
	}
	if len(transitions) == 0 {
		return wholly("there is no transition with %s before it", param.Count(lag-1, "step"))
	}
	l.Space, l.Transitions, l.Outcomes = space, transitions, kept
	return nil
}

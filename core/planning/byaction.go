package planning

import (
	"slices"

	"cpsrl/core/fmdp"
)

// MaxActionsCost is the largest number of multiplications allowed in one backup by elimination action by action, of which
// each action takes at most MaxCost.
const MaxActionsCost = 1 << 29

// byAction is an [Operator] that eliminates for each joint action by itself. Its tables are smaller than those of a
// [Factored] over all actions, and parents that do not matter given the action are left out.
type byAction struct{ given []*Factored }

// actionLaw is the law of the next state given a joint action, over a space of one action.
type actionLaw struct {
	transition []fmdp.Factor
	order      []int // of elimination
	cost       float64
}

// actionLaws returns the laws by joint action, up to the first that costs more than MaxCost, and their cost together.
func actionLaws(space *fmdp.Space, transition []fmdp.Factor) (one *fmdp.Space, laws []actionLaw, cost float64) {
	one = &fmdp.Space{State: space.State, Action: []fmdp.Variable{{Size: 1}}}
	for a := range space.Actions() {
		law := actionLaw{transition: make([]fmdp.Factor, len(transition))}
		point := make([]int, space.X())
		space.JointAction(point[space.Y():], a)
		for j := range transition {
			law.transition[j] = restricted(space, &transition[j], point)
		}
		law.order, law.cost = eliminationOrder(one, law.transition)
		laws, cost = append(laws, law), cost+law.cost
		if law.cost > MaxCost || cost > MaxActionsCost {
			break
		}
	}
	return one, laws, cost
}

// restricted returns a law given the action of a point, without the parents that then do not matter. It overwrites the
// state of the point.
func restricted(space *fmdp.Space, f *fmdp.Factor, point []int) fmdp.Factor {
	r := fmdp.Factor{Size: f.Size}
	for _, i := range f.Given {
		if i < space.Y() {
			r.Given = append(r.Given, i)
		}
	}
	for _, values := range fmdp.Tuples(space.Sizes(r.Given)) {
		for k, i := range r.Given {
			point[i] = values[k]
		}
		r.P = append(r.P, f.Row(space.Row(f.Given, point))...)
	}
	for k, stride := len(r.Given)-1, f.Size; k >= 0; k-- {
		size := space.State[r.Given[k]].Size
		var without []float64
		matters := false
		for block := range slices.Chunk(r.P, stride*size) {
			for part := range slices.Chunk(block, stride) {
				matters = matters || !slices.Equal(part, block[:stride])
			}
			without = append(without, block[:stride]...)
		}
		if matters {
			stride *= size
		} else {
			r.Given, r.P = slices.Delete(r.Given, k, k+1), without
		}
	}
	return r
}

// newByAction returns the operator. If it costs too much, the error is a *[TooCostlyError].
func newByAction(space *fmdp.Space, transition []fmdp.Factor) (Operator, error) {
	one, laws, cost := actionLaws(space, transition)
	if last := laws[len(laws)-1].cost; last > MaxCost {
		return nil, &TooCostlyError{last, MaxCost}
	} else if cost > MaxActionsCost {
		return nil, &TooCostlyError{cost, MaxActionsCost}
	}
	b := &byAction{}
	var first []float64
	var tables [2][]float64
	for _, law := range laws {
		f := newFactored(one, law.transition, law.order)
		first = longer(first, f.first)
		for k := range tables {
			tables[k] = longer(tables[k], f.tables[k])
		}
		b.given = append(b.given, f)
		f.first, f.tables = nil, [2][]float64{}
	}
	for _, f := range b.given { // one after another uses the tables
		f.first, f.tables = first[:len(f.order)], tables
	}
	return b, nil
}

func longer(a, b []float64) []float64 {
	if len(a) < len(b) {
		return b
	}
	return a
}

// Apply implements [Operator]. Its cost does not depend on the number of points of an action, unless there is none.
func (b *byAction) Apply(dst, v []float64, points []int32) {
	for a, f := range b.given {
		var expected []float64
		for i, x := range points {
			if int(x)%len(b.given) != a {
				continue
			}
			if expected == nil {
				expected = f.average(v)
			}
			dst[i] = expected[f.last[int(x)/len(b.given)]]
		}
	}
}

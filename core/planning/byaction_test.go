package planning

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"cpsrl/core/fmdp"
)

// Oracle: the dense law, at all points and at some of them in any order, with factors for which a parent does not matter
// given the action.
func TestByAction(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 17))
	for round := range 60 {
		s := spaceOf([]int{2, 3, 2, 2}[:1+rng.IntN(4)], []int{2, 3}[:1+rng.IntN(2)])
		if round%3 == 0 {
			var err error
			if s.Legal, err = fmdp.NewAtMost(s.Action, 1, make([]int, len(s.Action))); err != nil {
				t.Fatal(err)
			}
		}
		law := randomLaw(rng, s, 1+rng.IntN(s.X()))
		for j := range law { // where an action variable is 0, the law is that of row 0
			f := &law[j]
			for row, values := range fmdp.Tuples(s.Sizes(f.Given)) {
				for k, i := range f.Given {
					if i >= s.Y() && values[k] == 0 {
						copy(f.Row(row), f.Row(0))
					}
				}
			}
		}
		op, err := newByAction(s, law)
		if err != nil {
			t.Fatal(err)
		}
		joint := make([]float64, s.Joint())
		fmdp.Joint(joint, s, law)
		v, points := randomVector(rng, s.States()), allPoints(s.Points())
		for range 2 {
			got, want := make([]float64, len(points)), make([]float64, len(points))
			op.Apply(got, v, points)
			NewDense(joint).Apply(want, v, points)
			checkEqual(t, "by action", got, want)
			rng.Shuffle(len(points), func(i, k int) { points[i], points[k] = points[k], points[i] })
			points = points[:1+len(points)/2]
		}
	}
}

// Choose eliminates action by action where all actions at once cost too much, and says by how much that is too much, too.
func TestByActionCost(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 19))
	sizes := make([]int, 16)
	for j := range sizes {
		sizes[j] = 2
	}
	s := spaceOf(sizes, []int{17})
	law := make([]fmdp.Factor, 16)
	chain := func(parents int) {
		for j := range law {
			f := fmdp.Factor{Given: []int{16}, Size: 2}
			for k := range parents {
				f.Given = append(f.Given, (j+k)%16)
			}
			for range s.Rows(f.Given) {
				p := rng.Float64()
				f.P = append(f.P, p, 1-p)
			}
			law[j] = f
		}
	}
	chain(1)
	op, err := Choose(s, law, nil)
	if _, is := op.(*Factored); err != nil || !is {
		t.Fatalf("one parent: %T, %v", op, err)
	}
	chain(3)
	_, all := eliminationOrder(s, law)
	op, err = Choose(s, law, nil)
	if _, is := op.(*byAction); err != nil || !is || all <= MaxCost || Cost(s, law) > MaxActionsCost {
		t.Fatalf("three parents: %T, %v; %v multiplications at once, %v by action", op, err, all, Cost(s, law))
	}
	// Expectations of a value that is known: that of a variable is its probability.
	v, points := make([]float64, s.States()), []int32{0, 5*17 + 7, int32(s.Points() - 1)}
	for state := range v {
		v[state] = float64(state & 1)
	}
	dst, point := make([]float64, len(points)), make([]int, s.X())
	op.Apply(dst, v, points)
	for k, x := range points {
		want := law[15].Row(s.Row(law[15].Given, s.Point(point, int(x))))[1]
		if math.Abs(dst[k]-want) > 1e-12 {
			t.Errorf("E[Y_15 | %v] = %v, want %v", point, dst[k], want)
		}
	}
	for parents, limit := range map[int]float64{6: MaxActionsCost, 14: MaxCost} {
		s = spaceOf(sizes, []int{40})
		chain(parents)
		var costly *TooCostlyError
		if _, err = Choose(s, law, nil); !errors.As(err, &costly) || costly.Limit != limit || costly.Cost <= limit {
			t.Errorf("%d parents: %v", parents, err)
		}
	}
}

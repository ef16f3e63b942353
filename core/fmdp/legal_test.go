package fmdp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
)

// "At most n not default" and lists have what they allow, of 60 bits, too. Oracle: the list, which is written out, and a space
// whose action is one variable.
func TestFewOfMany(t *testing.T) {
	bits := make([]Variable, 60)
	for k := range bits {
		bits[k] = Variable{Name: fmt.Sprint("b", k), Size: 2}
	}
	want := [][]int{make([]int, 60)}
	for k := 59; k >= 0; k-- {
		one := make([]int, 60)
		one[k] = 1
		want = append(want, one)
	}
	most, err := NewAtMost(bits, 1, make([]int, 60))
	if err != nil {
		t.Fatal(err)
	}
	mixed := slices.Clone(want)
	slices.Reverse(mixed[7:])
	list, err := NewLegal(bits, mixed)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*Legal{most, list} {
		if !slices.EqualFunc(l.List(), want, slices.Equal) || l.Len() != 61 || l.All() || l.ByState() {
			t.Errorf("the list is %v", l.List())
		}
		s := &Space{State: []Variable{{Name: "s", Size: 3}}, Action: bits, Legal: l}
		point := make([]int, 61)
		for x := range s.Points() {
			if s.Point(point, x); s.Index(point) != x || !s.Allows(point) || !slices.Equal(point[1:], want[x%61]) {
				t.Fatalf("point %d is %v", x, point)
			}
		}
		point[1], point[2] = 1, 1
		if s.Allows(point) {
			t.Error("two bits are on")
		}
		if n := s.Assignments(bigraph.First(61)).Len(); n != 3*61 {
			t.Errorf("%d assignments of all variables", n)
		}
		if of := s.Assignments(bigraph.Of(0, 5)).Of(); len(of) != 3*61 || slices.Max(of) != 5 {
			t.Errorf("the assignments of a state and a bit are %v", of)
		}
	}
	wide := slices.Clone(bits)
	wide[3].Size = 1 << 19
	for _, c := range []struct {
		of   []Variable
		most int
		says string
	}{
		{bits, 60, "1152921504606846976 joint actions of 60 variables are legal"},
		{bits, 9, "joint actions of 60 variables are legal, more than"},
		{wide, 1, "524347 joint actions of 60 variables are legal, more than"},
		{append(slices.Clone(bits), Variable{Name: "huge", Size: 1 << 21}), 0, "joint actions, legal or not"},
	} {
		if _, err := NewAtMost(c.of, c.most, make([]int, len(c.of))); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("at most %d: %v, want %q", c.most, err, c.says)
		}
	}
	for says, list := range map[string][][]int{"listed twice": {want[3], want[4], want[3]}, "no legal action": {}, "has no value 2": {slices.Repeat([]int{2}, 60)}} {
		if _, err := NewLegal(bits, list); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// What is legal in a state is drawn there, each action as likely, and what is written of it reads as the same.
func TestLegalIn(t *testing.T) {
	s := &Space{State: []Variable{{Name: "fuel", Size: 3}, {Name: "day", Size: 2}}, Action: []Variable{{Name: "move", Size: 2}, {Name: "far", Size: 3}}}
	// far ≤ fuel, whatever the move
	holds := []bool{true, false, false, true, true, false, true, true, true}
	var err error
	if s.Legal, err = LegalIn(s, []int{0, 3}, holds, ""); err != nil {
		t.Fatal(err)
	}
	least, most := s.Legal.Bounds()
	if !s.Legal.All() || !s.Legal.ByState() || least != 2 || most != 6 || s.Actions() != 6 {
		t.Errorf("all %v, from %d to %d of %d", s.Legal.All(), least, most, s.Actions())
	}
	if got := s.Choices([]int{1, 1}); !slices.Equal(got, []int32{0, 1, 3, 4}) {
		t.Errorf("with fuel = 1, %v are legal", got)
	}
	again := &Space{State: s.State, Action: s.Action}
	if again.Legal, err = again.Legal.Where(again, s.Legal.Given(), s.Legal.Lists()); err != nil || !slices.Equal(again.LegalPoints(), s.LegalPoints()) {
		t.Errorf("written and read again: %v", err)
	}
	rng, counts := rand.New(rand.NewPCG(1, 1)), make([]int, 6)
	for range 4000 {
		counts[s.DrawAction(rng, []int{1, 0})]++
	}
	for a, n := range counts {
		if legal := a%3 < 2; legal != (n > 850 && n < 1150) || !legal && n > 0 {
			t.Errorf("action %d was drawn %d times of 4000", a, n)
		}
	}
	holds[0] = false
	if _, err := LegalIn(s, []int{0, 3}, holds, ""); err == nil || err.Error() != "no action is legal where fuel = 0; at least one is needed in each state" {
		t.Error(err)
	}
}

package bigraph

import (
	"reflect"
	"testing"
)

// Two variables, two payoffs behind them, an action: X is v0, v1, p0, p1, a. Oracle: by hand.
func TestSplit(t *testing.T) {
	p := &Prior{
		X: 5, Known: Bigraph{Of(4), Of(), Of(1, 4), Of()}, Forbidden: Bigraph{Of(), Of(0), Of(), Of(0, 1, 2, 3, 4)},
		Likely: []Edge{{X: 4, Y: 1, P: .9}, {X: 0, Y: 2, P: .2}},
	}
	want := &Prior{
		X: 3, Known: Bigraph{Of(2), Of()}, Forbidden: Bigraph{Of(), Of(0)}, Likely: []Edge{{X: 2, Y: 1, P: .9}},
		Payoffs: &Prior{X: 3, Known: Bigraph{Of(1, 2), Of()}, Forbidden: Bigraph{Of(), Of(0, 1, 2)}, Likely: []Edge{{X: 0, Y: 0, P: .2}}},
	}
	if got, from := p.Split(2, 2); from != -1 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d, %+v and %+v", from, got, got.Payoffs)
	}
	for _, list := range []*Prior{
		{X: 5, Known: Bigraph{Of(), Of(), Of(3), Of()}},
		{X: 5, Known: make(Bigraph, 4), Likely: []Edge{{X: 3, Y: 0, P: .5}}},
	} {
		if _, from := list.Split(2, 2); from != 1 {
			t.Errorf("an edge from payoff 1 is one from %d", from)
		}
	}
	silent := &Prior{X: 3, Known: Bigraph{Of(2), Of()}}
	if got, from := silent.Split(2, 2); from != -1 || got.X != 3 || got.Known[0] != Of(2) || got.Payoffs.X != 3 || len(got.Payoffs.Known) != 2 {
		t.Errorf("%+v", got)
	}
}

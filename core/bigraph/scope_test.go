package bigraph

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive is a set of variables as a map: the oracle of Scope's algebra.
type naive map[int]bool

// scope returns the set as a Scope, made in no particular order.
func (n naive) scope() (z Scope) {
	for i := range n {
		z = z.With(i)
	}
	return z
}

// where returns the variables for which a condition holds.
func where(holds func(i int) bool) naive {
	set := naive{}
	for i := range MaxX {
		if holds(i) {
			set[i] = true
		}
	}
	return set
}

// checkScope compares two Scopes and what is made of them with maps.
func checkScope(t *testing.T, set, other naive, i int) {
	t.Helper()
	z, y := set.scope(), other.scope()
	want := slices.Sorted(maps.Keys(set))
	if got := z.Parents(); !slices.Equal(got, want) || got == nil {
		t.Errorf("Parents %v, want %v (never nil)", got, want)
	}
	if got := slices.Collect(z.All()); !slices.Equal(got, want) {
		t.Errorf("All %v, want %v", got, want)
	}
	if z.Len() != len(set) || z.Empty() != (len(set) == 0) || Of(want...) != z {
		t.Errorf("%v: Len %d, Empty %v, Of %v", want, z.Len(), z.Empty(), Of(want...).Parents())
	}
	if z.Has(i) != set[i] || z.Has(MaxX) || z.Has(-1) {
		t.Errorf("%v: Has(%d) = %v", want, i, z.Has(i))
	}
	for name, c := range map[string]struct {
		got  Scope
		want naive
	}{
		"With":    {z.With(i), where(func(k int) bool { return set[k] || k == i })},
		"Union":   {z.Union(y), where(func(k int) bool { return set[k] || other[k] })},
		"Both":    {z.Both(y), where(func(k int) bool { return set[k] && other[k] })},
		"Without": {z.Without(y), where(func(k int) bool { return set[k] && !other[k] })},
	} {
		if want := slices.Sorted(maps.Keys(c.want)); !slices.Equal(c.got.Parents(), want) || c.got != c.want.scope() {
			t.Errorf("%s of %v and %v, %d: %v, want %v", name, set, other, i, c.got.Parents(), want)
		}
	}
	if (z == y) != maps.Equal(set, other) {
		t.Errorf("%v == %v: %v", set, other, z == y)
	}
	if got := z.Contains(y); got != (len(where(func(k int) bool { return other[k] && !set[k] })) == 0) {
		t.Errorf("%v contains %v: %v", set, other, got)
	}
}

// Oracle: sets as maps.
func TestScope(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	all := where(func(int) bool { return true })
	checkScope(t, naive{}, naive{}, 0)
	checkScope(t, all, naive{MaxX - 1: true}, MaxX-1)
	checkScope(t, naive{63: true, 64: true}, naive{64: true}, 127)
	for n := range 400 {
		x := 1 + rng.IntN(MaxX)    // the sets are of the first x variables,
		few := 1 + rng.IntN(n/8+1) // and hold one in few of them
		random := func() naive { return where(func(i int) bool { return i < x && rng.IntN(few) == 0 }) }
		set, other := random(), random()
		checkScope(t, set, other, rng.IntN(MaxX))
		checkScope(t, set, where(func(i int) bool { return set[i] && rng.IntN(2) == 0 }), rng.IntN(x))
		checkScope(t, set, maps.Clone(set), rng.IntN(x))
	}
}

func FuzzScope(f *testing.F) {
	f.Add([]byte{5, 0, 0, 0, 0, 0, 0, 0, 1}, []byte{4}, uint8(63))
	f.Add([]byte{31: 128}, []byte{31: 192}, uint8(255))
	f.Fuzz(func(t *testing.T, z, y []byte, i uint8) {
		in := func(set []byte) naive {
			return where(func(i int) bool { return i/8 < len(set) && set[i/8]>>(i%8)&1 == 1 })
		}
		checkScope(t, in(z), in(y), int(i)%MaxX)
	})
}

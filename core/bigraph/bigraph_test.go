package bigraph

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFirst(t *testing.T) {
	for n := range MaxX + 1 {
		if got := First(n); got.Len() != n || n > 0 && !got.Has(n-1) || n < MaxX && got.Has(n) {
			t.Errorf("First(%d) = %v", n, got.Parents())
		}
	}
	if First(MaxX+5) != First(MaxX) {
		t.Error("First beyond MaxX is not everything")
	}
}

func TestAllStops(t *testing.T) {
	for i := range Of(3, 9).All() {
		if i != 3 {
			t.Fatal("went on after a break")
		}
		break
	}
}

func TestWithOutOfRange(t *testing.T) {
	for _, i := range []int{-1, MaxX} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("With(%d) did not panic", i)
				}
			}()
			Of().With(i)
		}()
	}
}

func TestBigraph(t *testing.T) {
	g := Bigraph{Of(0, 1), Of(1, 2)}
	if g.Edges() != 4 {
		t.Errorf("Edges %d, want 4", g.Edges())
	}
	for _, c := range []struct {
		other Bigraph
		want  bool
	}{
		{Bigraph{Of(0), Of(2)}, true},
		{Bigraph{Of(), Of()}, true},
		{g, true},
		{Bigraph{Of(0), Of(0)}, false},
		{Bigraph{Of(2), Of()}, false},
	} {
		if got := g.Contains(c.other); got != c.want {
			t.Errorf("%v contains %v: %v", g, c.other, got)
		}
	}
}

// The figures are the paper's, or Σ_i C(n, i) by hand.
func TestCountFigures(t *testing.T) {
	for _, c := range []struct {
		name  string
		prior Prior
		want  int64 // |𝒵_1|
	}{
		{"d_X=9, Z=5, η=2, at most", Prior{X: 9, Known: Bigraph{Of(0, 1)}, Sparseness: 5}, 64},
		{"the same, below", Prior{X: 9, Known: Bigraph{Of(3, 8)}, Sparseness: 5, Bound: Below}, 29},
		{"appendix: η=5 at Z=5 is the full graph", Prior{X: 9, Known: Bigraph{Of(0, 1, 2, 3, 4)}, Sparseness: 5}, 1},
		{"below: |z_0| = Z leaves none", Prior{X: 9, Known: Bigraph{Of(0, 1, 2, 3, 4)}, Sparseness: 5, Bound: Below}, 0},
		{"Z above d_X does not bind", Prior{X: 3, Known: Bigraph{Of()}, Sparseness: 1 << 30}, 8},
		{"Z = 0 admits the empty set only", Prior{X: 3, Known: Bigraph{Of()}}, 1},
		{"Z = 0, below, admits none", Prior{X: 3, Known: Bigraph{Of()}, Bound: Below}, 0},
		{"a negative Z admits none", Prior{X: 3, Known: Bigraph{Of()}, Sparseness: -7}, 0},
		{"d_X = 64, one unknown parent", Prior{X: 64, Known: Bigraph{First(63)}, Sparseness: 64}, 2},
	} {
		if got := c.prior.Count(0); got.Cmp(big.NewInt(c.want)) != 0 {
			t.Errorf("%s: %v, want %d", c.name, got, c.want)
		}
	}
	// Figure 1: d_X = 4, Z = 3, Y_1 ← {1,2}, Y_2 ← {2,4}: 3·3 = 9.
	figure1 := Prior{X: 4, Known: Bigraph{Of(0, 1), Of(1, 3)}, Sparseness: 3}
	if got := figure1.CountAll(); got.Cmp(big.NewInt(9)) != 0 {
		t.Errorf("Figure 1: %v, want 9", got)
	}
	// d_X = 64 without a bound: 2^64, far beyond a word.
	all := Prior{X: 64, Known: make(Bigraph, 2), Sparseness: 64}
	if got, want := all.CountAll(), new(big.Int).Lsh(big.NewInt(1), 128); got.Cmp(want) != 0 {
		t.Errorf("d_X = 64: %v, want 2^128", got)
	}
}

// bitsOf returns the set of the variables whose bits w has.
func bitsOf(w uint64) (z Scope) {
	for i := range 64 {
		if w>>i&1 == 1 {
			z = z.With(i)
		}
	}
	return z
}

// subsets returns all sets of n variables.
func subsets(n int) []Scope {
	sets := make([]Scope, 1<<n)
	for w := range sets {
		sets[w] = bitsOf(uint64(w))
	}
	return sets
}

// consistent is the definition of 𝒵_j by brute force, in the documented order:
// by size, then lexicographically by the added parents.
func consistent(p *Prior, j int) []Scope {
	var sets []Scope
	for _, z := range subsets(p.X) {
		if !z.Contains(p.Known[j]) || z.Len() > p.Sparseness || p.Bound == Below && z.Len() >= p.Sparseness {
			continue
		}
		sets = append(sets, z)
	}
	slices.SortFunc(sets, func(a, b Scope) int {
		if a.Len() != b.Len() {
			return a.Len() - b.Len()
		}
		return slices.Compare(a.Without(p.Known[j]).Parents(), b.Without(p.Known[j]).Parents())
	})
	return sets
}

func checkPrior(t *testing.T, p *Prior) {
	t.Helper()
	sets, err := p.Enumerate(0)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	want := consistent(p, 0)
	if !slices.Equal(sets, want) {
		t.Errorf("%+v: Enumerate %v, want %v", p, sets, want)
	}
	if got := p.Count(0); got.Cmp(big.NewInt(int64(len(want)))) != 0 {
		t.Errorf("%+v: Count %v, want %d", p, got, len(want))
	}
	err = p.Check()
	if len(want) > 0 {
		if err != nil {
			t.Errorf("%+v: %v, but there are %d sets", p, err, len(want))
		}
		return
	}
	inconsistent, ok := err.(*InconsistentError)
	if !ok || inconsistent.Y != 0 || inconsistent.Known != p.Known[0].Len() || inconsistent.Most >= inconsistent.Known {
		t.Errorf("%+v: Check says %v, but there is no set", p, err)
	}
}

// Oracle: all 2^d_X sets against the definition.
func TestEnumerate(t *testing.T) {
	for dX := range 7 {
		for _, known := range subsets(dX) {
			for z := -1; z <= dX+1; z++ {
				for _, bound := range []Bound{AtMost, Below} {
					checkPrior(t, &Prior{X: dX, Known: Bigraph{known}, Sparseness: z, Bound: bound})
				}
			}
		}
	}
}

// Oracle: all 2^d_X sets against the definition, with forbidden parents.
func TestEnumerateForbidden(t *testing.T) {
	const dX = 5
	for _, known := range subsets(dX) {
		for _, forbidden := range subsets(dX) {
			if !known.Both(forbidden).Empty() {
				continue
			}
			for z := range dX + 1 {
				p := &Prior{X: dX, Known: Bigraph{known}, Forbidden: Bigraph{forbidden}, Sparseness: z}
				want := map[Scope]bool{}
				for _, set := range subsets(dX) {
					if set.Contains(known) && set.Both(forbidden).Empty() && set.Len() <= z {
						want[set] = true
					}
				}
				sets, err := p.Enumerate(0)
				if err != nil || len(sets) != len(want) || p.Count(0).Cmp(big.NewInt(int64(len(want)))) != 0 {
					t.Fatalf("%+v: %d sets, counted as %v, want %d; %v", p, len(sets), p.Count(0), len(want), err)
				}
				for k, set := range sets {
					if !want[set] || slices.Contains(sets[:k], set) {
						t.Fatalf("%+v: %v has a set that is wrong or listed twice", p, sets)
					}
				}
				// The order is that of the prior without forbidden edges.
				all, err := (&Prior{X: dX, Known: p.Known, Sparseness: z}).Enumerate(0)
				if err != nil || !slices.Equal(sets, slices.DeleteFunc(all, func(set Scope) bool { return !want[set] })) {
					t.Fatalf("%+v: the order differs from that without forbidden edges", p)
				}
			}
		}
	}
}

// Each variable has the sets of a prior whose Z is its own.
func TestEnumerateEach(t *testing.T) {
	for _, bound := range []Bound{AtMost, Below} {
		p := &Prior{X: 4, Known: Bigraph{Of(1), Of(), Of(0, 2)}, Sparseness: 2, Each: []int{3, 1, 2}, Bound: bound}
		for j, z := range p.Each {
			got, err := p.Enumerate(j)
			want, err2 := (&Prior{X: 4, Known: p.Known, Sparseness: z, Bound: bound}).Enumerate(j)
			if err != nil || err2 != nil || !slices.Equal(got, want) || p.Count(j).Int64() != int64(len(want)) {
				t.Errorf("Y_%d with Z = %d: %v, want %v", j, z, got, want)
			}
		}
		if p.MostZ() != 3 || p.Of(p.Known).Z(1) != 1 {
			t.Errorf("the largest Z is %d", p.MostZ())
		}
		var wrong *InconsistentError
		if err := p.Check(); bound == AtMost && err != nil || bound == Below && (!errors.As(err, &wrong) || *wrong != InconsistentError{2, 2, 1}) {
			t.Errorf("Check says %v", err)
		}
	}
}

// Oracle: P(z) ∝ ∏_{i∈z} w_i ∏_{i∉z} (1−w_i) by products over all variables, with
// w_i = ½ for an unknown edge.
func TestLogWeights(t *testing.T) {
	p := &Prior{
		X: 5, Known: Bigraph{Of(4), Of(), Of()}, Forbidden: Bigraph{Of(3), Of(), Of()}, Sparseness: 3,
		Likely: []Edge{{X: 0, Y: 0, P: 0.9}, {X: 2, Y: 0, P: 0.000001}, {X: 1, Y: 2, P: 0.25}},
	}
	w := []float64{0.9, 0.5, 0.000001, 0, 1}
	sets, err := p.Enumerate(0)
	if err != nil {
		t.Fatal(err)
	}
	product := func(z Scope) float64 {
		product := 1.0
		for i, w := range w {
			if z.Has(i) {
				product *= w
			} else {
				product *= 1 - w
			}
		}
		return product
	}
	got := p.LogWeights(0, sets)
	for k, z := range sets {
		want := math.Log(product(z) / product(sets[0]))
		if math.Abs(got[k]-got[0]-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("%v: %v, want %v", z.Parents(), got[k]-got[0], want)
		}
	}
	if p.LogWeights(1, sets) != nil || len(p.LogWeights(2, sets)) != len(sets) || p.Certain() || !p.Of(p.Known).Certain() {
		t.Error("LogWeights is not nil exactly where no edge is likely, or Certain is wrong")
	}
	if got := p.Stated(); !slices.Equal(got, Bigraph{Of(0, 4), Of(), Of()}) || p.Known[0] != Of(4) {
		t.Errorf("Stated %v, with known edges %v", got, p.Known)
	}
}

func FuzzEnumerate(f *testing.F) {
	f.Add(uint8(9), uint16(3), int8(5), true)
	f.Fuzz(func(t *testing.T, dX uint8, known uint16, sparseness int8, below bool) {
		p := &Prior{X: int(dX % 11), Sparseness: int(sparseness)}
		p.Known = Bigraph{bitsOf(uint64(known)).Both(First(p.X))}
		if below {
			p.Bound = Below
		}
		checkPrior(t, p)
	})
}

// Oracle: Enumerate. Two variables have the memory of one list exactly if the prior says the same of them.
func TestLists(t *testing.T) {
	p := &Prior{X: 5, Known: Bigraph{Of(), Of(1), Of(), Of(1), Of(), Of()}, Forbidden: Bigraph{Of(), Of(), Of(2), Of(), Of(), Of()}, Each: []int{2, 2, 2, 2, 3, 2}}
	lists, first := NewLists(p), map[*Scope]int{}
	for j, same := range []int{0, 1, 2, 1, 4, 0} {
		got, err := lists.Of(j)
		want, err2 := p.Enumerate(j)
		if err != nil || err2 != nil || !slices.Equal(got, want) {
			t.Errorf("Y_%d: %v, want %v; %v", j, got, want, err)
		}
		if at, has := first[&got[0]]; has && at != same || !has && same != j {
			t.Errorf("Y_%d has the list of Y_%d: %v", j, at, has)
		} else if !has {
			first[&got[0]] = j
		}
	}
	var tooMany *TooManyError
	wide := NewLists(&Prior{X: 200, Known: make(Bigraph, 3), Sparseness: 3})
	for j := range 2 {
		if _, err := wide.Of(j); !errors.As(err, &tooMany) || tooMany.Y != j {
			t.Errorf("Y_%d: %v", j, err)
		}
	}
}

func TestEnumerateWide(t *testing.T) {
	for _, x := range []int{64, 65, 128, 130, MaxX} {
		p := &Prior{X: x, Known: Bigraph{Of(0, x-1)}, Sparseness: 4}
		sets, err := p.Enumerate(0)
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 + (x - 2) + (x-2)*(x-3)/2; len(sets) != want {
			t.Fatalf("%d sets, want %d", len(sets), want)
		}
		if got := sets[len(sets)-1]; got != Of(0, x-3, x-2, x-1) {
			t.Errorf("the last set is %v", got.Parents())
		}
	}
}

func TestEnumerateTooMany(t *testing.T) {
	for _, c := range []struct {
		x, sparseness int
		refused       bool
	}{
		{16, 16, false}, // 2^16, as many as MaxSets
		{17, 17, true},
		{64, 4, true},
		{64, 64, true}, // 2^64, more than an int64
		{256, 3, true},
		{256, 256, true},
	} {
		p := &Prior{X: c.x, Known: make(Bigraph, 2), Sparseness: c.sparseness}
		sets, err := p.Enumerate(1)
		if !c.refused {
			if err != nil || len(sets) != MaxSets {
				t.Errorf("d_X=%d: %d sets, %v", c.x, len(sets), err)
			}
			continue
		}
		var tooMany *TooManyError
		if !errors.As(err, &tooMany) || sets != nil {
			t.Errorf("d_X=%d, Z=%d: %v", c.x, c.sparseness, err)
			continue
		}
		if tooMany.Y != 1 || tooMany.Count.Cmp(p.Count(1)) != 0 {
			t.Errorf("d_X=%d: %+v", c.x, tooMany)
		}
	}
	err := &TooManyError{Count: new(big.Int).Lsh(big.NewInt(1), 64)}
	if got, want := err.Error(), "18446744073709551616 consistent parent sets, more than the 65536 that can be listed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCheckOutside(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a known edge from outside X did not panic")
		}
	}()
	(&Prior{X: 2, Known: Bigraph{Of(2)}, Sparseness: 3}).Check()
}

func TestCheckNames(t *testing.T) {
	p := &Prior{X: 4, Known: Bigraph{Of(0), Of(0, 1, 2), Of(0, 1, 2, 3)}, Sparseness: 2}
	want := InconsistentError{Y: 1, Known: 3, Most: 2} // the first variable without a set
	err := p.Check()
	if got, ok := err.(*InconsistentError); !ok || *got != want {
		t.Errorf("Check says %v, want %v", err, &want)
	}
	if got, want := want.Error(), "Y_1 has 3 known parents, but a parent set may have 2 at most"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Bound, want.Most = Below, 1
	if got, ok := p.Check().(*InconsistentError); !ok || *got != want {
		t.Errorf("below Z, Check says %v, want %v", p.Check(), &want)
	}
}

func TestDegree(t *testing.T) {
	for _, c := range []struct {
		name    string
		known   Bigraph
		trivial Scope
		want    int
	}{
		{"the least", Bigraph{Of(0, 1, 2), Of(0, 2)}, Of(), 2},
		{"nothing known", Bigraph{Of(0), Of()}, Of(), 0},
		{"taxi 5×5: destination (X_3) has one value", Bigraph{Of(0, 4), Of(0, 1, 4), Of(2, 4), Of(3)}, Of(3), 2},
		{"an edge from a trivial parent teaches nothing", Bigraph{Of(0, 1), Of(0, 1)}, Of(1), 1},
		{"only trivial variables", Bigraph{Of(0)}, Of(0), 0},
		{"no variables", nil, Of(), 0},
	} {
		p := &Prior{X: 5, Known: c.known, Sparseness: 5, Trivial: c.trivial}
		if got := p.Degree(); got != c.want {
			t.Errorf("%s: η = %d, want %d", c.name, got, c.want)
		}
	}
}

// Oracle: by hand.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name           string
		sampled, truth Bigraph
		trivial        Scope
		want           Scores
	}{
		{"equal", Bigraph{Of(0, 1), Of(1)}, Bigraph{Of(0, 1), Of(1)}, Of(), Scores{true, 1, 1, 1.5}},
		{"superset", Bigraph{Of(0, 1), Of(0, 1)}, Bigraph{Of(0), Of(1)}, Of(), Scores{true, 1, 0.5, 2}},
		{"one missed, one wrong", Bigraph{Of(2), Of(1)}, Bigraph{Of(0), Of(1)}, Of(), Scores{false, 0.5, 0.5, 1}},
		{"nothing sampled", Bigraph{Of(), Of()}, Bigraph{Of(0), Of(1)}, Of(), Scores{false, 0, 1, 0}},
		{"nothing true", Bigraph{Of(0), Of()}, Bigraph{Of(), Of()}, Of(), Scores{true, 1, 0, 0.5}},
		{"nothing at all", Bigraph{Of(), Of()}, Bigraph{Of(), Of()}, Of(), Scores{true, 1, 1, 0}},
		{"a missed trivial parent", Bigraph{Of(0), Of(0)}, Bigraph{Of(0, 1), Of()}, Of(1), Scores{true, 1, 1, 1}},
		{"a trivial child", Bigraph{Of(0), Of(0)}, Bigraph{Of(0), Of(0, 2)}, Of(1), Scores{true, 1, 1, 1}},
		{"all trivial", Bigraph{Of(0)}, Bigraph{Of()}, Of(0), Scores{true, 1, 1, 0}},
	} {
		if got := Compare(c.sampled, c.truth, c.trivial); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Oracle: Bigraph.Contains, after the edges of trivial variables are removed.
func TestCompareSuperset(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		truth := Bigraph{bitsOf(rng.Uint64N(8)), bitsOf(rng.Uint64N(8))}
		sampled := Bigraph{bitsOf(rng.Uint64N(8)), bitsOf(rng.Uint64N(8))}
		trivial := bitsOf(rng.Uint64N(8))
		without := func(g Bigraph) Bigraph {
			h := make(Bigraph, len(g))
			for j, z := range g {
				if !trivial.Has(j) {
					h[j] = z.Without(trivial)
				}
			}
			return h
		}
		want := without(sampled).Contains(without(truth))
		if got := Compare(sampled, truth, trivial).Superset; got != want {
			t.Errorf("%v ⊇ %v without %v: %v", sampled, truth, trivial.Parents(), got)
		}
	}
}

func BenchmarkEnumerate(b *testing.B) {
	p := &Prior{X: 16, Known: make(Bigraph, 1), Sparseness: 16}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Enumerate(0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	p := &Prior{X: 64, Known: Bigraph{Of(0, 1)}, Sparseness: 32}
	b.ReportAllocs()
	for b.Loop() {
		p.Count(0)
	}
}

func TestBoundOf(t *testing.T) {
	for k, word := range Bounds() {
		if bound, known := BoundOf(word); !known || bound != Bound(k) || bound.String() != word {
			t.Errorf("%s: %v, %v", word, bound, known)
		}
	}
	if _, known := BoundOf("Below"); known {
		t.Error("an unknown word is a bound")
	}
}

// Oracle: the sets of the prior without its trivial variables, by enumeration.
func TestTelling(t *testing.T) {
	p := &Prior{
		X: 4, Known: Bigraph{Of(1), Of(0, 1), Of()}, Forbidden: Bigraph{Of(2), Of(), Of(1)}, Trivial: Of(1, 3), Sparseness: 2,
		Likely: []Edge{{X: 3, Y: 0, P: 0.1}, {X: 2, Y: 1, P: 0.9}},
	}
	q := p.Telling()
	for j, want := range [][]Scope{{Of(), Of(0)}, {Of(0), Of(0, 2)}, {Of(), Of(0), Of(2), Of(0, 2)}} {
		if sets, err := q.Enumerate(j); err != nil || !slices.Equal(sets, want) || q.Count(j).Int64() != int64(len(want)) {
			t.Errorf("Y%d: %v, want %v", j, sets, want)
		}
	}
	if !slices.Equal(q.Likely, p.Likely[1:]) || p.Known[0] != Of(1) || !p.Forbidden[1].Empty() || len(p.Likely) != 2 {
		t.Errorf("%+v, %+v", q, p)
	}
	if p.Trivial = Of(); p.Telling() != p {
		t.Error("a copy without need")
	}
}

package posterior_test

import (
	"math"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// grown lists every division of the table of a set into the leaves of a decision tree. It is written from the definition,
// by the values that each parent may have in a box.
func grown(s *fmdp.Space, z bigraph.Scope) []cut {
	parents := z.Parents()
	point := make([]int, s.X())
	rowsOf := func(box [][]int) (rows []int) {
		var go_ func(k int)
		go_ = func(k int) {
			if k == len(parents) {
				rows = append(rows, s.Row(parents, point))
				return
			}
			for _, v := range box[k] {
				point[parents[k]] = v
				go_(k + 1)
			}
		}
		go_(0)
		slices.Sort(rows)
		return rows
	}
	with := func(box [][]int, k int, values ...int) [][]int {
		box = slices.Clone(box)
		box[k] = values
		return box
	}
	product := func(p float64, lists ...[]cut) []cut {
		all := []cut{{p: p}}
		for _, list := range lists {
			var next []cut
			for _, a := range all {
				for _, b := range list {
					next = append(next, cut{p: a.p * b.p, blocks: append(slices.Clone(a.blocks), b.blocks...)})
				}
			}
			all = next
		}
		return all
	}
	var trees func(box [][]int, free []int) []cut
	trees = func(box [][]int, free []int) []cut {
		leaf := [][]int{rowsOf(box)}
		if len(free) == 0 {
			return []cut{{1, -1, leaf}}
		}
		boxes := [][][]int{box} // with one value of each free parent
		for _, k := range free {
			var next [][][]int
			for _, b := range boxes {
				for _, v := range b[k] {
					next = append(next, with(b, k, v))
				}
			}
			boxes = next
		}
		apart := cut{1. / 3, -1, nil}
		for _, b := range boxes {
			apart.blocks = append(apart.blocks, rowsOf(b))
		}
		list := []cut{{1. / 3, -1, leaf}, apart}
		for at, k := range free {
			values := box[k]
			others := slices.Delete(slices.Clone(free), at, at+1)
			share := 1. / 3 / float64(len(free))
			if len(values) > 2 {
				share /= 2
				for _, v := range values {
					rest := slices.DeleteFunc(slices.Clone(values), func(w int) bool { return w == v })
					list = append(list, product(share/float64(len(values)), trees(with(box, k, v), others), trees(with(box, k, rest...), others))...)
				}
			}
			var lists [][]cut
			for _, v := range values {
				lists = append(lists, trees(with(box, k, v), others))
			}
			list = append(list, product(share, lists...)...)
		}
		return list
	}
	var box [][]int
	var free []int
	for k, i := range parents {
		var values []int
		for v := range s.Var(i).Size {
			values = append(values, v)
		}
		if box = append(box, values); len(values) > 1 {
			free = append(free, k)
		}
	}
	return trees(box, free)
}

// Oracle: the definition. Sets of three parents, of which one has four values, with soft, known and forbidden edges.
func TestTrees(t *testing.T) {
	for round, space := range []*fmdp.Space{newSpace([]int{2, 2, 3}, []int{2}), newSpace([]int{2, 4}, []int{1, 2}), newSpace([]int{4, 3}, []int{1, 2})} {
		prior := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Sparseness: 3, Likely: []bigraph.Edge{{X: 0, Y: 0, P: 0.9}, {X: 2, Y: 0, P: 0.2}}}
		if round == 1 {
			prior.Known[0] = bigraph.Of(3)
		}
		if round == 2 { // two large parents at once would have too many trees to list
			prior.Forbidden = bigraph.Bigraph{bigraph.Of(1), bigraph.Of()}
		}
		sets, err := prior.Enumerate(0)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"mix:0.01:0.1:1", "0.5", "learn:0.1:1"} {
			steps := randomSteps(stream(uint64(170+round)), space, 60)
			local := posterior.NewLocal(space, 0, sets, nil, posterior.Law{Rows: parsedRows(text), Structure: concentration.Trees, Sets: prior.LogWeights(0, sets)})
			for at := 0; at < len(steps); at += 7 {
				local.Observe(steps[at:min(at+7, len(steps))])
			}
			weights := make([]float64, len(sets))
			for k, z := range sets {
				logs := bruteEvidence(text, grown(space, z), tables(space, z, space.State[0].Size, steps, func(s *posterior.Step) int { return s.Next[0] }))
				want := logMean(slices.Repeat([]float64{1}, len(logs)), logs)
				if got := local.LogEvidence(k); math.Abs(got-want) > 1e-10 {
					t.Errorf("%s: ln P(D | %v) = %v, want %v", text, z.Parents(), got, want)
				}
				weights[k] = want
				for _, e := range prior.Likely {
					if p := e.P; z.Has(e.X) {
						weights[k] += math.Log(p)
					} else {
						weights[k] += math.Log(1 - p)
					}
				}
			}
			all := logMean(slices.Repeat([]float64{1}, len(weights)), weights)
			for k, p := range local.Probabilities(make([]float64, len(sets))) {
				if want := math.Exp(weights[k] - all); math.Abs(p-want) > 1e-10 {
					t.Errorf("%s: P(%v) = %v, want %v", text, sets[k].Parents(), p, want)
				}
			}
		}
	}
}

// The bound of the package's documentation: whatever the data, a set with one more parent, of which one value was never tried,
// has at least a share of the evidence without the parent, and that share does not depend on the data.
func TestBound(t *testing.T) {
	for _, values := range []int{2, 3, 5} {
		space := newSpace([]int{2, 3, 2}, []int{values})
		action := bigraph.Of(3)
		steps := randomSteps(stream(190), space, 3000)
		steps = slices.DeleteFunc(steps, func(s posterior.Step) bool { return s.Point[3] == values-1 })
		share := 1.0
		if values > 2 {
			share = 0.5 / float64(values)
		}
		for _, text := range []string{"mix:0.01:0.1:1", "1", "learn:0.1:1"} {
			for j := range space.Y() {
				sets := subsets(space)
				local := posterior.NewLocal(space, j, sets, nil, posterior.Law{Rows: parsedRows(text), Structure: concentration.Trees})
				for at := 0; at < len(steps); at += 100 {
					local.Observe(steps[at:min(at+100, len(steps))])
					for k, z := range sets {
						if z.Without(action) != z {
							continue
						}
						bound := math.Log(share / 3 / float64(z.Len()+1))
						with := slices.Index(sets, z.Union(action))
						if got := local.LogEvidence(with) - local.LogEvidence(k); got < bound-1e-9 {
							t.Fatalf("%d values, %s: after %d steps, the evidence of %v with the action falls by %v, more than %v", values, text, at, z.Parents(), got, bound)
						}
					}
				}
			}
		}
	}
}

// Every tree has a probability, and they sum to 1.
func TestGrown(t *testing.T) {
	space := newSpace([]int{2, 2, 3}, []int{4, 1})
	for _, z := range subsets(space) {
		if z.Len() > 3 || z.Has(2) && z.Has(3) && z.Len() > 2 || z.Len() == 3 && z.Has(3) {
			continue
		}
		sum := 0.0
		for _, c := range grown(space, z) {
			sum += c.p
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("the trees on %v have the probability %v", z.Parents(), sum)
		}
	}
}

// expected returns the steps of n tries of a machine with some neighbours under 11 actions, of which the last, its reboot, is
// never tried: counts as expected, as if each combination came equally often.
func expected(space *fmdp.Space, n int) (list []posterior.Step, times []int) {
	neighbours := space.X() - 2
	rows := 10 << (1 + neighbours)
	for r := range rows {
		point, rest := make([]int, space.X()), r
		up := 0
		for i := range 1 + neighbours {
			point[i], rest = rest%2, rest/2
			if i > 0 {
				up += point[i]
			}
		}
		point[1+neighbours] = rest
		p := 0.05 // a machine that is down comes up by itself
		if point[0] == 1 {
			p = 0.45 + 0.5*float64(1+up)/float64(1+neighbours)
		}
		each := float64(n) / float64(rows)
		for y, share := range []float64{1 - p, p} {
			next := make([]int, space.Y())
			next[0] = y
			list = append(list, posterior.Step{Point: point, Next: next})
			times = append(times, int(math.Round(each*share)))
		}
	}
	return list, times
}

// The trap. However often a machine was seen, the odds of the sets with the action, of which one value was never
// tried, stay bounded: ten times the data change nothing. With independent rows they fall by half the logarithm for each
// visited row, with rows tied along one parent for each context that the tie merges.
func TestNoTrap(t *testing.T) {
	mix := parsedRows("mix:0.01:0.1:1")
	for neighbours := 1; neighbours <= 2; neighbours++ {
		space := newSpace(slices.Repeat([]int{2}, 1+neighbours), []int{11})
		action := bigraph.Of(1 + neighbours)
		sets := subsets(space)
		sets = slices.DeleteFunc(sets, func(z bigraph.Scope) bool { return z.Len() > 2+neighbours })
		depth := func(structure concentration.Structure, n int) float64 {
			local := posterior.NewLocal(space, 0, sets, nil, posterior.Law{Rows: mix, Structure: structure})
			list, times := expected(space, n)
			for k := range list {
				local.ObserveTimes(list[k], times[k])
			}
			share := local.LogShare(func(z bigraph.Scope) bool { return z.Without(action) != z })
			return share - local.LogShare(func(z bigraph.Scope) bool { return z.Without(action) == z })
		}
		for structure, slope := range map[concentration.Structure]float64{
			concentration.Rows: -math.Ln10 / 2 * float64(36*neighbours), concentration.Tied: -math.Ln10 / 2 * float64(neighbours), concentration.Trees: 0,
		} {
			var depths []float64
			for n := 1000; n <= 10_000_000; n *= 10 {
				depths = append(depths, depth(structure, n))
			}
			if got := depths[4] - depths[3]; math.Abs(got-slope) > 0.01*math.Abs(slope)+0.01 {
				t.Errorf("%d neighbours, %v: ln odds %.3f; the last decade changes them by %.3f, want %.3f", neighbours, structure, depths, got, slope)
			}
			t.Logf("%d neighbours, %v: %.3f", neighbours, structure, depths)
		}
	}
}

// Parents of one value change nothing, however many there are. Oracle: the sets without them.
func TestTreesOfManyTrivial(t *testing.T) {
	many := &fmdp.Space{State: []fmdp.Variable{{Size: 2}}, Action: []fmdp.Variable{{Size: 3}}}
	var trivial []int
	for range 150 {
		trivial = append(trivial, many.X())
		many.Action = append(many.Action, fmdp.Variable{Size: 1})
	}
	last := many.X()
	many.Action = append(many.Action, fmdp.Variable{Size: 2})
	var steps []posterior.Step
	rng := stream(70)
	for range 60 {
		point := make([]int, many.X())
		point[0], point[1], point[last] = rng.IntN(2), rng.IntN(3), rng.IntN(2)
		y := point[last]
		if point[1] == 2 || rng.IntN(5) == 0 {
			y = rng.IntN(2)
		}
		steps = append(steps, posterior.Step{Point: point, Next: []int{y}})
	}
	sets := []bigraph.Scope{bigraph.Of(), bigraph.Of(last), bigraph.Of(1, last), bigraph.Of(0, 1, last)}
	with := make([]bigraph.Scope, len(sets))
	for k, z := range sets {
		with[k] = z.Union(bigraph.Of(trivial...))
	}
	law := posterior.Law{Structure: concentration.Trees}
	want, got := posterior.NewLocal(many, 0, sets, nil, law), posterior.NewLocal(many, 0, with, nil, law)
	want.Observe(steps)
	got.Observe(steps)
	for k := range sets {
		if a, b := got.LogEvidence(k), want.LogEvidence(k); a != b {
			t.Errorf("set %d: %v, want %v", k, a, b)
		}
		if a, b := got.SampleFactor(stream(71), k, nil), want.SampleFactor(stream(71), k, nil); !slices.Equal(a.P, b.P) {
			t.Errorf("set %d: the tables are %v, want %v", k, a.P, b.P)
		}
		told := slices.DeleteFunc(got.Matters(k), func(m posterior.Matter) bool { return many.Var(m.Parent).Size == 1 })
		if !slices.EqualFunc(told, want.Matters(k), func(a, b posterior.Matter) bool { return a.Parent == b.Parent && a.P == b.P }) {
			t.Errorf("set %d: what matters is %v, want %v", k, told, want.Matters(k))
		}
	}
}

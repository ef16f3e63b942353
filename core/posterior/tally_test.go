package posterior

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/internal/loops"
)

// Oracle: channel.observe, the slow twin of loops.Tally and tallyEach, to the bit. In the
// last episode the counts exceed the table of logarithms and only channel.observe works.
func TestTally(t *testing.T) {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "a", Size: 3}, {Name: "b", Size: 2}},
		Action: []fmdp.Variable{{Name: "c", Size: 2}},
	}
	sets := []bigraph.Scope{bigraph.Of(), bigraph.Of(0), bigraph.Of(1, 2), bigraph.Of(0, 1, 2)}
	rng := rand.New(rand.NewPCG(1, 2))
	var laws []Law
	for _, text := range []string{"1", "0.3", "2", "ess:1", "learn:0.1:1:2.5"} {
		for _, update := range []Update{Exact, Printed} {
			law := Law{Update: update}
			if err := law.Rows.Parse(text); err != nil {
				t.Fatal(err)
			}
			laws = append(laws, law)
		}
	}
	for _, law := range laws {
		for y := range space.Y() {
			quick, slow := NewLocal(space, y, sets, []int{0}, law), NewLocal(space, y, sets, []int{0}, law)
			tallied := 0
			for range 5 {
				steps := make([]Step, 7000)
				for k := range steps {
					steps[k] = Step{
						Point: space.Point(make([]int, 3), rng.IntN(1+rng.IntN(12))),
						Next:  space.Point(make([]int, 2), rng.IntN(1+rng.IntN(6))), Paid: []uint8{uint8(rng.IntN(2))},
					}
				}
				quick.Observe(steps)
				slow.observe(steps, false)
				if quick.room >= 0 {
					tallied++
				}
				if !slices.Equal(quick.logEvidence, slow.logEvidence) {
					t.Fatalf("α %v, Y%d: evidence %v, want %v", law.Rows, y, quick.logEvidence, slow.logEvidence)
				}
				for a := range quick.hypotheses {
					if !slices.Equal(quick.hypotheses[a].evidence, slow.hypotheses[a].evidence) {
						t.Fatalf("α %v, Y%d: the evidence of hypothesis %d differs", law.Rows, y, a)
					}
				}
				for c := range quick.channels {
					a, b := &quick.channels[c], &slow.channels[c]
					if !slices.Equal(a.counts, b.counts) || !slices.Equal(a.totals, b.totals) {
						t.Fatalf("Y%d, channel %d: the counts differ", y, c)
					}
				}
			}
			if tallied != 4 { // the empty set's row is seen 35,000 times
				t.Errorf("%d episodes of 5 were tallied, want 4", tallied)
			}
		}
	}
}

// Oracle: channel.observe, which must also count a variable with more outcomes than
// loops.Tally takes: the table of logarithms ends before the sum of an empty row.
func TestTallyManyOutcomes(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "a", Size: loops.LogTableLen}}, Action: []fmdp.Variable{{Name: "b", Size: 2}}}
	rng := rand.New(rand.NewPCG(3, 4))
	steps := make([]Step, 100)
	for k := range steps {
		steps[k] = Step{Point: []int{rng.IntN(loops.LogTableLen), rng.IntN(2)}, Next: []int{loops.LogTableLen - 1 - rng.IntN(3)}}
	}
	sets := []bigraph.Scope{bigraph.Of(), bigraph.Of(1)}
	quick, slow := NewLocal(space, 0, sets, nil, Law{}), NewLocal(space, 0, sets, nil, Law{})
	quick.Observe(steps)
	slow.observe(steps, false)
	if !slices.Equal(quick.logEvidence, slow.logEvidence) {
		t.Errorf("evidence %v, want %v", quick.logEvidence, slow.logEvidence)
	}
}

// With too many α for tables of logarithms, the evidence has the same bits.
func TestTooManyTables(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 3}}, Action: []fmdp.Variable{{Name: "c", Size: 2}}}
	sets := []bigraph.Scope{bigraph.Of(), bigraph.Of(0), bigraph.Of(1), bigraph.Of(0, 1)}
	full := new(Tables)
	for n := range mostTables {
		full.table(float64(n) + 0.123)
	}
	law := Law{}
	if err := law.Rows.Parse("ess:2"); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	steps := make([]Step, 300)
	for k := range steps {
		steps[k] = Step{Point: space.Point(make([]int, 3), rng.IntN(12)), Next: space.Point(make([]int, 2), rng.IntN(6))}
	}
	tabled := NewLocal(space, 1, sets, nil, law)
	law.Tables = full
	bare := NewLocal(space, 1, sets, nil, law)
	if !untabled(bare.hypotheses[0]) || untabled(tabled.hypotheses[0]) || len(full.of) != mostTables {
		t.Error("the bare belief has tables of logarithms, or the tabled one has none")
	}
	tabled.Observe(steps)
	bare.Observe(steps)
	if !slices.Equal(tabled.logEvidence, bare.logEvidence) {
		t.Errorf("evidence %v, want %v", bare.logEvidence, tabled.logEvidence)
	}
}

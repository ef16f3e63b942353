package session_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/posterior"
	"cpsrl/core/session"
)

// ring is a ring of n bits, each of which takes the value of the one before it, which a push of 2 turns over, but for noise. The
// edge from the one before is stated, that from the push is not.
type ring int

// before returns the bit before bit j.
func (n ring) before(j int) int { return (j + int(n) - 1) % int(n) }

func (n ring) hello(label string, more [][2]string) object {
	var state []object
	edges := slices.Clone(more)
	for j := range int(n) {
		state = append(state, object{"name": fmt.Sprint("b", j), "size": 2})
		edges = append(edges, [2]string{fmt.Sprint("b", n.before(j)), fmt.Sprint("b", j)})
	}
	return object{
		"format": session.Format, "version": session.Version, "horizon": 20, "agent": label, "seed": 3, "run": 1,
		"state": state, "action": []object{{"name": "push", "size": 3}}, "reward": []object{{"given": []string{"b0"}, "mean": []float64{0, 1}}},
		"prior": object{"sparseness": 2, "edges": edges},
	}
}

// steps returns so many steps from a state, which it changes.
func (n ring) steps(rng *rand.Rand, state []int, count int) (list []document.Transition) {
	for range count {
		t := document.Transition{X: append(slices.Clone(state), rng.IntN(3)), Y: make([]int, n)}
		for j := range t.Y {
			if t.Y[j] = state[n.before(j)]; t.X[n] == 2 {
				t.Y[j] = 1 - t.Y[j]
			}
			if rng.Float64() < .1 {
				t.Y[j] = rng.IntN(2)
			}
		}
		copy(state, t.Y)
		list = append(list, t)
	}
	return list
}

// rows counts the outcomes of bit j by the row of a table over these variables, the last varying fastest.
func (n ring) rows(steps []document.Transition, j int, given ...int) [][2]uint32 {
	size := func(i int) int {
		if i == int(n) {
			return 3
		}
		return 2
	}
	all := 1
	for _, i := range given {
		all *= size(i)
	}
	rows := make([][2]uint32, all)
	for _, t := range steps {
		row := 0
		for _, i := range given {
			row = row*size(i) + t.X[i]
		}
		rows[row][t.Y[j]]++
	}
	return rows
}

// logEvidence returns ln P of the counts, with Beta(1, 1) rows: ∏ a! b! / (a + b + 1)!.
func logEvidence(rows [][2]uint32) (sum float64) {
	factorial := func(n uint32) float64 { v, _ := math.Lgamma(float64(n) + 1); return v }
	for _, row := range rows {
		sum += factorial(row[0]) + factorial(row[1]) - factorial(row[0]+row[1]+1)
	}
	return sum
}

// Agents learn with more variables than a machine word has bits. Oracle: the evidence of each set by lists of indices and
// factorials, and tables that are drawn from counts by hand.
func TestWideBelief(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	for _, n := range []ring{64, 130, 250} {
		s, known := new(session.Session), new(session.Session)
		ask(t, s, "hello", n.hello("c-psrl", nil))
		var pushes [][2]string
		for j := range int(n) {
			pushes = append(pushes, [2]string{"push", fmt.Sprint("b", j)})
		}
		ask(t, known, "hello", n.hello("f-psrl:graph=prior", pushes))
		rng, state := rand.New(rand.NewPCG(1, 2)), make([]int, n)
		var steps []document.Transition
		var got told
		for range 3 {
			sent := n.steps(rng, state, 40)
			got = ask(t, s, "transitions", sent)
			ask(t, known, "transitions", sent)
			steps = append(steps, sent...)
		}
		// Each bit's sets are the stated parent alone, and with each of the others.
		edges := map[[2]string]float64{}
		for _, e := range got.Belief.Edges {
			edges[[2]string{e.From, e.To}] = e.P
		}
		name := func(i int) string {
			if i == int(n) {
				return "push"
			}
			return fmt.Sprint("b", i)
		}
		found := 0
		for j := range int(n) {
			left := n.before(j)
			weights, most := make([]float64, n+1), math.Inf(-1)
			for i := range weights {
				given := []int{min(i, left), max(i, left)}
				if i == left {
					given = given[1:]
				}
				weights[i] = logEvidence(n.rows(steps, j, given...))
				most = max(most, weights[i])
			}
			sum := 0.0
			for _, w := range weights {
				sum += math.Exp(w - most)
			}
			for i, w := range weights {
				want := math.Exp(w-most) / sum
				if i == left {
					want = 1
				}
				p, has := edges[[2]string{name(i), name(j)}]
				if !has || math.Abs(p-want) > 1e-9 {
					t.Fatalf("%d bits: %s → %s has %v, want %v", n, name(i), name(j), p, want)
				}
			}
			if edges[[2]string{"push", name(j)}] > .9 {
				found++
			}
		}
		if len(edges) != int(n)*int(n+1) || found < int(n)*9/10 {
			t.Errorf("%d bits: %d edges, and %d from the push are found", n, len(edges), found)
		}
		// With the graph, the tables are drawn from the counts of the rows, in order.
		var sampled struct {
			Episode struct {
				Model struct {
					Transition []struct {
						Of    string
						Given []string
						P     [][]float64
					}
				}
			}
		}
		if err := json.Unmarshal(known.Answer([]byte(`{"episode":{"model":true}}`)), &sampled); err != nil || len(sampled.Episode.Model.Transition) != int(n) {
			t.Fatalf("%d bits: %d laws, %v", n, len(sampled.Episode.Model.Transition), err)
		}
		stream := posterior.NewNamedStream(3, 1, "f-psrl:graph=prior belief")
		for j, law := range sampled.Episode.Model.Transition {
			if law.Of != name(j) || !slices.Equal(law.Given, []string{name(n.before(j)), "push"}) {
				t.Fatalf("%d bits: law %d is that of %s given %v", n, j, law.Of, law.Given)
			}
			for k, row := range n.rows(steps, j, n.before(j), int(n)) {
				want := make([]float64, 2)
				posterior.Counts(row[:]).Sample(stream.Rand, 1, want)
				if !slices.Equal(law.P[k], want) {
					t.Fatalf("%d bits: row %d of law %d is %v, want %v", n, k, j, law.P[k], want)
				}
			}
		}
	}
}

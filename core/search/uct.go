package search

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"cpsrl/core/agent"
	"cpsrl/core/posterior"
)

var uctKind = Kind{
	Key: "uct", Label: "uct: a tree of trials", Words: "a tree search by trials from the state of every step", Budget: Budget{600, 10},
	Steps: func(b Budget, _ int) float64 { return float64(b.Trials) * float64(b.Depth) },
	New: func(t *agent.Task, b Budget) (agent.Planner, error) {
		if n := t.Space.Actions(); n <= MaxActions && b.Trials > maxSlots/n {
			return nil, &TooManyActionsError{n, b.Trials}
		}
		return deciding(uct, weighTree)(t, b)
	},
}

// maxSlots is the largest number of trials times joint actions: a tree has an entry for each action of a node, and a
// trial adds at most a node.
const maxSlots = 1 << 24

// uct searches a tree by trials (Kocsis and Szepesvári, ECML 2006), with the ingredients of Keller and Helmert (ICAPS
// 2013): selection, outcome, leaf, backup, recommendation. Trials that begin with different actions have common random
// numbers: trial n of each action of the present state has the same. Each of these actions has a tree of its own: in a
// shared one a trial would choose by what its own random numbers have paid before, and the search would not converge.
func uct(ctx context.Context, m *sampled, rng *posterior.Stream, b Budget, state []int, togo int) (int, error) {
	t, root, err := grow(ctx, m, rng, b, state, togo)
	if err != nil {
		return 0, err
	}
	return t.recommend(root, state), nil
}

// weighTree returns the means and the visits of the actions of the root.
func weighTree(ctx context.Context, m *sampled, rng *posterior.Stream, b Budget, state []int, togo int) ([]agent.Weight, error) {
	t, root, err := grow(ctx, m, rng, b, state, togo)
	if err != nil {
		return nil, err
	}
	weights := make([]agent.Weight, len(m.acts))
	for a := range weights {
		slot := t.slot(root, a)
		weights[a] = agent.Weight{Value: t.mean[slot], Trials: int(t.count[slot])}
	}
	return weights, nil
}

// grow returns the tree of a decision and the node of its state.
func grow(ctx context.Context, m *sampled, rng *posterior.Stream, b Budget, state []int, togo int) (*tree, int32, error) {
	t := newTree(m, b, togo)
	root, _ := t.node(-1, 0, state)
	trial, at := posterior.NewStream(0), make([]int, len(state))
	var luck []posterior.State // of trial n of an action
	for range b.Trials {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		first := t.choose(root, 0, state)
		n := int(t.count[t.slot(root, first)])
		if n == len(luck) {
			luck = append(luck, posterior.NewStream(rng.Uint64()).State())
		}
		trial.Restore(luck[n])
		copy(at, state)
		t.try(trial.Rand, at, root, first)
	}
	return t, root, nil
}

// tree is what the trials of a decision have met. A node is a state at a depth after a first action; nodes are numbered in
// the order in which trials met them. The arrays by slot have an entry for each action of the nodes that trials have acted in.
type tree struct {
	model *sampled
	depth int

	nodes  map[string]int32 // by first action, depth and state
	key    []byte
	first  []int32   // by node, its first slot; −1 if no trial has acted there
	visits []int32   // by node, the trials that acted there
	count  []int32   // by slot, the trials of the action
	mean   []float64 // by slot, the mean of what they paid from there on

	// The present trial.
	path []int32 // the nodes that it acted in
	took []int32 // their slots
	paid []float64

	lo, hi []float64 // by depth, the least and the largest that a trial paid from there on
	roots  []float64 // see bonus
}

func newTree(m *sampled, b Budget, togo int) *tree {
	t := &tree{model: m, depth: min(b.Depth, togo), nodes: map[string]int32{}}
	if len(m.roots) == 0 {
		m.roots = rootsTo(b.Trials)
	}
	t.roots = m.roots
	for range t.depth {
		t.lo, t.hi = append(t.lo, math.Inf(1)), append(t.hi, math.Inf(-1))
	}
	return t
}

// node returns the node of a state at a depth of the trials that begin with an action (−1 at the root), and whether it is new.
func (t *tree) node(first, depth int, state []int) (node int32, fresh bool) {
	t.key = binary.AppendUvarint(t.key[:0], uint64(first+1))
	t.key = binary.AppendUvarint(t.key, uint64(depth))
	for _, v := range state {
		t.key = binary.AppendUvarint(t.key, uint64(v))
	}
	if node, known := t.nodes[string(t.key)]; known {
		return node, false
	}
	node = int32(len(t.first))
	t.nodes[string(t.key)] = node
	t.first, t.visits = append(t.first, -1), append(t.visits, 0)
	return node, true
}

// slot returns the slot of an action of a node.
func (t *tree) slot(node int32, action int) int32 {
	if t.first[node] < 0 {
		t.first[node] = int32(len(t.count))
		for range t.model.acts {
			t.count, t.mean = append(t.count, 0), append(t.mean, 0)
		}
	}
	return t.first[node] + int32(action)
}

// try is one trial from the state of a node, whose first action is given. It goes down the tree to a new node, which
// a leaf's value stands for. It overwrites the state.
func (t *tree) try(rng *rand.Rand, state []int, node int32, action int) {
	t.path, t.took, t.paid = t.path[:0], t.took[:0], t.paid[:0]
	first := action
	for {
		t.path, t.took = append(t.path, node), append(t.took, t.slot(node, action))
		t.paid = append(t.paid, t.outcome(rng, state, action))
		depth := len(t.path)
		if depth == t.depth || t.model.ended(state) {
			t.backup(0)
			return
		}
		var fresh bool
		if node, fresh = t.node(first, depth, state); fresh {
			t.backup(t.leaf(rng, state))
			return
		}
		action = t.choose(node, depth, state)
	}
}

// choose is the selection in the state of a node: a legal action that no trial took, the lowest; else the one with the
// largest upper confidence bound. In a tie it is the one that fewer trials took, or else the lowest: as long as all trials
// paid the same, no bound tells actions apart, and each is tried.
func (t *tree) choose(node int32, depth int, state []int) (action int) {
	first, scale := t.slot(node, 0), exploration*(t.hi[depth]-t.lo[depth])
	largest, fewest := math.Inf(-1), int32(0)
	for _, a := range t.model.choices(state) {
		n := t.count[first+a]
		if n == 0 {
			return int(a)
		}
		if bound := t.mean[first+a] + float64(scale*t.bonus(t.visits[node], n)); bound > largest || bound == largest && n < fewest {
			action, largest, fewest = int(a), bound, n
		}
	}
	return action
}

// exploration is √2, as in UCB1 for payoffs in [0, 1]: the bonus is its multiple of the range of what trials paid.
const exploration = 1.4142135623730951

// bonus returns √(ln N / n) where trials acted N times in a node and n times took the action: the harmonic number
// 1 + 1/2 + … + 1/N stands for ln N, and both square roots are in a table, so that no platform's functions are used.
func (t *tree) bonus(all, n int32) float64 { return t.roots[2*all] / t.roots[2*n+1] }

// rootsTo returns, up to n, the square roots of the harmonic number of k in entry 2k and of k in entry 2k+1.
func rootsTo(n int) []float64 {
	roots, sum := make([]float64, 2*(n+1)), 0.0
	for k := 1; k <= n; k++ {
		sum += 1 / float64(k)
		roots[2*k], roots[2*k+1] = root(sum), root(float64(k))
	}
	return roots
}

// root returns the square root of x ≥ 1 by Newton's iteration, which falls until rounding stops it.
func root(x float64) float64 {
	for r := x; ; {
		next := (r + x/r) / 2
		if next >= r {
			return r
		}
		r = next
	}
}

// outcome draws what the action leads to into state, and returns what it pays.
func (t *tree) outcome(rng *rand.Rand, state []int, action int) float64 {
	return t.model.step(rng, state, action, state)
}

// leaf returns what a new node is worth: what the base policy is paid in the steps that are left.
func (t *tree) leaf(rng *rand.Rand, state []int) float64 {
	return t.model.follow(rng, state, t.depth-len(t.path))
}

// backup adds the trial to the means, given what it was paid after its last action in the tree.
func (t *tree) backup(total float64) {
	for d := len(t.path) - 1; d >= 0; d-- {
		total += t.paid[d]
		slot := t.took[d]
		t.visits[t.path[d]]++
		t.count[slot]++
		t.mean[slot] += (total - t.mean[slot]) / float64(t.count[slot])
		t.lo[d], t.hi[d] = min(t.lo[d], total), max(t.hi[d], total)
	}
}

// recommend returns the action of the largest mean among those that a trial took in the state of a node.
func (t *tree) recommend(node int32, state []int) (action int) {
	first, largest := t.slot(node, 0), math.Inf(-1)
	list := t.model.choices(state)
	for _, a := range list[:min(int(t.visits[node]), len(list))] { // actions are first taken in their order
		if mean := t.mean[first+a]; mean > largest {
			action, largest = int(a), mean
		}
	}
	return action
}

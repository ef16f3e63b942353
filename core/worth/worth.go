// Package worth values the edges of a graph: what planning without an edge costs.
//
// # Goroutines and memory
//
// A [Valued] belongs to one goroutine at a time. Functions may be called by several
// goroutines at once.
package worth

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// The value of an edge e = (X_i, Y_j) of a model F is what planning without it costs:
//
//	Δ_e = V_F(π_F) − V_F(π_{F∖e}) ≥ 0
//
// π_F is optimal in F. F∖e is the projection of F without e: the law of Y_j given its
// other parents, averaged over the values of X_i with weights ρ(x_i | x[z_j∖i]). V_F is
// the value in F under μ, for both policies. (Definition 2 of the paper compares F with
// any model over a smaller graph; such a model may have better tables and a larger value
// than F.)

// Averaging is how a projection weighs the values of the parent that it drops.
type Averaging string

const (
	// ByNumber gives every value the same weight.
	ByNumber Averaging = "uniform"
	// ByOccupancy weighs a value by how often π_F meets it in an episode. In rows that π_F
	// never meets, all values have the same weight.
	ByOccupancy Averaging = "occupancy"
)

// Averagings returns the ways of averaging as texts, the default first.
func Averagings() []string { return []string{string(ByNumber), string(ByOccupancy)} }

// Problem is what the value of an edge depends on besides the law of the next state.
type Problem struct {
	Space   *fmdp.Space
	Horizon int
	Initial []float64
	Ended   []uint8 // not 0 for the states in which an episode has ended; nil if there are none
	// Reward returns R(x) in a model with that law.
	Reward func(law planning.Law) []float64
}

// Valued is a factored model with its optimal policy, in which edges are valued.
type Valued struct {
	*Problem
	transition []fmdp.Factor
	mdp        *planning.MDP
	Value      float64   // V_F(π_F)
	occupancy  []float64 // how often π_F is at each point x in an episode; nil for ByNumber
	joint      []float64 // scratch for the joint laws of projections; nil if S²A exceeds fmdp.MaxJoint
}

// New plans in a model. It keeps the problem and the transition tables. The
// error is that of planning.Choose or, if the model has too many points for an occupancy,
// wraps a *fmdp.TooLargeError.
func New(p *Problem, transition []fmdp.Factor, by Averaging) (*Valued, error) {
	v, space := &Valued{Problem: p, transition: transition}, p.Space
	var own []float64
	if n := space.Joint(); n <= fmdp.MaxJoint {
		own, v.joint = make([]float64, n), make([]float64, n)
	} else if by == ByOccupancy {
		return nil, OccupancyTooLarge(n)
	}
	var err error
	if v.mdp, err = v.decision(transition, own); err != nil {
		return nil, err
	}
	policy, values := planning.Solve(v.mdp)
	v.Value = values.Value(p.Initial)
	if by == ByOccupancy {
		v.occupancy = v.occupancyOf(own, policy)
	}
	return v, nil
}

// OccupancyTooLarge returns the error of an average by occupancy in a model with S²A = n.
func OccupancyTooLarge(n int) error {
	return fmt.Errorf("an average by occupancy takes %w", &fmdp.TooLargeError{Entries: n, Limit: fmdp.MaxJoint})
}

// decision returns the MDP of a transition law. If joint is not nil, decision fills it and
// the MDP may keep it.
func (v *Valued) decision(transition []fmdp.Factor, joint []float64) (*planning.MDP, error) {
	if joint != nil {
		fmdp.Joint(joint, v.Space, transition)
	}
	next, err := planning.Choose(v.Space, transition, joint)
	if err != nil {
		return nil, err
	}
	return &planning.MDP{
		States: v.Space.States(), Actions: v.Space.Actions(), Horizon: v.Horizon,
		Reward: v.Reward(planning.Law{Transition: transition}), Next: next, Ended: v.Ended, Legal: v.Space.LegalPoints(),
	}, nil
}

// occupancyOf returns how often a policy is at each point in an episode.
func (v *Valued) occupancyOf(joint []float64, policy *planning.Policy) []float64 {
	states, actions := v.Space.States(), v.Space.Actions()
	often := make([]float64, states*actions)
	now, next := slices.Clone(v.Initial), make([]float64, states)
	for h := 1; h <= policy.Horizon(); h++ {
		clear(next)
		for s, p := range now {
			if p == 0 || v.Ended != nil && v.Ended[s] != 0 {
				continue
			}
			x := s*actions + policy.Action(h, s)
			often[x] += p
			for y, q := range joint[x*states:][:states] {
				next[y] += float64(p * q)
			}
		}
		now, next = next, now
	}
	return often
}

// project returns the projection of a factor without X_i, one of its given variables.
func (v *Valued) project(f *fmdp.Factor, i int) fmdp.Factor {
	weights := make([]float64, v.Space.Rows(f.Given))
	if v.occupancy != nil {
		for x, row := range v.Space.RowOf(f.Given) {
			weights[row] += v.occupancy[x]
		}
	}
	kept := slices.DeleteFunc(slices.Clone(f.Given), func(k int) bool { return k == i })
	to := v.Space.Project(f.Given, kept, 1) // the row of the projection, for each row of f
	g := fmdp.Factor{Given: kept, Size: f.Size, P: make([]float64, v.Space.Rows(kept)*f.Size)}
	sum, size := make([]float64, v.Space.Rows(kept)), float64(v.Space.Var(i).Size)
	for row, at := range to {
		sum[at] += weights[row]
	}
	for row, at := range to {
		weight := 1 / size
		if sum[at] > 0 {
			weight = weights[row] / sum[at]
		}
		for k, p := range f.Row(row) {
			g.P[int(at)*f.Size+k] += float64(weight * p)
		}
	}
	return g
}

// without returns Δ_e for the edge from X_i to Y_j.
func (v *Valued) without(i, j int) (float64, error) {
	transition := slices.Clone(v.transition)
	transition[j] = v.project(&v.transition[j], i)
	mdp, err := v.decision(transition, v.joint)
	if err != nil {
		return 0, err
	}
	policy, _ := planning.Solve(mdp)
	loss := v.Value - planning.Return(v.mdp, policy, v.Initial)
	if loss < planning.NoDifference*max(1, v.Value, -v.Value) {
		return 0, nil
	}
	return loss, nil
}

// Edges calls each with every edge of the model and its value, by Y variable, then X
// variable. If ctx ends, it returns the error of ctx.
func (v *Valued) Edges(ctx context.Context, each func(i, j int, value float64)) error {
	for j := range v.transition {
		for i := range v.transition[j].Scope().All() {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			loss, err := v.without(i, j)
			if err != nil {
				return err
			}
			each(i, j, loss)
		}
	}
	return nil
}

// ProblemOf returns the problem of a model, without its law.
func ProblemOf(m *fmdp.Model) *Problem {
	return &Problem{&m.Space, m.Horizon, m.Initial, m.Ended(), func(law planning.Law) []float64 {
		other := *m
		other.Transition = law.Transition
		return planning.Reward(&other)
	}}
}

// Model returns the value of every edge of a valid model, the largest first. Ties are
// in the order of Y variables, then X variables. If ctx ends, the error is that of ctx.
func Model(ctx context.Context, m *fmdp.Model, by Averaging) (*ModelEdges, error) {
	if err := m.CheckListed(); err != nil {
		return nil, err
	}
	v, err := New(ProblemOf(m), m.Transition, by)
	if err != nil {
		return nil, err
	}
	doc := &ModelEdges{Value: v.Value, Average: string(by), Edges: []ValuedEdge{}}
	err = v.Edges(ctx, func(i, j int, value float64) {
		doc.Edges = append(doc.Edges, ValuedEdge{From: m.Var(i).Name, To: m.State[j].Name, Value: value})
	})
	slices.SortStableFunc(doc.Edges, func(a, b ValuedEdge) int { return cmp.Compare(b.Value, a.Value) })
	return doc, err
}

// ModelEdges holds the value of each edge of a model: Δ_e = V(π) − V(π_e), where π is
// optimal in the model and π_e in its projection without the edge.
type ModelEdges struct {
	Value   float64      `json:"value"`   // V(π) under μ
	Average string       `json:"average"` // how a projection weighs the values of the parent that it drops: "uniform" or "occupancy"
	Edges   []ValuedEdge `json:"edges"`   // the most valuable first
}

// ValuedEdge is an edge of a model and its value.
type ValuedEdge struct {
	From  string  `json:"from"` // an X variable
	To    string  `json:"to"`   // a Y variable
	Value float64 `json:"value"`
}

// BeliefEdges holds the probability and the value of each edge in the belief of an agent.
type BeliefEdges struct {
	Run     int            `json:"run"`
	Agent   string         `json:"agent"`
	Episode int            `json:"episode"` // the number of episodes that the agent has learned from
	Samples int            `json:"samples"` // the number of models sampled from the belief
	Average string         `json:"average"` // as in ModelEdges
	Value   float64        `json:"value"`   // the mean over the samples of their optimal values
	Edges   []BelievedEdge `json:"edges"`   // every edge, the most valuable first; of equal value, the most probable
}

// BelievedEdge is an edge, its probability and its value.
type BelievedEdge struct {
	From  string   `json:"from"`          // an X variable
	To    string   `json:"to"`            // a Y variable
	P     float64  `json:"p"`             // P(X_i → Y_j)
	Value float64  `json:"value"`         // the mean of Δ_e over the samples; Δ_e is 0 if the edge is not sampled
	True  *float64 `json:"true,omitzero"` // Δ_e in the true model; absent if the edge is not true
}

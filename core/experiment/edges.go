package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cpsrl/core/answer"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
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

// noDifference is the relative difference of values below which they count as equal,
// because planning is exact only within planning.Tolerance.
const noDifference = 1e-9

// valued is a factored model with its optimal policy, in which edges are valued.
type valued struct {
	space      *fmdp.Space
	horizon    int
	initial    []float64
	transition []fmdp.Factor
	mdp        *planning.MDP
	value      float64   // V_F(π_F)
	occupancy  []float64 // how often π_F is at each point x in an episode; nil for ByNumber
	joint      []float64 // scratch for the joint laws of projections; nil if S²A exceeds fmdp.MaxJoint
}

// newValued plans in a model. It keeps the transition tables and the rewards R(x). The
// error is that of planning.Choose or, if the model has too many points for an occupancy,
// wraps a *fmdp.TooLargeError.
func newValued(space *fmdp.Space, horizon int, initial []float64, transition []fmdp.Factor, reward []float64, by Averaging) (*valued, error) {
	v := &valued{space: space, horizon: horizon, initial: initial, transition: transition}
	var own []float64
	if n := space.Joint(); n <= fmdp.MaxJoint {
		own, v.joint = make([]float64, n), make([]float64, n)
	} else if by == ByOccupancy {
		return nil, occupancyTooLarge(n)
	}
	var err error
	if v.mdp, err = v.decision(transition, reward, own); err != nil {
		return nil, err
	}
	policy, values := planning.Solve(v.mdp)
	v.value = values.Value(initial)
	if by == ByOccupancy {
		v.occupancy = occupancy(own, space.States(), space.Actions(), initial, policy)
	}
	return v, nil
}

// occupancyTooLarge returns the error of an average by occupancy in a model with S²A = n.
func occupancyTooLarge(n int) error {
	return fmt.Errorf("an average by occupancy takes %w", &fmdp.TooLargeError{Entries: n, Limit: fmdp.MaxJoint})
}

// decision returns the MDP of a transition law. If joint is not nil, decision fills it and
// the MDP may keep it.
func (v *valued) decision(transition []fmdp.Factor, reward, joint []float64) (*planning.MDP, error) {
	if joint != nil {
		fmdp.Joint(joint, v.space, transition)
	}
	next, err := planning.Choose(v.space, transition, joint)
	if err != nil {
		return nil, err
	}
	return &planning.MDP{States: v.space.States(), Actions: v.space.Actions(), Horizon: v.horizon, Reward: reward, Next: next}, nil
}

// occupancy returns how often a policy is at each point in an episode.
func occupancy(joint []float64, states, actions int, initial []float64, policy *planning.Policy) []float64 {
	often := make([]float64, states*actions)
	now, next := slices.Clone(initial), make([]float64, states)
	for h := 1; h <= policy.Horizon(); h++ {
		clear(next)
		for s, p := range now {
			if p == 0 {
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
func (v *valued) project(f *fmdp.Factor, i int) fmdp.Factor {
	weights := make([]float64, v.space.Rows(f.Given))
	if v.occupancy != nil {
		for x, row := range v.space.RowOf(f.Given) {
			weights[row] += v.occupancy[x]
		}
	}
	kept := slices.DeleteFunc(slices.Clone(f.Given), func(k int) bool { return k == i })
	to := v.space.Project(f.Given, kept, 1) // the row of the projection, for each row of f
	g := fmdp.Factor{Given: kept, Size: f.Size, P: make([]float64, v.space.Rows(kept)*f.Size)}
	sum, size := make([]float64, v.space.Rows(kept)), float64(v.space.Var(i).Size)
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
func (v *valued) without(i, j int) (float64, error) {
	transition := slices.Clone(v.transition)
	transition[j] = v.project(&v.transition[j], i)
	mdp, err := v.decision(transition, v.mdp.Reward, v.joint)
	if err != nil {
		return 0, err
	}
	policy, _ := planning.Solve(mdp)
	loss := v.value - planning.Return(v.mdp, policy, v.initial)
	if loss < noDifference*max(1, v.value, -v.value) {
		return 0, nil
	}
	return loss, nil
}

// edges calls each with every edge of the model and its value, by Y variable, then X
// variable. If ctx ends, it returns the error of ctx.
func (v *valued) edges(ctx context.Context, each func(i, j int, value float64)) error {
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

// ModelEdges returns the value of every edge of a valid model, the largest first. Ties are
// in the order of Y variables, then X variables. If ctx ends, the error is that of ctx.
func ModelEdges(ctx context.Context, m *fmdp.Model, by Averaging) (*answer.ModelEdges, error) {
	reward := make([]float64, m.Points())
	m.ExpectedReward(reward)
	v, err := newValued(&m.Space, m.Horizon, m.Initial, m.Transition, reward, by)
	if err != nil {
		return nil, err
	}
	doc := &answer.ModelEdges{Value: v.value, Average: string(by), Edges: []answer.ValuedEdge{}}
	err = v.edges(ctx, func(i, j int, value float64) {
		doc.Edges = append(doc.Edges, answer.ValuedEdge{From: m.Var(i).Name, To: m.State[j].Name, Value: value})
	})
	slices.SortStableFunc(doc.Edges, func(a, b answer.ValuedEdge) int { return cmp.Compare(b.Value, a.Value) })
	return doc, err
}

// MaxEdgeSamples is the largest number of models that [Experiment.Edges] samples.
const MaxEdgeSamples = 1000

// Edges plays one agent in one run up to the given episode, 0 for none, and returns the
// agent's belief about every edge: its probability, and its expected value over sampled
// models, where a missing edge has the value 0. The samples have their own random stream.
// If ctx ends, the error is that of ctx.
func (e *Experiment) Edges(ctx context.Context, run int, label string, episode, samples int, by Averaging) (*answer.BeliefEdges, error) {
	arm, err := e.player(run, label)
	switch {
	case err != nil:
		return nil, err
	case !arm.Believes || !arm.Factored:
		return nil, strict.Invalid("/agents", "%q has no belief about a graph, and so no edges", param.Clip(label))
	case episode < 0 || episode > e.spec.Episodes:
		return nil, strict.Invalid("/episodes", "there are no %d episodes; there are %d", episode, e.spec.Episodes)
	case samples < 1 || samples > MaxEdgeSamples:
		return nil, fmt.Errorf("%d samples; from 1 to %d may be asked for", samples, MaxEdgeSamples)
	}
	t, err := e.truth(run)
	if err != nil {
		return nil, err
	}
	if n := t.Model.Joint(); by == ByOccupancy && n > fmdp.MaxJoint { // before any episode is played
		return nil, strict.Invalid("/domain", "%v", occupancyTooLarge(n))
	}
	p, err := t.enter(arm)
	if err != nil {
		return nil, err
	}
	for _, err := range p.episodes(ctx, episode) {
		if err != nil {
			return nil, err
		}
	}
	doc, err := p.believedEdges(ctx, samples, by)
	if err != nil {
		return nil, t.refusal(err, arm, nil)
	}
	doc.Run, doc.Agent, doc.Episode = run, label, episode
	return doc, nil
}

// believedEdges returns the probability and the value of every edge in the agent's belief.
func (p *play) believedEdges(ctx context.Context, samples int, by Averaging) (*answer.BeliefEdges, error) {
	m := p.Model
	doc := &answer.BeliefEdges{Samples: samples, Average: string(by)}
	for j, belief := range p.beliefs {
		edges := belief.Edges(make([]float64, m.X()), belief.Probabilities(make([]float64, len(belief.Sets()))))
		for i, q := range edges {
			doc.Edges = append(doc.Edges, answer.BelievedEdge{From: m.Var(i).Name, To: m.State[j].Name, P: q})
		}
	}
	at := func(i, j int) *answer.BelievedEdge { return &doc.Edges[j*m.X()+i] }
	truth, err := newValued(&m.Space, m.Horizon, m.Initial, m.Transition, p.mdp.Reward, by)
	if err == nil {
		err = truth.edges(ctx, func(i, j int, value float64) { at(i, j).True = &value })
	}
	if err != nil {
		return nil, err
	}
	rng := posterior.NewNamedStream(int64(p.spec.Seed), p.Run, p.label+" edges")
	for range samples {
		of := p.agent.Model(rng)
		v, err := newValued(&m.Space, m.Horizon, m.Initial, of.Transition, of.Reward, by)
		if err == nil {
			err = v.edges(ctx, func(i, j int, value float64) { at(i, j).Value += value / float64(samples) })
		}
		if err != nil {
			return nil, err
		}
		doc.Value += v.value / float64(samples)
	}
	slices.SortStableFunc(doc.Edges, func(a, b answer.BelievedEdge) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.P, a.P))
	})
	return doc, nil
}

// edgeWeights returns Δ_e in the true model by Y variable, then X variable, with 0 where
// there is no edge. It returns nil if that takes more than mostEdgeWork operations.
func (t *truth) edgeWeights() [][]float64 {
	m := t.Model
	if edgeWork(t.Instance) > mostEdgeWork {
		return nil
	}
	v, err := newValued(&m.Space, m.Horizon, m.Initial, m.Transition, t.mdp.Reward, ByNumber)
	if err != nil {
		return nil
	}
	weights := make([][]float64, m.Y())
	for j := range weights {
		weights[j] = make([]float64, m.X())
	}
	if v.edges(context.Background(), func(i, j int, value float64) { weights[j][i] = value }) != nil {
		return nil
	}
	return weights
}

// mostEdgeWork is the largest number of operations for the edge values of a true model in
// a run whose records have the value recall: a few hundredths of a second. The estimate
// assumes that planning stops early where rows are random; where they are nearly
// deterministic, it does not, and the time is up to a hundred times as long.
const mostEdgeWork = 6e7

// edgeWork estimates the number of operations that value the edges of the true model: a
// plan and its return for each edge.
func edgeWork(in *Instance) float64 {
	m := in.Model
	steps := float64(m.Horizon)
	if in.spec.Domain.Kind().Mixes {
		steps = mixing(m.Horizon)
	}
	return float64(m.Graph().Edges()) * 2 * costMultiply * planning.Cost(&m.Space, m.Transition) * steps
}

// valueRecall returns Σ Δ_e over the sampled true edges, divided by Σ Δ_e over all true
// edges. It is 1 if no edge has a value, and nil without weights.
func valueRecall(weights [][]float64, sampled bigraph.Bigraph) *float64 {
	if weights == nil {
		return nil
	}
	found, all := 0.0, 0.0
	for j, row := range weights {
		for i, w := range row {
			all += w
			if sampled[j].Has(i) {
				found += w
			}
		}
	}
	recall := 1.0
	if all > 0 {
		recall = min(1, found/all)
	}
	return &recall
}

package experiment

import (
	"context"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// valuer knows exactly what policies are worth in the true model of a run, under μ. A truth without one is not solved, and
// its records have no regret. See [Instance.valued].
type valuer interface {
	// Optimal returns V_*(π_*).
	Optimal() float64
	// ValueOf returns V_*(π) of a policy that an agent plays. The error is that of the policy, or of ctx.
	ValueOf(ctx context.Context, policy agent.Policy) (float64, error)
	// Random returns the value of the policy that plays every legal action equally often.
	Random() float64
}

// valued reports whether the truths of the problem have a valuer, and so the records a regret. It is the same in all runs.
func (in *Instance) valued() bool { return !in.vast || in.reached != nil }

// listed is a valuer that lists all states.
type listed struct {
	view    *fmdp.Model
	mdp     *planning.MDP    // of the view; or, where agents do not see what matters, of the view's tables
	acting  *planning.MDP    // if agents do not see what matters, of the world without its noise; else nil
	initial []float64        // of acting
	best    *planning.Policy // π_*; nil before solve
	table   *planning.Values // V_*
	optimum float64          // V_*(π_*)
	solver  planning.Solver
}

// list makes the truth one that lists all states of a problem that is not vast. It is not solved yet.
func (t *truth) list() error {
	in, m := t.Instance, t.View
	t.listed = &listed{view: m}
	if m.Joint() <= fmdp.MaxJoint && in.Sight != domain.Blind {
		t.joint = make([]float64, m.Joint())
		if in.Sight == domain.Noisy {
			domain.SeenJoint(t.joint, in.World, m)
		} else {
			fmdp.Joint(t.joint, &m.Space, m.Transition)
		}
	}
	var err error
	if t.mdp, err = planning.FromModel(m, t.joint); err != nil {
		return in.refusal(err, arm.Arm{})
	}
	if in.Sight == domain.Noisy {
		if err := t.average(); err != nil {
			return in.refusal(err, arm.Arm{})
		}
	}
	if in.Sight == domain.Blind {
		if t.acting, err = planning.FromModel(in.World, nil); err != nil {
			return in.refusal(err, arm.Arm{})
		}
		t.initial = in.World.Initial
		if class, weights := domain.Informed(in.World); class != nil {
			t.acting = t.acting.Lump(class, weights)
			t.initial = make([]float64, t.acting.States)
			for s, p := range in.World.Initial {
				t.initial[class[s]] += p
			}
		}
	}
	t.values = t.listed
	return nil
}

// stop lets a function end the recursions of solve. What it has ended is of no use.
func (l *listed) stop(when func() bool) {
	if l.mdp.Stop = when; l.acting != nil {
		l.acting.Stop = when
	}
}

// solve computes π_* and its values.
func (l *listed) solve() {
	if l.best, l.table = l.solver.Solve(l.mdp); l.best == nil {
		return
	}
	l.optimum = l.table.Value(l.view.Initial)
	if l.acting != nil {
		if _, values := l.solver.Solve(l.acting); values != nil {
			l.optimum = values.Value(l.initial)
		}
	}
}

// Optimal implements valuer, after solve.
func (l *listed) Optimal() float64 { return l.optimum }

// ValueOf implements valuer. The policy is a table.
func (l *listed) ValueOf(_ context.Context, policy agent.Policy) (float64, error) {
	table := policy.(*agent.Table).Policy
	if l.acting != nil {
		return l.solver.Return(l.acting, table.Spread(l.acting.States/l.view.States()), l.initial), nil
	}
	return l.solver.Return(l.mdp, table, l.view.Initial), nil
}

// Random implements valuer.
func (l *listed) Random() float64 {
	if l.acting != nil {
		return planning.Uniform(l.acting, l.initial)
	}
	return planning.Uniform(l.mdp, l.view.Initial)
}

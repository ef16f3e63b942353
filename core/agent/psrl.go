package agent

import (
	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// PSRL is posterior sampling with an uninformative prior: a Dirichlet over the next
// states of every state-action pair.
type PSRL struct {
	task   *Task
	alpha  float64
	counts posterior.Counts // row-major in x, then y
	paid   *payoffs         // about every learned factor, with one row for each x
	joint  []float64
}

// LearnedTableError says that PSRL has no list of α, because it does not weigh evidence.
type LearnedTableError struct{}

func (*LearnedTableError) Error() string {
	return "psrl cannot learn α; its dirichlet must be a number or ess:NUMBER"
}

// NewPSRL returns tabular PSRL with that concentration of its rows. If the table of
// transitions or the tables of learned rewards have more than fmdp.MaxTabular entries, the
// error is a *[fmdp.TooLargeError]; if it is a list, a *[LearnedTableError]; if a
// reward factor cannot be learned, an *[UnlearnableError].
func NewPSRL(t *Task, rows dirichlet.Concentration) (*PSRL, error) {
	if rows.Learns() || rows.Mixes() {
		return nil, &LearnedTableError{}
	}
	if n := t.Space.Joint(); n > fmdp.MaxTabular {
		return nil, &fmdp.TooLargeError{Entries: n, Limit: fmdp.MaxTabular}
	}
	if err := t.learnable(); err != nil {
		return nil, err
	}
	if n := 2 * len(t.Payoffs) * t.Space.Points(); t.Reward == nil && n > fmdp.MaxTabular {
		return nil, &fmdp.TooLargeError{Entries: n, Limit: fmdp.MaxTabular}
	}
	a := &PSRL{
		task:   t,
		alpha:  rows.Alphas(t.Space.States(), t.Space.Points())[0],
		counts: make(posterior.Counts, t.Space.Joint()),
		paid:   &payoffs{task: t},
		joint:  make([]float64, t.Space.Joint()),
	}
	if t.Reward == nil {
		for f := range t.Payoffs {
			a.paid.append(f, bigraph.First(t.Space.X()).Parents())
		}
	}
	return a, nil
}

func (a *PSRL) Model(rng *posterior.Stream) *Model {
	posterior.SampleRows(rng, a.counts, a.task.Space.States(), a.alpha, a.joint)
	s := &Model{Joint: a.joint, Reward: a.task.reward()}
	a.paid.add(rng, s.Reward)
	return s
}

func (a *PSRL) Observe(episode []posterior.Step) {
	space := a.task.Space
	states := space.States()
	for t := range episode {
		step := &episode[t]
		a.counts[space.Index(step.Point)*states+space.Index(step.Next)]++
		a.paid.observe(step)
	}
}

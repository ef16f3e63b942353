package agent

import (
	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
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
	if t.Reward == nil {
		n := 0
		for f := range t.Payoffs {
			n += 2 * t.Space.Points() * t.Space.Rows(arrivals(t.Space, t.Payoffs[f].Given))
		}
		if n > fmdp.MaxTabular {
			return nil, &fmdp.TooLargeError{Entries: n, Limit: fmdp.MaxTabular}
		}
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
			a.paid.append(f, append(bigraph.First(t.Space.X()).Parents(), arrivals(t.Space, t.Payoffs[f].Given)...))
		}
	}
	return a, nil
}

// arrivals returns those of the given variables that are of the next state.
func arrivals(s *fmdp.Space, given []int) (list []int) {
	for _, i := range given {
		if i >= s.X() {
			list = append(list, i)
		}
	}
	return list
}

func (a *PSRL) Model(rng *posterior.Stream) *Model {
	posterior.SampleRows(rng, a.counts, a.task.Space.States(), a.alpha, a.joint)
	law := planning.Law{Joint: a.joint}
	s := &Model{Joint: a.joint, Reward: a.task.Rewards(law)}
	a.paid.add(rng, s.Reward, law)
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

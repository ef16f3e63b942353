package agent

import (
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

var psrlKind = Kind{
	Key: "psrl", Gloss: "knows no graph",
	Baseline: 2,
	New:      func() Config { return psrl{} },
}

type psrl struct{}

func (psrl) Params() []param.Param        { return nil }
func (psrl) Names() (string, string)      { return "PSRL", "PSRL" }
func (psrl) Look() Look                   { return Look{Color: "#D55E00"} }
func (psrl) Prior(*Task) *bigraph.Prior   { return nil }
func (psrl) Build(t *Task) (Agent, error) { return NewPSRL(t) }

func (psrl) Cost(t *Task, s *Size) float64 {
	cost := s.Joint * CostDraw
	if t.Reward == nil {
		cost += float64(len(t.Payoffs)) * s.cost(s.Points)
	}
	return cost
}

// PSRL is posterior sampling with an uninformative prior: a Dirichlet(1) over
// the next states of every state-action pair.
type PSRL struct {
	task   *Task
	counts posterior.Counts // row-major in x, then y
	paid   *payoffs         // every factor with one row for each x
	joint  []float64
}

// NewPSRL returns tabular PSRL. A table of more than fmdp.MaxJoint entries is a
// *fmdp.TooLargeError.
func NewPSRL(t *Task) (*PSRL, error) {
	if n := t.Space.Joint(); n > fmdp.MaxJoint {
		return nil, &fmdp.TooLargeError{Entries: n, Limit: fmdp.MaxJoint}
	}
	if err := t.learnable(); err != nil {
		return nil, err
	}
	a := &PSRL{
		task:   t,
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

// Sample implements [Agent].
func (a *PSRL) Sample(rng *posterior.Stream) *Sample {
	posterior.SampleRows(rng, a.counts, a.task.Space.States(), a.joint)
	s := &Sample{Joint: a.joint, Reward: a.task.reward()}
	a.paid.add(rng, s.Reward)
	return s
}

// Observe implements [Agent].
func (a *PSRL) Observe(episode []posterior.Step) {
	space := a.task.Space
	states := space.States()
	for t := range episode {
		step := &episode[t]
		a.counts[space.Index(step.Point)*states+space.Index(step.Next)]++
		a.paid.observe(step)
	}
}

package agent

import (
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// PSRL is posterior sampling with an uninformative prior: a Dirichlet over the next
// states of every state-action pair. If the task tells laws, the Dirichlet is over the next values of the other state
// variables, and a told law gives the rest.
type PSRL struct {
	task   *Task
	alpha  float64
	counts posterior.Counts // row-major in x, then in the outcomes of the table
	paid   *payoffs         // about every learned factor, with one row for each x
	known  []fmdp.Reward    // as in Task.Rewards
	told   *toldPart        // nil if no law is told
	table  []float64        // the sampled table; joint itself if no law is told
	joint  []float64
}

// toldPart is what told laws say of the next state.
type toldPart struct {
	outcome  []int32   // of each next state: the outcome of the table, which is the values of the variables without a told law
	outcomes int       // how many there are
	law      []float64 // of each x, then next state: the product of the told laws
}

// newToldPart returns what the task's told laws say, or nil if it tells none.
func newToldPart(t *Task) *toldPart {
	if t.Told == nil {
		return nil
	}
	s := t.Space
	states := bigraph.First(s.Y()).Parents()
	var rest []int
	p := &toldPart{law: make([]float64, s.Joint())}
	for i := range p.law {
		p.law[i] = 1
	}
	for j, f := range t.Told {
		if f == nil {
			rest = append(rest, j)
			continue
		}
		value := s.Project(states, []int{j}, 1)
		for x, row := range s.RowOf(f.Given) {
			law := p.law[x*len(value):][:len(value)]
			for y, v := range value {
				law[y] *= f.Row(int(row))[v]
			}
		}
	}
	p.outcome, p.outcomes = s.Project(states, rest, 1), s.Rows(rest)
	return p
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
func NewPSRL(t *Task, rows concentration.Concentration) (*PSRL, error) {
	if rows.Learns() || rows.Mixes() {
		return nil, &LearnedTableError{}
	}
	if n := t.Space.Joint(); n > fmdp.MaxTabular {
		return nil, &fmdp.TooLargeError{Entries: n, Limit: fmdp.MaxTabular}
	}
	if err := t.learnable(); err != nil {
		return nil, err
	}
	if !t.Known {
		n := 0
		for f := range t.Payoffs {
			n += 2 * t.Space.Points() * t.Space.Rows(arrivals(t.Space, t.Payoffs[f].Given))
		}
		if n > fmdp.MaxTabular {
			return nil, &fmdp.TooLargeError{Entries: n, Limit: fmdp.MaxTabular}
		}
	}
	a := &PSRL{task: t, paid: &payoffs{task: t}, known: t.Rewards(), told: newToldPart(t), joint: make([]float64, t.Space.Joint())}
	a.table = a.joint
	if a.told != nil {
		a.table = make([]float64, t.Space.Points()*a.told.outcomes)
	}
	a.counts = make(posterior.Counts, len(a.table))
	a.alpha = rows.Alphas(a.outcomes(), t.Space.Points())[0]
	if !t.Known {
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

// outcomes returns the number of outcomes of a row of the table.
func (a *PSRL) outcomes() int {
	if a.told != nil {
		return a.told.outcomes
	}
	return a.task.Space.States()
}

// Model implements [Agent].
func (a *PSRL) Model(rng *posterior.Stream) *Model {
	posterior.SampleRows(rng, a.counts, a.outcomes(), a.alpha, a.table)
	if p := a.told; p != nil {
		states := len(p.outcome)
		for x := range a.task.Space.Points() {
			row, joint, law := a.table[x*p.outcomes:], a.joint[x*states:], p.law[x*states:]
			for y, outcome := range p.outcome {
				joint[y] = row[outcome] * law[y]
			}
		}
	}
	if a.task.Known {
		return &Model{Joint: a.joint, Reward: a.known}
	}
	return &Model{Joint: a.joint, Reward: a.paid.sample(rng)}
}

// Observe implements [Agent].
func (a *PSRL) Observe(episode []posterior.Step) {
	space := a.task.Space
	for t := range episode {
		step := &episode[t]
		if slices.Contains(step.Next, fmdp.Unseen) {
			a.paid.observe(step)
			continue
		}
		outcome := space.Index(step.Next)
		if a.told != nil {
			outcome = int(a.told.outcome[outcome])
		}
		a.counts[space.Index(step.Point)*a.outcomes()+outcome]++
		a.paid.observe(step)
	}
}

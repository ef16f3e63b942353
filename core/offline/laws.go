package offline

import (
	"context"
	"iter"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// law is the belief about the law of one variable.
type law struct {
	space   *fmdp.Space // of which the variable is Y variable j
	j       int
	sets    []bigraph.Scope
	p       []float64 // of each set
	best    int
	given   func(z bigraph.Scope) []int // in the problem
	steps   iter.Seq[posterior.Step]
	of      posterior.Law
	locals  map[int]*posterior.Local // of sets that were drawn
	scratch []float64
}

// newLaw returns the belief with those weights of parent sets.
func newLaw(space *fmdp.Space, j int, w *posterior.Weights, of posterior.Law, steps iter.Seq[posterior.Step], given func(bigraph.Scope) []int) *law {
	return &law{space: space, j: j, sets: w.Sets, p: w.P, best: posterior.Ranked(w.LogWeight)[0], given: given, steps: steps, of: of, locals: map[int]*posterior.Local{}}
}

// local returns the belief about the tables over one set.
func (l *law) local(set int) *posterior.Local {
	if l.locals[set] == nil {
		local := posterior.NewLocal(l.space, l.j, l.sets[set:set+1], nil, l.of)
		batch := make([]posterior.Step, 0, 256)
		for step := range l.steps {
			if batch = append(batch, step); len(batch) == cap(batch) {
				local.Observe(batch)
				batch = batch[:0]
			}
		}
		local.Observe(batch)
		l.locals[set] = local
	}
	return l.locals[set]
}

// draw draws parents, then the rows of the table over them. The table is valid until the next draw.
func (l *law) draw(rng *posterior.Stream) fmdp.Factor {
	set := 0
	if len(l.sets) > 1 {
		set = fmdp.Draw(rng.Rand, l.p)
	}
	f := l.local(set).SampleFactor(rng.Rand, 0, l.scratch)
	l.scratch = f.P
	f.Given = l.given(l.sets[set])
	return f
}

// mean returns the mean of the table over the most probable parents.
func (l *law) mean() fmdp.Factor {
	f := l.local(l.best).MeanFactor(0, nil)
	f.Given = l.given(l.sets[l.best])
	return f
}

// learn weighs the parents of what the graph of the log does not have, and begins all beliefs.
func (p *Problem) learn(ctx context.Context) error {
	log, file := p.Log, p.Answer.PriorFile
	of := posterior.Law{Rows: file.Rows, Structure: file.Structure}
	transitions := func(yield func(posterior.Step) bool) {
		for _, t := range log.Transitions {
			if !yield(posterior.Step{Point: t.X, Next: t.Y}) {
				return
			}
		}
	}
	for j := range log.Space.State {
		p.laws = append(p.laws, newLaw(log.Space, j, &p.Answer.Beliefs[j], of, transitions, p.lift))
	}
	if p.over >= 0 {
		over := func(yield func([]int, int) bool) {
			for k, is := range log.Over {
				if !yield(log.Transitions[k].X, truth(is)) {
					return
				}
			}
			for _, step := range log.Last {
				if (step.Over || step.Goes) && !yield(step.X, truth(step.Over)) {
					return
				}
			}
		}
		law, err := p.weigh(ctx, fmdp.Variable{Name: overName, Size: 2}, of, over)
		if err != nil {
			return err
		}
		p.laws = append(p.laws, law)
	}
	if p.known {
		return nil
	}
	return p.learnPaid(ctx, of)
}

func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}

// mostPayoffs is how many different payoffs are values of one variable. If there are more, a payoff is a trial that is paid or
// not, as in package session.
const mostPayoffs = 32

// learnPaid begins the belief about what is paid.
func (p *Problem) learnPaid(ctx context.Context, of posterior.Law) (err error) {
	for _, paid := range p.payments() {
		if k, has := slices.BinarySearch(p.pays, paid); !has {
			if p.pays = slices.Insert(p.pays, k, paid); len(p.pays) > mostPayoffs {
				break
			}
		}
	}
	value := func(paid float64) int {
		k, _ := slices.BinarySearch(p.pays, paid)
		return k
	}
	if len(p.pays) > mostPayoffs {
		r := &p.model.Reward[0]
		p.pays = []float64{r.Lo, r.Hi}
		p.note("there are more than %d different payoffs: each is learned as a trial, which is paid %v or %v, with a chance that has the payoff as its mean", mostPayoffs, r.Lo, r.Hi)
		trials, rng := []uint8{}, posterior.NewNamedStream(p.seed, 0, "offline payoffs")
		for _, paid := range p.payments() {
			trials = append(trials, uint8(truth(rng.Float64() < r.Chance(paid))))
		}
		p.paid, err = p.weigh(ctx, fmdp.Variable{Name: paidName, Size: 2}, of, func(yield func([]int, int) bool) {
			k := 0
			for x := range p.payments() {
				if !yield(x, int(trials[k])) {
					return
				}
				k++
			}
		})
		return err
	}
	p.paid, err = p.weigh(ctx, fmdp.Variable{Name: paidName, Size: len(p.pays)}, of, func(yield func([]int, int) bool) {
		for x, paid := range p.payments() {
			if !yield(x, value(paid)) {
				return
			}
		}
	})
	return err
}

// weigh returns the belief about a variable that is no parent of any, of steps in which it has those values.
func (p *Problem) weigh(ctx context.Context, v fmdp.Variable, of posterior.Law, values iter.Seq2[[]int, int]) (*law, error) {
	from := p.Log.Space
	space := &fmdp.Space{State: []fmdp.Variable{v}, Action: slices.Concat(from.State, from.Action)}
	steps := func(yield func(posterior.Step) bool) {
		for x, value := range values {
			if !yield(posterior.Step{Point: append([]int{0}, x...), Next: []int{value}}) {
				return
			}
		}
	}
	known := p.Answer.Prior
	prior := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, 1), Forbidden: bigraph.Bigraph{bigraph.Of(0)}, Sparseness: known.Sparseness, Bound: known.Bound, Trivial: space.Trivial()}
	w, err := evidence.NewWeighing(&document.PriorFile{Space: space, Prior: prior, Rows: of.Rows, Structure: of.Structure}, of.Update)
	if err != nil {
		return nil, err
	}
	for w.Passes() > 0 {
		err := w.Read(func(yield func(posterior.Step, error) bool) {
			for step := range steps {
				if err := ctx.Err(); !yield(step, err) || err != nil {
					return
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return newLaw(space, 0, &w.Weights()[0], of, steps, func(z bigraph.Scope) []int {
		given := z.Parents()
		for k := range given { // 0 is the variable itself
			given[k]--
			if p.over >= 0 && given[k] >= from.Y() {
				given[k]++
			}
		}
		return given
	}), nil
}

// reward returns the reward factor whose payoffs have that law.
func (p *Problem) reward(f *fmdp.Factor) fmdp.Reward {
	r := p.model.Reward[0]
	r.Given, r.Mean = f.Given, make([]float64, len(f.P)/f.Size)
	for row := range r.Mean {
		for k, chance := range f.Row(row) {
			r.Mean[row] += float64(chance * p.pays[k])
		}
		r.Mean[row] = min(max(r.Mean[row], r.Lo), r.Hi) // rounding
	}
	return r
}

// Mean returns the model whose tables are the means over the most probable parents.
func (p *Problem) Mean() *fmdp.Model {
	return p.with(func(l *law) fmdp.Factor { return l.mean() })
}

// Draw draws a model: parents, then tables. It is valid until the next draw.
func (p *Problem) Draw(rng *posterior.Stream) *fmdp.Model {
	return p.with(func(l *law) fmdp.Factor { return l.draw(rng) })
}

// with returns the problem with a table of each law.
func (p *Problem) with(table func(*law) fmdp.Factor) *fmdp.Model {
	m := *p.model
	m.Transition = make([]fmdp.Factor, len(p.laws))
	for j, l := range p.laws {
		m.Transition[j] = table(l)
	}
	if p.paid != nil {
		f := table(p.paid)
		m.Reward = []fmdp.Reward{p.reward(&f)}
	}
	return &m
}

// Learned reports whether what is paid is learned of the log.
func (p *Problem) Learned() bool { return p.paid != nil }

// Document returns a model of the problem as a document. Its prior is the graph as the log tells it or, for agents that start
// from the [Problem.Data], what was known before the log: else they would learn the log twice.
func (p *Problem) Document(m *fmdp.Model, starts bool) (*document.ModelFile, error) {
	file := &document.ModelFile{Model: m, Prior: p.stated}
	if starts {
		file.Prior = p.before()
	}
	if p.formula != "" {
		file.Formulas.Payoffs = []string{p.formula}
	}
	if n := len(file.Encode()); n > document.MaxModel {
		return nil, strict.Invalid("", "the model has %d MiB, more than %d; a smaller Z makes its tables smaller", n>>20, document.MaxModel>>20)
	}
	return file, nil
}

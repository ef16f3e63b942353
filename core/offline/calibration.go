package offline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// MaxLogs is the largest number of logs of a calibration.
const MaxLogs = 100_000

// Bands returns the probabilities of the bands of a calibration.
func Bands() []float64 { return []float64{0.5, 0.8, 0.9} }

// Calibration counts how often the bands of an [Appraisal] hold the true values, where truths are drawn from the prior.
type Calibration struct {
	Logs int
	Left int // logs that were left out: they had no transition
	// Proposed, Logged and Gain count for each of [Bands] the logs in which the band holds the true value.
	Proposed, Logged, Gain []int
}

// Calibrate draws so many truths from the prior of the problem – parents, then tables – and of each a log as long as that of the
// problem, by the behaviour in it, from its first states, with as many missing cells. It makes a problem of each log, as
// [New] does, appraises its policy over so many models, and asks whether the bands hold the true values. What is known, it keeps.
func (p *Problem) Calibrate(ctx context.Context, logs, models int) (*Calibration, error) {
	if logs < 1 || logs > MaxLogs {
		return nil, strict.Invalid("", "%d logs; they must be from 1 to %d", logs, MaxLogs)
	}
	laws, paid, err := p.blank(ctx)
	if err != nil {
		return nil, err
	}
	c := &Calibration{Proposed: make([]int, len(Bands())), Logged: make([]int, len(Bands())), Gain: make([]int, len(Bands()))}
	behaviour := p.Behaviour()
	for k := range logs {
		rng := posterior.NewNamedStream(p.seed, k, "offline truth")
		t := &truthOf{p: p, behaviour: behaviour}
		for _, l := range laws {
			f := l.draw(rng)
			f.P = slices.Clone(f.P)
			t.laws = append(t.laws, f)
		}
		if paid != nil {
			f := paid.draw(rng)
			t.paid = &f
		}
		again, err := t.again(ctx, t.table(rng.Rand), k)
		if _, none := errors.AsType[*format.Error](err); none {
			c.Left++
			continue
		}
		if err != nil {
			return nil, err
		}
		a, err := again.estimate(ctx, models, nil)
		if err != nil {
			return nil, err
		}
		proposed, logged, err := t.values(again, a.Policy)
		if err != nil {
			return nil, err
		}
		c.Logs++
		for b, q := range Bands() {
			for of, v := range []float64{proposed, logged, proposed - logged} {
				lo, hi := quantile(a.drawn[of], (1-q)/2), quantile(a.drawn[of], (1+q)/2)
				if slack := planning.NoDifference * max(math.Abs(proposed), math.Abs(logged)); lo-slack <= v && v <= hi+slack {
					[][]int{c.Proposed, c.Logged, c.Gain}[of][b]++
				}
			}
		}
	}
	return c, ctx.Err()
}

// blank returns the laws of the problem as they are believed before any transition, and that of what is paid, if it is learned.
func (p *Problem) blank(ctx context.Context) (laws []*law, paid *law, err error) {
	file := p.Answer.PriorFile
	prior, err := (&evidence.Question{Prior: file, Bound: file.Prior.Bound}).Ask(ctx, &evidence.Data{Space: p.Log.Space, Log: &format.Log{Space: p.Log.Space}})
	if err != nil {
		return nil, nil, err
	}
	of := posterior.Law{Rows: file.Rows, Structure: file.Structure}
	for j := range p.Log.Space.State {
		laws = append(laws, newLaw(p.Log.Space, j, &prior.Beliefs[j], of, func(func(posterior.Step) bool) {}, p.lift))
	}
	none := func(func([]int, int) bool) {}
	if p.over >= 0 {
		over, err := p.weigh(ctx, fmdp.Variable{Name: overName, Size: 2}, of, none)
		if err != nil {
			return nil, nil, err
		}
		laws = append(laws, over)
	}
	if p.paid != nil {
		paid, err = p.weigh(ctx, fmdp.Variable{Name: paidName, Size: len(p.pays)}, of, none)
	}
	return laws, paid, err
}

// truthOf is a truth that was drawn from the prior of a problem.
type truthOf struct {
	p         *Problem
	laws      []fmdp.Factor // of the state variables of p
	paid      *fmdp.Factor  // the chances of p.pays; nil if it is known what is paid
	behaviour []float64
}

// table draws a log of the truth, as a table in CSV.
func (t *truthOf) table(rng *rand.Rand) []byte {
	p, m := t.p, t.p.model
	var out strings.Builder
	quoted := func(text string) {
		fmt.Fprintf(&out, `,"%s"`, strings.ReplaceAll(text, `"`, `""`))
	}
	out.WriteString(p.column(episodeColumn))
	seen := slices.Concat(p.Log.Space.State, p.Log.Space.Action)
	for _, v := range seen {
		quoted(v.Name)
	}
	if t.paid != nil {
		quoted(p.column(paidColumn))
	}
	if p.over >= 0 {
		quoted(p.column(doneColumn))
	}
	out.WriteByte('\n')
	rows := len(p.Log.Transitions) + len(p.Log.Last)
	missing := float64(p.Log.Refused) / float64(max(1, p.Log.Read+p.Log.Refused))
	most, dY := max(p.Log.Longest, 1), p.Log.Space.Y()
	if len(p.Log.Last) == 0 { // its rows have their next states
		rows += (rows + most - 1) / most
		most++
	}
	actions := m.Actions()
	ended := m.Ended()
	variables := func(episode int, x []int, n, lost int) {
		out.WriteString(strconv.Itoa(episode))
		for i, v := range seen {
			at := i
			if i >= dY {
				at += m.Y() - dY
			}
			if i >= n || i == lost {
				quoted("")
			} else {
				quoted(v.Label(x[at]))
			}
		}
	}
	for episode := 0; rows > 0; episode++ {
		s := fmdp.Draw(rng, m.Initial)
		for range most {
			x := make([]int, m.X())
			m.Point(x[:m.Y()], s)
			m.JointAction(x[m.Y():], fmdp.Draw(rng, t.behaviour[s*actions:(s+1)*actions]))
			next := make([]int, m.Y())
			for j := range t.laws {
				next[j] = fmdp.Draw(rng, t.laws[j].Row(m.Row(t.laws[j].Given, x)))
			}
			lost := -1
			if missing > 0 && rng.Float64() < missing {
				lost = rng.IntN(len(seen))
			}
			variables(episode, x, len(seen), lost)
			if t.paid != nil {
				quoted(strconv.FormatFloat(p.pays[fmdp.Draw(rng, t.paid.Row(m.Row(t.paid.Given, x)))], 'g', -1, 64))
			}
			over := p.over >= 0 && next[p.over] == 1
			if p.over >= 0 {
				quoted(strconv.FormatBool(over))
			}
			out.WriteByte('\n')
			if rows--; over {
				break
			}
			if s = m.Index(next); ended != nil && ended[s] != 0 {
				variables(episode, next, dY, -1) // the last state, in which nothing is done
				out.WriteByte('\n')
				break
			}
		}
	}
	return []byte(out.String())
}

// Columns of the table of a truth, besides its variables.
const (
	episodeColumn = "episode"
	paidColumn    = "reward"
	doneColumn    = "done"
)

// column returns the name of a column that is no variable.
func (p *Problem) column(name string) string { return unused(p.Log.Space, name) }

// again makes a problem of log k of the truth, as the problem that the truth was drawn from was made of its log.
func (t *truthOf) again(ctx context.Context, table []byte, k int) (*Problem, error) {
	p := t.p
	roles := map[string]string{p.column(episodeColumn): format.AsEpisode}
	if t.paid != nil {
		roles[p.column(paidColumn)] = format.AsReward
	}
	if p.over >= 0 {
		roles[p.column(doneColumn)] = format.AsEnd
	}
	log, err := format.ReadLog(table, format.LogOptions{Space: p.Log.Space, Roles: roles})
	if err != nil {
		return nil, err
	}
	file := p.Answer.PriorFile
	answer, err := (&evidence.Question{Prior: file, Bound: file.Prior.Bound}).Ask(ctx, &evidence.Data{Space: log.Space, Log: log})
	if err != nil {
		return nil, err
	}
	o := p.options
	o.Horizon, o.Reward, o.Seed = p.model.Horizon, p.formula, p.seed+int64(k)+1
	return New(ctx, log, answer, o)
}

// values returns what a policy of another problem and the behaviour in its log are worth in the truth.
func (t *truthOf) values(of *Problem, policy *planning.Policy) (proposed, logged float64, err error) {
	m := *t.p.model
	m.Transition = t.laws
	if t.paid != nil {
		m.Reward = []fmdp.Reward{t.p.reward(t.paid)}
	}
	return of.In(&m, policy)
}

// In returns what a policy and the behaviour in the log are worth in a model: the truth, if that is known. The model has the variables of
// the log, and may have more behind them, of which policy and behaviour then see nothing; what they play is legal in it. Its horizon is the problem's, and its
// episodes begin as those of the log do, with what the log lacks as the model has it then.
func (p *Problem) In(truth *fmdp.Model, policy *planning.Policy) (proposed, logged float64, err error) {
	m := *truth
	m.Horizon = p.model.Horizon
	if err := m.List(); err != nil {
		return 0, 0, strict.Located(err)
	}
	if m.Y() < p.Log.Space.Y() || len(m.Action) != len(p.model.Action) {
		return 0, 0, strict.Invalid("", "the model does not have the variables of the log")
	}
	both := 1 // states of the variables that both have
	for j := range min(m.Y(), p.model.Y()) {
		if j >= p.Log.Space.Y() && (p.over != j || m.State[j].Name != p.model.State[j].Name) {
			break
		}
		if err := sameVariable("state", j, &m.State[j], &p.model.State[j]); err != nil {
			return 0, 0, err
		}
		both *= m.State[j].Size
	}
	for k := range m.Action {
		if err := sameVariable("action", k, &m.Action[k], &p.model.Action[k]); err != nil {
			return 0, 0, err
		}
	}
	if !slices.EqualFunc(m.JointActions(), p.model.JointActions(), slices.Equal) {
		return 0, 0, strict.Invalid("", "the model does not have the joint actions of the log")
	}
	mdp, err := planning.FromModel(&m, nil)
	if err != nil {
		return 0, 0, err
	}
	wide, own := m.States()/both, p.model.States()/both // states of each, for each that both have
	at := func(s int) int { return s / wide * own }
	rules := make([][]int32, m.Horizon)
	initial := make([]float64, m.States())
	for s := range m.States() {
		for k := range rules {
			rules[k] = append(rules[k], int32(policy.Action(m.Horizon-k, at(s))))
		}
	}
	for c := range both {
		begins, of := 0.0, 0.0
		for _, q := range p.model.Initial[c*own : (c+1)*own] {
			begins += q
		}
		for _, q := range m.Initial[c*wide : (c+1)*wide] {
			of += q
		}
		if begins > 0 && of == 0 {
			return 0, 0, strict.Invalid("", "an episode of the log begins in a state in which none of the model does")
		}
		for s := c * wide; s < (c+1)*wide && begins > 0; s++ {
			initial[s] = m.Initial[s] / of * begins
		}
	}
	there := planning.NewPolicy(m.Horizon, rules)
	counts, all := p.visits()
	chances := behaviour(&m, counts, all, at)
	plays := func(m *planning.MDP) float64 { return planning.Return(m, there, initial) }
	logs := func(m *planning.MDP) float64 { return planning.Mixed(m, chances, initial) }
	for _, who := range []struct {
		plays string
		worth func(*planning.MDP) float64
	}{{"the policy plays", plays}, {"the log has", logs}} {
		if x := illegal(mdp, who.worth); x >= 0 {
			return 0, 0, strict.Invalid("", "%s %s where %s, which is not legal in the model", who.plays, ActionText(&m.Space, x%m.Actions()), p.stateText(&m, x/m.Actions()))
		}
	}
	return plays(mdp), logs(mdp), nil
}

// illegal returns the first point whose action is not legal and is met by a policy, or −1. The function worth returns the expected return
// of the policy: where only such points pay, it is how often they are met.
func illegal(m *planning.MDP, worth func(*planning.MDP) float64) int {
	if m.Legal == nil {
		return -1
	}
	// met reports whether such a point is met, of those before the point last.
	met := func(last int) bool {
		only := *m
		only.Reward = make([]float64, len(m.Reward))
		for x, is := range m.Legal[:last] {
			if !is {
				only.Reward[x] = 1
			}
		}
		return worth(&only) > planning.Tolerance
	}
	if !met(len(m.Legal)) {
		return -1
	}
	return sort.Search(len(m.Legal), func(x int) bool { return met(x + 1) })
}

// sameVariable returns an error unless a variable of a model is that of the log, with its labels.
func sameVariable(kind string, k int, v, of *fmdp.Variable) error {
	if v.Name != of.Name || v.Size != of.Size {
		return strict.Invalid("", "%s variable %d of the model is %q with %d values; in the log it is %q with %d", kind, k+1, v.Name, v.Size, of.Name, of.Size)
	}
	if value := v.Unlike(of); value >= 0 {
		return strict.Invalid("", "the value %d of %q is %q in the model and %q in the log", value, v.Name, v.Label(value), of.Label(value))
	}
	return nil
}

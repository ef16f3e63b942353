package document

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Task is what agents may be told of a problem. It is a part of other documents: a model is a task with all laws, and what
// agents do not see. A model is written in the order Setting, what is not told, Aims.
type Task struct {
	Setting
	Aims
}

// Setting is where agents act.
type Setting struct {
	Horizon int `json:"horizon"`
	Variables
	Legal jsontext.Value `json:"legal,omitempty"` // atMostDoc, formulaDoc or the joint actions
}

// Aims are the laws, what is paid, where an episode ends, and what somebody would say of the graph who knows the field and not
// the model.
type Aims struct {
	Transition []Law    `json:"transition,omitzero"` // in a model, all; else those that agents are told
	Reward     []Payoff `json:"reward"`
	Terminal   []End    `json:"terminal,omitempty"`
	Prior      *Stated  `json:"prior,omitzero"`
}

// Law is the law of one variable: a table, or a formula, whose variables are the parents.
type Law struct {
	Of      string   `json:"of"`
	Given   []string `json:"given,omitzero"`
	P       lawDoc   `json:"p,omitzero"`
	Formula string   `json:"formula,omitempty"`
	Known   bool     `json:"known,omitzero"` // agents are told the law
}

// Payoff is a part of the reward. What is paid adds up. In a task that is no model, all of its members may be absent.
type Payoff struct {
	Of    string   `json:"of,omitempty"` // the state variable whose parents it shares
	Given []string `json:"given,omitzero"`
	Mean  meanDoc  `json:"mean,omitzero"`
	// Formula stands in place of given and mean.
	Formula string    `json:"formula,omitempty"`
	Kind    string    `json:"kind,omitempty"`
	Scale   *float64  `json:"scale,omitzero"`
	Name    string    `json:"name,omitempty"`
	Scope   string    `json:"scope,omitempty"` // "hidden": agents that learn rewards are not told what is given
	Range   []float64 `json:"range,omitempty"` // the least and the largest payoff
}

// Kinds of payoffs.
const (
	fixed     = "fixed"
	bernoulli = "bernoulli"
)

// hiddenScope is the scope of a payoff whose parents agents learn.
const hiddenScope = "hidden"

// Tells reports whether the payoff says what is paid.
func (p *Payoff) Tells() bool { return p.Mean.there() || p.Formula != "" }

// End is a kind of states in which an episode ends.
type End struct {
	Name    string   `json:"name,omitempty"`
	Given   []string `json:"given,omitzero"`
	Is      [][]int  `json:"is,omitzero"`
	Formula string   `json:"formula,omitempty"` // in place of given and is
}

// atMostDoc is the rule that makes legal the joint actions with at most so many variables that
// differ from their defaults.
type atMostDoc struct {
	MaxNonDefault int   `json:"maxNonDefault"`
	Default       []int `json:"default"`
}

// formulaDoc is a formula in place of a list.
type formulaDoc struct {
	Formula string `json:"formula"`
}

// Tell reads a task that is no model. The result has the laws that are told, which are Known; each other variable has a law
// without parents, in which its values are equally likely. A payoff that does not say what is paid has no Mean but a range, by
// default from 0 to its scale. It is given all variables if it does not say which. The error is an *[strict.InvalidError].
func (t *Task) Tell() (*fmdp.Model, error) {
	doc := modelDoc{Setting: t.Setting, Aims: t.Aims, Initial: jsontext.Value(`"uniform"`)}
	space := t.Space()
	if err := cmp.Or(space.Validate(), space.CheckSizes()); err != nil {
		return nil, strict.Located(err)
	}
	doc.Transition = slices.Clone(t.Transition)
	for k := range doc.Transition {
		doc.Transition[k].Known = true
	}
	told := func(name string) bool {
		return slices.ContainsFunc(t.Transition, func(law Law) bool { return law.Of == name })
	}
	for _, v := range t.State {
		if !told(v.Name) {
			doc.Transition = append(doc.Transition, Law{Of: v.Name, Given: []string{}, P: lawDoc{List: strict.TableOf(fmdp.Uniform(v.Size), v.Size)}})
		}
	}
	doc.Reward = slices.Clone(t.Reward)
	entries := 0
	for f := range doc.Reward {
		p, place := &doc.Reward[f], fmt.Sprintf("/reward/%d", f)
		hidden := p.Scope == hiddenScope
		switch p.Kind = cmp.Or(p.Kind, fixed); {
		case p.Tells() && (p.Of != "" || hidden):
			return nil, strict.Invalid(place, "a payoff that is known is given its variables")
		case p.Tells():
			continue
		case p.Given != nil && (hidden || p.Of != "" && !told(p.Of)), p.Of != "" && hidden:
			return nil, strict.Invalid(place, `a payoff has one of "given", "of" and "scope"`)
		case p.Of != "" && told(p.Of) && p.Given == nil:
			p.Of, p.Given = "", []string{} // those of the law, when it has been read
		case p.Of != "" && !told(p.Of), hidden:
			p.Given = []string{}
		case p.Given == nil:
			for i := range space.X() {
				p.Given = append(p.Given, space.Var(i).Name)
			}
		}
		given, err := Given(p.Given, place+"/given", space, true)
		if err != nil {
			return nil, err
		}
		n := space.Rows(given)
		if n > fmdp.MaxTable-entries {
			return nil, strict.Invalid(place+"/given", "the payoffs have more than %d rows up to this one", fmdp.MaxTable)
		}
		entries += n
		p.Mean.List = make([]float64, n)
		if len(p.Range) > 0 {
			for row := range p.Mean.List {
				p.Mean.List[row] = p.Range[0] // what is learned: no mean is outside the range
			}
		}
	}
	file := &ModelFile{}
	if err := doc.read(file, &fmdp.Scaling{}); err != nil {
		return nil, err
	}
	m := file.Model
	for f := range m.Reward {
		r := &m.Reward[f]
		if t.Reward[f].Tells() {
			continue
		}
		if !r.Ranged() {
			if r.Scale <= 0 {
				return nil, strict.Invalid(fmt.Sprintf("/reward/%d/scale", f), "the scale is %v; that of a payoff that is learned is above 0", r.Scale)
			}
			r.Hi, r.Kind, r.Scale = r.Scale, fmdp.Fixed, 1
		}
		if of := t.Reward[f].Of; of != "" && told(of) {
			r.Of = m.Lookup(of)
			r.Given = m.Transition[r.Of].Given
		}
		r.Mean = nil
	}
	return m, nil
}

// TaskOf returns what agents are told of a problem whose rewards are known or learned, without a prior.
func TaskOf(m *fmdp.Model, known bool) Task {
	t := Task{Setting: Setting{Horizon: m.Horizon, Variables: NewVariables(&m.Space), Legal: legalOf(&m.Space)}}
	for j, d := range Factors(&m.Space, m.Transition) {
		if m.Transition[j].Known {
			t.Transition = append(t.Transition, Law{Of: d.Of, Given: d.Given, P: d.P})
		}
	}
	if t.Reward = Expected(&m.Space, m.Reward); !known {
		for k := range m.Reward {
			r, d := &m.Reward[k], &t.Reward[k]
			switch *d = (Payoff{Name: r.Name}); {
			case r.Ranged():
				d.Range = []float64{r.Lo, r.Hi}
			case r.Kind == fmdp.Bernoulli:
				d.Range = []float64{0, r.Scale}
			}
			switch {
			case r.Hidden:
				d.Scope = hiddenScope
			case r.Of >= 0:
				d.Of = m.State[r.Of].Name
			default:
				d.Given = append([]string{}, m.Names(r.Given)...)
			}
		}
	}
	for _, e := range m.Ends {
		t.Terminal = append(t.Terminal, End{Name: e.Name, Given: m.Names(e.Given), Is: e.Is})
	}
	return t
}

// legalOf returns what says which actions are legal: a list, or a formula where that depends on the state.
func legalOf(space *fmdp.Space) jsontext.Value {
	switch {
	case space.Legal.ByState():
		return strict.Encode(formulaDoc{space.Legal.Rule()})
	case space.Legal != nil:
		return strict.Encode(space.Legal.List())
	}
	return nil
}

// ToldLaws returns the laws of the Y variables that agents are told; the others are nil. It is nil if there is none.
func ToldLaws(m *fmdp.Model) (told []*fmdp.Factor) {
	for j := range m.Transition {
		if m.Transition[j].Known {
			if told == nil {
				told = make([]*fmdp.Factor, m.Y())
			}
			told[j] = &m.Transition[j]
		}
	}
	return told
}

// CheckLegal returns an *[strict.InvalidError] at the place unless the joint action of a step with values of the space is
// legal in its state.
func (t Transition) CheckLegal(place string, space *fmdp.Space) error {
	switch {
	case space.Allows(t.X):
		return nil
	case space.Legal.ByState():
		return strict.Invalid(place, "this joint action is not legal in this state")
	}
	return strict.Invalid(place, "this joint action is not legal in the problem")
}

// CheckSeen is CheckTold for a step from which agents start: next values may be [fmdp.Unseen], and if it says what was paid, it does for
// each payoff of the model.
func (t Transition) CheckSeen(place string, m *fmdp.Model) error {
	if err := t.CheckKnown(place, &m.Space); err != nil {
		return err
	}
	if err := t.checkLaws(place, m); err != nil || t.Paid == nil {
		return err
	}
	if len(t.Paid) != len(m.Reward) {
		return strict.Invalid(place+"/paid", "%s for %s", param.Count(len(t.Paid), "number"), param.Count(len(m.Reward), "payoff"))
	}
	for f, paid := range t.Paid {
		if chance := m.Reward[f].Trial(paid); !(chance >= 0 && chance <= 1) {
			return strict.Invalid(fmt.Sprintf("%s/paid/%d", place, f), "%v is no payoff that agents can learn: it is not in the payoff’s range", paid)
		}
	}
	return nil
}

// CheckKnown is Check for a step of which next values may be [fmdp.Unseen].
func (t Transition) CheckKnown(place string, space *fmdp.Space) error {
	t.Y = slices.Clone(t.Y)
	for j, v := range t.Y {
		if v == fmdp.Unseen {
			t.Y[j] = 0
		}
	}
	return t.Check(place, space)
}

// CheckTold returns an *[strict.InvalidError] if a step cannot be of the model: it has other values, an action that is not
// legal, or a next value to which a law that agents are told gives no probability.
func (t Transition) CheckTold(place string, m *fmdp.Model) error {
	if err := t.Check(place, &m.Space); err != nil {
		return err
	}
	return t.checkLaws(place, m)
}

// checkLaws is CheckTold for a step with values of the space, of which next values may be [fmdp.Unseen].
func (t Transition) checkLaws(place string, m *fmdp.Model) error {
	if err := t.CheckLegal(place+"/x", &m.Space); err != nil {
		return err
	}
	for j := range m.Transition {
		if told := &m.Transition[j]; told.Known && t.Y[j] != fmdp.Unseen && told.Row(m.Row(told.Given, t.X))[t.Y[j]] == 0 {
			return strict.Invalid(fmt.Sprintf("%s/y/%d", place, j), "the law of %q, which agents are told, excludes this value", m.State[j].Name)
		}
	}
	return nil
}

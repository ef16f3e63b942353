package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// Form is a model as an editor shows it.
type Form struct {
	Name    string         `json:"name"`
	Horizon int            `json:"horizon"`
	State   []VariableForm `json:"state"`
	Action  []VariableForm `json:"action"`
	Laws    []LawForm      `json:"laws"`    // of the state variables that are not noise
	Payoffs []PayoffForm   `json:"payoffs"` // their sum is the reward
	Start   string         `json:"start"`   // a formula, "uniform", or ""
	Starts  int            `json:"starts"`  // the number of states in which an episode can begin
	Ends    []EndForm      `json:"ends"`
	Legal   string         `json:"legal"`  // a formula, or ""
	Legals  string         `json:"legals"` // how many joint actions are legal, in words
}

// VariableForm is a variable with its values, as an edit has them.
type VariableForm struct {
	Name   string `json:"name"`
	Values string `json:"values"`           // their number, or their labels
	Unseen string `json:"unseen,omitempty"` // "hidden" or "noise", if agents do not see it
}

// LawForm is the law of one variable.
type LawForm struct {
	Of      string      `json:"of"`
	Given   []string    `json:"given"`
	Formula string      `json:"formula"` // or ""
	Columns []string    `json:"columns"` // the labels of the values
	Rows    [][]string  `json:"rows"`    // the labels of the given values of each row, of the first rows
	P       [][]float64 `json:"p"`       // of these rows
	More    int         `json:"more"`    // how many rows are not here
	Known   bool        `json:"known"`   // agents are told it
}

// PayoffForm is one payoff.
type PayoffForm struct {
	Name    string     `json:"name"`
	Kind    string     `json:"kind"` // "fixed" or "bernoulli"
	Given   []string   `json:"given"`
	Formula string     `json:"formula"` // or ""
	Rows    [][]string `json:"rows"`
	Mean    []float64  `json:"mean"`
	More    int        `json:"more"`
}

// EndForm is one kind of end.
type EndForm struct {
	Name    string `json:"name"`
	Formula string `json:"formula"` // or ""
	Words   string `json:"words"`   // what is listed, if there is no formula
}

// MostRows is the largest number of rows of a table that a form has.
const MostRows = 256

// legals says how many joint actions are legal.
func legals(f *document.ModelFile) string {
	count := param.Count(f.Model.Actions(), "joint action")
	switch least, most := f.Model.Legal.Bounds(); {
	case f.Model.Legal.ByState() && least == most:
		return fmt.Sprintf("%s, of which %d may be played in a state.", count, least)
	case f.Model.Legal.ByState():
		return fmt.Sprintf("%s, of which %d to %d may be played in a state.", count, least, most)
	case f.Formulas.Legal == "":
		return "All " + count + "."
	}
	return "In all " + count + "."
}

// FormOf returns the form of a model.
func FormOf(f *document.ModelFile) *Form {
	m := f.Model
	v := &Form{Name: m.Name, Horizon: m.Horizon, Legal: f.Formulas.Legal, Legals: legals(f), Payoffs: []PayoffForm{}, Ends: []EndForm{}}
	for j := range m.State {
		variable := VariableForm{Name: m.State[j].Name, Values: Values(&m.State[j])}
		switch {
		case j >= m.Y()-m.Noise:
			variable.Unseen = "noise"
		case j >= m.Y()-m.Hidden:
			variable.Unseen = "hidden"
		}
		v.State = append(v.State, variable)
	}
	for k := range m.Action {
		v.Action = append(v.Action, VariableForm{Name: m.Action[k].Name, Values: Values(&m.Action[k])})
	}
	for j := range m.Y() - m.Noise {
		t := &m.Transition[j]
		law := LawForm{Of: m.State[j].Name, Given: m.Names(t.Given), Formula: f.Formulas.Law(j), Known: t.Known, P: [][]float64{}}
		for value := range t.Size {
			law.Columns = append(law.Columns, m.State[j].Label(value))
		}
		law.Rows, law.More = labels(&m.Space, t.Given)
		for row := range law.Rows {
			law.P = append(law.P, t.Row(row))
		}
		v.Laws = append(v.Laws, law)
	}
	for k := range m.Reward {
		r := &m.Reward[k]
		p := PayoffForm{Name: r.Name, Kind: "fixed", Given: m.Names(r.Given), Formula: f.Formulas.Payoff(k)}
		if r.Kind == fmdp.Bernoulli {
			p.Kind = "bernoulli"
		}
		p.Rows, p.More = labels(&m.Space, r.Given)
		p.Mean = r.Mean[:len(p.Rows)]
		v.Payoffs = append(v.Payoffs, p)
	}
	for k, e := range m.Ends {
		v.Ends = append(v.Ends, EndForm{e.Name, f.Formulas.End(k), words(&m.Space, &e)})
	}
	start := m.Initial
	if m.Noise > 0 {
		start = m.Start
	}
	uniform := true
	for _, p := range start {
		if uniform = uniform && p == start[0]; p > 0 {
			v.Starts++
		}
	}
	if m.Initial == nil {
		uniform, v.Starts = m.First.IsUniform(), min(m.First.Possible(), param.Max)
	}
	if v.Start = f.Formulas.Initial; v.Start == "" && uniform {
		v.Start = "uniform"
	}
	return v
}

// Values returns the values of a variable as an edit has them: their number, or their labels.
func Values(v *fmdp.Variable) string {
	if len(v.Values) == 0 {
		return strconv.Itoa(v.Size)
	}
	return strings.Join(v.Values, ", ")
}

// labels returns the labels of the given values of the first rows, and how many rows there are more.
func labels(s *fmdp.Space, given []int) (rows [][]string, more int) {
	all := s.Rows(given)
	for at, values := range fmdp.Tuples(s.Sizes(given)) {
		if at == MostRows {
			break
		}
		row := make([]string, len(given))
		for k, i := range given {
			row[k] = s.Var(i).Label(values[k])
		}
		rows = append(rows, row)
	}
	return rows, all - len(rows)
}

// words says in which states there is an end.
func words(s *fmdp.Space, e *fmdp.Ending) string {
	var list []string
	for k, values := range e.Is {
		if k == 3 {
			list = append(list, fmt.Sprintf("and %d more", len(e.Is)-k))
			break
		}
		parts := make([]string, len(values))
		for g, v := range values {
			parts[g] = s.NameOf(e.Given[g]) + " = " + s.Var(e.Given[g]).Label(v)
		}
		list = append(list, strings.Join(parts, " and "))
	}
	return strings.Join(slices.Compact(list), "; ")
}

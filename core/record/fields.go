package record

import (
	"slices"

	"cpsrl/core/fmdp"
)

// domainNames are the domains of a spec.
var domainNames = []string{"random-fmdp", "taxi", "figure1", "model"}

// field is one field of a spec and the values it may have: whole numbers from
// low to high, words, or both.
type field struct {
	place     string // a JSON pointer into the spec
	value     any    // a pointer to a string, an int, an int64 or a Parents
	low, high int    // not for words
	words     []string
}

// domainFields lists the fields of the spec's domain, in the order of a form.
// The limits of one may depend on those before it.
func (s *Spec) domainFields() []field {
	d := &s.Domain
	horizon := field{"/domain/horizon", &d.Horizon, 1, fmdp.MaxHorizon, nil}
	switch d.Name {
	case "random-fmdp":
		return []field{
			{"/domain/stateVariables", &d.StateVariables, 1, fmdp.MaxVariables - 1, nil},
			{"/domain/actionVariables", &d.ActionVariables, 1, fmdp.MaxVariables - d.StateVariables, nil},
			{"/domain/values", &d.Values, 1, maxValues, nil},
			{"/domain/parents", &d.Parents, 1, d.StateVariables + d.ActionVariables, []string{"uniform"}},
			horizon,
		}
	case "taxi":
		return []field{{"/domain/grid", &d.Grid, 0, 0, []string{"3x3", "5x5"}}, horizon}
	case "model": // whose horizon is its own
		horizon.low, horizon.high = d.Horizon, d.Horizon
	}
	return []field{horizon}
}

// maxValues is the largest number of values of a variable of a random FMDP.
const maxValues = 1 << 10

// runFields lists the fields that every domain has.
func (s *Spec) runFields() []field {
	return []field{
		{"/sparseness", &s.Sparseness, 1, fmdp.MaxVariables, nil},
		{"/episodes", &s.Episodes, 1, MaxEpisodes, nil},
		{"/firstRun", &s.FirstRun, 0, MaxRuns - 1, nil},
		{"/runs", &s.Runs, 1, MaxRuns - s.FirstRun, nil},
		{"/seed", &s.Seed, 0, MaxSeed, nil},
		{"/bound", &s.Bound, 0, 0, []string{"at-most", "below"}},
		{"/update", &s.Update, 0, 0, []string{"exact", "printed"}},
		{"/rewards", &s.Rewards, 0, 0, []string{"known", "learned"}},
	}
}

// number returns the value of a field of whole numbers.
func (f *field) number() int {
	switch v := f.value.(type) {
	case *int:
		return *v
	case *int64:
		return int(*v)
	case *Parents:
		return int(*v)
	}
	panic("record: not a field of whole numbers")
}

func (f *field) check() error {
	if word, ok := f.value.(*string); ok {
		return oneOf(f.place, *word, f.words...)
	}
	if p, ok := f.value.(*Parents); ok && *p == UniformParents {
		return nil
	}
	return inRange(f.place, f.number(), f.low, f.high)
}

func checkFields(list []field) error {
	for k := range list {
		if err := list[k].check(); err != nil {
			return err
		}
	}
	return nil
}

// Field is what a form shows of one field of a spec. Whole numbers have Min and
// Max, words have Choices.
type Field struct {
	Place   string   `json:"pointer"` // a JSON pointer into the spec
	Min     *int     `json:"min,omitzero"`
	Max     *int     `json:"max,omitzero"`
	Choices []string `json:"choices,omitempty"`
	Default any      `json:"default,omitzero"` // a whole number or a word, if there is one: what Complete fills in
}

// Fields returns the fields of a complete spec in the order of a form, with the
// limits that its checks hold them to. Agents and edges are not among them.
func Fields(s *Spec) []Field {
	d := &s.Domain
	// Some defaults depend on the grid and on the numbers of variables, whose own
	// do not.
	bare := completed(Domain{Name: d.Name, Model: d.Model})
	sized := completed(Domain{
		Name: d.Name, Model: d.Model, Grid: d.Grid,
		StateVariables: d.StateVariables, ActionVariables: d.ActionVariables,
	})
	zero, most := 0, fmdp.MaxVariables
	list := []Field{{Place: "/domain/name", Choices: slices.Clone(domainNames)}}
	own, standard := bare.domainFields(), sized.domainFields()
	for k, f := range s.domainFields() {
		switch f.place {
		case "/domain/stateVariables", "/domain/actionVariables", "/domain/grid":
			list = append(list, f.form(&own[k]))
		default:
			list = append(list, f.form(&standard[k]))
		}
	}
	list = append(list, Field{Place: "/prior/eta", Min: &zero, Max: &most})
	standard = sized.runFields()
	for k, f := range s.runFields() {
		list = append(list, f.form(&standard[k]))
	}
	return list
}

// completed returns the spec of a valid domain with nothing else said.
func completed(d Domain) *Spec {
	s := &Spec{Domain: d}
	if err := s.Complete(); err != nil {
		panic("record: " + err.Error())
	}
	return s
}

func (f *field) form(standard *field) Field {
	shown := Field{Place: f.place, Choices: f.words, Default: standard.plain()}
	if _, word := f.value.(*string); !word {
		shown.Min, shown.Max = &f.low, &f.high
	}
	return shown
}

// plain returns the value as a whole number or a word.
func (f *field) plain() any {
	switch v := f.value.(type) {
	case *string:
		return *v
	case *Parents:
		if *v == UniformParents {
			return "uniform"
		}
	}
	return f.number()
}

package arm

import (
	"fmt"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/concentration"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/search"
)

// own holds the parameters in which an agent with factors may differ from the spec. A
// parameter that is not given is the spec's.
type own struct {
	Dirichlet concentration.Optional
	Tables    string // a word of [document.Tables] or, if not given, ""
	Update    string // the word of an update or, if not given, ""
	Named     priorName
	Planner   search.Choice
}

// rows returns the rows of the table of parameters.
func (o *own) rows() []param.Param {
	return []param.Param{
		alphaRow(&o.Dirichlet),
		{
			Name: "tables", Section: param.Agents, Label: "Tables", Phrase: "tables _",
			Text: &o.Tables, Words: TableWords(), Since: 3,
		},
		{
			Name: "update", Section: param.Agents, Label: "Hyper-posterior", Phrase: "update _",
			Text: &o.Update, Words: UpdateWords(), Since: 2,
		},
		{Name: "prior", Section: param.Agents, Label: "Prior", Phrase: "prior _", Written: &o.Named, Named: true, Since: 2},
		plannerRow(&o.Planner),
	}
}

// UpdateWords returns the words of [posterior.Updates], with their labels in a form.
func UpdateWords() []param.Word {
	return []param.Word{{Value: posterior.Exact.String(), Label: "exact"}, {Value: posterior.Printed.String(), Label: "as printed"}}
}

// TableWords returns the words of [concentration.Structures], with their labels in a form.
func TableWords() []param.Word {
	return []param.Word{{Value: concentration.Rows.String(), Label: "independent rows"}, {Value: concentration.Tied.String(), Label: "rows that may be tied"}, {Value: concentration.Trees.String(), Label: "decision trees", Since: 6}}
}

// alphaRow returns the row of an agent's own concentration.
func alphaRow(of param.Written) param.Param {
	return param.Param{
		Name: "dirichlet", Section: param.Agents, Label: "Concentration", Symbol: "α", Phrase: "rows Dirichlet(_)",
		Written: of, Words: concentration.Offered(), Since: 2,
	}
}

// plannerRow returns the row of an agent's own planner.
func plannerRow(of *search.Choice) param.Param {
	return param.Param{
		Name: "planner", Section: param.Agents, Label: "Planner", Phrase: "planner _",
		Written: of, Words: search.Offered(), Since: search.Since,
	}
}

// OwnPlanner implements [Planning].
func (o *own) OwnPlanner() search.Choice { return o.Planner }

// task returns the task with the agent's own law.
func (o *own) task(t *agent.Task) *agent.Task {
	mine := *t
	if o.Dirichlet.Given {
		mine.Law.Rows = o.Dirichlet.Concentration
	}
	if structure, given := concentration.StructureOf(o.Tables); given {
		mine.Law.Structure = structure
	}
	if update, given := posterior.UpdateOf(o.Update); given {
		mine.Law.Update = update
	}
	return &mine
}

// Law implements [Learner].
func (o *own) Law(t *agent.Task) posterior.Law { return o.task(t).Law }

// words returns the texts of the given parameters in a legend. The underscores of a prior's
// name become spaces, because in a legend they stand for subscripts.
func (o *own) words() (list []string) {
	if o.Dirichlet.Given {
		list = append(list, o.Dirichlet.Name())
	}
	if structure, given := concentration.StructureOf(o.Tables); given {
		list = append(list, []string{concentration.Rows: "independent rows", concentration.Tied: "tied rows", concentration.Trees: "trees"}[structure])
	}
	if o.Update != "" {
		list = append(list, o.Update)
	}
	if o.Named != "" {
		list = append(list, "prior "+strings.ReplaceAll(string(o.Named), "_", " "))
	}
	return append(list, plannerWords(o.Planner)...)
}

// plannerWords returns the text of a planner in a legend, if it is given.
func plannerWords(of search.Choice) []string {
	if !of.Given() {
		return nil
	}
	return []string{"planner " + of.String()}
}

// priorName is the name of a prior of the spec.
type priorName string

// MostName is the length of the longest name of a prior.
const MostName = 24

// CheckName returns an error of one sentence if a text cannot be the name of a prior.
func CheckName(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if name == "" || len(name) > MostName || strings.IndexByte(letters, name[0]) < 0 || strings.Trim(name, letters+"0123456789-_") != "" {
		return fmt.Errorf("%q is not the name of a prior, which has up to %d letters, digits, - and _ and begins with a letter", param.Clip(name), MostName)
	}
	return nil
}

func (n *priorName) String() string { return string(*n) }
func (n *priorName) Range() string  { return "the name of a prior" }

func (n *priorName) Parse(text string) error {
	err := CheckName(text)
	if err == nil {
		*n = priorName(text)
	}
	return err
}

// PriorNamer is implemented by a [Config] whose agents can have one of the spec's named priors.
type PriorNamer interface {
	// PriorName returns the name, or "" if the agent names none, and whether the agent has
	// an η of its own that replaces the η of the prior.
	PriorName() (name string, eta bool)
}

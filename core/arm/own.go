package arm

import (
	"fmt"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/dirichlet"
	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

// own holds the parameters in which an agent with factors may differ from the spec. A
// parameter that is not given is the spec's.
type own struct {
	Dirichlet dirichlet.Optional
	Tables    string // a word of [document.Tables] or, if not given, ""
	Update    string // the word of an update or, if not given, ""
	Named     priorName
}

// rows returns the rows of the table of parameters.
func (o *own) rows() []param.Param {
	return []param.Param{
		concentration(&o.Dirichlet),
		{
			Name: "tables", Section: param.Agents, Label: "Tables", Phrase: "tables _",
			Text: &o.Tables, Words: TableWords(), Since: 3,
		},
		{
			Name: "update", Section: param.Agents, Label: "Hyper-posterior", Phrase: "update _",
			Text: &o.Update, Words: UpdateWords(), Since: 2,
		},
		{Name: "prior", Section: param.Agents, Label: "Prior", Phrase: "prior _", Written: &o.Named, Named: true, Since: 2},
	}
}

// UpdateWords returns the words of [posterior.Updates], with their labels in a form.
func UpdateWords() []param.Word {
	return []param.Word{{Value: posterior.Exact.String(), Label: "exact"}, {Value: posterior.Printed.String(), Label: "as printed"}}
}

// TableWords returns the words of [document.Tables], with their labels in a form.
func TableWords() []param.Word {
	return []param.Word{{Value: document.TablesOf(false), Label: "independent rows"}, {Value: document.TablesOf(true), Label: "rows that may be tied"}}
}

// concentration returns the row of an agent's own concentration.
func concentration(of param.Written) param.Param {
	return param.Param{
		Name: "dirichlet", Section: param.Agents, Label: "Concentration", Symbol: "α", Phrase: "rows Dirichlet(_)",
		Written: of, Words: dirichlet.Offered(), Since: 2,
	}
}

// task returns the task with the agent's own law.
func (o *own) task(t *agent.Task) *agent.Task {
	mine := *t
	if o.Dirichlet.Given {
		mine.Law.Rows = o.Dirichlet.Concentration
	}
	if tied, given := document.TiedOf(o.Tables); given {
		mine.Law.Tied = tied
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
	if tied, given := document.TiedOf(o.Tables); given {
		list = append(list, map[bool]string{false: "independent rows", true: "tied rows"}[tied])
	}
	if o.Update != "" {
		list = append(list, o.Update)
	}
	if o.Named != "" {
		list = append(list, "prior "+strings.ReplaceAll(string(o.Named), "_", " "))
	}
	return list
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

package arm

import (
	"fmt"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/dirichlet"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

// own holds the parameters in which an agent with factors may differ from the spec. A
// parameter that is not given is the spec's.
type own struct {
	Dirichlet ownConcentration
	Update    string // the word of an update or, if not given, ""
	Named     priorName
}

// rows returns the rows of the table of parameters.
func (o *own) rows() []param.Param {
	return []param.Param{
		concentration(&o.Dirichlet),
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
	if o.Dirichlet.given {
		mine.Law.Rows = o.Dirichlet.Concentration
	}
	if update, given := posterior.UpdateOf(o.Update); given {
		mine.Law.Update = update
	}
	return &mine
}

// Concentration implements [Concentrated]: the agent's own α or the task's.
func (o *own) Concentration(t *agent.Task) dirichlet.Concentration { return o.task(t).Law.Rows }

// words returns the texts of the given parameters in a legend. The underscores of a prior's
// name become spaces, because in a legend they stand for subscripts.
func (o *own) words() (list []string) {
	if o.Dirichlet.given {
		list = append(list, o.Dirichlet.Name())
	}
	if o.Update != "" {
		list = append(list, o.Update)
	}
	if o.Named != "" {
		list = append(list, "prior "+strings.ReplaceAll(string(o.Named), "_", " "))
	}
	return list
}

// ownConcentration is a concentration that may be absent.
type ownConcentration struct {
	dirichlet.Concentration
	given bool
}

func (o *ownConcentration) String() string {
	if !o.given {
		return ""
	}
	return o.Concentration.String()
}

func (o *ownConcentration) Parse(text string) error {
	err := o.Concentration.Parse(text)
	o.given = o.given || err == nil
	return err
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

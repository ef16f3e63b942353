package experiment

import (
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
)

// Checker holds decoded records, whoever wrote them, to what the runs of a spec
// give: agents with a graph have a belief over the problem's variables, others
// have none. That they are in their place is for [Summary.Add] to say.
type Checker struct {
	spec  *record.Spec
	space *fmdp.Space // nil until a belief is met
}

// NewChecker returns the checker of a complete spec.
func NewChecker(spec *record.Spec) *Checker { return &Checker{spec: spec} }

// Check says what is wrong with a record.
func (c *Checker) Check(r *record.Record) error {
	switch {
	case r.Belief == nil && r.Agent != "psrl":
		return fmdp.Invalid("/belief", "the record of %q has no belief", r.Agent)
	case r.Belief != nil && r.Agent == "psrl":
		return fmdp.Invalid("/belief", "the record of %q has a belief", r.Agent)
	case r.Belief == nil:
		return nil
	case c.space == nil:
		in, err := Problem(c.spec, c.spec.FirstRun)
		if err != nil {
			return err
		}
		c.space = &in.Model.Space
	}
	return record.CheckBelief(r.Belief, c.space)
}

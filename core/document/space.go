package document

import "cpsrl/core/fmdp"

// Variable is one state or action variable.
type Variable struct {
	Name   string   `json:"name"`
	Size   int      `json:"size"`             // number of values, at least 1
	Values []string `json:"values,omitempty"` // labels, one for each value; or none
}

// Variables holds the variables of a problem.
type Variables struct {
	State  []Variable `json:"state"`
	Action []Variable `json:"action"`
}

// NewVariables returns the variables of a space, with which they share the labels.
func NewVariables(space *fmdp.Space) Variables {
	return Variables{written(space.State), written(space.Action)}
}

// Space returns the space of the variables, with which it shares the labels.
func (v *Variables) Space() *fmdp.Space {
	return &fmdp.Space{State: read(v.State), Action: read(v.Action)}
}

func written(list []fmdp.Variable) []Variable {
	docs := make([]Variable, len(list))
	for i, v := range list {
		docs[i] = Variable(v)
	}
	return docs
}

func read(docs []Variable) []fmdp.Variable {
	list := make([]fmdp.Variable, len(docs))
	for i, v := range docs {
		list[i] = fmdp.Variable(v)
	}
	return list
}

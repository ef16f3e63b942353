package fmdp

import (
	"fmt"
	"slices"
)

// Fault says what is wrong with a model or its variables, and in which part.
type Fault struct {
	At     Path
	Reason string // one sentence
}

func (f *Fault) Error() string { return f.Reason }

// Path leads to a part of a model: a [Part], then the index in it, then a part of
// that, and so on. Path{Transition, 2, Rows, 5} is a row of the law of Y_2.
type Path []any

// Part is a part of a model, a variable, a table or a reward factor.
type Part int

const (
	States     Part = iota // the state variables
	Actions                // the action variables
	Name                   // of a variable
	Size                   // of a variable
	Labels                 // of a variable's values
	Horizon                // H
	Initial                // μ
	Transition             // the transition tables
	Rows                   // of a transition table
	Rewards                // the reward factors
	Given                  // the variables that select a row
	Means                  // of a reward factor
	Scale                  // of a reward factor
	Tied                   // the Y variable of a reward factor
)

// to returns the path that goes on from p.
func (p Path) to(steps ...any) Path { return slices.Concat(p, steps) }

func fault(at Path, format string, args ...any) error {
	return &Fault{at, fmt.Sprintf(format, args...)}
}

// under puts the path of a fault below another.
func under(at Path, err error) error {
	if f, ok := err.(*Fault); ok {
		return &Fault{at.to(f.At...), f.Reason}
	}
	return err
}

package fmdp

import "fmt"

// Fault says what is wrong with a model or its variables, and in which part.
type Fault struct {
	// At leads to the part from the model, by the names of the format cpsrl/model:
	// "/transition/2/p/5" is a row of the law of Y_2.
	At     string
	Reason string // one sentence
}

func (f *Fault) Error() string { return f.Reason }

func fault(at, format string, args ...any) error { return &Fault{at, fmt.Sprintf(format, args...)} }

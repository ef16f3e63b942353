package fmdp

import "fmt"

// Fault says what is wrong with a model or its variables, and in which part.
type Fault struct {
	At     Path
	Reason string // one sentence
}

func (f *Fault) Error() string { return f.Reason }

// Path leads from a model to a part of it, by the names of its fields and by indices:
// "transition", "2", "p", "5" is row 5 of the law of Y_2.
type Path []string

// at returns the path of those names and indices.
func at(steps ...any) Path { return Path(nil).to(steps...) }

// to returns the path to a part of what p leads to.
func (p Path) to(steps ...any) Path {
	longer := p[:len(p):len(p)]
	for _, s := range steps {
		longer = append(longer, fmt.Sprint(s))
	}
	return longer
}

func fault(at Path, format string, args ...any) error {
	return &Fault{at, fmt.Sprintf(format, args...)}
}

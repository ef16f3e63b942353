package format

import (
	"cmp"
	"fmt"
	"slices"
)

// Error says what is wrong with a text of another program or with a line of the text form, and where.
type Error struct {
	File   string `json:"file,omitzero"` // the name of the file, if the text joins several
	Line   int    `json:"line"`          // from 1; 0 if the reason is of the whole text
	Column int    `json:"column"`        // from 1, in characters
	Reason string `json:"detail"`        // one sentence
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	place := fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
	if e.File != "" {
		place = e.File + ", " + place
	}
	return place
}

// wholly returns an error of the whole text.
func wholly(format string, args ...any) error { return &Error{Reason: fmt.Sprintf(format, args...)} }

// fault returns an error at a token.
func (t token) fault(format string, args ...any) *Error {
	return &Error{"", t.line, t.column, fmt.Sprintf(format, args...)}
}

// fault returns an error at a cell.
func (c *cell) fault(format string, args ...any) *Error {
	return &Error{"", c.line, c.column, fmt.Sprintf(format, args...)}
}

// mostErrors is how many errors are kept of a text.
const mostErrors = 100

// faults are the errors of a text of which the parts without errors are read.
type faults struct {
	errors []Error
	found  int // how many there are, with those that are not kept
}

// keep adds an error.
func (f *faults) keep(e Error) {
	if f.found++; len(f.errors) < mostErrors {
		f.errors = append(f.errors, e)
	}
}

// fail keeps an error at a token.
func (f *faults) fail(at token, format string, args ...any) { f.keep(*at.fault(format, args...)) }

// inOrder returns the errors by their places.
func (f *faults) inOrder() []Error {
	slices.SortStableFunc(f.errors, func(a, b Error) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return f.errors
}

package strict

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// InvalidError says what is wrong with a document and at which place.
type InvalidError struct {
	Place  string // a JSON pointer (RFC 6901) into the document
	Reason string // one sentence
}

func (e *InvalidError) Error() string {
	if e.Place == "" {
		return e.Reason
	}
	return Shown(e.Place) + ": " + e.Reason
}

// Shown returns a place as it stands in a message of one line: quoted if it holds other
// characters than printable ones, because the names in it are those of the document.
func Shown(place string) string {
	if strings.ContainsFunc(place, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(place)
	}
	return place
}

// longestReason is the largest number of bytes of a reason that are kept. A reason may
// quote a very long input.
const longestReason = 300

// Invalid returns an *[InvalidError] at a place, a JSON pointer.
func Invalid(place, format string, args ...any) error {
	reason := fmt.Sprintf(format, args...)
	if len(reason) > longestReason {
		reason = strings.ToValidUTF8(reason[:longestReason], "") + "…"
	}
	return &InvalidError{Place: place, Reason: reason}
}

// Within prepends place to the place of an *[InvalidError], also of a wrapped one, and of the
// errors that [Located] turns into one. Other errors and nil stay as they are.
func Within(place string, err error) error {
	if e, ok := errors.AsType[*InvalidError](Located(err)); ok {
		return &InvalidError{Place: place + e.Place, Reason: e.Reason}
	}
	return err
}

// PathPlace returns a path into a model as a place in its document.
func PathPlace(path fmdp.Path) string {
	var p jsontext.Pointer
	for _, step := range path {
		p = p.AppendToken(step)
	}
	return string(p)
}

// Located turns a *[fmdp.Fault] into an *[InvalidError] at its place in the model's
// document, and a *[param.Error] into one at the parameter's member of an object. Other
// errors and nil stay as they are.
func Located(err error) error {
	switch e := err.(type) {
	case *fmdp.Fault:
		return Invalid(PathPlace(e.At), "%s", e.Reason)
	case *param.Error:
		return Invalid("/"+e.Name, "%s", e.Reason)
	}
	return err
}

// InputError says what is wrong with something that a user has named, such as a file or a flag.
type InputError struct {
	Name string // what the message begins with
	Err  error  // one sentence
}

func (e *InputError) Error() string { return e.Name + ": " + e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }

// Input returns an *[InputError] with the given reason.
func Input(name, format string, args ...any) error {
	return &InputError{name, fmt.Errorf(format, args...)}
}

// Unreadable returns the *[InputError] of a file that cannot be read, where what, such as "a spec", was expected. The place of
// an error in a line stands behind the name, and the path of one of the system's is left out.
func Unreadable(name, what string, err error) error {
	if line, ok := errors.AsType[*LineError](err); ok {
		return &InputError{fmt.Sprintf("%s: line %d", name, line.Number), line.Err}
	}
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = of.Err
	}
	return Input(name, "%s was expected, but the file cannot be read: %w", what, err)
}

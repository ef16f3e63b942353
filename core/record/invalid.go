package record

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
)

// InvalidError says what is wrong with a document, and where.
type InvalidError struct {
	Place  string // a JSON pointer (RFC 6901) into the document
	Reason string // one sentence
}

func (e *InvalidError) Error() string {
	if e.Place == "" {
		return e.Reason
	}
	return e.Place + ": " + e.Reason
}

// longestReason is how many bytes of a reason are kept: it may repeat a very long
// input.
const longestReason = 300

// Invalid returns an *[InvalidError].
func Invalid(place, format string, args ...any) error {
	reason := fmt.Sprintf(format, args...)
	if len(reason) > longestReason {
		reason = strings.ToValidUTF8(reason[:longestReason], "") + "…"
	}
	return &InvalidError{Place: place, Reason: reason}
}

func invalid(place, format string, args ...any) error { return Invalid(place, format, args...) }

// Within puts an error's place under another.
func Within(place string, err error) error {
	if e, ok := Located(err).(*InvalidError); ok {
		return &InvalidError{Place: place + e.Place, Reason: e.Reason}
	}
	return err
}

// Located turns a fault of a model into an *[InvalidError] at its place in the
// model's document; another error stays as it is.
func Located(err error) error {
	if f, ok := err.(*fmdp.Fault); ok {
		var place jsontext.Pointer
		for _, step := range f.At {
			place = place.AppendToken(step)
		}
		return invalid(string(place), "%s", f.Reason)
	}
	return err
}

// Package formattest holds decoders of the formats to their rules, in the tests of
// the packages that have one.
package formattest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/record"
)

// WantError demands an error in this place that says this, in words for a user.
func WantError(t *testing.T, name string, err error, place, says string) {
	t.Helper()
	invalid, ok := errors.AsType[*record.InvalidError](err)
	if !ok {
		t.Errorf("%s: %v, want an error at %s", name, err, place)
		return
	}
	if invalid.Place != place || !strings.Contains(invalid.Reason, says) {
		t.Errorf("%s:\n got %s: %s\nwant %s: …%s…", name, invalid.Place, invalid.Reason, place, says)
	}
	for _, word := range []string{"\n", "jsontext", "json:", "Go ", "%!", "main."} {
		if strings.Contains(err.Error(), word) {
			t.Errorf("%s: %q is no sentence for a user (%q)", name, err, word)
		}
	}
	if len(err.Error()) > 400 {
		t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
	}
}

// Edit is one strictness case: a valid document in which old becomes new is
// refused in this place, with an error that says this: {old, new, place, says}.
type Edit [4]string

// Strict holds a decoder to the rules that all formats share, and to the edits of
// a valid document. The decoder writes back what it read.
func Strict(t *testing.T, name, document string, again func([]byte) ([]byte, error), edits []Edit) {
	t.Run(name, func(t *testing.T) {
		if _, err := again([]byte(document)); err != nil {
			t.Fatalf("the document itself: %v", err)
		}
		for _, e := range edits {
			before, after, place, says := e[0], e[1], e[2], e[3]
			if !strings.Contains(document, before) {
				t.Fatalf("%q is not in the document", before)
			}
			data := strings.Replace(document, before, after, 1)
			_, err := again([]byte(data))
			WantError(t, before+" → "+after, err, place, says)
		}
		// Anything cut short, or followed by something.
		for at := range len(document) {
			if _, err := again([]byte(document[:at])); err == nil {
				t.Errorf("accepted when cut at %d", at)
			}
		}
		for _, more := range []string{"x", "{}", "null", ",", "]", "\x00"} {
			_, err := again([]byte(document + more))
			WantError(t, "followed by "+more, err, "", "malformed JSON at byte")
		}
		for _, other := range []string{"", " ", "[]", "3", `"x"`, "true", "\xff", "{"} {
			_, err := again([]byte(other))
			WantError(t, fmt.Sprintf("%q", other), err, "", "")
		}
		if _, err := again([]byte(" \n\t" + document + "\n ")); err != nil {
			t.Errorf("white space around: %v", err)
		}
	})
}

// Common is what every format refuses alike, at a field of the document that holds a number.
func Common(field, place string) []Edit {
	return []Edit{
		{`"` + field + `":`, `"` + strings.ToUpper(field[:1]) + field[1:] + `":`, place[:strings.LastIndex(place, "/")+1] + strings.ToUpper(field[:1]) + field[1:], "unknown field"},
		{`"` + field + `":`, `"` + field + `":0,"` + field + `":`, place, "duplicate"},
		{`"` + field + `":`, `"` + field + `":null,"x":`, place[:strings.LastIndex(place, "/")+1] + "x", "unknown field"},
	}
}

// Fuzz holds a decoder to this: it never panics, and what it accepts it writes in
// one stable form.
func Fuzz(f *testing.F, seeds []string, again func([]byte) ([]byte, error)) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := again(data)
		if err != nil {
			if _, ok := errors.AsType[*record.InvalidError](err); !ok {
				t.Errorf("%T: %v is not an InvalidError", err, err)
			}
			return
		}
		twice, err := again(once)
		if err != nil {
			t.Fatalf("%s became %s: %v", data, once, err)
		}
		if !bytes.Equal(once, twice) {
			t.Fatalf("not stable:\n%s\n%s", once, twice)
		}
	})
}

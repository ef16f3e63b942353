// Package formattest tests decoders against the rules that all formats share.
package formattest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/record"
)

// WantError checks that err is a *[record.InvalidError] at place whose reason contains
// says, and that its text is one short sentence for a user.
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

// Edit is a case {old, new, place, says}: if new replaces old in a valid document, the
// document is refused with an error at place whose reason contains says.
type Edit [4]string

// Strict tests a decoder with a valid document, with the edits of it, and with the
// errors that all formats refuse. The function again decodes and encodes a document.
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
		// A document that is cut off or followed by something else is refused.
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

// Common returns the edits of a field with a number that every format refuses.
func Common(field, place string) []Edit {
	return []Edit{
		{`"` + field + `":`, `"` + strings.ToUpper(field[:1]) + field[1:] + `":`, place[:strings.LastIndex(place, "/")+1] + strings.ToUpper(field[:1]) + field[1:], "unknown field"},
		{`"` + field + `":`, `"` + field + `":0,"` + field + `":`, place, "duplicate"},
		{`"` + field + `":`, `"` + field + `":null,"x":`, place[:strings.LastIndex(place, "/")+1] + "x", "unknown field"},
	}
}

// Fuzz tests that a decoder never panics, and that what it accepts is written in one
// stable form.
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

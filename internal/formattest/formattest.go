// Package formattest tests decoders against the rules that all formats share.
package formattest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"cpsrl/core/strict"
)

// WantError checks an error that a user may read. It must be a *[strict.InvalidError] at place, its
// reason must contain the text says, and its whole text must be one short sentence.
func WantError(t *testing.T, name string, err error, place, says string) {
	t.Helper()
	invalid, ok := errors.AsType[*strict.InvalidError](err)
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
		encodings(t, document, again)
	})
}

// encodings tests that a byte order mark is skipped, and that other encodings than UTF-8
// are named.
func encodings(t *testing.T, document string, again func([]byte) ([]byte, error)) {
	want, _ := again([]byte(document))
	if got, err := again([]byte("\ufeff" + document)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("after a byte order mark: %v, %s", err, got)
	}
	_, err := again([]byte("\ufeff" + document[:len(document)-1] + "?"))
	WantError(t, "a byte counts with the mark before it", err, "", fmt.Sprintf("byte %d", len(document)+2))
	for _, mark := range []string{"\ufeff", ""} {
		for name, wide := range Wide(mark + document) {
			_, err := again(wide)
			WantError(t, name, err, "", "this file is "+name[:6]+"; save it as UTF-8")
		}
	}
	for says, broken := range Broken(document) {
		_, err := again(broken)
		WantError(t, "other bytes", err, "", says)
	}
}

// Broken returns a text as files that are no text in UTF-8, by the sentence that refuses each.
func Broken(text string) map[string][]byte {
	at := min(3, len(text))
	return map[string][]byte{
		"this file is not UTF-8; save it as UTF-8":                             []byte(text[:at] + "\xe9" + text[at:]),
		"this file is packed by gzip; unpack it, or save its contents as text": []byte("\x1f\x8b\x08" + text),
	}
}

// Wide returns a text in UTF-16 and UTF-32, each in both orders of bytes, by the names of
// the encodings.
func Wide(text string) map[string][]byte {
	all := map[string][]byte{}
	for _, unit := range utf16.Encode([]rune(text)) {
		all["UTF-16LE"] = binary.LittleEndian.AppendUint16(all["UTF-16LE"], unit)
		all["UTF-16BE"] = binary.BigEndian.AppendUint16(all["UTF-16BE"], unit)
	}
	for _, r := range text {
		all["UTF-32LE"] = binary.LittleEndian.AppendUint32(all["UTF-32LE"], uint32(r))
		all["UTF-32BE"] = binary.BigEndian.AppendUint32(all["UTF-32BE"], uint32(r))
	}
	return all
}

// Common returns the edits of a field with a number that every format refuses.
func Common(field, place string) []Edit {
	return []Edit{
		{`"` + field + `":`, `"` + strings.ToUpper(field[:1]) + field[1:] + `":`, place[:strings.LastIndex(place, "/")+1] + strings.ToUpper(field[:1]) + field[1:], "unknown field"},
		{`"` + field + `":`, `"` + field + `":0,"` + field + `":`, place, "duplicate"},
		{`"` + field + `":`, `"` + field + `":null,"x":`, place[:strings.LastIndex(place, "/")+1] + "x", "unknown field"},
	}
}

// Fuzz tests that a decoder never panics. The function again decodes a document and encodes
// its value. A second time, it must return the same bytes.
func Fuzz(f *testing.F, seeds []string, again func([]byte) ([]byte, error)) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := again(data)
		if err != nil {
			if _, ok := errors.AsType[*strict.InvalidError](err); !ok {
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

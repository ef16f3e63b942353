// Package strict reads and writes JSON by the rules that all formats of the project share.
// A document says its format and version first. Unknown formats, versions and fields, missing
// and duplicate fields, nulls and trailing data are refused with the place, a JSON pointer,
// and one sentence.
//
// # Goroutines and memory
//
// Functions may be called by several goroutines at once. Decoded values belong to the caller
// and share nothing with the text, except that [Object] and [Members] return parts of it. A
// [Reader] belongs to the function that [Read] gives it to. The Append functions append to dst
// and return the longer slice.
package strict

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Decode reads exactly one JSON value into the struct that into points to, by
// the rules of the formats. Names are case-sensitive. Decode refuses unknown, duplicate
// and missing names, nulls, arrays of the wrong length, trailing data and more elements
// than the formats can hold. A field is optional if its tag has an omit option. A field
// whose type is a [Decoder] or a json.Unmarshaler decodes itself.
func Decode(data []byte, into any) error {
	return Read(data, func(r *Reader) error { return r.value(reflect.ValueOf(into).Elem()) })
}

// DecodeAt is [Decode] for the part of a document at that place.
func DecodeAt(raw jsontext.Value, into any, place string) error {
	return Within(place, Decode(raw, into))
}

// Heading is the first two fields of every document.
type Heading struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

func (h *Heading) heading() *Heading { return h }

// document is a value that begins with a format and a version.
type document interface{ heading() *Heading }

// DecodeDocument is [Decode] for a document of a format: a struct that embeds a
// [Heading]. If the document has another format or version, the error says so, whatever
// else is wrong with it.
func DecodeDocument(data []byte, into document, format string, newest int) error {
	err := Decode(data, into)
	h := into.heading()
	if err == nil || h.Format != "" && h.Version != 0 {
		return cmp.Or(h.check(format, newest), err)
	}
	if values, malformed := Object(data); malformed == nil { // the heading may come after the error
		_, wrong := headed(values, format, newest)
		return cmp.Or(wrong, err)
	}
	return err
}

// Object returns the members of one JSON object as parts of data. It refuses malformed
// JSON, duplicate names and trailing data.
func Object(data []byte) (map[string]jsontext.Value, error) {
	values := map[string]jsontext.Value{}
	return values, Read(data, func(r *Reader) error {
		return r.Members(func() (err error) {
			if len(values) == mostMembers {
				return Invalid("", "an object with more than %d members", mostMembers)
			}
			name := string(r.name)
			values[name], err = r.Raw()
			return err
		})
	})
}

// Members is [Object] for a document of that format and of a version up to the newest.
// It returns the members other than the heading, and the version. It refuses another
// format first, then another version, then members with other names than these.
func Members(data []byte, format string, newest int, names ...string) (map[string]jsontext.Value, int, error) {
	values, err := Object(data)
	if err != nil {
		return nil, 0, err
	}
	h, err := headed(values, format, newest)
	if err != nil {
		return nil, 0, err
	}
	delete(values, "format")
	delete(values, "version")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			return nil, 0, Invalid(Place(name), "unknown field")
		}
	}
	return values, h.Version, nil
}

// headed reads and checks the heading among the members of an object.
func headed(values map[string]jsontext.Value, format string, newest int) (Heading, error) {
	var h Heading
	var err error
	if raw, ok := values["format"]; ok {
		err = DecodeAt(raw, &h.Format, "/format")
	}
	if raw, ok := values["version"]; ok && err == nil {
		err = DecodeAt(raw, &h.Version, "/version")
	}
	return h, cmp.Or(err, h.check(format, newest))
}

// plain turns an error of the JSON library into an *[InvalidError].
func plain(err error) error {
	if own, ok := errors.AsType[*InvalidError](err); ok {
		return own
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return Invalid(pointer(e.JSONPointer), "malformed JSON at byte %d: %s", e.ByteOffset, strings.TrimPrefix(e.Err.Error(), "jsontext: "))
	}
	return Invalid("", "malformed JSON: %v", err)
}

// Place returns the place of a member of an object, or "" if it is very long.
func Place(name string) string { return pointer(jsontext.Pointer("").AppendToken(name)) }

// pointer returns p as a place, or "" if it is very long.
func pointer(p jsontext.Pointer) string {
	if len(p) > 200 {
		return ""
	}
	return string(p)
}

// check refuses another format and versions that this engine does not know.
func (h *Heading) check(format string, newest int) error {
	if h.Format != format {
		return Invalid("/format", "the format is %q; %q is expected here", h.Format, format)
	}
	if h.Version < 1 || h.Version > newest {
		return Invalid("/version", "version %d of %s is unknown; this engine knows up to %d", h.Version, format, newest)
	}
	return nil
}

// written holds the options of encoding: the same value always has the same JSON, and
// bytes that are not UTF-8, which a message may quote, become U+FFFD.
var written = json.JoinOptions(json.Deterministic(true), jsontext.AllowInvalidUTF8(true))

// Encode returns the JSON of a value of this project. It panics if there is none.
func Encode(value any) []byte {
	data, err := json.Marshal(value, written)
	if err != nil {
		panic("strict: " + err.Error())
	}
	return data
}

// AppendLine appends the JSON of a value of this project and a newline.
func AppendLine(dst []byte, value any) []byte {
	buffer := bytes.NewBuffer(dst)
	if err := json.MarshalWrite(buffer, value, written); err != nil {
		panic("strict: " + err.Error())
	}
	buffer.WriteByte('\n')
	return buffer.Bytes()
}

// WriteLine writes the JSON of a value of this project and a newline.
func WriteLine(w io.Writer, value any) error {
	return json.MarshalEncode(jsontext.NewEncoder(w), value, json.Deterministic(true))
}

package record

import (
	"cmp"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Decode reads exactly one JSON value into the struct that into points to, by
// the rules of the formats: names are case-sensitive; unknown, duplicate and
// missing ones, nulls, arrays of the wrong length, trailing data and more
// elements than the formats can hold are refused. A field is optional if its tag
// has an omit option; one that is a json.Unmarshaler reads itself.
func Decode(data []byte, into any) error {
	return run(data, func(r *reader) error { return r.value(reflect.ValueOf(into).Elem()) })
}

// DecodeAt is [Decode] for a part of a document: it puts errors under the place
// of that part.
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

// decodeDocument is [Decode] for a document of a format: a struct that embeds a
// [Heading]. A document of another format or version is named as such, whatever else
// is wrong with it.
func decodeDocument(data []byte, into document, format string, newest int) error {
	err := Decode(data, into)
	h := into.heading()
	if err == nil || h.Format != "" && h.Version != 0 {
		return cmp.Or(h.check(format, newest), err)
	}
	if values, malformed := Object(data); malformed == nil { // the header may come after what is wrong
		_, wrong := headed(values, format, newest)
		return cmp.Or(wrong, err)
	}
	return err
}

// Object returns the members of one JSON object, as views of data. Malformed
// JSON, duplicate names and trailing data are refused.
func Object(data []byte) (map[string]jsontext.Value, error) {
	values := map[string]jsontext.Value{}
	return values, run(data, func(r *reader) error {
		return r.members(reflect.TypeFor[Heading](), func() (err error) {
			if len(values) == mostMembers {
				return invalid("", "an object with more than %d members", mostMembers)
			}
			name := string(r.name)
			values[name], err = r.raw()
			return err
		})
	})
}

// Members is [Object] for a document of that format and of a version up to the
// newest, beside which it may have members of these names. It returns the version
// too. Another format is refused first, then another version, then other members.
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
			return nil, 0, invalid(Place(name), "unknown field")
		}
	}
	return values, h.Version, nil
}

// headed reads and checks the header that is among the members of an object.
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

// plain turns an error of the JSON library into one sentence and a place.
func plain(err error) error {
	if own, ok := errors.AsType[*InvalidError](err); ok {
		return own
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return invalid(pointer(e.JSONPointer), "malformed JSON at byte %d: %s", e.ByteOffset, strings.TrimPrefix(e.Err.Error(), "jsontext: "))
	}
	return invalid("", "malformed JSON: %v", err)
}

// Place returns the place of a member of an object, or none if it is absurdly long.
func Place(name string) string { return pointer(jsontext.Pointer("").AppendToken(name)) }

// pointer returns a place, or none if it is absurdly long.
func pointer(p jsontext.Pointer) string {
	if len(p) > 200 {
		return ""
	}
	return string(p)
}

// check refuses another format and versions this engine does not know.
func (h *Heading) check(format string, newest int) error {
	if h.Format != format {
		return invalid("/format", "the format is %q; %q is expected here", h.Format, format)
	}
	if h.Version < 1 || h.Version > newest {
		return invalid("/version", "version %d of %s is unknown; this engine knows up to %d", h.Version, format, newest)
	}
	return nil
}

// written says how a value is written: always in the same way, and with U+FFFD for bytes
// that are no UTF-8, as a message may quote them.
var written = json.JoinOptions(json.Deterministic(true), jsontext.AllowInvalidUTF8(true))

// Encode returns the JSON of a value of our own, which always has one.
func Encode(value any) []byte {
	data, err := json.Marshal(value, written)
	if err != nil {
		panic("record: " + err.Error())
	}
	return data
}

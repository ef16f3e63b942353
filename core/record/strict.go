package record

import (
	"cmp"
	"errors"
	"fmt"
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
// has an omit option. A type with its own decoder decides for itself.
func Decode(data []byte, into any) error { return decode(data, into) }

func decode(data []byte, into any) error {
	w := walk{data: data, plan: planOf(reflect.TypeOf(into).Elem())}
	return w.decode(into)
}

func (w *walk) decode(into any) error {
	ended := w.run()
	if ended != nil && ended != errUnread {
		return ended
	}
	if err := json.Unmarshal(w.data, into, json.RejectUnknownMembers(true)); err != nil {
		return plain(err)
	}
	if w.fault == nil && ended != nil {
		return invalid("", "malformed JSON")
	}
	return w.fault
}

// DecodeAt is [Decode] for a part of a document: it puts errors under the place
// of that part.
func DecodeAt(raw jsontext.Value, into any, place string) error {
	if err := decode(raw, into); err != nil {
		return Within(place, err)
	}
	return nil
}

// document is a value that begins with a format and a version.
type document interface{ header() header }

// decodeDocument is decode for a document of a format. A document of another
// format or version is named as such, whatever else is wrong with it.
func decodeDocument(data []byte, into document, format string, newest int) error {
	w := walk{data: data, plan: planOf(reflect.TypeOf(into).Elem())}
	err := w.decode(into)
	if err == nil {
		return checkHeader(into.header(), format, newest)
	}
	if w.wild || checkHeader(into.header(), format, newest) == nil {
		return err
	}
	return cmp.Or(sniff(data, format, newest), err) // the header may come after what is wrong
}

// Object returns the members of one JSON object, as views of data. Malformed
// JSON, duplicate names and trailing data are refused.
func Object(data []byte) (map[string]jsontext.Value, error) {
	w := walk{data: data, plan: &plan{}}
	if err := w.run(); err != nil && err != errUnread {
		return nil, err
	}
	m := members{data: data, values: map[string]jsontext.Value{}}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, plain(err)
	}
	return m.values, nil
}

// Members is [Object] for a document of that format and of a version up to the
// newest, beside which it may have members of these names. Another format is
// refused first, then another version, then other members.
func Members(data []byte, format string, newest int, names ...string) (map[string]jsontext.Value, error) {
	values, err := headed(data, format, newest)
	if err != nil {
		return nil, err
	}
	delete(values, "format")
	delete(values, "version")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			return nil, invalid(Place(name), "unknown field")
		}
	}
	return values, nil
}

// headed returns the members of a document of that format and version.
func headed(data []byte, format string, newest int) (map[string]jsontext.Value, error) {
	values, err := Object(data)
	if err != nil {
		return nil, err
	}
	var h header
	for _, field := range []struct {
		name string
		into any
	}{{"format", &h.Format}, {"version", &h.Version}} {
		if raw, ok := values[field.name]; ok {
			if err := json.Unmarshal(raw, field.into); err != nil {
				return nil, Within("/"+field.name, plain(err))
			}
		}
	}
	return values, checkHeader(h, format, newest)
}

// members are the members of an object, as views of the data they are read from.
type members struct {
	data   []byte
	values map[string]jsontext.Value
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (m *members) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if kind := dec.PeekKind(); kind != '{' {
		if err := dec.SkipValue(); err != nil {
			return err
		}
		if kind == 'n' {
			return invalid("", "null is not allowed here")
		}
		return &json.SemanticError{JSONKind: kind, GoType: reflect.TypeFor[header]()}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		end := int(dec.InputOffset())
		m.values[name] = m.data[end-len(value) : end : end]
	}
	_, err := dec.ReadToken()
	return err
}

// plain turns an error of the JSON library into one sentence and a place.
func plain(err error) error {
	if err == nil {
		return nil
	}
	var own *InvalidError
	if errors.As(err, &own) {
		var semantic *json.SemanticError
		if own.Place == "" && errors.As(err, &semantic) {
			return invalid(pointer(semantic.JSONPointer), "%s", own.Reason)
		}
		return own
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		reason := strings.TrimPrefix(fmt.Sprint(syntactic.Err), "jsontext: ")
		return invalid(pointer(syntactic.JSONPointer), "malformed JSON at byte %d: %s", syntactic.ByteOffset, reason)
	}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		place := pointer(semantic.JSONPointer)
		if errors.Is(semantic.Err, json.ErrUnknownName) {
			return invalid(place, "unknown field")
		}
		if semantic.GoType != nil {
			return invalid(place, "expected %s, found %s", kindOf(semantic.GoType), found(semantic))
		}
		return invalid(place, "%v", semantic.Err)
	}
	return invalid("", "%v", err)
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

// found says what stood where e.GoType was expected.
func found(e *json.SemanticError) string {
	if len(e.JSONValue) > 0 && len(e.JSONValue) <= 40 {
		return string(e.JSONValue)
	}
	switch e.JSONKind {
	case '{':
		return "an object"
	case '[', ']':
		if e.GoType.Kind() == reflect.Array {
			return "an array of another length"
		}
		return "an array"
	case '"':
		return "a string"
	case '0':
		switch e.GoType.Kind() {
		case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
			return "a number out of range"
		}
		return "a number"
	case 't', 'f':
		return "a boolean"
	}
	return "something else"
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Array:
		return fmt.Sprintf("an array of %d", t.Len())
	case reflect.Slice:
		return "an array"
	case reflect.Pointer:
		return kindOf(t.Elem())
	}
	return "an object"
}

// header is the first two fields of every format.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// checkHeader refuses another format and versions this engine does not know.
func checkHeader(h header, format string, newest int) error {
	if h.Format != format {
		return invalid("/format", "the format is %q; %q is expected here", h.Format, format)
	}
	if h.Version < 1 || h.Version > newest {
		return invalid("/version", "version %d of %s is unknown; this engine knows up to %d", h.Version, format, newest)
	}
	return nil
}

// sniff checks the header of a JSON object whatever else it holds.
func sniff(data []byte, format string, newest int) error {
	_, err := headed(data, format, newest)
	return err
}

// encode returns the JSON of a value of our own, which always has one.
func encode(value any) []byte {
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		panic("record: " + err.Error())
	}
	return data
}

// clip keeps an excerpt of hostile text short.
func clip(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

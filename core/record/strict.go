package record

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
)

// invalid returns the error of this package: what is wrong, and where.
func invalid(place, format string, args ...any) error {
	return fmdp.Invalid(place, format, args...)
}

// decode reads exactly one JSON value into the struct that into points to.
// Names are case-sensitive; unknown, duplicate and missing ones, nulls, arrays
// of the wrong length and trailing data are refused. A field is optional if its
// tag has an omit option.
func decode(data []byte, into any) error {
	if err := json.Unmarshal(data, into, json.RejectUnknownMembers(true)); err != nil {
		return plain(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return plain(err)
	}
	return complete(value, reflect.TypeOf(into).Elem(), "")
}

// plain turns an error of the JSON library into one sentence and a place.
func plain(err error) error {
	var own *fmdp.InvalidError
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

// complete refuses nulls and missing required fields in a decoded value.
func complete(value any, t reflect.Type, place string) error {
	if value == nil {
		return invalid(place, "null is not allowed here")
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch value := value.(type) {
	case []any:
		if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
			return nil // a type with its own decoder
		}
		for i, element := range value {
			if err := complete(element, t.Elem(), fmt.Sprintf("%s/%d", place, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return nil
		}
		for i := range t.NumField() {
			name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			member, present := value[name]
			at := place + "/" + name
			switch {
			case present:
				if err := complete(member, t.Field(i).Type, at); err != nil {
					return err
				}
			case !strings.Contains(options, "omit"):
				return invalid(at, "the field %q is missing", name)
			}
		}
	}
	return nil
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

// sniff reads the header of a JSON object whatever else it holds, so that a
// file of another format or version is named as such first.
func sniff(data []byte, format string, newest int) error {
	var h struct {
		Format  string         `json:"format"`
		Version int            `json:"version"`
		Rest    jsontext.Value `json:",embed"`
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return plain(err)
	}
	return checkHeader(header{h.Format, h.Version}, format, newest)
}

// encode returns the JSON of a value of our own, which always has one.
func encode(value any) []byte {
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		panic("record: " + err.Error())
	}
	return data
}

package formattest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/strict"
)

// Twins decode documents in two ways: as package strict does, and slowly.
type Twins struct {
	of    map[reflect.Type]reflect.Type // the plain type of each type
	plain map[reflect.Type]reflect.Type
}

// NewTwins returns the twins of these types. The map plain holds the library's own type for
// each type with a decoder of ours.
func NewTwins(plain map[reflect.Type]reflect.Type, types ...reflect.Type) *Twins {
	w := &Twins{map[reflect.Type]reflect.Type{}, plain}
	for _, t := range types {
		w.of[t] = w.plainType(t)
	}
	return w
}

// The slow twin of decode: the JSON library decodes the document into a type
// without decoders of ours, then into any, which is searched for nulls and
// missing fields.
func slowly(data []byte, t reflect.Type) (any, error) {
	into := reflect.New(t).Interface()
	if err := json.Unmarshal(data, into, json.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(data, &value, json.WithUnmarshalers(json.UnmarshalFromFunc(zero))); err != nil {
		return nil, err
	}
	return into, complete(value, t, "")
}

// zero reads any number as 0, so no number is out of range. A part of a document that stays
// undecoded may have such a number; the decoder of that part refuses it later.
func zero(dec *jsontext.Decoder, value *any) error {
	if dec.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	*value = 0.0
	return dec.SkipValue()
}

func ownDecoder(t reflect.Type) bool {
	pointer := reflect.PointerTo(t)
	return pointer.Implements(reflect.TypeFor[json.UnmarshalerFrom]()) || pointer.Implements(reflect.TypeFor[json.Unmarshaler]())
}

// plainType returns the type with the library's own types for those that plain lists.
func (w *Twins) plainType(t reflect.Type) reflect.Type {
	switch own, is := w.plain[t]; {
	case is:
		return own
	case t == reflect.TypeFor[jsontext.Value](), ownDecoder(t):
		return t
	}
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(w.plainType(t.Elem()))
	case reflect.Slice:
		return reflect.SliceOf(w.plainType(t.Elem()))
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), w.plainType(t.Elem()))
	case reflect.Struct:
		var fields []reflect.StructField
		for _, f := range reflect.VisibleFields(t) {
			switch {
			case f.Anonymous && f.Type.Kind() == reflect.Pointer: // a part that is there or not
				f.Tag = `json:",embed"`
			case f.Anonymous, len(f.Index) > 1 && t.Field(f.Index[0]).Type.Kind() == reflect.Pointer:
				continue
			}
			f.Type, f.Offset, f.Index, f.Anonymous = w.plainType(f.Type), 0, nil, false
			fields = append(fields, f)
		}
		return reflect.StructOf(fields)
	}
	return t
}

// begun reports whether an object has a member of a part of its struct.
func begun(value map[string]any, part reflect.Type) bool {
	return slices.ContainsFunc(reflect.VisibleFields(part), func(f reflect.StructField) bool {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		_, present := value[name]
		return present
	})
}

func complete(value any, t reflect.Type, place string) error {
	if value == nil {
		return strict.Invalid(place, "null is not allowed here")
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if ownDecoder(t) {
		return nil
	}
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			if err := complete(element, t.Elem(), fmt.Sprintf("%s/%d", place, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			member, present := value[name]
			at := place + "/" + name
			switch {
			case options == "embed":
				if begun(value, f.Type.Elem()) {
					if err := complete(value, f.Type, place); err != nil {
						return err
					}
				}
			case present:
				if err := complete(member, f.Type, at); err != nil {
					return err
				}
			case !strings.Contains(options, "omit"):
				return strict.Invalid(at, "the field %q is missing", name)
			}
		}
	}
	return nil
}

// beyond reports whether the error is about a limit that the twin does not have.
func beyond(err error) bool {
	e, ok := errors.AsType[*strict.InvalidError](err)
	return ok && (strings.HasPrefix(e.Reason, "more than ") || strings.HasPrefix(e.Reason, "an object with more than ") ||
		strings.HasPrefix(e.Reason, "a name of more than ") || strings.Contains(e.Reason, "exceeded max depth"))
}

// byLabels reports whether a value holds a table whose rows have names, which the twin does not
// know.
func byLabels(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && byLabels(v.Elem())
	case reflect.Slice:
		for k := range v.Len() {
			if byLabels(v.Index(k)) {
				return true
			}
		}
	case reflect.Struct:
		if named := v.FieldByName("labeled"); named.IsValid() {
			return named.Len() > 0
		}
		for k := range v.NumField() {
			if byLabels(v.Field(k)) {
				return true
			}
		}
	}
	return false
}

// agree reads a document as a value of that type, once by decode and once by its twin, and
// reports a difference.
func (w *Twins) agree(t *testing.T, data []byte, of reflect.Type) {
	got := reflect.New(of).Interface()
	err := strict.Decode(data, got)
	text, _ := strict.UTF8(data) // the twin knows no byte order mark
	want, slowErr := slowly(text, w.of[of])
	switch {
	case beyond(err), err == nil && byLabels(reflect.ValueOf(got)):
	case (err == nil) != (slowErr == nil):
		t.Errorf("%v: %q: %v; the twin says %v", of, data, err, slowErr)
	case err == nil && !bytes.Equal(strict.Encode(got), strict.Encode(want)):
		t.Errorf("%v: %q became\n%s\nand with the twin\n%s", of, data, strict.Encode(got), strict.Encode(want))
	}
}

// Kept returns the lines of all files in testdata.
func Kept(tb testing.TB) (list [][]byte) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile("testdata/" + e.Name())
		if err != nil {
			tb.Fatal(err)
		}
		list = slices.AppendSeq(list, bytes.Lines(data))
	}
	return list
}

// Fuzz compares strict.Decode with its slow twin: both accept the same documents and read the same
// values.
func (w *Twins) Fuzz(f *testing.F) {
	for _, line := range Kept(f) {
		f.Add(line)
	}
	for _, text := range []string{
		`{"x":[],"y":[1e2,-0,null]}`, `{"x":[ 1 , 2 ] , "y" : [0]}`, `{"\u0078":[1],"y":[]}`, `{"x":1,"y":[]}`, `{"x":[9223372036854775808],"y":[-9223372036854775808]}`,
		`{"state":[0],"p":1e400}`, `{"state":[0],"p":-0.0}`, `{"state":[0],"p":1E+2}`, `{"state":null,"p":1}`, `null`, `{"state":[0],"state":[0],"p":1}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for of := range w.of {
			w.agree(t, data, of)
		}
	})
}

// Test replaces every value of every document of testdata by wrong values. Oracle: the twin.
func (w *Twins) Test(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js")
	}
	for _, line := range Kept(t) {
		for of := range w.of {
			if strict.Decode(line, reflect.New(of).Interface()) != nil {
				continue
			}
			w.agree(t, line, of)
			places := 0
			for at := range line {
				if at > 0 && !bytes.ContainsRune([]byte("[{:,"), rune(line[at-1])) {
					continue
				}
				dec := jsontext.NewDecoder(bytes.NewBuffer(line[at:]))
				if dec.SkipValue() != nil {
					continue
				}
				end := at + int(dec.InputOffset())
				if places++; places%(1+len(line)/1000) != 0 {
					continue // a sample of a long line is enough
				}
				for _, other := range []string{"null", "0", "-0", "1.5", "1e999", `""`, `[]`, `[null]`, `[[]]`, `[[1.5,null]]`, `{}`, `true`, `"x":0`, ``} {
					w.agree(t, bytes.Join([][]byte{line[:at], line[end:]}, []byte(other)), of)
				}
			}
		}
	}
}

// Benchmark decodes the documents of testdata; "worst" is the largest of their
// ratios: the shortest time of one over that of the JSON library alone, unknown fields
// refused, into the library's own types.
func (w *Twins) Benchmark(b *testing.B) {
	for of, twin := range w.of {
		b.Run(of.Name(), func(b *testing.B) {
			var list [][]byte
			for _, line := range Kept(b) {
				if strict.Decode(line, reflect.New(of).Interface()) == nil {
					list = append(list, line)
				}
			}
			if len(list) == 0 {
				b.Skip("it is a part of another document")
			}
			// A short document is read ten times for one measurement.
			const readings = 10
			shortest := make([][2]time.Duration, len(list))
			for b.Loop() {
				for k, line := range list {
					start := time.Now()
					for range readings {
						if err := strict.Decode(line, reflect.New(of).Interface()); err != nil {
							b.Fatal(err)
						}
					}
					middle := time.Now()
					for range readings {
						if err := json.Unmarshal(line, reflect.New(twin).Interface(), json.RejectUnknownMembers(true)); err != nil {
							b.Fatal(err)
						}
					}
					for i, took := range [...]time.Duration{middle.Sub(start), time.Since(middle)} {
						if least := &shortest[k][i]; *least == 0 || took < *least {
							*least = took
						}
					}
				}
			}
			worst := 0.0
			for _, took := range shortest {
				worst = max(worst, float64(took[0])/float64(took[1]))
			}
			b.ReportMetric(worst, "worst")
		})
	}
}

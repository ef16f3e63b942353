package strict

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// Reader decodes one JSON value in one pass over the tokens of the JSON library,
// which refuses malformed JSON, duplicate names and trailing data.
type Reader struct {
	*jsontext.Decoder
	data []byte
	name []byte  // the name of the field, without quotes
	null error   // the error for the first null, which is reported if nothing else is wrong
	most float64 // the largest absolute value of a number; 0 for no limit

	allocated int // bytes, for numbers, lists and texts
	forLists  int // the bytes of these that are for lists and texts
}

// resting holds readers to be reused: to make one takes a fifth of the time in which a
// short document is read. The reader of a long document is not reused, because it keeps
// its memory.
var resting = make(chan *Reader, 8)

// short is the length in bytes of the longest document whose reader is reused.
const short = 1 << 16

// Read reads data with the function read. A byte order mark before the value is skipped.
func Read(data []byte, read func(*Reader) error) error {
	text, err := UTF8(data)
	if err != nil {
		return err
	}
	skipped := len(data) - len(text)
	var r *Reader
	select {
	case r = <-resting:
	default:
		r = &Reader{Decoder: new(jsontext.Decoder)}
	}
	*r = Reader{Decoder: r.Decoder, data: text}
	r.Reset(bytes.NewBuffer(text))
	err = r.whole(read, int64(skipped))
	if len(data) <= short {
		select {
		case resting <- r:
		default:
		}
	}
	return err
}

// whole reads one value with the function read and checks that nothing follows it. That
// many bytes were skipped before the value.
func (r *Reader) whole(read func(*Reader) error, skipped int64) error {
	if err := read(r); err != nil {
		if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			e.ByteOffset += skipped
		}
		return plain(err)
	}
	at := r.InputOffset() + skipped
	if _, err := r.ReadToken(); err != io.EOF {
		return Invalid("", "malformed JSON at byte %d: something follows the value", at)
	}
	return r.null
}

// Decoder is a value that decodes itself.
type Decoder interface {
	// DecodeStrict reads the next value of r.
	DecodeStrict(r *Reader) error
}

// Value reads the next value into the variable that into points to.
func (r *Reader) Value(into any) error { return r.value(reflect.ValueOf(into).Elem()) }

// Name returns the name of the member whose value comes next.
func (r *Reader) Name() string { return string(r.name) }

// Place returns the place of the value that was read last, or "" if it is very long.
func (r *Reader) Place() string { return pointer(r.StackPointer()) }

// Around returns the place of the array or object around the value that was read last.
func (r *Reader) Around() string { return pointer(r.StackPointer().Parent()) }

// Null returns the error of the first null that was read, or nil.
func (r *Reader) Null() error { return r.null }

// Within sets the largest absolute value of the numbers that are read.
func (r *Reader) Within(most float64) { r.most = most }

// Since returns the text from a byte of the document up to the present one.
func (r *Reader) Since(from int64) []byte { return r.data[from:r.InputOffset()] }

// Spend counts bytes that are about to be allocated for lists and texts. It refuses the
// document if its memory would be out of proportion to its length.
func (r *Reader) Spend(bytes int) error { return r.spend(0, bytes) }

// value reads the next value into v.
func (r *Reader) value(v reflect.Value) error {
	switch into := v.Addr().Interface().(type) {
	case *float64:
		return Number(r, into)
	case *int:
		return Number(r, into)
	case *[]float64:
		return Row(r, into)
	case *[]int:
		return Row(r, into)
	case *[][]float64:
		return Rows(r, into)
	case *[][]int32:
		return Rows(r, into)
	case *[][]int:
		return Rows(r, into)
	case *Table:
		return into.Decode(r)
	case Decoder:
		return into.DecodeStrict(r)
	case *jsontext.Value:
		if r.PeekKind() == 'n' {
			_, _, err := r.token("", 0)
			return err
		}
		raw, err := r.Raw()
		*into = bytes.Clone(raw)
		return err
	case json.Unmarshaler:
		place := pointer(r.StackPointer())
		raw, err := r.Raw()
		if err == nil {
			err = Within(place, into.UnmarshalJSON(raw))
		}
		return err
	}
	switch t := v.Type(); v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return r.value(v.Elem())
	case reflect.Struct:
		return r.object(v)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, 0, 0))
		return r.List(Array, func(k int) error {
			if k == v.Cap() {
				most := max(2*k, 4)
				if k == 0 && t.Elem().Kind() == reflect.String { // labels, of which there may be many
					text, _, _ := bytes.Cut(r.data[r.InputOffset():], []byte("]"))
					most = bytes.Count(text, []byte(",")) + 1
				}
				if err := r.spend(0, most*int(t.Elem().Size())); err != nil {
					return err
				}
				longer := reflect.MakeSlice(t, k, most)
				reflect.Copy(longer, v)
				v.Set(longer)
			}
			v.SetLen(k + 1)
			return r.value(v.Index(k))
		})
	case reflect.Array:
		n, expected := 0, Array+" of "+strconv.Itoa(v.Len())
		err := r.List(expected, func(k int) error {
			if n++; k >= v.Len() {
				return wrong(r.StackPointer().Parent(), expected, "an array of another length")
			}
			return r.value(v.Index(k))
		})
		if err == nil && n < v.Len() && r.null == nil {
			err = wrong(r.StackPointer(), expected, "an array of another length")
		}
		return err
	case reflect.String:
		token, ok, err := r.token("a string", '"')
		if ok {
			v.SetString(token.String())
			err = r.spend(0, v.Len())
		}
		return err
	case reflect.Bool:
		token, ok, err := r.token("true or false", 't')
		v.SetBool(ok && token.Bool())
		return err
	}
	panic("strict: no format has a " + v.Type().String())
}

// fields describes the fields of a struct and of the structs that it embeds.
type fields struct {
	names    []string
	at       [][]int  // the index of each field for reflect.Value.FieldByIndex
	required uint64   // a bit for each field
	groups   []uint64 // the required fields of each embedded pointer: all are there, or none
}

// known holds the fields of the formats' structs, so that they are not looked up again for
// each document. Only [Know] changes it.
var known = map[reflect.Type]fields{}

// Know looks up the fields of structs once and for all. Packages of formats call it when they
// are initialised, and nothing else may.
func Know(structs ...any) (done bool) {
	for _, of := range structs {
		t := reflect.TypeOf(of)
		known[t] = newFields(t)
	}
	return true
}

func fieldsOf(t reflect.Type) fields {
	if f, ok := known[t]; ok {
		return f
	}
	return newFields(t)
}

func newFields(t reflect.Type) fields {
	var f fields
	for _, field := range reflect.VisibleFields(t) {
		if field.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || len(f.names) == 64 {
			panic("strict: a field of " + t.String() + " has no name in its tag, or is one too many")
		}
		if !strings.Contains(options, "omit") {
			*f.needed(t, field.Index) |= 1 << len(f.names)
		}
		f.names, f.at = append(f.names, name), append(f.at, field.Index)
	}
	return f
}

// needed returns the set of required fields that the field of that index belongs to: those of
// an embedded pointer, or those of the struct itself.
func (f *fields) needed(t reflect.Type, index []int) *uint64 {
	if len(index) > 1 && t.Field(index[0]).Type.Kind() == reflect.Pointer {
		for len(f.groups) <= index[0] {
			f.groups = append(f.groups, 0)
		}
		return &f.groups[index[0]]
	}
	return &f.required
}

// member returns the field of that index. If the field is in an embedded struct that is nil, member
// makes the struct.
func member(v reflect.Value, index []int) reflect.Value {
	if len(index) > 1 {
		if in := v.Field(index[0]); in.Kind() == reflect.Pointer {
			if in.IsNil() {
				in.Set(reflect.New(in.Type().Elem()))
			}
			return in.Elem().FieldByIndex(index[1:])
		}
	}
	return v.FieldByIndex(index)
}

// object reads an object into a struct.
func (r *Reader) object(v reflect.Value) error {
	f, seen := fieldsOf(v.Type()), uint64(0)
	next := 0 // the field after the last one; most documents have their fields in order
	err := r.Members(func() error {
		if next >= len(f.names) || string(r.name) != f.names[next] {
			if next = slices.Index(f.names, string(r.name)); next < 0 {
				return Invalid(pointer(r.StackPointer()), "unknown field")
			}
		}
		seen |= 1 << next
		next++
		return r.value(member(v, f.at[next-1]))
	})
	for _, group := range f.groups {
		if seen&group != 0 {
			f.required |= group
		}
	}
	if missing := f.required &^ seen; err == nil && missing != 0 && r.null == nil {
		name := f.names[bits.TrailingZeros64(missing)]
		err = Invalid(pointer(r.StackPointer())+"/"+name, "the field %q is missing", name)
	}
	return err
}

// Members reads an object. The function each reads the value of the member whose name Name
// returns.
func (r *Reader) Members(each func() error) error {
	_, ok, err := r.token("an object", '{')
	for ok && err == nil && r.PeekKind() != '}' {
		if err = r.field(); err == nil {
			err = each()
		}
	}
	if ok && err == nil {
		_, err = r.ReadToken()
	}
	return err
}

// Array names a list of any length in an error.
const Array = "an array"

// List reads an array. The function each reads element k. If the value is no array, the error says
// what was expected in the words of the argument expected, such as [Array].
func (r *Reader) List(expected string, each func(k int) error) error {
	_, ok, err := r.token(expected, '[')
	for k := 0; ok && err == nil && r.PeekKind() != ']'; k++ {
		err = each(k)
	}
	if ok && err == nil {
		_, err = r.ReadToken()
	}
	return err
}

// number is a type of numbers in the formats.
type number interface{ int | int32 | float64 }

// Number reads a number.
func Number[T number](r *Reader, into *T) error {
	fraction, expected := T(1)/2 != 0, "a whole number"
	if fraction {
		expected = "a number"
	}
	switch r.PeekKind() {
	case '0':
	case '"':
		token, err := r.ReadToken()
		if err != nil {
			return err
		}
		found := "a string"
		if hint := param.Hint(token.String(), !fraction); hint != "" {
			found = strconv.Quote(param.Clip(token.String())) + hint
		}
		return wrong(r.StackPointer(), expected, found)
	default:
		_, _, err := r.token(expected, '0')
		return err
	}
	text, err := r.ReadValue()
	if err != nil {
		return err
	}
	exact := true
	switch {
	case len(text) == 1:
		*into = T(text[0] - '0')
	case fraction:
		var f float64
		f, err = strconv.ParseFloat(string(text), 64)
		*into = T(f)
	default:
		var n int
		n, err = strconv.Atoi(string(text))
		*into = T(n)
		exact = int(*into) == n
	}
	if err != nil || !exact {
		*into = 0
		return wrong(r.StackPointer(), expected, param.Clip(string(text))+param.Hint(string(text), !fraction))
	}
	if value := float64(*into); r.most > 0 && math.Abs(value) > r.most {
		return Invalid(pointer(r.StackPointer()), "%v is out of range; it must be within ±%g", value, r.most)
	}
	return nil
}

// Row reads an array of numbers.
func Row[T number](r *Reader, into *[]T) error {
	if *into == nil {
		_, n, err := r.count()
		if err != nil {
			return err
		}
		*into = make([]T, 0, n)
	}
	return r.List(Array, func(int) error {
		var x T
		err := Number(r, &x)
		*into = append(*into, x)
		return err
	})
}

// Rows reads an array of arrays of numbers, which share their memory.
func Rows[T number](r *Reader, into *[][]T) error {
	var t grid[T]
	err := t.Decode(r)
	if err == nil {
		err = r.spend(0, 24*len(t.Ends))
	}
	if err == nil {
		*into = make([][]T, len(t.Ends))
		for k := range *into {
			(*into)[k] = t.Row(k)
		}
	}
	return err
}

// grid is an array of arrays of numbers in one slice.
type grid[T number] struct {
	Entries []T
	Ends    []int32 // where each row ends in Entries
}

// Table is an array of arrays of numbers.
type Table = grid[float64]

// TableOf returns the table with rows of that size. It shares the entries.
func TableOf(entries []float64, size int) (t Table) {
	t.Entries = entries
	for end := size; end <= len(entries); end += size {
		t.Ends = append(t.Ends, int32(end))
	}
	return t
}

// Row returns a row, which shares the memory of the grid.
func (t *grid[T]) Row(row int) []T {
	from := int32(0)
	if row > 0 {
		from = t.Ends[row-1]
	}
	return t.Entries[from:t.Ends[row]:t.Ends[row]]
}

// Decode reads the next value.
func (t *grid[T]) Decode(r *Reader) error {
	rows, numbers, err := r.count()
	if err != nil {
		return err
	}
	t.Entries, t.Ends = make([]T, 0, numbers), make([]int32, 0, rows)
	return r.List(Array, func(int) error {
		err := Row(r, &t.Entries)
		t.Ends = append(t.Ends, int32(len(t.Entries)))
		return err
	})
}

func (t grid[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	err := enc.WriteToken(jsontext.BeginArray)
	for row := range t.Ends {
		err = cmp.Or(err, json.MarshalEncode(enc, t.Row(row)))
	}
	return cmp.Or(err, enc.WriteToken(jsontext.EndArray))
}

// count returns upper bounds on the rows and the numbers in the array of numbers, or of
// arrays of numbers, that comes next, and spends the memory for them. It looks as far as
// the next name or closing brace.
func (r *Reader) count() (rows, numbers int, err error) {
	text := r.data[r.InputOffset():]
	for _, end := range []byte(`"}`) {
		if at := bytes.IndexByte(text, end); at >= 0 {
			text = text[:at]
		}
	}
	text = text[:bytes.LastIndexByte(text, ']')+1]
	rows, numbers = bytes.Count(text, []byte("[")), bytes.Count(text, []byte(","))+1
	if rows > fmdp.MaxPoints+1 || numbers > max(rows-1, 1)*fmdp.MaxPoints {
		return 0, 0, Invalid(pointer(r.StackPointer()), "more than %d rows, or numbers a row", fmdp.MaxPoints)
	}
	return rows, numbers, r.spend(8*numbers+4*rows, 0)
}

// spend counts bytes that are about to be allocated, for numbers and for lists and texts. It
// refuses the document if its memory would be out of proportion to its length, or its lists
// larger than those of any format.
func (r *Reader) spend(numbers, lists int) error {
	r.allocated += numbers + lists
	r.forLists += lists
	if r.allocated > 4*len(r.data)+3<<20 || r.forLists > 16<<20 {
		return Invalid(pointer(r.StackPointer()), "more than a document of %d bytes may hold", len(r.data))
	}
	return nil
}

// Limits of objects that are not decoded into a struct. No format reaches them: a name of
// fmdp.MaxName bytes has less than MostName as it is written, even if each is an escape.
const (
	mostMembers = 1 << 8
	MostName    = 1 << 10 // bytes of a name as it is written
)

// field reads the name of a member into r.name.
func (r *Reader) field() error {
	name, err := r.ReadValue()
	if err == nil && len(name) > MostName {
		place := "" // of a very long name, which the pointer would hold
		if len(name) < short {
			place = pointer(r.StackPointer().Parent())
		}
		return Invalid(place, "a name of more than %d bytes", MostName)
	}
	r.name, _ = jsontext.AppendUnquote(r.name[:0], name)
	return err
}

// Raw reads a value without decoding it and returns a part of the data.
func (r *Reader) Raw() (jsontext.Value, error) {
	if kind := r.PeekKind(); kind != '{' && kind != '[' {
		return r.ReadValue()
	}
	_, err := r.ReadToken()
	from, depth := r.InputOffset()-1, r.StackDepth()
	for err == nil && r.StackDepth() >= depth {
		kind, n := r.StackIndex(r.StackDepth())
		if kind == '[' || n%2 == 1 || r.PeekKind() == '}' {
			_, err = r.ReadToken()
		} else if err = r.field(); n == 2*mostMembers {
			err = Invalid(pointer(r.StackPointer().Parent()), "an object with more than %d members", mostMembers)
		}
	}
	return r.data[from:r.InputOffset():r.InputOffset()], err
}

// token reads the first token of a value. If the token has that kind, ok is true. If it is a null,
// ok is false, and r.null keeps an error for the first null. Any other token is an error: "expected an array,
// found a string", where the argument expected is "an array".
func (r *Reader) token(expected string, kind jsontext.Kind) (token jsontext.Token, ok bool, err error) {
	if token, err = r.ReadToken(); err != nil {
		return token, false, err
	}
	switch found := token.Kind(); {
	case found == kind, found == 'f' && kind == 't':
		return token, true, nil
	case found != 'n':
		return token, false, wrong(r.StackPointer(), expected, map[jsontext.Kind]string{
			'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "a boolean", 'f': "a boolean",
		}[found])
	case r.null == nil:
		r.null = Invalid(pointer(r.StackPointer()), "null is not allowed here")
	}
	return token, false, nil
}

// wrong returns the error for what was found where something else is expected.
func wrong(place jsontext.Pointer, expected, found string) error {
	return Invalid(pointer(place), "expected %s, found %s", expected, found)
}

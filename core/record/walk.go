package record

import (
	"errors"
	"iter"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
)

// The walk over a document, before it is decoded: it finds what the JSON library
// lets pass (nulls, missing fields) and what would fill the memory (more
// elements than a format can hold). It reads no value and passes over malformed
// JSON, which the library reports.

// limits are the most elements that an array holds over the whole document, by
// the word of its max tag. They bound what decoding allocates; the checks that
// follow are tighter, and say more.
var limits = map[string]int{
	"labels":  fmdp.MaxPoints + fmdp.MaxVariables,
	"points":  fmdp.MaxPoints,
	"horizon": fmdp.MaxHorizon,
	"steps":   fmdp.MaxHorizon * fmdp.MaxVariables,
}

const (
	mostElements = 1 << 16 // of an array without a max tag
	mostMembers  = 1 << 8  // of an object that is kept as it is; no format has as many
	mostName     = 1 << 8  // bytes of a quoted name
	mostDepth    = 1 << 6  // of arrays and objects in such a one; no format has as many
	mostSteps    = 1 << 4  // of a place in the types that are decoded
)

// plan is what the walk knows of a type. A zero plan is of a type that is not
// looked into: a string, a number, a boolean or one with its own decoder.
type plan struct {
	object   bool
	fields   []planField
	required uint64 // by the index of the field

	array bool
	elem  *plan
	most  int
	index int // of this array among those of the document

	arrays int // how many arrays there are, of the document's plan only
}

type planField struct {
	name string
	plan *plan
}

// plans are those of the documents. Other types are looked at when they are met.
var plans = plansOf(
	reflect.TypeFor[modelDoc](), reflect.TypeFor[initialDoc](), reflect.TypeFor[priorDoc](),
	reflect.TypeFor[Record](), reflect.TypeFor[Transition](), reflect.TypeFor[Trace](),
)

func plansOf(documents ...reflect.Type) map[reflect.Type]*plan {
	list := map[reflect.Type]*plan{}
	for _, t := range documents {
		list[t] = newPlan(t)
	}
	return list
}

func planOf(t reflect.Type) *plan {
	if p, ok := plans[t]; ok {
		return p
	}
	return newPlan(t)
}

func newPlan(t reflect.Type) *plan {
	arrays := 0
	p := addPlan(t, mostElements, &arrays)
	p.arrays = arrays
	return p
}

// addPlan returns the plan of a type, an array of which holds at most so many
// elements, and counts the arrays.
func addPlan(t reflect.Type, most int, arrays *int) *plan {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	pointer := reflect.PointerTo(t)
	p := &plan{}
	switch {
	case pointer.Implements(reflect.TypeFor[json.UnmarshalerFrom]()), pointer.Implements(reflect.TypeFor[json.Unmarshaler]()):
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		p.array, p.most, p.index = true, most, *arrays
		*arrays++
		if t.Kind() == reflect.Array {
			p.most = math.MaxInt // the library counts
		}
		p.elem = addPlan(t.Elem(), mostElements, arrays)
	case t.Kind() == reflect.Struct:
		p.object = true
		p.addFields(t, arrays)
	}
	return p
}

func (p *plan) addFields(t reflect.Type, arrays *int) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" || len(p.fields) == 64 {
			panic("record: a field of " + t.String() + " has no name in its tag, or is one too many")
		}
		most := mostElements
		if word, ok := f.Tag.Lookup("max"); ok {
			if most, ok = limits[word]; !ok {
				panic("record: there is no limit " + word)
			}
		}
		if !strings.Contains(options, "omit") {
			p.required |= 1 << len(p.fields)
		}
		p.fields = append(p.fields, planField{name, addPlan(f.Type, most, arrays)})
	}
}

// field returns the index of the field of that quoted name, or −1.
func (p *plan) field(quoted []byte) int {
	name, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(p.fields, func(f planField) bool { return f.name == string(name) })
}

// errUnread says that the walk ended at something that the library refuses:
// malformed JSON or an unknown field.
var errUnread = errors.New("record: unread")

// walk goes over one JSON value.
type walk struct {
	data   []byte
	plan   *plan
	at     int // the next byte
	path   [mostSteps]step
	depth  int   // of path
	counts []int // elements so far, by plan.index
	fault  error // the first null or missing field
	wild   bool  // the walk ended at what is in no format
}

// step is one step of a place: into a field, or into an element.
type step struct {
	name  string // of a field; empty: an element
	index int
}

// run walks over the value. It returns errUnread, or an error if the value is
// larger than those of the formats.
func (w *walk) run() error {
	w.counts = make([]int, w.plan.arrays)
	return w.value(w.plan)
}

// place returns the place of the value that the walk is in.
func (w *walk) place() string {
	var b strings.Builder
	for _, s := range w.path[:w.depth] {
		b.WriteByte('/')
		if s.name != "" {
			b.WriteString(s.name)
		} else {
			b.WriteString(strconv.Itoa(s.index))
		}
	}
	return b.String()
}

// space goes to the next byte that is not white space, and returns it; 0 at the
// end.
func (w *walk) space() byte {
	for ; w.at < len(w.data); w.at++ {
		if c := w.data[w.at]; c > ' ' {
			return c
		}
	}
	return 0
}

func (w *walk) value(p *plan) error {
	switch c := w.space(); {
	case c == '{' && p.object:
		return w.object(p)
	case c == '[' && p.array:
		return w.array(p)
	case c == '{' || c == '[':
		return w.skip()
	case c == '"':
		_, err := w.text()
		return err
	case c == 'n' && w.fault == nil:
		w.fault = invalid(w.place(), "null is not allowed here")
	}
	return w.literal()
}

func (w *walk) object(p *plan) error {
	w.at++
	at := &w.path[w.depth]
	w.depth++
	var seen uint64
	next := 0
	for c := w.space(); c != '}'; c = w.space() {
		if !w.expect(p, next) {
			name, err := w.text()
			if err != nil {
				return err
			}
			if len(name) > mostName {
				w.depth--
				return w.longName()
			}
			if next = p.field(name); next < 0 {
				return errUnread
			}
		}
		if w.space() != ':' {
			return errUnread
		}
		w.at++
		seen |= 1 << next
		at.name = p.fields[next].name
		if err := w.value(p.fields[next].plan); err != nil {
			return err
		}
		next++
		if c = w.space(); c == ',' {
			w.at++
		} else if c != '}' {
			return errUnread
		}
	}
	w.at++
	w.depth--
	if missing := p.required &^ seen; missing != 0 && w.fault == nil {
		name := p.fields[bits.TrailingZeros64(missing)].name
		w.fault = invalid(w.place()+"/"+name, "the field %q is missing", name)
	}
	return nil
}

// expect goes over the name of that field, if it stands there: most documents
// have their fields in order.
func (w *walk) expect(p *plan, field int) bool {
	if field >= len(p.fields) {
		return false
	}
	name, rest := p.fields[field].name, w.data[w.at:]
	if n := len(name); len(rest) < n+2 || rest[0] != '"' || rest[n+1] != '"' || string(rest[1:n+1]) != name {
		return false
	}
	w.at += len(name) + 2
	return true
}

func (w *walk) array(p *plan) error {
	w.at++
	at := &w.path[w.depth]
	*at = step{}
	w.depth++
	for c := w.space(); c != ']'; c = w.space() {
		if w.counts[p.index]++; w.counts[p.index] > p.most {
			w.depth--
			return tooMany(w.place(), p.most)
		}
		if err := w.value(p.elem); err != nil {
			return err
		}
		at.index++
		if c = w.space(); c == ',' {
			w.at++
		} else if c != ']' {
			return errUnread
		}
	}
	w.at++
	w.depth--
	return nil
}

func tooMany(place string, most int) error {
	return invalid(place, "more than %d elements", most)
}

// text goes over a string and returns it, quoted.
func (w *walk) text() ([]byte, error) {
	from := w.at
	if from == len(w.data) || w.data[from] != '"' {
		return nil, errUnread
	}
	for at := from + 1; at < len(w.data); at++ {
		switch w.data[at] {
		case '\\':
			at++
		case '"':
			w.at = at + 1
			return w.data[from:w.at], nil
		}
	}
	return nil, errUnread
}

// literal goes over a number, true, false or null.
func (w *walk) literal() error {
	from := w.at
	for w.at < len(w.data) && !ends[w.data[w.at]] {
		w.at++
	}
	if w.at == from {
		return errUnread
	}
	return nil
}

// ends are the bytes that a number, true, false or null ends at.
var ends = func() (set [256]bool) {
	for _, c := range []byte(" \t\n\r,:\"[]{}") {
		set[c] = true
	}
	return set
}()

func (w *walk) longName() error {
	w.wild = true
	return invalid(w.place(), "a name of more than %d bytes", mostName)
}

// skip goes over an array or an object that is not looked into.
func (w *walk) skip() error {
	var members [mostDepth + 1]int32 // still allowed of each open object
	depth := 0
	for ; w.at < len(w.data); w.at++ {
		at := w.at
		for at < len(w.data) && !ends[w.data[at]] {
			at++
		}
		if w.at = at; at == len(w.data) {
			break
		}
		switch w.data[at] {
		case '"':
			text, err := w.text()
			if err != nil {
				return err
			}
			if len(text) > mostName && w.space() == ':' {
				return w.longName()
			}
			w.at--
		case '[', '{':
			if depth == mostDepth {
				w.wild = true
				return invalid("", "malformed JSON at byte %d: exceeded max depth", w.at)
			}
			depth++
			members[depth] = mostMembers
			if w.data[at] == '[' {
				members[depth] = math.MaxInt32
			}
		case ',':
			if members[depth]--; members[depth] == 0 {
				w.wild = true
				return invalid(w.place(), "an object with more than %d members", mostMembers)
			}
		case ']', '}':
			if depth--; depth == 0 {
				w.at++
				return nil
			}
		}
	}
	return errUnread
}

// unseen is the plan of a value that is not looked into.
var unseen plan

// next goes over one value of valid JSON, and returns it.
func (w *walk) next() jsontext.Value {
	c := w.space()
	from := w.at
	if c <= '9' && c != '"' {
		for w.at++; w.at < len(w.data) && !ends[w.data[w.at]]; w.at++ {
		}
	} else if err := w.value(&unseen); err != nil {
		panic("record: not a value: " + err.Error())
	}
	return w.data[from:w.at:w.at]
}

// comma goes over the comma between two values, if there is one.
func (w *walk) comma() {
	if w.space() == ',' {
		w.at++
	}
}

// elements yields the elements of a valid JSON array, as views.
func elements(array jsontext.Value) iter.Seq2[int, jsontext.Value] {
	return func(yield func(int, jsontext.Value) bool) {
		w := walk{data: array}
		w.space()
		w.at++
		for k := 0; w.space() != ']'; w.comma() {
			if !yield(k, w.next()) {
				return
			}
			k++
		}
	}
}

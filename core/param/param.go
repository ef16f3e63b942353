// Package param describes parameters: their names, the values they may have, and
// the variables that hold the values. Codecs, forms, links and flags are made from
// tables of parameters and need nothing else.
//
// A parameter is a whole number, a word of a list, a number or a word, a value with
// a notation of its own, or a document. Its value has one canonical text. The zero
// value stands for an absent value, unless 0 is within the limits.
//
// A [Param] points to its value. While one goroutine sets a value, no other goroutine
// may use a table that points to it. Tables of different values share nothing that
// changes.
package param

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Max is the largest whole number of any parameter: a float64 holds every whole
// number up to it, and so does an int. Where ints have 32 bits, seeds are smaller.
const Max = math.MaxInt & (1<<53 - 1)

// Section is the part of a form that a parameter belongs to.
type Section string

const (
	Domain   Section = "domain"   // the problem
	Prior    Section = "prior"    // what is known of the problem
	Size     Section = "size"     // how much is computed
	Switches Section = "switches" // which reading of the paper the algorithm follows
	Agents   Section = "agents"   // parameters of a single agent
)

// Word is one value of a parameter with its label in a form.
type Word struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Since int    `json:"-"` // the first version of the formats with the word, if it is later than that of the parameter
}

// Param is one row of a table of parameters. Exactly one of Int, Text, Written and
// Document is not nil; it points to the value.
type Param struct {
	Name    string  // the member of the JSON object
	Key     string  // the key in a link, and the flag of the command
	Section Section // where a form shows it
	Label   string  // the name in a form
	Symbol  string  // the paper's symbol, or ""
	Phrase  string  // the words for a value in a sentence, with _ for the value: "_ runs"
	Help    string  // one or two sentences if the label does not say enough, or ""

	Int       *int // a whole number from Low to High; −1−k stands for Words[k]
	Low, High int

	Text *string // one of Words

	Written Written // Words are values that a form offers; there are others

	Document Document

	Words []Word
	Named bool // the value is the name of one of the spec's priors
	// Restarts says that another choice in this menu starts the domain again, with its
	// defaults and without a prior, as a grid of another size does.
	Restarts bool

	Default string // the text of the value that an absent one stands for; "" if there is none
	// Since is the first version of the formats with the parameter; 0 means 1. Documents
	// of earlier versions stand for the value that Link returns.
	Since int
	// DefaultSince is the first version of the formats with the Default, if it is not Since.
	// In documents of earlier versions an absent value stands for the one that Link returns.
	DefaultSince int
	// Frozen is the text of the value that links leave out; "" is Default.
	Frozen string
}

// Written is a value with a notation of its own, such as the concentration of a prior: a
// text for links, labels and flags.
type Written interface {
	// String returns the canonical text; "" if the value is absent.
	String() string
	// Parse sets the value from a text, which need not be the canonical one. If the text is
	// refused, the value does not change.
	Parse(text string) error
	// Range describes the possible values in words.
	Range() string
}

// Coded is a [Written] value with JSON for documents. The values of a spec's and a domain's
// parameters are Coded.
type Coded interface {
	Written
	// Encode returns the canonical JSON.
	Encode() []byte
	// Decode sets the value from JSON. If the JSON is refused, the value does not change.
	Decode(data []byte) error
}

// Versioned is a [Written] value that has values which only later versions of the formats can hold.
type Versioned interface {
	Written
	// Since returns the first version that can hold the value.
	Since() int
}

// Document is a parameter that is a whole document, such as a model.
type Document interface {
	// Decode reads the document. If it is refused, the parameter does not change.
	Decode(data []byte) error
	// Encode returns the canonical JSON of the document, or nil if it is absent.
	Encode() []byte
	// Set takes the document of another parameter of the same type. The two may share
	// it, because documents do not change.
	Set(other Document)
}

// Error says what is wrong with the value of a parameter.
type Error struct {
	Name   string // of the parameter
	Reason string
}

func (e *Error) Error() string { return e.Name + ": " + e.Reason }

func (p *Param) errorf(format string, args ...any) error {
	return &Error{p.Name, fmt.Sprintf(format, args...)}
}

// Absent reports whether the parameter has no value.
func (p *Param) Absent() bool {
	switch {
	case p.Int != nil:
		return *p.Int == 0 && p.Low > 0
	case p.Text != nil:
		return *p.Text == ""
	case p.Written != nil:
		return p.Written.String() == ""
	}
	return p.Document.Encode() == nil
}

// String returns the canonical text of the value; of a document, its JSON.
func (p *Param) String() string {
	switch {
	case p.Int != nil && *p.Int < 0 && -1-*p.Int < len(p.Words):
		return p.Words[-1-*p.Int].Value
	case p.Int != nil:
		return strconv.Itoa(*p.Int)
	case p.Text != nil:
		return *p.Text
	case p.Written != nil:
		return p.Written.String()
	}
	return string(p.Document.Encode())
}

// Value returns the value as an int or a string; nil for a document.
func (p *Param) Value() any {
	if p.Int != nil && *p.Int >= 0 {
		return *p.Int
	}
	if p.Document != nil {
		return nil
	}
	return p.String()
}

// Whole reports whether a form shows the value as a whole number from Low to High. A
// value with a notation of its own is shown so if the parameter has a High.
func (p *Param) Whole() bool { return p.Int != nil || p.Written != nil && p.High > 0 }

// Standard returns the default as an int or a string; nil if there is none.
func (p *Param) Standard() any {
	if n, err := strconv.Atoi(p.Default); err == nil && p.Whole() {
		return n
	}
	if p.Default == "" {
		return nil
	}
	return p.Default
}

// Link returns the text of the value that links leave out. It is the same in every version.
func (p *Param) Link() string {
	if p.Frozen != "" {
		return p.Frozen
	}
	return p.Default
}

// Version returns the first version of the formats that has the parameter and can hold its value.
func (p *Param) Version() int {
	version := max(p.Since, 1)
	if p.Text != nil {
		for _, w := range p.Words {
			if w.Value == *p.Text {
				version = max(version, w.Since)
			}
		}
	}
	if v, is := p.Written.(Versioned); is {
		version = max(version, v.Since())
	}
	return version
}

// SetString sets the value from its canonical text. Check checks the limits.
func (p *Param) SetString(text string) error {
	switch {
	case p.Document != nil:
		return p.Document.Decode([]byte(text))
	case p.Text != nil:
		*p.Text = text
		return nil
	case p.Written != nil:
		if err := p.Written.Parse(text); err != nil {
			return p.errorf("%v", err)
		}
		return nil
	}
	if k := p.word(text); k >= 0 {
		*p.Int = -1 - k
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > Max || strconv.Itoa(n) != text {
		return p.errorf("%q is not a whole number from 0 to 2^%d−1%s", Clip(text), bits.Len64(Max), Hint(text, true))
	}
	return p.SetInt(n)
}

// Hint returns what to add to the refusal of a text in place of a number, or "": how to
// write the number that was probably meant.
func Hint(text string, whole bool) string {
	before, after, comma := strings.Cut(text, ",")
	switch digits := func(text string) bool { return strings.Trim(text, "0123456789") == "" }; {
	case !whole && comma && after != "" && digits(before) && digits(after):
		return fmt.Sprintf("; write %s.%s with a point", cmp.Or(Clip(before), "0"), Clip(after))
	case !whole || !strings.ContainsFunc(text, unicode.IsDigit) || digits(strings.TrimPrefix(text, "-")) && (text[0] != '0' || text == "0"):
		return ""
	case digits(text):
		return "; write it without the zeros before it"
	}
	return "; write digits only"
}

// SetInt sets a whole number. It refuses 0 if that stands for an absent value, and
// negative numbers if they stand for words. Check checks the other limits.
func (p *Param) SetInt(n int) error {
	if p.Written != nil {
		return p.SetString(strconv.Itoa(n))
	}
	if n == 0 && p.Low > 0 || n < 0 && len(p.Words) > 0 {
		return p.errorf("%d is out of range; it must be at least %d", n, p.Low)
	}
	*p.Int = n
	return nil
}

// SetWord sets the value from a text, which must not be empty. Check checks the limits.
func (p *Param) SetWord(word string) error {
	switch {
	case p.Int != nil && p.word(word) < 0:
		return p.errorf("expected %s, found %q%s", p.Range(), Clip(word), Hint(word, true))
	case word == "":
		return p.errorf("the text is empty; leave the field out for its default")
	}
	return p.SetString(word)
}

// word returns the index of a text in Words, or -1.
func (p *Param) word(text string) int {
	return slices.IndexFunc(p.Words, func(w Word) bool { return w.Value == text })
}

// Range describes the values within the limits: "a whole number from 0 to 64", "true or
// prior".
func (p *Param) Range() string {
	var list []string
	switch {
	case p.Written != nil:
		return p.Written.Range()
	case p.Int != nil && p.Low <= p.High:
		list = append(list, fmt.Sprintf("a whole number from %d to %d", p.Low, p.High))
	case p.Int != nil: // the limit depends on another parameter
		list = append(list, fmt.Sprintf("a whole number of at least %d", p.Low))
	}
	return strings.Join(append(list, p.values()...), " or ")
}

// Check returns an *[Error] if the value is not within its limits.
func (p *Param) Check() error {
	switch {
	case p.Document != nil && p.Absent():
		return p.errorf("the %s is missing", p.Name)
	case p.Document != nil, p.Written != nil:
	case p.Text != nil && p.word(*p.Text) < 0:
		return p.errorf("%q is unknown; it must be %s", Clip(*p.Text), OneOf(p.values()))
	case p.Text != nil, *p.Int < 0 && -1-*p.Int < len(p.Words): // a word
	case p.Low == p.High && *p.Int != p.Low:
		return p.errorf("%d is out of range; it must be %d", *p.Int, p.Low)
	case *p.Int < p.Low || *p.Int > p.High:
		return p.errorf("%d is out of range; it must be from %d to %d", *p.Int, p.Low, p.High)
	}
	return nil
}

func (p *Param) values() []string {
	list := make([]string, len(p.Words))
	for k, w := range p.Words {
		list[k] = w.Value
	}
	return list
}

// OneOf lists choices in a sentence: "one of a, b, c", or "a" if that is the only one.
func OneOf(choices []string) string {
	if len(choices) == 1 {
		return choices[0]
	}
	return "one of " + strings.Join(choices, ", ")
}

// Clip returns the first 40 bytes of a text, for messages that quote hostile input.
func Clip(text string) string { return Cut(text, 40) }

// Cut returns a text or, if it has more than most bytes, its first most bytes and "…".
func Cut(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// Count writes a number with its noun: "1 run", "2 runs".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Each calls do for every row of a table: first for the documents, then for the other
// rows in their order. It makes the table anew for each row, so the limits and the default
// of a row may depend on documents and on the rows before it. An error ends the walk.
func Each(table func() []Param, do func(*Param) error) error {
	for _, documents := range []bool{true, false} {
		for k := range table() {
			p := &table()[k]
			if (p.Document != nil) != documents {
				continue
			}
			if err := do(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// Complete gives every absent parameter of a table its default and checks the limits of
// each, in the order of [Each]. The error is that of [Param.Check].
func Complete(table func() []Param) error {
	return Each(table, func(p *Param) error {
		if p.Absent() && p.Default != "" {
			if err := p.SetString(p.Default); err != nil {
				panic("param: the default of " + p.Name + " is none of its values")
			}
		}
		return p.Check()
	})
}

// Copy gives every row of the table to the value of the same row of the table from. The two have
// the same rows, and those of to have no values yet.
func Copy(to, from func() []Param) {
	for k, p := range from() {
		switch q := &to()[k]; {
		case p.Int != nil:
			*q.Int = *p.Int
		case p.Text != nil:
			*q.Text = *p.Text
		case p.Written != nil:
			if p.Absent() {
				continue // the value in to is absent, too
			}
			if err := q.Written.Parse(p.String()); err != nil {
				panic("param: the text of " + p.Name + " does not read back: " + err.Error())
			}
		default:
			q.Document.Set(p.Document)
		}
	}
}

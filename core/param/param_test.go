package param_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"cpsrl/core/param"
)

// text is a document that is a word. It refuses words that end in "!".
type text struct{ word *string }

func (d *text) Decode(data []byte) error {
	if strings.HasSuffix(string(data), "!") {
		return errors.New("refused")
	}
	word := string(data)
	d.word = &word
	return nil
}

func (d *text) Encode() []byte {
	if d.word == nil {
		return nil
	}
	return []byte(*d.word)
}

func (d *text) Set(other param.Document) { d.word = other.(*text).word }

// values is a table with a parameter of every sort.
type values struct {
	number, free, either int
	color                string
	story                text
}

func (v *values) params() []param.Param {
	return []param.Param{
		{Name: "number", Int: &v.number, Low: 1, High: 9, Default: "4"},
		{Name: "free", Int: &v.free, Low: 0, High: v.number, Default: "0"},
		{Name: "either", Int: &v.either, Low: 1, High: 5, Words: []param.Word{{Value: "none"}, {Value: "all"}}, Default: "all", Frozen: "5"},
		{Name: "color", Text: &v.color, Words: []param.Word{{Value: "red"}, {Value: "blue"}}, Default: "red"},
		{Name: "story", Document: &v.story},
	}
}

func (v *values) row(name string) *param.Param {
	for _, p := range v.params() {
		if p.Name == name {
			return &p
		}
	}
	panic("no row " + name)
}

// same reports whether the text of an error contains says; if says is "", whether there
// is no error.
func same(err error, says string) bool {
	if err == nil || says == "" {
		return err == nil && says == ""
	}
	return strings.Contains(err.Error(), says)
}

// Oracle: the table, by hand. A value reads back as its canonical text, Check checks its
// limits, and a refused text changes nothing.
func TestSetString(t *testing.T) {
	for _, c := range []struct {
		name, text string
		value      any    // nil: refused
		set, check string // what the errors say
	}{
		{"number", "1", 1, "", ""},
		{"number", "9", 9, "", ""},
		{"number", "10", 10, "", "number: 10 is out of range; it must be from 1 to 9"},
		{"number", "0", nil, "number: 0 is out of range; it must be at least 1", ""},
		{"number", "9007199254740991", param.Max, "", "out of range"},
		{"number", "9007199254740992", nil, `number: "9007199254740992" is not a whole number from 0 to 2^53−1`, ""},
		{"number", "-1", nil, `"-1" is not a whole number`, ""},
		{"number", "+1", nil, `"+1" is not a whole number`, ""},
		{"number", "07", nil, `"07" is not a whole number`, ""},
		{"number", "1.5", nil, `"1.5" is not a whole number`, ""},
		{"number", "1e3", nil, `"1e3" is not a whole number`, ""},
		{"number", " 1", nil, `" 1" is not a whole number`, ""},
		{"number", "", nil, `"" is not a whole number`, ""},
		{"number", "none", nil, `"none" is not a whole number`, ""},
		{"number", strings.Repeat("9", 50), nil, `"` + strings.Repeat("9", 40) + `…" is not a whole number`, ""},
		{"free", "0", 0, "", ""},
		{"free", "3", 3, "", ""},
		{"free", "4", 4, "", "free: 4 is out of range; it must be from 0 to 3"},
		{"either", "5", 5, "", ""},
		{"either", "none", "none", "", ""},
		{"either", "all", "all", "", ""},
		{"either", "6", 6, "", "either: 6 is out of range; it must be from 1 to 5"},
		{"either", "0", nil, "at least 1", ""},
		{"either", "-1", nil, "not a whole number", ""},
		{"either", "All", nil, "not a whole number", ""},
		{"color", "blue", "blue", "", ""},
		{"color", "Blue", "Blue", "", `color: "Blue" is unknown; it must be one of red, blue`},
	} {
		v := &values{number: 3, free: 2, either: 2, color: "red"}
		p := v.row(c.name)
		before := p.Value()
		if err := p.SetString(c.text); !same(err, c.set) {
			t.Errorf("%s = %q: %v, want %q", c.name, c.text, err, c.set)
		}
		if c.value == nil {
			if p.Value() != before {
				t.Errorf("%s = %q was refused, but the value became %v", c.name, c.text, p.Value())
			}
			continue
		}
		if p.Value() != c.value || p.String() != c.text || p.Absent() {
			t.Errorf("%s = %q: value %v, text %q, absent %v; want %v", c.name, c.text, p.Value(), p.String(), p.Absent(), c.value)
		}
		if err := p.Check(); !same(err, c.check) {
			t.Errorf("%s = %q: Check says %v, want %q", c.name, c.text, err, c.check)
		}
	}
}

// A JSON document holds a number or a word, which is never empty.
func TestSetIntAndWord(t *testing.T) {
	for _, c := range []struct {
		name string
		set  any
		text string // "" if it is refused
		says string
	}{
		{"number", 7, "7", ""},
		{"number", 0, "", "number: 0 is out of range; it must be at least 1"},
		{"number", "seven", "", `number: expected a whole number from 1 to 9, found "seven"`},
		{"number", "", "", `number: expected a whole number from 1 to 9, found ""`},
		{"free", 0, "0", ""},
		{"either", 3, "3", ""},
		{"either", "none", "none", ""},
		{"either", "3", "", `either: expected a whole number from 1 to 5 or none or all, found "3"`},
		{"color", "blue", "blue", ""},
		{"color", "", "", "color: the text is empty"},
	} {
		v := &values{number: 3, free: 2, either: 2, color: "red"}
		p := v.row(c.name)
		want := c.text
		if c.says != "" {
			want = p.String()
		}
		var err error
		switch set := c.set.(type) {
		case int:
			err = p.SetInt(set)
		case string:
			err = p.SetWord(set)
		}
		if !same(err, c.says) || p.String() != want {
			t.Errorf("%s = %#v: %q, %v; want %q, %q", c.name, c.set, p.String(), err, want, c.says)
		}
	}
}

// A negative number is refused, although words are kept as negative numbers.
func TestNegativeIsNoWord(t *testing.T) {
	for _, n := range []int{-1, -2, -3, math.MinInt} {
		v := &values{number: 3, free: 2, either: 2, color: "red"}
		for _, name := range []string{"number", "either"} {
			p := v.row(name)
			if err := p.SetInt(n); err == nil && p.Check() == nil {
				t.Errorf("%s = %d was accepted as %q", name, n, p.String())
			}
		}
	}
}

// Oracle: the table, by hand.
func TestWords(t *testing.T) {
	v := &values{number: 3}
	for _, c := range []struct {
		name, ranges, link string
		standard           any
	}{
		{"number", "a whole number from 1 to 9", "4", 4},
		{"free", "a whole number from 0 to 3", "0", 0},
		{"either", "a whole number from 1 to 5 or none or all", "5", "all"},
		{"color", "red or blue", "red", "red"},
		{"story", "", "", nil},
	} {
		p := v.row(c.name)
		if p.Range() != c.ranges || p.Link() != c.link || p.Standard() != c.standard {
			t.Errorf("%s: %q, link %q, default %v; want %v", c.name, p.Range(), p.Link(), p.Standard(), c)
		}
	}
	open := param.Param{Int: new(int), Low: 2, High: 0}
	if got, want := open.Range(), "a whole number of at least 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := fmt.Sprint(param.OneOf([]string{"a"}), ", ", param.OneOf([]string{"a", "b"})); got != "a, one of a, b" {
		t.Error(got)
	}
	for text, want := range map[string]string{
		"": "", strings.Repeat("a", 40): strings.Repeat("a", 40), strings.Repeat("a", 41): strings.Repeat("a", 40) + "…",
		strings.Repeat("a", 39) + "é": strings.Repeat("a", 39) + "…", // no half of a character
	} {
		if got := param.Clip(text); got != want {
			t.Errorf("Clip(%q) = %q, want %q", text, got, want)
		}
	}
}

// Oracle: the table, by hand. Absent values get their defaults, in order: the
// limit of free is number.
func TestComplete(t *testing.T) {
	story, all := "once", -2
	told := text{&story}
	for _, c := range []struct {
		in, want values
		says     string
	}{
		{values{story: told}, values{4, 0, all, "red", told}, ""},
		{values{number: 7, free: 7, either: 3, color: "blue", story: told}, values{7, 7, 3, "blue", told}, ""},
		{values{free: 4, story: told}, values{4, 4, all, "red", told}, ""},
		{values{free: 5, story: told}, values{}, "free: 5 is out of range; it must be from 0 to 4"},
		{values{number: -1, story: told}, values{}, "number: -1 is out of range"},
		{values{either: -3, story: told}, values{}, "either: -3 is out of range"},
		{values{color: "green", story: told}, values{}, `color: "green" is unknown`},
		{values{}, values{}, "story: the story is missing"},
	} {
		got := c.in
		if err := param.Complete(got.params); !same(err, c.says) {
			t.Errorf("%+v: %v, want %q", c.in, err, c.says)
		} else if err != nil {
			if _, ok := err.(*param.Error); !ok {
				t.Errorf("%+v: the error is a %T", c.in, err)
			}
		} else if got != c.want {
			t.Errorf("%+v became %+v, want %+v", c.in, got, c.want)
		} else if err := param.Complete(got.params); err != nil || got != c.want {
			t.Errorf("a complete table did not stay: %+v, %v", got, err)
		}
	}
}

// If the limits leave one number, the error names it.
func TestOneNumber(t *testing.T) {
	n := 4
	p := param.Param{Name: "n", Int: &n, Low: 3, High: 3}
	if err := p.Check(); !same(err, "n: 4 is out of range; it must be 3") {
		t.Error(err)
	}
	if n = 3; p.Check() != nil {
		t.Error(p.Check())
	}
}

func TestDocument(t *testing.T) {
	v := &values{}
	p := v.row("story")
	if !p.Absent() || p.String() != "" || p.Value() != nil {
		t.Errorf("no story: %v, %q, %v", p.Absent(), p.String(), p.Value())
	}
	if err := p.SetString("once"); err != nil || p.Absent() || p.String() != "once" || p.Value() != nil || p.Check() != nil {
		t.Errorf("a story: %q, %v", p.String(), err)
	}
	if err := p.SetString("upon!"); err == nil || p.String() != "once" {
		t.Errorf("a refused story: %q, %v", p.String(), err)
	}
}

// A copy has all values, also the absent ones. The two share nothing but a document, until
// one of them takes another document.
func TestCopy(t *testing.T) {
	story := "once"
	from := &values{number: 7, either: -1, color: "blue", story: text{&story}}
	to := &values{number: 1, free: 1, either: 3, color: "red"}
	param.Copy(to.params, from.params)
	if !reflect.DeepEqual(to, from) || to.story.word != &story {
		t.Errorf("%+v, want %+v", to, from)
	}
	for _, name := range []string{"number", "free", "either"} {
		if err := to.row(name).SetInt(2); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{"color": "red", "story": "twice"} {
		if err := to.row(name).SetString(value); err != nil {
			t.Fatal(err)
		}
	}
	if want := (values{7, 0, -1, "blue", text{&story}}); *from != want || story != "once" {
		t.Errorf("the original became %+v, %s", from, story)
	}
}

// level is a value with a notation of its own: low or high, as text or in JSON.
type level struct{ text string }

func (l *level) String() string { return l.text }
func (l *level) Range() string  { return "low or high" }

func (l *level) Parse(text string) error {
	if text != "low" && text != "high" {
		return fmt.Errorf("%q is neither low nor high", text)
	}
	l.text = text
	return nil
}

// Oracle: the table, by hand.
func TestWritten(t *testing.T) {
	var l level
	table := func() []param.Param {
		return []param.Param{{Name: "level", Written: &l, Default: "low"}}
	}
	p := &table()[0]
	if !p.Absent() || p.Range() != "low or high" || p.Standard() != "low" {
		t.Errorf("%+v is not absent", p)
	}
	if err := param.Complete(table); err != nil || l.text != "low" || p.Absent() {
		t.Errorf("%q, %v", l.text, err)
	}
	for _, set := range []error{p.SetString("7"), p.SetInt(7), p.SetWord("")} {
		if set == nil || !strings.HasPrefix(set.Error(), "level: ") || l.text != "low" {
			t.Errorf("%q, %v", l.text, set)
		}
	}
	if err := p.SetWord("high"); err != nil || p.Value() != "high" {
		t.Errorf("%q, %v", l.text, err)
	}
	var other level
	param.Copy(func() []param.Param { return []param.Param{{Name: "level", Written: &other}} }, table)
	if other.text != "high" {
		t.Errorf("the copy is %q", other.text)
	}
}

// rising is a value whose "high" came with version 4.
type rising struct{ level }

func (r *rising) Since() int { return map[string]int{"low": 1, "high": 4}[r.text] }

// A value needs the version that has its parameter and the version that has the value.
func TestVersion(t *testing.T) {
	n := 1
	for _, c := range []struct {
		param param.Param
		want  int
	}{
		{param.Param{Int: &n}, 1},
		{param.Param{Int: &n, Since: 3}, 3},
		{param.Param{Written: &level{"high"}, Since: 2}, 2},
		{param.Param{Written: &rising{level{"low"}}, Since: 2}, 2},
		{param.Param{Written: &rising{level{"high"}}, Since: 2}, 4},
		{param.Param{Written: &rising{level{"high"}}, Since: 5}, 5},
	} {
		if got := c.param.Version(); got != c.want {
			t.Errorf("%+v: version %d, want %d", c.param, got, c.want)
		}
	}
}

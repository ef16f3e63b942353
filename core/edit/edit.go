// Package edit changes models: it adds, removes, renames and reorders variables, and changes tables,
// formulas, payoffs, start, ends and legal actions. Every table follows. A change that would not give a
// valid model is refused, and the model stays as it was.
//
// # Goroutines and memory
//
// Functions may be called by several goroutines at once. [Apply] does not change its arguments, and its
// result may share tables with them, which do not change.
package edit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/formula"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Edit is a change of a model. Its word, Edit, is one of [Words]; each needs some of the other fields.
type Edit struct {
	Edit string    `json:"edit"`
	Of   string    `json:"of,omitempty"`  // a variable, whose law it may be
	At   int       `json:"at,omitzero"`   // the number of a payoff or an end, from 0
	Row  int       `json:"row,omitzero"`  // of a table, from 0
	To   string    `json:"to,omitempty"`  // a name, a formula, a number, a word or a list of values; instead of P, its numbers as a text
	P    []float64 `json:"p,omitempty"`   // a row of probabilities, a mean, or the parameter of a fill
	Seed int       `json:"seed,omitzero"` // of a fill by chance
}

var _ = strict.Know(Edit{})

// Name returns the name that a variable has after the edit, or "" if it is gone.
func (e *Edit) Name(before string) string {
	switch {
	case before != e.Of:
		return before
	case e.Edit == "remove":
		return ""
	case e.Edit == "rename":
		return strings.TrimSpace(e.To)
	}
	return before
}

// Decode reads an edit. The error is an *[strict.InvalidError].
func Decode(data []byte) (*Edit, error) {
	e := &Edit{}
	if err := strict.Decode(data, e); err != nil {
		return nil, err
	}
	_, err := lookup(e.Edit)
	return e, err
}

// row is one kind of edit.
type row struct {
	word  string
	do    func(d *draft, e *Edit) error
	waits bool // its text may wait in its cell after it was refused
}

func rows() []row {
	return []row{
		{"name", func(d *draft, e *Edit) error { d.m.Name = strings.TrimSpace(e.To); return nil }, true},
		{"horizon", (*draft).horizon, true},
		{"add-state", func(d *draft, e *Edit) error { return d.add(e, true) }, false},
		{"add-action", func(d *draft, e *Edit) error { return d.add(e, false) }, false},
		{"remove", (*draft).remove, false},
		{"rename", (*draft).rename, true},
		{"values", (*draft).values, true},
		{"move", (*draft).move, false},
		{"parent", (*draft).parent, false},
		{"law", (*draft).law, true},
		{"row", (*draft).row, true},
		{"fill", (*draft).fill, false},
		{"add-payoff", (*draft).addPayoff, false},
		{"payoff", (*draft).payoff, true},
		{"payoff-name", (*draft).payoffName, true},
		{"payoff-kind", (*draft).payoffKind, false},
		{"mean", (*draft).mean, true},
		{"remove-payoff", (*draft).removePayoff, false},
		{"start", (*draft).start, true},
		{"add-end", (*draft).addEnd, false},
		{"end", (*draft).end, true},
		{"end-name", (*draft).endName, true},
		{"remove-end", (*draft).removeEnd, false},
		{"legal", (*draft).legal, true},
	}
}

// Words returns the words of the edits.
func Words() []string {
	var words []string
	for _, r := range rows() {
		words = append(words, r.word)
	}
	return words
}

func lookup(word string) (row, error) {
	all := rows()
	k := slices.IndexFunc(all, func(r row) bool { return r.word == word })
	if k < 0 {
		return row{}, strict.Invalid("/edit", "there is no edit %q; it must be %s", param.Clip(word), param.OneOf(Words()))
	}
	return all[k], nil
}

// draft is a model while it is changed. Tables are changed in copies.
type draft struct {
	m        *fmdp.Model
	formulas document.Formulas
	picture  document.Picture
	prior    *document.Stated
	initial  []float64 // over the states without noise
	listed   [][]int   // the legal actions, if relisted
	relisted bool
	notes    []string
	waiting  []*Edit // edits that were refused and follow the others; nil for one that is gone
}

// Apply returns the model after an edit, and sentences on what else changed. The
// error is an *[strict.InvalidError] with a place in the model's document.
func Apply(f *document.ModelFile, e *Edit) (*document.ModelFile, []string, error) {
	r, err := lookup(e.Edit)
	if err != nil {
		return nil, nil, err
	}
	if err := few(f); err != nil {
		return nil, nil, err
	}
	d := open(f)
	if err := r.do(d, e); err != nil {
		return nil, nil, err
	}
	changed, err := d.close()
	return changed, d.notes, err
}

func open(f *document.ModelFile) *draft {
	m := *f.Model
	d := &draft{m: &m, formulas: f.Formulas, picture: f.Picture, prior: f.Prior, initial: m.Initial}
	if m.Noise > 0 {
		d.initial = m.Start
	}
	m.State, m.Action = slices.Clone(m.State), slices.Clone(m.Action)
	m.Transition, m.Reward, m.Ends = slices.Clone(m.Transition), slices.Clone(m.Reward), slices.Clone(m.Ends)
	d.formulas.Laws = filled(d.formulas.Laws, m.Y())
	d.formulas.Payoffs = filled(d.formulas.Payoffs, len(m.Reward))
	d.formulas.Ends = filled(d.formulas.Ends, len(m.Ends))
	return d
}

// filled returns a copy of a list of formulas with n entries.
func filled(list []string, n int) []string {
	return append(slices.Clone(list), make([]string, n-len(list))...)
}

// close writes and reads the document, which computes the tables of the formulas and validates all of it.
func (d *draft) close() (*document.ModelFile, error) {
	if d.m.Noise > 0 {
		d.m.Start = d.initial
	} else {
		d.m.Initial = d.initial
	}
	if d.relisted {
		legal, err := fmdp.NewLegal(d.m.Action, d.listed)
		if err != nil {
			return nil, strict.Located(err)
		}
		d.m.Legal = legal
	}
	d.untie()
	if d.picture != nil {
		seen := d.m.Space
		seen.State = d.m.State[:d.m.Y()-d.m.Hidden]
		if err := d.picture.Check("", &seen); err != nil {
			d.picture = nil
			d.note("The picture of the problem no longer fits and is left out")
		}
	}
	f, err := document.DecodeModelFile((&document.ModelFile{Model: d.m, Picture: d.picture, Prior: d.prior, Formulas: d.formulas}).Encode())
	if err == nil {
		err = few(f)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// few returns an error unless the states of a model are listed, as they are in the editor.
func few(f *document.ModelFile) error { return strict.Located(f.Model.CheckListed()) }

// untie makes payoffs that are tied to the parents of a variable payoffs of their own, where these parents are
// now others.
func (d *draft) untie() {
	for k := range d.m.Reward {
		r := &d.m.Reward[k]
		if r.Of < 0 {
			continue
		}
		law := d.m.Transition[r.Of]
		if text := d.formulas.Laws[r.Of]; text != "" {
			var err error
			if law, err = (&formula.Tabulator{Space: &d.m.Space}).Law(text, r.Of); err != nil {
				continue // the document says so
			}
		}
		if bigraph.Of(r.Given...) != law.Scope() {
			d.note("Payoff %d is no longer tied to the parents of %q", k+1, param.Clip(d.m.State[r.Of].Name))
			r.Of = -1
		}
	}
}

func (d *draft) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// seen returns the number of state variables that agents see, and written those that are not noise.
func (d *draft) seen() int    { return d.m.Y() - d.m.Hidden }
func (d *draft) written() int { return d.m.Y() - d.m.Noise }

// variable returns the index of a variable that is not noise.
func (d *draft) variable(e *Edit) (int, error) {
	switch i := d.m.Lookup(e.Of); {
	case i < 0:
		return 0, strict.Invalid("/of", "there is no variable %q", param.Clip(e.Of))
	case i >= d.written() && i < d.m.Y():
		return 0, strict.Invalid("/of", "%q is noise, which is changed in a file", param.Clip(e.Of))
	default:
		return i, nil
	}
}

// state is variable for a state variable.
func (d *draft) state(e *Edit) (int, error) {
	j, err := d.variable(e)
	if err == nil && j >= d.m.Y() {
		err = strict.Invalid("/of", "%q is an action; it has no law", param.Clip(e.Of))
	}
	return j, err
}

// at returns an error unless the entry of a list of n is there.
func at(e *Edit, n int, of string) error {
	if e.At < 0 || e.At >= n {
		return strict.Invalid("/at", "there is no %s %d", of, e.At)
	}
	return nil
}

func number(text, place string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return 0, strict.Invalid(place, "%q is no whole number", param.Clip(text))
	}
	return n, nil
}

// numbers returns the numbers of a row or a mean, which may be written as a text. Place is that of the row.
func (e *Edit) numbers(place string) ([]float64, error) {
	if e.P != nil {
		return e.P, nil
	}
	var p []float64
	for word := range strings.FieldsSeq(e.To) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, strict.Invalid(place, "%q is no number", param.Clip(word))
		}
		p = append(p, v)
	}
	return p, nil
}

func (d *draft) horizon(e *Edit) (err error) {
	d.m.Horizon, err = number(e.To, "/horizon")
	return err
}

// place returns the place of a variable in the document.
func (d *draft) place(i int) string {
	if i < d.m.Y() {
		return fmt.Sprintf("/state/%d", i)
	}
	return fmt.Sprintf("/action/%d", i-d.m.Y())
}

// rename gives a variable another name, also in formulas and in the picture.
func (d *draft) rename(e *Edit) error {
	i := d.m.Lookup(e.Of)
	to := strings.TrimSpace(e.To)
	switch {
	case i < 0:
		return strict.Invalid("/of", "there is no variable %q", param.Clip(e.Of))
	case to == e.Of:
		return nil
	case to == "":
		return strict.Invalid(d.place(i)+"/name", "the variable has no name")
	}
	if err := d.free(to, e.Of, i < d.m.Y(), d.place(i)+"/name"); err != nil {
		return err
	}
	if i < d.m.Y() {
		d.m.State[i].Name = to
	} else {
		d.m.Action[i-d.m.Y()].Name = to
	}
	d.renamed(e.Of, to)
	d.each(func(_, text string, law bool) string { return formula.Rename(text, e.Of, to, law) })
	if d.picture != nil {
		d.picture = d.picture.Renamed(e.Of, to)
	}
	return nil
}

// free returns an error unless a variable may have a name. Without is the name that it has had.
func (d *draft) free(name, without string, state bool, place string) error {
	base, primed := strings.CutSuffix(name, fmdp.Prime)
	j := d.m.Lookup(base)
	switch {
	case d.m.Lookup(name) >= 0:
		return strict.Invalid(place, "a second variable is named %q", param.Clip(name))
	case primed && base != without && j >= 0 && j < d.m.Y(), state && name+fmdp.Prime != without && d.m.Lookup(name+fmdp.Prime) >= 0:
		return strict.Invalid(place, "%q could not be told from the next value of a variable", param.Clip(name))
	}
	return nil
}

// listed reads the values of a variable: their number, or their labels, joined by commas.
func listed(text, place string) (size int, labels []string, err error) {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		if n < 1 || n > fmdp.MaxPoints {
			return 0, nil, strict.Invalid(place+"/size", "a variable has from 1 to %d values", fmdp.MaxPoints)
		}
		return n, nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		label := strings.TrimSpace(part)
		switch {
		case label == "":
			return 0, nil, strict.Invalid(place+"/values", "a value has no label; values are a number, as in 4, or labels, as in low, high")
		case slices.Contains(labels, label):
			return 0, nil, strict.Invalid(place+"/values", "two values have the label %q", param.Clip(label))
		}
		labels = append(labels, label)
	}
	return len(labels), labels, nil
}

// fits returns an error if the model would be too large with that many values of a variable. Where only some
// actions are legal, the document tells.
func (d *draft) fits(i, size int) error {
	m := *d.m
	m.State, m.Action = slices.Clone(m.State), slices.Clone(m.Action)
	v := m.Var(i)
	v.Size, v.Values = size, nil
	err := m.CheckTables(m.Graph())
	if i < m.Y() || m.Legal == nil {
		err = cmp.Or(m.Space.CheckPoints(), err)
	}
	for k := range m.Reward {
		if rows := m.Rows(m.Reward[k].Given); rows > fmdp.MaxTable {
			err = cmp.Or(err, fmt.Errorf("a payoff would have %s rows, more than %d", fmdp.Saturated(rows), fmdp.MaxTable))
		}
	}
	if fault, is := err.(*fmdp.Fault); is {
		err = errors.New(fault.Reason)
	}
	if err != nil {
		return strict.Invalid(d.place(i)+"/size", "%v", err)
	}
	return nil
}

// values changes the values of a variable. A label that was there before keeps its value's tables, whatever
// its place; one that stands in the place of a label that is gone is that label renamed, if their number is the
// same. New values have the tables of the last value, and nothing leads to them; values that go become the last,
// also where a formula gives them.
func (d *draft) values(e *Edit) error {
	i, err := d.variable(e)
	if err != nil {
		return err
	}
	size, labels, err := listed(e.To, d.place(i))
	if err != nil {
		return err
	}
	v := d.m.Var(i)
	before := v.Size
	if size > before {
		if err := d.fits(i, size); err != nil {
			return err
		}
	}
	from := make([]int, size) // the old value of each new one, or −1
	for k := range from {
		if from[k] = k; k >= before {
			from[k] = -1
		}
	}
	if labels != nil && v.Values != nil {
		for k, label := range labels {
			from[k] = slices.Index(v.Values, label)
			if from[k] >= 0 || size != before || slices.Contains(labels, v.Values[k]) {
				continue
			}
			from[k] = k // renamed
			d.each(func(place, text string, _ bool) string {
				return formula.Relabel(text, e.Of, v.Values[k], label, place == fmt.Sprintf("/transition/%d/formula", i))
			})
		}
	}
	same := size == before
	for k := range from {
		same = same && from[k] == k
	}
	if !same {
		gone := d.resize(i, from)
		if d.m.Legal != nil && d.formulas.Legal == "" && i >= d.m.Y() && slices.Contains(from, -1) {
			d.note("The new values of %q are in no legal action", param.Clip(e.Of))
		}
		if gone {
			d.note("Where a table had a value of %q that is gone, it now has the last one", param.Clip(e.Of))
		}
	}
	v = d.m.Var(i)
	v.Size, v.Values = size, labels
	if i < d.m.Y() && size < before {
		d.clip(i)
	}
	return nil
}

// each replaces each formula by what change returns for it. The place is that in the document.
func each(f *document.Formulas, change func(place, text string, law bool) string) {
	for _, part := range []struct {
		place string
		list  []string
		law   bool
	}{{"transition", f.Laws, true}, {"reward", f.Payoffs, false}, {"terminal", f.Ends, false}} {
		for k, text := range part.list {
			if text != "" {
				part.list[k] = change(fmt.Sprintf("/%s/%d/formula", part.place, k), text, part.law)
			}
		}
	}
	if f.Initial != "" {
		f.Initial = change("/initial/formula", f.Initial, false)
	}
	if f.Legal != "" {
		f.Legal = change("/legal/formula", f.Legal, false)
	}
}

// naming returns the first formula that names a variable, other than its own law, and its place.
func (d *draft) naming(i int) (place, text string) {
	name := d.m.Var(i).Name
	each(&d.formulas, func(at, of string, law bool) string {
		if own := i < d.m.Y() && at == fmt.Sprintf("/transition/%d/formula", i); !own && text == "" && formula.Names(of, name, law) {
			place, text = at, of
		}
		return of
	})
	return place, text
}

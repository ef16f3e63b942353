// Package document holds the versioned formats that people write: models, priors and
// transitions, and the parts that they share with records and traces. Their rules are those of
// package strict.
//
// # Goroutines and memory
//
// Functions may be called by several goroutines at once. Decoded values belong to the
// caller.
package document

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/formula"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Formats.
const (
	ModelFormat = "cpsrl/model"
	PriorFormat = "cpsrl/prior"
)

// MaxModel is the size in bytes of the largest canonical model of a spec.
const MaxModel = 24 << 20

// ModelVersion is the newest version of the format of models. Version 2 added legal, hidden, noise,
// terminal, known, and next-state variables that a reward is given. Version 3 added formulas, version 4 a prior and legal
// actions that depend on the state. A model is written in the least version that can express it.
const ModelVersion = 4

// Factor is the table of one variable, as in a trace.
type Factor struct {
	Of    string   `json:"of"`
	Given []string `json:"given"`
	P     lawDoc   `json:"p"`
	Known bool     `json:"known,omitzero"` // agents are told the law
}

// Labelled reports whether the rows of the table have names.
func (f *Factor) Labelled() bool { return f.P.labeled != nil }

var _ = strict.Know(modelDoc{}, priorDoc{}, Variable{}, Factor{}, Law{}, Payoff{}, Stated{}, group{}, initialDoc{}, End{}, noiseDoc{}, atMostDoc{}, formulaDoc{}, Transition{}, Grid{})

// ModelFile is a model with what its document says beyond it.
type ModelFile struct {
	Model    *fmdp.Model
	Picture  Picture // or nil
	Formulas Formulas
	Prior    *Stated // or nil
	Scaled   *Scaled // the rows that were scaled to sum to 1; nil if all did, up to single precision
}

// CheckLegal returns an *[strict.InvalidError] if the list of legal actions, which [ModelFile.Encode] writes unless a formula
// says them, is by itself larger than a model of a spec.
func (f *ModelFile) CheckLegal() error {
	if l := f.Model.Legal; f.Formulas.Legal == "" && !l.ByState() && l.Len()*(len("[],")+len("0,")*len(f.Model.Action)-1) > MaxModel {
		return strict.Invalid("/legal", "the list of the %d actions that are legal takes more than %d MiB; a formula says it shorter", l.Len(), MaxModel>>20)
	}
	return nil
}

// Formulas are the formulas that gave parts of a model. A part that a table gave has "".
type Formulas struct {
	Laws    []string // one for each state variable of the model; or none
	Payoffs []string // one for each reward factor; or none
	Ends    []string // one for each kind of end; or none
	Legal   string
	Initial string // a condition: an episode begins in one of these states, each as likely
}

// Law returns the formula of the law of Y_j, or "".
func (f *Formulas) Law(j int) string { return entry(f.Laws, j) }

// Payoff returns the formula of reward factor k, or "".
func (f *Formulas) Payoff(k int) string { return entry(f.Payoffs, k) }

// End returns the formula of end k, or "".
func (f *Formulas) End(k int) string { return entry(f.Ends, k) }

// entry returns entry k of a list, or "" if the list is shorter.
func entry(list []string, k int) string {
	if k < len(list) {
		return list[k]
	}
	return ""
}

// put writes entry k of a list of n formulas.
func put(list *[]string, k, n int, text string) {
	if text == "" {
		return
	}
	if *list == nil {
		*list = make([]string, n)
	}
	(*list)[k] = text
}

// noiseDoc is a hidden variable whose values are drawn anew at each step.
type noiseDoc struct {
	Name string    `json:"name"`
	Size int       `json:"size"`
	P    []float64 `json:"p"`
}

type modelDoc struct {
	strict.Heading
	Name string `json:"name,omitempty"`
	Setting
	Hidden  []string       `json:"hidden,omitempty"`
	Noise   []noiseDoc     `json:"noise,omitempty"`
	Initial jsontext.Value `json:"initial"` // "uniform", formulaDoc or []initialDoc
	Aims
	View View `json:"view,omitzero"`
}

// needs returns the least version that can express the document. If it is not 1, place is that of
// the first part that needs it.
func (d *modelDoc) needs() (version int, place string) {
	if d.Prior != nil {
		return 4, "/prior"
	}
	if d.byState() {
		return 4, "/legal/formula"
	}
	for k := range d.Transition {
		if d.Transition[k].Formula != "" {
			return 3, fmt.Sprintf("/transition/%d/formula", k)
		}
	}
	for f := range d.Reward {
		if d.Reward[f].Formula != "" {
			return 3, fmt.Sprintf("/reward/%d/formula", f)
		}
	}
	for k := range d.Terminal {
		if d.Terminal[k].Formula != "" {
			return 3, fmt.Sprintf("/terminal/%d/formula", k)
		}
	}
	switch {
	case ruled(d.Legal):
		return 3, "/legal"
	case d.Initial.Kind() == '{':
		return 3, "/initial"
	}
	switch {
	case d.Legal != nil:
		return 2, "/legal"
	case d.Hidden != nil:
		return 2, "/hidden"
	case d.Noise != nil:
		return 2, "/noise"
	}
	for k := range d.Transition {
		if d.Transition[k].Known {
			return 2, fmt.Sprintf("/transition/%d/known", k)
		}
	}
	for f, r := range d.Reward {
		switch at := fmt.Sprintf("/reward/%d", f); {
		case r.Name != "":
			return 2, at + "/name"
		case r.Scope != "":
			return 2, at + "/scope"
		case r.Range != nil:
			return 2, at + "/range"
		}
		for k, name := range r.Given {
			if !slices.ContainsFunc(slices.Concat(d.State, d.Action), func(v Variable) bool { return v.Name == name }) {
				if strings.HasSuffix(name, fmdp.Prime) {
					return 2, fmt.Sprintf("/reward/%d/given/%d", f, k)
				}
			}
		}
	}
	switch {
	case d.Terminal != nil:
		return 2, "/terminal"
	case d.View.Picture != nil:
		return 2, "/view"
	}
	return 1, ""
}

// ruled reports whether the legal actions are those of a formula.
func ruled(legal jsontext.Value) bool {
	if legal.Kind() != '{' {
		return false
	}
	members, err := strict.Object(legal)
	_, has := members["formula"]
	return err == nil && has
}

// byState reports whether the formula of the legal actions names a state variable.
func (d *modelDoc) byState() bool {
	var doc formulaDoc
	if !ruled(d.Legal) || strict.DecodeAt(d.Legal, &doc, "") != nil {
		return false
	}
	names := func(of string) bool { return formula.Names(doc.Formula, of, false) }
	return slices.ContainsFunc(d.State, func(v Variable) bool { return names(v.Name) }) ||
		slices.ContainsFunc(d.Noise, func(v noiseDoc) bool { return names(v.Name) })
}

// instead returns an error if a member is missing where there is no formula, or is there although a formula
// stands in its place.
func instead(place, formula string, members ...member) error {
	for _, m := range members {
		switch {
		case formula == "" && !m.there:
			return strict.Invalid(place+"/"+m.name, missing, m.name)
		case formula != "" && m.there:
			return strict.Invalid(place+"/"+m.name, "the formula says it; %q may not stand beside it", m.name)
		}
	}
	return nil
}

// member is a member of a document, and whether it is there.
type member struct {
	name  string
	there bool
}

// there reports whether the document has the table.
func (d rowsOf[T]) there() bool { return !reflect.ValueOf(d).IsZero() }

// unread returns the error of a formula as one at its place.
func unread(place string, err error) error {
	if err == nil {
		return nil
	}
	return strict.Invalid(place, "%v", err)
}

// DecodeModel reads a model and validates it. The error is an *[strict.InvalidError].
func DecodeModel(data []byte) (*fmdp.Model, error) {
	f, err := DecodeModelFile(data)
	if err != nil {
		return nil, err
	}
	return f.Model, nil
}

// DecodeModelFile is [DecodeModel] that keeps what the document says beyond the model.
func DecodeModelFile(data []byte) (*ModelFile, error) { return decodeModel(data, &fmdp.Scaling{}) }

// Scaled says which rows of a model were scaled to sum to 1.
type Scaled struct {
	Rows  int     // the number of rows whose sums were too far from 1
	By    float64 // the largest |Σ − 1|
	Place string  // of the row with it, a JSON pointer into the model
}

// String says in words which rows did not sum to 1, and by how much.
func (s *Scaled) String() string {
	if s.Rows == 1 {
		return fmt.Sprintf("1 row whose sum differs from 1 by %.2g (%s)", s.By, strict.Shown(s.Place))
	}
	return fmt.Sprintf("%d rows whose sums differ from 1 by up to %.2g (%s)", s.Rows, s.By, strict.Shown(s.Place))
}

// ScaleModel is [DecodeModelFile] for a model whose rows of probabilities may have any positive
// sum. It scales them to sum to 1.
func ScaleModel(data []byte) (*ModelFile, *Scaled, error) {
	s := &fmdp.Scaling{Any: true}
	f, err := decodeModel(data, s)
	if err != nil {
		return nil, nil, err
	}
	if f.Scaled == nil {
		return f, &Scaled{}, nil
	}
	return f, f.Scaled, nil
}

func decodeModel(data []byte, scaling *fmdp.Scaling) (*ModelFile, error) {
	var doc modelDoc
	f := &ModelFile{}
	if err := doc.decode(data, f, scaling); err != nil {
		return nil, err
	}
	seen := f.Model.Space
	seen.State = f.Model.State[:f.Model.Y()-f.Model.Hidden]
	f.Picture, f.Prior = doc.View.Picture, doc.Prior
	if err := f.Prior.check(&fmdp.Model{Space: seen, Reward: f.Model.Reward}); err != nil {
		return nil, strict.Within("/prior", err)
	}
	if scaling.Scaled > 0 {
		f.Scaled = &Scaled{scaling.Scaled, scaling.By, strict.PathPlace(scaling.At)}
	}
	return f, doc.View.Check("/view", &seen)
}

func (doc *modelDoc) decode(data []byte, file *ModelFile, scaling *fmdp.Scaling) error {
	if err := strict.DecodeDocument(data, doc, ModelFormat, ModelVersion); err != nil {
		return err
	}
	if least, place := doc.needs(); doc.Version < least {
		return strict.Invalid(place, "this is for version %d", least)
	}
	if doc.Transition == nil {
		return strict.Invalid("/transition", missing, "transition")
	}
	return doc.read(file, scaling)
}

// missing says that a document has no field of that name.
const missing = "the field %q is missing"

// read makes the model of the document.
func (doc *modelDoc) read(file *ModelFile, scaling *fmdp.Scaling) error {
	m := &fmdp.Model{Name: doc.Name, Horizon: doc.Horizon}
	file.Model = m
	space, order, err := doc.variables(m)
	if err != nil {
		return err
	}
	formulas := &formula.Tabulator{Space: &m.Space}
	if m.Legal, err = doc.legal(m.Action, formulas, &file.Formulas); err != nil {
		return err
	}
	listed := m.Points() <= fmdp.MaxPoints
	if listed {
		err = m.Space.CheckPoints()
	} else {
		err = space.CheckSizes()
	}
	if err != nil {
		return strict.Located(err)
	}
	begins, err := doc.initial(space, &file.Formulas)
	if err != nil {
		return err
	}
	if listed {
		m.Start = begins.list(space)
		err = scaling.Initial(m.Start)
	} else if m.First, err = begins.law(space, order); err == nil && len(m.First.P) > 0 {
		err = scaling.Initial(m.First.P)
	}
	if err != nil {
		return strict.Located(err)
	}
	if listed && order != nil {
		start := make([]float64, len(m.Start))
		for s, row := range space.Project(order, bigraph.First(space.Y()).Parents(), 1) {
			start[s] = m.Start[row]
		}
		m.Start = start
	}
	if err = doc.transition(file, formulas, scaling); err != nil {
		return err
	}
	for k, n := range doc.Noise {
		j := m.Y() - m.Noise + k
		m.Transition[j] = fmdp.Factor{Size: n.Size, P: n.P}
		place := fmdp.Path{"noise", strconv.Itoa(k)}
		if err := scaling.Rows(&m.Transition[j], &m.Space, n.Name, place); err != nil {
			return strict.Within("/noise/"+strconv.Itoa(k)+"/p", strict.Invalid("", "%v", err))
		}
	}
	if listed {
		m.Spread()
	} else {
		for _, f := range m.Transition[m.Y()-m.Noise:] {
			m.First.Each = append(m.First.Each, f.P)
		}
	}
	if m.Noise == 0 {
		m.Start = nil
	}
	for k, e := range doc.Terminal {
		place := fmt.Sprintf("/terminal/%d", k)
		if err := instead(place, e.Formula, member{"given", e.Given != nil}, member{"is", e.Is != nil}); err != nil {
			return err
		}
		put(&file.Formulas.Ends, k, len(doc.Terminal), e.Formula)
		end := fmdp.Ending{Name: e.Name, Is: e.Is}
		if e.Formula != "" {
			var holds []bool
			end.Given, holds, err = formulas.Condition(e.Formula)
			if err = unread(place+"/formula", err); err == nil {
				end.Is, err = tuples(&m.Space, end.Given, holds, place+"/formula")
			}
		} else {
			end.Given, err = Given(e.Given, place+"/given", &m.Space, false)
		}
		if err != nil {
			return err
		}
		m.Ends = append(m.Ends, end)
	}
	if len(doc.Reward) > fmdp.MaxRewards {
		return strict.Invalid("/reward", "%d reward factors, more than %d", len(doc.Reward), fmdp.MaxRewards)
	}
	labels := make([][]string, len(doc.Reward)) // the names of the rows of means, if they have names
	for f, r := range doc.Reward {
		place := fmt.Sprintf("/reward/%d", f)
		if err := instead(place, r.Formula, member{"given", r.Given != nil}, member{"mean", r.Mean.there()}); err != nil {
			return err
		}
		put(&file.Formulas.Payoffs, f, len(doc.Reward), r.Formula)
		reward, names, err := decodeReward(r, place, &m.Space)
		if err == nil && r.Formula != "" {
			reward.Given, reward.Mean, err = formulas.Payoffs(r.Formula)
			err = unread(place+"/formula", err)
		}
		if err != nil {
			return err
		}
		m.Reward, labels[f] = append(m.Reward, reward), names
	}
	if err := m.Validate(); err != nil {
		doc.place(err, m, order)
		if fault, is := err.(*fmdp.Fault); is && len(fault.At) == 4 && fault.At[2] == "mean" {
			if f, err := strconv.Atoi(fault.At[1]); err == nil {
				relabel(fault.At, labels[f])
				if doc.Reward[f].Formula != "" {
					fault.At = append(fault.At[:2], "formula")
				}
			}
		}
		return strict.Located(err)
	}
	return nil
}

// place turns the path of a fault in a model into the one in the document, whose state variables and
// tables may have another order.
func (d *modelDoc) place(err error, m *fmdp.Model, order []int) {
	fault, is := err.(*fmdp.Fault)
	if !is || len(fault.At) < 2 {
		return
	}
	j, wrong := strconv.Atoi(fault.At[1])
	if wrong != nil || j < 0 || j >= m.Y() {
		return
	}
	switch fault.At[0] {
	case "state":
		if j >= m.Y()-m.Noise {
			fault.At = slices.Concat(fmdp.Path{"noise", strconv.Itoa(j - m.Y() + m.Noise)}, fault.At[2:])
		} else if order != nil {
			fault.At[1] = strconv.Itoa(order[j])
		}
	case "transition":
		of := m.State[j].Name
		if k := slices.IndexFunc(d.Transition, func(f Law) bool { return f.Of == of }); k >= 0 {
			fault.At[1] = strconv.Itoa(k)
		}
	}
}

// variables reads the variables of a model. It returns the space of the state variables as written,
// without noise, and for each state variable of the model, without noise, its place in it; nil if the
// order is the same.
func (d *modelDoc) variables(m *fmdp.Model) (written *fmdp.Space, order []int, err error) {
	written = d.Space()
	hidden := make([]bool, len(written.State))
	for k, name := range d.Hidden {
		at := fmt.Sprintf("/hidden/%d", k)
		j := written.Lookup(name)
		switch {
		case j < 0 || j >= len(hidden):
			return nil, nil, strict.Invalid(at, "there is no state variable %q", name)
		case hidden[j]:
			return nil, nil, strict.Invalid(at, "variable %q is listed twice", name)
		}
		hidden[j] = true
	}
	m.Space = fmdp.Space{Action: written.Action}
	for _, last := range []bool{false, true} {
		for j, v := range written.State {
			if hidden[j] == last {
				m.State, order = append(m.State, v), append(order, j)
			}
		}
	}
	if slices.IsSorted(order) {
		order = nil
	}
	m.Noise = len(d.Noise)
	m.Hidden = len(d.Hidden) + m.Noise
	for k, n := range d.Noise {
		if len(n.P) != n.Size {
			return nil, nil, strict.Invalid(fmt.Sprintf("/noise/%d/p", k), "%d probabilities for the %d values of %q", len(n.P), n.Size, n.Name)
		}
		m.State = append(m.State, fmdp.Variable{Name: n.Name, Size: n.Size})
	}
	// First as written, so that places are those of the document.
	if err := cmp.Or(written.Validate(), m.Space.Validate()); err != nil {
		if fault, is := err.(*fmdp.Fault); is && len(fault.At) > 1 && fault.At[0] == "state" {
			if j, wrong := strconv.Atoi(fault.At[1]); wrong == nil && j >= len(written.State) {
				fault.At = slices.Concat(fmdp.Path{"noise", strconv.Itoa(j - len(written.State))}, fault.At[2:])
			}
		}
		return nil, nil, strict.Located(err)
	}
	return written, order, nil
}

// legal reads the legal joint actions; nil if all are.
func (d *modelDoc) legal(action []fmdp.Variable, t *formula.Tabulator, formulas *Formulas) (*fmdp.Legal, error) {
	switch {
	case d.Legal == nil:
		return nil, nil
	case ruled(d.Legal):
		var doc formulaDoc
		if err := strict.DecodeAt(d.Legal, &doc, "/legal"); err != nil {
			return nil, err
		}
		formulas.Legal = doc.Formula
		legal, err := t.Actions(doc.Formula)
		if fault, is := err.(*fmdp.Fault); is {
			return nil, strict.Located(fault)
		}
		return legal, unread("/legal/formula", err)
	case d.Legal.Kind() == '{':
		var rule atMostDoc
		if err := strict.DecodeAt(d.Legal, &rule, "/legal"); err != nil {
			return nil, err
		}
		legal, err := fmdp.NewAtMost(action, rule.MaxNonDefault, rule.Default)
		return legal, strict.Located(err)
	}
	var list [][]int
	if err := strict.DecodeAt(d.Legal, &list, "/legal"); err != nil {
		return nil, err
	}
	legal, err := fmdp.NewLegal(action, list)
	return legal, strict.Located(err)
}

// transition reads the laws of the variables that are not noise.
func (doc *modelDoc) transition(file *ModelFile, formulas *formula.Tabulator, scaling *fmdp.Scaling) error {
	m := file.Model
	space := &m.Space
	factors := make([]fmdp.Factor, space.Y())
	m.Transition = factors
	for k, d := range doc.Transition {
		path := fmdp.Path{"transition", strconv.Itoa(k)} // in the file, where tables have another order
		place := strict.PathPlace(path)
		j := space.Lookup(d.Of)
		switch {
		case j < 0 || j >= space.Y():
			return strict.Invalid(place+"/of", "there is no state variable %q", d.Of)
		case j >= space.Y()-m.Noise:
			return strict.Invalid(place+"/of", "%q is noise, which has its law in \"noise\"", d.Of)
		case factors[j].Size > 0:
			return strict.Invalid(place+"/of", "a second transition table of %q", d.Of)
		}
		if err := instead(place, d.Formula, member{"given", d.Given != nil}, member{"p", d.P.there()}); err != nil {
			return err
		}
		if put(&file.Formulas.Laws, j, space.Y(), d.Formula); d.Formula != "" {
			f, err := formulas.Law(d.Formula, j)
			if err == nil {
				err = scaling.Rows(&f, space, d.Of, path)
			}
			if err != nil {
				return unread(place+"/formula", err)
			}
			f.Known = d.Known
			factors[j] = f
			continue
		}
		given, err := Given(d.Given, place+"/given", space, false)
		if err != nil {
			return err
		}
		size := space.State[j].Size
		var labels []string
		p := d.P.List
		if d.P.labeled != nil {
			labels, err = labeled(d.P.labeled, space, given, place+"/p", func(row int, value jsontext.Value, at string) error {
				var list []float64
				err := strict.DecodeAt(value, &list, at)
				if err == nil && len(list) != size {
					err = wrongSize(at, len(list), size, d.Of)
				}
				p.Entries, p.Ends = append(p.Entries, list...), append(p.Ends, int32(len(p.Entries)+len(list)))
				return err
			})
			if err != nil {
				return err
			}
		}
		f := fmdp.Factor{Given: given, Size: size, P: p.Entries, Known: d.Known}
		if want := space.Rows(given); len(p.Ends) != want {
			return strict.Invalid(place+"/p", "the table of %q has %d rows; its given variables have %d assignments", d.Of, len(p.Ends), want)
		}
		for row, end := range p.Ends {
			if n := int(end) - row*size; n != size {
				return wrongSize(fmt.Sprintf("%s/p/%d", place, row), n, size, d.Of)
			}
		}
		before := scaling.By
		err = scaling.Rows(&f, space, d.Of, path)
		if fault, is := err.(*fmdp.Fault); is {
			relabel(fault.At, labels)
			return strict.Located(fault)
		}
		if scaling.By > before {
			relabel(scaling.At, labels)
		}
		factors[j] = f
	}
	for j := range len(factors) - m.Noise {
		if factors[j].Size == 0 {
			return strict.Invalid("/transition", "there is no transition table of %q", space.State[j].Name)
		}
	}
	return nil
}

// wrongSize returns the error of a row with another number of probabilities than its variable
// has values.
func wrongSize(place string, n, size int, of string) error {
	return strict.Invalid(place, "the row has %d probabilities for the %d values of %q", n, size, of)
}

func decodeReward(d Payoff, place string, space *fmdp.Space) (fmdp.Reward, []string, error) {
	var labels []string
	r := fmdp.Reward{Mean: d.Mean.List, Scale: 1, Of: -1}
	var err error
	if r.Given, err = Given(d.Given, place+"/given", space, true); err != nil {
		return r, labels, err
	}
	if d.Mean.labeled != nil {
		labels, err = labeled(d.Mean.labeled, space, r.Given, place+"/mean", func(row int, value jsontext.Value, at string) error {
			r.Mean = append(r.Mean, 0)
			return strict.DecodeAt(value, &r.Mean[row], at)
		})
		if err != nil {
			return r, labels, err
		}
	}
	switch d.Kind {
	case "":
		return r, labels, strict.Invalid(place+"/kind", missing, "kind")
	case fixed:
		r.Kind = fmdp.Fixed
	case bernoulli:
		r.Kind = fmdp.Bernoulli
	default:
		return r, labels, strict.Invalid(place+"/kind", `the kind is %q; it must be "fixed" or "bernoulli"`, d.Kind)
	}
	if d.Scale != nil {
		r.Scale = *d.Scale
	}
	r.Name, r.Hidden = d.Name, d.Scope == hiddenScope
	switch {
	case d.Scope != "" && !r.Hidden:
		return r, labels, strict.Invalid(place+"/scope", "the scope is %q; it must be %q, or absent", param.Clip(d.Scope), hiddenScope)
	case d.Range != nil && (len(d.Range) != 2 || !(d.Range[0] < d.Range[1])):
		return r, labels, strict.Invalid(place+"/range", "the range is two numbers, the least payoff and a larger one")
	case d.Range != nil:
		r.Lo, r.Hi = d.Range[0], d.Range[1]
	}
	if d.Of != "" {
		if r.Of = space.Lookup(d.Of); r.Of < 0 || r.Of >= space.Y() {
			return r, labels, strict.Invalid(place+"/of", "there is no state variable %q", d.Of)
		}
	}
	return r, labels, nil
}

// Given looks up variables by name, or with next also those of the next state, such as row'. A name may not
// occur twice. The error is an *[strict.InvalidError] at the place of the name.
func Given(list []string, place string, space *fmdp.Space, next bool) ([]int, error) {
	lookup := space.Lookup
	if next {
		lookup = space.LookupNext
	}
	given := make([]int, len(list))
	for k, name := range list {
		at := fmt.Sprintf("%s/%d", place, k)
		if given[k] = lookup(name); given[k] < 0 {
			return nil, strict.Invalid(at, "there is no variable %q", name)
		}
		if slices.Contains(given[:k], given[k]) {
			return nil, strict.Invalid(at, "variable %q is given twice", name)
		}
	}
	return given, nil
}

// EncodeModel returns the model as one JSON object, of the least version that can express it.
func EncodeModel(m *fmdp.Model) []byte { return (&ModelFile{Model: m}).Encode() }

// Encode returns the document as one JSON object, of the least version that can express it. Where it depends on the
// state which actions are legal, that is a formula always.
func (f *ModelFile) Encode() []byte {
	m, formulas := f.Model, &f.Formulas
	written := m.Space
	written.State = m.State[:m.Y()-m.Noise]
	doc := modelDoc{
		Heading: strict.Heading{Format: ModelFormat, Version: 1}, Name: m.Name,
		Setting: Setting{Horizon: m.Horizon, Variables: NewVariables(&written)}, View: View{f.Picture},
	}
	if formulas.Initial != "" {
		doc.Initial = strict.Encode(formulaDoc{formulas.Initial})
	} else {
		doc.Initial = encodeInitial(m, &written)
	}
	for j, d := range Factors(&m.Space, m.Transition)[:m.Y()-m.Noise] {
		law := Law{Of: d.Of, Given: d.Given, P: d.P, Known: m.Transition[j].Known}
		if law.Formula = formulas.Law(j); law.Formula != "" {
			law.Given, law.P = nil, lawDoc{}
		}
		doc.Transition = append(doc.Transition, law)
	}
	if formulas.Legal != "" {
		doc.Legal = strict.Encode(formulaDoc{formulas.Legal}) // which may stand for a long list
	} else {
		doc.Legal = legalOf(&m.Space)
	}
	for j := m.Y() - m.Hidden; j < m.Y(); j++ {
		v := &m.State[j]
		if j < m.Y()-m.Noise {
			doc.Hidden = append(doc.Hidden, v.Name)
		} else {
			doc.Noise = append(doc.Noise, noiseDoc{v.Name, v.Size, m.Transition[j].P})
		}
	}
	for k, r := range m.Reward {
		d := Payoff{Given: m.Names(r.Given), Mean: meanDoc{List: r.Mean}, Kind: fixed}
		if d.Formula = formulas.Payoff(k); d.Formula != "" {
			d.Given, d.Mean = nil, meanDoc{}
		}
		if r.Kind == fmdp.Bernoulli {
			d.Kind = bernoulli
			if r.Scale != 1 {
				d.Scale = &r.Scale
			}
		}
		if r.Of >= 0 {
			d.Of = m.State[r.Of].Name
		}
		if d.Name = r.Name; r.Hidden {
			d.Scope = hiddenScope
		}
		if r.Ranged() {
			d.Range = []float64{r.Lo, r.Hi}
		}
		doc.Reward = append(doc.Reward, d)
	}
	doc.Prior = f.Prior
	for k, e := range m.Ends {
		d := End{Name: e.Name, Given: m.Names(e.Given), Is: e.Is}
		if d.Formula = formulas.End(k); d.Formula != "" {
			d.Given, d.Is = nil, nil
		}
		doc.Terminal = append(doc.Terminal, d)
	}
	doc.Version, _ = doc.needs()
	return strict.Encode(doc)
}

// Factors returns the tables of a transition law over the space, which share its entries.
func Factors(space *fmdp.Space, transition []fmdp.Factor) []Factor {
	docs := make([]Factor, len(transition))
	for j := range transition {
		f := &transition[j]
		docs[j] = Factor{Of: space.State[j].Name, Given: space.Names(f.Given), P: lawDoc{List: strict.TableOf(f.P, f.Size)}}
	}
	return docs
}

// Expected returns the expected payoffs of reward factors over the space, whose scales are in the means.
func Expected(space *fmdp.Space, rewards []fmdp.Reward) []Payoff {
	docs := make([]Payoff, len(rewards))
	for f := range rewards {
		r := &rewards[f]
		mean := make([]float64, len(r.Mean))
		for row, m := range r.Mean {
			mean[row] = float64(r.Scale * m)
		}
		docs[f] = Payoff{Given: append([]string{}, space.Names(r.Given)...), Mean: meanDoc{List: mean}, Kind: fixed, Name: r.Name}
	}
	return docs
}

// Transition is one observed step: the values of X, then those of Y.
type Transition struct {
	X []int `json:"x"`
	Y []int `json:"y"` // where agents start from transitions, [fmdp.Unseen] is a value that is not known
	// Paid is what each payoff paid. It is absent if that is not known.
	Paid []float64 `json:"paid,omitzero"`
}

// DecodeTransition reads one line of a transitions file.
func DecodeTransition(line []byte, space *fmdp.Space) (t Transition, err error) {
	err = strict.Decode(line, &t)
	return t, cmp.Or(err, t.Check("", space))
}

// Check returns an *[strict.InvalidError] if the values are not those of the variables of the
// space.
func (t Transition) Check(place string, space *fmdp.Space) error {
	return cmp.Or(CheckValues(t.X, space.X(), place+"/x", space), CheckValues(t.Y, space.Y(), place+"/y", space))
}

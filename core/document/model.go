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
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Formats.
const (
	ModelFormat = "cpsrl/model"
	PriorFormat = "cpsrl/prior"
)

// ModelVersion is the newest version of the format of models. Version 2 added legal, hidden, noise,
// terminal, known, and next-state variables that a reward is given. A model is written in the least
// version that can express it.
const ModelVersion = 2

// Factor is the table of one variable, as in a model.
type Factor struct {
	Of    string   `json:"of"`
	Given []string `json:"given"`
	P     lawDoc   `json:"p"`
	Known bool     `json:"known,omitzero"` // agents are told the law
}

// Labelled reports whether the rows of the table have names.
func (f *Factor) Labelled() bool { return f.P.labeled != nil }

var _ = strict.Know(modelDoc{}, priorDoc{}, Variable{}, Factor{}, rewardDoc{}, initialDoc{}, endDoc{}, noiseDoc{}, atMostDoc{}, Transition{}, Grid{})

type rewardDoc struct {
	Of    string    `json:"of,omitempty"`
	Given []string  `json:"given"`
	Mean  meanDoc   `json:"mean"`
	Kind  string    `json:"kind"`
	Scale *float64  `json:"scale,omitzero"`
	Name  string    `json:"name,omitempty"`
	Scope string    `json:"scope,omitempty"` // "hidden": agents that learn rewards are not told what is given
	Range []float64 `json:"range,omitempty"` // the least and the largest payoff
}

// hiddenScope is the scope of a payoff whose parents agents learn.
const hiddenScope = "hidden"

type initialDoc struct {
	State []int   `json:"state"`
	P     float64 `json:"p"`
}

// endDoc is a kind of states in which an episode ends.
type endDoc struct {
	Name  string   `json:"name,omitempty"`
	Given []string `json:"given"`
	Is    [][]int  `json:"is"`
}

// noiseDoc is a hidden variable whose values are drawn anew at each step.
type noiseDoc struct {
	Name string    `json:"name"`
	Size int       `json:"size"`
	P    []float64 `json:"p"`
}

// atMostDoc is the rule that makes legal the joint actions with at most so many variables that
// differ from their defaults.
type atMostDoc struct {
	MaxNonDefault int   `json:"maxNonDefault"`
	Default       []int `json:"default"`
}

type modelDoc struct {
	strict.Heading
	Name    string `json:"name,omitempty"`
	Horizon int    `json:"horizon"`
	Variables
	Legal      jsontext.Value `json:"legal,omitempty"` // atMostDoc or the joint actions
	Hidden     []string       `json:"hidden,omitempty"`
	Noise      []noiseDoc     `json:"noise,omitempty"`
	Initial    jsontext.Value `json:"initial"` // "uniform" or []initialDoc
	Transition []Factor       `json:"transition"`
	Reward     []rewardDoc    `json:"reward"`
	Terminal   []endDoc       `json:"terminal,omitempty"`
	View       View           `json:"view,omitzero"`
}

// needs returns the least version that can express the document. If it is not 1, place is that of
// the first part that needs it.
func (d *modelDoc) needs() (version int, place string) {
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

// DecodeModel reads a model and validates it. The error is an *[strict.InvalidError].
func DecodeModel(data []byte) (*fmdp.Model, error) {
	m, _, err := DecodePictured(data)
	return m, err
}

// DecodePictured is [DecodeModel] that also returns the model's picture, or nil.
func DecodePictured(data []byte) (*fmdp.Model, Picture, error) {
	return decodeModel(data, &fmdp.Scaling{})
}

// Scaled says what [ScaleModel] changed.
type Scaled struct {
	Rows  int     // the number of rows whose sums were too far from 1
	By    float64 // the largest |Σ − 1|
	Place string  // of the row with it, a JSON pointer into the model

	Picture Picture // the model's, which did not change; or nil
}

func (s *Scaled) String() string {
	if s.Rows == 1 {
		return fmt.Sprintf("1 row whose sum differs from 1 by %.2g (%s)", s.By, strict.Shown(s.Place))
	}
	return fmt.Sprintf("%d rows whose sums differ from 1 by up to %.2g (%s)", s.Rows, s.By, strict.Shown(s.Place))
}

// ScaleModel is [DecodeModel] for a model whose rows of probabilities may have any positive
// sum. It scales them to sum to 1.
func ScaleModel(data []byte) (*fmdp.Model, *Scaled, error) {
	s := &fmdp.Scaling{Any: true}
	m, picture, err := decodeModel(data, s)
	if err != nil {
		return nil, nil, err
	}
	return m, &Scaled{s.Scaled, s.By, strict.PathPlace(s.At), picture}, nil
}

func decodeModel(data []byte, scaling *fmdp.Scaling) (*fmdp.Model, Picture, error) {
	var doc modelDoc
	m, err := doc.decode(data, scaling)
	if err != nil {
		return nil, nil, err
	}
	seen := m.Space
	seen.State = m.State[:m.Y()-m.Hidden]
	return m, doc.View.Picture, doc.View.Check("/view", &seen)
}

func (doc *modelDoc) decode(data []byte, scaling *fmdp.Scaling) (*fmdp.Model, error) {
	if err := strict.DecodeDocument(data, doc, ModelFormat, ModelVersion); err != nil {
		return nil, err
	}
	if least, place := doc.needs(); doc.Version < least {
		return nil, strict.Invalid(place, "this is for version %d", least)
	}
	m := &fmdp.Model{Name: doc.Name, Horizon: doc.Horizon}
	space, order, err := doc.variables(m)
	if err != nil {
		return nil, err
	}
	if m.Start, err = initial(doc.Initial, space); err != nil {
		return nil, err
	}
	if err := scaling.Initial(m.Start); err != nil {
		return nil, strict.Located(err)
	}
	if order != nil {
		start := make([]float64, len(m.Start))
		for s, row := range space.Project(order, bigraph.First(space.Y()).Parents(), 1) {
			start[s] = m.Start[row]
		}
		m.Start = start
	}
	if m.Transition, err = transition(doc.Transition, &m.Space, m.Noise, scaling); err != nil {
		return nil, err
	}
	for k, n := range doc.Noise {
		j := m.Y() - m.Noise + k
		m.Transition[j] = fmdp.Factor{Size: n.Size, P: n.P}
		place := fmdp.Path{"noise", strconv.Itoa(k)}
		if err := scaling.Rows(&m.Transition[j], &m.Space, n.Name, place); err != nil {
			return nil, strict.Within("/noise/"+strconv.Itoa(k)+"/p", strict.Invalid("", "%v", err))
		}
	}
	if m.Spread(); m.Noise == 0 {
		m.Start = nil
	}
	for k, e := range doc.Terminal {
		given, err := names(e.Given, fmt.Sprintf("/terminal/%d/given", k), &m.Space)
		if err != nil {
			return nil, err
		}
		m.Ends = append(m.Ends, fmdp.Ending{Name: e.Name, Given: given, Is: e.Is})
	}
	if len(doc.Reward) > fmdp.MaxRewards {
		return nil, strict.Invalid("/reward", "%d reward factors, more than %d", len(doc.Reward), fmdp.MaxRewards)
	}
	labels := make([][]string, len(doc.Reward)) // the names of the rows of means, if they have names
	for f, r := range doc.Reward {
		reward, names, err := decodeReward(r, fmt.Sprintf("/reward/%d", f), &m.Space)
		if err != nil {
			return nil, err
		}
		m.Reward, labels[f] = append(m.Reward, reward), names
	}
	if err := m.Validate(); err != nil {
		doc.place(err, m, order)
		if fault, is := err.(*fmdp.Fault); is && len(fault.At) == 4 && fault.At[2] == "mean" {
			if f, err := strconv.Atoi(fault.At[1]); err == nil {
				relabel(fault.At, labels[f])
			}
		}
		return nil, strict.Located(err)
	}
	return m, nil
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
		if k := slices.IndexFunc(d.Transition, func(f Factor) bool { return f.Of == of }); k >= 0 {
			fault.At[1] = strconv.Itoa(k)
		}
	}
}

func initial(raw jsontext.Value, space *fmdp.Space) ([]float64, error) {
	const place = "/initial"
	p := make([]float64, space.States())
	if raw.Kind() == '"' {
		if string(raw) != `"uniform"` {
			return nil, strict.Invalid(place, `expected "uniform" or an array of states, found %s`, param.Clip(string(raw)))
		}
		return fmdp.Uniform(len(p)), nil
	}
	seen := make([]bool, len(p))
	err := strict.Read(raw, func(r *strict.Reader) error {
		return r.List(strict.Array, func(k int) error {
			var d initialDoc
			if err := cmp.Or(r.Value(&d), r.Null()); err != nil {
				return err
			}
			at := fmt.Sprintf("/%d/state", k)
			if err := CheckValues(d.State, space.Y(), at, space); err != nil {
				return err
			}
			s := space.Index(d.State)
			if seen[s] {
				return strict.Invalid(at, "this state is listed twice")
			}
			seen[s], p[s] = true, d.P
			return nil
		})
	})
	return p, strict.Within(place, err)
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
	if m.Legal, err = d.legal(m.Action); err != nil {
		return nil, nil, err
	}
	return written, order, strict.Located(m.Space.CheckPoints())
}

// legal reads the legal joint actions; nil if all are.
func (d *modelDoc) legal(action []fmdp.Variable) (*fmdp.Legal, error) {
	switch {
	case d.Legal == nil:
		return nil, nil
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

func transition(docs []Factor, space *fmdp.Space, noise int, scaling *fmdp.Scaling) ([]fmdp.Factor, error) {
	factors := make([]fmdp.Factor, space.Y())
	for k, d := range docs {
		path := fmdp.Path{"transition", strconv.Itoa(k)} // in the file, where tables have another order
		place := strict.PathPlace(path)
		j := space.Lookup(d.Of)
		switch {
		case j < 0 || j >= space.Y():
			return nil, strict.Invalid(place+"/of", "there is no state variable %q", d.Of)
		case j >= space.Y()-noise:
			return nil, strict.Invalid(place+"/of", "%q is noise, which has its law in \"noise\"", d.Of)
		case factors[j].Size > 0:
			return nil, strict.Invalid(place+"/of", "a second transition table of %q", d.Of)
		}
		given, err := names(d.Given, place+"/given", space)
		if err != nil {
			return nil, err
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
				return nil, err
			}
		}
		f := fmdp.Factor{Given: given, Size: size, P: p.Entries, Known: d.Known}
		if want := space.Rows(given); len(p.Ends) != want {
			return nil, strict.Invalid(place+"/p", "the table of %q has %d rows; its given variables have %d assignments", d.Of, len(p.Ends), want)
		}
		for row, end := range p.Ends {
			if n := int(end) - row*size; n != size {
				return nil, wrongSize(fmt.Sprintf("%s/p/%d", place, row), n, size, d.Of)
			}
		}
		before := scaling.By
		err = scaling.Rows(&f, space, d.Of, path)
		if fault, is := err.(*fmdp.Fault); is {
			relabel(fault.At, labels)
			return nil, strict.Located(fault)
		}
		if scaling.By > before {
			relabel(scaling.At, labels)
		}
		factors[j] = f
	}
	for j := range len(factors) - noise {
		if factors[j].Size == 0 {
			return nil, strict.Invalid("/transition", "there is no transition table of %q", space.State[j].Name)
		}
	}
	return factors, nil
}

// wrongSize returns the error of a row with another number of probabilities than its variable
// has values.
func wrongSize(place string, n, size int, of string) error {
	return strict.Invalid(place, "the row has %d probabilities for the %d values of %q", n, size, of)
}

func decodeReward(d rewardDoc, place string, space *fmdp.Space) (fmdp.Reward, []string, error) {
	var labels []string
	r := fmdp.Reward{Mean: d.Mean.List, Scale: 1, Of: -1}
	var err error
	if r.Given, err = namesNext(d.Given, place+"/given", space); err != nil {
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
	case "fixed":
		r.Kind = fmdp.Fixed
	case "bernoulli":
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

// names looks up variables by name. A name may not occur twice.
func names(list []string, place string, space *fmdp.Space) ([]int, error) {
	return namesBy(space.Lookup, list, place)
}

// namesNext is names for variables some of which may be of the next state.
func namesNext(list []string, place string, space *fmdp.Space) ([]int, error) {
	return namesBy(space.LookupNext, list, place)
}

func namesBy(lookup func(string) int, list []string, place string) ([]int, error) {
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
func EncodeModel(m *fmdp.Model) []byte { return EncodePictured(m, nil) }

// EncodePictured is [EncodeModel] with a picture, which may be nil.
func EncodePictured(m *fmdp.Model, picture Picture) []byte {
	written := m.Space
	written.State = m.State[:m.Y()-m.Noise]
	start := m.Initial
	if m.Noise > 0 {
		start = m.Start
	}
	doc := modelDoc{
		Heading: strict.Heading{Format: ModelFormat, Version: 1}, Name: m.Name, Horizon: m.Horizon, Variables: NewVariables(&written),
		Initial: encodeInitial(&written, start), Transition: Factors(&m.Space, m.Transition)[:m.Y()-m.Noise],
		View: View{picture},
	}
	for k := range doc.Transition {
		doc.Transition[k].Known = m.Transition[k].Known
	}
	if m.Legal != nil {
		doc.Legal = strict.Encode(m.Legal.List())
	}
	for j := m.Y() - m.Hidden; j < m.Y(); j++ {
		v := &m.State[j]
		if j < m.Y()-m.Noise {
			doc.Hidden = append(doc.Hidden, v.Name)
		} else {
			doc.Noise = append(doc.Noise, noiseDoc{v.Name, v.Size, m.Transition[j].P})
		}
	}
	for _, r := range m.Reward {
		d := rewardDoc{Given: m.Names(r.Given), Mean: meanDoc{List: r.Mean}, Kind: "fixed"}
		if r.Kind == fmdp.Bernoulli {
			d.Kind = "bernoulli"
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
	for _, e := range m.Ends {
		doc.Terminal = append(doc.Terminal, endDoc{e.Name, m.Names(e.Given), e.Is})
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

func encodeInitial(space *fmdp.Space, start []float64) jsontext.Value {
	uniform := true
	docs := []initialDoc{}
	for s, p := range start {
		uniform = uniform && p == 1/float64(len(start)) // the value that "uniform" is read as
		if p > 0 {
			docs = append(docs, initialDoc{space.Point(make([]int, space.Y()), s), p})
		}
	}
	if uniform {
		return jsontext.Value(`"uniform"`)
	}
	return strict.Encode(docs)
}

// Transition is one observed step: the values of X, then those of Y.
type Transition struct {
	X []int `json:"x"`
	Y []int `json:"y"`
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

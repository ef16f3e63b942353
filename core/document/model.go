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

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Formats.
const (
	ModelFormat = "cpsrl/model"
	PriorFormat = "cpsrl/prior"
)

// Factor is the table of one variable, as in a model.
type Factor struct {
	Of    string   `json:"of"`
	Given []string `json:"given"`
	P     lawDoc   `json:"p"`
}

// Labelled reports whether the rows of the table have names.
func (f *Factor) Labelled() bool { return f.P.labeled != nil }

var _ = strict.Know(modelDoc{}, priorDoc{}, Variable{}, Factor{}, rewardDoc{}, initialDoc{}, Transition{}, Grid{})

type rewardDoc struct {
	Of    string   `json:"of,omitempty"`
	Given []string `json:"given"`
	Mean  meanDoc  `json:"mean"`
	Kind  string   `json:"kind"`
	Scale *float64 `json:"scale,omitzero"`
}

type initialDoc struct {
	State []int   `json:"state"`
	P     float64 `json:"p"`
}

type modelDoc struct {
	strict.Heading
	Name    string `json:"name,omitempty"`
	Horizon int    `json:"horizon"`
	Variables
	Initial    jsontext.Value `json:"initial"` // "uniform" or []initialDoc
	Transition []Factor       `json:"transition"`
	Reward     []rewardDoc    `json:"reward"`
}

// DecodeModel reads a model and validates it. The error is an *[strict.InvalidError].
func DecodeModel(data []byte) (*fmdp.Model, error) { return decodeModel(data, &fmdp.Scaling{}) }

// Scaled says what [ScaleModel] changed.
type Scaled struct {
	Rows  int     // the number of rows whose sums were too far from 1
	By    float64 // the largest |Σ − 1|
	Place string  // of the row with it, a JSON pointer into the model
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
	m, err := decodeModel(data, s)
	if err != nil {
		return nil, nil, err
	}
	return m, &Scaled{s.Scaled, s.By, strict.PathPlace(s.At)}, nil
}

func decodeModel(data []byte, scaling *fmdp.Scaling) (*fmdp.Model, error) {
	var doc modelDoc
	if err := strict.DecodeDocument(data, &doc, ModelFormat, 1); err != nil {
		return nil, err
	}
	m := &fmdp.Model{Space: *doc.Space(), Name: doc.Name, Horizon: doc.Horizon}
	if err := cmp.Or(m.Space.Validate(), m.Space.CheckPoints()); err != nil {
		return nil, strict.Located(err)
	}
	var err error
	if m.Initial, err = initial(doc.Initial, &m.Space); err != nil {
		return nil, err
	}
	if err := scaling.Initial(m.Initial); err != nil {
		return nil, strict.Located(err)
	}
	if m.Transition, err = transition(doc.Transition, &m.Space, scaling); err != nil {
		return nil, err
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
		if fault, is := err.(*fmdp.Fault); is && len(fault.At) == 4 && fault.At[2] == "mean" {
			if f, err := strconv.Atoi(fault.At[1]); err == nil {
				relabel(fault.At, labels[f])
			}
		}
		return nil, strict.Located(err)
	}
	return m, nil
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

func transition(docs []Factor, space *fmdp.Space, scaling *fmdp.Scaling) ([]fmdp.Factor, error) {
	factors := make([]fmdp.Factor, space.Y())
	for k, d := range docs {
		path := fmdp.Path{"transition", strconv.Itoa(k)} // in the file, where tables have another order
		place := strict.PathPlace(path)
		j := space.Lookup(d.Of)
		switch {
		case j < 0 || j >= space.Y():
			return nil, strict.Invalid(place+"/of", "there is no state variable %q", d.Of)
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
		f := fmdp.Factor{Given: given, Size: size, P: p.Entries}
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
	for j := range factors {
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
	if r.Given, err = names(d.Given, place+"/given", space); err != nil {
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
	if d.Of != "" {
		if r.Of = space.Lookup(d.Of); r.Of < 0 || r.Of >= space.Y() {
			return r, labels, strict.Invalid(place+"/of", "there is no state variable %q", d.Of)
		}
	}
	return r, labels, nil
}

// names looks up variables by name. A name may not occur twice.
func names(list []string, place string, space *fmdp.Space) ([]int, error) {
	given := make([]int, len(list))
	for k, name := range list {
		at := fmt.Sprintf("%s/%d", place, k)
		if given[k] = space.Lookup(name); given[k] < 0 {
			return nil, strict.Invalid(at, "there is no variable %q", name)
		}
		if slices.Contains(given[:k], given[k]) {
			return nil, strict.Invalid(at, "variable %q is given twice", name)
		}
	}
	return given, nil
}

// EncodeModel returns the model as one JSON object.
func EncodeModel(m *fmdp.Model) []byte {
	doc := modelDoc{
		Heading: strict.Heading{Format: ModelFormat, Version: 1}, Name: m.Name, Horizon: m.Horizon, Variables: NewVariables(&m.Space),
		Initial: encodeInitial(m), Transition: Factors(&m.Space, m.Transition),
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
		doc.Reward = append(doc.Reward, d)
	}
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

func encodeInitial(m *fmdp.Model) jsontext.Value {
	uniform := true
	docs := []initialDoc{}
	for s, p := range m.Initial {
		uniform = uniform && p == 1/float64(len(m.Initial)) // the value that "uniform" is read as
		if p > 0 {
			docs = append(docs, initialDoc{m.Point(make([]int, m.Y()), s), p})
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

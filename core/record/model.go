package record

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// Formats and their newest versions.
const (
	ModelFormat  = "cpsrl/model"
	PriorFormat  = "cpsrl/prior"
	RecordFormat = "cpsrl/records"
	TraceFormat  = "cpsrl/trace"
)

type factorDoc struct {
	Of    string   `json:"of"`
	Given []string `json:"given"`
	P     lawDoc   `json:"p"`
}

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
	Heading
	Name    string `json:"name,omitempty"`
	Horizon int    `json:"horizon"`
	fmdp.Space
	Initial    jsontext.Value `json:"initial"` // "uniform" or []initialDoc
	Transition []factorDoc    `json:"transition"`
	Reward     []rewardDoc    `json:"reward"`
}

// DecodeModel reads a model and validates it. The error is an *[InvalidError].
func DecodeModel(data []byte) (*fmdp.Model, error) { return decodeModel(data, &fmdp.Scaling{}) }

// Scaled says what [ScaleModel] changed.
type Scaled struct {
	Rows  int     // the number of rows whose sums were too far from 1
	By    float64 // the largest |Σ − 1|
	Place string  // of the row with it, a JSON pointer into the model
}

func (s *Scaled) String() string {
	if s.Rows == 1 {
		return fmt.Sprintf("1 row whose sum differs from 1 by %.2g (%s)", s.By, Shown(s.Place))
	}
	return fmt.Sprintf("%d rows whose sums differ from 1 by up to %.2g (%s)", s.Rows, s.By, Shown(s.Place))
}

// ScaleModel is [DecodeModel] for a model whose rows of probabilities may have any positive
// sum. It scales them to sum to 1.
func ScaleModel(data []byte) (*fmdp.Model, *Scaled, error) {
	s := &fmdp.Scaling{Any: true}
	m, err := decodeModel(data, s)
	if err != nil {
		return nil, nil, err
	}
	return m, &Scaled{s.Scaled, s.By, place(s.At)}, nil
}

func decodeModel(data []byte, scaling *fmdp.Scaling) (*fmdp.Model, error) {
	var doc modelDoc
	if err := decodeDocument(data, &doc, ModelFormat, 1); err != nil {
		return nil, err
	}
	m := &fmdp.Model{Space: doc.Space, Name: doc.Name, Horizon: doc.Horizon}
	if err := cmp.Or(m.Space.Validate(), m.Space.CheckPoints()); err != nil {
		return nil, Located(err)
	}
	var err error
	if m.Initial, err = initial(doc.Initial, &m.Space); err != nil {
		return nil, err
	}
	if err := scaling.Initial(m.Initial); err != nil {
		return nil, Located(err)
	}
	if m.Transition, err = transition(doc.Transition, &m.Space, scaling); err != nil {
		return nil, err
	}
	if len(doc.Reward) > fmdp.MaxRewards {
		return nil, Invalid("/reward", "%d reward factors, more than %d", len(doc.Reward), fmdp.MaxRewards)
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
		return nil, Located(err)
	}
	return m, nil
}

func initial(raw jsontext.Value, space *fmdp.Space) ([]float64, error) {
	const place = "/initial"
	p := make([]float64, space.States())
	if raw.Kind() == '"' {
		if string(raw) != `"uniform"` {
			return nil, Invalid(place, `expected "uniform" or an array of states, found %s`, param.Clip(string(raw)))
		}
		return fmdp.Uniform(len(p)), nil
	}
	seen := make([]bool, len(p))
	err := run(raw, func(r *reader) error {
		return r.list(array, func(k int) error {
			var d initialDoc
			if err := cmp.Or(r.value(reflect.ValueOf(&d).Elem()), r.null); err != nil {
				return err
			}
			at := fmt.Sprintf("/%d/state", k)
			if err := checkValues(d.State, space.Y(), at, space); err != nil {
				return err
			}
			s := space.Index(d.State)
			if seen[s] {
				return Invalid(at, "this state is listed twice")
			}
			seen[s], p[s] = true, d.P
			return nil
		})
	})
	return p, Within(place, err)
}

func transition(docs []factorDoc, space *fmdp.Space, scaling *fmdp.Scaling) ([]fmdp.Factor, error) {
	factors := make([]fmdp.Factor, space.Y())
	for k, d := range docs {
		path := fmdp.Path{"transition", strconv.Itoa(k)} // in the file, where tables have another order
		place := place(path)
		j := space.Lookup(d.Of)
		switch {
		case j < 0 || j >= space.Y():
			return nil, Invalid(place+"/of", "there is no state variable %q", d.Of)
		case factors[j].Size > 0:
			return nil, Invalid(place+"/of", "a second transition table of %q", d.Of)
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
				err := DecodeAt(value, &list, at)
				if err == nil && len(list) != size {
					err = wrongSize(at, len(list), size, d.Of)
				}
				p.entries, p.ends = append(p.entries, list...), append(p.ends, int32(len(p.entries)+len(list)))
				return err
			})
			if err != nil {
				return nil, err
			}
		}
		f := fmdp.Factor{Given: given, Size: size, P: p.entries}
		if want := space.Rows(given); len(p.ends) != want {
			return nil, Invalid(place+"/p", "the table of %q has %d rows; its given variables have %d assignments", d.Of, len(p.ends), want)
		}
		for row, end := range p.ends {
			if n := int(end) - row*size; n != size {
				return nil, wrongSize(fmt.Sprintf("%s/p/%d", place, row), n, size, d.Of)
			}
		}
		before := scaling.By
		err = scaling.Rows(&f, space, d.Of, path)
		if fault, is := err.(*fmdp.Fault); is {
			relabel(fault.At, labels)
			return nil, Located(fault)
		}
		if scaling.By > before {
			relabel(scaling.At, labels)
		}
		factors[j] = f
	}
	for j := range factors {
		if factors[j].Size == 0 {
			return nil, Invalid("/transition", "there is no transition table of %q", space.State[j].Name)
		}
	}
	return factors, nil
}

// wrongSize returns the error of a row with another number of probabilities than its variable
// has values.
func wrongSize(place string, n, size int, of string) error {
	return Invalid(place, "the row has %d probabilities for the %d values of %q", n, size, of)
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
			return DecodeAt(value, &r.Mean[row], at)
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
		return r, labels, Invalid(place+"/kind", `the kind is %q; it must be "fixed" or "bernoulli"`, d.Kind)
	}
	if d.Scale != nil {
		r.Scale = *d.Scale
	}
	if d.Of != "" {
		if r.Of = space.Lookup(d.Of); r.Of < 0 || r.Of >= space.Y() {
			return r, labels, Invalid(place+"/of", "there is no state variable %q", d.Of)
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
			return nil, Invalid(at, "there is no variable %q", name)
		}
		if slices.Contains(given[:k], given[k]) {
			return nil, Invalid(at, "variable %q is given twice", name)
		}
	}
	return given, nil
}

// EncodeModel returns the model as one JSON object.
func EncodeModel(m *fmdp.Model) []byte {
	doc := modelDoc{
		Heading: Heading{ModelFormat, 1}, Name: m.Name, Horizon: m.Horizon, Space: m.Space,
		Initial: encodeInitial(m), Transition: factorDocs(&m.Space, m.Transition),
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
	return Encode(doc)
}

func factorDocs(space *fmdp.Space, transition []fmdp.Factor) []factorDoc {
	docs := make([]factorDoc, len(transition))
	for j := range transition {
		f := &transition[j]
		docs[j] = factorDoc{Of: space.State[j].Name, Given: space.Names(f.Given), P: lawDoc{List: tableOf(f.P, f.Size)}}
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
	return Encode(docs)
}

// Transition is one observed step: the values of X, then those of Y.
type Transition struct {
	X []int `json:"x"`
	Y []int `json:"y"`
}

// DecodeTransition reads one line of a transitions file.
func DecodeTransition(line []byte, space *fmdp.Space) (t Transition, err error) {
	err = Decode(line, &t)
	return t, cmp.Or(err, t.check("", space))
}

// check returns an error if the values are not those of the variables of the space.
func (t Transition) check(place string, space *fmdp.Space) error {
	return cmp.Or(checkValues(t.X, space.X(), place+"/x", space), checkValues(t.Y, space.Y(), place+"/y", space))
}

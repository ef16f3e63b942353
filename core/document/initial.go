package document

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/formula"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// initialDoc is a state in which an episode may begin.
type initialDoc struct {
	State []int   `json:"state"`
	P     float64 `json:"p"`
}

// beginning is what a document says of the first state: it lists states, or has a condition, under which all states are
// equally likely. The zero value is the condition that always holds.
type beginning struct {
	states [][]int
	p      []float64 // of each state
	given  []int     // the variables of the condition
	holds  []bool    // by row over these; nil if there is no condition
}

// initial reads the initial distribution over the states of the space.
func (d *modelDoc) initial(space *fmdp.Space, formulas *Formulas) (b beginning, err error) {
	const place = "/initial"
	raw := d.Initial
	switch raw.Kind() {
	case '{':
		var doc formulaDoc
		if err := strict.DecodeAt(raw, &doc, place); err != nil {
			return b, err
		}
		formulas.Initial = doc.Formula
		b.given, b.holds, err = (&formula.Tabulator{Space: space}).Condition(doc.Formula)
		if err != nil || !slices.Contains(b.holds, true) {
			err = cmp.Or(unread(place+"/formula", err), strict.Invalid(place+"/formula", "no state is like this; an episode begins in one"))
		}
		return b, err
	case '"':
		if string(raw) != `"uniform"` {
			err = strict.Invalid(place, `expected "uniform" or an array of states, found %s`, param.Clip(string(raw)))
		}
		return b, err
	}
	b.states = [][]int{}
	seen := map[string]bool{}
	var key []byte
	err = strict.Read(raw, func(r *strict.Reader) error {
		return r.List(strict.Array, func(k int) error {
			var d initialDoc
			if err := cmp.Or(r.Value(&d), r.Null()); err != nil {
				return err
			}
			at := fmt.Sprintf("/%d/state", k)
			if err := CheckValues(d.State, space.Y(), at, space); err != nil {
				return err
			}
			key = key[:0]
			for _, v := range d.State {
				key = binary.AppendUvarint(key, uint64(v))
			}
			if seen[string(key)] {
				return strict.Invalid(at, "this state is listed twice")
			}
			seen[string(key)] = true
			b.states, b.p = append(b.states, d.State), append(b.p, d.P)
			return nil
		})
	})
	return b, strict.Within(place, err)
}

// list returns the probability of each state of the space.
func (b *beginning) list(space *fmdp.Space) []float64 {
	p := make([]float64, space.States())
	switch {
	case b.states != nil:
		for k, state := range b.states {
			p[space.Index(state)] = b.p[k]
		}
	case b.holds != nil:
		states, count := space.Project(bigraph.First(space.Y()).Parents(), b.given, 1), 0
		for _, row := range states {
			if b.holds[row] {
				count++
			}
		}
		for s, row := range states {
			if b.holds[row] {
				p[s] = 1 / float64(count)
			}
		}
	default:
		return fmdp.Uniform(len(p))
	}
	return p
}

// law returns the distribution without listing the states of the space. Order has for each variable of the law its place in
// the space; nil if that is the same. The error is an *[strict.InvalidError].
func (b *beginning) law(space *fmdp.Space, order []int) (*fmdp.Start, error) {
	if order == nil {
		order = bigraph.First(space.Y()).Parents()
	}
	if b.states != nil {
		if len(b.states) == 0 {
			return nil, strict.Invalid("/initial", "no state is listed; an episode begins in one")
		}
		law := &fmdp.Start{P: b.p}
		for _, state := range b.states {
			values := make([]int, len(order))
			for k, j := range order {
				values[k] = state[j]
			}
			law.States = append(law.States, values)
		}
		return law, nil
	}
	tuples, err := tuples(space, b.given, b.holds, "/initial/formula")
	if err != nil {
		return nil, err
	}
	law := &fmdp.Start{}
	free, product := 1, 1 // assignments of the variables
	for _, j := range order {
		g := slices.Index(b.given, j)
		p := fmdp.Uniform(space.State[j].Size)
		if g >= 0 {
			p = among(tuples, g, len(p))
		}
		n := 0
		for _, q := range p {
			if q > 0 {
				n++
			}
		}
		if product = fmdp.Times(product, n); g < 0 {
			free = fmdp.Times(free, n)
		}
		law.Each = append(law.Each, p)
	}
	if b.holds == nil || product == fmdp.Times(free, len(tuples)) {
		return law, nil // the condition is one on each variable alone
	}
	last := 0 // of the variables that are listed
	for k, j := range order {
		if slices.Contains(b.given, j) {
			last = k
		}
	}
	var rest []int
	for _, j := range order[:last+1] {
		if !slices.Contains(b.given, j) {
			rest = append(rest, j)
		}
	}
	if n := fmdp.Times(len(tuples), space.Rows(rest)); n > fmdp.MaxPoints {
		return nil, strict.Invalid("/initial/formula", "%s assignments of the state variables up to %q are like this, more than %d; the model's states are too many to list", fmdp.Saturated(n), space.State[order[last]].Name, fmdp.MaxPoints)
	}
	law.Each = law.Each[last+1:]
	for _, tuple := range tuples {
		for _, others := range fmdp.Tuples(space.Sizes(rest)) {
			values := make([]int, last+1)
			for k, j := range order[:last+1] {
				if g := slices.Index(b.given, j); g >= 0 {
					values[k] = tuple[g]
				} else {
					values[k] = others[slices.Index(rest, j)]
				}
			}
			law.States = append(law.States, values)
		}
	}
	law.P = fmdp.Uniform(len(law.States))
	return law, nil
}

// tuples is [formula.Tuples] for a condition at that place that lists what it is about, which may be too much.
func tuples(space *fmdp.Space, given []int, holds []bool, place string) ([][]int, error) {
	if len(holds) > fmdp.MaxPoints {
		return nil, strict.Invalid(place, "the condition is about variables with %d assignments, more than %d", len(holds), fmdp.MaxPoints)
	}
	return formula.Tuples(space, given, holds), nil
}

// among returns the distribution in which the values that entry g of the tuples has are equally likely.
func among(tuples [][]int, g, size int) []float64 {
	p, n := make([]float64, size), 0
	for _, tuple := range tuples {
		if p[tuple[g]] == 0 {
			n++
		}
		p[tuple[g]] = 1
	}
	for v := range p {
		p[v] /= float64(n)
	}
	return p
}

// encodeInitial writes μ of a model, over the variables that are written. A μ that is there only as a law must have
// at most MaxPoints possible states, or be uniform.
func encodeInitial(m *fmdp.Model, space *fmdp.Space) jsontext.Value {
	uniform := true
	docs := []initialDoc{}
	if m.Initial == nil && m.First != nil {
		law := m.First.Marginal(0, space.Y())
		if law.IsUniform() {
			return jsontext.Value(`"uniform"`)
		}
		for state, p := range law.All() {
			docs = append(docs, initialDoc{state, p})
		}
		return strict.Encode(docs)
	}
	start := m.Initial
	if m.Noise > 0 {
		start = m.Start
	}
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

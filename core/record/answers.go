package record

import (
	"io"
	"math/big"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Plan is what an exact solution of a model says of the first step. States and
// actions are numbered row-major.
type Plan struct {
	Value  float64   `json:"value"`  // V_1 under μ
	Values []float64 `json:"values"` // V_1(s)
	Policy []int32   `json:"policy"` // π_1(s)
}

// EncodePlan returns the plan as one JSON object.
func EncodePlan(p *Plan) []byte { return encode(p) }

// Count is a natural number of any size. In JSON it is a number, and a string
// past 2^53.
type Count struct{ big.Int }

// MarshalJSONTo implements json.MarshalerTo.
func (c *Count) MarshalJSONTo(enc *jsontext.Encoder) error {
	if c.IsUint64() && c.Uint64() <= 1<<53 {
		return enc.WriteToken(jsontext.Uint(c.Uint64()))
	}
	return enc.WriteToken(jsontext.String(c.String()))
}

// WriteFactorizations writes η and the parent sets 𝒵_j of each variable as one
// line of JSON:
//
//	{"eta":2,"variables":{"side":{"count":64,"sets":[["side"],…]}}}
//
// Sets are in the order of [bigraph.Prior.Enumerate]. More of them than can be
// listed is an error that names the variable and their number; then nothing is
// written.
func WriteFactorizations(w io.Writer, space *fmdp.Space, prior *bigraph.Prior) error {
	if err := CheckSets(space, prior); err != nil {
		return err
	}
	o := newObject(w)
	o.field("eta", prior.Degree())
	o.open("variables")
	for j, v := range space.State {
		sets, err := prior.Enumerate(j)
		if err != nil {
			return err
		}
		type variable struct {
			Count *Count     `json:"count"`
			Sets  [][]string `json:"sets"`
		}
		doc := variable{Count: &Count{*prior.Count(j)}, Sets: make([][]string, len(sets))}
		for k, z := range sets {
			doc.Sets[k] = nameList(z.Parents(), space)
		}
		o.field(v.Name, doc)
	}
	o.close()
	return o.end()
}

// CheckSets says whether the parent sets of every variable can be listed.
func CheckSets(space *fmdp.Space, prior *bigraph.Prior) error {
	for j, v := range space.State {
		if n := prior.Count(j); n.Cmp(big.NewInt(bigraph.MaxSets)) > 0 {
			return invalid("/sparseness", "%q has %v", v.Name, &bigraph.TooManyError{Y: j, Count: n})
		}
	}
	return nil
}

// SetBelief is the hyper-posterior over the parent sets of one variable.
type SetBelief struct {
	Sets        []bigraph.Scope
	P           []float64 // of each set
	LogEvidence []float64 // natural logarithms
	Edges       []float64 // P(X_i → Y_j) for each X_i
}

// WritePosterior writes the hyper-posterior of each variable as one line of
// JSON, with every set, the most probable first (ties in the order given), and
// every edge, by Y variable, then X variable:
//
//	{"variables":{"side":[{"parents":[…],"p":…,"logEvidence":…},…]},
//	 "edges":[{"from":"flip","to":"side","p":…},…]}
func WritePosterior(w io.Writer, space *fmdp.Space, beliefs []SetBelief) error {
	type set struct {
		Parents     []string `json:"parents"`
		P           float64  `json:"p"`
		LogEvidence float64  `json:"logEvidence"`
	}
	type edge struct {
		From string  `json:"from"`
		To   string  `json:"to"`
		P    float64 `json:"p"`
	}
	o := newObject(w)
	o.open("variables")
	edges := []edge{}
	for j, v := range space.State {
		b := &beliefs[j]
		order := make([]int, len(b.Sets))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(k, l int) int {
			switch {
			case b.LogEvidence[k] > b.LogEvidence[l]:
				return -1
			case b.LogEvidence[k] < b.LogEvidence[l]:
				return 1
			}
			return 0
		})
		sets := make([]set, len(order))
		for at, k := range order {
			sets[at] = set{nameList(b.Sets[k].Parents(), space), b.P[k], b.LogEvidence[k]}
		}
		o.field(v.Name, sets)
		for i, p := range b.Edges {
			edges = append(edges, edge{space.Var(i).Name, v.Name, p})
		}
	}
	o.close()
	o.field("edges", edges)
	return o.end()
}

// object writes a JSON object whose fields have an order, one by one.
type object struct {
	enc *jsontext.Encoder
	err error
}

func newObject(w io.Writer) *object {
	o := &object{enc: jsontext.NewEncoder(w)}
	o.token(jsontext.BeginObject)
	return o
}

func (o *object) token(t jsontext.Token) {
	if o.err == nil {
		o.err = o.enc.WriteToken(t)
	}
}

func (o *object) field(name string, value any) {
	o.token(jsontext.String(name))
	if o.err == nil {
		o.err = json.MarshalEncode(o.enc, value, json.Deterministic(true))
	}
}

func (o *object) open(name string) {
	o.token(jsontext.String(name))
	o.token(jsontext.BeginObject)
}

func (o *object) close() { o.token(jsontext.EndObject) }

func (o *object) end() error {
	o.close()
	return o.err
}

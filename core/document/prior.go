package document

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Edge is an edge of a prior by names, with the probability P that it exists. With P = 1
// the edge is known, with P = 0 forbidden. P = ½ is the same as not listing the edge. In
// JSON it is [X name, Y name, P]; P is left out if it is 1. From may be [Others], with P = 0:
// then every edge to Y that is not listed is forbidden, and P = ½ lists one without a
// statement.
type Edge struct {
	From, To string
	P        float64
}

// Others stands for all other variables, unless a variable has this name: those without a Z
// of their own, and those from which no edge is listed.
const Others = "*"

// Limits of a probability other than 0 and 1.
const (
	LeastLikely = 1e-6
	MostLikely  = 1 - 1e-6
)

const notP = "is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999"

// CheckP returns an error of one sentence if an edge cannot have the probability p.
func CheckP(p float64) error {
	if p == 0 || p == 1 || p >= LeastLikely && p <= MostLikely {
		return nil
	}
	return fmt.Errorf("%v "+notP, p)
}

// FormatP returns the text of a probability: ".9".
func FormatP(p float64) string {
	text := strconv.FormatFloat(p, 'f', -1, 64)
	if p > 0 && p < 1 {
		text = strings.TrimPrefix(text, "0")
	}
	return text
}

// ParseP reads the text of a probability: that of [FormatP] or another decimal.
func ParseP(text string) (float64, error) {
	p, err := strconv.ParseFloat(text, 64)
	digits := strings.Trim(text, "0.")
	if err != nil || strings.Trim(text, "0123456789.") != "" || p == 0 && digits != "" || p == 1 && digits != "1" { // what is only near to 0 or 1
		return 0, fmt.Errorf("%q "+notP+"%s", param.Clip(text), param.Hint(text, false))
	}
	return p, CheckP(p)
}

// MarshalJSONTo implements json.MarshalerTo.
func (e Edge) MarshalJSONTo(enc *jsontext.Encoder) error {
	err := cmp.Or(enc.WriteToken(jsontext.BeginArray), enc.WriteToken(jsontext.String(e.From)), enc.WriteToken(jsontext.String(e.To)))
	if e.P != 1 {
		err = cmp.Or(err, enc.WriteToken(jsontext.Float(e.P)))
	}
	return cmp.Or(err, enc.WriteToken(jsontext.EndArray))
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Edge) UnmarshalJSON(data []byte) error { return strict.Read(data, e.DecodeStrict) }

// DecodeStrict implements [strict.Decoder]. If it fails, it does not change e.
func (e *Edge) DecodeStrict(r *strict.Reader) error {
	read, n := Edge{P: 1}, 0
	another := func(place string) error {
		return strict.Invalid(place, "expected an array of 2 or 3, found an array of another length")
	}
	err := r.List("an array of 2", func(k int) (err error) {
		switch n = k + 1; k {
		case 0:
			return r.Value(&read.From)
		case 1:
			return r.Value(&read.To)
		case 2:
			if err = strict.Number(r, &read.P); err == nil {
				if wrong := CheckP(read.P); wrong != nil {
					err = strict.Invalid(r.Place(), "%v", wrong)
				}
			}
			return err
		}
		return another(r.Around())
	})
	if err == nil && n < 2 && r.Null() == nil {
		err = another(r.Place())
	}
	if err == nil {
		*e = read
	}
	return err
}

// DecodeEdges turns a list of edges, which stands at place, into a prior. The caller sets
// sparseness and bound.
func DecodeEdges(list []Edge, place string, space *fmdp.Space) (*bigraph.Prior, error) {
	return decodeEdges(list, func(k int) string { return fmt.Sprintf("%s/%d", place, k) }, space)
}

// decodeEdges is DecodeEdges for edges each of which stands at a place of its own.
func decodeEdges(list []Edge, place func(k int) string, space *fmdp.Space) (*bigraph.Prior, error) {
	p := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Trivial: space.Trivial()}
	forbidden, listed := make(bigraph.Bigraph, space.Y()), make(bigraph.Bigraph, space.Y())
	closed := make([]bool, space.Y()) // whether all other edges into Y_j are forbidden
	for k, e := range list {
		i, j := space.Lookup(e.From), space.Lookup(e.To)
		at := place(k)
		others := i < 0 && e.From == Others
		switch {
		case i < 0 && !others:
			return nil, strict.Invalid(at+"/0", "there is no variable %q for the edge to start from", e.From)
		case j < 0 || j >= space.Y():
			return nil, strict.Invalid(at+"/1", "there is no state variable %q for the edge to lead to", e.To)
		case others && e.P != 0:
			return nil, strict.Invalid(at+"/2", "%q stands for all other variables; their edges can only be forbidden, with 0", Others)
		case others && closed[j] || !others && listed[j].Has(i):
			return nil, strict.Invalid(at, "the edge from %q to %q is listed twice", e.From, e.To)
		}
		if err := CheckP(e.P); err != nil {
			return nil, strict.Invalid(at+"/2", "%v", err)
		}
		if others {
			closed[j] = true
			continue
		}
		listed[j] = listed[j].With(i)
		switch e.P {
		case 1:
			p.Known[j] = p.Known[j].With(i)
		case 0:
			forbidden[j], p.Forbidden = forbidden[j].With(i), forbidden
		case 0.5:
		default:
			p.Likely = append(p.Likely, bigraph.Edge{X: i, Y: j, P: e.P})
		}
	}
	for j := range closed {
		if closed[j] {
			forbidden[j] = forbidden[j].Union(bigraph.First(space.X()).Without(listed[j]))
			p.Forbidden = forbidden
		}
	}
	slices.SortFunc(p.Likely, func(a, b bigraph.Edge) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
	return p, nil
}

// Repeats reports whether an edge is listed twice, with whatever probabilities.
func Repeats(list []Edge) bool {
	listed := map[[2]string]bool{}
	for _, e := range list {
		listed[[2]string{e.From, e.To}] = true
	}
	return len(listed) < len(list)
}

// PriorEdges is the inverse of [DecodeEdges]. It lists edges by Y variable, then X
// variable.
func PriorEdges(p *bigraph.Prior, space *fmdp.Space) []Edge {
	return edgesTo(p, space, func(j int) string { return space.State[j].Name })
}

// NodeEdges lists [PriorEdges] and those to the payoffs whose parents are hidden.
func NodeEdges(p *bigraph.Prior, seen *fmdp.Model) []Edge {
	list := PriorEdges(p, &seen.Space)
	if p.Payoffs != nil {
		names := Unscoped(seen)
		list = append(list, edgesTo(p.Payoffs, &seen.Space, func(j int) string { return names[j] })...)
	}
	return list
}

// edgesTo lists the edges of a prior whose nodes have these names.
func edgesTo(p *bigraph.Prior, space *fmdp.Space, to func(j int) string) []Edge {
	list := []Edge{}
	likely := p.Likely
	for j := range p.Known {
		for i := range space.X() {
			edge := Edge{From: space.Var(i).Name, To: to(j)}
			switch {
			case p.Known[j].Has(i):
				edge.P = 1
			case p.Forbidden != nil && p.Forbidden[j].Has(i):
			case len(likely) > 0 && likely[0].Y == j && likely[0].X == i:
				edge.P, likely = likely[0].P, likely[1:]
			default:
				continue
			}
			list = append(list, edge)
		}
	}
	return list
}

// EdgeList lists the edges of a graph as [X name, Y name], by Y variable, then X variable.
func EdgeList(g bigraph.Bigraph, space *fmdp.Space) [][2]string {
	list := [][2]string{}
	for j, z := range g {
		for i := range z.All() {
			list = append(list, [2]string{space.Var(i).Name, space.State[j].Name})
		}
	}
	return list
}

// PriorFile is a document in the format cpsrl/prior. Version 2 added probabilities of
// edges, a Z of single variables and the concentration of rows. Version 3 added tied tables
// and mixed concentrations, version 4 tables of trees.
type PriorFile struct {
	Space *fmdp.Space
	Prior *bigraph.Prior
	Rows  concentration.Concentration
	// Structure is what tables may look like.
	Structure concentration.Structure
}

type priorDoc struct {
	strict.Heading
	Variables
	Sparseness Sparseness     `json:"sparseness"`
	Edges      []Edge         `json:"edges"`
	Dirichlet  jsontext.Value `json:"dirichlet,omitzero"`
	Tables     *string        `json:"tables,omitzero"`
}

// newestPrior is the newest version of cpsrl/prior.
const newestPrior = 4

// least returns the least version that can hold the document, whose rows have that concentration.
// If it is not 1, place is that of a part that needs it, and says is the reason.
func (d *priorDoc) least(rows concentration.Concentration) (version int, place, says string) {
	edge := slices.IndexFunc(d.Edges, func(e Edge) bool { return e.P != 1 })
	switch {
	case d.Tables != nil && *d.Tables == concentration.Trees.String():
		return 4, "/tables", "tables of trees are for version 4"
	case d.Tables != nil:
		return 3, "/tables", "unknown field; version 3 has it"
	case rows.Since() > 2:
		return rows.Since(), "/dirichlet", fmt.Sprintf("the concentration %s is for version %d", rows, rows.Since())
	case d.Dirichlet != nil:
		return 2, "/dirichlet", "unknown field; version 2 has it"
	case d.Sparseness.Own != nil:
		return 2, "/sparseness", "a degree of sparseness for each variable is for version 2"
	case edge >= 0:
		return 2, fmt.Sprintf("/edges/%d", edge), "an edge with a probability is for version 2"
	}
	return 1, "", ""
}

// DecodePrior reads a prior. The caller sets the bound and then calls [CheckPrior].
func DecodePrior(data []byte) (*PriorFile, error) {
	var doc priorDoc
	if err := strict.DecodeDocument(data, &doc, PriorFormat, newestPrior); err != nil {
		return nil, err
	}
	file := &PriorFile{Space: doc.Space()}
	if err := file.Space.Validate(); err != nil {
		return nil, strict.Located(err)
	}
	var wrongRows error
	if doc.Dirichlet != nil {
		wrongRows = file.Rows.Decode(doc.Dirichlet)
	}
	if least, place, says := doc.least(file.Rows); doc.Version < least {
		return nil, strict.Invalid(place, "%s", says)
	}
	if wrongRows != nil {
		return nil, strict.Invalid("/dirichlet", "%v", wrongRows)
	}
	var err error
	if file.Structure, err = structureOf(doc.Tables); err != nil {
		return nil, err
	}
	if file.Prior, err = DecodeEdges(doc.Edges, "/edges", file.Space); err != nil {
		return nil, err
	}
	file.Prior.Sparseness = doc.Sparseness.Z
	if file.Prior.Each, err = doc.Sparseness.Each("/sparseness", file.Space); err != nil {
		return nil, err
	}
	return file, nil
}

func structureOf(tables *string) (concentration.Structure, error) {
	if tables == nil {
		return concentration.Rows, nil
	}
	structure, known := concentration.StructureOf(*tables)
	if !known {
		return structure, strict.Invalid("/tables", "%q is unknown; it must be %s", param.Clip(*tables), param.OneOf(concentration.Structures()))
	}
	return structure, nil
}

// Tables reads what is assumed of tables: α, by default 1, and their structure, by default independent rows. The error is an
// *[strict.InvalidError] at /dirichlet or /tables.
func Tables(alpha jsontext.Value, tables *string) (rows concentration.Concentration, structure concentration.Structure, err error) {
	if alpha != nil {
		if err := rows.Decode(alpha); err != nil {
			return rows, structure, strict.Invalid("/dirichlet", "%v", err)
		}
	}
	structure, err = structureOf(tables)
	return rows, structure, err
}

// EncodePrior returns the prior as one JSON object, of the least version that can hold it.
func EncodePrior(f *PriorFile) []byte {
	doc := priorDoc{Heading: strict.Heading{Format: PriorFormat}, Variables: NewVariables(f.Space), Sparseness: SparsenessOf(f.Prior, f.Space), Edges: PriorEdges(f.Prior, f.Space)}
	if !f.Rows.One() {
		doc.Dirichlet = f.Rows.Encode()
	}
	if f.Structure != concentration.Rows {
		word := f.Structure.String()
		doc.Tables = &word
	}
	doc.Version, _, _ = doc.least(f.Rows)
	return strict.Encode(doc)
}

// Nodes returns the space in which edges of priors are named: that of the variables and, after the state variables, a node
// for each payoff whose parents are hidden.
func Nodes(space *fmdp.Space, payoffs ...string) *fmdp.Space {
	if len(payoffs) == 0 {
		return space
	}
	nodes := *space
	nodes.State, nodes.Legal = slices.Clone(space.State), nil
	for _, name := range payoffs {
		nodes.State = append(nodes.State, fmdp.Variable{Name: name, Size: 2})
	}
	return &nodes
}

// CheckPrior returns an *[strict.InvalidError] if a degree of sparseness is negative or a
// variable, which the error names, has no consistent parent set.
func CheckPrior(p *bigraph.Prior, space *fmdp.Space) error {
	for _, z := range append([]int{p.Sparseness}, p.Each...) {
		if z < 0 {
			return strict.Invalid("/sparseness", "the degree of sparseness Z is %d; it must be at least 0", z)
		}
	}
	return strict.Within("/edges", Inconsistent(p.Check(), p, space))
}

// Inconsistent turns a *[bigraph.InconsistentError] into an *[strict.InvalidError] that names
// the variable. Other errors and nil stay as they are.
func Inconsistent(err error, p *bigraph.Prior, space *fmdp.Space) error {
	e, ok := err.(*bigraph.InconsistentError)
	if !ok {
		return err
	}
	bound := "at most"
	if p.Bound == bigraph.Below {
		bound = "fewer than"
	}
	return strict.Invalid("", "%q has %d known parents, but the degree of sparseness admits %s %d", space.State[e.Y].Name, e.Known, bound, p.Z(e.Y))
}

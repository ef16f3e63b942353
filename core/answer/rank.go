package answer

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// An edge whose probability is from LeastTrust to MostTrust is uncertain. As a prior, no edge gets less
// or more.
const (
	LeastTrust = 0.01
	MostTrust  = 0.99
)

// Rank returns edges in the order of a reader: the uncertain ones, then the certain ones, then those
// that are all but excluded, each with the most probable first. Ties keep their order.
func Rank(edges []RankedEdge) (uncertain, certain, excluded []RankedEdge) {
	order := slices.Clone(edges)
	slices.SortStableFunc(order, func(a, b RankedEdge) int { return cmp.Compare(b.P, a.P) })
	for _, e := range order {
		switch {
		case e.P > MostTrust:
			certain = append(certain, e)
		case e.P < LeastTrust:
			excluded = append(excluded, e)
		default:
			uncertain = append(uncertain, e)
		}
	}
	return uncertain, certain, excluded
}

// EdgesOf returns every edge from a variable with more than one value, by Y variable, then X variable.
func EdgesOf(space *fmdp.Space, beliefs []posterior.Weights) []RankedEdge {
	edges, trivial := []RankedEdge{}, space.Trivial()
	for j, v := range space.State {
		for i, p := range beliefs[j].Edges {
			if !trivial.Has(i) {
				edges = append(edges, RankedEdge{space.Var(i).Name, v.Name, p})
			}
		}
	}
	return edges
}

// EdgeTable returns edges as CSV in the order of [Rank], with the columns from, to and p and, if a true
// graph is given, true. It reads back as a prior: only 0 and 1 themselves, which are edges that no or
// every candidate set has, are written as such.
func EdgeTable(space *fmdp.Space, beliefs []posterior.Weights, truth bigraph.Bigraph) []byte {
	uncertain, certain, excluded := Rank(EdgesOf(space, beliefs))
	header := "from,to,p"
	if truth != nil {
		header += ",true"
	}
	text := []byte(header + "\n")
	for _, e := range slices.Concat(uncertain, certain, excluded) {
		i, j := space.Lookup(e.From), space.Lookup(e.To)
		p := e.P
		if in, of := held(beliefs[j].Sets, i); in > 0 && in < of {
			p = min(max(p, document.LeastLikely), document.MostLikely)
		}
		text = fmt.Appendf(text, "%s,%s,%s", quoted(e.From), quoted(e.To), strconv.FormatFloat(p, 'f', -1, 64))
		if truth != nil {
			text = fmt.Appendf(text, ",%t", truth[j].Has(i))
		}
		text = append(text, '\n')
	}
	return text
}

// held returns how many of the sets have the variable, and how many there are.
func held(sets []bigraph.Scope, i int) (in, of int) {
	for _, z := range sets {
		if z.Has(i) {
			in++
		}
	}
	return in, len(sets)
}

// quoted returns a cell of CSV.
func quoted(text string) string {
	if !strings.ContainsAny(text, "\",;\t\r\n") && strings.TrimSpace(text) == text && text != "" {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// Stated returns the probabilities of edges as a prior over the same variables, with the given Z: each
// from LeastTrust to MostTrust, with 4 decimals. Edges from variables with one value are unknown.
func Stated(space *fmdp.Space, beliefs []posterior.Weights, of *bigraph.Prior) *bigraph.Prior {
	p := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Sparseness: of.Sparseness, Each: of.Each, Bound: of.Bound, Trivial: space.Trivial()}
	for j := range space.State {
		for i, q := range beliefs[j].Edges {
			q = min(max(math.Round(q*1e4)/1e4, LeastTrust), MostTrust)
			if !p.Trivial.Has(i) && q != 0.5 {
				p.Likely = append(p.Likely, bigraph.Edge{X: i, Y: j, P: q})
			}
		}
	}
	return p
}

// Drawn returns the probabilities of edges as a prior to draw: an edge of at least ½·10⁻³ less than 1 is
// known, one below LeastTrust is left out, and the others have 3 decimals.
func Drawn(space *fmdp.Space, beliefs []posterior.Weights) *bigraph.Prior {
	p := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y())}
	for j := range space.State {
		for i, q := range beliefs[j].Edges {
			switch q3 := math.Round(q*1e3) / 1e3; {
			case space.Trivial().Has(i) || q < LeastTrust:
			case q3 == 1:
				p.Known[j] = p.Known[j].With(i)
			default:
				p.Likely = append(p.Likely, bigraph.Edge{X: i, Y: j, P: q3})
			}
		}
	}
	return p
}

// Limits of the Z of [Unstated].
const (
	mostUnstated     = 5
	mostUnstatedSets = 10_000 // of a variable
)

// Unstated returns the prior of variables about which nothing is known. If z is 0, Z is the largest up to
// 5 for which no variable has more than 10,000 parent sets and their counts are read in one pass, and at
// least 1.
func Unstated(space *fmdp.Space, z int, file document.PriorFile) *document.PriorFile {
	file.Space = space
	at := func(z int) *document.PriorFile {
		f := file
		f.Prior = &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Sparseness: z, Trivial: space.Trivial()}
		return &f
	}
	if z > 0 {
		return at(z)
	}
	for z = min(mostUnstated, space.X()); z > 1; z-- {
		f := at(z)
		few := true
		for j := range space.State {
			n := f.Prior.Count(j)
			few = few && n.IsInt64() && n.Int64() <= mostUnstatedSets
		}
		if !few {
			continue
		}
		if w, err := NewWeighing(f, posterior.Exact); err == nil && w.Passes() <= 1 {
			break
		}
	}
	return at(max(z, 1))
}

// Caution says that transitions are few for the widest table that they weigh.
type Caution struct {
	Of          string   `json:"of"`      // the Y variable
	Parents     []string `json:"parents"` // of the table
	Rows        int      `json:"rows"`
	Visited     int      `json:"visited"` // the rows that a transition is in
	Transitions int      `json:"transitions"`
	Imagined    float64  `json:"imagined"` // Σα over the table: it weighs as much as so many transitions
	Text        string   `json:"text"`     // the same as a sentence
}

// enough is the number of transitions for each imagined one from which on there is no caution.
const enough = 10

// Visits counts which rows of the widest candidate table transitions are in.
type Visits struct {
	file    *document.PriorFile
	y       int
	given   []int
	seen    []uint64 // a bit for each row
	visited int
	n       int
}

// NewVisits returns the visits of the widest table of a weighing: the one with the most entries; of
// several, the first.
func NewVisits(file *document.PriorFile, w *posterior.Weighing) *Visits {
	y, z := w.Widest()
	v := &Visits{file: file, y: y, given: z.Parents()}
	v.seen = make([]uint64, file.Space.Rows(v.given)/64+1)
	return v
}

// Watch returns the transitions as they are, and counts them.
func (v *Visits) Watch(data iter.Seq2[posterior.Step, error]) iter.Seq2[posterior.Step, error] {
	return func(yield func(posterior.Step, error) bool) {
		for step, err := range data {
			if err == nil {
				row := v.file.Space.Row(v.given, step.Point)
				if bit := uint64(1) << (row % 64); v.seen[row/64]&bit == 0 {
					v.seen[row/64] |= bit
					v.visited++
				}
				v.n++
			}
			if !yield(step, err) {
				return
			}
		}
	}
}

// Transitions returns how many were counted.
func (v *Visits) Transitions() int { return v.n }

// Caution returns a caution if the rows of tables share nothing, α is a fixed number, and there are at least
// two transitions, but fewer than ten for each imagined one in the widest table; else nil.
func (v *Visits) Caution() *Caution {
	rows, space := v.file.Rows, v.file.Space
	if v.file.Tied || rows.Learns() || rows.Mixes() || len(v.given) == 0 || v.n < 2 {
		return nil
	}
	size, all := space.State[v.y].Size, space.Rows(v.given)
	alpha := rows.Alphas(size, all)[0]
	imagined := alpha * float64(size) * float64(all)
	if float64(v.n) >= enough*imagined {
		return nil
	}
	c := &Caution{space.State[v.y].Name, space.Names(v.given), all, v.visited, v.n, imagined, ""}
	n := len(c.Parents)
	given := c.Parents[n-1]
	if n > 1 {
		given = strings.Join(c.Parents[:n-1], ", ") + " and " + given
	}
	c.Text = fmt.Sprintf("the widest table that was weighed, of %s′ given %s, has %d rows, and the %d transitions visit %d of them; with α = %s it weighs as much as %s imagined transitions, so a true parent may be missed",
		c.Of, given, all, v.n, v.visited, number(alpha), number(imagined))
	return c
}

// number returns a short text of a number.
func number(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// Table says how a table of transitions was read.
type Table struct {
	State   []document.Variable `json:"state"`   // as they were found, or as the prior says
	Action  []document.Variable `json:"action"`  // the same
	Columns []string            `json:"columns"` // each that is a variable, in its order
	Rows    int                 `json:"rows"`    // that were used
	Refused int                 `json:"refused"` // in which a cell is missing
	Notes   []string            `json:"notes"`   // sentences on what was left out
}

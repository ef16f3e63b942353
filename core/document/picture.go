package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Picture says how to draw a problem. It is a *[GridPicture], a *[ChartPicture] or a
// *[NodesPicture].
type Picture interface {
	// Check returns an *[strict.InvalidError] in the picture at that place, unless it suits the
	// variables of the space.
	Check(place string, space *fmdp.Space) error
	// Renamed returns a copy with another name of a variable.
	Renamed(from, to string) Picture
	kind() string
}

func (*GridPicture) kind() string  { return "grid" }
func (*ChartPicture) kind() string { return "chart" }
func (*NodesPicture) kind() string { return "nodes" }

// View is the picture of a document, or none. In JSON it is an object with a kind, which decides
// what its other members are.
type View struct{ Picture }

// Check is [Picture.Check]. No picture suits every space.
func (v View) Check(place string, space *fmdp.Space) error {
	if v.Picture == nil {
		return nil
	}
	return v.Picture.Check(place, space)
}

// The pictures as they are written.
type (
	pictureKind struct {
		Kind string `json:"kind"`
	}
	gridDoc struct {
		pictureKind
		GridPicture
	}
	chartDoc struct {
		pictureKind
		ChartPicture
	}
	nodesDoc struct {
		pictureKind
		NodesPicture
	}
)

var _ = strict.Know(gridDoc{}, chartDoc{}, nodesDoc{}, Agent{}, Mark{}, Vital{})

// DecodeStrict implements [strict.Decoder].
func (v *View) DecodeStrict(r *strict.Reader) error {
	raw, err := r.Raw()
	if err == nil && len(raw) > maxView {
		err = strict.Invalid(r.Place(), "the picture takes %d bytes, more than %d", len(raw), maxView)
	}
	if err != nil {
		return err
	}
	return strict.Within(r.Place(), v.decode(raw))
}

func (v *View) decode(raw jsontext.Value) error {
	members, err := strict.Object(raw)
	if err != nil {
		return err
	}
	kind, there := members["kind"]
	if !there {
		return strict.Invalid("/kind", `the field "kind" is missing`)
	}
	var of pictureKind
	if err := strict.DecodeAt(kind, &of.Kind, "/kind"); err != nil {
		return err
	}
	switch of.Kind {
	case "grid":
		var doc gridDoc
		err = strict.Decode(raw, &doc)
		v.Picture = &doc.GridPicture
	case "chart":
		var doc chartDoc
		err = strict.Decode(raw, &doc)
		v.Picture = &doc.ChartPicture
	case "nodes":
		var doc nodesDoc
		err = strict.Decode(raw, &doc)
		v.Picture = &doc.NodesPicture
	default:
		err = strict.Invalid("/kind", "the kind is %q; it must be grid, chart or nodes", param.Clip(of.Kind))
	}
	return err
}

// MarshalJSONTo writes the picture with its kind.
func (v View) MarshalJSONTo(enc *jsontext.Encoder) error {
	kind := pictureKind{v.Picture.kind()}
	switch p := v.Picture.(type) {
	case *GridPicture:
		return json.MarshalEncode(enc, gridDoc{kind, *p})
	case *ChartPicture:
		return json.MarshalEncode(enc, chartDoc{kind, *p})
	case *NodesPicture:
		return json.MarshalEncode(enc, nodesDoc{kind, *p})
	}
	panic("document: no such picture")
}

// Limits of pictures.
const (
	maxView  = 1 << 19 // bytes of a picture as it is written
	MaxCells = 64      // rows of a grid, and columns
	maxMarks = 1 << 10 // marks of a grid
	maxText  = 40      // bytes of a mark's text
)

// GridPicture draws a problem on a grid of cells. Rows and columns count from 0, from the top left;
// a cell is {row, column}.
type GridPicture struct {
	Rows    int   `json:"rows"`
	Columns int   `json:"columns"`
	Agent   Agent `json:"agent"`
	// Walls are east of these cells, and SouthWalls south of them.
	Walls      [][2]int `json:"walls,omitempty"`
	SouthWalls [][2]int `json:"southWalls,omitempty"`
	Marks      []Mark   `json:"marks,omitempty"` // from back to front
}

// Agent says in which cell the agent is, by one of three: two state variables, its row and its
// column; one, the number of the cell, row by row; or one for each cell, row by row, of which the
// first that is not 0 is the agent's. In a cell of the name "" the agent can never be. If all are 0, it
// is gone.
type Agent struct {
	Look   Look     `json:"look,omitempty"`
	Row    string   `json:"row,omitempty"`
	Column string   `json:"column,omitempty"`
	Cell   string   `json:"cell,omitempty"`
	Cells  []string `json:"cells,omitempty"`
}

// Look is how the agent is drawn.
type Look string

const (
	Walker Look = ""     // a figure
	Cab    Look = "taxi" // a taxi
)

// Mark is something in a cell.
type Mark struct {
	At   *[2]int `json:"at,omitzero"`   // the cell; absent: it is with the agent
	Text string  `json:"text"`          // what it is, or its letter
	Tone Tone    `json:"tone"`          // what it is to the agent
	When When    `json:"when,omitzero"` // when it is there; absent: always
}

// At returns a cell for a [Mark].
func At(row, column int) *[2]int { return &[2]int{row, column} }

// Tone says what a mark is to the agent.
type Tone string

const (
	Place     Tone = "place"     // a place of that name
	Start     Tone = "start"     // where episodes begin
	Goal      Tone = "goal"      // where the agent should go
	Hole      Tone = "hole"      // where it should not
	Cliff     Tone = "cliff"     // the same; neighbours look like one
	Passenger Tone = "passenger" // what the agent fetches and brings
)

var tones = []Tone{Place, Start, Goal, Hole, Cliff, Passenger}

// When holds values of state variables, by their names.
type When map[string]int

// DecodeStrict implements [strict.Decoder].
func (w *When) DecodeStrict(r *strict.Reader) error {
	*w = When{}
	return r.Members(func() error {
		if err := r.Spend(64 + len(r.Name())); err != nil {
			return err
		}
		name, value := r.Name(), 0
		err := r.Value(&value)
		(*w)[name] = value
		return err
	})
}

// ChartPicture draws a problem as a patient's chart, with a step of the episode in each column.
type ChartPicture struct {
	Vitals     []Vital  `json:"vitals"`
	Treatments []string `json:"treatments,omitempty"` // variables that are on unless they have their first value
}

// Vital is a state variable of a chart.
type Vital struct {
	Of     string `json:"of"`
	Normal []int  `json:"normal,omitempty"` // its normal values, ascending; empty: every value is
}

// NodesPicture draws state variables as the nodes of a graph, which light up by their values.
type NodesPicture struct {
	Nodes  []string    `json:"nodes"`
	Links  [][2]string `json:"links,omitempty"`  // from, to
	Places [][2]int    `json:"places,omitempty"` // {row, column} of each node; absent: on a circle
}

// Check implements [Picture].
func (g *GridPicture) Check(place string, space *fmdp.Space) error {
	switch {
	case g.Rows < 1 || g.Rows > MaxCells:
		return strict.Invalid(place+"/rows", "%d rows; there are 1 to %d", g.Rows, MaxCells)
	case g.Columns < 1 || g.Columns > MaxCells:
		return strict.Invalid(place+"/columns", "%d columns; there are 1 to %d", g.Columns, MaxCells)
	case len(g.Marks) > maxMarks:
		return strict.Invalid(place+"/marks", "%d marks, more than %d", len(g.Marks), maxMarks)
	}
	err := cmp.Or(g.Agent.check(place+"/agent", g, space), g.checkCells(g.Walls, place+"/walls"), g.checkCells(g.SouthWalls, place+"/southWalls"))
	for k := range g.Marks {
		err = cmp.Or(err, g.Marks[k].check(fmt.Sprintf("%s/marks/%d", place, k), g, space))
	}
	return err
}

// checkCell returns an error unless there is such a cell.
func (g *GridPicture) checkCell(cell [2]int, place string) error {
	if cell[0] < 0 || cell[0] >= g.Rows || cell[1] < 0 || cell[1] >= g.Columns {
		return strict.Invalid(place, "there is no cell at row %d, column %d", cell[0], cell[1])
	}
	return nil
}

// checkCells returns an error unless the cells are there, each once.
func (g *GridPicture) checkCells(list [][2]int, place string) error {
	seen := map[[2]int]bool{}
	for k, cell := range list {
		at := fmt.Sprintf("%s/%d", place, k)
		if err := g.checkCell(cell, at); err != nil {
			return err
		}
		if seen[cell] {
			return strict.Invalid(at, "this cell is listed twice")
		}
		seen[cell] = true
	}
	return nil
}

func (a *Agent) check(place string, g *GridPicture, space *fmdp.Space) error {
	if a.Look != Walker && a.Look != Cab {
		return strict.Invalid(place+"/look", "the look is %q; it must be taxi, or absent", param.Clip(string(a.Look)))
	}
	ways := 0
	for _, there := range []bool{a.Row != "" || a.Column != "", a.Cell != "", a.Cells != nil} {
		if there {
			ways++
		}
	}
	switch {
	case ways != 1:
		return strict.Invalid(place, "the agent has a row and a column, or a cell, or cells")
	case a.Cell != "":
		return checkSize(a.Cell, g.Rows*g.Columns, place+"/cell", space)
	case a.Cells == nil:
		return cmp.Or(checkSize(a.Row, g.Rows, place+"/row", space), checkSize(a.Column, g.Columns, place+"/column", space))
	case len(a.Cells) != g.Rows*g.Columns:
		return strict.Invalid(place+"/cells", "%d names for %d cells", len(a.Cells), g.Rows*g.Columns)
	}
	named, err := []string{}, error(nil)
	for k, name := range a.Cells {
		if name != "" {
			err = cmp.Or(err, checkState(name, named, fmt.Sprintf("%s/cells/%d", place, k), space))
			named = append(named, name)
		}
	}
	if len(named) == 0 {
		return strict.Invalid(place+"/cells", "no cell has a variable")
	}
	return err
}

func (m *Mark) check(place string, g *GridPicture, space *fmdp.Space) error {
	switch {
	case m.Text == "" || len(m.Text) > maxText:
		return strict.Invalid(place+"/text", "%d bytes; there are 1 to %d", len(m.Text), maxText)
	case !slices.Contains(tones, m.Tone):
		return strict.Invalid(place+"/tone", "the tone is %q; it must be %s", param.Clip(string(m.Tone)), listed(tones))
	}
	var err error
	if m.At != nil {
		err = g.checkCell(*m.At, place+"/at")
	}
	names := make([]string, 0, len(m.When))
	for name := range m.When {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		at := place + "/when" + strict.Place(name)
		if err = cmp.Or(err, checkState(name, nil, at, space)); err != nil {
			return err
		}
		if v, value := space.Var(space.Lookup(name)), m.When[name]; value < 0 || value >= v.Size {
			return strict.Invalid(at, "%q has no value %d; its values are 0 to %d", name, value, v.Size-1)
		}
	}
	return err
}

// Check implements [Picture].
func (c *ChartPicture) Check(place string, space *fmdp.Space) error {
	if len(c.Vitals) == 0 {
		return strict.Invalid(place+"/vitals", "there is no vital; a chart has at least one")
	}
	var names []string
	for k, vital := range c.Vitals {
		at := fmt.Sprintf("%s/vitals/%d", place, k)
		if err := checkState(vital.Of, names, at+"/of", space); err != nil {
			return err
		}
		names = append(names, vital.Of)
		v := space.Var(space.Lookup(vital.Of))
		for n, value := range vital.Normal {
			at := fmt.Sprintf("%s/normal/%d", at, n)
			switch {
			case value < 0 || value >= v.Size:
				return strict.Invalid(at, "%q has no value %d; its values are 0 to %d", v.Name, value, v.Size-1)
			case n > 0 && value <= vital.Normal[n-1]:
				return strict.Invalid(at, "normal values are ascending")
			}
		}
	}
	for k, name := range c.Treatments {
		if err := checkNamed(name, names, space.X(), "variable", fmt.Sprintf("%s/treatments/%d", place, k), space); err != nil {
			return err
		}
		names = append(names, name)
	}
	return nil
}

// Check implements [Picture].
func (p *NodesPicture) Check(place string, space *fmdp.Space) error {
	if len(p.Nodes) == 0 {
		return strict.Invalid(place+"/nodes", "there is no node; a graph has at least one")
	}
	for k, name := range p.Nodes {
		if err := checkState(name, p.Nodes[:k], fmt.Sprintf("%s/nodes/%d", place, k), space); err != nil {
			return err
		}
	}
	links := map[[2]string]bool{}
	for k, link := range p.Links {
		at := fmt.Sprintf("%s/links/%d", place, k)
		for end, name := range link {
			if !slices.Contains(p.Nodes, name) {
				return strict.Invalid(fmt.Sprintf("%s/%d", at, end), "there is no node %q", param.Clip(name))
			}
		}
		switch {
		case link[0] == link[1]:
			return strict.Invalid(at, "a link leads from a node to another one")
		case links[link]:
			return strict.Invalid(at, "this link is listed twice")
		}
		links[link] = true
	}
	if p.Places == nil {
		return nil
	}
	if len(p.Places) != len(p.Nodes) {
		return strict.Invalid(place+"/places", "%d places for %d nodes", len(p.Places), len(p.Nodes))
	}
	board := &GridPicture{Rows: MaxCells, Columns: MaxCells}
	return board.checkCells(p.Places, place+"/places")
}

// checkState returns an error unless there is a state variable of that name, which is not among
// those before.
func checkState(name string, before []string, place string, space *fmdp.Space) error {
	return checkNamed(name, before, space.Y(), "state variable", place, space)
}

// checkNamed returns an error unless one of the first n variables of X has that name, which is not
// among those before.
func checkNamed(name string, before []string, n int, of, place string, space *fmdp.Space) error {
	switch i := space.Lookup(name); {
	case i < 0 || i >= n:
		return strict.Invalid(place, "there is no %s %q", of, param.Clip(name))
	case slices.Contains(before, name):
		return strict.Invalid(place, "%q is listed twice", param.Clip(name))
	}
	return nil
}

// checkSize returns an error unless there is a state variable of that name with so many values.
func checkSize(name string, size int, place string, space *fmdp.Space) error {
	if err := checkState(name, nil, place, space); err != nil {
		return err
	}
	if v := space.Var(space.Lookup(name)); v.Size != size {
		return strict.Invalid(place, "%q has %d values, not %d", v.Name, v.Size, size)
	}
	return nil
}

func listed(list []Tone) string {
	words := make([]string, len(list))
	for k, t := range list {
		words[k] = string(t)
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// Renamed implements [Picture].
func (g *GridPicture) Renamed(from, to string) Picture {
	c := *g
	for _, name := range []*string{&c.Agent.Row, &c.Agent.Column, &c.Agent.Cell} {
		*name = renamed(*name, from, to)
	}
	c.Agent.Cells = renamedList(g.Agent.Cells, from, to)
	c.Marks = slices.Clone(g.Marks)
	for k, m := range c.Marks {
		if m.When == nil {
			continue
		}
		c.Marks[k].When = When{}
		for name, value := range m.When {
			c.Marks[k].When[renamed(name, from, to)] = value
		}
	}
	return &c
}

// Renamed implements [Picture].
func (c *ChartPicture) Renamed(from, to string) Picture {
	d := &ChartPicture{slices.Clone(c.Vitals), renamedList(c.Treatments, from, to)}
	for k := range d.Vitals {
		d.Vitals[k].Of = renamed(d.Vitals[k].Of, from, to)
	}
	return d
}

// Renamed implements [Picture].
func (p *NodesPicture) Renamed(from, to string) Picture {
	c := &NodesPicture{renamedList(p.Nodes, from, to), slices.Clone(p.Links), p.Places}
	for k, link := range c.Links {
		c.Links[k] = [2]string{renamed(link[0], from, to), renamed(link[1], from, to)}
	}
	return c
}

func renamed(name, from, to string) string {
	if name == from {
		return to
	}
	return name
}

func renamedList(names []string, from, to string) []string {
	list := slices.Clone(names)
	for k := range list {
		list[k] = renamed(list[k], from, to)
	}
	return list
}

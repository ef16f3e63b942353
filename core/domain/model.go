package domain

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

var modelKind = Kind{
	Key: "model", Label: "A model file", Phrase: "a model file",
	Reward: "A step pays what the model says.",
	Tied:   true,
	New:    func() Domain { return new(Custom) },
}

// Custom is the problem of a model of the user's, in the format cpsrl/model.
type Custom struct {
	Horizon int    // the horizon of the model, or 0 if absent
	Tables  string // "given", those of the model; or "resampled", drawn anew for each run
	model   packed
}

// The words of Tables.
const (
	givenTables     = "given"
	resampledTables = "resampled"
)

// NewCustom returns the problem of a valid model, which it keeps.
func NewCustom(m *fmdp.Model) *Custom { return NewCustomFile(&document.ModelFile{Model: m}) }

// NewCustomFile is [NewCustom] for the document of a model.
func NewCustomFile(f *document.ModelFile) *Custom { return &Custom{model: packed{f, f.Encode()}} }

// Model returns the model, which the caller must not change, or nil if it is absent.
func (c *Custom) Model() *fmdp.Model {
	if c.model.file == nil {
		return nil
	}
	return c.model.file.Model
}

// File returns the model's document, which the caller must not change, or nil if it is absent.
func (c *Custom) File() *document.ModelFile { return c.model.file }

// Kind implements [Domain].
func (*Custom) Kind() *Kind { return &modelKind }

// Params implements Domain. The only value of the horizon is the model's.
func (c *Custom) Params() []param.Param {
	h := horizon(&c.Horizon, "")
	if m := c.Model(); m != nil {
		h.Low, h.High, h.Default = m.Horizon, m.Horizon, strconv.Itoa(m.Horizon)
	}
	return []param.Param{h, {
		Name: "model", Key: "model", Section: param.Domain, Label: "Model", Document: &c.model,
	}, {
		Name: "tables", Key: "true-tables", Section: param.Domain, Label: "True tables", Phrase: "true tables _",
		Help: "Resampled: each run draws its rows anew from Dirichlet(1), on the model’s graph.",
		Text: &c.Tables, Default: givenTables, Since: 4,
		Words: []param.Word{{Value: givenTables, Label: "those of the model"}, {Value: resampledTables, Label: "drawn anew for each run"}},
	}}
}

// stated returns the Z of the model's prior, or nil.
func (c *Custom) stated() *document.Sparseness {
	if f := c.model.file; f != nil && f.Prior != nil {
		return f.Prior.Sparseness
	}
	return nil
}

// Sparseness implements Domain: that of the model's prior or, if it says none, the most parents that a variable of the model has.
func (c *Custom) Sparseness() int {
	if z := c.stated(); z != nil {
		return z.Z
	}
	most := 1
	if m := c.Model(); m != nil {
		for _, z := range viewOf(m).Graph() {
			most = max(most, z.Len())
		}
	}
	return most
}

// Limits of the Z that is suggested for a variable of a model.
const (
	leastOwn = 2
	mostOwn  = 5
)

// OwnSparseness implements [OwnSparse]: that of the model's prior or, if it says none, the number of true parents of each
// variable, but from 2 to 5.
func (c *Custom) OwnSparseness() document.Sparseness {
	if z := c.stated(); z != nil {
		return *z
	}
	z := document.Sparseness{Z: leastOwn}
	m := c.Model()
	if m == nil {
		return z
	}
	view := viewOf(m)
	each := make([]int, view.Y())
	for j, parents := range view.Graph() {
		each[j] = min(max(parents.Len(), leastOwn), mostOwn)
		z.Z = max(z.Z, each[j])
	}
	for j, own := range each {
		if own != z.Z {
			z.Own = append(z.Own, document.OwnSparseness{Of: view.State[j].Name, Z: own})
		}
	}
	slices.SortFunc(z.Own, func(a, b document.OwnSparseness) int { return strings.Compare(a.Of, b.Of) })
	return z
}

// MostTitle is the largest number of bytes of a model's name that a title shows.
const MostTitle = 100

// Title implements Domain. The underscores of the user's name become spaces, because
// they do not stand for subscripts.
func (c *Custom) Title() (string, []string) {
	if name := param.Cut(c.Model().Name, MostTitle); name != "" {
		return strings.ReplaceAll(name, "_", " "), nil
	}
	return "A model", nil
}

// Build implements Domain: what the model's prior states is suggested, and parents are revealed in a
// random order. Resampled tables are drawn after that.
func (c *Custom) Build(rng *rand.Rand, _ Given) (*Problem, error) {
	m := c.Model()
	p := FromModel(m, rng)
	p.Picture = c.model.file.Picture
	p.state(c.model.file.Prior)
	if c.Tables != resampledTables {
		p.File = c.model.file
		return p, nil
	}
	drawn := *m
	drawn.Transition = slices.Clone(m.Transition)
	for j := range drawn.Transition[:m.Y()-m.Noise] {
		f := &drawn.Transition[j]
		if f.Known {
			continue
		}
		f.P = make([]float64, len(f.P))
		prior := make(posterior.Counts, f.Size) // Dirichlet(1, …, 1)
		for row := range drawn.Rows(f.Given) {
			prior.Sample(rng, 1, f.Row(row))
		}
	}
	p.World, p.View, p.Sight = &drawn, viewOf(&drawn), sightOf(&drawn)
	return p, nil
}

// Drawn reports whether each run has true tables of its own.
func Drawn(d Domain) bool {
	c, custom := d.(*Custom)
	return d.Kind().PerRun || d.Kind().Mixes || custom && c.Tables == resampledTables
}

// FromModel returns the problem of a given model: nothing is suggested, and
// parents are revealed in a random order.
func FromModel(m *fmdp.Model, rng *rand.Rand) *Problem {
	p := problem(m)
	p.Suggested = make(bigraph.Bigraph, p.View.Y())
	p.reveal(rng)
	return p
}

// reveal draws the order in which parents are revealed.
func (p *Problem) reveal(rng *rand.Rand) {
	for _, z := range p.View.Graph() {
		order := z.Parents()
		rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		p.Reveal = append(p.Reveal, order)
	}
}

// Document returns the world as a document.
func (p *Problem) Document() []byte {
	if p.File != nil {
		return p.File.Encode()
	}
	return (&document.ModelFile{Model: p.World, Picture: p.Picture}).Encode()
}

// packed is a model and its canonical JSON. Both are kept, so a model is decoded once.
type packed struct {
	file *document.ModelFile
	text []byte
}

// MaxModel is the size in bytes of the largest canonical model of a spec. It leaves room for
// the rest of a spec and of a header that holds the spec.
const MaxModel = document.MaxModel

func (d *packed) Decode(data []byte) error {
	file, err := document.DecodeModelFile(data)
	if err != nil {
		return err
	}
	if err := file.CheckLegal(); err != nil {
		return err
	}
	text := file.Encode()
	if len(text) > MaxModel {
		return strict.Invalid("", "the model takes %.1f MiB in canonical form, more than %d", float64(len(text))/(1<<20), MaxModel>>20)
	}
	*d = packed{file, text}
	return nil
}

func (d *packed) Encode() []byte { return d.text }

func (d *packed) Set(other param.Document) { *d = *other.(*packed) }

package domain

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/gallery"
	"cpsrl/core/param"
)

// Written is a problem that a document of the gallery tells. Its parameters are the horizon and what the document
// offers to choose.
type Written struct {
	Horizon int
	words   []string // of each choice
	told    *told
}

// told is a document with its row in [Kinds].
type told struct {
	kind     Kind
	document gallery.Entry
}

// writtenKinds returns the kinds of the documents, in their order.
func writtenKinds() (list []*Kind) {
	for _, e := range gallery.Entries() {
		k := e.Kind
		if k == nil {
			continue
		}
		t := &told{document: e}
		t.kind = Kind{Key: e.Name, Label: k.Label, Phrase: k.Phrase, Reward: k.Reward, Since: k.Since, Tied: true, Agents: k.Agents, New: func() Domain {
			return &Written{words: make([]string, len(e.Choices)), told: t}
		}}
		list = append(list, &t.kind)
	}
	return list
}

// Kind implements [Domain].
func (w *Written) Kind() *Kind { return &w.told.kind }

// Params implements Domain. The default of the horizon is that of the model.
func (w *Written) Params() (rows []param.Param) {
	for k, c := range w.told.document.Choices {
		row := param.Param{Name: c.Name, Key: c.Name, Section: param.Domain, Label: c.Label, Phrase: c.Phrase, Text: &w.words[k], Default: c.Words[0][0], Restarts: c.Restarts}
		for _, word := range c.Words {
			row.Words = append(row.Words, param.Word{Value: word[0], Label: word[1]})
		}
		rows = append(rows, row)
	}
	return append(rows, horizon(&w.Horizon, strconv.Itoa(w.variant().Model.Horizon)))
}

// variant returns the chosen model. Instead of a word that is absent or unknown, it takes the default.
func (w *Written) variant() *gallery.Variant {
	words := slices.Clone(w.words)
	for k, c := range w.told.document.Choices {
		if !slices.ContainsFunc(c.Words, func(word [2]string) bool { return word[0] == words[k] }) {
			words[k] = c.Words[0][0]
		}
	}
	return w.told.document.Of(words)
}

// Sparseness implements [Domain].
func (w *Written) Sparseness() int { return w.variant().Model.Sparseness }

// Title implements [Domain].
func (w *Written) Title() (string, []string) {
	return w.variant().Name, slices.Clone(w.variant().Facts)
}

// Build implements Domain. It draws nothing but the order of parents, unless the document says it.
func (w *Written) Build(rng *rand.Rand, _ Given) (*Problem, error) {
	file, err := document.DecodeModelFile(w.variant().Model.Text)
	if err != nil {
		panic("domain: " + w.told.kind.Key + ": " + err.Error())
	}
	m := file.Model
	m.Horizon = w.Horizon
	if err := checked(m); err != nil {
		return nil, err
	}
	p := problem(m)
	p.File, p.Picture = file, file.Picture
	p.state(file.Prior)
	if w.told.document.Listed {
		p.revealListed(file.Prior)
	} else {
		p.reveal(rng)
	}
	return p, nil
}

// revealListed makes the order in which parents are revealed that of a prior, and then that of the variables.
func (p *Problem) revealListed(prior *document.Stated) {
	listed := make([][]int, document.NodesOf(p.View).Y())
	for e := range document.Suggestions(prior, p.View) {
		listed[e.Y] = append(listed[e.Y], e.X)
	}
	for y, z := range p.View.Graph() {
		order := slices.DeleteFunc(listed[y], func(x int) bool { return !z.Has(x) })
		p.Reveal = append(p.Reveal, append(order, z.Without(bigraph.Of(order...)).Parents()...))
	}
}

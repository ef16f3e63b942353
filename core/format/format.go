// Package format reads the files of other programs: models, priors, and tables of transitions.
// Each format has a file of its own and a row in a table; to add one, add both. The page "File
// formats" says what is read of each.
//
// A graph of another program states edges from variables now to next values. It is read as
// package export writes it: a next value has the name of its variable and a prime or "_next"
// behind it, or is told by its place in the graph. What states no edge of such a graph is left
// out, with a sentence that names its line and column.
//
// A model is refused if it has what a model of ours cannot have. [ReadModel] returns sentences on
// what it leaves out.
//
// Functions may be called by several goroutines at once.
package format

import (
	"fmt"

	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// language is one language of priors.
type language struct {
	// match reports whether a text is of this language, by its beginning.
	match func(text string) bool
	// read returns the edges that the text states, each once, and the errors of the parts that
	// are left out.
	read func(text string, space *fmdp.Space) ([]document.Edge, []export.TextError)
	// note is a sentence on what a reader of the text may take for something else, or "".
	note string
}

// languages are the languages of priors. The last one matches every text.
var languages = []language{dot, dagitty, edgeTable, matrix, {match: func(string) bool { return true }, read: export.ParseText}}

// ReadPrior reads a prior in any language: the text form of package export, a graph in DOT or
// DAGitty, or a table of edges or of probabilities as CSV. The edges are those of the parts without
// errors; each is listed once. The note is a sentence on how the text is read, or "".
func ReadPrior(text string, space *fmdp.Space) (edges []document.Edge, errors []export.TextError, note string) {
	plain, err := strict.UTF8([]byte(text))
	if err != nil {
		return []document.Edge{}, []export.TextError{{Line: 1, Column: 1, Detail: err.Error()}}, ""
	}
	text = string(plain)
	if len(text) > export.MaxText {
		return []document.Edge{}, []export.TextError{{Line: 1, Column: 1, Detail: fmt.Sprintf("the text has %d bytes, more than %d", len(text), export.MaxText)}}, ""
	}
	for _, l := range languages {
		if l.match(text) {
			edges, errors = l.read(text, space)
			return edges, errors, l.note
		}
	}
	panic("format: no language matches")
}

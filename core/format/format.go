// Package format reads the files of other programs: models, priors, and tables of transitions. It
// writes priors and graphs, too.
// Each format has a file of its own and a row in a table; to add one, add both, or register it
// ([RegisterModel], [RegisterLanguage]). The page "File formats" says what is read of each.
//
// A graph states edges from variables now to next values. It is read as a [Graph] is written: a
// next value has the name of its variable and a prime or "_next" behind it, or is told by its
// place in the graph. What states no edge of such a graph is left out, with a sentence that names
// its line and column.
//
// A model is refused if it has what a model of ours cannot have. [ReadModel] returns sentences on
// what it leaves out.
//
// Functions may be called by several goroutines at once.
package format

import (
	"slices"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Language is a language of priors.
type Language struct {
	Name string // of a graph's language, as sentences have it; "" of the others
	// Match reports whether a text is of this language, by its beginning.
	Match func(text string) bool
	// Read returns the edges that the text states, each once, the errors of the parts that are left
	// out, and a sentence on what a reader of the text may take for something else, or "".
	Read func(text string, space *fmdp.Space) ([]document.Edge, []Error, string)
}

// languages are the languages of priors. Foreign refuses what graphs of others begin with, and the last one matches every
// text.
var languages = []Language{dot, dagitty, bif, foreign, edgeTable, matrix, textForm}

// RegisterLanguage adds a language of graphs of a package of your own, which is asked after the graphs of this one and before
// tables and the text form. It returns a function that removes it. RegisterLanguage panics if the language lacks something or
// its name is in use. Call it before anything is read: nothing else may happen meanwhile.
func RegisterLanguage(l Language) (remove func()) {
	if l.Match == nil || l.Read == nil {
		panic("format: the language " + l.Name + " cannot match or read")
	}
	checkName(l.Name)
	before := languages
	at := slices.IndexFunc(before, func(l Language) bool { return l.Name == "" })
	languages = slices.Insert(slices.Clone(before), at, l)
	return func() { languages = before }
}

// MaxText is the length in bytes of the longest text that [ReadPrior] reads.
const MaxText = 1 << 20

// ReadPrior reads a prior in any language: the text form, a graph in DOT, DAGitty or BIF,
// or a table of edges or of probabilities as CSV. The edges are those of the parts without errors; each is
// listed once. The note is a sentence on how the text is read, or "".
func ReadPrior(text string, space *fmdp.Space) (edges []document.Edge, errors []Error, note string) {
	plain, err := strict.UTF8([]byte(text))
	if err != nil {
		return unread(1, "%v", err)
	}
	text = unparted(unfenced(string(plain)))
	if len(text) > MaxText {
		return unread(1, "the text has %d bytes, more than %d", len(text), MaxText)
	}
	for _, l := range languages {
		if l.Match(text) {
			return l.Read(text, space)
		}
	}
	panic("format: no language matches")
}

// unread returns what is read of a text that is refused as a whole, for a reason that a line gives.
func unread(line int, format string, args ...any) ([]document.Edge, []Error, string) {
	return []document.Edge{}, []Error{*(token{line: line, column: 1}).fault(format, args...)}, ""
}

// graphOf returns the name of the language of a graph, or "" if the text is none.
func graphOf(text string) string {
	text = unfenced(text)
	for _, l := range languages {
		if l.Name != "" && l.Match(text) {
			return l.Name
		}
	}
	return ""
}

// IsGraph reports whether a text is a graph in a language that [ReadPrior] knows, by its beginning. Such a
// graph is no model, and [ReadModel] says so.
func IsGraph(data []byte) bool {
	plain, err := strict.UTF8(data)
	return err == nil && graphOf(string(plain)) != ""
}

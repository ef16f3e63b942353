package export

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/format"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// Command returns the command line that runs an experiment in a POSIX shell. If no link can
// hold the experiment, the command reads a file with its spec, as a comment says.
func Command(e *experiment.Experiment) string {
	link := linkOf(e, nil)
	remark, data := dataFlag(e.Spec().Data())
	if link == "" {
		return "# No link can hold this model. Save the spec as spec.json first.\n" + remark + "cpsrl run -spec spec.json" + data
	}
	return remark + "cpsrl run -link " + quoted(link) + data
}

// dataFlag returns the flag for the data that agents start from, and a comment above the command. Both are empty
// without data.
func dataFlag(from *spec.Data) (remark, flag string) {
	if from == nil {
		return "", ""
	}
	return "# data.jsonl holds the transitions with the SHA-256 " + from.Name() + ".\n", " -data data.jsonl"
}

// quoted returns a text in single quotes for a POSIX shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// linkOf returns the link of an experiment, or "" if no link can hold it.
func linkOf(e *experiment.Experiment, receipt *spec.Receipt) string {
	link := e.Link(receipt)
	if !spec.Fits(e.Spec(), link) {
		return ""
	}
	return link
}

// BibTeX writes this above all entries. Without the package hyperref, an address is text.
const preamble = `@preamble{"\providecommand{\href}[2]{#2}"}

`

// paperKey is the key of the paper's entry.
const paperKey = "mutti2024exploiting"

const paper = `@inproceedings{` + paperKey + `,
  title     = {Exploiting Causal Graph Priors with Posterior Sampling for Reinforcement Learning},
  author    = {Mutti, Mirco and De Santi, Riccardo and Restelli, Marcello and Marx, Alexander and Ramponi, Giorgia},
  booktitle = {International Conference on Learning Representations},
  year      = {2024}
}
`

// BibTeX returns the entries of the paper and of one configuration of the
// playground. The address is printed right with and without LaTeX's packages url and hyperref.
// The receipt may be nil. If no link can hold the configuration, its entry has
// the address of the playground, or none if base is "".
func BibTeX(base string, e *experiment.Experiment, receipt *spec.Receipt) string {
	engine, note := record.Engine, ""
	if receipt != nil {
		engine, note = receipt.Engine, ", fingerprint "+receipt.Fingerprint
	}
	title := e.Title()
	if p := e.Spec().Prior; p != nil && p.Edges != nil { // a list of edges, which η does not describe
		title = e.TitleWith(edges(p.Edges))
	}
	published := base
	if link := linkOf(e, receipt); link != "" {
		published = URL(base, link)
	}
	if published != "" {
		published = fmt.Sprintf("\n  howpublished = {\\href{%s}{\\texttt{%s}}},", urlInBibTeX(published), printedURL(published))
	}
	return preamble + paper + fmt.Sprintf(`
@misc{%s,
  author       = {{The C-PSRL playground authors}},
  title        = {{C-PSRL playground. %s}},%s
  year         = {2026},
  note         = {Engine version %d%s}
}
`, keyOf(e), format.LaTeX(title), published, engine, note)
}

// keyOf returns the key of a configuration's entry.
func keyOf(e *experiment.Experiment) string {
	id := sha256.Sum256([]byte(e.Link(nil)))
	return fmt.Sprintf("cpsrl-%.4x", id)
}

// edges says how many edges of each sort a prior has: "known edges: 3, likely: 1".
func edges(list []document.Edge) string {
	var known, likely, forbidden int
	for _, e := range list {
		switch e.P {
		case 1:
			known++
		case 0:
			forbidden++
		default:
			likely++
		}
	}
	text := fmt.Sprintf("known edges: %d", known)
	if likely > 0 {
		text += fmt.Sprintf(", likely: %d", likely)
	}
	if forbidden > 0 {
		text += fmt.Sprintf(", forbidden: %d", forbidden)
	}
	return text
}

// encoded percent-encodes the characters that a URL cannot have.
func encoded(url string) string {
	var b strings.Builder
	for _, c := range []byte(oneLine(url)) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\\{}\"<>^`|", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// oneLine replaces white space, also line breaks, by single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// urlInBibTeX escapes the characters that have a meaning for TeX or BibTeX in the address of
// \href.
func urlInBibTeX(url string) string {
	return strings.NewReplacer("#", `\#`, "%", `\%`).Replace(encoded(url))
}

// printedURL is the URL as a text of LaTeX, which may be broken before each &.
func printedURL(url string) string {
	return strings.ReplaceAll(format.LaTeX(encoded(url)), `\&`, `\allowbreak{}\&`)
}

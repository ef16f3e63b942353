package export

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// Title names the problem of a spec and its parameters. The character after an
// underscore is a subscript.
func Title(s *record.Spec) string {
	d := &s.Domain
	parameters := fmt.Sprintf("Z = %d, H = %d", s.Sparseness, d.Horizon)
	if slices.Contains(s.Agents, "c-psrl") || slices.Contains(s.Agents, "f-psrl:graph=prior") {
		if problem, err := experiment.Problem(s, s.FirstRun); err == nil {
			eta := problem.Prior(record.Agent{Eta: -1}).Degree()
			parameters = fmt.Sprintf("η = %d, %s", eta, parameters)
		}
	}
	switch d.Name {
	case "random-fmdp":
		return fmt.Sprintf("Random FMDP: d_X = %d, d_Y = %d, N = %d, %s",
			d.StateVariables+d.ActionVariables, d.StateVariables, d.Values, parameters)
	case "taxi":
		return fmt.Sprintf("Taxi %s: %s", strings.ReplaceAll(d.Grid, "x", "×"), parameters)
	case "figure1":
		return "The example of Figure 1: " + parameters
	}
	name := "A model"
	if m, err := record.DecodeModel(d.Model); err == nil && m.Name != "" {
		name = strings.ReplaceAll(m.Name, "_", " ") // no subscripts here
	}
	return name + ": " + parameters
}

// Command returns the line that runs a spec in a shell, on one line.
func Command(s *record.Spec) string {
	return "cpsrl run -link " + shellQuote(record.EncodeLink(&record.Link{Spec: s}))
}

// shellQuote quotes a word for a POSIX shell.
func shellQuote(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

const paper = `@inproceedings{mutti2024exploiting,
  title     = {Exploiting Causal Graph Priors with Posterior Sampling for Reinforcement Learning},
  author    = {Mutti, Mirco and De Santi, Riccardo and Restelli, Marcello and Marx, Alexander and Ramponi, Giorgia},
  booktitle = {International Conference on Learning Representations},
  year      = {2024}
}
`

// BibTeX returns the entries of the paper and of one configuration of the
// playground. The receipt may be absent.
func BibTeX(base string, l *record.Link) string {
	link := &record.Link{Spec: l.Spec, Receipt: l.Receipt}
	id := sha256.Sum256([]byte(record.EncodeLink(&record.Link{Spec: l.Spec})))
	engine, note := record.Engine, ""
	if l.Receipt != nil {
		engine, note = l.Receipt.Engine, ", fingerprint "+l.Receipt.Fingerprint
	}
	return paper + fmt.Sprintf(`
@misc{cpsrl-%.4x,
  title        = {{C-PSRL} playground. %s},
  howpublished = {\url{%s}},
  note         = {Engine version %d%s}
}
`, id, latex(Title(l.Spec)), urlInBibTeX(URL(base, link)), engine, note)
}

// urlInBibTeX escapes what TeX or BibTeX would take for its own in \url{…}.
func urlInBibTeX(url string) string {
	return strings.NewReplacer(`\`, "%5C", "{", "%7B", "}", "%7D", "#", `\#`, "%", `\%`).Replace(oneLine(url))
}

// latex escapes text for LaTeX.
func latex(text string) string { return latexEscapes.Replace(printable(text)) }

var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, `"`, `\textquotedbl{}`,
)

package format

import (
	"fmt"
	"strings"
)

// LaTeX returns text for LaTeX and BibTeX, in ASCII. Special characters, letters with
// accents, Greek letters and a few signs become commands. Braces are balanced, also when
// those with a backslash are counted, as BibTeX does. Any other character becomes its
// number, as in [U+4E2D], because LaTeX fonts may lack it. Characters that LaTeX would join,
// such as two hyphens, are kept apart.
func LaTeX(text string) string {
	var b strings.Builder
	last := byte(' ')
	for _, r := range printable(text) {
		command, known := commands[r]
		switch {
		case known:
		case r < 0x80:
			command = string(r)
		default:
			command = fmt.Sprintf("[U+%04X]", r)
		}
		if strings.Contains(ligatures, string([]byte{' ', last, command[0], ' '})) {
			b.WriteString("{}")
		}
		b.WriteString(command)
		last = command[len(command)-1]
	}
	return b.String()
}

// ligatures are the pairs of characters for which LaTeX's fonts have another sign. Those of <
// and > do not arise, because these are commands.
const ligatures = " -- `` '' ,, ?` !` "

// commands holds the commands for characters that LaTeX cannot take as they are. The
// commands need no package.
var commands = func() map[rune]string {
	table := map[rune]string{
		'\\': `\textbackslash{}`, '{': `\textbraceleft{}`, '}': `\textbraceright{}`, '"': `\char34{}`,
		'$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`, '^': `\textasciicircum{}`, '~': `\textasciitilde{}`,
		'<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`, '\u00a0': "~",
		'ß': `\ss{}`, 'æ': `\ae{}`, 'Æ': `\AE{}`, 'œ': `\oe{}`, 'Œ': `\OE{}`, 'ø': `\o{}`, 'Ø': `\O{}`, 'ł': `\l{}`, 'Ł': `\L{}`, 'ı': `\i{}`,
		'‘': "`", '’': "'", '“': "``", '”': "''", '–': "--", '—': "---", '…': `\dots{}`, '§': `\S{}`,
		'−': `$-$`, 'ς': `$\varsigma$`, 'ο': "$o$", 'ℓ': `$\ell$`,
	}
	for digit, sign := range []rune("₀₁₂₃₄₅₆₇₈₉") {
		table[sign] = fmt.Sprintf("$_%d$", digit)
	}
	// Each pair is a letter with an accent and the letter without.
	for command, pairs := range map[string]string{
		"`": "ÀAÈEÌIÒOÙUàaèeìiòoùu", "'": "ÁAÉEÍIÓOÚUÝYáaéeíióoúuýyĆCćcĹLĺlŃNńnŔRŕrŚSśsŹZźz",
		"^": "ÂAÊEÎIÔOÛUâaêeîiôoûuĈCĉcĜGĝgĤHĥhĴJĵjŜSŝsŴWŵwŶYŷy", `"`: "ÄAËEÏIÖOÜUŸYäaëeïiöoüuÿy",
		"~": "ÃAÑNÕOãañnõoĨIĩiŨUũu", "=": "ĀAāaĒEēeĪIīiŌOōoŪUūu", ".": "ĊCċcĖEėeĠGġgİIŻZżz",
		"c": "ÇCçcŞSşsŢTţtĢGĶKķkĻLļlŅNņnŖRŗr", "v": "ČCčcĎDďdĚEěeŇNňnŘRřrŠSšsŤTťtŽZžz", "u": "ĂAăaĔEĕeĞGğgĬIĭiŎOŏoŬUŭu",
		"H": "ŐOőoŰUűu", "r": "ÅAåaŮUůu",
	} {
		letters := []rune(pairs)
		for i := 0; i < len(letters); i += 2 {
			table[letters[i]] = fmt.Sprintf(`\%s{%c}`, command, letters[i+1])
		}
	}
	for names, signs := range map[string]string{
		"alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi":  "αβγδεζηθικλμνξ",
		"pi rho sigma tau upsilon phi chi psi omega":                                "πρστυφχψω",
		"Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega":                "ΓΔΘΛΞΠΣΥΦΨΩ",
		"times cdot pm leq geq neq approx rightarrow leftarrow leftrightarrow surd": "×·±≤≥≠≈→←↔√",
		"prime star infty in sum prod partial nabla circ mu":                        "′⋆∞∈∑∏∂∇°µ",
	} {
		for i, sign := range []rune(signs) {
			table[sign] = fmt.Sprintf(`$\%s$`, strings.Fields(names)[i])
		}
	}
	return table
}()

// TikZ returns the graph as a LaTeX picture.
func (g *Graph) TikZ() string {
	var b strings.Builder
	b.WriteString("% \\usepackage{tikz}; known edges are solid, others dashed\n\\begin{tikzpicture}[every node/.style={draw, rounded corners}]\n")
	for i := range g.Space.X() {
		fmt.Fprintf(&b, "\t\\node (x%d) at (0, %d) {%s};\n", i, -i, LaTeX(g.Space.Var(i).Name))
	}
	for j, v := range g.Space.State {
		fmt.Fprintf(&b, "\t\\node (y%d) at (4, %d) {%s$'$};\n", j, -j, LaTeX(v.Name))
	}
	for _, e := range g.present() {
		style := "->, dashed"
		if e.p == 1 {
			style = "->"
		}
		label := e.text(" node[draw=none, above, sloped, font=\\scriptsize] {%s}")
		fmt.Fprintf(&b, "\t\\draw[%s] (x%d.east) --%s (y%d.west);\n", style, e.x, label, e.y)
	}
	g.comments(&b, "\t%% forbidden: x%d -> y%d\n")
	b.WriteString("\\end{tikzpicture}\n")
	return b.String()
}

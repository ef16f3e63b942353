package formattest

import "strings"

// Compiles returns what LaTeX or BibTeX would refuse or misread in a text, or "". The text
// must be ASCII, braces must be balanced, also when those with a backslash are counted,
// nothing may end too early, and special characters must be in a known command, in math or
// in \url.
func Compiles(text string) string {
	depth, math := 0, false
	rest := text
	for rest != "" {
		c := rest[0]
		rest = rest[1:]
		switch {
		case c >= 0x7f || c < ' ' && c != '\n' && c != '\t':
			return "it is not ASCII"
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return "a brace ends nothing"
			}
		case c == '$':
			math = !math
		case c == '\\':
			letters := len(rest) - len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
			name := rest[:max(letters, 1)]
			rest = rest[len(name):]
			switch {
			case name == "{" || name == "}":
				return `BibTeX counts \` + name
			case strings.Contains(` $ & # % _ ' " ^ ~ = . `+"` ", " "+name+" "):
			case strings.Contains(" begin end node draw allowbreak char textbackslash textbraceleft textbraceright textasciicircum textasciitilde textless textgreater textbar ss ae AE oe OE o O l L i S dots c v u H r ", " "+name+" "):
			case math && letters > 1:
			default:
				return "there is no command " + name
			}
		case strings.IndexByte("^#%", c) >= 0, c == '_' && !math, c == '&':
			return "there is a bare " + string(c)
		}
	}
	if depth != 0 || math {
		return "a brace or a formula does not end"
	}
	return ""
}

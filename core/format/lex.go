package format

import (
	"fmt"
	"strings"
	"unicode"

	"cpsrl/core/param"
)

// token is a part of a graph's text.
type token struct {
	kind         kind
	text         string // of a quoted name, without its quotes and escapes
	quoted       bool
	line, column int // from 1; columns in characters
}

type kind int

const (
	end     kind = iota // of the text
	name                // a name, a number or a quoted text
	arrow               // "->" and its like
	comment             // its words
	mark                // any other character
	wrong               // what no language has; text says why
)

// is reports whether the token is that character or word, without quotes.
func (t token) is(text string) bool {
	return t.kind != wrong && t.kind != comment && !t.quoted && t.text == text
}

// lexer divides a text into tokens.
type lexer struct {
	rest         string
	line, column int
}

// skip passes over n bytes and returns them.
func (l *lexer) skip(n int) string {
	text := l.rest[:n]
	l.rest = l.rest[n:]
	if k := strings.LastIndexByte(text, '\n'); k >= 0 {
		l.line, l.column, text = l.line+strings.Count(text, "\n"), 1, text[k+1:]
	}
	l.column += len([]rune(text))
	return text
}

// inName reports whether a name may have the character without quotes. The prime of a next value may
// stand there, too, although Graphviz and DAGitty want quotes around it.
func inName(r rune) bool {
	return r == '_' || r == '.' || r == '\'' || unicode.IsLetter(r) || unicode.IsDigit(r) || r > unicode.MaxASCII && r != '→' && !unicode.IsSpace(r)
}

// next returns the next token.
func (l *lexer) next() token {
	l.skip(len(l.rest) - len(strings.TrimLeftFunc(l.rest, unicode.IsSpace)))
	t := token{line: l.line, column: l.column}
	upTo := func(end string, without int) int {
		if k := strings.Index(l.rest, end); k >= 0 {
			return k
		}
		return without
	}
	switch {
	case l.rest == "":
		return t
	case strings.HasPrefix(l.rest, "//"), strings.HasPrefix(l.rest, "#") && l.column == 1: // # is a line of a preprocessor
		t.kind, t.text = comment, strings.TrimSpace(strings.TrimLeft(l.skip(upTo("\n", len(l.rest))), "/#"))
	case strings.HasPrefix(l.rest, "/*"):
		n := upTo("*/", -1)
		if n < 0 {
			t.kind, t.text, l.rest = wrong, "the comment does not end", ""
			return t
		}
		l.skip(n + len("*/"))
		t.kind = comment
	case l.rest[0] == '"':
		text, n, ok := quoted(l.rest)
		if !ok {
			t.kind, t.text, l.rest = wrong, "the quoted name does not end", ""
			return t
		}
		l.skip(n)
		t.kind, t.text, t.quoted = name, text, true
	case strings.HasPrefix(l.rest, "→"):
		l.skip(len("→"))
		t.kind, t.text = arrow, "->"
	case strings.ContainsRune("-<>@", rune(l.rest[0])):
		t.kind, t.text = arrow, l.skip(len(l.rest)-len(strings.TrimLeft(l.rest, "-<>@")))
	default:
		if n := len(l.rest) - len(strings.TrimLeftFunc(l.rest, inName)); n > 0 {
			t.kind, t.text = name, l.skip(n)
			break
		}
		t.kind, t.text = mark, l.skip(1)
		if !strings.Contains("{}[]=;,:", t.text) {
			t.kind, t.text = wrong, fmt.Sprintf("%q has no meaning here", param.Clip(t.text))
		}
	}
	return t
}

// quoted reads a quoted text: it returns the text without escapes and the length with quotes.
func quoted(rest string) (text string, n int, ok bool) {
	var b strings.Builder
	for n = 1; n < len(rest); n++ {
		switch c := rest[n]; {
		case c == '"':
			return b.String(), n + 1, true
		case c == '\\' && n+1 < len(rest):
			if n++; rest[n] != '"' && rest[n] != '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(rest[n])
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}

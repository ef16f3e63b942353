package format

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cpsrl/core/param"
)

// token is a part of a text.
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
func (t *token) is(text string) bool {
	return t.kind != wrong && t.kind != comment && !t.quoted && t.text == text
}

// keyword reports whether the token is that word in any case, as Graphviz reads its words.
func (t *token) keyword(word string) bool {
	return t.kind == name && !t.quoted && strings.EqualFold(t.text, word)
}

// lexer divides a text into tokens.
type lexer struct {
	rest         string
	line, column int

	html bool // whether a < begins a text in HTML: behind the = of an attribute
	open bool // whether a text did not end: then the others end in their line
}

// newLexer begins to read a text.
func newLexer(text string) lexer { return lexer{rest: text, line: 1, column: 1} }

// here returns the place of what is read next.
func (l *lexer) here() token { return token{line: l.line, column: l.column} }

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
	t := l.here()
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
		text, ok := l.joined()
		if !ok {
			t.kind, t.text = wrong, "the quoted name does not end"
			return t
		}
		t.kind, t.text, t.quoted = name, text, true
	case l.html && l.rest[0] == '<':
		text, n, ok := l.text(marked)
		if !ok {
			t.kind, t.text = wrong, "the text in HTML does not end"
			return t
		}
		l.skip(n)
		t.kind, t.text, t.quoted = name, text, true
	case strings.HasPrefix(l.rest, "→"):
		l.skip(len("→"))
		t.kind, t.text = arrow, "->"
	case numeral(l.rest) > 0:
		t.kind, t.text = name, l.skip(numeral(l.rest))
	case strings.ContainsRune("-<>@", rune(l.rest[0])):
		n := len(l.rest) - len(strings.TrimLeft(l.rest, "-<>@"))
		if n > len("->") && numeral(l.rest[n-1:]) > 0 { // "->-1" leads to the node −1
			n--
		}
		t.kind, t.text = arrow, l.skip(n)
	default:
		if n := len(l.rest) - len(strings.TrimLeftFunc(l.rest, inName)); n > 0 {
			t.kind, t.text = name, l.skip(n)
			break
		}
		_, n := utf8.DecodeRuneInString(l.rest)
		t.kind, t.text = mark, l.skip(n)
		if !strings.Contains("{}[]=;,:", t.text) {
			t.kind, t.text = wrong, fmt.Sprintf("%q has no meaning here", param.Clip(t.text))
		}
	}
	return t
}

// joined reads quoted texts with a + between them, which are one text.
func (l *lexer) joined() (string, bool) {
	var b strings.Builder
	for {
		text, n, ok := l.text(quoted)
		if !ok {
			return "", false
		}
		l.skip(n)
		b.WriteString(text)
		rest, more := strings.CutPrefix(strings.TrimLeftFunc(l.rest, unicode.IsSpace), "+")
		if rest = strings.TrimLeftFunc(rest, unicode.IsSpace); !more || !strings.HasPrefix(rest, `"`) {
			return b.String(), true
		}
		l.skip(len(l.rest) - len(rest))
	}
}

// text reads a text by one of the functions below. If it does not end, text passes over its line.
func (l *lexer) text(read func(rest string) (text string, n int, ok bool)) (text string, n int, ok bool) {
	rest := l.rest
	if l.open {
		rest, _, _ = strings.Cut(rest, "\n")
	}
	if text, n, ok = read(rest); !ok {
		l.open = true
		line, _, _ := strings.Cut(l.rest, "\n")
		l.skip(len(line))
	}
	return text, n, ok
}

// numeral returns the length of the number with which a text begins, or 0. It is that of DOT, and may have
// an exponent. What goes on as a name is none.
func numeral(rest string) int {
	digits := func(n int) int {
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		return n
	}
	first := len(rest) - len(strings.TrimPrefix(rest, "-"))
	n := digits(first)
	whole := n - first
	if n < len(rest) && rest[n] == '.' {
		if n = digits(n + 1); whole == 0 && n == first+1 {
			return 0
		}
	} else if whole == 0 {
		return 0
	}
	if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
		sign := n + 1
		if sign < len(rest) && (rest[sign] == '-' || rest[sign] == '+') {
			sign++
		}
		if after := digits(sign); after > sign {
			n = after
		}
	}
	if r, _ := utf8.DecodeRuneInString(rest[n:]); n < len(rest) && inName(r) {
		return 0
	}
	return n
}

// marked reads a text in HTML, which stands in < and >: it returns the text without its tags. Only a tag
// that changes the letters joins what stands on its sides.
func marked(rest string) (text string, n int, ok bool) {
	var b strings.Builder
	depth, tag := 0, 0
	for n = range len(rest) {
		switch c := rest[n]; {
		case c == '<':
			depth++
			tag = n + 1
		case c == '>':
			if depth--; depth == 0 {
				return strings.TrimSpace(entities.Replace(b.String())), n + 1, true
			}
			fields := strings.Fields(strings.ToLower(strings.Trim(rest[tag:n], "/")))
			if depth == 1 && (len(fields) == 0 || !slices.Contains([]string{"b", "i", "u", "o", "s", "font"}, fields[0])) {
				b.WriteByte(' ')
			}
		case depth == 1:
			b.WriteByte(c)
		}
	}
	return "", 0, false
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

package format

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// separators are what may stand between two cells.
const separators = ",;\t"

// unquoted returns a line without its quoted parts.
func unquoted(line string) string {
	var kept strings.Builder
	for inside := false; line != ""; inside = !inside {
		part, rest, _ := strings.Cut(line, `"`)
		if !inside {
			kept.WriteString(part)
		}
		line = rest
	}
	return kept.String()
}

// headerOf returns the first line of a table that is neither blank nor a comment.
func headerOf(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return ""
}

// partOf returns what a line such as sep=; above a table says, with which Excel tells what divides cells, and whether it is one.
func partOf(line string) (by string, is bool) {
	by, is = strings.CutPrefix(strings.ToLower(strings.Trim(strings.TrimSpace(line), `"`)), "sep=")
	return by, is && len(by) <= 1
}

// unparted returns a text without such a line as its first one, in the same lines.
func unparted(text string) string {
	first, rest, more := strings.Cut(lineEnds(text), "\n")
	if _, is := partOf(first); is && more {
		return "\n" + rest
	}
	return text
}

// cell is a cell of a table and its place.
type cell struct {
	text         string
	line, column int // from 1, in characters
}

// sheet reads a table (RFC 4180). Its cells may be quoted, and are without the space around them. Lines
// end with LF or CRLF, or all with CR.
type sheet struct {
	rest     string // what is not read
	line     int    // its line, from 1
	by       byte   // what divides two cells; a space is as good as several
	comments bool   // whether lines that begin with # are passed over
}

// newSheet returns the table of a text, whose cells are divided as those of its first line. Lines that
// begin with # are comments.
func newSheet(text string) *sheet {
	s := &sheet{lineEnds(text), 1, ',', true}
	header := unquoted(headerOf(s.rest))
	for k := range len(separators) {
		if strings.IndexByte(header, separators[k]) >= 0 {
			s.by = separators[k]
			break
		}
	}
	return s
}

// lineEnds returns a text whose lines end with CR alone as one with LF.
func lineEnds(text string) string {
	if strings.IndexByte(text, '\r') >= 0 && strings.IndexByte(text, '\n') < 0 {
		return strings.ReplaceAll(text, "\r", "\n")
	}
	return text
}

// begins skips blank lines and comments. It reports whether a row begins then.
func (s *sheet) begins() bool {
	for s.rest != "" {
		line, _, _ := strings.Cut(s.rest, "\n")
		trimmed := strings.TrimSpace(line)
		if blank := trimmed == "" && (s.by != '\t' || strings.IndexByte(line, '\t') < 0); !blank && !(s.comments && strings.HasPrefix(trimmed, "#")) {
			return true
		}
		s.skipLine()
	}
	return false
}

// skipLine reads on in the next line.
func (s *sheet) skipLine() {
	_, s.rest, _ = strings.Cut(s.rest, "\n")
	s.line++
}

// mostCells is how many cells a row may have. Most columns may be no variables.
const mostCells = 1 << 10

// row returns the next row. At the end of the table, the error is io.EOF; otherwise it is an *[Error],
// and the rest begins with the line at fault.
func (s *sheet) row() ([]cell, error) {
	if !s.begins() {
		return nil, io.EOF
	}
	begun := *s
	fail := func(c cell, format string, args ...any) ([]cell, error) {
		*s = begun
		return nil, c.fault(format, args...)
	}
	const unmatched = "the quotes of this cell do not match"
	var row []cell
	column, after := 1, s.after() // of the line
	skip := func(n int) {
		column += utf8.RuneCountInString(s.rest[:n])
		s.rest = s.rest[n:]
	}
	for {
		skip(len(s.rest) - len(strings.TrimLeftFunc(s.rest, s.space)))
		c := cell{"", s.line, column}
		if strings.HasPrefix(s.rest, `"`) {
			text, n, ok := quotedCell(s.rest)
			if !ok {
				return fail(c, unmatched)
			}
			if lines := strings.Count(s.rest[:n], "\n"); lines > 0 {
				last := strings.LastIndexByte(s.rest[:n], '\n') + 1
				s.rest, s.line, column, n = s.rest[last:], s.line+lines, 1, n-last
				after = s.after()
			}
			c.text = strings.TrimSpace(text)
			skip(n)
			skip(len(s.rest) - len(strings.TrimLeftFunc(s.rest, func(r rune) bool { return s.space(r) && r != rune(s.by) })))
			if len(s.rest) > after && s.rest[0] != s.by {
				return fail(c, unmatched)
			}
		} else {
			n := len(s.rest) - after
			if k := strings.IndexByte(s.rest[:n], s.by); k >= 0 {
				n = k
			}
			if k := strings.IndexByte(s.rest[:n], '"'); k >= 0 {
				c.column += utf8.RuneCountInString(s.rest[:k])
				return fail(c, unmatched)
			}
			c.text = strings.TrimSpace(s.rest[:n])
			skip(n)
		}
		ends := len(s.rest) == after
		if !ends || s.by != ' ' || c.text != "" || len(row) == 0 { // spaces at the end of a line divide nothing
			if row = append(row, c); len(row) > mostCells {
				return fail(c, "the row has more than %d cells", mostCells)
			}
		}
		if ends {
			s.skipLine()
			return row, nil
		}
		skip(1)
	}
}

// after returns how many bytes are after the line with which the rest begins.
func (s *sheet) after() int {
	if n := strings.IndexByte(s.rest, '\n'); n >= 0 {
		return len(s.rest) - n
	}
	return 0
}

// space reports whether a character may stand around a cell.
func (s *sheet) space(r rune) bool {
	return unicode.IsSpace(r) && r != '\n' && (r != rune(s.by) || s.by == ' ')
}

// quotedCell returns the contents of the quoted cell with which a text begins, and its length.
func quotedCell(text string) (string, int, bool) {
	for n := 1; ; {
		k := strings.IndexByte(text[n:], '"')
		if k < 0 {
			return "", 0, false
		}
		if n += k + 1; n < len(text) && text[n] == '"' {
			n++
			continue
		}
		inside := text[1 : n-1]
		if strings.IndexByte(inside, '"') >= 0 {
			inside = strings.ReplaceAll(inside, `""`, `"`)
		}
		if strings.IndexByte(inside, '\r') >= 0 {
			inside = strings.ReplaceAll(inside, "\r\n", "\n")
		}
		return inside, n, true
	}
}

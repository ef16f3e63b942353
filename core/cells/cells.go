// Package cells writes tables as CSV, with comment lines that begin with #, in which no spreadsheet finds a formula.
//
// Spreadsheets take a cell that begins with =, +, - or @ for a formula, also in full width, and divide a line at commas,
// semicolons or tabs, quoted or not. So an apostrophe stands before a text that begins so, by itself or after one of
// these marks. [Plain] removes it. A text that is a number stays as it is.
//
// # Goroutines
//
// The functions may be called by several goroutines at once.
package cells

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// divides reports whether a spreadsheet may divide a line at a character.
func divides(r rune) bool { return strings.ContainsRune(",;\t\r\n", r) }

// begins reports whether a character begins a formula.
func begins(r rune) bool { return strings.ContainsRune("=+-@＝＋－＠", r) }

// formula reports whether a spreadsheet takes a part of a line for a formula. Spaces, quotes and apostrophes before it do not
// matter.
func formula(part string) bool {
	if r, _ := utf8.DecodeRuneInString(strings.TrimLeft(part, ` "'`)); !begins(r) {
		return false
	}
	return strings.Trim(part, "0123456789.eE+-") != "" || !isNumber(part)
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// eachPart calls do with each part of a line and the mark after it.
func eachPart(line string, do func(part, mark string)) {
	for line != "" {
		at := strings.IndexFunc(line, divides)
		if at < 0 {
			do(line, "")
			return
		}
		do(line[:at], line[at:at+1])
		line = line[at+1:]
	}
}

// indented reports whether a text begins with a tab or a line end, which spreadsheets may leave out. Apostrophes before it do
// not matter.
func indented(text string) bool {
	text = strings.TrimLeft(text, "'")
	return text != "" && strings.ContainsRune("\t\r\n", rune(text[0]))
}

// guarded returns a text with apostrophes before what could be a formula.
func guarded(text string) string {
	var b strings.Builder
	if indented(text) {
		b.WriteByte('\'')
	}
	eachPart(text, func(part, mark string) {
		if formula(part) {
			b.WriteByte('\'')
		}
		b.WriteString(part + mark)
	})
	return b.String()
}

// Plain returns the text of a cell without the apostrophes that [Table.Text] writes.
func Plain(cell string) string {
	if !strings.Contains(cell, "'") {
		return cell
	}
	if cell[0] == '\'' && indented(cell) {
		cell = cell[1:]
	}
	var b strings.Builder
	eachPart(cell, func(part, mark string) {
		if rest, has := strings.CutPrefix(part, "'"); has && formula(part) {
			part = rest
		}
		b.WriteString(part + mark)
	})
	return b.String()
}

// Text returns a text as a cell, in quotes where it needs them.
func Text(text string) string {
	if text = guarded(text); text != "" && strings.TrimSpace(text) == text && !strings.ContainsAny(text, "\",;\t\r\n") {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// Table is a table that is written: cells one after the other, and End after those of each line.
type Table struct {
	Bytes []byte // what is there
	begun int    // the number of cells of the line
}

// next begins a cell.
func (t *Table) next() {
	if t.begun > 0 {
		t.Bytes = append(t.Bytes, ',')
	}
	t.begun++
}

// Text adds a cell for each text. An empty text is an empty cell.
func (t *Table) Text(texts ...string) *Table {
	for _, text := range texts {
		if t.next(); text != "" {
			t.Bytes = append(t.Bytes, Text(text)...)
		}
	}
	return t
}

// Int adds a cell for each whole number.
func (t *Table) Int(values ...int) *Table {
	for _, n := range values {
		t.next()
		t.Bytes = strconv.AppendInt(t.Bytes, int64(n), 10)
	}
	return t
}

// Number adds a cell with each number in full. NaN is an empty cell.
func (t *Table) Number(values ...float64) *Table { return t.Rounded(-1, values...) }

// Rounded is Number with that many digits.
func (t *Table) Rounded(digits int, values ...float64) *Table {
	for _, v := range values {
		if t.next(); !math.IsNaN(v) {
			t.Bytes = strconv.AppendFloat(t.Bytes, v, 'g', digits, 64)
		}
	}
	return t
}

// End ends the line. A line that is one empty cell has quotes.
func (t *Table) End() {
	if n := len(t.Bytes); t.begun == 1 && (n == 0 || t.Bytes[n-1] == '\n') {
		t.Bytes = append(t.Bytes, `""`...)
	}
	t.Bytes, t.begun = append(t.Bytes, '\n'), 0
}

// AppendComment appends a text as comment lines, with single spaces.
func AppendComment(dst []byte, text string) []byte {
	for line := range strings.Lines(text) {
		dst = append(append(append(dst, "# "...), guarded(strings.Join(strings.Fields(line), " "))...), '\n')
	}
	return dst
}

// AppendLink appends a link after its name as a comment line. The link is the same with the escapes.
func AppendLink(dst []byte, name, link string) []byte {
	dst = append(append(append(dst, "# "...), name...), ' ')
	eachPart(strings.Join(strings.Fields(link), "%20"), func(part, mark string) {
		if formula(part) && part[0] < utf8.RuneSelf {
			dst = append(dst, '%', "0123456789ABCDEF"[part[0]>>4], "0123456789ABCDEF"[part[0]&15])
			part = part[1:]
		}
		dst = append(append(dst, part...), mark...)
	})
	return append(dst, '\n')
}

// AppendJSON appends a JSON document after its name as a comment line. The document is the same with the escapes.
func AppendJSON(dst []byte, name string, document []byte) []byte {
	dst = append(append(append(dst, "# "...), name...), ' ')
	within, first := false, false // a string; whether a part of it begins
	for at := 0; at < len(document); {
		r, n := utf8.DecodeRune(document[at:])
		switch {
		case !within:
			within, first = r == '"', true
		case r == '\\':
			n++ // and what it escapes
			first = false
		case r == '"':
			within = false
		case first && begins(r):
			dst = append(dst, `\u`...)
			for shift := 12; shift >= 0; shift -= 4 {
				dst = append(dst, "0123456789abcdef"[r>>shift&15])
			}
			at, first = at+n, false
			continue
		default:
			first = divides(r) || first && (r == ' ' || r == '\'')
		}
		dst = append(dst, document[at:at+n]...)
		at += n
	}
	return append(dst, '\n')
}

package format

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// edgeTable is a table of edges, one a row, with the header "from,to", "from,to,p" or, as package answer
// writes it, "from,to,p,true", whose last column is passed over. Without a p, an edge is certain.
var edgeTable = language{
	match: func(text string) bool {
		header, _ := newSheet(text).row()
		return len(header) > 1 && strings.EqualFold(header[0].text, "from") && strings.EqualFold(header[1].text, "to")
	},
	read: func(text string, space *fmdp.Space) ([]document.Edge, []export.TextError) {
		return readTable(text, space, func(t *priorTable, header []cell, rows [][]cell) {
			for k, c := range header {
				if known := []string{"from", "to", "p", "true"}; k >= len(known) || !strings.EqualFold(c.text, known[k]) {
					t.fail(c, "the column %q is not known; the columns are from, to and p, the probability of an edge", param.Clip(c.text))
					return
				}
			}
			for _, row := range rows {
				i, j := t.variable(row[0], false), t.variable(row[1], true)
				p := cell{text: "1"}
				if len(row) > 2 && row[2].text != "" {
					p = row[2]
				}
				t.add(row[0], i, j, p)
			}
		})
	},
}

// matrix is a table of probabilities with the names of variables now before its rows and of next
// values above its columns. An empty cell says nothing.
var matrix = language{
	match: func(text string) bool {
		header := unquoted(headerOf(text))
		return strings.ContainsAny(header, separators) && !strings.Contains(header, "->") && !strings.Contains(header, "→") && !strings.HasPrefix(header, "only ")
	},
	read: func(text string, space *fmdp.Space) ([]document.Edge, []export.TextError) {
		return readTable(text, space, func(t *priorTable, header []cell, rows [][]cell) {
			columns, from := make([]int, len(header)), map[int]bool{}
			to := map[int]bool{}
			for k, c := range header[1:] {
				j := t.name(c, true)
				if columns[k+1] = j; j >= 0 && to[j] {
					t.fail(c, "a second column of %q", param.Clip(c.text))
					columns[k+1] = -1
				}
				to[j] = true
			}
			for _, row := range rows {
				i := t.variable(row[0], false)
				if i >= 0 && from[i] {
					t.fail(row[0], "a second row of %q", param.Clip(row[0].text))
					i = -1
				}
				from[i] = true
				for k, c := range row[1:] {
					j := columns[k+1]
					switch p, _ := numberOf(c.text); {
					case c.text == "" || i < 0 || j < 0:
					case j >= space.Y() && p != 0:
						t.fail(c, "%q is an action; edges lead to state variables", space.Var(j).Name)
					case j < space.Y():
						t.add(c, i, j, c)
					}
				}
			}
		})
	},
	note: "rows lead to columns: a number is the trust in the edge from the variable of its row to the next value of the variable of its column; 0 forbids the edge, and an empty cell says nothing",
}

// separators are what may stand between two cells.
const separators = ",;\t"

// unquoted returns a line without its quoted parts.
func unquoted(line string) string {
	parts := strings.Split(line, `"`)
	kept := ""
	for k := 0; k < len(parts); k += 2 {
		kept += parts[k]
	}
	return kept
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

// cell is a cell of a table and its place.
type cell struct {
	text         string
	line, column int // from 1, in characters
}

// sheet reads a table. Its cells may be quoted, and are without the space around them. Lines that
// begin with # are comments.
type sheet struct {
	*csv.Reader
	lines []string // of the text
}

// newSheet returns the table of a text, whose cells are divided as those of its first line.
func newSheet(text string) *sheet {
	s := &sheet{csv.NewReader(strings.NewReader(text)), nil}
	header := unquoted(headerOf(text))
	for _, by := range separators {
		if strings.ContainsRune(header, by) {
			s.Comma = by
			break
		}
	}
	s.TrimLeadingSpace = s.Comma != '\t' // else empty cells are lost
	s.Comment, s.FieldsPerRecord, s.ReuseRecord = '#', -1, true
	s.lines = strings.SplitAfter(text, "\n")
	return s
}

// row returns the next row. At the end of the table, the error is io.EOF; otherwise it is an
// *[Error].
func (s *sheet) row() ([]cell, error) {
	fields, err := s.Read()
	if wrong, is := errors.AsType[*csv.ParseError](err); is {
		return nil, &Error{wrong.Line, s.column(wrong.Line, wrong.Column), "the quotes of this cell do not match"}
	}
	if err != nil {
		return nil, err
	}
	row := make([]cell, len(fields))
	at, bytes, characters := 0, 1, 1 // where the cell before began
	for k, field := range fields {
		line, column := s.FieldPos(k)
		if line != at || line < 1 || line > len(s.lines) || column < bytes {
			at, bytes, characters = line, column, s.column(line, column)
		} else { // count on from there
			text := s.lines[line-1]
			characters += utf8.RuneCountInString(text[min(len(text), bytes-1):min(len(text), column-1)])
			bytes = column
		}
		row[k] = cell{strings.TrimSpace(field), line, characters}
	}
	return row, nil
}

// column turns a column in bytes into one in characters.
func (s *sheet) column(line, bytes int) int {
	if line < 1 || line > len(s.lines) {
		return max(1, bytes)
	}
	text := s.lines[line-1]
	return utf8.RuneCountInString(text[:min(len(text), max(0, bytes-1))]) + 1
}

// priorTable is a prior as it is read from a table.
type priorTable struct {
	space  *fmdp.Space
	edges  []document.Edge
	lines  map[[2]int]int // of each edge
	errors []export.TextError
}

// fail keeps an error at a cell.
func (t *priorTable) fail(at cell, format string, args ...any) {
	if len(t.errors) < mostErrors {
		t.errors = append(t.errors, export.TextError{Line: at.line, Column: at.column, Detail: fmt.Sprintf(format, args...)})
	}
}

// readTable reads a table whose rows are as long as its header.
func readTable(text string, space *fmdp.Space, read func(t *priorTable, header []cell, rows [][]cell)) ([]document.Edge, []export.TextError) {
	t := &priorTable{space: space, edges: []document.Edge{}, lines: map[[2]int]int{}}
	if len(text) > export.MaxText {
		t.fail(cell{line: 1, column: 1}, "the text has %d bytes, more than %d", len(text), export.MaxText)
		return t.edges, t.errors
	}
	s := newSheet(text)
	var rows [][]cell
	for {
		row, err := s.row()
		if err == io.EOF {
			break
		}
		if wrong, is := err.(*Error); is {
			t.fail(cell{line: wrong.Line, column: wrong.Column}, "%s", wrong.Reason)
			break
		}
		if len(rows) > 0 && len(row) != len(rows[0]) {
			t.fail(row[0], "the row has %d cells, and the header %d", len(row), len(rows[0]))
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		read(t, rows[0], rows[1:])
	}
	return t.edges, t.errors
}

// name returns the index of the variable that a cell names, or −1. A next value may have the name of
// its variable.
func (t *priorTable) name(c cell, next bool) int {
	if i := t.space.Lookup(c.text); i >= 0 {
		return i
	}
	for _, suffix := range nexts {
		bare, is := strings.CutSuffix(c.text, suffix)
		if i := t.space.Lookup(bare); is && i >= 0 && i < t.space.Y() {
			if next {
				return i
			}
			t.fail(c, "%q is a next value; an edge leads from a variable now", param.Clip(c.text))
			return -1
		}
	}
	t.fail(c, "there is no variable %q", param.Clip(c.text))
	return -1
}

// variable is name for one end of an edge.
func (t *priorTable) variable(c cell, next bool) int {
	i := t.name(c, next)
	if next && i >= t.space.Y() {
		t.fail(c, "%q is an action; edges lead to state variables", param.Clip(c.text))
		return -1
	}
	return i
}

// add keeps an edge with the probability in a cell.
func (t *priorTable) add(at cell, i, j int, p cell) {
	if i < 0 || j < 0 {
		return
	}
	value, err := document.ParseP(p.text)
	if err != nil {
		t.fail(p, "%v", err)
		return
	}
	if first := t.lines[[2]int{i, j}]; first > 0 {
		t.fail(at, "the edge stands in line %d already", first)
		return
	}
	t.lines[[2]int{i, j}] = at.line
	t.edges = append(t.edges, document.Edge{From: t.space.Var(i).Name, To: t.space.State[j].Name, P: value})
}

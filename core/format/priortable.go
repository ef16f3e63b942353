package format

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// The columns of a table of edges. A strength is how often an edge is found, in whichever direction; the
// direction is how often it then leads this way.
const (
	ofFrom = iota
	ofTo
	ofP
	ofStrength
	ofDirection
	ofWeight
	ofTrue
	kinds
)

// columns are the names of these columns, in what programs call them.
var columns = [kinds][]string{
	{"from", "source", "src", "cause", "parent"}, {"to", "target", "dst", "effect", "child"},
	{"p", "prob", "probability", "trust", "confidence"}, {"strength"}, {"direction"}, {"weight"}, {"true"},
}

// edgeColumns are the places of the columns in a header, or −1.
type edgeColumns [kinds]int

// columnsOf returns the columns of a table of edges, how many cells stand before them, and the first cell
// that names no other one. It returns false if the header is none. The row is the first below it.
func columnsOf(header, row []cell) (at edgeColumns, before int, odd *cell, is bool) {
	for kind := range at {
		at[kind] = -1
	}
	if len(header) > 0 && len(row) > 0 && (header[0].text == "" || strings.HasPrefix(header[0].text, "Unnamed: ")) {
		if _, err := strconv.Atoi(row[0].text); err == nil { // it counts the rows, as pandas and R write them
			before = 1
		}
	}
	for k := before; k < len(header); k++ {
		kind := 0
		for kind < kinds && !slices.Contains(columns[kind], strings.ToLower(header[k].text)) {
			kind++
		}
		switch {
		case kind < kinds && at[kind] < 0 && (kind != ofDirection || at[ofStrength] >= 0):
			at[kind] = k
		case odd == nil:
			odd = &header[k]
		}
	}
	return at, before, odd, at[ofFrom] >= 0 && at[ofTo] >= 0 && (odd == nil || at[ofFrom]+at[ofTo] == 2*before+1)
}

// edgeTable is a table of edges, one a row. Its columns have the names above; the first two say the ends of
// an edge, unless all are known. Without a probability, an edge is certain.
var edgeTable = Language{
	Match: func(text string) bool {
		s := newSheet(text)
		header, _ := s.row()
		row, _ := s.row()
		_, _, _, is := columnsOf(header, row)
		return is
	},
	Read: func(text string, space *fmdp.Space) ([]document.Edge, []Error, string) {
		return readTable(text, space, func(t *priorTable, rows [][]cell) {
			at, _, odd, _ := columnsOf(rows[0], rows[min(1, len(rows)-1)])
			if odd != nil {
				t.fail(odd, "the column %q is not known, or it is a second one; the columns are from, to and p, the probability of an edge", param.Clip(odd.text))
				return
			}
			rows = t.even(rows)
			ends := make([][2]string, len(rows))
			for k, row := range rows {
				if ends[k] = [2]string{row[at[ofFrom]].text, row[at[ofTo]].text}; at[ofWeight] >= 0 {
					t.weights.see(row[at[ofWeight]].text)
				}
			}
			t.divide(ends)
			for _, row := range rows {
				p, where, err := 1.0, &row[at[ofFrom]], error(nil)
				trusted := func(kind int) (p float64) {
					if where = &row[at[kind]]; err == nil {
						if where.text == "" {
							err = errors.New("this edge has no probability; write 1 if it is certain")
							return 1
						}
						p, err = trust(where.text)
						return p
					}
					return 1
				}
				switch {
				case at[ofP] >= 0:
					p = trusted(ofP)
				case at[ofStrength] >= 0:
					if p = trusted(ofStrength); err == nil && at[ofDirection] >= 0 {
						p = product(p, trusted(ofDirection))
					}
				case at[ofWeight] >= 0:
					where = &row[at[ofWeight]]
					p, err = t.weights.read(where.text)
				}
				if err != nil {
					t.fail(where, "%v", err)
					continue
				}
				t.add(&row[at[ofFrom]], &row[at[ofTo]], &row[at[ofFrom]], p)
			}
			if at[ofStrength] >= 0 {
				t.notes = append(t.notes, "the strength of an edge, times its direction, is the trust in it; 0 forbids it")
			}
		})
	},
}

// product returns the probability of two things, and keeps what is neither certain nor excluded so.
func product(p, q float64) float64 {
	if r := float64(p * q); r == 0 || r == 1 {
		return r
	}
	return min(max(p*q, document.LeastLikely), document.MostLikely)
}

// trust is likely for a cell, which may be true or false.
func trust(text string) (float64, error) {
	switch strings.ToLower(text) {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	return likely(text)
}

// matrix is a table of probabilities with the names of variables now before its rows and of next
// values above its columns. An empty cell says nothing.
var matrix = Language{
	Match: func(text string) bool {
		header := unquoted(headerOf(text))
		return strings.ContainsAny(header, separators) && !strings.Contains(header, "->") && !strings.Contains(header, "→") && !strings.HasPrefix(header, "only ")
	},
	Read: func(text string, space *fmdp.Space) ([]document.Edge, []Error, string) {
		return readTable(text, space, func(t *priorTable, rows [][]cell) {
			rows = t.named(rows)
			header, rows := rows[0], t.even(rows)
			empty := func(c *cell) bool {
				return c.text == "" || strings.EqualFold(c.text, "NA") || strings.EqualFold(c.text, "NaN")
			}
			var ends [][2]string
			for _, row := range rows {
				for k := 1; k < len(row); k++ {
					if p, err := trust(row[k].text); !empty(&row[k]) && (p != 0 || err != nil) {
						ends = append(ends, [2]string{row[0].text, header[k].text})
					}
				}
			}
			t.divide(ends)
			// fresh reports whether a name is one, and was not seen.
			fresh := func(c *cell, seen map[string]bool, what string) bool {
				switch {
				case seen[c.text]:
					t.fail(c, "a second %s of %q", what, param.Clip(c.text))
					return false
				case !t.is(c):
					t.fail(c, "there is no variable %q", param.Clip(c.text))
					return false
				}
				seen[c.text] = true
				return true
			}
			use, seen := make([]bool, len(header)), map[string]bool{}
			for k := 1; k < len(header); k++ {
				use[k] = fresh(&header[k], seen, "column")
			}
			clear(seen)
			for _, row := range rows {
				if !fresh(&row[0], seen, "row") {
					continue
				}
				for k := 1; k < len(row); k++ {
					c := &row[k]
					if !use[k] || empty(c) {
						continue
					}
					p, err := trust(c.text)
					if err != nil {
						t.fail(c, "%v", err)
						continue
					}
					t.add(&row[0], &cell{header[k].text, c.line, c.column}, c, p)
				}
			}
			t.notes = append(t.notes, "rows lead to columns: a number is the trust in the edge from the variable of its row to the next value of the variable of its column; 0 forbids the edge, and an empty cell says nothing")
		})
	},
}

// named returns the rows of a matrix with a name before each: R writes a header that is one cell short, and
// other programs write no names or count the rows, because these have the order of the columns.
func (t *priorTable) named(rows [][]cell) [][]cell {
	header, rest := rows[0], rows[1:]
	if len(rest) == 0 {
		return rows
	}
	short, counted := t.is(&header[0]), header[0].text == "" && len(rest) == len(header)-1
	bare := header[0].text != "" && len(rest) == len(header)
	from := 0 // the first number of a row
	if rest[0][0].text == "1" {
		from = 1
	}
	for k, row := range rest {
		is := t.is(&row[0])
		_, err := trust(row[0].text)
		short = short && is && len(row) == len(header)+1
		counted = counted && !is && row[0].text == strconv.Itoa(from+k)
		bare = bare && !is && err == nil && len(row) == len(header)
	}
	if short || bare {
		header = append([]cell{{line: header[0].line, column: 1}}, header...)
		rows[0] = header
	}
	if bare || counted {
		for k, row := range rest {
			if bare {
				row = append([]cell{{line: row[0].line, column: row[0].column}}, row...)
				rest[k] = row
			}
			row[0].text = header[k+1].text
		}
		t.notes = append(t.notes, "the rows have no names: they are taken in the order of the columns")
	}
	return rows
}

// priorTable is a prior as it is read from a table.
type priorTable struct {
	*naming
	faults
	edges   []document.Edge
	lines   map[[2]int]int // of each edge
	weights weights
	notes   []string
}

// fail keeps an error at a cell.
func (t *priorTable) fail(at *cell, format string, args ...any) { t.keep(*at.fault(format, args...)) }

// readTable reads a table. The function read gets its rows, of which the first is the header.
func readTable(text string, space *fmdp.Space, read func(t *priorTable, rows [][]cell)) ([]document.Edge, []Error, string) {
	t := &priorTable{naming: newNaming(space, nil), edges: []document.Edge{}, lines: map[[2]int]int{}}
	s := newSheet(text)
	var rows [][]cell
	for {
		row, err := s.row()
		if wrong, is := err.(*Error); is {
			t.keep(*wrong)
			if len(rows) == 0 || len(t.errors) == mostErrors {
				break
			}
			s.skipLine()
			continue
		}
		if err == io.EOF {
			break
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		read(t, rows)
	}
	return t.edges, t.inOrder(), strings.Join(t.notes, "; ")
}

// even returns the rows below the header that are as long as it is.
func (t *priorTable) even(rows [][]cell) (even [][]cell) {
	for _, row := range rows[1:] {
		if len(row) != len(rows[0]) {
			t.fail(&row[0], "the row has %d cells, and the header %d", len(row), len(rows[0]))
			continue
		}
		even = append(even, row)
	}
	return even
}

// is reports whether a cell names a variable now or a next value.
func (t *priorTable) is(c *cell) bool {
	return t.lookup(c.text) >= 0 || t.without(t.now, c.text) >= 0 || t.primed(c.text) >= 0
}

// add keeps an edge with its probability, which stands at a cell. What cannot be an edge may be excluded.
func (t *priorTable) add(from, to, at *cell, p float64) {
	if t.first(from.text, to.text) {
		if !slices.Contains(t.notes, noteFirst) {
			t.notes = append(t.notes, noteFirst)
		}
		return
	}
	i, why := t.tail(from.text)
	j, whyNot := t.head(to.text)
	switch first := t.lines[[2]int{i, j}]; {
	case i < 0 && (p != 0 || !t.is(from)):
		t.fail(from, "%s", why)
	case j < 0 && (p != 0 || !t.is(to)):
		t.fail(to, "%s", whyNot)
	case i < 0 || j < 0:
	case first > 0:
		t.fail(at, "the edge stands in line %d already", first)
	default:
		t.lines[[2]int{i, j}] = at.line
		t.edges = append(t.edges, document.Edge{From: t.space.Var(i).Name, To: t.space.State[j].Name, P: p})
	}
}

// IsEdgeTable reports whether a text is a table of edges, by its header.
func IsEdgeTable(data []byte) bool {
	plain, err := strict.UTF8(data)
	return err == nil && edgeTable.Match(string(plain))
}

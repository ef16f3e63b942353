package format

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// LogOptions say how a table of transitions is read.
type LogOptions struct {
	// Space holds the variables. If it is nil, they are those columns that may be variables, and their
	// values those that occur, in ascending order.
	Space   *fmdp.Space
	Actions []string             // without a space: the columns that are actions; nil if the table shall tell
	Roles   map[string]string    // what columns are taken for, by their names: one of [Roles]
	Cuts    map[string][]float64 // ascending cut points of columns of numbers; a cut point is in the upper part
	// Lag is on the values of how many steps it depends what happens next: with 2, those of the step before are state variables,
	// too. 0 is 1. It is for tables that bring their variables.
	Lag int
}

// Log is what a table of transitions says.
type Log struct {
	Space       *fmdp.Space
	Columns     []Column // all of them, in their order
	Transitions []document.Transition
	Read        int      // the rows that were used
	Refused     int      // the rows in which a cell is missing
	Notes       []string // sentences on what was left out, and on what was read in another way than it stands there
	Outcomes

	found bool // whether the table says which columns are variables
}

// MaxLog is the length in bytes of the longest table that ReadLog reads.
const MaxLog = 1 << 28

// ReadLog reads a table of transitions as CSV. It has one of two forms. Either each row is a transition,
// with the columns x and x' of each state variable. Or each row is a step: the next state is in the next
// row of the same episode. There, columns such as episode and t tell episodes and steps. All steps of a
// table grow by the same, and where one grows by a multiple of that, a row is missing. Without a column of
// steps, the rows of an episode follow each other; without one of episodes, an episode begins where the step
// falls, repeats or leaps, and behind a row in which a column such as done is true. A leap is by at least one and a half
// times the median growth. If the options leave out the steps and nothing tells episodes, the rows are one episode. The
// rows of an episode stand together, and the last one may have no action. What a column is taken for, its name says or, of actions,
// where their cells are missing; see [Column]. A table without a transition is an error. The error is
// an *[Error]. The log has the columns even then, as far as they were read.
func ReadLog(data []byte, o LogOptions) (*Log, error) {
	if len(data) > MaxLog {
		return &Log{}, wholly("the table has %d bytes, more than %d MiB", len(data), MaxLog>>20)
	}
	data, err := strict.UTF8(data)
	if err != nil {
		return &Log{}, wholly("%v", err)
	}
	r := &logReader{LogOptions: o, log: &Log{found: o.Space == nil}, step: -1}
	if err = r.read(string(data)); err == nil && o.Lag > 1 {
		err = r.log.remember(o.Lag)
	}
	for k := range r.columns {
		if r.columns[k].Cuts == nil {
			r.propose(k)
		}
		r.log.Columns = append(r.log.Columns, r.columns[k].Column)
	}
	return r.log, err
}

// IsTable reports whether a file of transitions, which begins so, is a table and not JSON Lines.
func IsTable(begins []byte) bool {
	begins = bytes.TrimSpace(bytes.TrimPrefix(begins, []byte("\ufeff")))
	return len(begins) > 0 && begins[0] != '{'
}

// errNoRows says that a table has a header only.
var errNoRows = wholly("the table has no rows")

type logReader struct {
	LogOptions
	log      *Log
	by       byte // what divides cells
	space    *fmdp.Space
	columns  []logColumn
	episodic bool      // whether a row is a step, and no transition
	step     int       // the column that counts steps, or −1
	stride   float64   // by how much the step usually grows from a row to the next; 0 if it never does, or a column tells episodes
	rows     [][]int32 // the number of the text in each column
	places   []cell    // where a row begins
	episode  []int32   // of each row, −1 if it is not told
	readings [4]string // what was read in another way than it stands there, by columns
}

// The readings of a logReader, each as it begins.
const (
	asNumber = iota
	asMissing
	asLabel
	asWords
)

var readingsSay = [4]string{"numbers are read with a comma", "read as a missing cell in place of a number", "None is read as a value, and not as a missing cell", "read as words, and not as numbers"}

// readAs keeps that something of a column was read in that way.
func (r *logReader) readAs(way int, format string, args ...any) {
	if words := fmt.Sprintf(format, args...); r.readings[way] == "" {
		r.readings[way] = words
	} else if len(r.readings[way]) < 200 {
		r.readings[way] += ", " + words
	} else if !strings.HasSuffix(r.readings[way], "…") {
		r.readings[way] += ", …"
	}
}

// say notes the readings.
func (r *logReader) say() {
	for way, list := range r.readings {
		if list != "" {
			r.note("%s: %s", readingsSay[way], list)
		}
	}
}

// note keeps a sentence.
func (r *logReader) note(format string, args ...any) {
	r.log.Notes = append(r.log.Notes, fmt.Sprintf(format, args...))
}

// read reads the table.
func (r *logReader) read(text string) error {
	fault := r.cells(text)
	if fault != nil && len(r.columns) == 0 {
		return fault
	}
	r.numbers() // the columns are told even if a row has a fault, by those above it
	if err := cmp.Or(fault, r.name()); err != nil {
		return err
	}
	if len(r.rows) == 0 && r.Space == nil {
		return errNoRows
	}
	for k := range r.columns {
		r.lack(k)
	}
	if r.space = r.Space; r.space == nil {
		r.unite()
		if r.episodic && r.Actions == nil {
			r.actions()
		}
		r.judge()
		if err := r.found(); err != nil {
			return err
		}
	}
	r.say()
	if name := unknownName(r.Cuts, r.space); name != "" {
		return wholly("there is no variable %q to have cut points", param.Clip(name))
	}
	for k := range r.columns {
		if err := r.values(&r.columns[k]); err != nil {
			return err
		}
	}
	if r.Space == nil {
		if err := r.space.Validate(); err != nil {
			return wholly("%v", err)
		}
	}
	r.log.Space = r.space
	if !r.episodic {
		return r.pairs()
	}
	return r.steps()
}

// logMarks are what may stand between two cells of a table of transitions. A space may, too, if none of them does.
const logMarks = separators + "|"

// logSheet begins to read a table of transitions: behind a line such as sep=; that says what divides its cells,
// and behind the lines that begin with #. The last of these is returned, if it stands before the header.
func logSheet(text string) (s *sheet, remark string, line int) {
	s = &sheet{rest: lineEnds(text), line: 1, by: '\t'}
	told := false
	for s.begins() {
		now, _, _ := strings.Cut(s.rest, "\n")
		now = strings.TrimSpace(now)
		said, sep := partOf(now)
		switch {
		case strings.HasPrefix(now, "#"):
			remark, line = now, s.line
		case sep && !told:
			told, s.by = true, (said + "\t")[0]
		default:
			if !told {
				s.by = divider(now)
			}
			return s, remark, line
		}
		s.skipLine()
	}
	return s, remark, line
}

// divider returns what most likely stands between the cells of a line: what is most often in it.
func divider(line string) byte {
	line, by, most := unquoted(line), byte(','), 0
	for k := range len(logMarks) {
		if n := strings.Count(line, logMarks[k:k+1]); n > most {
			by, most = logMarks[k], n
		}
	}
	if most == 0 && strings.Contains(line, " ") {
		return ' '
	}
	return by
}

// cells reads the header and all rows.
func (r *logReader) cells(text string) error {
	if what := noTable(text); what != "" {
		return wholly("this is %s and no table, whose first line names the columns; nor is it JSON Lines, each of which is one transition", what)
	}
	s, remark, line := logSheet(text)
	r.by = s.by
	header, err := s.row()
	if err == io.EOF {
		return wholly("the table has no header")
	}
	if err != nil {
		return err
	}
	var first []cell // a row that was read as the header
	above := &sheet{rest: strings.Replace(remark, "#", " ", 1), line: line, by: s.by}
	if names, err := above.row(); err == nil && isHeader(names, header) {
		header, first = names, header
	}
	n, remarks := len(header), 0
	next := func() ([]cell, error) {
		if row := first; row != nil {
			first = nil
			return row, nil
		}
		for s.begins() {
			sharp := strings.HasPrefix(strings.TrimLeft(s.rest, " \t"), "#")
			row, err := s.row()
			if !sharp || err == nil && len(row) == n {
				return row, err
			}
			if remarks++; err != nil {
				s.skipLine()
			}
		}
		return nil, io.EOF
	}
	var fault error
	for {
		row, err := next()
		if err != nil {
			if err != io.EOF {
				fault = err
			}
			break
		}
		if len(r.rows) == 0 && len(row) == n+1 { // with names of rows, or with a mark behind the last cell
			n++
		}
		if len(row) != n {
			fault = row[0].fault("the row has %s, and the header in line %d has %d", param.Count(len(row), "cell"), header[0].line, len(header))
			break
		}
		if len(r.rows) == 0 {
			r.columns = newColumns(n)
		}
		ids := make([]int32, n)
		for k, c := range row {
			ids[k] = r.columns[k].id(c)
		}
		r.rows, r.places = append(r.rows, ids), append(r.places, cell{"", row[0].line, row[0].column})
	}
	if len(r.rows) == 0 {
		r.columns = newColumns(n)
	}
	if remarks > 0 {
		r.note("%s with # in front left out, with another number of cells than the header", param.Count(remarks, "line"))
	}
	if n > len(header) {
		extra := cell{"", header[0].line, header[0].column}
		if last := r.columns[n-1].texts; len(last) == 1 && last[0].text == "" {
			header = append(header, extra)
		} else {
			header = append([]cell{extra}, header...)
		}
	}
	return cmp.Or(r.head(header), fault)
}

// noTable returns what a text is that begins as no table does, or "".
func noTable(text string) string {
	begins := strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(begins, "<"):
		return "HTML or XML"
	case strings.HasPrefix(begins, "["):
		if inside := strings.TrimSpace(begins[1:]); strings.HasPrefix(inside, "{") || strings.HasPrefix(inside, "[") {
			return "a JSON array"
		}
	}
	return ""
}

// isHeader reports whether the cells of a remark are the header of a table whose first row these cells are, as numpy.savetxt
// writes it.
func isHeader(remark, row []cell) bool {
	numbers, known, knows := false, false, false
	names := map[string]bool{}
	for k, c := range remark {
		if _, is := plain.number(c.text); is || names[c.text] || c.text == "" && k > 0 {
			return false
		}
		names[c.text] = true
		_, sure := calledFor(c.text)
		known = known || sure == surely
	}
	for _, c := range row {
		_, is := plain.number(c.text)
		_, sure := calledFor(c.text)
		numbers, knows = numbers || is, knows || sure == surely
	}
	return len(remark) > 1 && len(remark) == len(row) && (numbers || known && !knows)
}

// newColumns returns columns without a name.
func newColumns(n int) []logColumn {
	columns := make([]logColumn, n)
	for k := range columns {
		columns[k].ids, columns[k].of, columns[k].next, columns[k].base = map[string]int32{}, -1, -1, -1
	}
	return columns
}

// head gives the columns their names.
func (r *logReader) head(header []cell) error {
	names, numbers := map[string]bool{}, true
	for k, c := range header {
		if names[c.text] && c.text != "" {
			return c.fault("a second column %q", param.Clip(c.text))
		}
		names[c.text] = true
		r.columns[k].Name, r.columns[k].at = strings.Clone(c.text), c
		_, is := plain.number(c.text)
		numbers = numbers && is
	}
	if numbers && r.Space == nil {
		return header[0].fault("the first line holds numbers; a header with the names of the columns was expected")
	}
	return nil
}

// id returns the number of a text among those of its column.
func (c *logColumn) id(at cell) int32 {
	id, has := c.ids[at.text]
	if !has {
		id = int32(len(c.texts))
		at.text = strings.Clone(at.text)
		c.texts, c.ids[at.text] = append(c.texts, at), id
	}
	return id
}

// numbers reads the texts of each column as numbers, in the notation in which most of them are numbers.
func (r *logReader) numbers() {
	decimal := false // whether the table has decimal commas, so that points stand between thousands
	order := []notation{plain, comma, groups}
	if r.by == ',' {
		order = []notation{plain, groups, comma}
	}
	for _, again := range []bool{false, true} {
		for k := range r.columns {
			c := &r.columns[k]
			most := -1
			for _, how := range order {
				n := 0
				for _, t := range c.texts {
					if _, is := how.number(t.text); is {
						n++
					}
				}
				if n > most || again && decimal && how == comma && n >= most && n > 0 {
					c.how, most = how, n
				}
			}
			decimal = decimal || c.how == comma
		}
		if !decimal || r.by == ',' {
			break
		}
	}
	for k := range r.columns {
		c := &r.columns[k]
		for _, t := range c.texts {
			v, is := c.how.number(t.text)
			text := t.text
			if w, isWhole := whole(v); is && isWhole {
				text = w
			}
			c.number, c.is, c.words = append(c.number, v), append(c.is, is), append(c.words, text)
		}
		c.missing = make([]bool, len(c.texts))
	}
}

// lack says which texts of a column stand in place of a missing value.
func (r *logReader) lack(k int) {
	c := &r.columns[k]
	numbers, others, odd, none := 0, 0, true, -1
	for id, t := range c.texts {
		switch {
		case r.label(c, t.text):
			others, odd = others+1, false
		case c.is[id]:
			numbers++
		case absent(t.text):
			c.missing[id] = true
		default:
			if others++; t.text == "None" {
				none = id
			}
			if truth := truthOf(t.text) >= 0; truth {
				numbers++
			} else if !absentAmong(t.text) {
				odd = false
			}
		}
	}
	switch {
	case odd && (numbers > 0 || others == 1 && none >= 0):
		for id, t := range c.texts {
			if c.missing[id] || c.is[id] || !absentAmong(t.text) {
				continue
			}
			if c.missing[id] = true; r.variable(c) && t.text != "None" {
				r.readAs(asMissing, "%q of %q", param.Clip(t.text), param.Clip(c.Name))
			}
		}
	case none >= 0 && (!r.variable(c) || r.lastOnly(k, int32(none))):
		c.missing[none] = true
	case none >= 0:
		r.readAs(asLabel, "%q", param.Clip(c.Name))
	}
	if r.variable(c) && c.how != plain && slices.Contains(c.is, true) {
		for id, t := range c.texts {
			if v, is := numberOf(t.text); c.is[id] && (!is || v != c.number[id]) {
				r.readAs(asNumber, "%s of %q is %s", param.Clip(t.text), param.Clip(c.Name), strconv.FormatFloat(c.number[id], 'f', -1, 64))
				break
			}
		}
	}
}

// variable reports whether a column is taken for a variable now or for a next value.
func (r *logReader) variable(c *logColumn) bool {
	return c.Role == AsState || c.Role == AsAction || c.Role == AsNext
}

// label reports whether a text is the label of a value in the column.
func (r *logReader) label(c *logColumn, text string) bool {
	return r.Space != nil && c.of >= 0 && slices.Contains(r.Space.Var(c.of).Values, text)
}

// lastOnly reports whether a text of a column stands only in last rows of episodes.
func (r *logReader) lastOnly(k int, id int32) bool {
	for n, row := range r.rows {
		if row[k] == id && (!r.episodic || n+1 < len(r.rows) && r.episode[n+1] == r.episode[n]) {
			return false
		}
	}
	return true
}

// actions takes columns for actions: those whose missing values are all in last rows of episodes, in at least
// half of them; if there is still none, one that is called a or u, unless letters are names in their order.
func (r *logReader) actions() {
	for k := range r.columns {
		c := &r.columns[k]
		if c.Role != AsState || c.told {
			continue
		}
		only, last, episodes := true, 0, 0
		for n, row := range r.rows {
			ends := n+1 == len(r.rows) || r.episode[n+1] != r.episode[n]
			if ends {
				episodes++
			}
			if c.missing[row[k]] {
				if only = only && ends; ends {
					last++
				}
			}
		}
		if only && last > 0 && 2*last >= episodes {
			c.take(AsAction, "")
		}
	}
	if len(r.all(AsAction)) > 0 || len(r.all(AsState)) < 2 {
		return
	}
	for k := range r.columns {
		c := &r.columns[k]
		role, _ := calledFor(c.Name)
		if role != AsAction || c.Role != AsState || c.told {
			continue
		}
		if next := string(c.Name[0] + 1); !slices.ContainsFunc(r.columns, func(other logColumn) bool { return strings.EqualFold(other.Name, next) }) {
			c.take(AsAction, "")
			return
		}
	}
}

// unite makes one value of the spellings of a truth value, in a column together with its next values.
func (r *logReader) unite() {
	for k := range r.columns {
		c := &r.columns[k]
		if !r.variable(c) || c.base >= 0 {
			continue
		}
		both := []*logColumn{c}
		if c.next >= 0 {
			both = append(both, &r.columns[c.next])
		}
		for row := range truths {
			words, meant, all := map[string]bool{}, [2]bool{}, true
			letters := false
			for _, c := range both {
				for id, word := range c.words {
					if c.missing[id] {
						continue
					}
					which := truthIn(row, word)
					if words[word], letters = true, letters || !c.is[id]; which < 0 {
						all = false
						break
					}
					meant[which] = true
				}
			}
			if !all || !letters || len(words) <= 1 || len(words) == 2 && meant[0] && meant[1] {
				continue
			}
			for _, c := range both {
				for id, word := range c.words {
					if which := truthIn(row, word); which >= 0 {
						c.words[id] = truths[row][which][0]
						c.is[id] = false
					}
				}
			}
			break
		}
	}
}

// found makes the columns of states and actions the variables. Their values are those that occur.
func (r *logReader) found() error {
	r.space = &fmdp.Space{}
	states, actions := r.all(AsState), r.all(AsAction)
	switch n := len(states) + len(actions); {
	case len(states) == 0:
		why := ""
		for k := range r.columns {
			if c := &r.columns[k]; c.Role == AsNothing && c.Name != "" && c.Why != "" && len(why) < 200 {
				why += fmt.Sprintf("; %q %s", param.Clip(c.Name), c.Why)
			}
		}
		return wholly("the table has no column of a state variable%s", why)
	case n > fmdp.MaxVariables:
		return wholly("%d columns are taken for variables, more than %d; say which to leave out", n, fmdp.MaxVariables)
	}
	for i, k := range slices.Concat(states, actions) {
		v := fmdp.Variable{Name: r.columns[k].Name}
		if i < len(states) {
			r.space.State = append(r.space.State, v)
		} else {
			r.space.Action = append(r.space.Action, v)
		}
	}
	for i, k := range slices.Concat(states, actions) {
		c := &r.columns[k]
		if c.of = i; c.next >= 0 && i < len(states) {
			r.columns[c.next].of = r.space.X() + i
		}
		if r.Cuts[c.Name] == nil {
			if err := r.infer(i, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// infer gives a variable the values that occur in its columns.
func (r *logReader) infer(i, k int) error {
	v := r.space.Var(i)
	seen, numbers := map[string]float64{}, false
	var words []string
	var other *cell // the first that is no number
	for _, at := range []int{k, r.columns[k].next} {
		if at < 0 {
			continue
		}
		c := &r.columns[at]
		for id, word := range c.words {
			if c.missing[id] {
				continue
			}
			if _, isWhole := whole(c.number[id]); c.is[id] && !isWhole {
				if r.propose(k); r.columns[k].Cuts == nil {
					return c.texts[id].fault("%q holds numbers that are not whole; cut points say how to divide them", param.Clip(v.Name))
				}
				return c.texts[id].fault("%q holds numbers that are not whole; cut points say how to divide them, as %s does into parts of %v rows", param.Clip(v.Name), WriteCuts(param.Clip(v.Name), r.columns[k].Cuts), r.columns[k].Rows)
			}
			if numbers = numbers || c.is[id]; other == nil && !c.is[id] {
				other = &c.texts[id]
			}
			if _, has := seen[word]; !has {
				seen[word], words = c.number[id], append(words, word)
			}
		}
	}
	if len(words) == 0 {
		return wholly("no row has a value of %q", param.Clip(v.Name))
	}
	if numbers && other != nil {
		r.readAs(asWords, "%q, because of %q in line %d", param.Clip(v.Name), param.Clip(other.text), other.line)
		numbers = false
	}
	slices.SortFunc(words, func(a, b string) int {
		if numbers {
			return cmp.Compare(seen[a], seen[b])
		}
		return strings.Compare(a, b)
	})
	v.Size = len(words)
	if numbered := words[len(words)-1] == strconv.Itoa(len(words)-1) && words[0] == "0" && numbers; !numbered {
		v.Values = words
	}
	return nil
}

// unknownName returns a name that is that of no variable, the first in their order, or "".
func unknownName(cuts map[string][]float64, space *fmdp.Space) string {
	var unknown []string
	for name := range cuts {
		if space.Lookup(name) < 0 {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	return slices.Min(unknown)
}

// values turns the texts of a column into values of its variable.
func (r *logReader) values(c *logColumn) error {
	if c.of < 0 {
		return nil
	}
	i := c.of
	if i >= r.space.X() {
		i -= r.space.X()
	}
	v := r.space.Var(i)
	c.values = make([]int, len(c.texts))
	if cuts, has := r.Cuts[v.Name]; has {
		return r.cut(c, v, cuts)
	}
	of := map[string]int{}
	for k, label := range v.Values {
		of[label] = k
	}
	for id, t := range c.texts {
		if c.missing[id] {
			c.values[id] = -1
			continue
		}
		value, has := of[t.text]
		if !has {
			value, has = of[c.words[id]]
		}
		if number := c.number[id]; !has && len(v.Values) == 0 && c.is[id] && number == math.Trunc(number) && number >= 0 && number < float64(v.Size) {
			value, has = int(number), true
		}
		if which := truthOf(c.words[id]); !has && v.Size == 2 && which >= 0 {
			for k := range v.Size {
				if truthOf(v.Label(k)) == which {
					value, has = k, true
				}
			}
		}
		if _, isWhole := whole(c.number[id]); !has && c.is[id] && !isWhole {
			return t.fault("%q holds numbers that are not whole; cut points say how to divide them", param.Clip(v.Name))
		}
		if !has {
			return t.fault("%q has no value %q", param.Clip(v.Name), param.Clip(t.text))
		}
		c.values[id] = value
	}
	return nil
}

// cut turns numbers into the number of the cut points that they reach.
func (r *logReader) cut(c *logColumn, v *fmdp.Variable, cuts []float64) error {
	ascending := len(cuts) > 0
	for k := range cuts {
		ascending = ascending && (k == 0 || cuts[k] > cuts[k-1])
	}
	if !ascending {
		return wholly("the cut points of %q are not ascending", param.Clip(v.Name))
	}
	if v.Size == 0 {
		v.Size = len(cuts) + 1
		for k := range v.Size {
			switch {
			case k == 0:
				v.Values = append(v.Values, fmt.Sprintf("below %v", cuts[0]))
			case k == len(cuts):
				v.Values = append(v.Values, fmt.Sprintf("from %v", cuts[k-1]))
			default:
				v.Values = append(v.Values, fmt.Sprintf("from %v to %v", cuts[k-1], cuts[k]))
			}
		}
	}
	if v.Size != len(cuts)+1 {
		return wholly("%q has %d values; with %s there are %d", param.Clip(v.Name), v.Size, param.Count(len(cuts), "cut point"), len(cuts)+1)
	}
	for id, t := range c.texts {
		if c.missing[id] {
			c.values[id] = -1
			continue
		}
		if !c.is[id] {
			return t.fault("%q has cut points, but %q is no number", param.Clip(v.Name), param.Clip(t.text))
		}
		for _, cut := range cuts {
			if c.number[id] >= cut {
				c.values[id]++
			}
		}
	}
	return nil
}

// some returns the values of the variables in these columns of a row, and whether all are there.
func (r *logReader) some(row []int32, columns []int) ([]int, bool) {
	values := make([]int, len(columns))
	for k, column := range columns {
		if values[k] = r.columns[column].values[row[column]]; values[k] < 0 {
			return nil, false
		}
	}
	return values, true
}

// columnsOf returns the columns of the variables from first to before last.
func (r *logReader) columnsOf(first, last int) []int {
	columns := make([]int, last-first)
	for k := range r.columns {
		if of := r.columns[k].of; of >= first && of < last {
			columns[of-first] = k
		}
	}
	return columns
}

// pairs reads a transition from each row.
func (r *logReader) pairs() error {
	now, next := r.columnsOf(0, r.space.X()), r.columnsOf(r.space.X(), r.space.X()+r.space.Y())
	outcomes := r.outcomes()
	for n, row := range r.rows {
		x, ok := r.some(row, now)
		y, also := r.some(row, next)
		if !ok || !also {
			r.log.Refused++
			continue
		}
		r.log.Read++
		r.log.Transitions = append(r.log.Transitions, document.Transition{X: x, Y: y})
		outcomes.row(n, x[:r.space.Y()], y)
	}
	if len(r.log.Transitions) > 0 {
		return nil
	}
	if len(r.rows) == 0 {
		return errNoRows
	}
	return wholly("there is no transition: each of the %s has a missing cell", param.Count(len(r.rows), "row"))
}

// pace returns by how much the step grows from a row to the next one of an episode, or 0 without a column of steps. Where a
// column tells episodes, it is the same for all of them; else it is usual, and none is half of it or less.
func (r *logReader) pace() (float64, error) {
	if r.step < 0 {
		return 0, nil
	}
	name := param.Clip(r.columns[r.step].Name)
	told := len(r.all(AsEpisode)) > 0
	type growth struct {
		by   float64
		line int
	}
	var all []growth
	least, most := math.Inf(1), 0.0
	before, last := 0.0, -1 // the last row with a step
	for n, row := range r.rows {
		c := &r.columns[r.step]
		if c.missing[row[r.step]] || r.episode[n] < 0 {
			continue
		}
		now, is := r.time(n, r.step)
		if !is || math.IsInf(now, 0) {
			return 0, r.places[n].fault("%q is %q; it must be a number, or a date and a time", name, param.Clip(c.texts[row[r.step]].text))
		}
		if last >= 0 && r.episode[n] == r.episode[last] {
			if now <= before && told {
				return 0, r.places[n].fault("%q does not grow within the episode %q", name, r.called(n))
			}
			if now > before && last == n-1 {
				by := now - before
				all, least, most = append(all, growth{by, r.places[n].line}), min(least, by), max(most, by)
			}
		}
		before, last = now, n
	}
	if len(all) == 0 {
		return 1, nil
	}
	pace := least
	if !told {
		pace = r.stride
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }
	gaps := 0
	for _, g := range all {
		times := g.by / pace
		if told && math.Abs(times-math.Round(times)) > even*times || times <= 0.5 {
			return 0, wholly("%q grows by %s up to line %d and by %s elsewhere, so no step can be told; let it count steps, or leave it out, and the rows of an episode follow each other", name, number(g.by), g.line, number(pace))
		}
		if math.Round(times) > 1 {
			gaps++
		}
	}
	switch {
	case !told && most-least > even*most:
		r.note("%q grows by %s to %s from step to step", name, number(least), number(most))
	case pace != 1:
		r.note("%q grows by %s from step to step", name, number(pace))
	}
	if gaps > 0 {
		r.note("%s in %q within an episode, where no transition is known", param.Count(gaps, "gap"), name)
	}
	return pace, nil
}

// even is the largest relative difference of growths that count as equal.
const even = 1e-6

// called returns the name of the episode of a row.
func (r *logReader) called(row int) string {
	var names []string
	for _, k := range r.all(AsEpisode) {
		names = append(names, r.columns[k].texts[r.rows[row][k]].text)
	}
	return param.Clip(strings.Join(names, ", "))
}

// steps reads a transition from each two rows that follow each other in an episode.
func (r *logReader) steps() error {
	pace, err := r.pace()
	if err != nil {
		return err
	}
	states, actions := r.columnsOf(0, r.space.Y()), r.columnsOf(r.space.Y(), r.space.X())
	ended, lengths := map[int32]bool{}, 0
	episode, at := int32(-1), 0.0 // of the row before
	var state, action []int       // of the row before; nil if they are missing
	open := false                 // whether the row before has no action, which is right in the last row only
	outcomes := r.outcomes()
	for n, row := range r.rows {
		id, t := r.episode[n], 0.0
		if r.step >= 0 {
			t, _ = r.time(n, r.step)
		}
		if id < 0 || r.step >= 0 && r.columns[r.step].missing[row[r.step]] {
			r.log.Refused++
			outcomes.last(state, action, false)
			state, open = nil, false
			continue
		}
		same := id == episode
		if !same && ended[id] {
			return r.places[n].fault("the rows of the episode %q do not stand together; sort them, or say which other column tells episodes, too", r.called(n))
		}
		if open && same {
			r.log.Refused++
			r.log.Read--
		}
		if same {
			lengths++
		}
		follows := same && (r.step < 0 || math.Round((t-at)/pace) == 1)
		ended[id], episode, at = true, id, t
		now, ok := r.some(row, states)
		did, acted := r.some(row, actions)
		switch {
		case state == nil || action == nil:
		case ok && follows:
			r.log.Transitions = append(r.log.Transitions, document.Transition{X: slices.Concat(state, action), Y: now})
			outcomes.step(n, acted && len(actions) > 0)
		default:
			outcomes.last(state, action, same)
		}
		if state, action, open = now, did, ok && !acted; ok && !same {
			outcomes.Starts = append(outcomes.Starts, now)
		}
		outcomes.begin(n, same, ok && acted && (same || len(actions) > 0))
		if ok {
			r.log.Read++
		} else {
			r.log.Refused++
		}
	}
	outcomes.last(state, action, false)
	switch {
	case len(r.rows) == 0:
		return errNoRows
	case len(r.log.Transitions) > 0:
		r.formed()
		return nil
	case len(r.rows) == 1:
		return wholly("there is no transition: the table has one row")
	case lengths == 0 && len(ended) > 0:
		return wholly("there is no transition: each of the %s has one row", param.Count(len(ended), "episode"))
	}
	return wholly("there is no transition: of the %s, none follows another one without a missing cell", param.Count(len(r.rows), "row"))
}

// formed says by what a table tells episodes and steps, if not by both.
func (r *logReader) formed() {
	if len(r.all(AsEpisode)) > 0 {
		if r.step < 0 {
			r.note("no column counts steps: the rows of an episode follow each other")
		}
		return
	}
	var by, ends []string
	if r.step >= 0 {
		by = append(by, fmt.Sprintf("a new one begins where %q falls, repeats or leaps", param.Clip(r.columns[r.step].Name)))
	}
	for _, k := range r.all(AsEnd) {
		ends = append(ends, strconv.Quote(param.Clip(r.columns[k].Name)))
	}
	if ends != nil {
		by = append(by, fmt.Sprintf("one ends where %s is true", strings.Join(ends, " or ")))
	}
	if by == nil {
		r.note("no column tells episodes or steps: the rows follow each other, in one episode")
		return
	}
	r.note("no column tells episodes: %s", strings.Join(by, ", and "))
}

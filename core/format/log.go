package format

import (
	"bytes"
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
	// Space holds the variables. If it is nil, every column is a variable, except reward; its
	// values are those that occur, in ascending order.
	Space   *fmdp.Space
	Actions []string             // without a space: the columns that are actions
	Cuts    map[string][]float64 // ascending cut points of columns of numbers; a cut point is in the upper part
}

// Log is what a table of transitions says.
type Log struct {
	Space       *fmdp.Space
	Columns     []string // those that hold a variable now, in their order
	Transitions []document.Transition
	Read        int      // the rows that were used
	Refused     int      // the rows in which a cell is missing
	Notes       []string // sentences on what was left out
}

// MaxLog is the length in bytes of the longest table that ReadLog reads.
const MaxLog = 1 << 28

// ReadLog reads a table of transitions as CSV. It has one of two forms. If the first two columns are
// episode and t, each row is a step, and the next state is in the next row of the same episode, whose
// t is larger by 1. Otherwise each row is a transition, with the columns x and x' of each state
// variable. The rows of an episode stand together, and the last one may have no action. The
// error is an *[Error].
func ReadLog(data []byte, o LogOptions) (*Log, error) {
	if len(data) > MaxLog {
		return nil, wholly("the table has %d bytes, more than %d MiB", len(data), MaxLog>>20)
	}
	data, err := strict.UTF8(data)
	if err != nil {
		return nil, wholly("%v", err)
	}
	r := &logReader{LogOptions: o, sheet: newSheet(string(data)), log: &Log{}}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.log, nil
}

// GuessActions returns the columns of a table of transitions that are likely to be actions: in the first
// form, those whose missing values are all in last rows of episodes, in at least half of them; in the
// second, those without a next value; in both, a column called action. A table that [ReadLog] refuses may
// have any.
func GuessActions(data []byte) []string {
	plain, err := strict.UTF8(data)
	if err != nil || len(data) > MaxLog {
		return nil
	}
	sheet := newSheet(string(plain))
	header, err := sheet.row()
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for _, c := range header {
		names[c.text] = true
	}
	episodic := len(header) > 1 && strings.EqualFold(header[0].text, "episode") && strings.EqualFold(header[1].text, "t")
	first, acts := 0, make([]bool, len(header))
	if episodic {
		first = 2
		acts = lastMissing(sheet, len(header))
	}
	var list []string
	for k, c := range header {
		base, is := bare(c.text)
		next := slices.ContainsFunc(nexts, func(suffix string) bool { return names[c.text+suffix] }) || is && names[base]
		called := strings.EqualFold(c.text, "action")
		if k >= first && c.text != rewardColumn && (called && (episodic || !next) || episodic && acts[k] || !episodic && !next) {
			list = append(list, strings.Clone(c.text))
		}
	}
	return list
}

// lastMissing reports of each column whether its missing values are all in last rows of episodes, in at
// least half of them.
func lastMissing(sheet *sheet, columns int) []bool {
	elsewhere, last, episodes := make([]bool, columns), make([]int, columns), 0
	var before []cell
	end := func(ends bool) {
		if ends && before != nil {
			episodes++
		}
		for k := range before {
			switch missing := slices.Contains(absent, before[k].text); {
			case missing && ends:
				last[k]++
			case missing:
				elsewhere[k] = true
			}
		}
	}
	for {
		row, err := sheet.row()
		if err != nil || len(row) != columns {
			break
		}
		end(before != nil && row[0].text != before[0].text)
		before = row
	}
	end(true)
	only := make([]bool, columns)
	for k := range only {
		only[k] = !elsewhere[k] && last[k] > 0 && 2*last[k] >= episodes
	}
	return only
}

// IsTable reports whether a file of transitions, which begins so, is a table and not JSON Lines.
func IsTable(begins []byte) bool {
	plain, err := strict.UTF8(begins)
	if plain = bytes.TrimSpace(plain); err != nil {
		return true
	}
	return len(plain) > 0 && plain[0] != '{'
}

// logColumn is a column of a table.
type logColumn struct {
	cell
	of     int // the variable: i of X, or d_X + j for the next value of Y_j; −1 for none
	ids    map[string]int32
	texts  []cell // the different texts, each where it stands first
	values []int  // of these texts
}

type logReader struct {
	LogOptions
	sheet    *sheet
	log      *Log
	space    *fmdp.Space
	columns  []logColumn
	episodic bool
	rows     [][]int32 // the number of the text in each column; −1 for a missing one
	places   []cell    // where a row begins
}

// fault returns an error at a cell.
func (c cell) fault(format string, args ...any) error {
	return &Error{c.line, c.column, fmt.Sprintf(format, args...)}
}

// absent holds what stands in place of a missing value.
var absent = []string{"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?"}

// read reads the table.
func (r *logReader) read() error {
	header, err := r.sheet.row()
	if err == io.EOF {
		return wholly("the table has no header")
	}
	if err != nil {
		return err
	}
	names := map[string]int{}
	for k, c := range header {
		if _, has := names[c.text]; has {
			return c.fault("a second column %q", param.Clip(c.text))
		}
		names[c.text] = k
		r.columns = append(r.columns, logColumn{cell: c, of: -1, ids: map[string]int32{}})
	}
	r.episodic = len(header) > 1 && strings.EqualFold(header[0].text, "episode") && strings.EqualFold(header[1].text, "t")
	if err := r.variables(names); err != nil {
		return err
	}
	for {
		row, err := r.sheet.row()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if len(row) != len(header) {
			return row[0].fault("the row has %d cells, and the header %d", len(row), len(header))
		}
		ids := make([]int32, len(row))
		for k, c := range row {
			ids[k] = r.id(&r.columns[k], c)
		}
		r.rows, r.places = append(r.rows, ids), append(r.places, row[0])
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
	for _, c := range r.columns {
		if c.of >= 0 && c.of < r.space.X() {
			r.log.Columns = append(r.log.Columns, c.text)
		}
	}
	if r.episodic {
		return r.steps()
	}
	r.pairs()
	return nil
}

// id returns the number of a text among those of its column, or −1 if it stands for a missing
// value.
func (r *logReader) id(column *logColumn, c cell) int32 {
	if id, has := column.ids[c.text]; has {
		return id
	}
	id := int32(len(column.texts))
	if slices.Contains(absent, c.text) && !r.label(column, c.text) {
		id = -1
	} else {
		c.text = strings.Clone(c.text)
		column.texts = append(column.texts, c)
	}
	column.ids[strings.Clone(c.text)] = id
	return id
}

// label reports whether a text is the label of a value in the column.
func (r *logReader) label(column *logColumn, text string) bool {
	return r.Space != nil && column.of >= 0 && slices.Contains(r.space.Var(column.of).Values, text)
}

// bare returns the name of the variable whose next value has that name.
func bare(name string) (string, bool) {
	for _, suffix := range nexts {
		if base, is := strings.CutSuffix(name, suffix); is && base != "" {
			return base, true
		}
	}
	return "", false
}

// rewardColumn is a column that is left out: rewards say nothing about the graph.
const rewardColumn = "reward"

// variables says which variable each column holds.
func (r *logReader) variables(names map[string]int) error {
	first := 0
	if r.episodic {
		first = 2
	}
	if r.space = r.Space; r.space == nil {
		r.space = &fmdp.Space{}
		if err := r.found(names, first); err != nil {
			return err
		}
	}
	if name := unknownName(r.Cuts, r.space); name != "" {
		return wholly("there is no variable %q to have cut points", param.Clip(name))
	}
	var left []string
	for k := first; k < len(r.columns); k++ {
		c := &r.columns[k]
		c.of = r.space.Lookup(c.text)
		if base, is := bare(c.text); c.of < 0 && is && !r.episodic {
			if j := r.space.Lookup(base); j >= 0 && j < r.space.Y() {
				c.of = r.space.X() + j
			}
		}
		if c.of < 0 {
			left = append(left, strconv.Quote(param.Clip(c.text)))
		}
	}
	if len(left) > 0 {
		r.log.Notes = append(r.log.Notes, "columns that are no variable are left out: "+param.Cut(strings.Join(left, ", "), 200))
	}
	needed := r.space.X()
	if !r.episodic {
		needed += r.space.Y()
	}
	for i := range needed {
		switch n := r.column(i); {
		case n < 0 && i >= r.space.X():
			return wholly(`there is no column %q; without the columns "episode" and "t" in front, each row holds the next values, too`, r.space.NameOf(i))
		case n < 0:
			return wholly("there is no column of the variable %q", r.space.Var(i).Name)
		}
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

// column returns the number of the column that holds a variable, or −1.
func (r *logReader) column(of int) int {
	return slices.IndexFunc(r.columns, func(c logColumn) bool { return c.of == of })
}

// found takes the variables from the names of the columns. Their values are not yet known.
func (r *logReader) found(names map[string]int, first int) error {
	for _, name := range r.Actions {
		if k, has := names[name]; !has || k < first {
			return wholly("there is no column %q to be an action", param.Clip(name))
		}
	}
	for _, c := range r.columns[first:] {
		v := fmdp.Variable{Name: c.text}
		base, is := bare(c.text)
		_, paired := names[base]
		switch {
		case slices.Contains(r.Actions, c.text):
			r.space.Action = append(r.space.Action, v)
		case c.text == rewardColumn, is && paired && !r.episodic:
		case !r.episodic && !slices.ContainsFunc(nexts, func(suffix string) bool { _, has := names[c.text+suffix]; return has }):
			return c.fault("the column %q has no next value, such as %s', and is no action", param.Clip(c.text), param.Clip(c.text))
		default:
			r.space.State = append(r.space.State, v)
		}
	}
	if len(r.space.State) == 0 {
		return wholly("the table has no column of a state variable")
	}
	return nil
}

// wholeText returns the whole number that a text is: 2 for "2" and "2.0".
func wholeText(text string) (int, bool) {
	v, ok := numberOf(text)
	return int(v), ok && v == math.Trunc(v) && math.Abs(v) <= 1<<31
}

// values turns the texts of a column into values of its variable.
func (r *logReader) values(c *logColumn) error {
	if c.of < 0 {
		return nil
	}
	v := r.space.Var(c.of)
	c.values = make([]int, len(c.texts))
	if cuts, has := r.Cuts[v.Name]; has {
		return r.cut(c, v, cuts)
	}
	if r.Space == nil && v.Size == 0 {
		if err := r.infer(c.of); err != nil {
			return err
		}
	}
	of := map[string]int{}
	for k, label := range v.Values {
		of[label] = k
	}
	for k, t := range c.texts {
		value, has := of[t.text]
		n, whole := wholeText(t.text)
		if !has && whole {
			value, has = of[strconv.Itoa(n)]
		}
		if !has && len(v.Values) == 0 && whole && n >= 0 && n < v.Size {
			value, has = n, true
		}
		if _, number := numberOf(t.text); !has && number && !whole {
			return t.fault("%q holds numbers that are not whole; cut points say how to divide them", param.Clip(v.Name))
		}
		if !has {
			return t.fault("%q has no value %q", param.Clip(v.Name), param.Clip(t.text))
		}
		c.values[k] = value
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
	for k, t := range c.texts {
		x, ok := numberOf(t.text)
		if !ok {
			return t.fault("%q has cut points, but %q is no number", param.Clip(v.Name), param.Clip(t.text))
		}
		for _, cut := range cuts {
			if x >= cut {
				c.values[k]++
			}
		}
	}
	return nil
}

// infer gives a variable the values that occur in its columns.
func (r *logReader) infer(of int) error {
	v := r.space.Var(of)
	base := of
	if of >= r.space.X() {
		base = of - r.space.X()
	}
	seen, numbers := map[string]bool{}, true
	var words []string
	for _, c := range r.columns {
		if c.of != base && (base >= r.space.Y() || c.of != r.space.X()+base) {
			continue
		}
		for _, t := range c.texts {
			n, whole := wholeText(t.text)
			if _, number := numberOf(t.text); number && !whole {
				return t.fault("%q holds numbers that are not whole; cut points say how to divide them", param.Clip(v.Name))
			}
			text := t.text
			if numbers = numbers && whole; whole {
				text = strconv.Itoa(n)
			}
			if !seen[text] {
				seen[text], words = true, append(words, text)
			}
		}
	}
	if len(words) == 0 {
		return wholly("no row has a value of %q", param.Clip(v.Name))
	}
	slices.SortFunc(words, func(a, b string) int {
		if numbers {
			n, _ := strconv.Atoi(a)
			m, _ := strconv.Atoi(b)
			return n - m
		}
		return strings.Compare(a, b)
	})
	v.Size = len(words)
	if numbered := words[len(words)-1] == strconv.Itoa(len(words)-1) && words[0] == "0" && numbers; !numbered {
		v.Values = words
	}
	return nil
}

// value returns the value of a variable in a row, or −1 if it is missing.
func (r *logReader) value(row []int32, column int) int {
	if id := row[column]; id >= 0 {
		return r.columns[column].values[id]
	}
	return -1
}

// some returns the values of the variables in these columns of a row, and whether all are there.
func (r *logReader) some(row []int32, columns []int) ([]int, bool) {
	values := make([]int, len(columns))
	for k, c := range columns {
		if values[k] = r.value(row, c); values[k] < 0 {
			return nil, false
		}
	}
	return values, true
}

// columnsOf returns the columns of the variables from first to before last.
func (r *logReader) columnsOf(first, last int) []int {
	columns := []int{}
	for i := first; i < last; i++ {
		columns = append(columns, r.column(i))
	}
	return columns
}

// pairs reads a transition from each row.
func (r *logReader) pairs() {
	now, next := r.columnsOf(0, r.space.X()), r.columnsOf(r.space.X(), r.space.X()+r.space.Y())
	for _, row := range r.rows {
		x, ok := r.some(row, now)
		y, also := r.some(row, next)
		if !ok || !also {
			r.log.Refused++
			continue
		}
		r.log.Read++
		r.log.Transitions = append(r.log.Transitions, document.Transition{X: x, Y: y})
	}
}

// steps reads a transition from each two rows that follow each other in an episode.
func (r *logReader) steps() error {
	states, actions := r.columnsOf(0, r.space.Y()), r.columnsOf(r.space.Y(), r.space.X())
	ended, gaps := map[int32]bool{}, 0
	episode, at := int32(-1), 0 // of the row before
	var state, action []int     // of the row before; nil if they are missing
	open := false               // whether the row before has no action, which is right in the last row only
	for k, row := range r.rows {
		id := row[0]
		if row[0] < 0 || row[1] < 0 {
			r.log.Refused++
			state, open = nil, false
			continue
		}
		text := r.columns[1].texts[row[1]].text
		t, whole := wholeText(text)
		same := id == episode
		switch {
		case !whole:
			return r.places[k].fault("t is %q; it must be a whole number", param.Clip(text))
		case !same && ended[id]:
			return r.places[k].fault("the rows of the episode %q do not stand together", param.Clip(r.columns[0].texts[id].text))
		case same && t <= at:
			return r.places[k].fault("t does not grow within the episode %q", param.Clip(r.columns[0].texts[id].text))
		}
		if open && same {
			r.log.Refused++
			r.log.Read--
		}
		follows := same && t == at+1
		if same && !follows {
			gaps++
		}
		ended[id], episode, at = true, id, t
		now, ok := r.some(row, states)
		did, acted := r.some(row, actions)
		if ok && follows && state != nil && action != nil {
			r.log.Transitions = append(r.log.Transitions, document.Transition{X: append(slices.Clone(state), action...), Y: now})
		}
		state, action, open = now, did, ok && !acted
		if ok {
			r.log.Read++
		} else {
			r.log.Refused++
		}
	}
	if gaps > 0 {
		r.log.Notes = append(r.log.Notes, param.Count(gaps, "gap")+" in t within an episode, where no transition is known")
	}
	return nil
}

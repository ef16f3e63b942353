package results

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cpsrl/core/curve"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// Foreign holds the results of other programs, which were not computed here. They are drawn and
// compared beside ours. No receipt and no fingerprint covers them.
//
// A file of them is JSON Lines, with an object for each episode:
//
//	{"label":"ucrl","run":0,"episode":1,"regret":0.5}
//
// or CSV with the header label,run,episode,regret. In place of the regret there may be the return,
// in all lines of a file; and in JSON, in all lines of a label, a world: the fingerprint of the world of ours that lent itself to
// the program (package worlds). Regret and return are of that one episode, as in our records; curves sum them up. Runs
// are counted from 0, and the episodes of each label in each run are 1, 2, … in this order. Other
// lines may stand between them.
type Foreign struct {
	// Returns says that the values are what the episodes paid. Otherwise they are regrets.
	Returns bool

	runs   []curve.Run       // the values of the file, by label in the order of the file, then by run
	worlds map[string]string // by label, the fingerprint of the world of ours that it met, or ""
}

// Limits of a file of another program.
const (
	MostForeign = 8       // labels
	MostLabel   = 60      // bytes of a label
	mostRun     = 9_999   // as of ours
	mostEpisode = 100_000 // as of ours
	mostValues  = 4 << 20
	mostValue   = 1e12 // the largest absolute value: sums of as many as there may be can be drawn
)

// foreignMembers are the columns of CSV. The last is one of the two sorts of values.
var foreignMembers = []string{"label", "run", "episode", "regret", "return"}

// ForeignRecord is one line.
type ForeignRecord struct {
	Label   string   `json:"label"`
	Run     int      `json:"run"`
	Episode int      `json:"episode"`
	Regret  *float64 `json:"regret,omitzero"`
	Return  *float64 `json:"return,omitzero"`
	// World is the fingerprint of the world of ours that lent itself to the program, as [experiment.Experiment.World] has it, or "".
	World string `json:"world,omitempty"`
}

// ReadForeign reads a file of another program. An error in its contents is a *[strict.LineError].
func ReadForeign(r io.Reader) (*Foreign, error) {
	f := &foreignReader{lines: strict.NewLines(r), at: map[foreignRun]int{}, worlds: map[string]string{}}
	for {
		line, err := f.lines.Next(strict.MaxLine, false)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := f.read(bytes.TrimSpace(line)); err != nil {
			return nil, f.lines.Wrong(err)
		}
	}
	if len(f.runs) == 0 {
		return nil, &strict.LineError{Number: max(1, f.lines.Number()), Err: fmt.Errorf("the file holds no results; lines such as %s were expected", foreignExample)}
	}
	return &Foreign{f.returns, f.sorted(), f.worlds}, nil
}

// sorted returns the runs by label in the order of the file, then by run.
func (f *foreignReader) sorted() []curve.Run {
	runs := make([]curve.Run, 0, len(f.runs))
	for _, label := range f.labels {
		var of []int
		for _, r := range f.runs {
			if r.Agent == label {
				of = append(of, r.Run)
			}
		}
		slices.Sort(of)
		for _, run := range of {
			runs = append(runs, f.runs[f.at[foreignRun{label, run}]])
		}
	}
	return runs
}

const foreignExample = `{"label":"ucrl","run":0,"episode":1,"regret":0.5}`

type foreignRun struct {
	label string
	run   int
}

type foreignReader struct {
	lines   *strict.Lines
	columns int // of CSV; 0 for JSON Lines
	begun   bool
	kinded  bool // whether returns is known
	returns bool
	labels  []string
	runs    []curve.Run
	at      map[foreignRun]int // the place among runs
	values  int
	worlds  map[string]string
}

// read reads a line, which is not blank.
func (f *foreignReader) read(line []byte) error {
	first := !f.begun
	f.begun = true
	switch {
	case first && line[0] != '{':
		return f.header(string(line))
	case f.columns > 0:
		return f.row(string(line))
	}
	if first {
		members, err := strict.Object(line)
		if err != nil {
			return err
		}
		if raw, has := members["format"]; has {
			return strict.Invalid("/format", "the file is in the format %s; the results of another program are lines such as %s", param.Clip(string(raw)), foreignExample)
		}
	}
	var r ForeignRecord
	if err := strict.Decode(line, &r); err != nil {
		return err
	}
	return f.add(&r)
}

// header reads the first line of CSV.
func (f *foreignReader) header(line string) error {
	cells, err := csvCells(line)
	if err != nil {
		return err
	}
	n := len(cells)
	if n != 4 || !slices.Equal(cells[:3], foreignMembers[:3]) || !slices.Contains(foreignMembers[3:], cells[3]) {
		return fmt.Errorf("a line such as %s, or the header label,run,episode,regret or label,run,episode,return was expected, not %q", foreignExample, param.Clip(line))
	}
	f.columns, f.kinded, f.returns = n, true, cells[3] == kindOf(true)
	return nil
}

// row reads a row of CSV.
func (f *foreignReader) row(line string) error {
	cells, err := csvCells(line)
	if err != nil {
		return err
	}
	if len(cells) != f.columns {
		return fmt.Errorf("the row has %s, and the header %d", param.Count(len(cells), "cell"), f.columns)
	}
	r := ForeignRecord{Label: cells[0]}
	for k, into := range []*int{&r.Run, &r.Episode} {
		n, err := strconv.Atoi(cells[k+1])
		if err != nil {
			return fmt.Errorf("the %s %q is not a whole number%s", foreignMembers[k+1], param.Clip(cells[k+1]), param.Hint(cells[k+1], true))
		}
		*into = n
	}
	value, err := strconv.ParseFloat(cells[3], 64)
	if err != nil {
		return fmt.Errorf("the %s %q is not a number%s", f.kind(), param.Clip(cells[3]), param.Hint(cells[3], false))
	}
	if r.Regret = &value; f.returns {
		r.Regret, r.Return = nil, &value
	}
	return f.add(&r)
}

// kind returns the name of the values.
func (f *foreignReader) kind() string { return kindOf(f.returns) }

// kindOf returns the name of values that are returns, or else regrets.
func kindOf(returns bool) string {
	if returns {
		return foreignMembers[4]
	}
	return foreignMembers[3]
}

// add checks a line and adds its value.
func (f *foreignReader) add(r *ForeignRecord) error {
	value, returns := r.Regret, false
	if value == nil {
		value, returns = r.Return, true
	}
	switch {
	case r.Regret != nil && r.Return != nil:
		return fmt.Errorf("the line has both a regret and a return; a file has one of them")
	case value == nil:
		return fmt.Errorf("the line has neither a regret nor a return")
	case f.kinded && returns != f.returns:
		return fmt.Errorf("the line has no %s, which the lines before it have; a file has regrets or returns, not both", f.kind())
	}
	f.kinded, f.returns = true, returns
	if err := CheckLabel(r.Label); err != nil {
		return err
	}
	switch {
	case len(r.World) > MostLabel:
		return strict.Invalid("/world", "it has %d bytes, more than %d", len(r.World), MostLabel)
	case r.Run < 0 || r.Run > mostRun:
		return strict.Invalid("/run", "%d is out of range; it must be from 0 to %d", r.Run, mostRun)
	case !(math.Abs(*value) <= mostValue):
		return strict.Invalid("/"+f.kind(), "%v is out of range; it must be a number from %g to %g", *value, -mostValue, mostValue)
	}
	if world, met := f.worlds[r.Label]; !met {
		f.worlds[r.Label] = r.World
	} else if world != r.World {
		return strict.Invalid("/world", "the lines of %q before it have another world", r.Label)
	}
	key := foreignRun{r.Label, r.Run}
	at, known := f.at[key]
	if !known {
		if !slices.Contains(f.labels, r.Label) {
			if len(f.labels) == MostForeign {
				return fmt.Errorf("%q is one label too many; a file has at most %d", r.Label, MostForeign)
			}
			f.labels = append(f.labels, r.Label)
		}
		at = len(f.runs)
		f.runs, f.at[key] = append(f.runs, curve.Run{Agent: r.Label, Run: r.Run}), at
	}
	of := &f.runs[at]
	switch next := len(of.Values) + 1; {
	case next > mostEpisode:
		return fmt.Errorf("run %d of %q has more than %d episodes", r.Run, r.Label, mostEpisode)
	case r.Episode != next && r.Episode >= 1 && r.Episode < next:
		return fmt.Errorf("episode %d of %q in run %d is there already; episode %d is next", r.Episode, r.Label, r.Run, next)
	case r.Episode != next:
		return fmt.Errorf("episode %d of %q in run %d is out of order; episode %d is next", r.Episode, r.Label, r.Run, next)
	}
	if f.values++; f.values > mostValues {
		return fmt.Errorf("the file has more than %d lines of results", mostValues)
	}
	of.Values = append(of.Values, *value)
	return nil
}

// CheckLabel returns an error unless a text can be the label of a curve.
func CheckLabel(label string) error {
	unseen := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	switch {
	case label == "":
		return strict.Invalid("/label", "it is empty")
	case len(label) > MostLabel:
		return strict.Invalid("/label", "%q has %d bytes, more than %d", param.Clip(label), len(label), MostLabel)
	case strings.ContainsFunc(label, unseen), strings.TrimSpace(label) != label:
		return strict.Invalid("/label", "%q has spaces at an end, or characters that cannot be seen", param.Clip(label))
	}
	return nil
}

// csvCells splits a row of CSV.
func csvCells(line string) ([]string, error) {
	if !strings.Contains(line, `"`) {
		return strings.Split(line, ","), nil
	}
	cells, err := csv.NewReader(strings.NewReader(line)).Read()
	if err != nil {
		return nil, fmt.Errorf("the quotes of a cell do not match")
	}
	return cells, nil
}

// Labels returns the labels in the order of the file.
func (f *Foreign) Labels() (labels []string) {
	for _, r := range f.runs {
		if len(labels) == 0 || labels[len(labels)-1] != r.Agent {
			labels = append(labels, r.Agent)
		}
	}
	return labels
}

// Runs returns the number of runs of a label.
func (f *Foreign) Runs(label string) (n int) {
	for _, r := range f.runs {
		if r.Agent == label {
			n++
		}
	}
	return n
}

// World returns the fingerprint of the world of ours that the program of a label met, as [experiment.Experiment.World] has it,
// or "" if it met none.
func (f *Foreign) World(label string) string { return f.worlds[label] }

// RunCurves returns a measure in every run, by label in the order of the file, then by run. The
// regret of returns is optimum − return, where optimum is V_*(π_*) of all runs; if it is nil, it is not
// known. If the measure cannot be told, there are no curves, and [Foreign.Absent] says why.
func (f *Foreign) RunCurves(measure *Measure, optimum *float64) []curve.Run {
	if f.Absent(measure, optimum) != "" {
		return nil
	}
	list := slices.Clone(f.runs)
	for k := range list {
		values := make([]float64, len(list[k].Values))
		sum := 0.0
		for i, value := range list[k].Values {
			if f.Returns && measure.OfRegret {
				value = *optimum - value
			}
			values[i], _ = measure.Of(&record.Record{Valued: &record.Valued{Regret: value}, Return: value}, nil)
			if sum += values[i]; measure.Sums {
				values[i] = sum
			}
		}
		list[k].Values = values
	}
	return list
}

// Absent says in one sentence why the curves of another program have not a measure, or returns "".
func (f *Foreign) Absent(measure *Measure, optimum *float64) string {
	switch {
	case measure.OfReturn && f.Returns:
		return ""
	case !measure.OfRegret:
		return fmt.Sprintf("Another program tells only its %s, so it has no %s.", kindOf(f.Returns), measure.Axis)
	case f.Returns && optimum == nil:
		return "The regret of a return is V* less the return, but here each run has a true model and a V* of its own, or none is known, so returns of another program are not shown."
	}
	return ""
}

// ForeignName returns the name of a curve of another program, which no agent has.
func ForeignName(label string) string { return label + " (other program)" }

// FromReturns says how the regret of a file of returns is taken.
func FromReturns(optimum float64) string {
	return fmt.Sprintf("its regret is V* = %s less the return paid, which is noisier than the exact regret", digits(optimum))
}

// ConcludeForeign says in one sentence what the means of other programs show, or returns "".
func ConcludeForeign(curves []curve.Curve) string {
	var parts []string
	for _, c := range curves {
		parts = append(parts, fmt.Sprintf("%s %s (%s)", ForeignName(c.Agent), band(c.Last()), after(c.Last())))
	}
	if parts == nil {
		return ""
	}
	return "Means of other programs: " + strings.Join(parts, ", ") + "."
}

// ConcludeApart says in one sentence what the difference of two curves shows whose runs are not
// paired, of n runs and m runs. Without points it returns "".
func ConcludeApart(measure *Measure, agent, base string, n, m int, difference curve.Curve) string {
	if len(difference.Points) == 0 {
		return ""
	}
	r := difference.Last()
	over := fmt.Sprintf("%s and %s that are not paired", param.Count(n, "run"), param.Count(m, "run"))
	value, verdict := digits(r.Mean), ""
	if !math.IsNaN(r.Lo) {
		value, verdict = band(r), verdictOf(r)
	}
	return fmt.Sprintf("%s after %s, mean of %s minus mean of %s over %s: %s%s.", measure.Noun, param.Count(r.Episode, "episode"), agent, base, over, value, verdict)
}

// Optimum returns V_*(π_*) of all runs. It returns nil if each run has a true model of its own, if there are no records,
// or if they have none.
func (s *Summary) Optimum() *float64 {
	if !s.Experiment.SharesTruth() {
		return nil
	}
	for _, label := range s.Experiment.Spec().Agents {
		for run := range s.runs() {
			if p := s.plays[playKey{run, label}]; p != nil && p.valued {
				return &p.optimal
			}
		}
	}
	return nil
}

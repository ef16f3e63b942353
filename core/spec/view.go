package spec

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cpsrl/core/arm"
	"cpsrl/core/strict"
)

// View says how a page shows the experiment of a link. The zero value is the view of an
// experiment that has just been opened.
type View struct {
	Measure string   `json:"measure,omitzero"` // the key of a measure; absent: the first
	LogX    bool     `json:"logX,omitzero"`    // episodes are on a logarithmic axis
	LogY    bool     `json:"logY,omitzero"`    // values are on a logarithmic axis
	Band    Band     `json:"band,omitzero"`    // what the curves show of the runs; absent: their means with intervals
	Paired  bool     `json:"paired,omitzero"`  // the chart shows the difference of two agents by run instead of their curves
	Pair    []string `json:"pair,omitempty"`   // the labels of these two, of which the second is subtracted; absent: the page chooses
	Hidden  []string `json:"hidden,omitempty"` // labels of agents whose curves are hidden, in the order of the spec
	Watched *Watched `json:"watched,omitzero"` // what the stage shows; absent: it is closed
	Heading string   `json:"heading,omitzero"` // the figure's title, in place of its own; plain text
	Note    string   `json:"note,omitzero"`    // what is said above the figure; plain text
}

// The most characters of a heading and of a note.
const (
	MaxHeading = 80
	MaxNote    = 300
)

// Settle writes the labels of agents in their canonical form.
func (v *View) Settle() {
	for _, labels := range []*[]string{&v.Pair, &v.Hidden} {
		*labels = slices.Clone(*labels)
		for k, label := range *labels {
			(*labels)[k] = arm.Canonical(label)
		}
	}
	if v.Watched != nil {
		w := *v.Watched
		w.Agent = arm.Canonical(w.Agent)
		v.Watched = &w
	}
}

// Check says why the heading or the note of a view is refused. The error is a
// *[strict.InvalidError], whose place is a member of the view.
func (v *View) Check() error {
	if err := checkWords("heading", v.Heading, MaxHeading); err != nil {
		return err
	}
	return checkWords("note", v.Note, MaxNote)
}

// checkWords checks a text that other people read beside the figure: it is short, has only
// characters that are seen, and has single spaces between its words. The joiners of scripts
// and emoji count as seen; the marks that turn the direction of letters do not.
func checkWords(name, text string, most int) error {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' }
	switch n := utf8.RuneCountInString(text); {
	case !utf8.ValidString(text):
		return strict.Invalid("/"+name, "the %s is not UTF-8", name)
	case n > most:
		return strict.Invalid("/"+name, "the %s has %d characters, more than %d", name, n, most)
	case text != spaced(text):
		return strict.Invalid("/"+name, "the %s has white space other than single spaces between words", name)
	}
	if at := strings.IndexFunc(text, hidden); at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		return strict.Invalid("/"+name, "the %s has the character %U, which cannot be seen", name, r)
	}
	return nil
}

// spaced returns a text with single spaces between its words.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// Band is what a chart shows of the runs.
type Band string

const (
	Interval  Band = "interval"  // the mean and its 95% confidence interval; the default
	Quantiles Band = "quantiles" // the median, the middle half of the runs and their range
	EachRun   Band = "runs"      // a line for each run, and their mean
	Final     Band = "final"     // a dot for each run, at its last value, instead of curves
	Learned   Band = "learned"   // a dot for each run, at the number of episodes until the agent has learned
)

// Bands returns the bands as texts, the default first.
func Bands() []string {
	return []string{string(Interval), string(Quantiles), string(EachRun), string(Final), string(Learned)}
}

// Watched is a moment of one episode of one agent in one run.
type Watched struct {
	Agent   string `json:"agent,omitzero"` // its label; absent: the page chooses
	Run     int    `json:"run"`
	Episode int    `json:"episode"`         // from 1
	Moment  string `json:"moment,omitzero"` // "plan", "act" or "update"; absent: "sample"
}

// moments are the moments of an episode; the first is the default.
var moments = []string{"sample", "plan", "act", "update"}

// viewRow is a key of a link that belongs to the view. The function read reports whether
// it understood the text; write returns "" for the default.
type viewRow struct {
	key   string
	read  func(v *View, s *Spec, text string) bool
	write func(v *View) string
	early bool // it stands before the domain, because its text may end in a mark, which programs cut off from the end of a link
}

// viewRows holds the keys of the view in the order of a link.
var viewRows = []viewRow{
	wordRow("heading", func(v *View) *string { return &v.Heading }),
	wordRow("note", func(v *View) *string { return &v.Note }),
	{key: "measure", read: func(v *View, _ *Spec, text string) bool {
		v.Measure = text
		return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	}, write: func(v *View) string { return v.Measure }},
	{key: "log", read: func(v *View, _ *Spec, text string) bool {
		v.LogX, v.LogY = strings.HasPrefix(text, "x"), strings.HasSuffix(text, "y")
		return text == "x" || text == "y" || text == "x,y"
	}, write: func(v *View) string {
		var axes []string
		if v.LogX {
			axes = append(axes, "x")
		}
		if v.LogY {
			axes = append(axes, "y")
		}
		return strings.Join(axes, ",")
	}},
	{key: "band", read: func(v *View, _ *Spec, text string) bool {
		if v.Band = Band(text); v.Band == Interval {
			v.Band = ""
		}
		return slices.Contains(Bands(), text)
	}, write: func(v *View) string { return string(v.Band) }},
	{key: "paired", read: readPaired, write: func(v *View) string {
		switch {
		case !v.Paired:
			return ""
		case len(v.Pair) == 0:
			return "1"
		}
		return strings.Join(v.Pair, ",")
	}},
	{key: "hide", read: func(v *View, s *Spec, text string) bool {
		labels := agentsOf(text)
		for _, label := range s.Agents {
			if slices.Contains(labels, label) {
				v.Hidden = append(v.Hidden, label)
			}
		}
		return len(v.Hidden) == len(labels)
	}, write: func(v *View) string { return strings.Join(v.Hidden, ",") }},
	{key: "watch", read: readWatched, write: writeWatched},
}

// wordRow is the row of a plain text, which Check must allow. Programs may have changed the white
// space between its words.
func wordRow(key string, of func(v *View) *string) viewRow {
	return viewRow{key: key, early: true, read: func(v *View, _ *Spec, text string) bool {
		words := spaced(text)
		*of(v) = words
		return words != "" && v.Check() == nil
	}, write: func(v *View) string { return *of(v) }}
}

// agentsOf returns the canonical labels of a list of agents.
func agentsOf(text string) []string {
	labels := arm.Split(text)
	for k, label := range labels {
		labels[k] = arm.Canonical(label)
	}
	return labels
}

// readPaired reads 1 or AGENT,BASE, two of the spec's agents.
func readPaired(v *View, s *Spec, text string) bool {
	v.Paired = true
	if text == "1" {
		return true
	}
	v.Pair = agentsOf(text)
	none := func(label string) bool { return !slices.Contains(s.Agents, label) }
	return len(v.Pair) == 2 && v.Pair[0] != v.Pair[1] && !slices.ContainsFunc(v.Pair, none)
}

// readWatched reads RUN,EPISODE or RUN,EPISODE,MOMENT or RUN,EPISODE,MOMENT,AGENT.
func readWatched(v *View, s *Spec, text string) bool {
	parts := strings.SplitN(text, ",", 4) // the label of an agent may contain commas
	if len(parts) < 2 {
		return false
	}
	number := func(text string, low, high int) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && low <= n && n <= high && strconv.Itoa(n) == text
	}
	run, ok1 := number(parts[0], s.FirstRun, s.FirstRun+s.Runs-1)
	episode, ok2 := number(parts[1], 1, s.Episodes)
	w := &Watched{Run: run, Episode: episode}
	if len(parts) > 2 && parts[2] != moments[0] {
		w.Moment = parts[2]
	}
	if len(parts) > 3 {
		w.Agent = arm.Canonical(parts[3])
	}
	v.Watched = w
	return ok1 && ok2 && (w.Moment == "" || slices.Contains(moments, w.Moment)) && (len(parts) < 4 || slices.Contains(s.Agents, w.Agent))
}

func writeWatched(v *View) string {
	w := v.Watched
	if w == nil {
		return ""
	}
	parts := []string{strconv.Itoa(w.Run), strconv.Itoa(w.Episode)}
	if w.Moment != "" || w.Agent != "" {
		moment := w.Moment
		if moment == "" {
			moment = moments[0]
		}
		parts = append(parts, moment)
	}
	if w.Agent != "" {
		parts = append(parts, w.Agent)
	}
	return strings.Join(parts, ",")
}

// takeView reads the view of a link from its values. It deletes the values that it
// understands; this version does not know the others. The spec is complete.
func takeView(s *Spec, values map[string]linkValue) View {
	var view View
	for _, row := range viewRows {
		read := view
		if value, ok := values[row.key]; ok && row.read(&read, s, value.text) {
			view = read
			delete(values, row.key)
		}
	}
	return view
}

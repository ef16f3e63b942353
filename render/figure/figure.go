// Package figure turns results into figures: the curves of a measure, with the names and the
// looks of their agents, in the charts of package chart. The command, the engine and the site
// draw the same ones.
package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/core/arm"
	"cpsrl/core/curve"
	"cpsrl/core/param"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/render"
	"cpsrl/render/chart"
)

// Chart describes a figure: curves of one measure, with the names and looks of their
// agents. Sizes are in CSS px; a size of 0 stands for that of a figure in a paper.
type Chart struct {
	Measure  string       `json:"measure"`
	Lines    []Line       `json:"lines"`
	Dots     spec.Band    `json:"dots,omitzero"`     // "final" or "learned": each point is a run
	Others   []string     `json:"others,omitempty"`  // the labels of all curves of other programs, in order; each has its look by its place here; absent: those of the lines
	Agents   []string     `json:"agents,omitempty"`  // all agents of the experiment, in order; agents of the same look are told apart by their place here; absent: the agents of the lines
	Episodes int          `json:"episodes,omitzero"` // the last episode on the axis; absent: the last one of the lines
	LogX     bool         `json:"logX,omitzero"`
	LogY     bool         `json:"logY,omitzero"`
	Whole    bool         `json:"whole,omitzero"`    // the axis shows every interval, however wide
	Nameless bool         `json:"nameless,omitzero"` // the ends of the curves have no names
	Title    string       `json:"title,omitzero"`
	Notes    []chart.Note `json:"notes,omitempty"` // paragraphs below the plot; the first also says what is cut off
	Theme    render.Theme `json:"theme,omitzero"`  // absent: light
	Inline   bool         `json:"inline,omitzero"` // the SVG is a part of a page instead of a document
	Width    float64      `json:"width,omitzero"`
	Height   float64      `json:"height,omitzero"`
	Type     float64      `json:"type,omitzero"` // the size of the type
}

// Line is a curve. A point is [episode, mean], [episode, mean, lo, hi] with an interval, or
// [episode, median, lo, hi, least, greatest] with the range of the runs. The episodes
// ascend. In a figure of dots a point is [run, value] with runs counted from 1. The value
// is the last one, or the number of episodes until the agent has learned, 0 if it has not.
type Line struct {
	Agent string `json:"agent,omitempty"`
	Base  string `json:"base,omitempty"` // for a difference agent − base
	// Foreign is the label of a curve of another program, in place of the agent.
	Foreign string `json:"foreign,omitempty"`
	Name    string `json:"name,omitempty"` // absent: the name of the agent, or the names of agent and base
	Mark    string `json:"mark,omitempty"` // for a ghost, a thin line behind the others
	Run     *int   `json:"run,omitzero"`   // for the line of a single run, which is thin and has no name
	Apart   bool   `json:"apart,omitzero"` // looks like no other line, although another may be of the same agent
	Points  Points `json:"points"`
}

// Points are those of a line. They are written as arrays of numbers.
type Points []curve.Point

// UnmarshalJSON implements json.Unmarshaler.
func (points *Points) UnmarshalJSON(data []byte) error {
	var list [][]float64
	if err := strict.Decode(data, &list); err != nil {
		return err
	}
	*points = nil
	for _, p := range list {
		point := curve.Point{Lo: math.NaN(), Hi: math.NaN()}
		switch len(p) {
		case 6:
			point.Least, point.Greatest = p[4], p[5]
			fallthrough
		case 4:
			point.Lo, point.Hi = p[2], p[3]
			fallthrough
		case 2:
			if point.Episode, point.Mean = int(p[0]), p[1]; float64(point.Episode) != p[0] {
				point.Episode = 0 // which check refuses
			}
		default:
			point.Mean = math.NaN() // which check refuses
		}
		*points = append(*points, point)
	}
	return nil
}

// check refuses points that cannot be drawn.
func (points Points) check() error {
	large := func(v float64) bool { return !(math.Abs(v) <= chart.Most) }
	for k, p := range points {
		place := fmt.Sprintf("/%d", k)
		interval := !math.IsNaN(p.Lo) || !math.IsNaN(p.Hi)
		switch {
		case large(p.Mean), large(p.Least), large(p.Greatest), interval && (large(p.Lo) || large(p.Hi)):
			return strict.Invalid(place, "[episode, mean] or [episode, mean, lo, hi] or [episode, median, lo, hi, least, greatest] was expected, of numbers from %g to %g", -chart.Most, chart.Most)
		case p.Episode < 1 || p.Episode > mostEpisodes || k > 0 && p.Episode <= points[k-1].Episode:
			return strict.Invalid(place, "the episodes must be whole numbers from 1 on, each larger than the one before")
		case p.Least > p.Greatest:
			return strict.Invalid(place, "the range must begin below its end")
		case p.Lo > p.Hi:
			return strict.Invalid(place, "the interval must begin below its end")
		}
	}
	if len(points) == 0 {
		return strict.Invalid("", "a point was expected")
	}
	return nil
}

// Limits of a picture.
const (
	leastSize    = 100.0 // CSS px
	mostSize     = 4000.0
	leastType    = 6.0
	mostType     = 60.0
	mostEpisodes = 1 << 30
)

// MostName is the length of the longest name of a line in bytes.
const MostName = 200

// CheckLook checks a theme, a width, a height and a size of type. Each may be zero, which stands for the default. The
// error is a *[strict.InvalidError] whose place is the member's.
func CheckLook(theme render.Theme, width, height, letters float64) error {
	if !slices.Contains([]render.Theme{"", render.Light, render.Dark, render.Page}, theme) {
		return strict.Invalid("/theme", "there is no theme %q", param.Clip(string(theme)))
	}
	for _, size := range []struct {
		place              string
		value, least, most float64
	}{{"/width", width, leastSize, mostSize}, {"/height", height, leastSize, mostSize}, {"/type", letters, leastType, mostType}} {
		if size.value != 0 && !(size.value >= size.least && size.value <= size.most) {
			return strict.Invalid(size.place, "it must be from %v to %v", size.least, size.most)
		}
	}
	return nil
}

// Draw returns the figure with the names and looks of its agents. The error names the place at
// fault.
func (c *Chart) Draw() (*chart.Chart, error) {
	measure, ok := results.LookupMeasure(c.Measure)
	if !ok {
		return nil, strict.Invalid("/measure", "there is no measure %q", param.Clip(c.Measure))
	}
	if err := CheckLook(c.Theme, c.Width, c.Height, c.Type); err != nil {
		return nil, err
	}
	if c.Episodes < 0 || c.Episodes > mostEpisodes {
		return nil, strict.Invalid("/episodes", "it must not be negative, nor above %d", mostEpisodes)
	}
	if c.Dots != "" && c.Dots != spec.Final && c.Dots != spec.Learned {
		return nil, strict.Invalid("/dots", "dots are final or learned, not %q", param.Clip(string(c.Dots)))
	}
	if len(c.Lines) == 0 {
		return nil, strict.Invalid("/lines", "a line was expected")
	}
	figure := &chart.Chart{
		Title: c.Title, X: "episode k", Y: measure.Axis, Most: measure.Most, Signed: measure.Signed, Episodes: c.Episodes,
		LogX: c.LogX, LogY: c.LogY, Whole: c.Whole, Nameless: c.Nameless, Notes: c.Notes, Theme: c.Theme, Width: c.Width, Height: c.Height, Type: c.Type,
	}
	if c.LogX {
		figure.X += " (log)"
	}
	difference := false
	labels, lines, others := canonical(c.Agents), slices.Clone(c.Lines), slices.Clone(c.Others)
	for k := range lines {
		lines[k].Agent, lines[k].Base = arm.Canonical(lines[k].Agent), arm.Canonical(lines[k].Base)
	}
	for _, line := range lines {
		switch {
		case line.Foreign == "":
			labels = append(labels, line.Agent)
		case !slices.Contains(others, line.Foreign):
			others = append(others, line.Foreign)
		}
	}
	looks, foreign := arm.Looks(labels), arm.Foreign(len(others))
	if len(c.Agents) > 0 {
		figure.Dashes = map[string][]float64{}
		for label, look := range looks {
			figure.Dashes[label] = look.Dash
		}
		for k, label := range others {
			figure.Dashes[results.ForeignName(label)] = foreign[k].Dash
		}
	}
	apart := 0
	for _, line := range lines {
		if line.Apart {
			apart++
		}
	}
	spare := arm.Apart(looks, apart)
	for k := range lines {
		line := &lines[k]
		look := looks[line.Agent]
		switch {
		case line.Apart:
			look, spare = spare[0], spare[1:]
		case line.Foreign != "":
			look = foreign[slices.Index(others, line.Foreign)]
			// Regrets of returns may be negative.
			figure.Signed = figure.Signed || slices.ContainsFunc(line.Points, func(p curve.Point) bool { return p.Mean < 0 })
		}
		curve, err := line.curve(look)
		if err != nil {
			return nil, strict.Within(fmt.Sprintf("/lines/%d", k), err)
		}
		difference = difference || line.Base != ""
		figure.Curves = append(figure.Curves, curve)
	}
	if difference {
		figure.Whole, figure.Most, figure.Signed, figure.Y = true, 0, true, figure.Y+", difference"
	}
	if difference && c.LogY {
		return nil, strict.Invalid("/logY", "a difference may be negative, and a logarithmic axis has no place for it")
	}
	if c.Dots != "" {
		c.dots(figure)
	}
	return figure, nil
}

// canonical returns the canonical labels.
func canonical(labels []string) []string {
	list := make([]string, len(labels))
	for k, label := range labels {
		list[k] = arm.Canonical(label)
	}
	return list
}

// dots turns the figure into one of dots.
func (c *Chart) dots(figure *chart.Chart) {
	figure.Dots, figure.LogX, figure.LogY = true, c.LogY, false
	figure.X, figure.Y = figure.Y+" after the last episode", "a dot for each run, a bar for the median"
	if c.Dots == spec.Final {
		figure.Episodes = 0
	} else {
		figure.X, figure.LogX, figure.Most, figure.Signed, figure.None = "episodes until learned", c.LogX, 0, false, "not yet"
		for k := range figure.Curves {
			points := slices.Clone(figure.Curves[k].Points)
			for k := range points {
				if points[k].Mean == 0 {
					points[k].Mean = math.NaN()
				}
			}
			figure.Curves[k].Points = points
		}
	}
	if figure.LogX {
		figure.X += " (log)"
	}
}

// curve returns the line with its agent's name and this look.
func (l *Line) curve(look arm.Look) (c chart.Curve, err error) {
	if l.Foreign != "" {
		return l.foreign(look)
	}
	of, err := arm.Parse(l.Agent)
	if err != nil {
		return c, strict.Invalid("/agent", "%v", err)
	}
	if l.Run != nil && *l.Run < 0 {
		return c, strict.Invalid("/run", "it must not be negative")
	}
	c = chart.Curve{Row: l.Agent, Mark: l.Mark, Run: l.Run != nil, Color: render.Color(look.Color), Dash: look.Dash}
	c.Name, c.Short = of.Names()
	if l.Base != "" {
		base, err := arm.Parse(l.Base)
		if err != nil {
			return c, strict.Invalid("/base", "%v", err)
		}
		c.Row, c.Name, c.Short = l.Agent+" "+l.Base, c.Name+" − "+base.Name(), "Difference"
	}
	switch {
	case len(l.Name) > MostName:
		return c, strict.Invalid("/name", "it is longer than %d bytes", MostName)
	case l.Name != "":
		c.Row, c.Name = c.Row+" "+l.Name, l.Name
		// Where there is little room, what differs is the name.
		if _, differs, ok := strings.Cut(l.Name, ", "); ok && l.Base == "" {
			c.Short = differs
		}
	}
	c.Points = l.Points
	return c, strict.Within("/points", l.Points.check())
}

// foreign returns the line of another program with this look.
func (l *Line) foreign(look arm.Look) (c chart.Curve, err error) {
	switch {
	case l.Agent != "" || l.Base != "" || l.Mark != "" || l.Apart:
		return c, strict.Invalid("/foreign", "a line of another program has no agent, base, mark or look of its own")
	case len(l.Foreign) > results.MostLabel:
		return c, strict.Invalid("/foreign", "it is longer than %d bytes", results.MostLabel)
	}
	name := results.ForeignName(l.Foreign)
	c = chart.Curve{Row: name, Foreign: true, Run: l.Run != nil, Color: render.Color(look.Color), Dash: look.Dash, Points: l.Points}
	c.Name, c.Short = strings.ReplaceAll(name, "_", " "), strings.ReplaceAll(l.Foreign, "_", " ")+" (other)" // underscores stand for subscripts
	return c, strict.Within("/points", l.Points.check())
}

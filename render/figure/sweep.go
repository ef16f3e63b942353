package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/core/arm"
	"cpsrl/core/curve"
	"cpsrl/core/export"
	"cpsrl/render"
	"cpsrl/render/chart"
)

// MostPanels is the largest number of panels of a figure.
const MostPanels = 36

// OfSweep returns the figure of a sweep by the column x: curves by agent with their intervals, and a panel for each
// combination of what else varies. With a column y that is not -1 it is a heat map of the two, and each agent has
// panels of its own. The error is one sentence.
func OfSweep(t *export.SweepTable, x, y int) (*chart.Panels, error) {
	columns := t.Sweep.Columns()
	c := &chart.Panels{X: t.Sweep.Title(x), Y: t.Measure.Axis, Most: t.Measure.Most, Signed: t.Measure.Signed}
	if y >= 0 {
		if t.Sweep.Entry(x) == t.Sweep.Entry(y) {
			return nil, fmt.Errorf("%s and %s vary together; a heat map needs two fields that do not", columns[x], columns[y])
		}
		c.Y, c.Z = t.Sweep.Title(y), t.Measure.Axis
	}
	var rest []int // the columns that tell panels apart
	for k := range columns {
		if t.Sweep.Entry(k) != t.Sweep.Entry(x) && (y < 0 || t.Sweep.Entry(k) != t.Sweep.Entry(y)) {
			rest = append(rest, k)
		}
	}
	place := func(list *[]string, text string) int {
		at := slices.Index(*list, text)
		if at < 0 {
			at, *list = len(*list), append(*list, text)
		}
		return at
	}
	has := map[string]bool{} // the agents that have the measure
	for _, r := range t.Rows {
		has[r.Agent] = has[r.Agent] || r.Point.N > 0
	}
	var panels, agents []string
	type cell struct {
		panel, series, tick int
		of                  curve.Point
	}
	var cells []cell
	for _, r := range t.Rows {
		if !has[r.Agent] {
			continue
		}
		for _, v := range []float64{r.Point.Mean, r.Point.Lo, r.Point.Hi} {
			if math.Abs(v) > chart.Most {
				return nil, fmt.Errorf("numbers from %g to %g can be drawn", -chart.Most, chart.Most)
			}
		}
		var words []string
		for _, k := range rest {
			words = append(words, t.Sweep.Short(k)+" = "+r.Setting.Texts[k])
		}
		series := 0
		if y >= 0 {
			a, err := arm.Parse(r.Agent)
			if err != nil {
				return nil, err
			}
			words = append([]string{a.Name()}, words...)
			series = place(&c.Rows, r.Setting.Texts[y])
		} else {
			series = place(&agents, r.Agent)
		}
		cells = append(cells, cell{place(&panels, strings.Join(words, ", ")), series, place(&c.Ticks, r.Setting.Texts[x]), r.Point})
	}
	if len(cells) == 0 {
		return nil, fmt.Errorf("there is no %s to show: no record has it%s", t.Measure.Axis, t.Measure.Ask())
	}
	if len(panels) > MostPanels {
		return nil, fmt.Errorf("the figure would have %d panels, more than %d; fewer fields or values were expected", len(panels), MostPanels)
	}
	rows := len(agents)
	if y >= 0 {
		rows = len(c.Rows)
	}
	for _, title := range panels {
		p := chart.Panel{Title: title}
		for range rows {
			p.Points = append(p.Points, make([]curve.Point, len(c.Ticks)))
		}
		c.Panels = append(c.Panels, p)
	}
	least, most := math.MaxInt, 0
	for _, v := range cells {
		c.Panels[v.panel].Points[v.series][v.tick] = v.of
		if v.of.N > 0 {
			least, most = min(least, v.of.N), max(most, v.of.N)
		}
	}
	looks := arm.Looks(agents)
	for _, label := range agents {
		a, err := arm.Parse(label)
		if err != nil {
			return nil, err
		}
		c.Series = append(c.Series, chart.Series{Name: a.Name(), Color: render.Color(looks[label].Color), Dash: looks[label].Dash})
	}
	n := fmt.Sprintf("n = %d", most)
	if least < most {
		n = fmt.Sprintf("n = %d to %d", least, most)
	}
	how := fmt.Sprintf("Dots are means over runs, %s; bars are 95%% confidence intervals, mean ± t(0.975, n − 1)·s/√n (Student’s t).", n)
	switch {
	case y >= 0:
		how = fmt.Sprintf("Cells are means over runs, %s.", n)
	case most == 1:
		how = "Dots are single runs, n = 1, hence no bars."
	}
	how = fmt.Sprintf("After the last episode. %s %s", how, t.Measure.Definition)
	if t.Missing > 0 {
		how += fmt.Sprintf(" Incomplete: %d of %d settings are not there.", t.Missing, t.Sweep.Len())
	}
	if t.Impossible > 0 {
		how += fmt.Sprintf(" Left out: %d of %d settings cannot run.", t.Impossible, t.Sweep.Len())
	}
	c.Notes = []chart.Note{{Text: fmt.Sprintf("%s Sweep %.12s, engine %d.", how, t.Sweep.Digest(), t.Engine)}}
	return c, nil
}

package main

import (
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot/vg"

	"cpsrl/core/agent"
	"cpsrl/core/experiment"
)

// figure is a chart as plain data.
type figure struct {
	title, x, y string
	most        float64 // the largest y to show; 0 for what the curves need
	curves      []curve
	caption     string
}

// curve is the mean of one agent with its band.
type curve struct {
	name string
	look look
	rows []experiment.Row
}

// look is how an agent's curve is drawn.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
}

// lookOf returns the look of an agent. Its dashes are for a line of width 2, and
// curves have 1.5 points.
func lookOf(arm agent.Arm) look {
	of := arm.Look()
	l := look{color: color.NRGBA{A: 0xff}}
	if _, err := fmt.Sscanf(of.Color, "#%02x%02x%02x", &l.color.R, &l.color.G, &l.color.B); err != nil {
		panic("cpsrl: the agent " + arm.Label() + " has the colour " + of.Color)
	}
	for _, length := range of.Dash {
		l.dashes = append(l.dashes, vg.Length(0.75*length))
	}
	return l
}

// figure returns the chart of a measure.
func (r *results) figure(of *experiment.Measure) (*figure, error) {
	rows, err := r.rows(of)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, badf(r.name, "the file holds no records; there is nothing to draw")
	}
	f := &figure{title: r.Title(), x: "episode k", y: of.Axis, most: of.Most}
	for k, arm := range r.Arms() {
		c := curve{name: arm.Name(), look: lookOf(arm)}
		for _, row := range rows {
			if row.Agent == r.Spec().Agents[k] {
				c.rows = append(c.rows, row)
			}
		}
		if len(c.rows) > 0 {
			f.curves = append(f.curves, c)
		}
	}
	least, most := rows[0].N, rows[0].N
	for _, row := range rows {
		least, most = min(least, row.N), max(most, row.N)
	}
	f.caption = strings.Join([]string{
		captionOfRuns(least, most), of.Definition,
		fmt.Sprintf("Seed %d, engine %d, fingerprint %.12s.", r.Spec().Seed, r.Engine, r.Fingerprint),
	}, " ")
	return f, nil
}

// captionOfRuns says what curve and band are, for n from least to most.
func captionOfRuns(least, most int) string {
	n := fmt.Sprintf("n = %d", most)
	if least < most {
		n = fmt.Sprintf("n = %d to %d", least, most)
	}
	if most == 1 {
		return "A single run, n = 1, hence no bands."
	}
	return fmt.Sprintf("Lines are means over %s runs; bands are 95%% confidence intervals, mean ± t(0.975, n − 1)·s/√n (Student’s t).", n)
}

package main

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
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

// look is how an agent's curve is drawn: the algorithm has a colour that passes
// 3:1 on white (Okabe and Ito's palette), and colour is never alone.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
}

var (
	vermilion = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}
	blue      = color.NRGBA{0x00, 0x72, 0xb2, 0xff}
	green     = color.NRGBA{0x00, 0x9e, 0x73, 0xff}
	purple    = color.NRGBA{0xcc, 0x79, 0xa7, 0xff}

	dashed    = []vg.Length{5, 2.5}
	dashDot   = []vg.Length{6, 2, 1.2, 2}
	dotted    = []vg.Length{1.2, 1.8}
	longDash  = []vg.Length{9, 2.5}
	dashDots  = []vg.Length{6, 2, 1.2, 2, 1.2, 2}
	shortDash = []vg.Length{3, 2}
)

// looks returns how each agent's curve is drawn. C-PSRL at several degrees of
// prior knowledge grows darker with the degree.
func looks(labels []string) []look {
	list := make([]look, len(labels))
	greens := 0
	for k, label := range labels {
		a, _ := record.ParseAgent(label)
		switch {
		case a.Algorithm == "psrl":
			list[k] = look{vermilion, nil}
		case a.Prior:
			list[k] = look{purple, longDash}
		case a.Algorithm == "f-psrl":
			list[k] = look{blue, dashed}
		default:
			patterns := [][]vg.Length{dashDot, dotted, shortDash, dashDots, longDash, nil}
			list[k] = look{darker(green, 0.22*float64(min(greens, 3))), patterns[greens%len(patterns)]}
			greens++
		}
	}
	return list
}

// darker mixes c with black.
func darker(c color.NRGBA, part float64) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(float64(v) * (1 - part))) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), c.A}
}

// measures says how the axis of a measure reads in a figure.
var measures = map[experiment.Measure]struct {
	y    string
	most float64
}{
	experiment.CumulativeRegret: {"cumulative regret", 0},
	experiment.Regret:           {"regret of an episode", 0},
	experiment.ModelError:       {"model error", 0},
	experiment.Recall:           {"recall of the sampled graph", 1},
	experiment.Precision:        {"precision of the sampled graph", 1},
	experiment.Parents:          {"parents per variable", 0},
}

// figure returns the chart of a measure.
func (r *results) figure(of experiment.Measure) (*figure, error) {
	rows, err := r.rows(of)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, badf(r.name, "the file holds no records; there is nothing to draw")
	}
	m := measures[of]
	f := &figure{title: export.Title(&r.Header.Spec), x: "episode k", y: m.y, most: m.most}
	for k, l := range looks(r.Header.Spec.Agents) {
		c := curve{name: experiment.AgentName(r.Header.Spec.Agents[k]), look: l}
		for _, row := range rows {
			if row.Agent == r.Header.Spec.Agents[k] {
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
		captionOfRuns(least, most), of.Definition(),
		fmt.Sprintf("Seed %d, engine %d, fingerprint %.12s.", r.Header.Spec.Seed, r.Header.Engine, r.Fingerprint),
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

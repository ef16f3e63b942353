package main

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"cpsrl/core/experiment"
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

// measures says how a measure reads in a figure.
var measures = map[experiment.Measure]struct {
	y, formula string
	most       float64
}{
	experiment.CumulativeRegret: {"cumulative regret", "Cumulative regret is V_*(π_*) − V_*(π_l) summed over the episodes l ≤ k, exact by dynamic programming.", 0},
	experiment.Regret:           {"regret of an episode", "Regret is V_*(π_*) − V_*(π_k), exact by dynamic programming.", 0},
	experiment.ModelError:       {"model error", "Model error is the mean over x of the ℓ_1 distance of p_*(·|x) and p_k(·|x), over joint next states.", 0},
	experiment.Recall:           {"recall of the sampled graph", "Recall is the share of the edges of z_* that are in the sampled graph z_k.", 1},
	experiment.Precision:        {"precision of the sampled graph", "Precision is the share of the edges of the sampled graph z_k that are in z_*.", 1},
	experiment.Parents:          {"parents per variable", "Parents are counted in the sampled graph z_k and averaged over its variables.", 0},
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
	f := &figure{title: title(&r.header.Spec), x: "episode k", y: m.y, most: m.most}
	for k, l := range looks(r.header.Spec.Agents) {
		c := curve{name: experiment.AgentName(r.header.Spec.Agents[k]), look: l}
		for _, row := range rows {
			if row.Agent == r.header.Spec.Agents[k] {
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
		captionOfRuns(least, most), m.formula,
		fmt.Sprintf("Seed %d, engine %d, fingerprint %.12s.", r.header.Spec.Seed, r.header.Engine, r.fingerprint),
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

// title names the problem and its parameters.
func title(s *record.Spec) string {
	d := &s.Domain
	parameters := fmt.Sprintf("Z = %d, H = %d", s.Sparseness, d.Horizon)
	if slices.Contains(s.Agents, "c-psrl") || slices.Contains(s.Agents, "f-psrl:graph=prior") {
		if problem, err := experiment.Problem(s, s.FirstRun); err == nil {
			eta := problem.Prior(record.Agent{Eta: -1}).Degree()
			parameters = fmt.Sprintf("η = %d, %s", eta, parameters)
		}
	}
	switch d.Name {
	case "random-fmdp":
		return fmt.Sprintf("Random FMDP: d_X = %d, d_Y = %d, N = %d, %s",
			d.StateVariables+d.ActionVariables, d.StateVariables, d.Values, parameters)
	case "taxi":
		return fmt.Sprintf("Taxi %s: %s", strings.ReplaceAll(d.Grid, "x", "×"), parameters)
	case "figure1":
		return "The example of Figure 1: " + parameters
	}
	name := "A model"
	if m, err := record.DecodeModel(d.Model); err == nil && m.Name != "" {
		name = strings.ReplaceAll(m.Name, "_", " ") // no subscripts here
	}
	return name + ": " + parameters
}

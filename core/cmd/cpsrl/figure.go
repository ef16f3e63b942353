package main

import (
	"fmt"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/render"
	"cpsrl/render/chart"
)

// chart returns the figure of a measure.
func (r *results) chart(of *experiment.Measure) (*chart.Chart, error) {
	rows, err := r.rows(of)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, badf(r.name, "the file holds no records; there is nothing to draw")
	}
	c := &chart.Chart{Title: r.Title(), X: "episode k", Y: of.Axis, Most: of.Most}
	for k, arm := range r.Arms() {
		look := arm.Look()
		curve := chart.Curve{Name: arm.Name(), Color: render.Color(look.Color), Dash: look.Dash}
		for _, row := range rows {
			if row.Agent == r.Spec().Agents[k] {
				curve.Points = append(curve.Points, chart.Point{Episode: row.Episode, Mean: row.Mean, Lo: row.Lo, Hi: row.Hi})
			}
		}
		if len(curve.Points) > 0 {
			c.Curves = append(c.Curves, curve)
		}
	}
	least, most := rows[0].N, rows[0].N
	for _, row := range rows {
		least, most = min(least, row.N), max(most, row.N)
	}
	c.Caption = strings.Join([]string{
		captionOfRuns(least, most), of.Definition,
		fmt.Sprintf("Seed %d, engine %d, fingerprint %.12s.", r.Spec().Seed, r.Engine, r.Fingerprint),
	}, " ")
	return c, nil
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

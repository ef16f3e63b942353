package main

import (
	"fmt"

	"cpsrl/core/engine"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/render"
)

// figure draws a measure.
func (r *results) figure(of *experiment.Measure) (*render.Picture, error) {
	rows, err := r.rows(of)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, badf(r.name, "the file holds no records; there is nothing to draw")
	}
	c := &engine.Chart{Title: r.Title(), Measure: of.Key, Whole: true, Agents: r.Spec().Agents}
	for rows := range experiment.Curves(rows) {
		var episodes []int
		for _, row := range rows {
			episodes = append(episodes, row.Episode)
		}
		c.Lines = append(c.Lines, engine.NewLine(export.NewSeries(of, "", rows), episodes))
	}
	least, most := rows[0].N, rows[0].N
	for _, row := range rows {
		least, most = min(least, row.N), max(most, row.N)
	}
	leak := ""
	if r.Leaks() {
		leak = " Rewards are known and on the true parents, so that they tell of the graph."
	}
	c.Notes = []engine.Note{{Text: fmt.Sprintf("%s %s%s Seed %d, engine %d, fingerprint %.12s.",
		captionOfRuns(least, most), of.Definition, leak, r.Spec().Seed, r.Engine, r.Fingerprint)}}
	return c.Picture()
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

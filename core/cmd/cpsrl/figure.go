package main

import (
	"fmt"
	"math"

	"cpsrl/core/engine"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/spec"
)

// figure returns the figure of a measure, with a band of the runs.
func (r *results) figure(of *experiment.Measure, band spec.Band) (*engine.Chart, error) {
	rows, err := r.rows(of)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, badf(r.name, "the file holds no records; there is nothing to draw")
	}
	c := &engine.Chart{Title: r.Title(), Measure: of.Key, Whole: true, Agents: r.Spec().Agents}
	var drawn int
	c.Lines, drawn = engine.NewLines(&r.Results, of, band)
	if band == spec.Final || band == spec.Learned {
		c.Dots, c.Episodes = band, r.Spec().Episodes
	}
	least, most := math.MaxInt, 0
	if c.Dots != "" {
		for _, line := range c.Lines {
			least, most = min(least, len(line.Points)), max(most, len(line.Points))
		}
	} else {
		for _, row := range rows {
			least, most = min(least, row.N), max(most, row.N)
		}
	}
	if most == 0 {
		return nil, badf(r.name, "no run is whole; there is nothing to draw")
	}
	more := ""
	if r.Leaks() {
		more = " Known rewards depend on the true parents, so they tell about the graph."
	}
	if n := r.Added(); n < r.Records() {
		more += fmt.Sprintf(" Incomplete: %d of %d records.", n, r.Records())
	}
	c.Notes = []engine.Note{{Text: fmt.Sprintf("%s %s%s Seed %d, engine %d, fingerprint %.12s.",
		r.captionOfRuns(band, least, most, drawn), of.Definition, more, r.Spec().Seed, r.Engine, r.Fingerprint)}}
	return c, nil
}

// captionOfRuns describes the curves and bands of least to most runs. If not every run has
// a line, drawn is the number of those that have.
func (r *results) captionOfRuns(band spec.Band, least, most, drawn int) string {
	n := fmt.Sprintf("n = %d", most)
	if least < most {
		n = fmt.Sprintf("n = %d to %d", least, most)
	}
	switch {
	case band == spec.Final:
		return fmt.Sprintf("Each dot is a run, %s, after its last episode; bars are medians.", n)
	case band == spec.Learned:
		return fmt.Sprintf("Each dot is a run, %s, at the episodes until the agent has learned; bars are medians. %s", n, export.Learning(r.Spec().Episodes))
	case most == 1:
		return "A single run, n = 1, hence no bands."
	case band == spec.Quantiles:
		return fmt.Sprintf("Lines are medians over %s runs; dark bands hold the middle half of the runs, from the 25%% to the 75%% quantile (linear interpolation, type 7), pale ones their whole range.", n)
	case band == spec.EachRun && drawn > 0:
		return fmt.Sprintf("Thin lines are the first %d runs of each agent; heavy lines are means over all, %s.", drawn, n)
	case band == spec.EachRun:
		return fmt.Sprintf("Each thin line is a run, %s; heavy lines are their means.", n)
	}
	return fmt.Sprintf("Lines are means over %s runs; bands are 95%% confidence intervals, mean ± t(0.975, n − 1)·s/√n (Student’s t).", n)
}

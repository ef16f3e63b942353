package figure

import (
	"fmt"

	"cpsrl/core/arm"
	"cpsrl/core/export"
	"cpsrl/core/results"
	"cpsrl/render"
	"cpsrl/render/chart"
)

// OfReliability returns the reliability diagram of the edges of an agent, with a caption.
func OfReliability(r *export.Results, rel *results.Reliability) *chart.Reliability {
	c := &chart.Reliability{
		Title: r.Experiment.Title(), X: "P(edge)", Y: "share of edges in the true graph", Count: "number of edges in each bin:",
		Color: render.Color(arm.Looks(r.Experiment.Spec().Agents)[rel.Agent].Color),
		Notes: []chart.Note{{Text: fmt.Sprintf("%s Seed %d, engine %d, fingerprint %.12s.", r.AboutReliability(rel), r.Experiment.Spec().Seed, r.Engine, r.Fingerprint)}},
	}
	for _, bin := range rel.Bins {
		c.Dots, c.At = append(c.Dots, export.ReliabilityPoint(bin)), append(c.At, bin.Mean)
	}
	return c
}

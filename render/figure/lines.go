package figure

import (
	"fmt"
	"math"
	"strings"

	"cpsrl/core/curve"
	"cpsrl/core/export"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/render/chart"
)

// Lines returns the lines of curves.
func Lines(curves []curve.Curve) (lines []Line) {
	for _, c := range curves {
		lines = append(lines, Line{Agent: c.Agent, Base: c.Base, Points: c.Points})
	}
	return lines
}

// NewLines returns the lines of a measure by agent, as a band of the runs: means with
// intervals, medians with quantiles, means and the line of each run, or the end of each
// whole run. If lines of runs are left out, drawn is the number of runs of each agent that have
// a line, else 0.
func NewLines(r *export.Results, of *results.Measure, band spec.Band) (lines []Line, drawn int) {
	if band == spec.Final || band == spec.Learned {
		for _, e := range r.RunEnds(of) {
			if e.Episodes < r.Experiment.Spec().Episodes {
				continue // the records end in this run
			}
			value := float64(e.Final)
			if band == spec.Learned {
				value = float64(e.Learned)
			} else if math.IsNaN(value) {
				continue // the agent lacks the measure
			}
			if len(lines) == 0 || lines[len(lines)-1].Agent != e.Agent {
				lines = append(lines, Line{Agent: e.Agent})
			}
			points := &lines[len(lines)-1].Points
			*points = append(*points, curve.Single(len(*points)+1, value))
		}
		if band == spec.Final {
			lines = append(lines, finals(r.OtherRuns(of))...)
		}
		return lines, 0
	}
	runs, over := r.RunCurves(of), curve.Means
	if band == spec.Quantiles {
		over = curve.Quantiles
	}
	curves, others := over(runs), over(r.OtherRuns(of))
	lines = Lines(curves)
	for _, c := range others {
		lines = append(lines, Line{Foreign: c.Agent, Points: c.Points})
	}
	if band == spec.EachRun {
		for _, c := range append(curves, others...) {
			for k := range c.Points {
				c.Points[k].Lo, c.Points[k].Hi = math.NaN(), math.NaN()
			}
		}
		s := r.Experiment.Spec()
		most, at := export.DrawnRuns(len(s.Agents), s.Runs, s.Episodes)
		for _, c := range runs {
			if c.Run-s.FirstRun < most {
				line := Line{Agent: c.Agent, Run: &c.Run}
				for k, v := range c.At(at) {
					line.Points = append(line.Points, curve.Single(at[k], v))
				}
				lines = append(lines, line)
			}
		}
		if most < s.Runs {
			drawn = most
		}
	}
	return lines, drawn
}

// finals returns the last values of the runs of other programs.
func finals(runs []curve.Run) (lines []Line) {
	for _, run := range runs {
		if len(lines) == 0 || lines[len(lines)-1].Foreign != run.Agent {
			lines = append(lines, Line{Foreign: run.Agent})
		}
		points := &lines[len(lines)-1].Points
		*points = append(*points, curve.Single(len(*points)+1, run.Values[len(run.Values)-1]))
	}
	return lines
}

// Of returns the figure of a measure, with a band of the runs and a caption. If it has no
// line, no run is whole or no agent has the measure.
func Of(r *export.Results, of *results.Measure, band spec.Band) *Chart {
	c := &Chart{Title: r.Experiment.Title(), Measure: of.Key, Whole: true, Agents: r.Experiment.Spec().Agents}
	var drawn int
	c.Lines, drawn = NewLines(r, of, band)
	for _, other := range r.Others {
		c.Others = append(c.Others, other.Labels()...)
	}
	if band == spec.Final || band == spec.Learned {
		c.Dots, c.Episodes = band, r.Experiment.Spec().Episodes
	}
	least, most := math.MaxInt, 0
	if c.Dots != "" {
		for _, line := range c.Lines {
			if line.Foreign != "" {
				continue
			}
			least, most = min(least, len(line.Points)), max(most, len(line.Points))
		}
	} else {
		for _, c := range r.Curves(of) {
			for _, p := range c.Points {
				least, most = min(least, p.N), max(most, p.N)
			}
		}
	}
	more := ""
	if r.Experiment.Leaks() {
		more = " Known rewards depend on the true parents, so they tell about the graph."
	}
	if n := r.Added(); n < r.Experiment.Records() {
		more += fmt.Sprintf(" Incomplete: %d of %d records.", n, r.Experiment.Records())
	}
	if about := r.AboutOthers(of); about != "" {
		for _, label := range c.Others { // underscores stand for subscripts
			about = strings.ReplaceAll(about, label, strings.ReplaceAll(label, "_", " "))
		}
		more += " " + about
		if band == spec.EachRun {
			more += " Their single runs are not drawn."
		}
	}
	c.Notes = []chart.Note{{Text: fmt.Sprintf("%s %s%s Seed %d, engine %d, fingerprint %.12s.",
		captionOfRuns(band, least, most, drawn, r.Experiment.Spec().Episodes), of.Definition, more, r.Experiment.Spec().Seed, r.Engine, r.Fingerprint)}}
	return c
}

// captionOfRuns describes the curves and bands of least to most runs. If not every run has
// a line, drawn is the number of those that have.
func captionOfRuns(band spec.Band, least, most, drawn, episodes int) string {
	n := fmt.Sprintf("n = %d", most)
	if least < most {
		n = fmt.Sprintf("n = %d to %d", least, most)
	}
	switch {
	case band == spec.Final:
		return fmt.Sprintf("Each dot is a run, %s, after its last episode; bars are medians.", n)
	case band == spec.Learned:
		return fmt.Sprintf("Each dot is a run, %s, at the episodes until the agent has learned; bars are medians. %s", n, export.Learning(episodes))
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

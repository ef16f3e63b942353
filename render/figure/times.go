package figure

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/results"
	"cpsrl/render/chart"
)

// AgainstTime is [Chart.Draw] with seconds on the horizontal axis in place of episodes: the point of an episode is at the mean over
// runs of what the agent had taken until its end. All lines are of agents, with a point for each of the first episodes.
// A caption that ends with the seed also names the machine.
func (c *Chart) AgainstTime(times *results.Times) (*chart.Chart, error) {
	what := "processor seconds"
	if times.Clock == results.WallTime {
		what = "seconds by the clock"
	}
	told := *c
	if told.Notes = slices.Clone(c.Notes); len(told.Notes) > 0 {
		where := fmt.Sprintf(" Episodes are at the mean over runs of the %s that the agent had taken until their end, to sample, plan, act and learn, on %s. Seed ", what, strings.ReplaceAll(times.Machine, "_", " "))
		told.Notes[0].Text = strings.Replace(told.Notes[0].Text, " Seed ", where, 1)
	}
	drawn, err := told.Draw()
	if err != nil {
		return nil, err
	}
	for k := range drawn.Curves {
		drawn.Curves[k].At = times.Sums(c.Lines[k].Agent)[:len(drawn.Curves[k].Points)]
	}
	if drawn.X = what + " of an agent in a run"; c.LogX {
		drawn.X += " (log)"
	}
	return drawn, nil
}

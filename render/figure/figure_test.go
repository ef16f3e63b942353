package figure

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/curve"
	"cpsrl/render"
)

// An agent that has another look because of an earlier agent of the experiment keeps it in
// a figure without that agent.
func TestChartOfAlike(t *testing.T) {
	drawn := func(labels, agents []string) string {
		c := &Chart{Measure: "regret", Agents: agents}
		for _, label := range labels {
			c.Lines = append(c.Lines, Line{Agent: label, Points: Points{curve.Single(1, 1), curve.Single(2, 0.5)}})
		}
		drawn, err := c.Draw()
		if err != nil {
			t.Fatal(err)
		}
		return string(render.SVG(drawn.Picture()))
	}
	const one, other = "c-psrl:dirichlet=0.1", "c-psrl:dirichlet=0.01"
	dash := func(label string) string {
		var list []string
		for _, length := range arm.Looks([]string{one, other})[label].Dash {
			list = append(list, fmt.Sprint(length))
		}
		return `stroke-dasharray="` + strings.Join(list, " ") + `"`
	}
	if dash(one) == dash(other) {
		t.Fatalf("both have %s", dash(one))
	}
	for _, c := range []struct {
		labels, agents []string
		dashes         []string
	}{
		{[]string{one, other}, nil, []string{dash(one), dash(other)}},
		{[]string{other}, []string{one, other}, []string{dash(other)}},
		{[]string{other}, nil, []string{dash(one)}},
	} {
		svg := drawn(c.labels, c.agents)
		for _, d := range c.dashes {
			if !strings.Contains(svg, d) {
				t.Errorf("%v of %v: no %s in the figure", c.labels, c.agents, d)
			}
		}
	}
}

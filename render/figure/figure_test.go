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

// A line of another program keeps its look if another one is hidden, and says in words what it is.
func TestForeignLines(t *testing.T) {
	points := Points{curve.Single(1, 1), curve.Single(2, -0.5)}
	draw := func(lines ...Line) (string, error) {
		c := &Chart{Measure: "regret", Agents: []string{"psrl"}, Others: []string{"a", "b"}, Lines: lines}
		drawn, err := c.Draw()
		if err != nil {
			return "", err
		}
		return string(render.SVG(drawn.Picture())), nil
	}
	svg, err := draw(Line{Agent: "psrl", Points: points}, Line{Foreign: "b", Points: points})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"b (other program)", `stroke-dasharray="1.5 6"`, "b (other program): −0.5 at 2"} {
		if !strings.Contains(svg, part) {
			t.Errorf("no %s in %s", part, svg)
		}
	}
	for _, line := range []Line{
		{Foreign: "a", Agent: "psrl", Points: points}, {Foreign: "a", Base: "psrl", Points: points}, {Foreign: "a", Mark: "A", Points: points},
		{Foreign: "a", Apart: true, Points: points}, {Foreign: strings.Repeat("a", 61), Points: points}, {Foreign: "a"}, {Points: points},
	} {
		if svg, err := draw(line); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, %s", line, err, svg)
		}
	}
}

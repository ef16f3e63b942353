package figure_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/curve"
	"cpsrl/core/export"
	"cpsrl/core/results"
	"cpsrl/core/sweep"
	"cpsrl/render"
	"cpsrl/render/figure"
)

// swept returns a table of a sweep in which each agent's mean tells the setting; the last setting has no row.
func swept(t *testing.T, vary string, agents ...string) *export.SweepTable {
	t.Helper()
	s, err := sweep.Decode([]byte(`{"format":"cpsrl/sweep","version":1,"spec":{"format":"cpsrl/spec","version":4,"domain":{"name":"random-fmdp"}},"vary":` + vary + `}`))
	if err != nil {
		t.Fatal(err)
	}
	table := &export.SweepTable{Sweep: s, Engine: 2, Measure: results.CumulativeRegret(), Missing: 1}
	for k := range s.Len() - 1 {
		for i, agent := range agents {
			mean := float64(10*(k+1) + i)
			table.Rows = append(table.Rows, export.SweepRow{Setting: s.Setting(k), AgentEnd: results.AgentEnd{Agent: agent, Point: curve.Point{Mean: mean, Lo: mean - 1, Hi: mean + 1, N: 5}}})
		}
	}
	return table
}

func TestOfSweep(t *testing.T) {
	table := swept(t, `[{"sparseness":[2,3,4],"seed":[1,2,3]},{"prior.false":[0,1]},{"label.problem":["a","b"],"domain.horizon":[5,6]}]`, "psrl", "c-psrl")
	lacks := results.AgentEnd{Agent: "random", Point: curve.Point{Mean: math.NaN()}}
	table.Rows = append(table.Rows, export.SweepRow{Setting: table.Sweep.Setting(0), AgentEnd: lacks})

	c, err := figure.OfSweep(table, 1, -1)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Panels) != 4 || len(c.Series) != 2 || !slices.Equal(c.Ticks, []string{"2", "3", "4"}) || c.Panels[1].Title != "False edges per variable = 0, problem = b" {
		t.Errorf("%d panels, %d series, ticks %q, %q", len(c.Panels), len(c.Series), c.Ticks, c.Panels[1].Title)
	}
	// Setting 4·z + 2·false + problem, from 0: the second panel at Z = 3 is setting 5, and the agents follow each other.
	if p := c.Panels[1].Points[1][1]; p.Mean != 61 {
		t.Errorf("the mean is %v, want 61", p.Mean)
	}
	if p := c.Panels[3].Points[0][2]; p.N != 0 {
		t.Errorf("a missing setting has %v", p)
	}
	if note := c.Notes[0].Text; !strings.Contains(note, "n = 5") || !strings.Contains(note, "Incomplete: 1 of 12 settings are not there.") {
		t.Errorf("the caption is %q", note)
	}
	for _, heat := range []int{-1, 2} {
		c, err := figure.OfSweep(table, 1, heat)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []float64{0, 200, 1000} {
			c.Width = width
			picture := c.Picture()
			for _, mark := range picture.Marks {
				points := []render.Point{}
				switch m := mark.(type) {
				case render.Path:
					points = m.Points
				case render.Text:
					points = append(points, render.Point{X: m.X, Y: m.Y})
				default:
					t.Fatalf("a mark that no other format has: %T", mark)
				}
				for _, p := range points {
					if !(p.X >= -1 && p.X <= picture.Width+1 && p.Y >= -1 && p.Y <= picture.Height+1) {
						t.Errorf("width %v, heat %d: a mark is at %v outside of %v × %v", width, heat, p, picture.Width, picture.Height)
					}
				}
			}
			if !strings.Contains(picture.Text, "10 at 2") || !strings.Contains(picture.Text, "none at 4") {
				t.Errorf("the picture's text is %q", picture.Text)
			}
		}
	}
	heat, err := figure.OfSweep(table, 1, 2)
	if err != nil || len(heat.Panels) != 4 || !slices.Equal(heat.Rows, []string{"0", "1"}) || heat.Panels[0].Title != "PSRL, problem = a" {
		t.Fatalf("%v, or %d panels, %q", err, len(heat.Panels), heat.Panels[0].Title)
	}
	for says, of := range map[string]func() error{
		"sparseness and seed vary together": func() error { _, err := figure.OfSweep(table, 1, 0); return err },
		"would have 37 panels, more than 36": func() error {
			list := make([]string, 37)
			for k := range list {
				list[k] = fmt.Sprint(k + 1)
			}
			_, err := figure.OfSweep(swept(t, `[{"sparseness":[2,3]},{"seed":[`+strings.Join(list, ",")+`]}]`, "psrl"), 0, -1)
			return err
		},
		"there is no cumulative regret to show": func() error {
			none := swept(t, `[{"seed":[1,2]}]`, "psrl")
			none.Rows = []export.SweepRow{{Setting: none.Sweep.Setting(0), AgentEnd: lacks}}
			_, err := figure.OfSweep(none, 0, -1)
			return err
		},
	} {
		if err := of(); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "seed and sparseness", "sparseness and seed"), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

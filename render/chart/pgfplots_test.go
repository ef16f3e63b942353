package chart_test

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/curve"
	"cpsrl/render"
	"cpsrl/render/chart"
)

// Beside long names the axes keep a width that pgfplots accepts; in a narrow figure the names
// are short.
func TestPGFPlotsWidth(t *testing.T) {
	c := &chart.Chart{X: "x", Y: "y", Curves: []chart.Curve{{Name: strings.Repeat("long ", 30), Short: "brief", Color: "#0072b2", Points: []curve.Point{{Episode: 1, Mean: 2, Lo: math.NaN(), Hi: math.NaN()}}}}}
	for _, width := range []float64{0, 113, 300, 600} {
		c.Width = width
		text := c.PGFPlots(strings.ToLower)
		_, rest, _ := strings.Cut(text, "width={")
		if cm, err := strconv.ParseFloat(rest[:strings.Index(rest, "cm")], 64); err != nil || cm < 3 || width > 0 && cm > max(width*2.54/96, 3.2) {
			t.Errorf("%v px: %v cm, %v", width, cm, err)
		}
		if strings.Contains(text, "{brief}") != (width == 113 || width == 300) {
			t.Errorf("%v px: %s", width, text)
		}
	}
}

// Oracle: the text, written by hand, which pdflatex accepts.
func TestPGFPlots(t *testing.T) {
	none := math.NaN()
	c := &chart.Chart{
		Title: "A & b", X: "episode k", Y: "ln P_k(z)", LogY: true, Width: 605, Nameless: false,
		Notes: []chart.Note{{Text: "One note."}},
		Curves: []chart.Curve{
			{Row: "a", Name: "A_{12}", Color: "#0072b2", Dash: []float64{10, 4}, Points: []curve.Point{{Episode: 1, Mean: 2, Lo: 1, Hi: 3, Least: 2, Greatest: 6}, {Episode: 2, Mean: 4, Lo: 3, Hi: 5}, {Episode: 3, Lo: none, Hi: none}, {Episode: 4, Mean: 8, Lo: none, Hi: none}}},
			{Row: "a", Name: "A_{12}", Mark: "B", Color: "#0072b2", Points: []curve.Point{{Episode: 1, Mean: 2, Lo: none, Hi: none}}},
			{Row: "a", Run: true, Color: "#0072b2", Points: []curve.Point{{Episode: 1, Mean: 3, Lo: none, Hi: none}}},
		},
	}
	latex := strings.NewReplacer("&", `\&`).Replace
	got := c.PGFPlots(latex)
	width := got[strings.Index(got, "width="):][:len("width={00.00cm}")]
	want := `% One note. Left out, for a logarithmic axis has no zero: 1 of 4 points of A\textsubscript{12}. Bands are cut off at 2.
\begin{tikzpicture}
\definecolor{curve1}{HTML}{0072B2}
\definecolor{curve2}{HTML}{0072B2}
\definecolor{curve3}{HTML}{0072B2}
\begin{axis}[
  ` + width + `,
  title={A \& b},
  xlabel={episode k},
  ylabel={ln P\textsubscript{k}(z)},
  xmin={0},
  xmax={4},
  ymode={log},
  ymin={2},
  ymax={8},
  axis lines=left, scaled ticks=false, unbounded coords=jump,
  legend pos=outer north east, legend cell align=left, legend style={draw=none},
]
\addplot[draw=none, fill=curve1, fill opacity=0.1, forget plot] coordinates {
  (1,6)
  (1,2)
};
\addplot[draw=none, fill=curve1, fill opacity=0.2, forget plot] coordinates {
  (1,3)
  (2,5)
  (2,3)
  (1,2)
};
\addplot[curve3, line width=0.3pt, opacity=0.5, forget plot] coordinates {
  (1,3)
};
\addplot[curve2, line width=0.4pt, solid] coordinates {
  (1,2)
};
\addlegendentry{A\textsubscript{12}, B}
\addplot[curve1, line width=1pt, dash pattern=on 5pt off 2pt] coordinates {
  (1,2)
  (2,4)
  (3,nan)
  (4,8)
};
\addlegendentry{A\textsubscript{12}}
\end{axis}
\end{tikzpicture}
`
	if got != want {
		t.Errorf("%s", got)
	}
	if c.Nameless, c.Notes = true, nil; strings.Contains(c.PGFPlots(latex), "legend") || !strings.Contains(c.PGFPlots(latex), "width={16.01cm}") {
		t.Errorf("without names:\n%s", c.PGFPlots(latex))
	}
}

func TestNameless(t *testing.T) {
	curves := []chart.Curve{{Row: "a", Name: "an agent", Color: "#0072b2", Points: []curve.Point{{Episode: 1, Mean: 2, Lo: 1, Hi: 3}, {Episode: 2, Mean: 4, Lo: 3, Hi: 5}}}}
	named, bare := render.SVG((&chart.Chart{Curves: curves}).Picture()), render.SVG((&chart.Chart{Curves: curves, Nameless: true}).Picture())
	if name := []byte(">an agent<"); !bytes.Contains(named, name) || bytes.Contains(bare, name) {
		t.Error("a nameless chart has a name, or another chart has none")
	}
}

// A figure of dots has a bar at each median, and a place beyond the axis for runs without a value.
func TestPGFPlotsDots(t *testing.T) {
	none := math.NaN()
	row := func(values ...float64) chart.Curve {
		c := chart.Curve{Name: "A", Color: "#0072b2"}
		for k, v := range values {
			c.Points = append(c.Points, curve.Point{Episode: k + 1, Mean: v})
		}
		return c
	}
	c := &chart.Chart{X: "x", Y: "y", None: "not yet", Dots: true, Episodes: 100, Curves: []chart.Curve{row(1, 2, 6), row(3, none, none), row()}}
	got := c.PGFPlots(strings.ToUpper)
	for _, want := range []string{
		"xmin={0},\n  xmax={130},", "xtick={0,20,40,60,80,100,120},\n  xticklabels={0,20,40,60,80,100,NOT YET},",
		"\n  (1,3)\n  (2,3)\n  (6,3)\n", "\n  (3,2)\n  (120,2)\n  (120,2)\n",
		"\\addplot[black, line width=1pt, forget plot] coordinates {(2,2.65) (2,3.35)};\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "addplot[black"); n != 1 {
		t.Errorf("%d bars, want 1: the second row has no median", n)
	}
	c.LogX = true // the axis goes from 1 to 100
	if got := c.PGFPlots(strings.ToUpper); !strings.Contains(got, ",251.189},\n  xticklabels={1,") || !strings.Contains(got, "xmax={398.107},") {
		t.Error(got)
	}
	c.Curves = c.Curves[:1]
	if got := c.PGFPlots(strings.ToUpper); strings.Contains(got, "xtick") || !strings.Contains(got, "xmax={100},") {
		t.Error(got)
	}
}

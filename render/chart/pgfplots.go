package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/curve"
	"cpsrl/render"
)

// pgfLeast is the least width of the axes, of which pgfplots takes 45 pt for labels, in CSS px.
const pgfLeast = 120.0

// PGFPlots writes the chart as a tikzpicture for LaTeX's package pgfplots 1.16 or newer. The
// fonts and their size are those of the document; the notes are comments above the picture.
// Theme and Type have no effect. The function latex writes a text for LaTeX, on one line.
func (c *Chart) PGFPlots(latex func(string) string) string {
	d := &draft{Chart: *c, Picture: new(render.Picture), unit: 1, em: body}
	if d.Dots {
		d.valueScale()
		d.y = scale{0, float64(len(c.Curves) + 1), false}
	} else {
		d.scales()
	}
	var b strings.Builder
	for k, note := range c.Notes {
		if k == 0 && d.hidden != "" {
			note.Text += " " + d.hidden
		}
		fmt.Fprintf(&b, "%% %s\n", subscripts(note.Text, latex))
	}
	b.WriteString("\\begin{tikzpicture}\n")
	for k, curve := range c.Curves {
		fmt.Fprintf(&b, "\\definecolor{curve%d}{HTML}{%s}\n", k+1, strings.ToUpper(strings.TrimPrefix(string(curve.Color), "#")))
	}
	b.WriteString("\\begin{axis}[\n")
	option := func(name, value string) { fmt.Fprintf(&b, "  %s={%s},\n", name, value) }
	// The legend is beside the axes. As in a picture, long names make a figure wider unless its
	// width is given.
	d.short = c.Width > 0 && c.Width < narrow*d.em
	width, least := column, least
	if c.Width > 0 {
		width, least = c.Width, pgfLeast
	}
	if !c.Nameless {
		width = max(width-d.nameRoom(), least)
	}
	option("width", centimetres(width))
	if c.Height > 0 {
		option("height", centimetres(c.Height))
	}
	if c.Title != "" {
		option("title", subscripts(c.Title, latex))
	}
	option("xlabel", subscripts(c.X, latex))
	option("ylabel", subscripts(c.Y, latex))
	for _, axis := range []struct {
		name string
		scale
	}{{"x", d.x}, {"y", d.y}} {
		if axis.log {
			option(axis.name+"mode", "log")
		}
		option(axis.name+"min", decimal(axis.low))
		high := axis.high
		if axis.name == "x" && d.lacking {
			high = axis.beyond(0.3)
		}
		option(axis.name+"max", decimal(high))
	}
	none := d.x.beyond(0.2) // the place of the dots without a value
	if d.Dots {
		option("ytick", "\\empty")
	}
	if d.lacking {
		var ticks, labels []string
		for _, t := range d.x.ticks(d.few(), 0) {
			ticks, labels = append(ticks, decimal(t.value)), append(labels, latex(t.label))
		}
		option("xtick", strings.Join(append(ticks, decimal(none)), ","))
		option("xticklabels", strings.Join(append(labels, subscripts(d.None, latex)), ","))
	}
	b.WriteString("  axis lines=left, scaled ticks=false, unbounded coords=jump,\n")
	if !c.Nameless {
		b.WriteString("  legend pos=outer north east, legend cell align=left, legend style={draw=none},\n")
	}
	b.WriteString("]\n")
	for _, of := range []struct {
		opacity string
		band    func(curve.Point) (lo, hi float64)
	}{{"0.1", all}, {"0.2", interval}} {
		for k, curve := range c.Curves {
			if curve.layer() == meanLayer {
				d.pgfBand(&b, k+1, curve, of.opacity, of.band)
			}
		}
	}
	for _, layer := range []int{runLayer, ghostLayer, meanLayer} {
		for k, curve := range c.Curves {
			if layer != curve.layer() || len(curve.Points) == 0 {
				continue
			}
			look := "line width=1pt, " + dashPattern(curve.Dash)
			switch {
			case curve.Foreign && layer == meanLayer:
				look = "line width=0.7pt, " + dashPattern(curve.Dash)
			case layer == ghostLayer:
				look = "line width=0.4pt, " + dashPattern(curve.Dash)
			case layer == runLayer:
				look = "line width=0.3pt, opacity=0.5, forget plot"
			}
			axis, points := d.y, curve.spots()
			if d.Dots {
				axis, look = d.x, "only marks, mark size=1.2pt, opacity=0.6"
			} else {
				points = d.shown(curve)
			}
			fmt.Fprintf(&b, "\\addplot[curve%d, %s] coordinates {", k+1, look)
			for _, p := range points {
				mean := "nan"
				if axis.holds(p.Mean) {
					mean = decimal(p.Mean)
				} else if d.Dots && math.IsNaN(p.Mean) {
					mean = decimal(none)
				}
				if d.Dots {
					fmt.Fprintf(&b, "\n  (%s,%d)", mean, len(c.Curves)-k)
				} else {
					fmt.Fprintf(&b, "\n  (%s,%s)", curve.place(p), mean)
				}
			}
			b.WriteString("\n};\n")
			if !c.Nameless && !curve.Run {
				fmt.Fprintf(&b, "\\addlegendentry{%s}\n", subscripts(curve.label(d.short)+d.afterName(&curve), latex))
			}
		}
	}
	for k := range c.Curves {
		if median, _ := c.Curves[k].median(); d.Dots && d.x.holds(median) {
			row, x := float64(len(c.Curves)-k), decimal(median)
			fmt.Fprintf(&b, "\\addplot[black, line width=1pt, forget plot] coordinates {(%s,%s) (%s,%s)};\n", x, decimal(row-0.35), x, decimal(row+0.35))
		}
	}
	b.WriteString("\\end{axis}\n\\end{tikzpicture}\n")
	return b.String()
}

// place writes the place of a point on the horizontal axis.
func (c *Curve) place(p spot) string {
	if c.At == nil {
		return strconv.Itoa(p.Episode)
	}
	return decimal(p.x)
}

// pgfBand writes the band of a curve: an area for each stretch of points for which the
// function of returns an interval.
func (d *draft) pgfBand(b *strings.Builder, k int, c Curve, opacity string, of func(curve.Point) (lo, hi float64)) {
	var upper, lower []string
	for _, p := range append(d.shown(c), spot{Point: curve.Point{Lo: math.NaN()}}) {
		if lo, hi := of(p.Point); !math.IsNaN(lo) && d.y.holds(hi) {
			upper = append(upper, fmt.Sprintf("\n  (%s,%s)", c.place(p), decimal(min(hi, d.y.high))))
			lower = append(lower, fmt.Sprintf("\n  (%s,%s)", c.place(p), decimal(max(lo, d.y.low))))
			continue
		}
		if len(upper) > 0 {
			slices.Reverse(lower)
			fmt.Fprintf(b, "\\addplot[draw=none, fill=curve%d, fill opacity=%s, forget plot] coordinates {%s%s\n};\n",
				k, opacity, strings.Join(upper, ""), strings.Join(lower, ""))
		}
		upper, lower = nil, nil
	}
}

// subscripts writes a text with subscripts for LaTeX.
func subscripts(text string, latex func(string) string) string {
	var b strings.Builder
	line := render.Text{Value: text, Size: 1, Subscripts: true}
	for _, piece := range line.Pieces() {
		if piece.Size < line.Size {
			fmt.Fprintf(&b, "\\textsubscript{%s}", latex(piece.Value))
		} else {
			b.WriteString(latex(piece.Value))
		}
	}
	return b.String()
}

// dashPattern returns the dashes of a line as a style of TikZ.
func dashPattern(dash []float64) string {
	if len(dash) == 0 {
		return "solid"
	}
	var parts []string
	for k, length := range dash {
		parts = append(parts, fmt.Sprintf("%s %spt", []string{"on", "off"}[k%2], decimal(length/2)))
	}
	return "dash pattern=" + strings.Join(parts, " ")
}

// centimetres writes a length in CSS px, 1/96 inch, in centimetres.
func centimetres(px float64) string { return strconv.FormatFloat(px*2.54/96, 'f', 2, 64) + "cm" }

// decimal writes a number with six significant digits.
func decimal(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

package chart

import (
	"fmt"
	"strconv"
	"strings"

	"cpsrl/core/curve"
	"cpsrl/render"
)

// Reliability is a reliability diagram: how often something is so that was said to have a probability. A dot is a bin, at the mean of its
// probabilities and the share in which it was so, with an interval; on the diagonal both are equal.
type Reliability struct {
	Title string // may be ""
	X, Y  string // the labels of the axes, which go from 0 to 1
	Count string // what the numbers above the plot count
	// Dots are the bins, in ascending order: Mean, Lo and Hi are those of the share. A bin of no cases, N = 0, has no dot.
	Dots  []curve.Point
	At    []float64    // the mean probability of each bin
	Color render.Color // #RRGGBB
	Notes []Note
	Theme render.Theme
	// Width of the picture and the size of its type, in CSS px. 0 stands for a full column of a paper.
	Width, Type float64
}

// widest is the largest width of the plot at type of 12 px, which is as high as wide, in CSS px.
const widest = 400.0

// Picture draws the diagram.
func (c *Reliability) Picture() *render.Picture {
	d := newDraft(Chart{Title: c.Title, X: c.X, Y: c.Y, Notes: c.Notes, Theme: c.Theme, Width: c.Width, Type: c.Type})
	d.x, d.y = scale{0, 1, false}, scale{0, 1, false}
	inner := d.Picture.Width - 2*d.margin
	y := d.margin
	if c.Title != "" {
		title := d.words(c.Title, 1.25*d.em)
		title.Bold = true
		y = d.paragraph(title, y, inner/slack) + d.px(2)
	}
	y = d.paragraph(d.words(c.Y, d.em), y, inner/slack) + d.px(4)
	count := d.words(c.Count, d.small())
	count.Color = render.Muted
	y = d.paragraph(count, y, inner/slack) + d.px(4)
	d.left = d.margin + d.scaleRoom()*slack + d.px(8)
	d.right = max(d.left+d.px(60), min(d.Picture.Width-d.margin, d.left+d.px(widest)))
	d.top = y + d.small() + d.px(6)
	d.bottom = d.top + d.right - d.left
	d.grid()
	d.axis(0)
	d.line(render.Muted, 1, []float64{d.px(4), d.px(3)}, d.at(0, 0), d.at(1, 1))
	var text strings.Builder
	fmt.Fprintf(&text, "%s by %s. ", c.Y, c.X)
	for k, p := range c.Dots {
		n := strconv.Itoa(p.N)
		middle := (float64(k) + 0.5) / float64(len(c.Dots))
		t := d.words(n, d.small())
		t.Color, t.X, t.Y, t.Anchor = render.Muted, d.at(middle, 1).X, d.top-d.px(6), render.Middle
		for room := (d.right - d.left) / float64(len(c.Dots)); t.Size > 1 && t.Width() > 0.95*room; {
			t.Size *= 0.95
		}
		d.Marks = append(d.Marks, t)
		if p.N == 0 {
			continue
		}
		at := d.at(c.At[k], p.Mean)
		d.line(c.Color, 1.5, nil, d.at(c.At[k], p.Lo), d.at(c.At[k], p.Hi))
		d.line(c.Color, 7, nil, render.Point{X: at.X - 0.1, Y: at.Y}, at) // a dot
		fmt.Fprintf(&text, "%s at %s (%s). ", number(p.Mean), number(c.At[k]), n)
	}
	d.Text = text.String()
	d.right = d.Picture.Width - d.margin
	d.notes()
	return d.Picture
}

// PGFPlots writes the diagram as a tikzpicture, as [Chart.PGFPlots] does.
func (c *Reliability) PGFPlots(latex func(string) string) string {
	var b strings.Builder
	for _, note := range c.Notes {
		fmt.Fprintf(&b, "%% %s\n", subscripts(note.Text, latex))
	}
	fmt.Fprintf(&b, "\\begin{tikzpicture}\n\\definecolor{dots}{HTML}{%s}\n\\begin{axis}[\n", strings.ToUpper(strings.TrimPrefix(string(c.Color), "#")))
	option := func(name, value string) { fmt.Fprintf(&b, "  %s={%s},\n", name, value) }
	side := widest
	if c.Width > 0 {
		side = max(pgfLeast, min(side, c.Width))
	}
	option("width", centimetres(side))
	option("height", centimetres(side))
	if c.Title != "" {
		option("title", subscripts(c.Title, latex))
		option("title style", "yshift=1.5em")
	}
	option("xlabel", subscripts(c.X, latex))
	option("ylabel", subscripts(c.Y, latex))
	b.WriteString("  xmin=0, xmax=1, ymin=0, ymax=1, axis lines=left, clip=false,\n]\n")
	b.WriteString("\\addplot[gray, dashed, forget plot] coordinates {(0,0) (1,1)};\n")
	b.WriteString("\\addplot[dots, only marks, mark size=1.8pt, error bars/.cd, y dir=both, y explicit] coordinates {")
	for k, p := range c.Dots {
		if p.N > 0 {
			fmt.Fprintf(&b, "\n  (%s,%s) += (0,%s) -= (0,%s)", decimal(c.At[k]), decimal(p.Mean), decimal(p.Hi-p.Mean), decimal(p.Mean-p.Lo))
		}
	}
	b.WriteString("\n};\n")
	for k, p := range c.Dots {
		fmt.Fprintf(&b, "\\node[above, gray, font=\\tiny] at (axis cs:%s,1) {%d};\n", decimal((float64(k)+0.5)/float64(len(c.Dots))), p.N)
	}
	b.WriteString("\\end{axis}\n\\end{tikzpicture}\n")
	return b.String()
}

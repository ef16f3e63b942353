package main

import (
	"cmp"
	"encoding/xml"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"cpsrl/core/experiment"
)

// The size of a figure: a full column of text, with the caption.
const (
	figureWidth  = 16 * vg.Centimeter
	figureHeight = 10.5 * vg.Centimeter
	dotsPerInch  = 300
)

var (
	ink  = color.NRGBA{0x1a, 0x1a, 0x1a, 0xff}
	grey = color.NRGBA{0x55, 0x55, 0x55, 0xff}
	rule = color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}
)

// How opaque bands are, all of them together, and their edges.
const (
	bandAlpha = 150
	edgeAlpha = 110
)

func paintPNG(w io.Writer, f *figure) error {
	c := vgimg.NewWith(vgimg.UseWH(figureWidth, figureHeight), vgimg.UseDPI(dotsPerInch))
	f.draw(draw.New(c))
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

func paintPDF(w io.Writer, f *figure) error {
	// The date in the file is no part of the figure.
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	c := vgpdf.New(figureWidth, figureHeight)
	f.draw(draw.New(straightPDF{c}))
	_, err := c.WriteTo(w)
	return err
}

// straightPDF hands on colours as vgpdf reads them: not multiplied by alpha.
type straightPDF struct{ *vgpdf.Canvas }

func (c straightPDF) SetColor(clr color.Color) {
	if clr == nil {
		clr = color.Black // as vg says
	}
	c.Canvas.SetColor(straight(color.NRGBAModel.Convert(clr).(color.NRGBA)))
}

type straight color.NRGBA

// RGBA implements color.Color, but for the multiplication.
func (c straight) RGBA() (r, g, b, a uint32) {
	return uint32(c.R) * 0x101, uint32(c.G) * 0x101, uint32(c.B) * 0x101, uint32(c.A) * 0x101
}

func paintSVG(w io.Writer, f *figure) error {
	c := vgsvg.New(figureWidth, figureHeight)
	f.draw(draw.New(c))
	var b strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	// Outlines say nothing to a screen reader.
	var words strings.Builder
	words.WriteString("<title>")
	xml.EscapeText(&words, []byte(f.title))
	words.WriteString("</title>\n<desc>")
	xml.EscapeText(&words, []byte(f.caption))
	words.WriteString("</desc>\n")
	svg := b.String()
	if at := strings.Index(svg, "<svg"); at >= 0 {
		end := at + strings.Index(svg[at:], ">")
		svg = svg[:end] + ` role="img"` + svg[end:end+1] + "\n" + words.String() + strings.TrimLeft(svg[end+1:], "\n")
	}
	_, err := io.WriteString(w, compact(svg))
	return err
}

// style returns a text style.
func style(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: outline{text.Plain{Fonts: font.DefaultCache}},
	}
}

// draw paints the figure: the title above, the chart, the names of the curves to
// its right, the caption below.
func (f *figure) draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, 8, -10, 8, -8)

	head := style(10, ink)
	head.YAlign = draw.YTop

	small := style(7, grey)
	small.YAlign = draw.YBottom
	lines := wrap(small, f.caption, c.Max.X-c.Min.X)
	const leading = 9.5
	for i, line := range lines {
		c.FillText(small, vg.Point{X: c.Min.X, Y: c.Min.Y + leading*vg.Length(len(lines)-1-i)}, line)
	}

	names := style(8.5, ink)
	names.YAlign = draw.YCenter
	const (
		sample = 22  // the length of the line before a name
		raise  = 0.9 // puts the middle of the letters at the line
	)
	margin := vg.Length(0)
	for _, cv := range f.curves {
		margin = max(margin, names.Width(cv.name)+sample+12)
	}
	p := f.chart()
	area := draw.Crop(c, 0, -margin, leading*vg.Length(len(lines))+8, -20)
	p.Draw(area)
	data := p.DataCanvas(area)
	c.FillText(head, vg.Point{X: data.Min.X, Y: c.Max.Y}, f.title)

	// The names stand beside the ends of the curves, in ink.
	ends := make([]vg.Length, len(f.curves))
	for k, cv := range f.curves {
		last := cv.rows[len(cv.rows)-1].Mean
		ends[k] = data.Y(p.Y.Norm(min(max(last, p.Y.Min), p.Y.Max)))
	}
	spread(ends, 12, data.Min.Y+4, data.Max.Y-4)
	for k, cv := range f.curves {
		x := data.Max.X + 6
		c.StrokeLine2(cv.look.line(), x, ends[k], x+sample, ends[k])
		c.FillText(names, vg.Point{X: x + sample + 5, Y: ends[k] + raise}, cv.name)
	}
}

func (l look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: 1.4, Dashes: l.dashes}
}

// chart returns the axes, bands and lines.
func (f *figure) chart() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	episodes, low, high := f.extent()
	p.X.Label.Text, p.Y.Label.Text = f.x, f.y
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, episodes, ticks{}
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = low, high, ticks{}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding = 0
		axis.LineStyle = draw.LineStyle{Color: grey, Width: 0.6}
		axis.Tick.LineStyle = axis.LineStyle
		axis.Tick.Length = 3
		align := axis.Label.TextStyle
		axis.Label.TextStyle = style(9, ink)
		axis.Label.TextStyle.XAlign, axis.Label.TextStyle.YAlign = align.XAlign, align.YAlign
		axis.Label.TextStyle.Rotation = align.Rotation
		axis.Label.Padding = 4
		align = axis.Tick.Label
		axis.Tick.Label = style(8, ink)
		axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = align.XAlign, align.YAlign
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color = nil
	grid.Horizontal = draw.LineStyle{Color: rule, Width: 0.4}
	p.Add(grid)
	for _, c := range f.curves {
		for _, band := range bands(c.rows, low, high) {
			area, edge := c.look.color, c.look.color
			area.A, edge.A = uint8(bandAlpha/max(3, len(f.curves))), edgeAlpha
			p.Add(band.area(area))
			addLine(p, band.upper, draw.LineStyle{Color: edge, Width: 0.3})
			addLine(p, band.lower, draw.LineStyle{Color: edge, Width: 0.3})
		}
	}
	for _, c := range f.curves {
		var xys plotter.XYs
		for _, row := range thin(c.rows) {
			xys = append(xys, plotter.XY{X: float64(row.Episode), Y: row.Mean})
		}
		addLine(p, xys, c.look.line())
	}
	// The data must not move the axes.
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, episodes, low, high
	return p
}

// extent returns the ranges of the axes: they hold every mean and every upper
// end of a band, and zero.
func (f *figure) extent() (episodes, low, high float64) {
	for _, c := range f.curves {
		for _, r := range c.rows {
			episodes = max(episodes, float64(r.Episode))
			low, high = min(low, r.Mean), max(high, r.Mean)
			if !math.IsNaN(r.Hi) {
				high = max(high, r.Hi)
			}
		}
	}
	if low > -1e-6*high {
		low = 0 // exact values differ from the optimum by rounding
	}
	switch {
	case f.most > 0:
		high = f.most
	case high > low:
		high += 0.02 * (high - low)
	default:
		high = low + 1
	}
	return episodes, low, high
}

// mostPoints is how many points of a curve are drawn; more cannot be seen.
const mostPoints = 1500

// thin leaves out rows between others; the last is kept.
func thin(rows []experiment.Row) []experiment.Row {
	stride := (len(rows) + mostPoints - 1) / mostPoints
	if stride <= 1 {
		return rows
	}
	var kept []experiment.Row
	for k := 0; k < len(rows); k += stride {
		kept = append(kept, rows[k])
	}
	if last := rows[len(rows)-1]; kept[len(kept)-1].Episode != last.Episode {
		kept = append(kept, last)
	}
	return kept
}

// band is a stretch of confidence intervals, cut at the edges of the chart.
type band struct{ upper, lower plotter.XYs }

// bands returns the stretches of rows that have an interval.
func bands(rows []experiment.Row, low, high float64) []band {
	var list []band
	var b band
	end := func() {
		if len(b.upper) > 0 {
			list = append(list, b)
		}
		b = band{}
	}
	for _, r := range thin(rows) {
		if math.IsNaN(r.Lo) || math.IsNaN(r.Hi) {
			end()
			continue
		}
		cut := func(v float64) float64 { return min(max(v, low), high) }
		b.upper = append(b.upper, plotter.XY{X: float64(r.Episode), Y: cut(r.Hi)})
		b.lower = append(b.lower, plotter.XY{X: float64(r.Episode), Y: cut(r.Lo)})
	}
	end()
	return list
}

// area returns the band as a polygon.
func (b band) area(c color.Color) *plotter.Polygon {
	ring := slices.Clone(b.lower)
	slices.Reverse(ring)
	return &plotter.Polygon{XYs: []plotter.XYs{append(slices.Clone(b.upper), ring...)}, Color: c}
}

func addLine(p *plot.Plot, xys plotter.XYs, style draw.LineStyle) {
	p.Add(&plotter.Line{XYs: xys, LineStyle: style})
}

// ticks marks multiples of 1, 2 or 5 times a power of ten, about five of them.
type ticks struct{}

// Ticks implements plot.Ticker.
func (ticks) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, factor := range []float64{5, 2} {
		if (high-low)/(step*factor) >= 4 {
			step *= factor
			break
		}
	}
	var list []plot.Tick
	digits := max(0, int(-math.Floor(math.Log10(step))))
	for k := int(math.Ceil(low/step - 1e-9)); float64(k)*step <= high+1e-9*step; k++ {
		value := float64(k) * step
		label := strings.Replace(strconv.FormatFloat(value, 'f', digits, 64), "-", "−", 1)
		list = append(list, plot.Tick{Value: value, Label: label})
	}
	return list
}

// wrap breaks text at its spaces into lines of at most the given width; spaces
// that do not break stay.
func wrap(sty text.Style, txt string, width vg.Length) []string {
	var lines []string
	line := ""
	for word := range strings.SplitSeq(txt, " ") {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && sty.Width(longer) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}

// spread moves positions apart until neighbours are at least gap apart, and as
// little as that takes: those that would touch stand around their mean. They
// keep their order and, as far as there is room, within low and high.
func spread(at []vg.Length, gap, low, high vg.Length) {
	order := make([]int, len(at))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		// Of equal ones, the first stands above.
		return cmp.Or(cmp.Compare(at[a], at[b]), b-a)
	})
	type group struct {
		first, n int
		middle   vg.Length
	}
	var groups []group
	for k, i := range order {
		g := group{k, 1, at[i]}
		for len(groups) > 0 {
			below := groups[len(groups)-1]
			if g.middle-below.middle >= gap*vg.Length(g.n+below.n)/2 {
				break
			}
			n := below.n + g.n
			g = group{below.first, n, (below.middle*vg.Length(below.n) + g.middle*vg.Length(g.n)) / vg.Length(n)}
			groups = groups[:len(groups)-1]
		}
		half := gap * vg.Length(g.n-1) / 2
		g.middle = max(min(g.middle, high-half), low+half)
		groups = append(groups, g)
	}
	for _, g := range groups {
		for k := range g.n {
			at[order[g.first+k]] = g.middle + gap*(vg.Length(k)-vg.Length(g.n-1)/2)
		}
	}
}

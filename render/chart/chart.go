// Package chart turns curves by episode, with their bands, into a picture: the
// figure of the page, of its posters and exports, and of a paper. The title is
// above, the names of the curves are beside their ends, notes are below.
// [render.SVG] and package print write the picture. The stage's mesh cannot, because bands
// are translucent and not convex.
package chart

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"cpsrl/core/curve"
	"cpsrl/render"
)

// Chart is a figure as plain data. In its texts the character after an underscore, or the
// group in braces there, is a subscript. Lines do not break at a no-break space (U+00A0).
type Chart struct {
	Title  string // may be ""
	X, Y   string // the labels of the axes
	Curves []Curve
	// Dots makes each curve a row of dots, with a dot for each point. X is then the axis of
	// the means. It is logarithmic with LogX and ends at Episodes if that is not 0.
	Dots bool
	None string // the label of dots whose mean is NaN
	// Most is the largest possible y; 0 if there is none.
	Most float64
	// Signed says that values may be below 0. The axis then shows bands below 0, too.
	Signed bool
	// Whole says that the axis shows every band, however wide. Otherwise wide bands of few
	// runs are cut off, so that curves are not flat.
	Whole bool
	// Episodes is the last episode on the axis; 0 stands for the last one of the curves. It is 0 if curves have places of their own.
	Episodes   int
	LogX, LogY bool
	Nameless   bool   // whether the ends of the curves have no names
	Notes      []Note // paragraphs below the plot
	Theme      render.Theme
	Dashes     map[string][]float64 // what a legend outside the picture has to show, by its own keys: see [Facts]
	// Width and Height of the picture and the size of its type, in CSS px. 0 stands for the
	// width and the type of a full column of a paper, and for the height that is needed.
	Width, Height, Type float64
}

// Curve is one line of a chart with its band.
type Curve struct {
	Row   string // a ghost belongs to the curve of the same row
	Name  string
	Short string // a short name, or ""
	// Mark makes the curve a ghost: it is thin, has no band, and its name has the mark.
	Mark string
	// Run makes the curve that of a single run: it is thin and pale, behind the others, and
	// has neither a band nor a name.
	Run bool
	// Foreign makes the curve that of another program: it is thin and ends in a ring instead of a dot.
	Foreign bool
	Color   render.Color  // #RRGGBB
	Dash    []float64     // lengths of strokes and gaps; nil for a solid line
	Points  []curve.Point // by episode
	At      []float64     // where the points are on the horizontal axis, ascending; nil: at their episodes
}

// spot is a point of a curve at its place on the horizontal axis.
type spot struct {
	curve.Point
	x float64
}

// spots returns the points of the curve at their places.
func (c *Curve) spots() []spot {
	list := make([]spot, len(c.Points))
	for k, p := range c.Points {
		if list[k] = (spot{p, float64(p.Episode)}); c.At != nil {
			list[k].x = c.At[k]
		}
	}
	return list
}

// foreignWidth is the width of the line of another program.
const foreignWidth = 1.5

// Least is the smallest absolute value that a chart distinguishes from zero; Most is the
// largest that it can show.
const (
	Least = 1e-100
	Most  = 1e100
)

// interval returns the ends of the band, or NaN.
func interval(p curve.Point) (lo, hi float64) { return p.Lo, p.Hi }

// all returns the ends of the paler band, or NaN.
func all(p curve.Point) (lo, hi float64) {
	if p.Least == p.Greatest {
		return math.NaN(), math.NaN()
	}
	return p.Least, p.Greatest
}

// Note is a paragraph below the plot.
type Note struct {
	Text string `json:"text"`
	Fine bool   `json:"fine,omitzero"`  // whether it is in smaller type
	Link string `json:"link,omitempty"` // where a click leads; absent: nowhere
}

// Facts is the data for a program that shows a chart, as JSON in [render.Picture.Data]:
// where the plot is in the picture, the values at its sides, and what it does not show.
type Facts struct {
	Left   float64 `json:"left"`
	Right  float64 `json:"right"`
	Top    float64 `json:"top"`
	Bottom float64 `json:"bottom"`
	First  float64 `json:"first"` // episode
	Last   float64 `json:"last"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	LogX   bool    `json:"logX"`
	LogY   bool    `json:"logY"`
	Hidden string  `json:"hidden"` // sentences that say what is left out or cut off, or ""

	Dashes map[string][]float64 `json:"dashes,omitempty"` // the strokes and gaps of the agents, also of those without a line, if the request names all of them
}

// Sizes of the layout at type of 12 px, in CSS px.
const (
	column  = 605.0 // 16 cm, a full column of text
	body    = 12.0
	height  = 260.0 // least height of the plot
	least   = 240.0 // least width of the plot, beside very long names
	margin  = 12.0
	leading = 1.4  // distance of lines in font sizes
	slack   = 1.15 // how much wider another font may be
	gap     = 16.0 // distance of the baselines of names
	narrow  = 40.0 // a picture of fewer ems has short names and few ticks
	most    = 1200 // points of a curve; more cannot be seen
)

// Picture draws the chart.
func (c *Chart) Picture() *render.Picture {
	d := c.draw(0)
	if c.Height > 0 {
		d = c.draw(c.Height - d.Picture.Height)
	}
	return d.Picture
}

// draw draws the chart with a plot that is higher by more.
func (c *Chart) draw(more float64) *draft {
	d := newDraft(*c)
	if d.Picture.Theme == render.Page {
		d.margin = 0 // the page has its own
	}
	d.short = c.Width > 0 && c.Width < narrow*d.em
	d.brief = d.short || c.Theme == render.Page
	if d.Dots {
		d.valueScale()
	} else {
		d.scales()
	}
	room := d.nameRoom()
	d.left = d.margin + d.scaleRoom()*slack + d.px(8)
	if c.Width > 0 {
		d.right = max(c.Width-d.margin-room, d.left+d.px(60))
		d.Picture.Width = c.Width
	} else {
		d.right = max(column-margin-room, d.left+least)
		d.Picture.Width = d.right + room + margin
	}

	y := d.margin
	if c.Title != "" {
		title := d.words(c.Title, 1.25*d.em)
		title.Bold = true
		y = d.paragraph(title, y, (d.Picture.Width-2*d.margin)/slack) + d.px(2)
	}
	d.top = d.paragraph(d.words(c.Y, d.em), y, d.right-d.margin) + d.px(10)
	d.bottom = d.top + max(d.px(height), d.px(d.spacing())*float64(d.named()))
	if c.Height > 0 {
		d.bottom = max(d.top+d.px(height)+more, d.top+d.px(60))
	}
	if d.Dots {
		d.rows()
	} else {
		d.curves()
	}
	d.notes()
	facts := Facts{d.left, d.right, d.top, d.bottom, d.x.low, d.x.high, d.y.low, d.y.high, c.LogX, c.LogY, d.hidden, c.Dashes}
	data, err := json.Marshal(facts)
	if err != nil {
		panic("chart: " + err.Error())
	}
	d.Data = string(data)
	return d
}

// curves draws the axes and the curves with their bands.
func (d *draft) curves() {
	d.grid()
	var banded []Curve
	for _, c := range d.Curves {
		if c.Mark == "" && !c.Run {
			banded = append(banded, c)
		}
	}
	alpha := 150 / max(3, len(banded))
	for _, curve := range banded {
		d.band(curve, alpha/2, all)
	}
	for _, curve := range banded {
		d.band(curve, alpha, interval)
	}
	d.axis(d.whole())
	d.lines()
}

// named returns the number of curves with a name.
func (c *Chart) named() (n int) {
	for _, curve := range c.Curves {
		if !curve.Run {
			n++
		}
	}
	return n
}

// draft is a chart that is being drawn.
type draft struct {
	Chart
	*render.Picture
	em, unit                 float64 // the size of the type, and its ratio to body
	margin                   float64
	short                    bool // whether there are few ticks
	brief                    bool // whether names are short, each beside its own line: on a page, whose words tell more
	x, y                     scale
	hidden                   string  // sentences that say what is not shown
	left, right, top, bottom float64 // the sides of the plot
	lacking                  bool    // whether a dot has no value
}

// newDraft returns a draft with nothing drawn. Its picture is as wide as the chart says, or a full column.
func newDraft(c Chart) *draft {
	d := &draft{Chart: c, Picture: &render.Picture{Theme: c.Theme, Title: c.Title}, em: c.Type}
	if c.Theme == "" {
		d.Picture.Theme = render.Light
	}
	if d.em == 0 {
		d.em = body
	}
	d.unit = d.em / body
	d.margin = d.px(margin)
	if d.Picture.Width = c.Width; c.Width == 0 {
		d.Picture.Width = d.px(column)
	}
	return d
}

// px returns a size of the layout for the chart's type.
func (d *draft) px(size float64) float64 { return size * d.unit }

// small returns the size of the type of ticks and notes.
func (d *draft) small() float64 { return d.em - d.unit }

// at returns the place of a value at an episode.
func (d *draft) at(episode, value float64) render.Point {
	return render.Point{X: d.left + d.x.share(episode)*(d.right-d.left), Y: d.bottom - d.y.share(value)*(d.bottom-d.top)}
}

// grid draws the lines of the ticks and their numbers, no closer than lines of text.
func (d *draft) grid() {
	lines := (d.bottom - d.top) / (1.5 * d.small())
	for _, t := range d.y.ticks(min(d.few(), int(lines)), (d.y.high-d.y.low)/lines) {
		p := d.at(d.x.low, t.value)
		d.line(render.Faint, 0.75, nil, p, d.at(d.x.high, t.value))
		d.text(t.label, d.small(), p.X-d.px(8), p.Y+d.px(4), render.End)
	}
}

// few returns the number of ticks for which a logarithmic axis has room.
func (d *draft) few() int {
	if d.short {
		return 6
	}
	return 9
}

// scaleRoom returns the width of the numbers of the vertical axis.
func (d *draft) scaleRoom() float64 {
	room := 0.0
	for _, t := range d.y.ticks(d.few(), 0) {
		room = max(room, d.words(t.label, d.small()).Width())
	}
	return room
}

// axis draws the horizontal axis, with ticks no closer than least.
func (d *draft) axis(least float64) {
	base := d.y.low
	if !d.LogY {
		base = 0
	}
	d.line(render.Muted, 1, nil, d.at(d.x.low, base), d.at(d.x.high, base))
	for _, t := range d.x.ticks(d.few(), least) {
		p := d.at(t.value, d.y.low)
		d.line(render.Muted, 1, nil, p, render.Point{X: p.X, Y: p.Y + d.px(4)})
		d.text(t.label, d.small(), p.X, p.Y+d.px(17), render.Middle)
	}
	d.text(d.X, d.em, d.right, d.bottom+d.px(35), render.End)
}

// whole returns the least distance of ticks of the horizontal axis: 1 for episodes.
func (d *draft) whole() float64 {
	if d.placed() {
		return 0
	}
	return 1
}

// placed reports whether the horizontal axis has something else than episodes.
func (c *Chart) placed() bool {
	return slices.ContainsFunc(c.Curves, func(c Curve) bool { return c.At != nil })
}

// band draws the band of a curve within the plot: an area for each stretch of points for
// which the function of returns an interval. The opacity is alpha of 255.
func (d *draft) band(c Curve, alpha int, of func(curve.Point) (lo, hi float64)) {
	fill := render.Color(fmt.Sprintf("%s%02x", c.Color, alpha))
	var upper, lower []render.Point
	for _, p := range append(d.shown(c), spot{Point: curve.Point{Lo: math.NaN()}}) {
		if lo, hi := of(p.Point); !math.IsNaN(lo) && d.y.holds(hi) {
			upper = append(upper, d.at(p.x, min(hi, d.y.high)))
			lower = append(lower, d.at(p.x, max(lo, d.y.low)))
		} else if upper != nil {
			slices.Reverse(lower)
			d.Marks = append(d.Marks, render.Path{
				Points: append(upper, lower...), Closed: true, Fill: fill, Stroke: c.Color + "70", Width: d.px(0.5),
			})
			upper, lower = nil, nil
		}
	}
}

// lines draws the runs, the ghosts and the means, and writes the names of all but the runs.
// The text of the picture says where they end.
func (d *draft) lines() {
	var ends []end
	for _, layer := range []int{runLayer, ghostLayer, meanLayer} {
		for _, c := range d.Curves {
			if layer != c.layer() {
				continue
			}
			if e, any := d.curve(c); any && !c.Run {
				ends = append(ends, e)
			}
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s by %s. ", d.Y, d.X)
	for _, c := range d.Curves {
		if n := len(c.Points); n > 0 && !c.Run {
			at := strconv.Itoa(c.Points[n-1].Episode)
			if c.At != nil {
				at = number(c.At[n-1])
			}
			fmt.Fprintf(&text, "%s: %s at %s. ", c.label(false), number(c.Points[n-1].Mean), at)
		}
	}
	d.Text = text.String()
	if !d.Nameless {
		d.names(ends)
	}
}

// curve draws the means of a curve that have a place in the plot. It returns the end of the
// curve, and whether it drew anything.
func (d *draft) curve(c Curve) (last end, any bool) {
	class, width, color, dash := "curve", 2.0, c.Color, d.dash(c)
	if c.Foreign {
		class, width = "foreign", foreignWidth
	}
	switch c.layer() {
	case ghostLayer:
		class, width = "ghost", 1
	case runLayer:
		class, width, color, dash = "run", 0.75, c.Color+"80", nil
	}
	var points []render.Point
	stroke := func() {
		switch len(points) {
		case 0:
			return
		case 1: // a point between two without a place would make no line
			points = append(points, render.Point{X: points[0].X + 0.1, Y: points[0].Y})
		}
		d.Marks = append(d.Marks, render.Path{Class: class, Points: points, Stroke: color, Width: d.px(width), Dash: dash})
		last, any, points = end{Curve: c, Point: points[len(points)-1]}, true, nil
	}
	for _, p := range d.shown(c) {
		if !d.y.holds(p.Mean) {
			stroke()
			continue
		}
		points = append(points, d.at(p.x, p.Mean))
	}
	stroke()
	if any && c.layer() == meanLayer {
		dot := func(color render.Color, width float64) {
			d.line(color, width, nil, render.Point{X: last.X - 0.1, Y: last.Y}, last.Point)
		}
		if dot(c.Color, 5); c.Foreign { // a ring
			dot(render.Background, 2.5)
		}
	}
	return last, any
}

// Curves are drawn in three layers, one above the other.
const (
	runLayer = iota
	ghostLayer
	meanLayer
)

// layer returns the layer of the curve.
func (c Curve) layer() int {
	switch {
	case c.Run:
		return runLayer
	case c.Mark != "":
		return ghostLayer
	}
	return meanLayer
}

// within returns the points of a curve that are on the horizontal axis.
func (d *draft) within(c Curve) []spot {
	list := c.spots()
	n, _ := slices.BinarySearchFunc(list, d.x.high, func(p spot, high float64) int {
		if p.x <= high {
			return -1
		}
		return 1
	})
	return list[:n]
}

// shown returns the points of a curve that are drawn: not too many of those on the axis.
func (d *draft) shown(c Curve) []spot {
	points := d.within(c)
	if d.x.log && len(points) > most {
		return d.thinByLog(points)
	}
	return thin(points)
}

// dash returns the dashes of a curve for the chart's type.
func (d *draft) dash(c Curve) []float64 {
	var dash []float64
	for _, length := range c.Dash {
		dash = append(dash, d.px(length))
	}
	return dash
}

// notes draws the paragraphs below the plot and ends the picture.
func (d *draft) notes() {
	if len(d.Notes) == 0 {
		d.Text += d.hidden
	}
	y := d.bottom + d.px(48)
	width := d.right - d.margin
	if d.Chart.Width > 0 {
		width = (d.Picture.Width - 2*d.margin) / slack
	}
	var told []string
	for k, note := range d.Notes {
		if k == 0 && d.hidden != "" {
			note.Text += " " + d.hidden
		}
		t := d.words(note.Text, d.small())
		t.Color, t.Link = render.Muted, note.Link
		if note.Fine {
			t.Size *= 0.85
		}
		y = d.paragraph(t, y, width)
		told = append(told, note.Text)
	}
	d.Text = strings.TrimSuffix(d.Text+strings.Join(told, " "), " ")
	d.Picture.Height = math.Ceil(y + d.px(margin-4) - 1e-6)
}

func (d *draft) line(c render.Color, width float64, dash []float64, points ...render.Point) {
	d.Marks = append(d.Marks, render.Path{Points: points, Stroke: c, Width: d.px(width), Dash: dash})
}

func (d *draft) text(value string, size, x, y float64, anchor render.Anchor) {
	t := d.words(value, size)
	t.X, t.Y, t.Anchor = x, y, anchor
	d.Marks = append(d.Marks, t)
}

func (d *draft) words(value string, size float64) render.Text {
	return render.Text{Value: value, Size: size, Color: render.Ink, Subscripts: true}
}

// together keeps "10 ± 3" and "η = 1" on one line.
var together = strings.NewReplacer(" ± ", "\u00a0±\u00a0", " = ", "\u00a0=\u00a0")

// paragraph draws a text at the left margin in lines of at most that width, broken at
// spaces, and returns the place below it. A word that is too long, such as a link, is
// broken after an ampersand or anywhere.
func (d *draft) paragraph(t render.Text, y, width float64) float64 {
	words := strings.Split(together.Replace(t.Value), " ")
	fits := func(value string) bool {
		t.Value = value
		return t.Width() <= width
	}
	for len(words) > 0 {
		n := longest(len(words), func(n int) bool { return fits(strings.Join(words[:n], " ")) })
		line := strings.Join(words[:n], " ")
		if n == 1 && line != "" && (len(line) > 100 || !fits(line)) { // measuring all of a long word would take long
			if line, words[0] = breakWord(line, fits); words[0] != "" {
				n = 0
			}
		}
		t.Value, t.X, t.Y = line, d.margin, y+t.Size
		d.Marks = append(d.Marks, t)
		words, y = words[n:], y+leading*t.Size
	}
	return y
}

// breakWord splits a word where it no longer fits, or after an ampersand before that. The
// word has at least one character, and so has the line.
func breakWord(word string, fits func(string) bool) (line, rest string) {
	letters := func(n int) string { // the whole characters of the first n bytes
		for n < len(word) && !utf8.RuneStart(word[n]) {
			n--
		}
		return word[:n]
	}
	line = letters(longest(len(word), func(n int) bool { return fits(letters(n)) }))
	if line == "" {
		_, size := utf8.DecodeRuneInString(word)
		line = word[:size]
	}
	if at := strings.LastIndexByte(line, '&'); at > 0 && line != word {
		line = line[:at+1]
	}
	return line, word[len(line):]
}

// longest returns the largest n from 1 to most that fits, or 1 if none does. It assumes that
// nothing longer fits than a length that does not fit. It tries lengths up to twice the
// result, so that the cost does not depend on most.
func longest(most int, fits func(n int) bool) int {
	n := 1
	for n < most && fits(min(2*n, most)) {
		n = min(2*n, most)
	}
	beyond := min(n, most-n) // n + beyond does not fit, or is n
	return n + sort.Search(beyond, func(k int) bool { return !fits(n + k + 1) })
}

// thin keeps at most most+1 points: points at equal distances, and the last one.
func thin[P any](points []P) (kept []P) {
	if len(points) == 0 {
		return nil
	}
	stride := (len(points) + most - 1) / most
	for k := 0; k < len(points)-1; k += stride {
		kept = append(kept, points[k])
	}
	return append(kept, points[len(points)-1])
}

// thinByLog keeps at most most+1 points, no closer on a logarithmic axis than they must be, and the last one.
func (d *draft) thinByLog(points []spot) (kept []spot) {
	next := math.Inf(-1)
	for _, p := range points[:len(points)-1] {
		if share := d.x.share(p.x); share >= next {
			kept, next = append(kept, p), share+1.0/most
		}
	}
	return append(kept, points[len(points)-1])
}

func number(v float64) string { return minus(strconv.FormatFloat(v, 'g', 4, 64)) }
func minus(s string) string   { return strings.ReplaceAll(s, "-", "−") }

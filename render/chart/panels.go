package chart

import (
	"fmt"
	"math"
	"strings"

	"cpsrl/core/curve"
	"cpsrl/render"
)

// Panels is a figure of a measure by the values of one field or, as a heat map, of two: small multiples with the
// same scales. In its texts the character after an underscore is a subscript.
type Panels struct {
	Title string   // may be ""
	X, Y  string   // the labels of the axes; that of the heat is Z
	Z     string   // of a heat map: what the colours are
	Ticks []string // the values along X, equally far apart
	Rows  []string // of a heat map: the values along Y, from below; else nil
	// Series are the curves of each panel. A heat map has none.
	Series []Series
	Panels []Panel
	Most   float64 // the largest possible value; 0 if there is none
	Signed bool    // whether values may be below 0
	Notes  []Note
	Theme  render.Theme
	// Width of the picture and the size of its type, in CSS px. 0 stands for a full column of a paper.
	Width, Type float64
}

// Series is the look of a curve of each panel.
type Series struct {
	Name  string
	Color render.Color // #RRGGBB
	Dash  []float64
}

// Panel is one of several figures side by side.
type Panel struct {
	Title  string          // may be ""
	Points [][]curve.Point // by series, or by row of a heat map; then by tick. A point of no runs is absent.
}

// Sizes of panels at type of 12 px, in CSS px.
const (
	panelHeight = 150.0
	panelLeast  = 150.0 // least width of a plot
	cellHeight  = 26.0
	panelGap    = 16.0
)

// Picture draws the panels.
func (c *Panels) Picture() *render.Picture {
	d := newDraft(Chart{Title: c.Title, X: c.X, Y: c.Y, Most: c.Most, Signed: c.Signed, Whole: true, Notes: c.Notes, Theme: c.Theme, Width: c.Width, Type: c.Type})
	c.panelScales(d)
	room := d.scaleRoom()*slack + d.px(8)
	height := d.px(panelHeight)
	if c.Rows != nil {
		room = 0
		for _, row := range c.Rows {
			room = max(room, d.words(row, d.small()).Width()*slack+d.px(8))
		}
		height = d.px(cellHeight) * float64(len(c.Rows))
	}
	inner := d.Picture.Width - 2*d.margin
	across := max(1, min(len(c.Panels), 3, int((inner+d.px(panelGap))/(room+d.px(panelLeast+panelGap)))))
	if len(c.Panels) == 1 && c.Rows == nil {
		height = d.px(1.5 * panelHeight)
	}
	width := (inner-float64(across-1)*d.px(panelGap))/float64(across) - room

	y := d.margin
	if c.Title != "" {
		title := d.words(c.Title, 1.25*d.em)
		title.Bold = true
		y = d.paragraph(title, y, inner/slack) + d.px(2)
	}
	y = d.legend(c.Series, y, inner)
	head := c.Y
	if c.Rows != nil {
		head = c.Z + "; " + c.Y + " upwards"
	}
	y = d.paragraph(d.words(head, d.em), y, inner/slack) + d.px(6)
	var text strings.Builder
	for k := range c.Panels {
		p := &c.Panels[k]
		d.left = d.margin + float64(k%across)*(room+width+d.px(panelGap)) + room
		d.right = d.left + width
		if k > 0 && k%across == 0 {
			y = d.bottom + d.px(48)
		}
		d.top = y
		if c.titled() {
			t := d.words(p.Title, d.em)
			t.Bold = true
			if letters := []rune(p.Title); t.Width()*slack > width { // the whole title is in the picture's text
				n := longest(len(letters), func(n int) bool {
					t.Value = string(letters[:n]) + "…"
					return t.Width()*slack <= width
				})
				t.Value = string(letters[:n]) + "…"
			}
			t.X, t.Y = d.left, y+d.em
			d.Marks = append(d.Marks, t)
			d.top += 1.4*d.em + d.px(4)
		}
		d.bottom = d.top + height
		if c.Rows != nil {
			c.heat(d, p)
		} else {
			c.curves(d, p)
		}
		c.tell(&text, p)
		for i, tick := range c.ticks(d, width) {
			d.text(tick, d.small(), d.at(float64(i), d.y.low).X, d.bottom+d.px(17), render.Middle)
		}
		if k >= len(c.Panels)-across {
			d.text(c.X, d.em, d.right, d.bottom+d.px(35), render.End)
		}
	}
	d.Text = head + " by " + c.X + ". " + text.String()
	d.right = d.Picture.Width - d.margin
	d.notes()
	return d.Picture
}

// titled reports whether a panel has a title; then all have room for one.
func (c *Panels) titled() bool {
	for _, p := range c.Panels {
		if p.Title != "" {
			return true
		}
	}
	return false
}

// panelScales sets the axes, which all panels share. Those of a heat map count cells.
func (c *Panels) panelScales(d *draft) {
	d.x = scale{-0.5, float64(len(c.Ticks)) - 0.5, false}
	if c.Rows != nil {
		d.y = scale{-0.5, float64(len(c.Rows)) - 0.5, false}
		return
	}
	least, greatest, lo, hi := c.span()
	low, high := d.extent(least, greatest, lo, hi)
	d.y = scale{low, high, false}
}

// span returns the least and the greatest mean, and the same of the ends of intervals.
func (c *Panels) span() (least, greatest, lo, hi float64) {
	least, greatest = math.Inf(1), math.Inf(-1)
	lo, hi = least, greatest
	for _, panel := range c.Panels {
		for _, points := range panel.Points {
			for _, p := range points {
				if p.N == 0 {
					continue
				}
				least, greatest = min(least, p.Mean), max(greatest, p.Mean)
				if !math.IsNaN(p.Lo) {
					lo, hi = min(lo, p.Lo), max(hi, p.Hi)
				}
			}
		}
	}
	if math.IsInf(least, 1) {
		return 0, 1, 0, 1
	}
	return least, greatest, min(lo, least), max(hi, greatest)
}

// legend draws the names of the series, and returns the place below them.
func (d *draft) legend(series []Series, y, width float64) float64 {
	if len(series) == 0 {
		return y
	}
	x := d.margin
	y += d.em
	for _, s := range series {
		room := d.px(26) + d.words(s.Name, d.em).Width()*slack
		if x > d.margin && x+room > d.margin+width {
			x, y = d.margin, y+leading*d.em
		}
		var dash []float64
		for _, length := range s.Dash {
			dash = append(dash, d.px(length))
		}
		d.Marks = append(d.Marks, render.Path{Points: []render.Point{{X: x, Y: y - 0.35*d.em}, {X: x + d.px(18), Y: y - 0.35*d.em}}, Stroke: s.Color, Width: d.px(2), Dash: dash})
		d.text(s.Name, d.em, x+d.px(22), y, render.Start)
		x += room + d.px(10)
	}
	return y + 0.6*d.em
}

// ticks returns the labels along X; where there is no room for all, some are "".
func (c *Panels) ticks(d *draft, width float64) []string {
	widest := 0.0
	for _, tick := range c.Ticks {
		widest = max(widest, d.words(tick, d.small()).Width()*slack+d.px(6))
	}
	each := max(1, int(math.Ceil(widest*float64(len(c.Ticks))/width)))
	list := make([]string, len(c.Ticks))
	for k := 0; k < len(list); k += each {
		list[k] = c.Ticks[k]
	}
	return list
}

// curves draws the means of a panel, joined by lines, with their intervals.
func (c *Panels) curves(d *draft, p *Panel) {
	d.grid()
	base := max(d.y.low, min(0, d.y.high))
	d.line(render.Muted, 1, nil, d.at(d.x.low, base), d.at(d.x.high, base))
	for k, points := range p.Points {
		s := c.Series[k]
		var dash []float64
		for _, length := range s.Dash {
			dash = append(dash, d.px(length))
		}
		aside := (float64(k) - float64(len(p.Points)-1)/2) * min(0.08, 0.5/float64(len(p.Points)))
		var line []render.Point
		stroke := func() {
			if len(line) > 1 {
				d.Marks = append(d.Marks, render.Path{Class: "curve", Points: line, Stroke: s.Color, Width: d.px(1.75), Dash: dash})
			}
			line = nil
		}
		for i, v := range points {
			if v.N == 0 {
				stroke()
				continue
			}
			x := float64(i) + aside
			at := d.at(x, v.Mean)
			line = append(line, at)
			if !math.IsNaN(v.Lo) && v.Hi > v.Lo {
				d.line(s.Color, 1.25, nil, d.at(x, max(v.Lo, d.y.low)), d.at(x, min(v.Hi, d.y.high)))
			}
			d.line(s.Color, 5.5, nil, render.Point{X: at.X - 0.1, Y: at.Y}, at) // a dot
		}
		stroke()
	}
}

// The ends of the colours of a heat map, as red, green and blue.
var palest, darkest = [3]float64{0xed, 0xf3, 0xfb}, [3]float64{0x17, 0x3f, 0x7d}

// heat draws the cells of a panel, each with its mean as a number.
func (c *Panels) heat(d *draft, p *Panel) {
	least, greatest, _, _ := c.span()
	for row, points := range p.Points {
		for i, v := range points {
			a, b := d.at(float64(i)-0.5, float64(row)+0.5), d.at(float64(i)+0.5, float64(row)-0.5)
			cell := render.Path{Points: []render.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}}, Closed: true, Stroke: render.Faint, Width: d.px(0.75)}
			at := render.Point{X: (a.X + b.X) / 2, Y: (a.Y+b.Y)/2 + 0.35*d.small()}
			if v.N == 0 {
				d.Marks = append(d.Marks, cell)
				d.text("–", d.small(), at.X, at.Y, render.Middle)
				continue
			}
			share := 0.0
			if greatest > least {
				share = (v.Mean - least) / (greatest - least)
			}
			var rgb [3]int
			for k := range rgb {
				rgb[k] = int(math.Round(palest[k] + share*(darkest[k]-palest[k])))
			}
			cell.Fill = render.Color(fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2]))
			t := d.words(short(v.Mean), d.small())
			if t.Color = "#101418"; share > 0.5 {
				t.Color = "#ffffff"
			}
			t.X, t.Y, t.Anchor = at.X, at.Y, render.Middle
			d.Marks = append(d.Marks, cell, t)
		}
		d.text(c.Rows[row], d.small(), d.left-d.px(8), d.at(0, float64(row)).Y+0.35*d.small(), render.End)
	}
}

// short writes a mean with three digits.
func short(v float64) string {
	if math.Abs(v) >= 100 {
		return minus(fmt.Sprintf("%.0f", v))
	}
	return minus(fmt.Sprintf("%.3g", v))
}

// tell says the means of a panel in words.
func (c *Panels) tell(text *strings.Builder, p *Panel) {
	if p.Title != "" {
		fmt.Fprintf(text, "%s. ", p.Title)
	}
	for k, points := range p.Points {
		name := ""
		if c.Rows != nil {
			name = c.Rows[k]
		} else {
			name = c.Series[k].Name
		}
		fmt.Fprintf(text, "%s: ", name)
		for i, v := range points {
			if i > 0 {
				text.WriteString(", ")
			}
			if v.N == 0 {
				fmt.Fprintf(text, "none at %s", c.Ticks[i])
			} else {
				fmt.Fprintf(text, "%s at %s", number(v.Mean), c.Ticks[i])
			}
		}
		text.WriteString(". ")
	}
}

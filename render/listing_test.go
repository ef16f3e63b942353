package render

import (
	"fmt"
	"strings"
)

// listing returns the picture as text with one mark on each line, the form of the goldens.
func listing(p *Picture) string {
	var b strings.Builder
	fmt.Fprintf(&b, "picture %s×%s %s\ntitle %s\ntext %s\n", num(p.Width), num(p.Height), p.Theme, p.Title, p.Text)
	for _, m := range p.Marks {
		b.WriteString(line(m) + "\n")
	}
	for _, t := range p.Targets {
		fmt.Fprintf(&b, "target %s\n", t.Name)
	}
	return b.String()
}

// line returns a mark as text.
func line(m Mark) string {
	switch m := m.(type) {
	case Rect:
		s := fmt.Sprintf("rect %s %s×%s", nums(m.X, m.Y), num(m.W), num(m.H))
		if m.Radius > 0 {
			s += " radius " + num(m.Radius)
		}
		return s + paint(m.Fill, m.Stroke, m.Width, nil)
	case Circle:
		return fmt.Sprintf("circle %s r %s", nums(m.X, m.Y), num(m.R)) + paint(m.Fill, m.Stroke, m.Width, nil)
	case Path:
		s := "path"
		if m.Curved {
			s = "curve"
		}
		for _, q := range m.Points {
			s += " " + num(q.X) + "," + num(q.Y)
		}
		if m.Closed {
			s += " closed"
		}
		return s + paint(m.Fill, m.Stroke, m.Width, m.Dash)
	case Text:
		s := fmt.Sprintf("text %s %s %s", nums(m.X, m.Y), m.Anchor, num(m.Size))
		if m.Bold {
			s += " bold"
		}
		if m.Subscripts {
			s += " subscripts"
		}
		return s + fmt.Sprintf(" %s %q", m.Color, m.Value)
	}
	panic("render: a mark of another kind")
}

func paint(fill, stroke Color, width float64, dash []float64) string {
	s := ""
	if fill != "" {
		s += " fill " + string(fill)
	}
	if stroke != "" {
		s += " stroke " + string(stroke) + " " + num(width)
	}
	if dash != nil {
		s += " dash " + nums(dash...)
	}
	return s
}

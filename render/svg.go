package render

import (
	"bytes"
	"fmt"
	"strings"
)

// fonts lists the font of pictures and then others of the same widths.
const fonts = "Go, 'Liberation Sans', Arial, Helvetica, sans-serif"

// pageFonts lists the fonts of the page, for pictures in its colours, which stand in it.
const pageFonts = "Inter, 'SF Pro Text', 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, system-ui, sans-serif"

// SVG writes the picture as a document. The title names it and the sentence describes it to those
// who do not see it. The document has no ids, so that several may stand in one page, and neither
// a style attribute nor a script, so every content policy allows it. In the theme Page it has the
// fonts of the page and is light, or dark where its reader prefers that.
func SVG(p *Picture) []byte {
	var b bytes.Buffer
	family := fonts
	if p.Theme == Page {
		family = pageFonts
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" font-family="%s">`, num(p.Width), num(p.Height), family)
	fmt.Fprintf(&b, "\n<title>%s</title>\n<desc>%s</desc>\n", escape(p.Title), escape(p.Text))
	if p.Theme == Page {
		fmt.Fprintf(&b, "<style>@media(prefers-color-scheme:dark){%s}</style>\n", darken)
	}
	fmt.Fprintf(&b, `<rect width="%s" height="%s" fill="%s"/>`+"\n", num(p.Width), num(p.Height), p.Theme.Hex(Background))
	p.svgMarks(&b, false)
	b.WriteString("</svg>\n")
	if p.Theme == Page {
		return []byte(Standalone(b.String()))
	}
	return b.Bytes()
}

// Inline writes the picture as a part of a page. The page names it and gives it its fonts
// and, in the theme Page, its colours.
func Inline(p *Picture) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" data-facts="%s">`+"\n", num(p.Width), num(p.Height), escape(p.Data))
	p.svgMarks(&b, true)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// svgMarks writes the marks, with their classes if classes is set.
func (p *Picture) svgMarks(b *bytes.Buffer, classes bool) {
	for _, m := range p.Marks {
		switch m := m.(type) {
		case Rect:
			fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s"%s%s/>`, num(m.X), num(m.Y), num(m.W), num(m.H),
				attribute("rx", num(m.Radius), m.Radius > 0), p.svgPaint(m.Fill, m.Stroke, m.Width))
		case Circle:
			fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s"%s/>`, num(m.X), num(m.Y), num(m.R), p.svgPaint(m.Fill, m.Stroke, m.Width))
		case Path:
			before := [...]string{"M", "L", " "} // the first, the second and any other point
			if m.Curved {
				before[1] = "C"
			}
			fmt.Fprintf(b, `<path%s d="`, attribute("class", m.Class, m.Class != "" && classes))
			for k, q := range m.Points {
				b.WriteString(before[min(k, 2)] + nums(q.X, q.Y))
			}
			if m.Closed {
				b.WriteString("Z")
			}
			fmt.Fprintf(b, `"%s%s%s%s/>`, p.svgPaint(m.Fill, m.Stroke, m.Width),
				attribute("stroke-linecap", "round", m.Stroke != "" && m.Dash == nil),
				attribute("stroke-linejoin", "round", m.Stroke != ""),
				attribute("stroke-dasharray", nums(m.Dash...), m.Dash != nil))
		case Text:
			linked := strings.HasPrefix(m.Link, "http")
			if linked {
				fmt.Fprintf(b, `<a href="%s">`, escape(m.Link))
			}
			fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s"%s%s fill="%s">`, num(m.X), num(m.Y), num(m.Size),
				attribute("font-weight", "bold", m.Bold),
				attribute("text-anchor", m.Anchor.String(), m.Anchor != Start)+p.svgWidth(m),
				p.Theme.Hex(m.Color))
			y := m.Y
			for _, piece := range m.Pieces() {
				if piece.Y == y && piece.Size == m.Size {
					b.WriteString(escape(piece.Value))
					continue
				}
				fmt.Fprintf(b, `<tspan dy="%s" font-size="%s">%s</tspan>`, num(piece.Y-y), num(piece.Size), escape(piece.Value))
				y = piece.Y
			}
			b.WriteString("</text>")
			if linked {
				b.WriteString("</a>")
			}
		default:
			panic("render: a mark of another kind")
		}
		b.WriteString("\n")
	}
}

// svgWidth returns the attributes that give a text of a fitted picture its width.
func (p *Picture) svgWidth(t Text) string {
	if !p.Fitted || t.Value == "" {
		return ""
	}
	return attribute("textLength", num(t.Width()), true) + attribute("lengthAdjust", "spacingAndGlyphs", true)
}

// attribute returns an attribute, or "" unless it is wanted.
func attribute(name, value string, wanted bool) string {
	if !wanted {
		return ""
	}
	return fmt.Sprintf(` %s="%s"`, name, value)
}

// svgPaint returns the attributes of a fill and a stroke.
func (p *Picture) svgPaint(fill, stroke Color, width float64) string {
	s := ` fill="none"`
	if fill != "" {
		s = p.svgColor("fill", fill)
	}
	if stroke != "" {
		s += p.svgColor("stroke", stroke) + attribute("stroke-width", num(width), true)
	}
	return s
}

// svgColor returns the attributes of a colour, which may be translucent.
func (p *Picture) svgColor(of string, c Color) string {
	alpha := p.Theme.RGBA(c).A
	return attribute(of, p.Theme.Hex(c), true) + attribute(of+"-opacity", num(float64(alpha)/255), alpha < 255)
}

// escape makes any text safe between tags and in attributes. Characters that XML 1.0 does
// not allow become U+FFFD.
func escape(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return 0xFFFD
		}
		return r
	}, escaper.Replace(s))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

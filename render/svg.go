package render

import (
	"bytes"
	"fmt"
	"strings"
)

// fonts are those of a picture, then others of the same widths.
const fonts = "Go, 'Liberation Sans', Arial, Helvetica, sans-serif"

// SVG writes the picture as a document of its own: the same marks, with the
// title and the sentence for those who do not see it. It has no style
// attribute and no script, so that any content policy admits it. In the theme Page
// it is light or dark as its reader prefers.
func SVG(p *Picture) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title text" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" font-family="%s">`, num(p.Width), num(p.Height), fonts)
	fmt.Fprintf(&b, "\n<title id=\"title\">%s</title>\n<desc id=\"text\">%s</desc>\n", escape(p.Title), escape(p.Text))
	if p.Theme == Page {
		fmt.Fprintf(&b, "<style>svg{%s}@media(prefers-color-scheme:dark){svg{%s}}</style>\n", variables(Light), variables(Dark))
	}
	fmt.Fprintf(&b, `<rect width="%s" height="%s" fill="%s"/>`+"\n", num(p.Width), num(p.Height), p.Theme.Hex(Background))
	p.svgMarks(&b, false)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// Inline writes the picture as a part of a page, which names it, and whose fonts and,
// in the theme Page, colours it has.
func Inline(p *Picture) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" data-facts="%s">`+"\n", num(p.Width), num(p.Height), escape(p.Data))
	p.svgMarks(&b, true)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// svgMarks writes the marks, with their classes if a page shows them.
func (p *Picture) svgMarks(b *bytes.Buffer, classes bool) {
	for _, m := range p.Marks {
		switch m := m.(type) {
		case Rect:
			fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s"`, num(m.X), num(m.Y), num(m.W), num(m.H))
			if m.Radius > 0 {
				fmt.Fprintf(b, ` rx="%s"`, num(m.Radius))
			}
			p.svgPaint(b, m.Fill, m.Stroke, m.Width)
			b.WriteString("/>\n")
		case Circle:
			fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s"`, num(m.X), num(m.Y), num(m.R))
			p.svgPaint(b, m.Fill, m.Stroke, m.Width)
			b.WriteString("/>\n")
		case Path:
			b.WriteString("<path")
			if m.Class != "" && classes {
				fmt.Fprintf(b, ` class="%s"`, m.Class)
			}
			b.WriteString(` d="M`)
			for k, q := range m.Points {
				switch {
				case k == 1 && m.Curved:
					b.WriteString("C")
				case k == 1:
					b.WriteString("L")
				case k > 1:
					b.WriteString(" ")
				}
				b.WriteString(num(q.X) + " " + num(q.Y))
			}
			if m.Closed {
				b.WriteString("Z")
			}
			b.WriteString(`"`)
			p.svgPaint(b, m.Fill, m.Stroke, m.Width)
			if m.Stroke != "" && m.Dash == nil {
				b.WriteString(` stroke-linecap="round"`)
			}
			if m.Stroke != "" {
				b.WriteString(` stroke-linejoin="round"`)
			}
			if m.Dash != nil {
				b.WriteString(` stroke-dasharray="`)
				for k, dash := range m.Dash {
					if k > 0 {
						b.WriteString(" ")
					}
					b.WriteString(num(dash))
				}
				b.WriteString(`"`)
			}
			b.WriteString("/>\n")
		case Text:
			linked := strings.HasPrefix(m.Link, "http")
			if linked {
				fmt.Fprintf(b, `<a href="%s">`, escape(m.Link))
			}
			fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s"`, num(m.X), num(m.Y), num(m.Size))
			if m.Bold {
				b.WriteString(` font-weight="bold"`)
			}
			if m.Anchor != Start {
				fmt.Fprintf(b, ` text-anchor="%s"`, m.Anchor)
			}
			fmt.Fprintf(b, ` fill="%s">`, p.Theme.Hex(m.Color))
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
			b.WriteString("\n")
		default:
			panic("render: a mark of another kind")
		}
	}
}

func (p *Picture) svgPaint(b *bytes.Buffer, fill, stroke Color, width float64) {
	if fill == "" {
		b.WriteString(` fill="none"`)
	} else {
		fmt.Fprintf(b, ` fill="%s"%s`, p.Theme.Hex(fill), p.opacity("fill", fill))
	}
	if stroke != "" {
		fmt.Fprintf(b, ` stroke="%s"%s stroke-width="%s"`, p.Theme.Hex(stroke), p.opacity("stroke", stroke), num(width))
	}
}

// opacity returns the attribute of a translucent colour.
func (p *Picture) opacity(of string, c Color) string {
	if c[0] != '#' {
		return ""
	}
	if alpha := p.Theme.RGBA(c).A; alpha < 255 {
		return fmt.Sprintf(` %s-opacity="%s"`, of, num(float64(alpha)/255))
	}
	return ""
}

// escape makes any text safe between tags. Characters that XML 1.0 has no place
// for become U+FFFD.
func escape(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return 0xFFFD
		}
		return r
	}, escaper.Replace(s))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

package main

import (
	"math"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// outline draws text as the outlines of its glyphs: a figure looks the same in
// every format and on every machine, whatever fonts and encodings there are.
// The character after an underscore is a subscript: "V_*(π_k)".
type outline struct {
	text.Plain
}

// subscript is the size of a subscript, and how far it hangs below the line.
const (
	subscriptSize = 0.7
	subscriptDrop = 0.18
)

// glyph is one character in its place, in units of the font size.
type glyph struct {
	index          sfnt.GlyphIndex
	x, drop, scale float64
}

// layout places the characters of a line and returns its width, in units of the
// font size.
func layout(face *sfnt.Font, line string) (glyphs []glyph, width float64) {
	var buf sfnt.Buffer
	em := fixed.Int26_6(face.UnitsPerEm())
	runes := []rune(line)
	for k := 0; k < len(runes); k++ {
		g := glyph{x: width, scale: 1}
		if runes[k] == '_' && k+1 < len(runes) {
			k++
			g.drop, g.scale = subscriptDrop, subscriptSize
		}
		var err error
		if g.index, err = face.GlyphIndex(&buf, runes[k]); err != nil {
			continue
		}
		if n := len(glyphs); n > 0 && glyphs[n-1].scale == 1 && g.scale == 1 {
			if kern, err := face.Kern(&buf, glyphs[n-1].index, g.index, em, 0); err == nil {
				width += float64(kern) / float64(em)
				g.x = width
			}
		}
		if advance, err := face.GlyphAdvance(&buf, g.index, em, 0); err == nil {
			width += g.scale * float64(advance) / float64(em)
		}
		glyphs = append(glyphs, g)
	}
	return glyphs, width
}

// Box implements text.Handler.
func (o outline) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = o.Plain.Box("", fnt)
	face := o.Fonts.Lookup(fnt, fnt.Size)
	_, w := layout(face.Face, txt)
	return vg.Length(w) * fnt.Size, height, depth
}

// Draw implements text.Handler.
func (o outline) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	face := o.Fonts.Lookup(sty.Font, sty.Font.Size)
	c.Push()
	defer c.Pop()
	c.SetColor(sty.Color)
	c.Rotate(sty.Rotation)
	sin, cos := math.Sincos(sty.Rotation)
	x, y := float64(pt.X), float64(pt.Y)
	pt = vg.Point{X: vg.Length(y*sin + x*cos), Y: vg.Length(y*cos - x*sin)}
	pt.Y += sty.Height(txt)*vg.Length(sty.YAlign) - face.Extents().Ascent
	lines := o.Lines(txt)
	for i, line := range lines {
		glyphs, width := layout(face.Face, line)
		at := pt.Add(vg.Point{
			X: vg.Length(sty.XAlign) * vg.Length(width) * sty.Font.Size,
			Y: vg.Length(len(lines)-i) * sty.Font.Size,
		})
		for _, g := range glyphs {
			fill(c, face.Face, g, sty.Font.Size, at)
		}
	}
}

// fill fills one glyph's outline.
func fill(c vg.Canvas, face *sfnt.Font, g glyph, size vg.Length, at vg.Point) {
	var buf sfnt.Buffer
	em := fixed.Int26_6(face.UnitsPerEm())
	segments, err := face.LoadGlyph(&buf, g.index, em, nil)
	if err != nil {
		return
	}
	scale := float64(size) * g.scale / float64(em)
	to := func(p fixed.Point26_6) vg.Point { // outlines grow downwards
		return vg.Point{
			X: at.X + vg.Length(g.x)*size + vg.Length(float64(p.X)*scale),
			Y: at.Y - vg.Length(g.drop)*size - vg.Length(float64(p.Y)*scale),
		}
	}
	var path vg.Path
	for k, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if k > 0 {
				path.Close()
			}
			path.Move(to(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(to(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(to(s.Args[0]), to(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(to(s.Args[0]), to(s.Args[1]), to(s.Args[2]))
		}
	}
	if len(path) > 0 {
		path.Close()
		c.Fill(path)
	}
}

//go:build js

// Package canvas paints the pictures of package render with Ebitengine.
package canvas

import (
	"fmt"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/text/v2"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"

	"cpsrl/render"
)

// Painter paints pictures. Its fonts are the Go fonts.
type Painter struct {
	fonts    map[bool]*opentype.Font // by whether they are bold
	faces    map[style]text.Face
	has      map[letter]bool // whether a font has a letter, of those that were asked for
	white    *ebiten.Image
	mesh     render.Mesh
	vertices []ebiten.Vertex
}

// style is a weight and a size in pixels.
type style struct {
	bold bool
	size float64
}

// letter is a letter in a weight.
type letter struct {
	bold bool
	rune rune
}

// NewPainter returns a painter. The error is one in the fonts.
func NewPainter() (*Painter, error) {
	fonts := map[bool]*opentype.Font{}
	for bold, data := range map[bool][]byte{false: goregular.TTF, true: gobold.TTF} {
		font, err := opentype.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("canvas: %w", err)
		}
		fonts[bold] = font
	}
	white := ebiten.NewImage(3, 3)
	white.Fill(color.White)
	return &Painter{fonts: fonts, faces: map[style]text.Face{}, has: map[letter]bool{}, white: white}, nil
}

// face returns the face of a style.
func (p *Painter) face(s style) text.Face {
	if face, ok := p.faces[s]; ok {
		return face
	}
	face, err := opentype.NewFace(p.fonts[s.bold], &opentype.FaceOptions{Size: s.size, DPI: 72})
	if err != nil {
		panic("canvas: " + err.Error()) // the size is 0
	}
	p.faces[s] = text.NewGoXFace(face)
	return p.faces[s]
}

// Lacks reports whether the fonts lack a letter of the picture, which Paint would draw as a
// box.
func (p *Painter) Lacks(picture *render.Picture) bool {
	var buffer sfnt.Buffer
	for _, m := range picture.Marks {
		m, ok := m.(render.Text)
		if !ok {
			continue
		}
		for _, r := range m.Value {
			l := letter{m.Bold, r}
			has, known := p.has[l]
			if !known {
				glyph, err := p.fonts[m.Bold].GlyphIndex(&buffer, r)
				has = err == nil && glyph != 0
				p.has[l] = has
			}
			if !has {
				return true
			}
		}
	}
	return false
}

// Paint draws the picture. The scale is the number of device pixels in a CSS px.
func (p *Painter) Paint(dst *ebiten.Image, picture *render.Picture, scale float64) {
	dst.Fill(picture.Theme.RGBA(render.Background))
	for _, m := range picture.Marks {
		if m, ok := m.(render.Text); ok {
			p.shapes(dst)
			for _, piece := range m.Pieces() {
				p.text(dst, piece, picture.Theme, scale)
			}
			continue
		}
		p.mesh.Add(m, picture.Theme, scale)
	}
	p.shapes(dst)
}

// shapes draws the mesh and empties it.
func (p *Painter) shapes(dst *ebiten.Image) {
	if len(p.mesh.Indices) == 0 {
		return
	}
	p.vertices = p.vertices[:0]
	for _, v := range p.mesh.Vertices {
		p.vertices = append(p.vertices, ebiten.Vertex{
			DstX: v.X, DstY: v.Y, SrcX: 1, SrcY: 1, ColorR: v.R, ColorG: v.G, ColorB: v.B, ColorA: v.A,
		})
	}
	dst.DrawTriangles32(p.vertices, p.mesh.Indices, p.white, &ebiten.DrawTrianglesOptions{ColorScaleMode: ebiten.ColorScaleModePremultipliedAlpha})
	p.mesh.Reset()
}

// text draws a text without subscripts.
func (p *Painter) text(dst *ebiten.Image, m render.Text, theme render.Theme, scale float64) {
	face := p.face(style{m.Bold, m.Size * scale})
	options := &text.DrawOptions{}
	options.PrimaryAlign = [...]text.Align{render.Start: text.AlignStart, render.Middle: text.AlignCenter, render.End: text.AlignEnd}[m.Anchor]
	options.GeoM.Translate(m.X*scale, math.Round(m.Y*scale)-face.Metrics().HAscent)
	options.ColorScale.ScaleWithColor(theme.RGBA(m.Color))
	text.Draw(dst, m.Value, face, options)
}

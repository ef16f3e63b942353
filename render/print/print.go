// Package print writes pictures for paper: PDF with embedded fonts, and PNG. It writes
// only paths and texts, the marks of package chart. A program that links only [Sheet]
// contains neither the Go fonts nor the code for PNG.
package print

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"cpsrl/render"
)

// goFont returns a Go font as a TrueType file. It is a function, not a variable, so that a
// program that does not call it does not contain the fonts.
func goFont(heavy bool) []byte {
	if heavy {
		return gobold.TTF
	}
	return goregular.TTF
}

// lacking replaces the signs of formulas that the Go fonts lack.
var lacking = strings.NewReplacer("‖", "||")

// basic returns text without characters above U+FFFF, such as most emoji, which fpdf does not
// take. Each becomes U+FFFD.
func basic(text string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xFFFF {
			return 0xFFFD
		}
		return r
	}, text)
}

// pixelsPerInch is the number of CSS px in an inch.
const pixelsPerInch = 96

// PDF writes the picture as a document of one page, in the Go fonts. It returns a
// *[LettersError] if they lack a letter.
func PDF(p *render.Picture) ([]byte, error) { return document(p, goFont(false), goFont(true)) }

// document writes the picture as PDF in these fonts.
func document(p *render.Picture, regular, bold []byte) ([]byte, error) {
	if err := checkLetters(p, regular, bold); err != nil {
		return nil, err
	}
	const scale = 72.0 / pixelsPerInch
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: p.Width * scale, Ht: p.Height * scale}})
	// The same picture gives the same bytes at any time.
	f.SetCreationDate(time.Unix(0, 0).UTC())
	f.SetModificationDate(time.Unix(0, 0).UTC())
	f.SetCatalogSort(true)
	f.SetTitle(basic(p.Title), true)
	f.SetSubject(basic(p.Text), true)
	f.AddUTF8FontFromBytes("Go", "", regular)
	f.AddUTF8FontFromBytes("Go", "B", bold)
	f.AddPage()
	f.TransformBegin()
	f.TransformScaleXY(100*scale, 0, 0)
	f.SetLineJoinStyle("round")
	tint := func(c render.Color, set func(r, g, b int)) {
		rgba := color.NRGBAModel.Convert(p.Theme.RGBA(c)).(color.NRGBA)
		set(int(rgba.R), int(rgba.G), int(rgba.B))
		f.SetAlpha(float64(rgba.A)/255, "Normal")
	}
	trace := func(path render.Path, style string) {
		points := path.Flat()
		f.MoveTo(points[0].X, points[0].Y)
		for _, q := range points[1:] {
			f.LineTo(q.X, q.Y)
		}
		f.DrawPath(style)
	}
	if p.Theme == render.Dark { // a light background is the paper
		tint(render.Background, f.SetFillColor)
		f.Rect(0, 0, p.Width, p.Height, "F")
	}
	for _, m := range p.Marks {
		switch m := m.(type) {
		case render.Path:
			if m.Fill != "" {
				tint(m.Fill, f.SetFillColor)
				trace(m, "F")
			}
			if m.Stroke != "" {
				tint(m.Stroke, f.SetDrawColor)
				f.SetLineWidth(m.Width)
				f.SetDashPattern(m.Dash, 0)
				f.SetLineCapStyle(map[bool]string{true: "round", false: "butt"}[len(m.Dash) == 0])
				trace(m, "D")
			}
		case render.Text:
			tint(m.Color, f.SetTextColor)
			for _, piece := range m.Pieces() {
				f.SetFont("Go", map[bool]string{true: "B"}[m.Bold], piece.Size)
				f.Text(left(piece), piece.Y, lacking.Replace(piece.Value))
			}
		default:
			panic(fmt.Sprintf("print: a mark %v", m))
		}
	}
	f.TransformEnd()
	var b bytes.Buffer
	err := f.Output(&b)
	return b.Bytes(), err
}

// left returns where a text begins.
func left(t render.Text) float64 { return t.X - t.Width()*float64(t.Anchor)/2 }

// PNG writes the picture with that many dots per inch. It returns a *[LettersError] if the Go
// fonts lack a letter.
func PNG(p *render.Picture, dotsPerInch float64) ([]byte, error) {
	if err := checkLetters(p, goFont(false), goFont(true)); err != nil {
		return nil, err
	}
	scale := dotsPerInch / pixelsPerInch
	img := image.NewRGBA(image.Rect(0, 0, int(math.Round(p.Width*scale)), int(math.Round(p.Height*scale))))
	ink := func(c render.Color) image.Image { return image.NewUniform(p.Theme.RGBA(c)) }
	draw.Draw(img, img.Rect, ink(render.Background), image.Point{}, draw.Src)
	for _, m := range p.Marks {
		switch m := m.(type) {
		case render.Path:
			if m.Fill != "" {
				r := vector.NewRasterizer(img.Rect.Dx(), img.Rect.Dy())
				points := m.Flat()
				r.MoveTo(float32(points[0].X*scale), float32(points[0].Y*scale))
				for _, q := range points[1:] {
					r.LineTo(float32(q.X*scale), float32(q.Y*scale))
				}
				r.ClosePath()
				r.Draw(img, img.Rect, ink(m.Fill), image.Point{})
			}
			if m.Stroke != "" {
				draw.DrawMask(img, img.Rect, ink(m.Stroke), image.Point{}, stroke(img.Rect, m, scale), image.Point{}, draw.Over)
			}
		case render.Text:
			for _, piece := range m.Pieces() {
				f, err := opentype.Parse(goFont(m.Bold))
				if err != nil {
					return nil, err
				}
				face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: piece.Size * scale, DPI: 72})
				if err != nil {
					return nil, err
				}
				at := fixed.Point26_6{X: fixed.Int26_6(64 * left(piece) * scale), Y: fixed.Int26_6(64 * piece.Y * scale)}
				(&font.Drawer{Dst: img, Src: ink(m.Color), Face: face, Dot: at}).DrawString(lacking.Replace(piece.Value))
			}
		default:
			panic(fmt.Sprintf("print: a mark %v", m))
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// stroke returns the coverage of every pixel by the path, from the pixel's distance to the
// path. Pieces of a line together cover a pixel as much as the one that covers it most, so
// joints are smooth however close they are.
func stroke(bounds image.Rectangle, path render.Path, scale float64) *image.Alpha {
	mask := image.NewAlpha(bounds)
	reach := path.Width*scale/2 + 0.5
	for _, piece := range path.Dashes() {
		for k := range len(piece) - 1 {
			x0, y0, x1, y1 := piece[k].X*scale, piece[k].Y*scale, piece[k+1].X*scale, piece[k+1].Y*scale
			length := math.Hypot(x1-x0, y1-y0)
			ux, uy := 1.0, 0.0
			if length > 0 {
				ux, uy = (x1-x0)/length, (y1-y0)/length
			}
			area := image.Rect(int(min(x0, x1)-reach), int(min(y0, y1)-reach), int(max(x0, x1)+reach)+1, int(max(y0, y1)+reach)+1).Intersect(bounds)
			for y := area.Min.Y; y < area.Max.Y; y++ {
				for x := area.Min.X; x < area.Max.X; x++ {
					dx, dy := float64(x)+0.5-x0, float64(y)+0.5-y0
					along, across := dx*ux+dy*uy, math.Abs(dy*ux-dx*uy)
					past := max(-along, along-length) // if positive, the distance past an end
					cover := reach - math.Hypot(across, max(past, 0))
					if path.Dash != nil && (along < 0 && k == 0 || along > length && k == len(piece)-2) {
						cover = min(reach-across, 0.5-past)
					}
					at := mask.PixOffset(x, y)
					mask.Pix[at] = max(mask.Pix[at], uint8(255*max(0, min(cover, 1))))
				}
			}
		}
	}
	return mask
}

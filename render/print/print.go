// Package print writes pictures for paper: PDF with the Go fonts in it, and PNG.
// It writes the paths and texts that package chart draws.
package print

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
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

// fonts are the Go fonts by whether they are bold, styles their names in a PDF.
var (
	fonts  = map[bool][]byte{false: goregular.TTF, true: gobold.TTF}
	styles = map[bool]string{false: "", true: "B"}
)

// pixelsPerInch are the CSS px of an inch.
const pixelsPerInch = 96

// PDF writes the picture as a document of one page.
func PDF(p *render.Picture) ([]byte, error) {
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: p.Width * 72 / pixelsPerInch, Ht: p.Height * 72 / pixelsPerInch}})
	// The date in the file is no part of the picture.
	f.SetCreationDate(time.Unix(0, 0).UTC())
	f.SetModificationDate(time.Unix(0, 0).UTC())
	f.SetCatalogSort(true)
	f.SetTitle(p.Title, true)
	f.SetSubject(p.Text, true)
	for _, bold := range []bool{false, true} {
		f.AddUTF8FontFromBytes("Go", styles[bold], fonts[bold])
	}
	f.AddPage()
	f.TransformBegin()
	f.TransformScaleXY(100*72.0/pixelsPerInch, 0, 0)
	f.SetLineJoinStyle("round")
	for _, m := range p.Marks {
		switch m := m.(type) {
		case render.Path:
			for _, way := range []struct {
				style string
				color render.Color
				set   func(r, g, b int)
			}{{"F", m.Fill, f.SetFillColor}, {"D", m.Stroke, f.SetDrawColor}} {
				if way.color == "" {
					continue
				}
				c := straight(p, way.color)
				way.set(int(c.R), int(c.G), int(c.B))
				f.SetAlpha(float64(c.A)/255, "Normal")
				f.SetLineWidth(m.Width)
				f.SetDashPattern(m.Dash, 0)
				f.SetLineCapStyle(map[bool]string{true: "round", false: "butt"}[m.Dash == nil])
				flat := m.Flat()
				f.MoveTo(flat[0].X, flat[0].Y)
				for _, q := range flat[1:] {
					f.LineTo(q.X, q.Y)
				}
				if m.Closed {
					f.ClosePath()
				}
				f.DrawPath(way.style)
			}
		case render.Text:
			c := straight(p, m.Color)
			f.SetTextColor(int(c.R), int(c.G), int(c.B))
			f.SetAlpha(float64(c.A)/255, "Normal")
			for _, piece := range m.Pieces() {
				f.SetFont("Go", styles[m.Bold], piece.Size)
				f.Text(left(piece), piece.Y, piece.Value)
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

func straight(p *render.Picture, c render.Color) color.NRGBA {
	return color.NRGBAModel.Convert(p.Theme.RGBA(c)).(color.NRGBA)
}

// PNG writes the picture at so many dots per inch.
func PNG(p *render.Picture, dotsPerInch float64) ([]byte, error) {
	scale := dotsPerInch / pixelsPerInch
	img := image.NewRGBA(image.Rect(0, 0, int(math.Round(p.Width*scale)), int(math.Round(p.Height*scale))))
	draw.Draw(img, img.Bounds(), image.NewUniform(p.Theme.RGBA(render.Background)), image.Point{}, draw.Src)
	for _, m := range p.Marks {
		switch m := m.(type) {
		case render.Path:
			if m.Fill != "" {
				fill(img, m.Flat(), scale, p.Theme.RGBA(m.Fill))
			}
			if m.Stroke != "" {
				stroke(img, m, scale, p.Theme.RGBA(m.Stroke))
			}
		case render.Text:
			for _, piece := range m.Pieces() {
				f, err := opentype.Parse(fonts[m.Bold])
				if err != nil {
					return nil, err
				}
				face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: piece.Size * scale, DPI: 72})
				if err != nil {
					return nil, err
				}
				at := fixed.Point26_6{X: fixed.Int26_6(64 * left(piece) * scale), Y: fixed.Int26_6(64 * piece.Y * scale)}
				(&font.Drawer{Dst: img, Src: image.NewUniform(p.Theme.RGBA(m.Color)), Face: face, Dot: at}).DrawString(piece.Value)
			}
		default:
			panic(fmt.Sprintf("print: a mark %v", m))
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// left is where a text begins.
func left(t render.Text) float64 { return t.X - t.Width()*float64(t.Anchor)/2 }

func fill(dst draw.Image, outline []render.Point, scale float64, c color.RGBA) {
	size := dst.Bounds().Size()
	r := vector.NewRasterizer(size.X, size.Y)
	for k, p := range outline {
		x, y := float32(p.X*scale), float32(p.Y*scale)
		if k == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(dst, dst.Bounds(), image.NewUniform(c), image.Point{})
}

// stroke paints the path by the distance of each pixel from it. Pieces of a line
// cover a pixel together no more than the one that covers most of it, so that
// joints are smooth however close they are.
func stroke(dst draw.Image, path render.Path, scale float64, c color.RGBA) {
	mask := image.NewAlpha(dst.Bounds())
	half := path.Width * scale / 2
	for _, piece := range path.Dashes() {
		for k := range len(piece) - 1 {
			x0, y0, x1, y1 := piece[k].X*scale, piece[k].Y*scale, piece[k+1].X*scale, piece[k+1].Y*scale
			length := math.Hypot(x1-x0, y1-y0)
			ux, uy := 1.0, 0.0
			if length > 0 {
				ux, uy = (x1-x0)/length, (y1-y0)/length
			}
			area := image.Rect(
				int(min(x0, x1)-half-1), int(min(y0, y1)-half-1), int(max(x0, x1)+half+2), int(max(y0, y1)+half+2),
			).Intersect(mask.Rect)
			for y := area.Min.Y; y < area.Max.Y; y++ {
				for x := area.Min.X; x < area.Max.X; x++ {
					dx, dy := float64(x)+0.5-x0, float64(y)+0.5-y0
					along, across := dx*ux+dy*uy, math.Abs(dy*ux-dx*uy)
					past := max(-along, along-length) // the ends, where positive
					cover := 0.5 + half - math.Hypot(across, max(past, 0))
					if path.Dash != nil && (along < 0 && k == 0 || along > length && k == len(piece)-2) {
						cover = min(0.5+half-across, 0.5-past)
					}
					at := mask.PixOffset(x, y)
					mask.Pix[at] = max(mask.Pix[at], uint8(255*max(0, min(cover, 1))))
				}
			}
		}
	}
	draw.DrawMask(dst, dst.Bounds(), image.NewUniform(c), image.Point{}, mask, image.Point{}, draw.Over)
}

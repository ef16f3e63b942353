package main

import (
	"fmt"
	"os"
	"path/filepath"

	"cpsrl/render"
	"cpsrl/render/print"
)

// The icon has two nodes with edges into a third one, in a square of 16. index.html has the same
// icon as a data: address.
const (
	iconColor = "#009E73"
	nodeSize  = 2.4
	edgeWidth = 1.6
)

var (
	iconNodes = []render.Point{{X: 4, Y: 3.5}, {X: 4, Y: 12.5}, {X: 12, Y: 8}}
	iconSizes = []float64{192, 512} // in px, of the icons that a manifest needs
)

// icon draws the icon white on its colour in a square of so many px, with so much room around it
// that a system may cut the square to a circle.
func icon(size float64) *render.Picture {
	scale, margin := size/26, size*5/26
	at := func(p render.Point) render.Point { return render.Point{X: margin + p.X*scale, Y: margin + p.Y*scale} }
	p := &render.Picture{Width: size, Height: size, Theme: render.Light, Title: "C-PSRL playground"}
	p.Marks = append(p.Marks, render.Path{Points: []render.Point{{}, {X: size}, {X: size, Y: size}, {Y: size}}, Closed: true, Fill: iconColor})
	end := at(iconNodes[2])
	for _, n := range iconNodes[:2] {
		p.Marks = append(p.Marks, render.Path{Points: []render.Point{at(n), end}, Stroke: "#ffffff", Width: edgeWidth * scale})
	}
	for _, n := range iconNodes {
		p.Marks = append(p.Marks, disc(at(n), nodeSize*scale))
	}
	return p
}

// disc returns a white circle as four cubic curves, which are off by less than 0.03% of its radius.
func disc(c render.Point, r float64) render.Path {
	const k = 0.5522847498
	path := render.Path{Curved: true, Closed: true, Fill: "#ffffff"}
	for _, q := range []render.Point{
		{X: 1}, {X: 1, Y: k}, {X: k, Y: 1}, {Y: 1}, {X: -k, Y: 1}, {X: -1, Y: k}, {X: -1},
		{X: -1, Y: -k}, {X: -k, Y: -1}, {Y: -1}, {X: k, Y: -1}, {X: 1, Y: -k}, {X: 1},
	} {
		path.Points = append(path.Points, render.Point{X: c.X + q.X*r, Y: c.Y + q.Y*r})
	}
	return path
}

// writeIcons writes icon-SIZE.png for each size into a folder.
func writeIcons(dir string) error {
	for _, size := range iconSizes {
		data, err := print.PNG(icon(size), 96)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("icon-%v.png", size)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

package render

import (
	"math"
	"strings"
	"testing"
)

// By hand: a subscript is lowered and the line raised again; a translucent colour
// has its opacity, an opaque one none.
func TestSVGOfMarks(t *testing.T) {
	svg := string(SVG(&Picture{Width: 100, Height: 50, Theme: Light, Marks: []Mark{
		Text{X: 10, Y: 20, Size: 10, Color: Ink, Value: "V_*(π_k) & _1", Subscripts: true},
		Text{X: 10, Y: 20, Size: 10, Color: Ink, Value: "my_name"},
		Path{Points: []Point{{1, 2}, {3, 4}}, Closed: true, Fill: "#D55E0033", Stroke: "#0072B2", Width: 1},
	}}))
	for _, want := range []string{
		`>V<tspan dy="1.8" font-size="7">*</tspan><tspan dy="-1.8" font-size="10">(π</tspan><tspan dy="1.8" font-size="7">k</tspan><tspan dy="-1.8" font-size="10">) &amp; </tspan><tspan dy="1.8" font-size="7">1</tspan></text>`,
		`>my_name</text>`,
		`<path d="M1 2L3 4Z" fill="#D55E00" fill-opacity="0.2" stroke="#0072B2" stroke-width="1"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s in\n%s", want, svg)
		}
	}
}

// An anchor is that of the whole text, subscripts and all.
func TestPieces(t *testing.T) {
	text := Text{X: 50, Y: 20, Size: 10, Value: "d_X = 9", Subscripts: true}
	for anchor, left := range map[Anchor]float64{Start: 50, Middle: 50 - text.Width()/2, End: 50 - text.Width()} {
		text.Anchor = anchor
		pieces := text.Pieces()
		if len(pieces) != 3 || math.Abs(pieces[0].X-left) > 1e-9 || math.Abs(pieces[1].X-left-5.56) > 1e-9 || pieces[2].Anchor != Start {
			t.Errorf("%v: %v, want them from %v on", anchor, pieces, left)
		}
	}
}

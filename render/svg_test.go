package render

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// By hand: a subscript is lowered and the text after it raised again. A translucent colour
// has an opacity, an opaque one does not.
func TestSVGOfMarks(t *testing.T) {
	svg := string(SVG(&Picture{Width: 100, Height: 50, Theme: Light, Marks: []Mark{
		Text{X: 10, Y: 20, Size: 10, Color: Ink, Value: "V_*(π_k) & _1", Subscripts: true},
		Text{X: 10, Y: 20, Size: 10, Color: Ink, Value: "my_name"},
		Text{X: 10, Y: 20, Size: 10, Color: Ink, Value: "Σ_{l ≤ k} z_{ a}", Subscripts: true},
		Text{X: 10, Y: 20, Size: 10, Color: Ink, Value: "here", Link: "https://example.org/?a&b"},
		Text{X: 10, Y: 20, Size: 10, Color: Ink, Value: "nowhere", Link: "javascript:alert(1)"},
		Path{Points: []Point{{1, 2}, {3, 4}}, Closed: true, Fill: "#D55E0033", Stroke: "#0072B2", Width: 1},
	}}))
	for _, want := range []string{
		`>V<tspan dy="1.8" font-size="7">*</tspan><tspan dy="-1.8" font-size="10">(π</tspan><tspan dy="1.8" font-size="7">k</tspan><tspan dy="-1.8" font-size="10">) &amp; </tspan><tspan dy="1.8" font-size="7">1</tspan></text>`,
		`>my_name</text>`,
		`>Σ<tspan dy="1.8" font-size="7">l ≤ k</tspan><tspan dy="-1.8" font-size="10"> z</tspan><tspan dy="1.8" font-size="7"> a</tspan></text>`,
		`<a href="https://example.org/?a&amp;b"><text x="10" y="20" font-size="10" fill="#1c1b19">here</text></a>`,
		`<text x="10" y="20" font-size="10" fill="#1c1b19">nowhere</text>` + "\n",
		`<path d="M1 2L3 4Z" fill="#D55E00" fill-opacity="0.2" stroke="#0072B2" stroke-width="1"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s in\n%s", want, svg)
		}
	}
}

// In the theme Page a part of a page has the page's colours, and a document those of its
// reader's theme. Only a part of a page has classes.
func TestThemePage(t *testing.T) {
	p := &Picture{Width: 100, Height: 50, Theme: Page, Data: `{"a":1}`, Marks: []Mark{
		Path{Class: "curve", Points: []Point{{1, 2}, {3, 4}}, Stroke: Ink, Width: 1}, Text{Color: Muted, Value: "x"},
	}}
	marks := `d="M1 2L3 4" fill="none" stroke="var(--ink)" stroke-width="1" stroke-linecap="round" stroke-linejoin="round"/>
<text x="0" y="0" font-size="0" fill="var(--muted)">x</text>
</svg>
`
	alone, part := string(SVG(p)), string(Inline(p))
	for _, want := range []string{
		`<style>svg{--edge:#8b877e;--ink:#1c1b19;--line:#d6d3cb;--muted:#5c5953;--paper:#ffffff;--raised:#f1f0ec}@media(prefers-color-scheme:dark){svg{--edge:#77746c;--ink:#ecebe7;--line:#42403c;--muted:#aaa79f;--paper:#121212;--raised:#222220}}</style>`,
		`fill="var(--paper)"/>` + "\n<path " + marks,
	} {
		if !strings.Contains(alone, want) {
			t.Errorf("there is no %s in\n%s", want, alone)
		}
	}
	if !strings.HasSuffix(part, `<path class="curve" `+marks) || !strings.Contains(part, ` data-facts="{&quot;a&quot;:1}">`) || strings.Contains(part, "style") || strings.Contains(part, "id=") {
		t.Errorf("part of a page:\n%s", part)
	}
}

// An anchor applies to the whole text with its subscripts.
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

// Only the texts of a fitted picture have a width.
func TestFitted(t *testing.T) {
	word := Text{X: 10, Y: 20, Size: 10, Color: Ink, Value: "passenger"}
	p := Picture{Width: 100, Height: 50, Theme: Light, Marks: []Mark{word}}
	want := fmt.Sprintf(` textLength="%s" lengthAdjust="spacingAndGlyphs"`, num(word.Width()))
	for _, write := range []func(*Picture) []byte{SVG, Inline} {
		p.Fitted = false
		if strings.Contains(string(write(&p)), "textLength") {
			t.Error("a text of a picture that is not fitted has a width")
		}
		p.Fitted = true
		if got := string(write(&p)); !strings.Contains(got, want) {
			t.Errorf("no%s in %s", want, got)
		}
	}
}

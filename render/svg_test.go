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

// Documents that stand in one page have no id that two of them could share; the title and the
// sentence, which are the first children, name and describe each.
func TestSVGWithoutIDs(t *testing.T) {
	for _, theme := range []Theme{Light, Dark, Page} {
		svg := string(SVG(&Picture{Title: "A & B", Text: "C < D", Theme: theme}))
		if strings.Contains(svg, "id=") || strings.Contains(svg, "labelledby") || !strings.Contains(svg, ` role="img" `) || !strings.Contains(svg, ">\n<title>A &amp; B</title>\n<desc>C &lt; D</desc>\n") {
			t.Error(svg)
		}
	}
}

// In the theme Page a part of a page has the page's colours, and a document those of its
// reader's theme. Only a part of a page has classes.
func TestThemePage(t *testing.T) {
	p := &Picture{Width: 100, Height: 50, Theme: Page, Data: `{"a":1}`, Marks: []Mark{
		Path{Class: "curve", Points: []Point{{1, 2}, {3, 4}}, Stroke: Ink, Width: 1}, Text{Color: Muted, Value: `"var(--ink)"`}, Circle{R: 3, Fill: CabInk},
	}}
	// The colours of a document are plain, so that programs without CSS draw it in the light theme;
	// a fixed colour that is the same as one of the theme stays in the dark one.
	marks := func(ink, muted string) string {
		return `d="M1 2L3 4" fill="none" stroke="` + ink + `" stroke-width="1" stroke-linecap="round" stroke-linejoin="round"/>
<text x="0" y="0" font-size="0" fill="` + muted + `">&quot;var(--ink)&quot;</text>
<circle cx="0" cy="0" r="3" fill="#1c1b19"/>
</svg>
`
	}
	alone, part := string(SVG(p)), string(Inline(p))
	for _, want := range []string{
		`<style>@media(prefers-color-scheme:dark){[fill="#FFFFFF"]{fill:#121212}[stroke="#FFFFFF"]{stroke:#121212}`,
		`[fill="#1C1B19"]{fill:#ecebe7}[stroke="#1C1B19"]{stroke:#ecebe7}`,
		`fill="#FFFFFF"/>` + "\n<path " + marks("#1C1B19", "#5C5953"),
	} {
		if !strings.Contains(alone, want) {
			t.Errorf("there is no %s in\n%s", want, alone)
		}
	}
	if strings.Contains(strings.ReplaceAll(alone, "&quot;var(--ink)&quot;", ""), "var(") {
		t.Errorf("a document has custom properties:\n%s", alone)
	}
	if !strings.HasSuffix(part, `<path class="curve" `+marks("var(--ink)", "var(--muted)")) || !strings.Contains(part, ` data-facts="{&quot;a&quot;:1}">`) || strings.Contains(part, "style") || strings.Contains(part, "id=") {
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

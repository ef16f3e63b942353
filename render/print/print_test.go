package print

import (
	"bytes"
	"compress/zlib"
	"image"
	"image/png"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"

	"cpsrl/core/results"
	"cpsrl/render"
)

// Oracle: the Go fonts.
func TestWidths(t *testing.T) {
	const size = 1000
	for bold, texts := range map[bool][]string{
		false: {"V*(π*) − V*(πl), l ≤ k", "mean ± t(0.975, n − 1)s/√n (Student’s t)", "ℓ1 of 5×5, η = 2", "Σ"},
		true:  {"Taxi: Z = 5, H = 15", "dX"},
	} {
		f, err := opentype.Parse(goFont(bold))
		if err != nil {
			t.Fatal(err)
		}
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range texts {
			want := float64(font.MeasureString(face, value)) / 64
			got := render.Text{Value: value, Size: size, Bold: bold}.Width()
			if math.Abs(got-want) > float64(len(value)) {
				t.Errorf("%q is %v wide, want %v", value, got, want)
			}
		}
	}
	// A subscript takes 0.7 of its width.
	plain, low := render.Text{Value: "ab", Size: size}, render.Text{Value: "a_b", Size: size, Subscripts: true}
	b := render.Text{Value: "b", Size: size}
	if got, want := low.Width(), plain.Width()-0.3*b.Width(); math.Abs(got-want) > 1e-9 {
		t.Errorf("a_b is %v wide, want %v", got, want)
	}
}

// Every sign in the texts of the measures is in the fonts or is replaced.
func TestSigns(t *testing.T) {
	for _, heavy := range []bool{false, true} {
		f, err := opentype.Parse(goFont(heavy))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range results.Measures() {
			for _, sign := range lacking.Replace(m.Noun + m.Axis + m.Definition + m.Formula) {
				if glyph, err := f.GlyphIndex(nil, sign); err != nil || glyph == 0 {
					t.Errorf("%s: no %q", m.Key, sign)
				}
			}
		}
	}
}

// Letters that the fonts lack are refused in one sentence, not drawn as boxes. The title and the
// sentence of a PDF, which no font shows, may have any.
func TestLetters(t *testing.T) {
	for value, says := range map[string]string{
		"محطة حديثة": `the font of PDF and PNG lacks محطةديث, as in "محطة حديثة"; SVG can show them`,
		"תחנה":       "lacks תחנה, as in",
		"出租车":        "lacks 出租车, as in",
		"टैक्सी":     "lacks ट",
		"coin 🚕":     `lacks 🚕, as in "coin 🚕"`,
		"अआइईउऊऋऌऍऎ": "lacks अआइईउऊऋऌ and 2 more",
		"Ελλάδα, кириллица, État Łódź ‖ ± ≤ η₁ → ×": "",
	} {
		for _, bold := range []bool{false, true} {
			p := picture(render.Text{X: 10, Y: 50, Size: 10, Color: render.Ink, Value: "a"}, render.Text{X: 10, Y: 50, Size: 10, Bold: bold, Value: value, Color: render.Ink})
			p.Title, p.Text = "🚕", "محطة"
			_, pdf := PDF(p)
			_, png := PNG(p, 96)
			for _, err := range []error{pdf, png} {
				if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
					t.Errorf("%q: %v, want %q", value, err, says)
				}
			}
		}
	}
}

// Oracle: the font's table as golang.org/x/image reads it.
func TestLettersOfFonts(t *testing.T) {
	for _, heavy := range []bool{false, true} {
		f, err := opentype.Parse(goFont(heavy))
		if err != nil {
			t.Fatal(err)
		}
		have, n := lettersOf(goFont(heavy)), 0
		for r := rune(0); r < 0x10100; r++ {
			glyph, err := f.GlyphIndex(nil, r)
			if err != nil {
				t.Fatal(err)
			}
			if have.has(r) != (glyph != 0) {
				t.Fatalf("%U: %v, but its glyph is %d", r, have.has(r), glyph)
			}
			if glyph != 0 {
				n++
			}
		}
		if n < 600 {
			t.Errorf("%d letters", n)
		}
	}
}

func picture(marks ...render.Mark) *render.Picture {
	return &render.Picture{Width: 200, Height: 100, Theme: render.Light, Title: "title", Text: "text", Marks: marks}
}

// ink returns the area of black in CSS px, and its bounds.
func ink(t *testing.T, dpi float64, marks ...render.Mark) (area float64, bounds image.Rectangle) {
	t.Helper()
	data, err := PNG(picture(marks...), dpi)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	scale := dpi / pixelsPerInch
	if want := image.Rect(0, 0, int(200*scale+0.5), int(100*scale+0.5)); img.Bounds() != want {
		t.Fatalf("%v dpi: %v, want %v", dpi, img.Bounds(), want)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if v, _, _, _ := img.At(x, y).RGBA(); v < 0xffff {
				area += 1 - float64(v)/0xffff
				bounds = bounds.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return area / scale / scale, bounds
}

// Oracle: areas by hand.
func TestPNG(t *testing.T) {
	const black = "#000000"
	across := []render.Point{{X: 20, Y: 30}, {X: 120, Y: 30}}
	slant := []render.Point{{X: 20, Y: 20}, {X: 80, Y: 100 - 20}, {X: 140, Y: 20}} // 2 × 84.85
	var close []render.Point
	for k := range 1000 {
		close = append(close, render.Point{X: 20 + float64(k)/10, Y: 30})
	}
	square := []render.Point{{X: 10, Y: 10}, {X: 30, Y: 10}, {X: 30, Y: 30}, {X: 10, Y: 30}}
	for name, test := range map[string]struct {
		mark render.Path
		want float64
	}{
		"square":      {render.Path{Points: square, Closed: true, Fill: black}, 400},
		"translucent": {render.Path{Points: square, Closed: true, Fill: black + "80"}, 400 * 128.0 / 255},
		"line":        {render.Path{Points: across, Stroke: black, Width: 4}, 400 + 4*math.Pi},
		"thin":        {render.Path{Points: across, Stroke: black, Width: 1}, 100 + math.Pi/4},
		"dashed":      {render.Path{Points: across, Stroke: black, Width: 4, Dash: []float64{10, 10}}, 200},
		"dense":       {render.Path{Points: close, Stroke: black, Width: 4}, 400 + 4*math.Pi}, // joints add nothing
		"dot":         {render.Path{Points: across[:1:1], Stroke: black, Width: 10, Closed: true}, 25 * math.Pi},
		"slant":       {render.Path{Points: slant, Stroke: black, Width: 2}, 4*84.85 + math.Pi},
	} {
		for _, dpi := range []float64{96, 300} {
			if got, _ := ink(t, dpi, test.mark); math.Abs(got-test.want) > 0.03*test.want {
				t.Errorf("%s at %v dpi: %.1f px, want %.1f", name, dpi, got, test.want)
			}
		}
	}
}

// A text is at its anchor, and a subscript is below the line.
func TestPNGText(t *testing.T) {
	for anchor, left := range map[render.Anchor]float64{render.Start: 100, render.Middle: 100 - 0.5, render.End: 100 - 1} {
		text := render.Text{X: 100, Y: 50, Anchor: anchor, Size: 20, Color: render.Ink, Value: "HHHH"}
		if anchor != render.Start {
			left = 100 - (100-left)*text.Width()
		}
		_, at := ink(t, 96, text)
		if math.Abs(float64(at.Min.X)-left) > 3 || math.Abs(float64(at.Max.X)-left-text.Width()) > 3 || at.Max.Y > 51 || at.Max.Y < 49 {
			t.Errorf("%v: %v, want from %v, %v wide", anchor, at, left, text.Width())
		}
	}
	low := render.Text{X: 100, Y: 50, Size: 20, Color: render.Ink, Value: "H_H", Subscripts: true}
	if _, at := ink(t, 96, low); at.Max.Y < 53 {
		t.Errorf("%v: the subscript is not low", at)
	}
}

// inflated returns a document followed by its compressed parts, decompressed.
func inflated(document string) string {
	text := document
	for rest := document; ; {
		_, after, found := strings.Cut(rest, "stream\n")
		if !found {
			return text
		}
		if r, err := zlib.NewReader(strings.NewReader(after)); err == nil {
			plain, _ := io.ReadAll(r)
			text += string(plain)
		}
		rest = after
	}
}

func TestPDF(t *testing.T) {
	p := picture(
		render.Path{Points: []render.Point{{X: 20, Y: 30}, {X: 120, Y: 40}, {X: 90, Y: 50}}, Closed: true, Fill: "#00000080", Stroke: "#FF0000", Width: 2, Dash: []float64{7, 3}},
		render.Text{X: 10, Y: 10, Size: 12, Color: render.Ink, Value: "V_*(π)", Subscripts: true},
	)
	document, err := PDF(p)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if again, _ := PDF(p); !bytes.Equal(again, document) {
			t.Fatal("the same picture gives another document")
		}
	}
	text := inflated(string(document))
	for _, want := range []string{
		"150.00 75.00", "/ca 0.502", // a page of 200 × 100 px, in points
		"0.75000 0.00000 0.00000 0.75000 0.00000 18.75000 cm", "20.00 45.00 m", "120.00 35.00 l", "90.00 25.00 l", // upwards from the foot
		"[7.00 3.00] 0.00 d", "1.000 0.000 0.000 RG", "10.00 65.00 Td", "18.00 62.84 Td",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in it", want)
		}
	}
	if t.Failed() {
		t.Logf("%.3000s", text[len(document):])
	}
}

// The dark theme has a background; in the light theme the paper is the background.
func TestPDFBackground(t *testing.T) {
	area := func(theme render.Theme) bool {
		p := picture(render.Text{X: 10, Y: 10, Size: 12, Color: render.Ink, Value: "V"})
		p.Theme = theme
		document, err := PDF(p)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(inflated(string(document)), "0.071 g\n") && strings.Contains(inflated(string(document)), "0.00 75.00 200.00 -100.00 re f")
	}
	if area(render.Light) || !area(render.Dark) {
		t.Errorf("light has a background: %v, dark: %v", area(render.Light), area(render.Dark))
	}
}

// The PDF of a sheet has the bytes of the picture's PDF: JSON does not change numbers and
// texts.
func TestSheet(t *testing.T) {
	p := picture(
		render.Path{Class: "curve", Points: []render.Point{{X: 0.1 + 0.2, Y: 1.0 / 3}, {X: 1e-9, Y: 40}, {X: 90, Y: math.Nextafter(50, 51)}}, Closed: true, Fill: "#00000080", Stroke: render.Faint, Width: 2.5, Dash: []float64{7, 3}},
		render.Path{Points: []render.Point{{X: 1, Y: 2}, {X: 3, Y: 4}, {X: 5, Y: 6}, {X: 7, Y: 8}}, Curved: true, Stroke: "#FF0000", Width: 1},
		render.Text{X: 10, Y: 10, Anchor: render.End, Size: 12, Bold: true, Color: render.Ink, Value: "V_*(π) ± 1 ≤ η <&>\"", Subscripts: true, Link: "https://example.org/?a&b"},
	)
	p.Theme, p.Title = render.Dark, "\u2028"
	sheet, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readSheet(sheet); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("%v\n%v, want\n%v", err, got, p)
	}
	want, err := PDF(p)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Sheet(sheet, goFont(false), goFont(true)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v; it differs from the picture's PDF", err)
	}
	for document, says := range map[string]string{
		`{"Marks":[{"Points":[],"Value":"V"}]}`: "mark 0 of the sheet is neither a path nor a text",
		`{"Marks":[{"R":4}]}`:                   "mark 0 of the sheet is neither a path nor a text",
		`{`:                                     "unexpected end of JSON input",
	} {
		if _, err := Sheet([]byte(document), goFont(false), goFont(true)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", document, err, says)
		}
	}
}

// A sheet that can be read stays the same when it is written and read again.
func FuzzSheet(f *testing.F) {
	f.Add([]byte(`{"Width":200,"Height":100,"Marks":[{"Points":[{"X":1,"Y":2}],"Stroke":"#FF0000","Width":1,"Dash":[]},{"X":1,"Y":2,"Size":12,"Value":"V_*"}]}`))
	f.Add([]byte(`{"Theme":1,"Marks":[{"Points":[],"Value":"V"}]}`))
	f.Fuzz(func(t *testing.T, sheet []byte) {
		p, err := readSheet(sheet)
		if err != nil {
			return
		}
		again, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		q, err := readSheet(again)
		if err != nil {
			t.Fatalf("%s, written again as %s: %v", sheet, again, err)
		}
		if twice, err := json.Marshal(q); err != nil || !bytes.Equal(twice, again) {
			t.Errorf("%s became %s, then %s: %v", sheet, again, twice, err)
		}
	})
}

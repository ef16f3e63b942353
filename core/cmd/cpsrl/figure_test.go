package main

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/results"
	"cpsrl/render"
)

// mark is a path or a line of text of an SVG.
type mark struct {
	XMLName xml.Name
	D       string  `xml:"d,attr"`
	Fill    string  `xml:"fill,attr"`
	Stroke  string  `xml:"stroke,attr"`
	Width   float64 `xml:"stroke-width,attr"`
	Dash    string  `xml:"stroke-dasharray,attr"`
	X       float64 `xml:"x,attr"`
	Y       float64 `xml:"y,attr"`
	Anchor  string  `xml:"text-anchor,attr"`
	Value   string  `xml:",chardata"`
}

// points reads the data of a path of straight lines.
func (m *mark) points(t *testing.T) (list [][2]float64) {
	t.Helper()
	fields := strings.Fields(strings.NewReplacer("M", " ", "L", " ", "Z", " ").Replace(m.D))
	for k := 0; k+1 < len(fields); k += 2 {
		x, errX := strconv.ParseFloat(fields[k], 64)
		y, errY := strconv.ParseFloat(fields[k+1], 64)
		if errX != nil || errY != nil {
			t.Fatal(m.D)
		}
		list = append(list, [2]float64{x, y})
	}
	return list
}

// axis reads a scale from its first and its last label: value = a + b·place.
func axis(t *testing.T, labels []mark, place func(*mark) float64) func(float64) float64 {
	t.Helper()
	if len(labels) < 2 {
		t.Fatalf("%d labels", len(labels))
	}
	var value, at [2]float64
	for k, m := range []mark{labels[0], labels[len(labels)-1]} {
		var err error
		if value[k], err = strconv.ParseFloat(strings.Replace(m.Value, "−", "-", 1), 64); err != nil {
			t.Fatal(err)
		}
		at[k] = place(&m)
	}
	return func(x float64) float64 { return value[0] + (x-at[0])/(at[1]-at[0])*(value[1]-value[0]) }
}

// TestCurves reads the curves and bands of every figure by its axes. Oracle: the
// summary of the same records.
func TestCurves(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "-depth", "yes"))
	out := filepath.Join(t.TempDir(), "f.svg")
	for _, of := range results.Measures() {
		if of.End > 0 { // this problem has no ends
			continue
		}
		ok(t, "plot", path, "-o", out, "-of", of.Key)
		var picture struct {
			Marks []mark `xml:",any"`
		}
		if err := xml.Unmarshal([]byte(read(t, out)), &picture); err != nil {
			t.Fatal(err)
		}
		var xs, ys []mark
		for _, m := range picture.Marks {
			switch m.Anchor {
			case "middle":
				xs = append(xs, m)
			case "end":
				if _, err := strconv.ParseFloat(strings.Replace(m.Value, "−", "-", 1), 64); err == nil {
					ys = append(ys, m)
				}
			}
		}
		x := axis(t, xs, func(m *mark) float64 { return m.X })
		y := axis(t, ys, func(m *mark) float64 { return m.Y - 4 }) // the baseline of figures as high as 8
		near := math.Abs(y(0.011) - y(0))                          // the SVG's hundredths of a pixel

		summary := csv.NewReader(strings.NewReader(ok(t, "summary", path, "-of", of.Key)))
		summary.Comment = '#'
		rows, err := summary.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for label, color := range map[string]string{"psrl": "#D55E00", "f-psrl": "#0072B2", "c-psrl": "#009E73"} {
			var want [][3]float64 // mean, lo, hi by episode
			for _, row := range rows[1:] {
				if row[0] == label {
					var values [3]float64
					for k := range values {
						if values[k], err = strconv.ParseFloat(row[2+k], 64); err != nil {
							t.Fatal(err)
						}
					}
					want = append(want, values)
				}
			}
			if want == nil {
				continue
			}
			shown++
			var curve, band [][2]float64
			for _, m := range picture.Marks {
				switch points := m.points(t); {
				case m.Stroke == color && m.Width == 2 && len(points) == len(want):
					curve = points
					if (m.Dash == "") != (label == "psrl") {
						t.Errorf("%s of %s has the dashes %q", of.Key, label, m.Dash)
					}
				case m.Fill == color:
					band = points
				}
			}
			if len(curve) != len(want) || len(band) != 2*len(want) {
				t.Fatalf("%s of %s: %d and %d points for %d episodes", of.Key, label, len(curve), len(band), len(want))
			}
			for k, values := range want {
				bottom, top := 0.0, math.Inf(1)
				if of.Most > 0 {
					top = of.Most
				}
				if of.Signed {
					bottom = math.Inf(-1)
				}
				upper, lower := band[k], band[len(band)-1-k]
				for _, pair := range [][2]float64{
					{y(curve[k][1]), values[0]}, {y(lower[1]), max(bottom, values[1])}, {y(upper[1]), min(top, values[2])},
				} {
					if math.Abs(pair[0]-pair[1]) > near {
						t.Errorf("%s of %s, episode %d: %v is drawn, want %v", of.Key, label, k+1, pair[0], pair[1])
					}
				}
				for _, at := range []float64{curve[k][0], upper[0], lower[0]} {
					if math.Abs(x(at)-float64(k+1)) > 0.01 {
						t.Errorf("%s of %s, episode %d is drawn at %v", of.Key, label, k+1, x(at))
					}
				}
			}
		}
		if want := len(measured(t, path, of)); shown != want || want < least(of) {
			t.Errorf("%s: %d curves, want %d", of.Key, shown, want)
		}
	}
}

// Curves of one figure differ in colour or dashes, and every colour has a contrast of at
// least 3:1 on white.
func TestLooks(t *testing.T) {
	labels := []string{"psrl", "f-psrl", "f-psrl:graph=prior", "c-psrl", "c-psrl:eta=0", "c-psrl:eta=1", "c-psrl:eta=2", "c-psrl:eta=3"}
	seen := map[string]string{}
	for k, label := range labels {
		l := armOf(t, label).Look()
		key := fmt.Sprint(l)
		if other, ok := seen[key]; ok {
			t.Errorf("%s looks like %s", labels[k], other)
		}
		seen[key] = labels[k]
		if c := contrast(render.Light.RGBA(render.Color(l.Color))); c < 3 {
			t.Errorf("%s: contrast %.2f on white", labels[k], c)
		}
	}
	// Oracle: the agents' looks, by hand.
	for label, want := range map[string]arm.Look{
		"psrl":               {Color: "#D55E00"},
		"f-psrl":             {Color: "#0072B2", Dash: []float64{8, 4}},
		"f-psrl:graph=prior": {Color: "#4B86B4", Dash: []float64{2, 3}},
		"c-psrl":             {Color: "#009E73", Dash: []float64{10, 4, 2, 4}},
	} {
		if got := armOf(t, label).Look(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", label, got, want)
		}
	}
}

func armOf(t *testing.T, label string) arm.Arm {
	t.Helper()
	arm, err := arm.Parse(label)
	if err != nil {
		t.Fatal(err)
	}
	return arm
}

// contrast is the contrast with white of WCAG 2.
func contrast(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 1.05 / (0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B) + 0.05)
}

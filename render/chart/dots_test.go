package chart

import (
	"math"
	"strings"
	"testing"

	"cpsrl/core/curve"
	"cpsrl/render"
)

// By hand. A run without a value counts as above all others.
func TestRowMiddle(t *testing.T) {
	none := math.NaN()
	for _, test := range []struct {
		values []float64
		median float64
		sum    string
	}{
		{[]float64{3, 1, 2}, 2, "median 2"},
		{[]float64{4, 1, 2, 3}, 2.5, "median 2.5"},
		{[]float64{none, 1, 2}, 2, "2 of 3, median 2"},
		{[]float64{none, 1, none, 2}, none, "2 of 4"},
		{[]float64{none}, none, "0 of 1"},
	} {
		r := rowOf("", test.values...)
		if median, _ := r.median(); median != test.median && !(math.IsNaN(median) && math.IsNaN(test.median)) || r.inWords() != test.sum {
			t.Errorf("%v: %v, %q", test.values, median, r.inWords())
		}
	}
}

// dotsOf returns the places of a picture's dots in the order of drawing.
func dotsOf(p *render.Picture) (places []render.Point) {
	for _, m := range p.Marks {
		if path, ok := m.(render.Path); ok && path.Class == "dot" {
			places = append(places, path.Points[0])
		}
	}
	return places
}

func rowOf(name string, values ...float64) Curve {
	c := Curve{Name: name, Short: "η = 1", Color: "#0072B2"}
	for k, v := range values {
		c.Points = append(c.Points, curve.Point{Episode: k + 1, Mean: v})
	}
	return c
}

// Dots of a row do not touch if there is room, and all are within the picture and their own
// row. On a logarithmic axis a zero is left out, and the text says so.
func TestDots(t *testing.T) {
	for _, width := range []float64{0, 300, 900} {
		for _, n := range []int{1, 20, 400} {
			c := &Chart{X: "x", Y: "y", None: "not yet", Width: width, Episodes: 100, Dots: true}
			for range 3 {
				var values []float64
				for k := range n {
					v := float64(k * 7 % 101)
					if k%11 == 10 {
						v = math.NaN()
					}
					values = append(values, v)
				}
				c.Curves = append(c.Curves, rowOf("C-PSRL (η = 1)", values...))
			}
			p := c.Picture()
			f, dots := facts(t, p), dotsOf(p)
			if len(dots) != 3*n {
				t.Fatalf("%d dots of %d runs", len(dots), 3*n)
			}
			height := (f.Bottom - f.Top) / 3
			for k, at := range dots {
				row := float64(k / n)
				if at.X < f.Left || at.X > p.Width || at.Y < f.Top+row*height || at.Y > f.Top+(row+1)*height {
					t.Errorf("%v wide, %d runs: a dot of row %v at %v", width, n, row, at)
				}
				for _, other := range dots[n*(k/n) : k] {
					if d := math.Hypot(at.X-other.X, at.Y-other.Y); n == 20 && width != 300 && d < dot-0.2 {
						t.Errorf("%v wide: dots at %v and %v", width, at, other)
					}
				}
			}
			for _, m := range p.Marks {
				if text, ok := m.(render.Text); ok {
					if left := text.X - text.Width()*float64(text.Anchor)/2; left < 0 || left+text.Width() > p.Width {
						t.Errorf("%v wide: %v leaves the picture", width, text)
					}
				}
			}
		}
	}
	c := &Chart{X: "x", Y: "y", LogX: true, Dots: true, Curves: []Curve{rowOf("a", 0, 1, 10)}}
	p := c.Picture()
	if f := facts(t, p); len(dotsOf(p)) != 2 || !strings.Contains(f.Hidden, "no place") || f.First != 1 || f.Last != 10 {
		t.Errorf("%+v", f)
	}
}

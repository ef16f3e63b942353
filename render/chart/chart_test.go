package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/render"
)

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		low, high, least float64
		want             string
	}{
		{0, 500, 1, "0 100 200 300 400 500"},
		{0, 60, 1, "0 10 20 30 40 50 60"},
		{0, 1, 0, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 1, 1, "0 1"}, // there is no half of an episode
		{0, 1.1e-6, 0, "0.0000000 0.0000002 0.0000004 0.0000006 0.0000008 0.0000010"},
		{-3, 9, 0, "−2 0 2 4 6 8"},
		{0, 114, 0, "0 20 40 60 80 100"},
	} {
		var labels []string
		for _, tick := range ticks(test.low, test.high, test.least) {
			labels = append(labels, tick.label)
			if tick.value < test.low || tick.value > test.high+1e-9 {
				t.Errorf("%v to %v: a tick at %v", test.low, test.high, tick.value)
			}
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%v to %v: %s, want %s", test.low, test.high, got, test.want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, test := range []struct{ at, want []float64 }{
		{[]float64{10, 50}, []float64{10, 50}},
		{[]float64{50, 50}, []float64{45, 55}},         // the first above
		{[]float64{48, 52}, []float64{45, 55}},         // around their mean
		{[]float64{0, 1}, []float64{0, 10}},            // not above the ceiling
		{[]float64{99, 100}, []float64{90, 100}},       // not below the floor
		{[]float64{40, 50, 53}, []float64{38, 48, 58}}, // groups grow (mean 47⅔)
		{[]float64{53, 40, 50, 90}, []float64{58, 38, 48, 90}},
	} {
		got := slices.Clone(test.at)
		spread(got, 10, 0, 100)
		for k := range got {
			if math.Abs(got[k]-test.want[k]) > 0.5 {
				t.Errorf("%v became %v, want %v", test.at, got, test.want)
				break
			}
		}
	}
}

// TestThin keeps the first and the last of many points, and every one of few.
func TestThin(t *testing.T) {
	for _, n := range []int{1, 2, most, most + 1, 100_000} {
		var points []Point
		for k := range n {
			points = append(points, Point{Episode: k + 1})
		}
		kept := thin(points)
		if m := len(kept); m > most+1 || n <= most && m != n || kept[0].Episode != 1 || kept[m-1].Episode != n {
			t.Errorf("of %d: %d points from %d to %d", n, m, kept[0].Episode, kept[len(kept)-1].Episode)
		}
	}
}

// curve has its means and half widths of bands, NaN for none, by episode.
func curve(name string, means, half []float64) Curve {
	c := Curve{Name: name, Color: "#0072B2"}
	for k, mean := range means {
		c.Points = append(c.Points, Point{k + 1, mean, mean - half[k], mean + half[k]})
	}
	return c
}

// TestBands: a point without an interval parts a band, no band leaves the plot,
// and one that is cut is told of.
func TestBands(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		most  float64
		means []float64
		half  []float64
		told  string
	}{
		{0, []float64{3, 3, 3, 4, 3}, []float64{1, 2, nan, 3, 2}, ""},
		{0, []float64{3, 3, 3, 4, 3}, []float64{1, 2, nan, 5, 2}, " Bands are cut off at 0."},
		{5, []float64{3, 3, 3, 4, 3}, []float64{1, 2, nan, 2, 2}, " Bands are cut off at 5."},
		{5, []float64{3, 3, 3, 4, 3}, []float64{4, 2, nan, 2, 2}, " Bands are cut off at 0 and 5."},
		{0, []float64{3, 3, 3, -4, 3}, []float64{1, 2, nan, 9, 2}, ""}, // the axis goes on
	} {
		p := (&Chart{Title: "t", X: "x", Y: "y", Caption: "Caption.", Most: test.most, Curves: []Curve{curve("c", test.means, test.half)}}).Picture()
		var sizes []int
		for _, m := range p.Marks {
			if path, ok := m.(render.Path); ok && path.Fill != "" {
				sizes = append(sizes, len(path.Points))
			}
		}
		if !slices.Equal(sizes, []int{4, 4}) {
			t.Errorf("%v: bands of %v points", test, sizes)
		}
		if want := "Caption." + test.told; !strings.HasSuffix(p.Text, want) {
			t.Errorf("%v: %q does not end in %q", test, p.Text, want)
		}
	}
}

// TestLegible: all marks are within the picture, also where a font is wider;
// names do not touch each other, whatever they are and however many.
func TestLegible(t *testing.T) {
	long := strings.Repeat("a very long name ", 8)
	for _, n := range []int{1, 3, 12, 20} {
		for _, name := range []string{"C-PSRL (η = 1)", "G_0", long} {
			c := &Chart{Title: long + "d_X = 9", X: "episode k", Y: "d_Y", Caption: long + long + long}
			for k := range n {
				c.Curves = append(c.Curves, curve(fmt.Sprint(name, k), []float64{1, 2, 2 + float64(k)/50}, []float64{1, 1, 3}))
			}
			p := c.Picture()
			var names []float64
			for _, m := range p.Marks {
				switch m := m.(type) {
				case render.Path:
					for _, q := range m.Points {
						if !(q.X >= 0 && q.X <= p.Width && q.Y >= 0 && q.Y <= p.Height) {
							t.Errorf("%v is outside of %v×%v", m, p.Width, p.Height)
						}
					}
				case render.Text:
					left := m.X - m.Width()*float64(m.Anchor)/2
					if left < 0 || left+1.1*m.Width() > p.Width || m.Y < m.Size || m.Y+m.Size/3 > p.Height || m.Size < 11 {
						t.Errorf("%v is outside of %v×%v, or small", m, p.Width, p.Height)
					}
					if strings.HasPrefix(m.Value, name) && m.Anchor == render.Start && m.X > 300 {
						names = append(names, m.Y)
					}
				}
			}
			slices.Sort(names)
			if len(names) != n {
				t.Fatalf("%d names of %d", len(names), n)
			}
			for k := 1; k < n; k++ {
				if names[k]-names[k-1] < label {
					t.Errorf("%d names: two are %v apart", n, names[k]-names[k-1])
				}
			}
		}
	}
}

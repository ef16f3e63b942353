package chart

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/curve"
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
		{0, 1, 1, "0 1"}, // no half of an episode
		{0, 1.1e-6, 0, "0.0000000 0.0000002 0.0000004 0.0000006 0.0000008 0.0000010"},
		{-3, 9, 0, "−2 0 2 4 6 8"},
		{0, 114, 0, "0 20 40 60 80 100"},
		{0, 190, 0, "0 20 40 60 80 100 120 140 160 180"},
		{0, 190, 21, "0 50 100 150"},
		{0, 190, 51, "0 100"},
		{0, 500, 101, "0 200 400"},
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

// thin keeps the first and the last of many points, and all of few. On a logarithmic axis, points are kept as near to each
// other as can be seen, also the first ones, and no two that cannot be told apart.
func TestThin(t *testing.T) {
	for _, n := range []int{1, 2, most, most + 1, 100_000} {
		var points []curve.Point
		for k := range n {
			points = append(points, curve.Point{Episode: k + 1})
		}
		kept := thin(points)
		if m := len(kept); m > most+1 || n <= most && m != n || kept[0].Episode != 1 || kept[m-1].Episode != n {
			t.Errorf("of %d: %d points from %d to %d", n, m, kept[0].Episode, kept[len(kept)-1].Episode)
		}
		if n < 2 {
			continue
		}
		d := &draft{x: scale{1, float64(n), true}}
		seen := d.shown(Curve{Points: points})
		if m := len(seen); m > most+1 || n <= most && m != n || seen[m-1].Episode != n {
			t.Errorf("of %d on a logarithmic axis: %d points to %d", n, m, seen[m-1].Episode)
		}
		for k := range min(50, n) {
			if seen[k].Episode != k+1 {
				t.Errorf("of %d on a logarithmic axis, the point %d is that of episode %d", n, k, seen[k].Episode)
				break
			}
		}
	}
}

// curve returns a curve with these means and half widths of bands by episode; NaN is none.
func newCurve(name string, means, half []float64) Curve {
	c := Curve{Name: name, Color: "#0072B2"}
	for k, mean := range means {
		c.Points = append(c.Points, curve.Point{Episode: k + 1, Mean: mean, Lo: mean - half[k], Hi: mean + half[k]})
	}
	return c
}

// A point without an interval divides a band. No band leaves the plot, and the text says if
// one is cut.
func TestBands(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		most  float64
		means []float64
		half  []float64
		told  string
	}{
		{0, []float64{3, 3, 3, 4, 3}, []float64{1, 2, nan, 2, 2}, ""},
		{0, []float64{3, 3, 3, 4, 3}, []float64{4, 2, nan, 2, 2}, " Bands are cut off at 0 and 6."}, // half as much again as the largest mean
		{5, []float64{3, 3, 3, 4, 3}, []float64{1, 2, nan, 2, 2}, " Bands are cut off at 5."},
		{5, []float64{3, 3, 3, 4, 3}, []float64{4, 2, nan, 2, 2}, " Bands are cut off at 0 and 5."},
		{0, []float64{3, 3, 3, -4, 3}, []float64{1, 2, nan, 9, 2}, ""}, // the axis goes on
	} {
		p := (&Chart{Title: "t", X: "x", Y: "y", Notes: []Note{{Text: "Caption."}}, Most: test.most, Curves: []Curve{newCurve("c", test.means, test.half)}}).Picture()
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
		if want := strings.TrimSpace(test.told); facts(t, p).Hidden != want {
			t.Errorf("%v: the facts say %q, want %q", test, facts(t, p).Hidden, want)
		}
	}
}

// All marks are within the picture, also in a wider font. Names do not touch each other.
func TestLegible(t *testing.T) {
	long := strings.Repeat("a very long name ", 8)
	for _, n := range []int{1, 3, 12, 20} {
		for _, name := range []string{"C-PSRL (η = 1)", "G_0", long} {
			c := &Chart{Title: long + "d_X = 9", X: "episode k", Y: "d_Y", Notes: []Note{{Text: long + long + long}}}
			for k := range n {
				c.Curves = append(c.Curves, newCurve(fmt.Sprint(name, k), []float64{1, 2, 2 + float64(k)/50}, []float64{1, 1, 3}))
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
				if names[k]-names[k-1] < body {
					t.Errorf("%d names: two are %v apart", n, names[k]-names[k-1])
				}
			}
		}
	}
}

// The line of a run is thin and behind the others, has neither name nor dot, and is within
// the axis. Runs are counted together in the text. A range is a second, wider band.
func TestRuns(t *testing.T) {
	c := newCurve("c", []float64{1, 2, 3}, []float64{0.5, 0.5, 0.5})
	for k := range c.Points {
		p := &c.Points[k]
		p.Least, p.Greatest = p.Mean-1, p.Mean+4
	}
	curves := []Curve{c}
	for k := range 40 {
		run := newCurve("c", []float64{0, 2, 3 + float64(k)}, []float64{math.NaN(), math.NaN(), math.NaN()})
		run.Run = true
		curves = append(curves, run)
	}
	p := (&Chart{X: "x", Y: "y", LogY: true, Curves: curves}).Picture()
	var order []string
	names, fills := 0, 0
	for _, m := range p.Marks {
		switch m := m.(type) {
		case render.Path:
			if m.Class != "" && !slices.Contains(order, m.Class) {
				order = append(order, m.Class)
			}
			if m.Class == "run" && m.Width >= 1 {
				t.Errorf("a run's line is %v wide", m.Width)
			}
			if m.Fill != "" {
				fills++
			}
		case render.Text:
			if m.Value == "c" {
				names++
			}
		}
	}
	f := facts(t, p)
	if !slices.Equal(order, []string{"run", "curve"}) || names != 1 || fills != 2 || f.High < 42 || strings.Count(p.Text, "c: ") != 1 {
		t.Errorf("layers %v, %d names, %d bands, up to %v, %q", order, names, fills, f.High, p.Text)
	}
	if want := "Left out, for a logarithmic axis has no zero: 40 of 120 points of the runs of c."; !strings.Contains(f.Hidden, want) {
		t.Errorf("%q", f.Hidden)
	}
}

// facts returns the facts of a picture.
func facts(t *testing.T, p *render.Picture) (f Facts) {
	t.Helper()
	if err := json.Unmarshal([]byte(p.Data), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLogTicks(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		most      int
		want      string
	}{
		{1, 100, 9, "1 2 5 10 20 50 100"},
		{1, 100, 6, "1 10 100"},
		{1, 1000, 9, "1 10 100 1000"},
		{0.02, 0.3, 9, "0.02 0.05 0.1 0.2"},
		{1e-9, 1, 6, "10⁻⁹ 10⁻⁷ 10⁻⁵ 0.001 0.1"},
		{2, 5e7, 6, "100 10000 10⁶"},
		{60, 90, 9, "60 70 80 90"},
		{3, 4, 9, "3 4"},
		{3, 9, 6, "3 9"},
	} {
		var labels []string
		for _, tick := range (scale{test.low, test.high, true}).ticks(test.most, 1) {
			labels = append(labels, tick.label)
		}
		if got := strings.Join(labels, " "); got != test.want || len(labels) > test.most {
			t.Errorf("%v to %v: %s, want %s", test.low, test.high, got, test.want)
		}
	}
}

// TestLogAxes reads the points of a curve from two logarithmic axes by the facts. A mean of
// zero is left out, and the text says so.
func TestLogAxes(t *testing.T) {
	c := newCurve("c", []float64{0, 0.5, 20, 80, 40}, []float64{1, 1, 1, 500, 1})
	p := (&Chart{X: "x", Y: "y", LogX: true, LogY: true, Width: 600, Height: 300, Type: 13, Curves: []Curve{c}}).Picture()
	f := facts(t, p)
	if p.Width != 600 || math.Abs(p.Height-300) > 1e-9 {
		t.Errorf("%v×%v", p.Width, p.Height)
	}
	if f.First != 1 || f.Last != 5 || f.Low != 0.5 || f.High != 200 { // 80 and half as much again, to one digit
		t.Errorf("%+v", f)
	}
	if want := "Left out, for a logarithmic axis has no zero: 1 of 5 points of c. Bands are cut off at 0.5 and 200."; f.Hidden != want {
		t.Errorf("%q, want %q", f.Hidden, want)
	}
	lines := paths(p, "curve")
	if len(lines) != 1 || len(lines[0].Points) != 4 {
		t.Fatalf("%v", lines)
	}
	for k, q := range lines[0].Points {
		episode := math.Exp((q.X - f.Left) / (f.Right - f.Left) * math.Log(f.Last))
		value := f.Low * math.Exp((f.Bottom-q.Y)/(f.Bottom-f.Top)*math.Log(f.High/f.Low))
		if want := c.Points[k+1]; math.Abs(episode-float64(want.Episode)) > 1e-9 || math.Abs(value-want.Mean) > 1e-9*want.Mean {
			t.Errorf("a point at %v, %v; want %v", episode, value, want)
		}
	}
}

// paths returns the paths of a class.
func paths(p *render.Picture, class string) (list []render.Path) {
	for _, m := range p.Marks {
		if path, ok := m.(render.Path); ok && path.Class == class {
			list = append(list, path)
		}
	}
	return list
}

// Ghosts are thin, behind the others and without bands. A ghost that ends beside the curve
// of its row has its mark beside that name; another has a name of its own.
func TestGhosts(t *testing.T) {
	flat := func(row, mark string, at float64) Curve {
		c := newCurve(row, []float64{at, at}, []float64{1, 1})
		c.Row, c.Mark = row, mark
		return c
	}
	for _, short := range []bool{false, true} {
		c := &Chart{X: "x", Y: "y", Width: 700, Type: 12, Curves: []Curve{
			flat("one", "", 50), flat("two", "", 49), flat("one", "A", 50.5), flat("one", "B", 51), flat("two", "A", 10),
		}}
		if short {
			c.Width = 400
		}
		p := c.Picture()
		if n, m := len(paths(p, "curve")), len(paths(p, "ghost")); n != 2 || m != 3 {
			t.Errorf("%d curves and %d ghosts", n, m)
		}
		var classes, names []string
		bands := 0
		for _, m := range p.Marks {
			switch m := m.(type) {
			case render.Path:
				if m.Class != "" {
					classes = append(classes, m.Class)
				}
				if m.Fill != "" {
					bands++
					if m.Fill != "#0072B232" { // as without ghosts
						t.Errorf("a band is %s", m.Fill)
					}
				}
			case render.Text:
				if m.Anchor == render.Start && m.X > facts(t, p).Right {
					names = append(names, m.Value)
				}
			}
		}
		if want := "ghost ghost ghost curve curve"; strings.Join(classes, " ") != want || bands != 2 {
			t.Errorf("%v and %d bands", classes, bands)
		}
		want := []string{"one, A, B", "two", "two, A"}
		if short {
			want = []string{"one", "two", "A", "B", "A"}
		}
		if !slices.Equal(names, want) {
			t.Errorf("names %q, want %q", names, want)
		}
	}
}

// In a low picture the numbers of the vertical axis are no closer than lines of text.
func TestLowPictures(t *testing.T) {
	for _, logY := range []bool{false, true} {
		for height := 140.0; height <= 460; height += 20 {
			c := Chart{X: "x", Y: "y", Width: 567, Height: height, Type: 13, LogY: logY, Curves: []Curve{newCurve("c", []float64{1, 190}, []float64{0, 0})}}
			var places []float64
			for _, m := range c.Picture().Marks {
				if text, ok := m.(render.Text); ok && text.Anchor == render.End && text.Value != "x" {
					places = append(places, text.Y)
				}
			}
			slices.Sort(places)
			if len(places) < 2 {
				t.Errorf("%v px, log %t: %d numbers", height, logY, len(places))
			}
			for k := 1; k < len(places); k++ {
				if gap := places[k] - places[k-1]; gap < 15 {
					t.Errorf("%v px, log %t: numbers are %.1f px apart", height, logY, gap)
				}
			}
		}
	}
}

// A longer ghost does not stretch the vertical axis of a shorter experiment.
func TestBeyond(t *testing.T) {
	short, long := newCurve("c", []float64{1, 2}, []float64{0, 0}), newCurve("c", []float64{1, 2, 300}, []float64{0, 0, 500})
	long.Mark = "A"
	of := func(c Chart) Facts { return facts(t, c.Picture()) }
	alone := of(Chart{X: "x", Y: "y", Episodes: 2, Curves: []Curve{short}})
	if both := of(Chart{X: "x", Y: "y", Episodes: 2, Curves: []Curve{short, long}}); both.Last != alone.Last || both.High != alone.High || both.Hidden != "" {
		t.Errorf("the axes are %+v, and %+v beside a ghost that goes on", alone, both)
	}
	if f := of(Chart{X: "x", Y: "y", Curves: []Curve{short, long}}); f.Last != 3 || f.High < 300 {
		t.Errorf("without a last episode the axes are %+v", f)
	}
}

// A wide band of few runs is cut off, unless Whole is set.
func TestHeadroom(t *testing.T) {
	c := Chart{X: "x", Y: "y", Curves: []Curve{newCurve("c", []float64{1, 2}, []float64{90, 90})}}
	if f := facts(t, c.Picture()); f.Low != 0 || f.High != 3 {
		t.Errorf("from %v to %v", f.Low, f.High)
	}
	c.Whole = true
	c.Curves[0].Points[0].Mean = -1
	if f := facts(t, c.Picture()); f.Low != -89 || f.High != 92 || f.Hidden != "" {
		t.Errorf("from %v to %v: %s", f.Low, f.High, f.Hidden)
	}
}

// Very large, very small and equal values give finite places and axes.
func TestExtremes(t *testing.T) {
	values := []float64{0, 5e-324, 1e-200, Least, 1e-9, 1, 1e15, Most}
	for _, a := range values {
		for _, b := range append(values, -a, -1, -Most) {
			for k := range 8 {
				c := Curve{Name: "c", Color: "#0072B2", Points: []curve.Point{{Episode: 1, Mean: a, Lo: min(a, b), Hi: max(a, b), Least: a, Greatest: b}, {Episode: 2, Mean: b, Lo: b, Hi: b}}}
				p := (&Chart{X: "x", Y: "y", LogX: k&1 > 0, LogY: k&2 > 0, Whole: k&4 > 0, Width: 600, Height: 300, Curves: []Curve{c}}).Picture()
				if text := string(render.SVG(p)) + p.Data; strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || len(p.Marks) > 60 {
					t.Fatalf("%v, %v: %d marks, %.2000s", a, b, len(p.Marks), text)
				}
			}
		}
	}
}

// A word that is longer than a line is broken, and no character is lost.
func TestLongWords(t *testing.T) {
	link := "https://example.org/#" + strings.Repeat("key=value&", 60) + "ω=" + strings.Repeat("8", 300)
	p := (&Chart{X: "x", Y: "y", Width: 500, Notes: []Note{{Text: link, Fine: true, Link: link}}, Curves: []Curve{newCurve("c", []float64{1}, []float64{0})}}).Picture()
	var told strings.Builder
	for _, m := range p.Marks {
		if m, ok := m.(render.Text); ok && m.Link == link {
			told.WriteString(m.Value)
			if m.Width() > 500 {
				t.Errorf("a line of %v px", m.Width())
			}
		}
	}
	if told.String() != link {
		t.Errorf("%d bytes of %d are drawn: …%s", told.Len(), len(link), told.String()[told.Len()-40:])
	}
}

// A text is drawn whole even if the picture is narrower than its margins, where nothing fits.
func TestNarrowText(t *testing.T) {
	c := &Chart{Title: "a  wide  title", X: "x", Y: "y", Width: 100, Type: 53, Curves: []Curve{newCurve("c", []float64{1}, []float64{0})}}
	var told strings.Builder
	for _, mark := range c.Picture().Marks {
		if text, ok := mark.(render.Text); ok && text.Bold {
			told.WriteString(text.Value)
		}
	}
	if told.String() != "awidetitle" {
		t.Errorf("%q is drawn", told.String())
	}
}

// The cost of a paragraph is linear in the length of its text.
func TestLongText(t *testing.T) {
	cost := func(note string) float64 {
		c := &Chart{X: "x", Y: "y", Width: 500, Notes: []Note{{Text: note}}, Curves: []Curve{newCurve("c", []float64{1}, []float64{0})}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c.Picture()
		c.PGFPlots(func(text string) string { return text })
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	for _, part := range []string{"key=value&", "8888888888", "nine words", "ωωωωωωωωω ", "__________", "_{_{_{_{_{", "a_{b}_{c}d"} {
		if small, large := cost(strings.Repeat(part, 500)), cost(strings.Repeat(part, 4000)); large > 12*small {
			t.Errorf("8 times as much of %q takes %.1f times the memory", part, large/small)
		}
	}
}

// TestNamesBelongToTheirLines checks that the name of a curve that has not come far stands at its end, in the plot, and that
// long names leave the plot most of its width.
func TestNamesBelongToTheirLines(t *testing.T) {
	line := func(name, mark string, last int) Curve {
		c := Curve{Row: name, Name: name, Mark: mark, Color: map[string]render.Color{"C-PSRL": "#009E73", "F-PSRL": "#0072B2", "PSRL": "#D55E00"}[name]}
		for k := 1; k <= last; k++ {
			c.Points = append(c.Points, curve.Point{Episode: k, Mean: float64(k), Lo: math.NaN(), Hi: math.NaN()})
		}
		return c
	}
	c := Chart{Episodes: 100, Width: 567, Height: 332, Type: 13, Theme: render.Page, Curves: []Curve{
		line("C-PSRL", "", 20), line("F-PSRL", "", 20), line("C-PSRL", "ours", 100), line("PSRL", "", 100)}}
	p := c.Picture()
	var facts Facts
	if err := json.Unmarshal([]byte(p.Data), &facts); err != nil {
		t.Fatal(err)
	}
	if wide := facts.Right - facts.Left; wide < 400 {
		t.Errorf("the plot is %.0f px wide", wide)
	}
	end := facts.Left + (facts.Right-facts.Left)*19/99
	found := map[string][]float64{}
	for _, mark := range p.Marks {
		if text, ok := mark.(render.Text); ok {
			found[text.Value] = append(found[text.Value], text.X)
		}
	}
	// The ghost is alone at the right side, so it has the name of its line there.
	if at := found["C-PSRL"]; len(at) != 2 || math.Abs(min(at[0], at[1])-end) > 20 || max(at[0], at[1]) < facts.Right {
		t.Errorf("C-PSRL stands at %v, its lines end at %.0f and %.0f", at, end, facts.Right)
	}
	if at := found["F-PSRL"]; len(at) != 1 || math.Abs(at[0]-end) > 20 {
		t.Errorf("F-PSRL stands at %v, its line ends at %.0f", at, end)
	}
	// Beside its line at the right side, the ghost has its mark; the plot stays as wide.
	c.Curves[0] = line("C-PSRL", "", 100)
	p = c.Picture()
	if !slices.ContainsFunc(p.Marks, func(mark render.Mark) bool { text, ok := mark.(render.Text); return ok && text.Value == "ours" }) {
		t.Error("the ghost has no mark")
	}
	var after Facts
	if err := json.Unmarshal([]byte(p.Data), &after); err != nil || after.Right != facts.Right {
		t.Errorf("the plot ends at %v, and ended at %v; %v", after.Right, facts.Right, err)
	}
}

package main

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"cpsrl/core/agent"
	"cpsrl/core/experiment"
)

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		want      string
	}{
		{0, 500, "0 100 200 300 400 500"},
		{0, 60, "0 10 20 30 40 50 60"},
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 1.1e-6, "0.0000000 0.0000002 0.0000004 0.0000006 0.0000008 0.0000010"},
		{-3, 9, "−2 0 2 4 6 8"},
		{0, 114, "0 20 40 60 80 100"},
	} {
		var labels []string
		for _, tick := range (ticks{}).Ticks(test.low, test.high) {
			labels = append(labels, tick.Label)
			if tick.Value < test.low || tick.Value > test.high+1e-9 {
				t.Errorf("%v to %v: a tick at %v", test.low, test.high, tick.Value)
			}
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%v to %v: %s, want %s", test.low, test.high, got, test.want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, test := range []struct{ at, want []vg.Length }{
		{[]vg.Length{10, 50}, []vg.Length{10, 50}},
		{[]vg.Length{50, 50}, []vg.Length{55, 45}},         // the first above
		{[]vg.Length{48, 52}, []vg.Length{45, 55}},         // around their mean
		{[]vg.Length{0, 1}, []vg.Length{0, 10}},            // not below the floor
		{[]vg.Length{99, 100}, []vg.Length{90, 100}},       // not above the ceiling
		{[]vg.Length{40, 50, 53}, []vg.Length{38, 48, 58}}, // groups grow (mean 47⅔)
	} {
		got := append([]vg.Length(nil), test.at...)
		spread(got, 10, 0, 100)
		for k := range got {
			if math.Abs(float64(got[k]-test.want[k])) > 0.5 {
				t.Errorf("%v became %v, want %v", test.at, got, test.want)
				break
			}
		}
	}
}

// TestLooks: curves of one figure differ in colour or dashes, and every colour
// passes 3:1 on white.
func TestLooks(t *testing.T) {
	labels := []string{"psrl", "f-psrl", "f-psrl:graph=prior", "c-psrl", "c-psrl:eta=0", "c-psrl:eta=1", "c-psrl:eta=2", "c-psrl:eta=3"}
	seen := map[string]string{}
	for k, label := range labels {
		l := lookOf(armOf(t, label))
		key := fmt.Sprint(l)
		if other, ok := seen[key]; ok {
			t.Errorf("%s looks like %s", labels[k], other)
		}
		seen[key] = labels[k]
		if c := contrast(l.color); c < 3 {
			t.Errorf("%s: contrast %.2f on white", labels[k], c)
		}
	}
	// Oracle: the agents' looks, by hand; 2 of their units are 1.5 points.
	for label, want := range map[string]look{
		"psrl":               {color.NRGBA{0xd5, 0x5e, 0x00, 0xff}, nil},
		"f-psrl":             {color.NRGBA{0x00, 0x72, 0xb2, 0xff}, []vg.Length{6, 3}},
		"f-psrl:graph=prior": {color.NRGBA{0x4b, 0x86, 0xb4, 0xff}, []vg.Length{1.5, 2.25}},
		"c-psrl":             {color.NRGBA{0x00, 0x9e, 0x73, 0xff}, []vg.Length{7.5, 3, 1.5, 3}},
	} {
		if got := lookOf(armOf(t, label)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", label, got, want)
		}
	}
}

func armOf(t *testing.T, label string) agent.Arm {
	t.Helper()
	arm, err := agent.Parse(label)
	if err != nil {
		t.Fatal(err)
	}
	return arm
}

// contrast is the contrast with white of WCAG 2.
func contrast(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 1.05 / (0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B) + 0.05)
}

// TestThin keeps the first and the last of many rows.
func TestThin(t *testing.T) {
	var rows []experiment.Row
	for k := range 100_000 {
		rows = append(rows, experiment.Row{Episode: k + 1})
	}
	kept := thin(rows)
	if n := len(kept); n > mostPoints+1 || kept[0].Episode != 1 || kept[n-1].Episode != 100_000 {
		t.Errorf("%d rows from %d to %d", n, kept[0].Episode, kept[len(kept)-1].Episode)
	}
}

// TestBands: a row without an interval parts a band.
func TestBands(t *testing.T) {
	var rows []experiment.Row
	for k, hi := range []float64{1, 2, math.NaN(), 9, 2} {
		rows = append(rows, experiment.Row{Episode: k + 1, Lo: -1, Hi: hi})
	}
	list := bands(rows, 0, 5)
	if len(list) != 2 || len(list[0].upper) != 2 || len(list[1].upper) != 2 {
		t.Fatalf("%v", list)
	}
	if list[0].lower[0].Y != 0 || list[1].upper[0].Y != 5 {
		t.Error("the bands leave the chart")
	}
}

package format

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// Oracle: by hand.
func TestNotations(t *testing.T) {
	for _, c := range []struct {
		text                 string
		plain, comma, groups string
	}{
		{"36.5", "36.5", "-", "36.5"}, {"36,5", "-", "36.5", "-"}, {"1.234", "1.234", "1234", "1.234"}, {"1,234", "-", "1.234", "1234"},
		{"1.234,5", "-", "1234.5", "-"}, {"1,234.5", "-", "-", "1234.5"}, {"1 234,5", "-", "1234.5", "-"}, {"1'234.5", "-", "-", "1234.5"},
		{"1\u00a0234", "-", "1234", "1234"}, {"1,234,567", "-", "-", "1.234567e+06"}, {"1.234.567", "-", "1.234567e+06", "-"}, {"12,34,567", "-", "-", "-"},
		{"-0,25", "-", "-0.25", "-"}, {"\u22124", "-4", "-4", "-4"}, {"+4", "4", "4", "4"}, {"1e3", "1000", "-", "-"}, {"1,5e3", "-", "1500", "-"},
		{"inf", "+Inf", "+Inf", "+Inf"}, {"-Infinity", "-Inf", "-Inf", "-Inf"}, {"∞", "+Inf", "+Inf", "+Inf"}, {"information", "-", "-", "-"},
		{"", "-", "-", "-"}, {"-", "-", "-", "-"}, {".", "-", "-", "-"}, {",", "-", "-", "-"}, {"(0,5]", "-", "-", "-"}, {"1,2,3", "-", "-", "-"}, {"--4", "-", "-", "-"},
		{"9007199254740993", "9.007199254740992e+15", "9.007199254740992e+15", "9.007199254740992e+15"},
	} {
		for how, want := range []string{c.plain, c.comma, c.groups} {
			got := "-"
			if v, ok := notation(how).number(c.text); ok {
				got = fmt.Sprint(v)
			}
			if got != want {
				t.Errorf("%q in notation %d: %s, want %s", c.text, how, got, want)
			}
		}
	}
}

// Oracle: package time.
func TestDates(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 1))
	for range 2000 {
		at := time.Unix(rng.Int64N(4e9)-1e9, 0).UTC()
		layout := []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05Z", "2006/01/02 15:04", "2006-01-02", "2006-01-02T15:04:05.000-07:00", "2006-01-02T15:04:05-0700", "02.01.2006 15:04"}[rng.IntN(7)]
		if rng.IntN(2) == 0 {
			at = at.In(time.FixedZone("", 1800*(rng.IntN(48)-24)))
		}
		text := at.Format(layout)
		back, _ := time.Parse(layout, text)
		if got, ok := dateOf(text); !ok || math.Abs(got-float64(back.Unix())) > 1e-6 {
			t.Fatalf("%s: %v, %t, want %v", text, got, ok, back.Unix())
		}
	}
	for _, text := range []string{"", "2026-13-01", "2026-01-32", "2026-01-1", "20260101", "2026-01-01x", "2026-01-01 ", "2026-01-01 25:00", "2026-01-01 1", "2026-1-01 10:00:00", "2026-01-01T10:00:61", "2026.01.01", "2026-01-01 10:00:00+x", "-026-01-01"} {
		if v, ok := dateOf(text); ok {
			t.Errorf("%q is a date, %v", text, v)
		}
	}
}

package concentration_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/concentration"
)

// Oracle: the table, by hand. The canonical text and JSON read back as themselves, and
// other notations of the same value as the canonical one.
func TestNotation(t *testing.T) {
	for text, want := range map[string]struct {
		canonical, json, name string
		alphas                []float64 // of a table of 8 rows and 2 values
	}{
		"1":                {"1", "1", "α = 1", []float64{1}},
		"1.0":              {"1", "1", "α = 1", []float64{1}},
		"0.1":              {"0.1", "0.1", "α = 0.1", []float64{0.1}},
		".10":              {"0.1", "0.1", "α = 0.1", []float64{0.1}},
		"1e-6":             {"0.000001", "0.000001", "α = 0.000001", []float64{1e-6}},
		"1E6":              {"1000000", "1000000", "α = 1000000", []float64{1e6}},
		"ess:1":            {"ess:1", `{"ess":1}`, "ess = 1", []float64{1.0 / 16}},
		"ess:16":           {"ess:16", `{"ess":16}`, "ess = 16", []float64{1}},
		"learn:1":          {"learn:1", `{"learn":[1]}`, "α learned", []float64{1}},
		"mix:0.1:1":        {"mix:0.1:1", `{"mix":[0.1,1]}`, "α mixed", []float64{0.1, 1}},
		"learn:1:0.01:0.1": {"learn:0.01:0.1:1", `{"learn":[0.01,0.1,1]}`, "α learned", []float64{0.01, 0.1, 1}},
	} {
		var c concentration.Concentration
		if err := c.Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if c.String() != want.canonical || string(c.Encode()) != want.json || c.Name() != want.name || !slices.Equal(c.Alphas(2, 8), want.alphas) ||
			c.One() != (want.canonical == "1") || c.Learns() != strings.HasPrefix(want.canonical, "learn") || c.Mixes() != strings.HasPrefix(want.canonical, "mix") {
			t.Errorf("%s: %s, %s, %s, %v; want %v", text, c, c.Encode(), c.Name(), c.Alphas(2, 8), want)
		}
		for _, again := range []string{want.json, `"` + text + `"`, " " + want.json + "\n"} {
			var d concentration.Concentration
			if err := d.Decode([]byte(again)); err != nil || d.String() != want.canonical {
				t.Errorf("%s reads as %s, %v", again, d, err)
			}
		}
	}
}

// Refused text and JSON change nothing.
func TestRefused(t *testing.T) {
	var before concentration.Concentration
	if err := before.Parse("0.5"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", "0", "-1", "NaN", "Inf", "0x1p-1", "1_0", " 1", "1 ", "1e400", "1e-400", "ess", "ess:", "ess:0", "ess:1:2", "learn", "learn:", "learn:1:", "learn:1:1",
		"learn:0.1:-1", "mix:", "mix", "mix:1:1", "Ess:1", "bdeu:1", "learn:1:2:3:4:5:6:7:8:9", strings.Repeat("1", 400),
	} {
		c := before
		if err := c.Parse(text); err == nil || c.String() != "0.5" || len(err.Error()) > 200 {
			t.Errorf("%.40s: %v, and the value is %v", text, err, c)
		}
	}
	for _, text := range []string{
		``, `null`, `true`, `[]`, `{`, `{}`, `0`, `-0.1`, `1e400`, `1 2`, `{"ess":1}{}`, `{"ess":"1"}`, `{"ess":1,"ess":1}`, `{"learn":1}`, `{"learn":[1,null]}`, `{"learn":[1}`, `{"mix":1}`, `{"mix":[1],"ess":1}`, `{"ess":[1]}`,
		`{"learn":[1,2,3,4,5,6,7,8,9]}`, `"ess:0"`, `"1`, `{1:2}`,
	} {
		c := before
		if err := c.Decode([]byte(text)); err == nil || c.String() != "0.5" {
			t.Errorf("%s: %v, and the value is %v", text, err, c)
		}
	}
}

func FuzzConcentration(f *testing.F) {
	for _, seed := range []string{"1", "ess:1", `{"learn":[1,2]}`, `"learn:1:2"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var c, d, e concentration.Concentration
		if c.Parse(text) != nil && c.Decode([]byte(text)) != nil {
			return
		}
		if d.Parse(c.String()) != nil || d.String() != c.String() || e.Decode(c.Encode()) != nil || e.String() != c.String() {
			t.Errorf("%q reads back as %s and %s", text, d, e)
		}
	})
}

func ExampleConcentration_Alphas() {
	var c concentration.Concentration
	fmt.Println(c.Alphas(2, 4), c.Parse("ess:1"), c.Alphas(2, 4), c.Parse("learn:1:0.1"), c.Alphas(2, 4))
	// Output: [1] <nil> [0.125] <nil> [0.1 1]
}

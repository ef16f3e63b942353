package experiment_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// example reads a model of the folder models.
func example(t testing.TB, name string) *fmdp.Model {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../models", name))
	if err != nil {
		t.Fatal(err)
	}
	m, err := document.DecodeModel(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// Every example model can be planned in and is in canonical form, apart from white space.
func TestExampleModels(t *testing.T) {
	files, err := filepath.Glob("../../models/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := example(t, filepath.Base(path))
		if _, err := planning.FromModel(m, nil); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, data); err != nil || compact.String() != string(document.EncodeModel(m)) {
			t.Errorf("%s is not in its canonical form: %v", path, err)
		}
	}
}

// Oracle: the coffee robot of Boutilier, Dearden and Goldszmidt (1995) as rules. An action
// that can have its effect succeeds with probability 0.9, a delivery with 0.8.
func TestCoffeeRobot(t *testing.T) {
	m := example(t, "coffee-robot.json")
	const office, wet, umbrella, rain, robotCoffee, userCoffee = 0, 1, 2, 3, 4, 5
	const move, buy, deliver, fetch = 0, 1, 2, 3
	either := func(now int, p float64, cause ...bool) float64 { // 1 stays 1; 0 becomes 1 with probability p if all causes hold
		for _, c := range cause {
			if !c {
				return float64(now)
			}
		}
		return max(float64(now), p)
	}
	x := make([]int, m.X())
	for at := range m.Points() {
		m.Point(x, at)
		do := x[6]
		inOffice := x[office] == 1
		want := []float64{
			float64(x[office]),
			either(x[wet], 0.9, do == move, x[rain] == 1, x[umbrella] == 0),
			either(x[umbrella], 0.9, do == fetch, inOffice),
			float64(x[rain]),
			either(x[robotCoffee], 0.9, do == buy, !inOffice),
			either(x[userCoffee], 0.8, do == deliver, inOffice, x[robotCoffee] == 1),
		}
		if do == move {
			want[office] = math.Abs(float64(x[office]) - 0.9)
		}
		if do == deliver && inOffice {
			want[robotCoffee] = 0
		}
		for j, f := range m.Transition {
			if got := f.Row(m.Row(f.Given, x))[1]; math.Abs(got-want[j]) > 1e-12 {
				t.Errorf("P(%s' = 1 | %v) = %v, want %v", m.State[j].Name, x, got, want[j])
			}
		}
	}
	most := 0
	for _, z := range m.Graph() {
		most = max(most, z.Len())
	}
	if most != 4 || !m.Graph()[wet].Contains(bigraph.Of(umbrella, rain)) {
		t.Errorf("the graph is %v", m.Graph())
	}
	reward := planning.Reward(m)
	for at, got := range reward {
		m.Point(x, at)
		if want := 0.9*float64(x[userCoffee]) + 0.1*float64(1-x[wet]); math.Abs(got-want) > 1e-12 {
			t.Errorf("R(%v) = %v, want %v", x, got, want)
		}
	}
}

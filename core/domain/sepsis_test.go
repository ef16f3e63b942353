package domain_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// outcomes returns the law of a simulation that flips coins, by playing all sequences of flips.
func outcomes(simulate func(flip func(p float64) bool) int) map[int]float64 {
	law := map[int]float64{}
	var script []bool
	for {
		n, weight := 0, 1.0
		v := simulate(func(p float64) bool {
			if n == len(script) {
				script = append(script, true)
			}
			n++
			if script[n-1] {
				weight *= p
			} else {
				weight *= 1 - p
			}
			return script[n-1]
		})
		law[v] += weight
		for n > 0 && !script[n-1] {
			n--
		}
		if script = script[:n]; n == 0 {
			return law
		}
		script[n-1] = false
	}
}

// body is a patient as the paper's simulator sees one. Levels of blood sugar go from 0 to 4, normal 2;
// other levels from 0, normal 1.
type body struct {
	heart, systolic, oxygen, sugar int
	antibiotic, vaso, vent, ails   bool
}

func (b body) abnormal() (n int) {
	for _, off := range []bool{b.heart != 1, b.systolic != 1, b.oxygen != 1, b.sugar != 2} {
		if off {
			n++
		}
	}
	return n
}

// verdict is −1 for a death, 1 for a discharge and 0 while the patient is treated.
func (b body) verdict() float64 {
	switch n := b.abnormal(); {
	case n >= 3:
		return -1
	case n == 0 && !b.antibiotic && !b.vaso && !b.vent:
		return 1
	}
	return 0
}

type coin func(p float64) bool

// wander goes one level down with probability p, or one up with p, within 0 and top.
func (flip coin) wander(level, top int, p float64) int {
	if flip(p) {
		return max(0, level-1)
	}
	if flip(p / (1 - p)) {
		return min(top, level+1)
	}
	return level
}

// treat plays an hour of one vital sign, told as a sequence of what happens.
func (b body) treat(sign string, antibiotic, vent, vaso, corrected bool, flip coin) int {
	switch sign {
	case "pulse":
		if antibiotic {
			if b.heart == 2 && flip(.5) {
				return 1
			}
			return b.heart
		}
		if b.antibiotic {
			if b.heart == 1 && flip(.1) {
				return 2
			}
			return b.heart
		}
		return flip.wander(b.heart, 2, .1)
	case "oxygen":
		if vent {
			if b.oxygen == 0 && flip(.7) {
				return 1
			}
			return b.oxygen
		}
		if b.vent {
			if b.oxygen == 1 && flip(.1) {
				return 0
			}
			return b.oxygen
		}
		return flip.wander(b.oxygen, 1, .1)
	case "pressure":
		now, quiet := b.systolic, true
		if antibiotic {
			quiet = false
			if now == 2 && flip(.5) {
				now = 1
			}
		} else if b.antibiotic {
			quiet = false
			if now == 1 && flip(.1) {
				now = 2
			}
		}
		if vaso {
			quiet = false
			switch {
			case !b.ails && now < 2 && flip(.7):
				now++
			case b.ails && now == 1 && flip(.9):
				now = 2
			case b.ails && now == 0:
				if flip(.5) {
					now = 1
				} else if flip(.8) { // .4 of all
					now = 2
				}
			}
		} else if b.vaso {
			quiet = false
			if b.ails && flip(.05) || !b.ails && flip(.1) {
				now = max(0, now-1)
			}
		}
		if quiet {
			now = flip.wander(now, 2, .1)
		}
		return now
	case "glucose":
		if vaso {
			if b.ails && flip(.5) {
				return min(4, b.sugar+1)
			}
			return b.sugar
		}
		if b.ails {
			return flip.wander(b.sugar, 4, .3)
		}
		if corrected {
			return flip.wander(b.sugar, 4, .1)
		}
		if flip(.1) {
			return max(0, b.sugar-1)
		}
		if flip(.1 / .9) {
			return min(1, b.sugar+1)
		}
		return b.sugar
	}
	panic(sign)
}

// bodyOf returns the patient of a point, by the names of the variables.
func bodyOf(m *fmdp.Model, point []int) body {
	is := func(name string) int {
		if i := m.Lookup(name); i >= 0 {
			return point[i]
		}
		return 0
	}
	return body{is("pulse"), is("pressure"), is("oxygen"), is("glucose"), is("on antibiotic") == 1, is("on vaso") == 1, is("on vent") == 1, is("diabetic") == 1}
}

var sepsisSettings = []struct {
	diabetic, glucose string
	most              int
	value             float64 // V⋆ at H = 20: the best probability of a discharge less that of a death
}{
	{"absent", "published", 5, 0.432743715074},
	{"absent", "corrected", 5, 0.596255879485},
	{"observed", "published", 6, 0.448308700604},
	{"observed", "corrected", 6, 0.580797872337},
	{"hidden", "published", 5, 0.448308700604},
}

// Oracle: the simulator told as coin flips, at every point; and the graph by hand.
func TestSepsis(t *testing.T) {
	for _, c := range sepsisSettings {
		d := &domain.Sepsis{Diabetic: c.diabetic, Glucose: c.glucose, Horizon: 20}
		p, err := d.Build(stream(1), domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		m := p.World
		states := map[bool]int{true: 720, false: 1440}[c.diabetic == "absent"]
		if m.States() != states || m.Actions() != 8 || d.Sparseness() != c.most || p.Suggested.Edges() != 0 {
			t.Fatalf("%+v: %+v", d, m.Space)
		}
		point := make([]int, m.X())
		for x := range m.Points() {
			b := bodyOf(m, m.Point(point, x))
			do := func(name string) bool { return point[m.Lookup(name)] == 1 }
			for j, v := range m.State {
				f, want := &m.Transition[j], map[int]float64{}
				switch v.Name {
				case "on antibiotic", "on vaso", "on vent":
					want[point[m.Lookup(strings.TrimPrefix(v.Name, "on "))]] = 1
				case "diabetic":
					want[point[j]] = 1
				default:
					want = outcomes(func(flip func(float64) bool) int {
						return b.treat(v.Name, do("antibiotic"), do("vent"), do("vaso"), c.glucose == "corrected", flip)
					})
				}
				for value, got := range f.Row(m.Row(f.Given, point)) {
					if math.Abs(got-want[value]) > 1e-14 {
						t.Fatalf("%+v: P(%s' = %d | %v) = %v, want %v", d, v.Name, value, point, got, want[value])
					}
				}
			}
		}
		// The true graph is minimal, and only copies are told.
		for j := range m.Transition {
			f := &m.Transition[j]
			for k, i := range f.Given {
				if !matters(m, f, k) {
					t.Errorf("%+v: %s does not depend on %s", d, m.State[j].Name, m.Var(i).Name)
				}
			}
			name := m.State[j].Name
			if told := strings.HasPrefix(name, "on ") || name == "diabetic" && c.diabetic == "observed"; f.Known != told {
				t.Errorf("%+v: the law of %s is told: %v", d, name, f.Known)
			}
		}
		graph := map[string]string{
			"pulse": "pulse, on antibiotic, antibiotic", "pressure": "pressure, on antibiotic, on vaso, antibiotic, vaso", "oxygen": "oxygen, on vent, vent", "glucose": "glucose, vaso",
			"on antibiotic": "antibiotic", "on vaso": "vaso", "on vent": "vent",
		}
		for j, z := range p.View.Graph() {
			name := p.View.State[j].Name
			want := strings.Split(graph[name], ", ")
			if c.diabetic == "observed" && (name == "pressure" || name == "glucose" || name == "diabetic") {
				want = append(want, "diabetic")
			}
			got := p.View.Names(z.Parents())
			if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(slices.DeleteFunc(want, func(s string) bool { return s == "" })))) {
				t.Errorf("%+v: %s is given %v, want %v", d, name, got, want)
			}
		}
	}
}

// Oracles: the counts of the original study, 416 deaths and 1 discharge among 720 states; and the
// simulator's start, played as rejection, with P(diabetic) = .18973.
func TestSepsisEnds(t *testing.T) {
	for _, c := range sepsisSettings {
		p, err := (&domain.Sepsis{Diabetic: c.diabetic, Glucose: c.glucose, Horizon: 20}).Build(stream(1), domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		m := p.World
		ends, point, count := m.Ended(), make([]int, m.Y()), map[string]int{}
		want, kept := make([]float64, m.States()), 0.0
		for s := range ends {
			b := bodyOf(m, m.Point(point, s))
			verdict := map[uint8]float64{0: 0, 1: -1, 2: 1}[ends[s]]
			if verdict != b.verdict() {
				t.Fatalf("%+v: the verdict is %v", b, verdict)
			}
			if ends[s] > 0 {
				count[m.Ends[ends[s]-1].Name] += 720
			}
			r := &m.Reward[0]
			if got := r.Mean[m.RowAt(r.Given, make([]int, m.X()), point)]; got != verdict || len(m.Reward) > 1 {
				t.Fatalf("%+v: arriving pays %v", b, got)
			}
			if b.antibiotic || b.vaso || b.vent || verdict != 0 {
				continue
			}
			q := []float64{.25, .5, .25}[b.heart] * []float64{.25, .5, .25}[b.systolic] * []float64{.2, .8}[b.oxygen]
			switch {
			case b.ails:
				q *= .2 * []float64{.01, .05, .15, .6, .19}[b.sugar]
			case c.diabetic != "absent":
				q *= .8 * []float64{.05, .15, .6, .15, .05}[b.sugar]
			default:
				q *= []float64{.05, .15, .6, .15, .05}[b.sugar]
			}
			want[s], kept = q, kept+q
		}
		if n := m.States(); count["death"] != 416*n || count["discharge"] != n {
			t.Errorf("%s: %v", c.diabetic, count)
		}
		ill := 0.0
		for s, q := range m.Initial {
			if math.Abs(q-want[s]/kept) > 1e-15 {
				t.Fatalf("μ(%d) = %v, want %v", s, q, want[s]/kept)
			}
			if bodyOf(m, m.Point(point, s)).ails {
				ill += q
			}
		}
		if share := map[bool]float64{false: .18973}[c.diabetic == "absent"]; math.Abs(ill-share) > 5e-6 {
			t.Errorf("%s: P(diabetic) = %v", c.diabetic, ill)
		}
	}
}

// sepsisValue is the largest probability of a discharge less that of a death, by value iteration over
// patients, without our model and planner.
func sepsisValue(ails []bool, corrected bool, horizon int) (value map[body]float64) {
	type next struct {
		heart, systolic, oxygen, sugar map[int]float64
	}
	laws := map[body][8]next{}
	for code := range 1440 {
		b := body{heart: code % 3, systolic: code / 3 % 3, oxygen: code / 9 % 2, sugar: code / 18 % 5,
			antibiotic: code/90%2 == 1, vaso: code/180%2 == 1, vent: code/360%2 == 1, ails: code/720 == 1}
		if b.verdict() != 0 || !slices.Contains(ails, b.ails) {
			continue
		}
		var list [8]next
		for a := range list {
			of := func(sign string) map[int]float64 {
				return outcomes(func(flip func(float64) bool) int {
					return b.treat(sign, a&1 > 0, a&2 > 0, a&4 > 0, corrected, flip)
				})
			}
			list[a] = next{of("pulse"), of("pressure"), of("oxygen"), of("glucose")}
		}
		laws[b] = list
	}
	value = map[body]float64{}
	for range horizon {
		better := map[body]float64{}
		for b, list := range laws {
			best := math.Inf(-1)
			for a, law := range list {
				sum := 0.0
				for heart, p := range law.heart {
					for systolic, q := range law.systolic {
						for oxygen, r := range law.oxygen {
							for sugar, s := range law.sugar {
								to := body{heart, systolic, oxygen, sugar, a&1 > 0, a&4 > 0, a&2 > 0, b.ails}
								sum += p * q * r * s * (to.verdict() + value[to]) // nothing comes after the end
							}
						}
					}
				}
				best = max(best, sum)
			}
			better[b] = best
		}
		value = better
	}
	return value
}

// Oracle: value iteration over patients. The best policy of the world with hidden diabetes sees it.
func TestSepsisValue(t *testing.T) {
	for _, c := range sepsisSettings {
		if testing.Short() && c.glucose == "corrected" {
			continue
		}
		p, err := (&domain.Sepsis{Diabetic: c.diabetic, Glucose: c.glucose, Horizon: 20}).Build(stream(1), domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		mdp, err := planning.FromModel(p.World, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, values := planning.Solve(mdp)
		planned := values.Value(p.World.Initial)
		ails := []bool{false, true}
		if c.diabetic == "absent" {
			ails = ails[:1]
		}
		value, iterated := sepsisValue(ails, c.glucose == "corrected", 20), 0.0
		for s, q := range p.World.Initial {
			if q > 0 {
				iterated += q * value[bodyOf(p.World, p.World.Point(make([]int, p.World.Y()), s))]
			}
		}
		if math.Abs(planned-iterated) > 1e-9 || math.Abs(planned-c.value) > 1e-9 {
			t.Errorf("%s, %s: V⋆ = %.12f, by value iteration %.12f, want %.12f", c.diabetic, c.glucose, planned, iterated, c.value)
		}
	}
}

// Agents that do not see diabetes see an average over it. Oracle: the probabilities by hand.
func TestSepsisHidden(t *testing.T) {
	p, err := (&domain.Sepsis{Diabetic: "hidden", Glucose: "published", Horizon: 20}).Build(stream(1), domain.Given{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Sight != domain.Blind || p.View.States() != 720 || p.View.Lookup("diabetic") >= 0 {
		t.Fatalf("%v: %+v", p.Sight, p.View.Space)
	}
	f := &p.View.Transition[p.View.Lookup("glucose")]
	point := make([]int, p.View.X())
	point[p.View.Lookup("glucose")], point[p.View.Lookup("vaso")] = 2, 1
	if row := f.Row(p.View.Row(f.Given, point)); math.Abs(row[3]-.5*.18973) > 3e-6 || math.Abs(row[2]+row[3]-1) > 1e-15 {
		t.Errorf("blood sugar under vasopressors: %v", row)
	}
}

// Suggestions are between variables of the view, once each, with a reason. They are never certain,
// and forbid edges only where a problem's own doc says so.
func TestSuggestions(t *testing.T) {
	all := problems(t, 3)
	for _, c := range sepsisSettings {
		p, err := (&domain.Sepsis{Diabetic: c.diabetic, Glucose: c.glucose, Horizon: 20}).Build(stream(1), domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		all["sepsis, "+c.diabetic] = p
	}
	for name, p := range all {
		seen := map[[2]int]bool{}
		for _, s := range p.Suggestions {
			edge := fmt.Sprintf("%s → %s", p.View.Var(s.X).Name, p.View.Var(s.Y).Name)
			if seen[[2]int{s.X, s.Y}] || s.P == 0 && !slices.Contains([]string{"navigation", "navigation-30", "game-of-life-4x4"}, name) || s.P < 0 || s.P >= 1 || s.P == .5 || !strings.HasSuffix(s.Why, ".") || p.View.Transition[s.Y].Known {
				t.Errorf("%s: %s %+v", name, edge, s)
			}
			seen[[2]int{s.X, s.Y}] = true
		}
	}
}

func TestSepsisTitle(t *testing.T) {
	for want, d := range map[string]domain.Sepsis{
		"Sepsis, diabetes absent":                        {Diabetic: "absent", Glucose: "published"},
		"Sepsis, diabetes hidden, blood sugar corrected": {Diabetic: "hidden", Glucose: "corrected"},
	} {
		name, facts := d.Title()
		if got := strings.Join(append([]string{name}, facts...), ", "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if _, err := (&domain.Sepsis{Diabetic: "often", Glucose: "published", Horizon: 20}).Build(stream(2), domain.Given{}); err == nil || err.Error() != `diabetic: diabetes cannot be "often"` {
		t.Error(err)
	}
	if _, err := (&domain.Sepsis{Diabetic: "observed", Glucose: "published"}).Build(stream(2), domain.Given{}); err == nil || !strings.HasPrefix(err.Error(), "horizon: ") {
		t.Error(err)
	}
}

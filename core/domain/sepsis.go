package domain

import (
	"fmt"
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var sepsisKind = Kind{
	Key: "sepsis", Label: "Sepsis", Phrase: "the sepsis simulator",
	Reward: "A step pays 1 for a discharge, −1 for a death and else 0.",
	Since:  4, Tied: true,
	Agents: []string{"f-psrl", "c-psrl"}, // PSRL's table is too large for a browser if diabetes is observed
	New:    func() Domain { return new(Sepsis) },
}

// Sepsis is the simulator of Oberst and Sontag, "Counterfactual off-policy evaluation with Gumbel-max
// structural causal models" (ICML 2019): the vital signs of a patient with sepsis, and three
// treatments, each of which is on or off for a step. A patient dies if at least three vital signs are
// abnormal, and is discharged if none is and no treatment is on. Then the episode ends.
type Sepsis struct {
	Diabetic string // "absent", "observed" or "hidden"
	Glucose  string // "published" or "corrected"
	Horizon  int
}

// What agents see of the patient's diabetes.
const (
	absentDiabetes   = "absent"   // no patient has it
	observedDiabetes = "observed" // one in five has it, before those who would not be treated are left out
	hiddenDiabetes   = "hidden"   // the same, and agents do not see it, as in the original study
)

// The rise of blood sugar without vasopressors and diabetes.
const (
	publishedGlucose = "published" // that of the published code: to the next level, or from normal and above to low
	correctedGlucose = "corrected" // to the next level
)

// Kind implements [Domain].
func (*Sepsis) Kind() *Kind { return &sepsisKind }

// Params implements [Domain].
func (s *Sepsis) Params() []param.Param {
	return []param.Param{{
		Name: "diabetic", Key: "diabetic", Section: param.Domain, Label: "Diabetes", Phrase: "diabetes _",
		Help: "A patient's diabetes changes how vasopressors act. If it is hidden, what agents see is not an MDP.",
		Text: &s.Diabetic, Default: absentDiabetes, Restarts: true,
		Words: []param.Word{{Value: absentDiabetes, Label: "absent"}, {Value: observedDiabetes, Label: "observed"}, {Value: hiddenDiabetes, Label: "hidden"}},
	}, {
		Name: "glucose", Key: "glucose", Section: param.Domain, Label: "Blood sugar", Phrase: "blood sugar as _",
		Help: "The published code has a mistake, which its figures contain: without diabetes, blood sugar that is not very low ends at low when it should rise.",
		Text: &s.Glucose, Default: publishedGlucose,
		Words: []param.Word{{Value: publishedGlucose, Label: "published"}, {Value: correctedGlucose, Label: "corrected"}},
	}, horizon(&s.Horizon, "20")}
}

// Sparseness implements Domain: the true parents of the blood pressure.
func (s *Sepsis) Sparseness() int {
	if s.Diabetic == observedDiabetes {
		return 6
	}
	return 5
}

// Title implements [Domain].
func (s *Sepsis) Title() (string, []string) {
	facts := []string{"diabetes " + s.Diabetic}
	if s.Glucose == correctedGlucose {
		facts = append(facts, "blood sugar corrected")
	}
	return "Sepsis", facts
}

// The state variables of a patient. The first four are the vital signs, the next three say which
// treatments are on. The actions come after the last state variable.
const (
	pulse = iota
	pressure
	oxygen
	sugar
	onAntibiotic
	onVaso
	onVent
	diabetic
)

// The levels of pulse, blood pressure and, without high, oxygen.
const (
	low = iota
	normal
	high
)

// Two of the five levels of blood sugar.
const (
	lowSugar    = 1
	normalSugar = 2
)

var (
	threeLevels = []string{low: "low", normal: "normal", high: "high"}
	sugarLevels = []string{"very low", lowSugar: "low", normalSugar: "normal", "high", "very high"}
	noYes       = []string{"no", "yes"}
)

// patient is the simulator with its parameters.
type patient struct {
	*fmdp.Model
	corrected                    bool
	antibiotic, vent, vaso, ails int // indices of the actions, and of diabetes or −1
}

// Build implements Domain. The suggested prior is what a physician may say of treatments and vital signs,
// right or wrong.
func (s *Sepsis) Build(rng *rand.Rand, _ Given) (*Problem, error) {
	c := &patient{Model: &fmdp.Model{Name: "sepsis", Horizon: s.Horizon}, corrected: s.Glucose == correctedGlucose, ails: -1}
	c.State = []fmdp.Variable{
		{Name: "pulse", Size: 3, Values: threeLevels}, {Name: "pressure", Size: 3, Values: threeLevels},
		{Name: "oxygen", Size: 2, Values: threeLevels[:high]}, {Name: "glucose", Size: 5, Values: sugarLevels},
		binary("on antibiotic"), binary("on vaso"), binary("on vent"),
	}
	c.Action = []fmdp.Variable{binary("antibiotic"), binary("vent"), binary("vaso")}
	switch s.Diabetic {
	case absentDiabetes:
	case hiddenDiabetes:
		c.Hidden = 1
		fallthrough
	case observedDiabetes:
		c.ails, c.State = diabetic, append(c.State, binary("diabetic"))
	default:
		return nil, &param.Error{Name: "diabetic", Reason: fmt.Sprintf("diabetes cannot be %q", param.Clip(s.Diabetic))}
	}
	c.antibiotic = c.Y()
	c.vent, c.vaso = c.antibiotic+1, c.antibiotic+2

	ill := func(given ...int) []int { // the given variables, and diabetes if there is any
		if c.ails >= 0 {
			given = append(given, c.ails)
		}
		return given
	}
	c.Transition = []fmdp.Factor{
		pulse:        c.law(c.nextPulse, pulse, onAntibiotic, c.antibiotic),
		pressure:     c.law(c.nextPressure, ill(pressure, onAntibiotic, onVaso, c.antibiotic, c.vaso)...),
		oxygen:       c.law(c.nextOxygen, oxygen, onVent, c.vent),
		sugar:        c.law(c.nextSugar, ill(sugar, c.vaso)...),
		onAntibiotic: c.told(c.antibiotic),
		onVaso:       c.told(c.vaso),
		onVent:       c.told(c.vent),
	}
	if c.ails >= 0 {
		f := c.told(diabetic)
		f.Known = c.Hidden == 0
		c.Transition = append(c.Transition, f)
	}
	c.end()
	c.start()
	if err := checked(c.Model); err != nil {
		return nil, err
	}
	p := FromModel(c.Model, rng)
	p.Picture = &document.ChartPicture{
		Vitals: []document.Vital{
			{Of: "pulse", Normal: []int{normal}}, {Of: "pressure", Normal: []int{normal}},
			{Of: "oxygen", Normal: []int{normal}}, {Of: "glucose", Normal: []int{normalSugar}},
		},
		Treatments: []string{"on antibiotic", "on vaso", "on vent"},
	}
	p.physician(c.ails >= 0 && c.Hidden == 0)
	return p, nil
}

func binary(name string) fmdp.Variable { return fmdp.Variable{Name: name, Size: 2, Values: noYes} }

// law returns the factor of a vital sign, which is the first given variable.
func (c *patient) law(next func(point []int) levels, given ...int) fmdp.Factor {
	return factor(c.Model, given, c.Var(given[0]).Size, func(point []int) []float64 { return next(point) })
}

// told returns the law of a copy of a binary variable, which agents are told.
func (c *patient) told(i int) fmdp.Factor {
	f := factor(c.Model, []int{i}, 2, func(point []int) []float64 { return certainly(point[i] == 1) })
	f.Known = true
	return f
}

// levels is a distribution over the levels of a vital sign. Methods change it.
type levels []float64

// at returns the distribution at one of n levels.
func at(level, n int) levels {
	l := make(levels, n)
	l[level] = 1
	return l
}

// move moves a share of what is at one level to another.
func (l levels) move(from, to int, share float64) {
	moved := float64(share * l[from])
	l[from] -= moved
	l[to] += moved
}

// drift moves each level one down and to the level up, each with a probability.
func (l levels) drift(p float64, up func(level int) int) {
	before := append(levels(nil), l...)
	for level, q := range before {
		moved := float64(p * q)
		l[level] -= moved + moved
		l[max(level-1, 0)] += moved
		l[up(level)] += moved
	}
}

// above returns the next level of n, or the highest.
func above(n int) func(int) int { return func(level int) int { return min(level+1, n-1) } }

func (c *patient) nextPulse(point []int) levels {
	l := at(point[pulse], 3)
	switch {
	case point[c.antibiotic] == 1:
		l.move(high, normal, .5)
	case point[onAntibiotic] == 1: // withdrawn
		l.move(normal, high, .1)
	default:
		l.drift(.1, above(3))
	}
	return l
}

func (c *patient) nextOxygen(point []int) levels {
	l := at(point[oxygen], 2)
	switch {
	case point[c.vent] == 1:
		l.move(low, normal, .7)
	case point[onVent] == 1:
		l.move(normal, low, .1)
	default:
		l.drift(.1, above(2))
	}
	return l
}

func (c *patient) ill(point []int) bool { return c.ails >= 0 && point[c.ails] == 1 }

// nextPressure has three stages: antibiotics, vasopressors and, if no treatment is on or was
// withdrawn, a drift.
func (c *patient) nextPressure(point []int) levels {
	l := at(point[pressure], 3)
	antibiotic, vaso := point[c.antibiotic] == 1, point[c.vaso] == 1
	withdrawn, without := point[onAntibiotic] == 1, point[onVaso] == 1
	switch {
	case antibiotic:
		l.move(high, normal, .5)
	case withdrawn:
		l.move(normal, high, .1)
	}
	switch {
	case vaso && c.ill(point):
		l.move(normal, high, .9)
		fromLow := l[low]
		l[low] = float64(.1 * fromLow)
		l[normal] += float64(.5 * fromLow)
		l[high] += float64(.4 * fromLow)
	case vaso: // the higher level first, so that nobody moves twice
		l.move(normal, high, .7)
		l.move(low, normal, .7)
	case without:
		p := .1
		if c.ill(point) {
			p = .05
		}
		l.move(normal, low, p)
		l.move(high, normal, p)
	}
	if !antibiotic && !withdrawn && !vaso && !without {
		l.drift(.1, above(3))
	}
	return l
}

func (c *patient) nextSugar(point []int) levels {
	n := len(sugarLevels)
	l := at(point[sugar], n)
	up := above(n)
	switch vaso, ill := point[c.vaso] == 1, c.ill(point); {
	case vaso && ill:
		l.move(point[sugar], up(point[sugar]), .5)
	case vaso:
	case ill:
		l.drift(.3, up)
	case c.corrected:
		l.drift(.1, up)
	default:
		l.drift(.1, func(level int) int { return min(level+1, lowSugar) })
	}
	return l
}

// abnormal returns the number of vital signs that are not normal.
func abnormal(point []int) int {
	n := 0
	for sign, fine := range []int{pulse: normal, pressure: normal, oxygen: normal, sugar: normalSugar} {
		if point[sign] != fine {
			n++
		}
	}
	return n
}

// end adds the two endings and the reward, which is paid on arrival in one of them.
func (c *patient) end() {
	vital, all := bigraph.First(onAntibiotic).Parents(), bigraph.First(diabetic).Parents()
	death, discharge := fmdp.Ending{Name: "death", Given: vital}, fmdp.Ending{Name: "discharge", Given: all}
	r := fmdp.Reward{Mean: make([]float64, c.Rows(all)), Kind: fmdp.Fixed, Scale: 1, Of: -1}
	for _, j := range all {
		r.Given = append(r.Given, c.X()+j)
	}
	for row := range r.Mean {
		point := make([]int, len(all))
		rest := row
		for k := len(all) - 1; k >= 0; k-- {
			point[k], rest = rest%c.Var(k).Size, rest/c.Var(k).Size
		}
		treated := point[onAntibiotic]+point[onVaso]+point[onVent] > 0
		switch n := abnormal(point); {
		case n >= 3:
			r.Mean[row] = -1
			if !treated { // once for each combination of vital signs
				death.Is = append(death.Is, point[:onAntibiotic])
			}
		case n == 0 && !treated:
			r.Mean[row] = 1
			discharge.Is = append(discharge.Is, point)
		}
	}
	c.Ends, c.Reward = []fmdp.Ending{death, discharge}, []fmdp.Reward{r}
}

// start sets μ: independent vital signs given diabetes, no treatment, and no patient who is dead or
// may go home. The simulator draws again until the patient is neither, which is the law without
// these states.
func (c *patient) start() {
	signs := []float64{.25, .5, .25}
	sugars := [][]float64{{.05, .15, .6, .15, .05}, {.01, .05, .15, .6, .19}}
	c.Initial = make([]float64, c.States())
	ended, total := c.Ended(), 0.0
	point := make([]int, c.Y())
	for s := range c.Initial {
		c.Point(point, s)
		if ended[s] != 0 || point[onAntibiotic]+point[onVaso]+point[onVent] > 0 {
			continue
		}
		p, ill := 1.0, 0
		if c.ails >= 0 {
			ill = point[diabetic]
			p = []float64{.8, .2}[ill]
		}
		p *= signs[point[pulse]]
		p *= signs[point[pressure]]
		p *= []float64{.2, .8}[point[oxygen]]
		p *= sugars[ill][point[sugar]]
		c.Initial[s] = p
		total += p
	}
	for s := range c.Initial {
		c.Initial[s] /= total
	}
}

// physician suggests a partial graph. It lacks what withdrawn antibiotics do and that diabetes changes
// blood pressure, and has an edge that is true of people and not of the simulator.
func (p *Problem) physician(ill bool) {
	for _, sign := range []string{"pulse", "pressure", "oxygen", "glucose"} {
		p.suggest(sign, sign, .95, "A vital sign is mostly what it was an hour ago.")
	}
	p.suggest("vaso", "pressure", .95, "Vasopressors raise blood pressure.")
	p.suggest("on vaso", "pressure", .8, "Blood pressure may fall when vasopressors are withdrawn.")
	p.suggest("vent", "oxygen", .95, "A ventilator brings oxygen into the blood.")
	p.suggest("on vent", "oxygen", .8, "Oxygen may fall when a patient leaves the ventilator.")
	p.suggest("antibiotic", "pulse", .8, "Antibiotics treat the infection, and with it the fever that drives the pulse.")
	p.suggest("antibiotic", "pressure", .7, "Sepsis upsets blood pressure, and antibiotics treat its cause.")
	p.suggest("vaso", "glucose", .6, "Some vasopressors raise blood sugar.")
	p.suggest("pressure", "pulse", .6, "The heart beats faster when blood pressure falls.")
	if ill {
		p.suggest("diabetic", "glucose", .95, "Diabetes unsettles blood sugar.")
	}
}

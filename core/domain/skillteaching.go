package domain

import (
	"fmt"
	"math/rand/v2"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var skillTeachingKind = Kind{
	Key: "skill-teaching", Label: "Skill Teaching", Phrase: "Skill Teaching",
	Reward: "A step pays a skill’s weight if the student is good at it, and costs it if the student is bad at it.",
	Since:  4, Tied: true,
	Agents: []string{"f-psrl", "c-psrl"}, // PSRL's table is too large for a browser
	New:    func() Domain { return new(SkillTeaching) },
}

// SkillTeaching is instance 1 of Skill Teaching of the planning competition IPPC 2011. A student is
// bad, medium or good at each of two skills. The teacher asks a question about a skill or gives a
// hint; in the next step the student learns from the answer or the hint, and what the teacher does is
// lost. A right answer and a hint lift a student to medium, a right answer lifts a medium one to
// good, and a wrong answer drops one a level. A good student may become medium by chance. The
// instance has no skill that another needs, so the rules about these say nothing and are left out.
type SkillTeaching struct{ Horizon int }

// skill holds the numbers of a skill.
type skill struct {
	weight            float64 // of the reward
	bad, medium, good float64 // the probability of a right answer of a student of that level
	lose              float64 // the probability that a good student becomes medium
}

var skills = []skill{
	{weight: 1.1778302, bad: .56987906, medium: .71801746, good: .9066789, lose: .04352919459342957},
	{weight: 1.2346091, bad: .7414986, medium: .7900833, good: .9543038, lose: .018769168853759767},
}

// The variables of a skill, in their order. A good student is medium, too.
const (
	isMedium    = iota
	isGood      // the student is good at the skill
	isTurn      // the student learns about the skill in this step
	wasRight    // the last answer was right
	wasHinted   // there was a hint that the student understood
	wasDelayed  // there was a hint, which cannot make a student worse
	skillLength // the number of variables
)

var skillNames = []string{isMedium: "medium", isGood: "good", isTurn: "turn", wasRight: "right", wasHinted: "hinted", wasDelayed: "delay"}

func (*SkillTeaching) Kind() *Kind { return &skillTeachingKind }

func (s *SkillTeaching) Params() []param.Param { return []param.Param{horizon(&s.Horizon, "40")} }

// Sparseness implements Domain. Whether a student is medium or good has 6 true parents. The counts of tied
// tables for Z = 5 do not fit in a browser, so an agent can only learn a part of these.
func (*SkillTeaching) Sparseness() int { return 4 }

func (*SkillTeaching) Title() (string, []string) {
	return "Skill Teaching", []string{"instance 1 of IPPC 2011"}
}

// Build implements Domain. The suggested prior is what a teacher may say, who does not think of turns.
func (s *SkillTeaching) Build(rng *rand.Rand, _ Given) (*Problem, error) {
	m := &fmdp.Model{Name: "Skill Teaching", Horizon: s.Horizon}
	n := len(skills)
	teach := fmdp.Variable{Name: "teach", Size: 1 + 2*n, Values: []string{"nothing"}} // then to ask, then to hint
	for k := range skills {
		for _, name := range skillNames {
			m.State = append(m.State, binary(fmt.Sprintf("%s%d", name, k+1)))
		}
		teach.Values = append(teach.Values, fmt.Sprintf("ask %d", k+1))
	}
	for k := range skills {
		teach.Values = append(teach.Values, fmt.Sprintf("hint %d", k+1))
	}
	m.Action = []fmdp.Variable{teach}
	for k := range skills {
		m.Transition = append(m.Transition, skillFactors(m, k)...)
		w := skills[k].weight
		m.Reward = append(m.Reward, pays(k*skillLength+isGood, 0, w), pays(k*skillLength+isMedium, -w, 0))
	}
	m.Initial = make([]float64, m.States())
	m.Initial[0] = 1 // the student is bad at all skills
	p, err := generated(m, rng)
	if err != nil {
		return nil, err
	}
	p.nodes()
	for k := range skills {
		name := func(v int) string { return m.State[k*skillLength+v].Name }
		p.suggest("teach", name(wasRight), .95, "Only a student who is asked can answer.")
		p.suggest("teach", name(wasHinted), .95, "A hint comes from the teacher.")
		p.suggest(name(isMedium), name(wasRight), .8, "Who knows more gives more right answers.")
		p.suggest(name(isGood), name(wasRight), .8, "Who knows more gives more right answers.")
		p.suggest(name(isMedium), name(isMedium), .95, "A student keeps most of what was learned.")
		p.suggest(name(isGood), name(isGood), .95, "A student keeps most of what was learned.")
		p.suggest(name(wasRight), name(isMedium), .9, "Students learn by answering.")
		p.suggest(name(wasHinted), name(isMedium), .9, "Students learn from hints.")
		p.suggest(name(wasRight), name(isGood), .9, "Students learn by answering.")
		p.suggest(name(isMedium), name(isGood), .8, "A student becomes good step by step.")
	}
	p.suggest(m.State[isGood].Name, m.State[skillLength+wasRight].Name, .6, "Who is good at one skill may be better at the next.")
	return p, nil
}

// skillFactors tabulates the laws of the variables of skill k.
func skillFactors(m *fmdp.Model, k int) []fmdp.Factor {
	s, own, teach := &skills[k], k*skillLength, m.Y()
	var turns []int // of all skills
	for other := range skills {
		turns = append(turns, other*skillLength+isTurn)
	}
	teaching := func(point []int) bool { // rather than learning
		for _, i := range turns {
			if point[i] == 1 {
				return false
			}
		}
		return true
	}
	asked := func(point []int) bool { return teaching(point) && point[teach] == 1+k }
	hinted := func(point []int) bool { return teaching(point) && point[teach] == 1+len(skills)+k }
	is := func(point []int, v int) bool { return point[own+v] == 1 }
	given := func(of ...int) (list []int) { // variables of the skill
		for _, v := range of {
			list = append(list, own+v)
		}
		return list
	}
	withTurns := func(list []int) []int { return append(list, turns...) }
	f := make([]fmdp.Factor, skillLength)
	f[isMedium] = factor(m, given(isMedium, isGood, isTurn, wasRight, wasHinted, wasDelayed), 2, func(point []int) []float64 {
		learns := is(point, wasRight) || is(point, wasHinted) || is(point, wasDelayed) && is(point, isMedium)
		return certainly(is(point, isGood) || !is(point, isTurn) && is(point, isMedium) || is(point, isTurn) && learns)
	})
	f[isGood] = factor(m, withTurns(given(isMedium, isGood, wasRight, wasDelayed)), 2, func(point []int) []float64 {
		switch good := is(point, isGood); {
		case teaching(point):
			return certainly(good)
		case good && !is(point, isTurn):
			return chance(1 - s.lose)
		case !is(point, isTurn):
			return chance(0)
		default:
			return certainly(is(point, wasRight) && (good || is(point, isMedium)) || good && is(point, wasDelayed))
		}
	})
	f[isTurn] = factor(m, append(withTurns(nil), teach), 2, func(point []int) []float64 {
		return certainly(asked(point) || hinted(point))
	})
	f[wasRight] = factor(m, append(withTurns(given(isMedium, isGood)), teach), 2, func(point []int) []float64 {
		switch {
		case !asked(point):
			return chance(0)
		case is(point, isGood):
			return chance(s.good)
		case is(point, isMedium):
			return chance(s.medium)
		}
		return chance(s.bad)
	})
	for _, v := range []int{wasHinted, wasDelayed} {
		f[v] = factor(m, append(withTurns(nil), teach), 2, func(point []int) []float64 { return certainly(hinted(point)) })
	}
	return f
}

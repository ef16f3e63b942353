package main

import (
	"fmt"
	"slices"
	"strconv"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/results"
)

// answers says what the precomputed figure of a preset answers to the preset's question, in a line: what the other agents pay stands beside the figure. An answer is
// made of the figure's found, and says so if these do not tell. A problem of the gallery without a row
// has the answer of learns.
var answers = map[string]func(r *found) string{
	"fig1": func(r *found) string {
		recall, precision := r.last("c-psrl", "recall"), r.last("c-psrl", "precision")
		much := "Not yet"
		switch least := min(recall.Mean, precision.Mean); {
		case least == 1:
			much = "Yes"
		case least >= 0.9:
			much = "Nearly"
		case least >= 0.5:
			much = "In part"
		}
		return fmt.Sprintf("%s: it samples %.0f%% of the true edges, and %.0f%% of what it samples is true.", much, 100*recall.Mean, 100*precision.Mean)
	},
	"fig2a": sooner, "fig2c": sooner,
	"fig2d": func(r *found) string {
		all, some, none := r.regret("c-psrl"), r.regret("c-psrl:eta=2"), r.regret("psrl")
		return fmt.Sprintf("%s: C-PSRL pays %s, PSRL %s; without the walls (η = 2) it pays %s.", less(all, none), paid(all.Mean), paid(none.Mean), paid(some.Mean))
	},
	"sysadmin-20": collects, "sysadmin-30": collects, "game-of-life-4x4": collects,
	"navigation-30": func(r *found) string {
		told, random := r.regret("optimal"), r.regret("random")
		verdict := less(told, random)
		if verdict == "Yes" && told.Mean > random.Mean/2 {
			verdict = "Seldom"
		}
		return fmt.Sprintf("%s: told the true model, a search pays %s, C-PSRL %s, at random %s.", verdict, paid(told.Mean), paid(r.regret("c-psrl").Mean), paid(random.Mean))
	},
	"taxi-v3": adds, "frozen-lake": adds, "cliff-walking": adds, "river-swim": adds, "inventory": adds,
	"eta": func(r *found) string {
		whole, one := r.regret("f-psrl"), r.regret("c-psrl:eta=1")
		costs := fmt.Sprintf("with one edge into each variable the regret is %s, with all edges %s.", paid(one.Mean), paid(whole.Mean))
		if one.Lo > whole.Hi {
			return "More than one edge into each variable: " + costs
		}
		return "Little: " + costs
	},
	"sepsis": func(r *found) string {
		died := func(agent string) curve.Point { return r.last(agent, "first-end") }
		some, chance := died("c-psrl"), died("random")
		return fmt.Sprintf("%s: of %d patients %.0f die, %.0f if no edge is stated, %.0f treated at random.",
			less(some, chance), slices.Max(append(r.Episodes, 0)), some.Mean, died(nothing).Mean, chance.Mean)
	},
	"random-16": func(r *found) string {
		whole, none := r.regret("f-psrl"), r.regret(nothing)
		verdict := "Not here"
		if none.Lo > whole.Hi {
			verdict = "It does here"
		}
		return fmt.Sprintf("%s: with no edge it pays %s, with two into each %s, with all %s.",
			verdict, paid(none.Mean), paid(r.regret("c-psrl:eta=2").Mean), paid(whole.Mean))
	},
	"wrong-edge": func(r *found) string {
		right, sure, guess := r.regret("c-psrl"), r.regret("c-psrl:prior=sure"), r.regret("c-psrl:prior=guess")
		verdict := "These runs do not tell"
		if sure.Lo > right.Hi {
			verdict = "Much if it is certain"
			if guess.Lo <= right.Hi {
				verdict += ", little if it is likely"
			}
		}
		return fmt.Sprintf("%s: C-PSRL pays %s, at .9 %s, without %s.", verdict, paid(sure.Mean), paid(guess.Mean), paid(right.Mean))
	},
}

// nothing is C-PSRL with no edge stated: what shows the worth of the edges that others are told.
const nothing = "c-psrl:eta=0"

// sooner says whether C-PSRL pays less than PSRL.
func sooner(r *found) string {
	flat, some := r.regret("psrl"), r.regret("c-psrl")
	return fmt.Sprintf("%s: C-PSRL pays %s, PSRL %s.", less(some, flat), paid(some.Mean), paid(flat.Mean))
}

// adds says whether C-PSRL pays less with its edges than with none.
func adds(r *found) string {
	some, none := r.regret("c-psrl"), r.regret(nothing)
	return fmt.Sprintf("%s: C-PSRL pays %s, and %s if no edge is stated.", less(some, none), paid(some.Mean), paid(none.Mean))
}

// less says whether a mean is less than another.
func less(this, other curve.Point) string {
	switch {
	case this.Hi < other.Lo:
		return "Yes"
	case this.Lo > other.Hi:
		return "No"
	}
	return "These runs do not tell"
}

// learns says whether C-PSRL pays at most half of what playing at random costs.
func learns(r *found) string {
	some, whole, random := r.regret("c-psrl"), r.regret("f-psrl"), r.regret("random")
	verdict := less(some, random)
	if verdict == "Yes" && some.Mean > random.Mean/2 {
		verdict = "A little"
	}
	if verdict == "Yes" && whole.Hi < some.Lo {
		verdict += ", though the whole graph helps more"
	}
	costs := "C-PSRL pays " + paid(some.Mean)
	if r.has(nothing) {
		costs += fmt.Sprintf(", %s if no edge is stated", paid(r.regret(nothing).Mean))
	}
	return fmt.Sprintf("%s: %s, at random %s.", verdict, costs, paid(random.Mean))
}

// collects says whether C-PSRL collects more than play at random, where no policy can be valued, in a mean episode.
func collects(r *found) string {
	of := func(agent string) curve.Point { return r.last(agent, "cumulative-return") }
	each := func(p curve.Point) float64 { return p.Mean / float64(max(p.Episode, 1)) }
	some, random, told := of("c-psrl"), of("random"), of("optimal")
	verdict := less(random, some)
	if verdict == "Yes" && each(some)-each(random) < (each(told)-each(random))/2 {
		verdict = "A little"
	}
	return fmt.Sprintf("%s: it gets %.0f an episode, told all %.0f, at random %.0f.", verdict, each(some), each(told), each(random))
}

// paid writes a regret with two digits or more.
func paid(regret float64) string {
	decimals := 0
	if regret < 9.95 {
		decimals = 1
	}
	return strconv.FormatFloat(regret, 'f', decimals, 64)
}

// found are those of a figure.
type found struct {
	*export.Figure
	missing string // a curve that an answer needs and the figure lacks
}

func (r *found) regret(agent string) curve.Point {
	return r.last(agent, results.CumulativeRegret().Key)
}

func (r *found) has(agent string) bool {
	return slices.ContainsFunc(r.Series, func(s export.Series) bool { return s.Agent == agent })
}

func (r *found) last(agent, measure string) (p curve.Point) {
	curves := r.Curves(measure)
	i := slices.IndexFunc(curves, func(c curve.Curve) bool { return c.Agent == agent })
	if i < 0 || len(curves[i].Points) == 0 {
		r.missing = agent + " " + measure
		return p
	}
	return curves[i].Last()
}

// answerOf returns a figure's answer to the question of its preset.
func answerOf(preset string, figure *export.Figure) (string, error) {
	answer, ok := answers[preset]
	if !ok && slices.ContainsFunc(experiment.Gallery(), func(p experiment.Preset) bool { return p.Name == preset }) {
		answer, ok = learns, true
	}
	if !ok {
		return "", fmt.Errorf("the question of %s has no answer", preset)
	}
	r := &found{Figure: figure}
	words := answer(r)
	if r.missing != "" {
		return "", fmt.Errorf("the figure of %s has no curve %s", preset, r.missing)
	}
	return words, nil
}

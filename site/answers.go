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

// answers says what the precomputed figure of a preset answers to the preset's question. An answer is
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
	"fig2a": helps, "fig2c": helps, "fig2d": helps,
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
		some, none := died("c-psrl"), died("psrl")
		return fmt.Sprintf("%s: of %d patients %.0f die under C-PSRL, %.0f under F-PSRL, %.0f under PSRL, %.0f under random treatment, %.0f untreated; C-PSRL discharges %.0f, random treatment %.0f.",
			less(some, none), slices.Max(append(r.Episodes, 0)), some.Mean, died("f-psrl").Mean, none.Mean, died("random").Mean, died("constant").Mean,
			r.last("c-psrl", "second-end").Mean, r.last("random", "second-end").Mean)
	},
	"random-16": func(r *found) string {
		whole, none := r.regret("f-psrl"), r.regret("c-psrl:eta=0")
		verdict := "Not here"
		if none.Lo > whole.Hi {
			verdict = "It does here"
		}
		return fmt.Sprintf("%s: with no edge the regret is %s, with one into each variable %s, with two %s, with all %s; at random it is %s.",
			verdict, paid(none.Mean), paid(r.regret("c-psrl:eta=1").Mean), paid(r.regret("c-psrl:eta=2").Mean), paid(whole.Mean), paid(r.regret("random").Mean))
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
		return fmt.Sprintf("%s: C-PSRL pays %s with certain wrong edges, %s with wrong edges at .9, %s without them.", verdict, paid(sure.Mean), paid(guess.Mean), paid(right.Mean))
	},
}

// helps says whether C-PSRL pays less than PSRL.
func helps(r *found) string {
	none, some := r.regret("psrl"), r.regret("c-psrl")
	return fmt.Sprintf("%s: C-PSRL pays %s, PSRL %s.", less(some, none), paid(some.Mean), paid(none.Mean))
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

// learns says whether C-PSRL pays less than PSRL or, where the table of PSRL is too large, at most half of
// what playing at random costs. It compares F-PSRL, too.
func learns(r *found) string {
	some, whole, random := r.regret("c-psrl"), r.regret("f-psrl"), r.regret("random")
	costs := fmt.Sprintf("C-PSRL pays %s, F-PSRL %s", paid(some.Mean), paid(whole.Mean))
	var verdict string
	if r.has("psrl") {
		none := r.regret("psrl")
		verdict, costs = less(some, none), costs+", PSRL "+paid(none.Mean)
	} else if verdict = less(some, random); verdict == "Yes" && some.Mean > random.Mean/2 {
		verdict = "A little"
	}
	if verdict == "Yes" && whole.Hi < some.Lo {
		verdict += ", though the whole graph helps more"
	}
	return fmt.Sprintf("%s: %s, playing at random %s.", verdict, costs, paid(random.Mean))
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

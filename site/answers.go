package main

import (
	"fmt"
	"slices"
	"strconv"

	"cpsrl/core/curve"
	"cpsrl/core/export"
	"cpsrl/core/results"
)

// answers says what the precomputed figure of each paper preset answers to the preset's question. An
// answer is made of the figure's found, and says so if these do not tell.
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
}

// helps says whether C-PSRL pays less than PSRL.
func helps(r *found) string {
	none, some := r.regret("psrl"), r.regret("c-psrl")
	costs := fmt.Sprintf("C-PSRL pays %s, PSRL %s.", paid(some.Mean), paid(none.Mean))
	switch {
	case some.Hi < none.Lo:
		return "Yes: " + costs
	case some.Lo > none.Hi:
		return "No: " + costs
	}
	return "These runs do not tell: " + costs
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

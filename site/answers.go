package main

import (
	"fmt"
	"slices"
	"strconv"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
)

// answers says what the precomputed figure of each paper preset answers to the preset's question. An
// answer is made of the figure's results, and says so if these do not tell.
var answers = map[string]func(r *results) string{
	"fig1": func(r *results) string {
		recall, precision := r.last("c-psrl", "recall"), r.last("c-psrl", "precision")
		much := "Not yet"
		switch least := min(recall.mean, precision.mean); {
		case least == 1:
			much = "Yes"
		case least >= 0.9:
			much = "Nearly"
		case least >= 0.5:
			much = "In part"
		}
		return fmt.Sprintf("%s: it samples %.0f%% of the true edges, and %.0f%% of what it samples is true.", much, 100*recall.mean, 100*precision.mean)
	},
	"fig2a": helps, "fig2c": helps, "fig2d": helps,
	"eta": func(r *results) string {
		whole, one := r.regret("f-psrl"), r.regret("c-psrl:eta=1")
		costs := fmt.Sprintf("with one edge into each variable the regret is %s, with all edges %s.", paid(one.mean), paid(whole.mean))
		if one.lo > whole.hi {
			return "More than one edge into each variable: " + costs
		}
		return "Little: " + costs
	},
}

// helps says whether C-PSRL pays less than PSRL.
func helps(r *results) string {
	none, some := r.regret("psrl"), r.regret("c-psrl")
	costs := fmt.Sprintf("C-PSRL pays %s, PSRL %s.", paid(some.mean), paid(none.mean))
	switch {
	case some.hi < none.lo:
		return "Yes: " + costs
	case some.lo > none.hi:
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

// results are those of a figure.
type results struct {
	*export.Figure
	missing string // a curve that an answer needs and the figure lacks
}

// An ending is a curve's last mean with its interval.
type ending struct{ mean, lo, hi float64 }

func (r *results) regret(agent string) ending {
	return r.last(agent, experiment.CumulativeRegret().Key)
}

func (r *results) last(agent, measure string) ending {
	i := slices.IndexFunc(r.Series, func(s export.Series) bool { return s.Agent == agent && s.Measure == measure && s.Base == "" })
	if i < 0 || len(r.Series[i].Mean) == 0 {
		r.missing = agent + " " + measure
		return ending{}
	}
	s, k := r.Series[i], len(r.Series[i].Mean)-1
	return ending{s.Mean[k], s.Lo[k], s.Hi[k]}
}

// answerOf returns a figure's answer to the question of its preset.
func answerOf(preset string, figure *export.Figure) (string, error) {
	answer, ok := answers[preset]
	if !ok {
		return "", fmt.Errorf("the question of %s has no answer", preset)
	}
	r := &results{Figure: figure}
	words := answer(r)
	if r.missing != "" {
		return "", fmt.Errorf("the figure of %s has no curve %s", preset, r.missing)
	}
	return words, nil
}

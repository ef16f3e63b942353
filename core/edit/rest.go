package edit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// addPayoff adds a payoff of nothing. To may be its formula.
func (d *draft) addPayoff(e *Edit) error {
	text := strings.TrimSpace(e.To)
	if text == "" {
		text = "0"
	}
	d.m.Reward = append(d.m.Reward, fmdp.Reward{Given: []int{}, Mean: []float64{0}, Kind: fmdp.Fixed, Scale: 1, Of: -1})
	d.formulas.Payoffs = append(d.formulas.Payoffs, text)
	return nil
}

// paid returns the payoff that the edit is about.
func (d *draft) paid(e *Edit) (*fmdp.Reward, error) {
	if err := at(e, len(d.m.Reward), "payoff"); err != nil {
		return nil, err
	}
	return &d.m.Reward[e.At], nil
}

// payoff writes the formula of a payoff. Without a text, its table stays.
func (d *draft) payoff(e *Edit) error {
	r, err := d.paid(e)
	if err != nil {
		return err
	}
	d.formulas.Payoffs[e.At] = strings.TrimSpace(e.To)
	if d.formulas.Payoffs[e.At] != "" && r.Of >= 0 {
		d.note("The payoff is no longer tied to the parents of %q", param.Clip(d.m.State[r.Of].Name))
		r.Of = -1
	}
	return nil
}

func (d *draft) payoffName(e *Edit) error {
	r, err := d.paid(e)
	if err == nil {
		to := strings.TrimSpace(e.To)
		if r.Hidden {
			d.restate(r.Name, to)
		}
		r.Name = to
	}
	return err
}

func (d *draft) payoffKind(e *Edit) error {
	r, err := d.paid(e)
	if err != nil {
		return err
	}
	switch e.To {
	case "fixed":
		r.Kind, r.Scale = fmdp.Fixed, 1
	case "bernoulli":
		r.Kind, r.Lo, r.Hi = fmdp.Bernoulli, 0, 0
	default:
		return strict.Invalid("/to", `the kind is %q; it must be "fixed" or "bernoulli"`, param.Clip(e.To))
	}
	return nil
}

// mean writes a mean in the table of a payoff.
func (d *draft) mean(e *Edit) error {
	r, err := d.paid(e)
	if err != nil {
		return err
	}
	p, err := e.numbers(fmt.Sprintf("/reward/%d/mean/%d", e.At, e.Row))
	switch {
	case err != nil:
		return err
	case e.Row < 0 || e.Row >= len(r.Mean):
		return strict.Invalid("/row", "there is no row %d", e.Row)
	case len(p) != 1 || math.IsNaN(p[0]):
		return strict.Invalid("/p", "one number was expected")
	}
	d.formulas.Payoffs[e.At] = ""
	r.Mean = slices.Clone(r.Mean)
	r.Mean[e.Row] = p[0]
	return nil
}

func (d *draft) removePayoff(e *Edit) error {
	err := at(e, len(d.m.Reward), "payoff")
	if err == nil {
		if r := &d.m.Reward[e.At]; r.Hidden {
			d.restate(r.Name, "")
		}
		d.m.Reward = slices.Delete(d.m.Reward, e.At, e.At+1)
		d.formulas.Payoffs = slices.Delete(d.formulas.Payoffs, e.At, e.At+1)
		d.gone("payoff", e.At)
	}
	return err
}

// start says where an episode begins: in any state, for "uniform" or no text, or in one for which a formula holds.
func (d *draft) start(e *Edit) error {
	text := strings.TrimSpace(e.To)
	if d.formulas.Initial = text; text == "" || text == "uniform" {
		d.formulas.Initial = ""
		d.initial = fmdp.Uniform(len(d.initial))
	}
	return nil
}

// addEnd adds a kind of end. To may be its formula.
func (d *draft) addEnd(e *Edit) error {
	text := strings.TrimSpace(e.To)
	if text == "" {
		text = "0"
	}
	d.m.Ends = append(d.m.Ends, fmdp.Ending{Given: []int{}, Is: [][]int{}})
	d.formulas.Ends = append(d.formulas.Ends, text)
	return nil
}

// end writes the formula of an end.
func (d *draft) end(e *Edit) error {
	if err := at(e, len(d.m.Ends), "end"); err != nil {
		return err
	}
	text := strings.TrimSpace(e.To)
	if text == "" {
		return strict.Invalid(fmt.Sprintf("/terminal/%d/formula", e.At), "the end has no condition")
	}
	d.formulas.Ends[e.At] = text
	return nil
}

func (d *draft) endName(e *Edit) error {
	err := at(e, len(d.m.Ends), "end")
	if err == nil {
		d.m.Ends[e.At].Name = strings.TrimSpace(e.To)
	}
	return err
}

func (d *draft) removeEnd(e *Edit) error {
	err := at(e, len(d.m.Ends), "end")
	if err == nil {
		d.m.Ends = slices.Delete(d.m.Ends, e.At, e.At+1)
		d.formulas.Ends = slices.Delete(d.formulas.Ends, e.At, e.At+1)
		d.gone("end", e.At)
	}
	return err
}

// legal writes the formula of the legal actions. Without a text, all are.
func (d *draft) legal(e *Edit) error {
	if d.formulas.Legal = strings.TrimSpace(e.To); d.formulas.Legal == "" {
		d.m.Legal = nil
	}
	return nil
}

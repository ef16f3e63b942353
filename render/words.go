package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// agent returns the name of the agent in the view, or else its label in the trace.
func (d *draft) agent() string { return cmp.Or(d.view.Agent, d.trace.Agent) }

// sentence describes the picture.
func (d *draft) sentence() string {
	end := d.endSentence()
	if d.brief && d.trace.Record.Valued == nil {
		return fmt.Sprintf("Episode %d: %s collects %s.", d.trace.Episode, d.agent(), decimal(d.trace.Record.Return, 2)) + end
	}
	if d.brief {
		return fmt.Sprintf("Episode %d: %s collects %s; its policy is worth %s, %s less than the best one.", d.trace.Episode,
			d.agent(), decimal(d.trace.Record.Return, 2), decimal(d.trace.Record.Value, 2), decimal(d.trace.Record.Regret, 2)) + end
	}
	s := ""
	switch d.view.Moment {
	case Sample:
		s = d.sampleSentence()
	case Plan:
		if d.searched {
			s = d.searchSentence()
			break
		}
		s = fmt.Sprintf("the policy is worth %s in the %s model and %s in the true model",
			decimal(d.trace.Sampled.Value, 2), d.source().adjective, decimal(d.trace.Record.Value, 2))
		if d.view.Truth {
			s += fmt.Sprintf("; the optimum is %s", decimal(d.trace.Record.Optimal, 2))
		}
	case Act:
		s = d.actSentence()
	case Update:
		s = d.updateSentence()
	}
	return fmt.Sprintf("Episode %d, %s: %s.", d.trace.Episode, d.view.Moment, s) + end
}

// endSentence says how an episode that is over ended early, after a space; "" if it did not.
func (d *draft) endSentence() string {
	if _, over := d.over(); !over {
		return ""
	}
	s := " The episode ended where it began"
	if n := len(d.trace.Steps); n > 0 {
		s = " The episode ended after " + param.Count(n, "step")
	}
	if d.trace.Ending != nil && *d.trace.Ending != "" {
		s += ": " + *d.trace.Ending
	}
	return s + "."
}

// source holds the words for the model of an agent.
type source struct {
	verb, adjective string
	graph, about    string // the title of its graph, and what is said beside the title
	fixed           bool   // whether no episode changes it
}

var sources = map[document.Source]source{
	document.Sampled:   {"samples", "sampled", "Sampled graph", "drawn from the belief", false},
	document.Estimated: {"estimates", "estimated", "Estimated graph", "the most probable one", false},
	document.Told:      {"is told", "told", "Told graph", "the agent is told it", true},
	document.Assumed:   {"assumes", "assumed", "Assumed graph", "the agent assumes it", true},
}

func (d *draft) source() source { return sources[d.trace.Source] }

// nameOf returns the name of a look, in which _ stands for the adjective of the model.
func (d *draft) nameOf(l *look) string { return strings.Replace(l.name, "_", d.source().adjective, 1) }

func (d *draft) sampleSentence() string {
	does := d.source().verb
	switch {
	case d.trace.Sampled.Graph == nil && d.trace.Sampled.Transition != nil:
		return d.agent() + " " + does + " a model without a graph"
	case d.trace.Sampled.Graph == nil:
		return d.agent() + " " + does + " a whole transition table, without a graph"
	}
	number := func(is func(e edge) bool) (n int) {
		for _, e := range d.edges() {
			if is(e) {
				n++
			}
		}
		return n
	}
	edges := number(func(e edge) bool { return e.sampled })
	known := number(func(e edge) bool { return e.sampled && e.known })
	s := fmt.Sprintf("the agent %s a graph of %s, %d of them known, and a model over it", does, param.Count(edges, "edge"), known)
	if d.trace.Before == nil {
		s = fmt.Sprintf("the agent %s a graph of %s and a model over it", does, param.Count(edges, "edge"))
	}
	switch n := number(func(e edge) bool { return e.where != "" }); {
	case n == 1:
		s += "; 1 of its edges matters only in part"
	case n > 1:
		s += fmt.Sprintf("; %d of its edges matter only in part", n)
	}
	if d.view.Truth {
		missed := number(func(e edge) bool { return !e.trivial && e.truth && !e.sampled })
		falsely := number(func(e edge) bool { return !e.trivial && e.sampled && !e.truth })
		s += fmt.Sprintf("; %s %s missed, %d %s false", param.Count(missed, "true edge"), be(missed), falsely, be(falsely))
	}
	return s
}

// be returns the form of the verb for n things.
func be(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func (d *draft) actSentence() string {
	at := d.current()
	if at < 0 {
		start := d.point(d.trace.StateAfter(0), 0)
		most := ""
		if len(d.trace.Steps) < d.trace.Horizon { // what comes is not told
			most = "at most "
		}
		return fmt.Sprintf("an episode of %s%s starts in %s", most, param.Count(d.trace.Horizon, "step"), start)
	}
	step := d.trace.Steps[at]
	return fmt.Sprintf("step %d of %d, %s; reward %s, %s so far",
		at+1, len(d.trace.Steps), d.scene.step(d, step), decimal(step.Reward, 2), decimal(d.collected(), 2))
}

// pointStep describes a step by its state and its action.
func (d *draft) pointStep(step record.TraceStep) string {
	y := d.space.Y()
	return fmt.Sprintf("in %s it plays %s", d.point(step.X[:y], 0), d.point(step.X[y:], y))
}

// point writes the values of the variables from X_first on, at most six of them.
func (d *draft) point(values []int, first int) string {
	const most = 6
	var parts []string
	for k, v := range values {
		if k == most {
			parts = append(parts, "…")
			break
		}
		x := d.space.Var(first + k)
		parts = append(parts, x.Name+" = "+x.Label(v))
	}
	return strings.Join(parts, ", ")
}

func (d *draft) updateSentence() string {
	s := fmt.Sprintf("the agent has collected %s", decimal(d.trace.Record.Return, 2))
	switch {
	case d.source().fixed:
		return s + " and learns nothing"
	case d.trace.After == nil:
		return s + fmt.Sprintf(" and counts %s", param.Count(len(d.trace.Steps), "transition"))
	}
	before, after := 0.0, 0.0
	for j := range d.trace.After {
		before += d.trace.Before[j].Entropy
		after += d.trace.After[j].Entropy
	}
	s += fmt.Sprintf("; its uncertainty about the graph goes from %s to %s bits", decimal(before, 2), decimal(after, 2))
	most := slices.MaxFunc(d.edges(), func(a, b edge) int { return cmp.Compare(a.moved(), b.moved()) })
	if most.moved() >= 0.005 {
		s += fmt.Sprintf(", and %s → %s from %s to %s",
			d.xName(most.i), d.yName(most.j), probability(most.was), probability(most.p))
	}
	return s
}

// status describes an edge.
func (d *draft) status(e edge) string {
	s := d.nameOf(e.look)
	if e.trivial && e.look != lookUntold {
		s += ", no data can tell"
	}
	if d.view.Truth && !e.trivial && e.known && e.truth {
		s += ", true"
	}
	if d.view.Moment == Update && d.trace.Before != nil {
		s += ", was " + probability(e.was)
	}
	return s
}

// probability writes a probability with two decimals. Only 0 and 1 look like 0 and 1.
func probability(p float64) string {
	switch {
	case p > 0 && p < 0.005:
		return "<0.01"
	case p < 1 && p >= 0.995 && 1-p > 1e-9:
		return ">0.99"
	}
	return decimal(p, 2)
}

// amount writes the value of an edge with three decimals. Only 0 looks like 0.
func amount(value float64) string {
	if value > 0 && value < 0.0005 {
		return "<0.001"
	}
	return decimal(value, 3)
}

// decimal writes a number with that many decimals.
func decimal(x float64, decimals int) string {
	s := fmt.Sprintf("%.*f", decimals, x)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", "−", 1)
}

package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"cpsrl/core/arm"
	"cpsrl/core/domain"
	"cpsrl/core/param"
	"cpsrl/core/spec"
)

// Pair is two agents to compare by run: Agent − Base.
type Pair struct{ Agent, Base string }

// ParsePair reads "AGENT,BASE", the labels of two of the agents. The error is one sentence.
func (e *Experiment) ParsePair(text string) (p Pair, err error) {
	labels := arm.Split(text)
	if len(labels) != 2 {
		return Pair{}, fmt.Errorf("%q is not two agents", param.Clip(text))
	}
	if p.Agent, err = e.Label(labels[0]); err == nil {
		p.Base, err = e.Label(labels[1])
	}
	return p, err
}

// DefaultPair returns the first agent that is not a baseline and the first baseline of
// the highest rank: C-PSRL and PSRL or, without PSRL, F-PSRL. Where the true model is not solved, the base is the reference:
// the agent that plans in it. It returns false if there is no such pair.
func (e *Experiment) DefaultPair() (Pair, bool) {
	var p Pair
	rank := 0
	for k, arm := range e.arms {
		if arm.Baseline == 0 && p.Agent == "" {
			p.Agent = e.spec.Agents[k]
		}
		if arm.Baseline > rank {
			p.Base, rank = e.spec.Agents[k], arm.Baseline
		}
	}
	if !e.first.valued() {
		for k, a := range e.arms {
			if slices.Contains(a.Needs(), arm.TrueModel) {
				p.Base = e.spec.Agents[k]
				break
			}
		}
	}
	if p.Agent == "" || p.Base == "" {
		return Pair{}, false
	}
	return p, true
}

// NameOf returns the name of the agent with that label, in any form that [Experiment.Label] reads, or the
// label if there is none.
func (e *Experiment) NameOf(label string) string {
	if arm, ok := e.Arm(arm.Canonical(label)); ok {
		return arm.Name()
	}
	return label
}

// CheckPaired returns an error of one sentence unless two experiments are paired: they have
// runs in common, and each common run has the same true model in both. If ctx ends, the
// error is that of ctx.
func (e *Experiment) CheckPaired(ctx context.Context, other *Experiment) error {
	first := max(e.spec.FirstRun, other.spec.FirstRun)
	end := min(e.spec.FirstRun+e.spec.Runs, other.spec.FirstRun+other.spec.Runs)
	if first >= end {
		return errors.New("the experiments have no whole run in common, so that no difference can be taken run by run")
	}
	if bytes.Equal(problemOf(e.spec), problemOf(other.spec)) {
		return nil // a run's true model depends on nothing else
	}
	if !domain.Drawn(e.spec.Domain) && !domain.Drawn(other.spec.Domain) {
		end = first + 1 // all runs have the same graph and rows, and so the same model
	}
	for run := first; run < end; run++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		mine, err := e.Instance(run)
		if err != nil {
			return err
		}
		theirs, err := other.Instance(run)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(mine.World, theirs.World) {
			return fmt.Errorf("run %d has another true model in each experiment, so that no difference can be taken run by run", run)
		}
	}
	return nil
}

// problemOf returns the JSON of a spec without its agents and the number of its episodes and
// runs.
func problemOf(s *spec.Spec) []byte {
	of := *s
	of.Agents, of.Episodes, of.FirstRun, of.Runs = nil, 1, 0, 1
	return spec.Encode(&of)
}

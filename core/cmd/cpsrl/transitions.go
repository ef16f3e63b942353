package main

import (
	"context"
	"flag"
	"math"
	"strconv"

	"cpsrl/core/cells"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

var transitionsCommand = command{
	name: "transitions", args: "-model FILE [-normalise] [-n N | -episodes N [-behaviour random|view|world]] [-seed S]",
	short: "draw transitions from a model, or a log of episodes",
	long: `Draws independent transitions, x uniform over states and actions and y from the model, and prints them
as JSON Lines {"x":[…],"y":[…]} for "cpsrl posterior". Variables that agents do not see are drawn as at the start of
an episode, and left out.
With -episodes, it draws a log of N episodes, a table with the columns episode, reward and done for "cpsrl posterior", "problem" and
"policy". In three of four steps, -behaviour view does what is best by what agents see, and -behaviour world what is best by
all that is there: by causes, too, that the log then lacks. Else, and with -behaviour random, it does what is legal at random.`,
	setup: func(flags *flag.FlagSet) action {
		_, load := modelFlags(flags)
		n := wholeNumber(flags, "n", 1000, 0, math.MaxInt32, "the number `N` of transitions")
		episodes := wholeNumber(flags, "episodes", 0, 1, math.MaxInt32, "draw a log of `N` episodes")
		by := oneOf(flags, "behaviour", behaviours, "for -episodes, `WHO` acts: random, view or world")
		seed := wholeNumber(flags, "seed", 0, 0, spec.MaxSeed, "the `SEED`, below 2^53")
		return func(h *host, args []string) error {
			model, _, err := load(h)
			if err != nil {
				return err
			}
			if *episodes > 0 {
				return h.drawLog(model, *episodes, *by, int64(*seed))
			}
			if *by != behaviours[0] {
				return badf("flags", "-behaviour is for -episodes")
			}
			return h.drawTransitions(model, *n, int64(*seed))
		}
	},
}

// drawTransitions prints n transitions from the stream of that seed.
func (h *host) drawTransitions(m *fmdp.Model, n int, seed int64) error {
	rng := posterior.NewNamedStream(seed, 0, "transitions").Rand
	laws, weights, seen := [][]fmdp.Factor{m.Transition}, []float64{1}, m
	if m.Hidden > 0 {
		laws, weights = domain.SeenLaws(m)
		seen = domain.FromModel(m, rng).View
	}
	t := document.Transition{X: make([]int, seen.X()), Y: make([]int, seen.Y())}
	const batch = 1 << 15
	buffer := make([]byte, 0, 2*batch)
	for k := range n {
		of := *seen
		if len(laws) > 1 {
			of.Transition = laws[fmdp.Draw(rng, weights)]
		}
		of.DrawTransition(rng, t.X, t.Y)
		buffer = strict.AppendLine(buffer, t)
		if len(buffer) < batch && k < n-1 {
			continue
		}
		if err := h.print(buffer); err != nil {
			return err
		}
		buffer = buffer[:0]
		if h.ctx.Err() != nil {
			return context.Cause(h.ctx)
		}
	}
	return nil
}

// behaviours are the ways to act in a log that is drawn.
var behaviours = []string{"random", "view", "world"}

// astray is the share of steps in which a behaviour does anything that is legal.
const astray = 0.25

// drawLog prints a log of so many episodes, whose actions are by that behaviour.
func (h *host) drawLog(m *fmdp.Model, episodes int, by string, seed int64) error {
	rng := posterior.NewNamedStream(seed, 0, "log").Rand
	of, wide, view := m, 1, domain.FromModel(m, rng).View
	for _, v := range m.State[m.Y()-m.Hidden:] {
		wide *= v.Size
	}
	if by == "view" {
		of = view
	} else {
		wide = 1
	}
	var policy *planning.Policy
	if by != "random" {
		if err := of.List(); err != nil {
			return strict.Located(err)
		}
		mdp, err := planning.FromModel(of, nil)
		if err != nil {
			return err
		}
		policy, _ = planning.Solve(mdp)
	}
	ends, seen := m.Endings(), m.Y()-m.Hidden
	table := &cells.Table{}
	table.Text("episode")
	for i := range view.X() {
		table.Text(view.Var(i).Name)
	}
	table.Text("reward", "done").End()
	x, next := make([]int, m.X()), make([]int, m.Y())
	for episode := range episodes {
		m.DrawStart(rng, x[:m.Y()])
		over := ends.At(x[:m.Y()]) != 0
		for step := 1; step <= m.Horizon && !over; step++ {
			state, action := x[:m.Y()], 0
			if policy != nil && rng.Float64() >= astray {
				action = policy.Action(step, m.Index(state)/wide)
			} else {
				action = m.DrawAction(rng, state)
			}
			m.JointAction(x[m.Y():], action)
			m.Next(rng, x, next)
			paid := 0.0
			for k := range m.Reward {
				r := &m.Reward[k]
				if mean := r.Mean[m.RowAt(r.Given, x, next)]; r.Kind == fmdp.Fixed {
					paid += mean
				} else if rng.Float64() < mean {
					paid += r.Scale
				}
			}
			over = ends.At(next) != 0
			table.Int(episode + 1)
			for i := range m.X() {
				if i < seen || i >= m.Y() {
					table.Text(m.Var(i).Label(x[i]))
				}
			}
			table.Number(paid).Text(strconv.FormatBool(over)).End()
			copy(x, next)
		}
		table.Int(episode + 1) // the last state, in which nothing is done
		for i := range m.X() {
			switch {
			case i < seen:
				table.Text(m.Var(i).Label(x[i]))
			case i >= m.Y():
				table.Text("")
			}
		}
		table.Text("", "").End()
		if err := h.print(table.Bytes); err != nil {
			return err
		}
		if table.Bytes = table.Bytes[:0]; h.ctx.Err() != nil {
			return context.Cause(h.ctx)
		}
	}
	return nil
}

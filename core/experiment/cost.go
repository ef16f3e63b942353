package experiment

import (
	"fmt"
	"slices"

	"cpsrl/core/arm"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/search"
	"cpsrl/core/strict"
)

// Browser is the approximate number of operations of [Experiment.Cost] that one worker
// of a browser does in a second. (One core of a machine of 2020 does about 10⁹
// natively.)
const Browser = 3e8

// AutoRun is the largest cost of an experiment that a page may start without being asked,
// for instance when it opens a link: about two minutes of one worker.
const AutoRun = 120 * Browser

// Costs of the parts of an episode that do not depend on the agent, in operations.
// Package arm has the others.
const (
	costMultiply = 1.5  // a multiplication of planning.Cost
	costLong     = 0.75 // the same, in a backup of at least longBackup multiplications, most of which are in long loops
	costBackup   = 300  // a backup
	costPoint    = 4    // to compare the action of a point with the others
	costStep     = 25   // a step in the true model, without the parts below
	costRead     = 10   // to read the value of an X variable
	costMove     = 17   // to draw the next value of a state variable
	costValue    = 2    // to skip one of its values
	costPayoff   = 9    // to draw a payoff
	costRecord   = 4000 // a record line without its matrix
)

// Limits of the estimate of the steps after which induction stops early.
const (
	mixedSteps    = 20      // the estimate for a model with random rows
	mostMixing    = 1 << 12 // the longest horizon with that estimate; in a longer one, rounding may keep induction from stopping
	mostTrialWork = 1 << 21 // the most multiplications that induction in the true model may take
)

// Cost estimates the number of elementary operations of all runs, within a factor of
// about three. Sampling and model error grow with the entries of the tables, the
// hyper-posterior with H·Σ_j|𝒵_j|, learned rewards with their rows and with S·A. The
// estimate assumes that every run is like the first and that every sampled graph is like
// its true graph. Data cost as much as so many steps more, but for planners of their own.
func (e *Experiment) Cost() float64 {
	all, _ := e.Costs()
	return all
}

// Costs returns the cost of the experiment, as [Experiment.Cost] does, and the cost of one episode
// of each agent, in the order of the spec's agents.
func (e *Experiment) Costs() (all float64, episodes []float64) {
	if e.first.vast {
		return e.vastCosts()
	}
	m, task := e.first.View, e.first.Task()
	size := &arm.Size{
		Horizon: float64(m.Horizon),
		Points:  float64(m.Points()),
		Joint:   float64(m.Points()) * float64(m.States()),
		Dense:   m.Joint() <= fmdp.MaxJoint,
	}
	step := stepCost(m)
	cells := 0.0
	for j := range m.Transition {
		cells += float64(len(m.Transition[j].P))
	}
	backup := planning.Cost(&m.Space, m.Transition)
	backups := e.backups(backup)
	// With the table of the joint law, planning passes over at least half of the actions.
	// PSRL always has the table.
	table := backups * size.Joint / planning.DenseAdvantage * costMultiply
	plan := backups * multiply(backup)
	value := plan
	if backup >= size.Joint/planning.DenseAdvantage { // the table is planned with
		plan, value = table/2, table/float64(m.Actions())
	}
	world := e.first.worldCost(backups)
	value += world
	// A sampled model averages the payoffs on arrival.
	payoffs := planning.PayoffCost(m) * costMultiply
	// Steps, the choice of actions, the record, and the value of the policy.
	base := size.Horizon*step + backups*(costBackup+size.Points*costPoint) + costRecord + value
	if size.Dense {
		base += size.Joint * arm.CostJoint
	}
	base += payoffs
	total := base + plan + cells*arm.CostFactor + world*float64(m.Actions()) // the true model is built and solved once
	size.Plan, size.Backup = plan, costBackup+float64(m.States())*costPoint+value/backups
	episodes = make([]float64, len(e.arms))
	for i, arm := range e.arms {
		planned := plan
		simulated := e.first.searchSteps(arm) * step
		switch {
		case arm.Plans:
			planned = simulated
		case simulated > 0:
			planned = simulated
		case !arm.Factored:
			planned = table / 2
		}
		episodes[i] = base + planned + arm.Cost(task, size)
		total += float64(e.spec.Episodes) * episodes[i]
		if from := e.spec.Data(); from != nil && !arm.Plans {
			longer, shorter := *size, *size
			longer.Horizon, shorter.Horizon = float64(len(from.Steps())), 0
			total += arm.Cost(task, &longer) - arm.Cost(task, &shorter)
		}
		if work := edgeWork(e.first); arm.Graph && work <= mostEdgeWork {
			total += work // once for each agent, because agents may run separately
		}
	}
	return float64(e.spec.Runs) * total, episodes
}

// stepCost returns the cost of a step in a model.
func stepCost(m *fmdp.Model) float64 {
	step := costStep + costRead*float64(m.X()) + costPayoff*float64(len(m.Reward))
	for j := range m.Transition {
		step += costMove + costValue*float64(m.State[j].Size)
	}
	return step
}

// vastCosts is Costs where no list holds the states: agents act, search and learn, and at most the states that can occur are
// solved.
func (e *Experiment) vastCosts() (all float64, episodes []float64) {
	in, task := e.first, e.first.Task()
	size := &arm.Size{Horizon: float64(in.View.Horizon), Points: float64(in.View.Points()), Joint: float64(in.View.Joint()), Vast: true}
	act, simulate := stepCost(in.World), stepCost(in.View)
	total := 0.0
	for _, arm := range e.arms {
		episode := size.Horizon*act + costRecord + in.searchSteps(arm)*simulate + arm.Cost(task, size)
		if episodes, total = append(episodes, episode), total+float64(e.spec.Episodes)*episode; e.spec.Data() != nil && !arm.Plans {
			longer, shorter := *size, *size
			longer.Horizon, shorter.Horizon = float64(len(e.spec.Data().Steps())), 0
			total += arm.Cost(task, &longer) - arm.Cost(task, &shorter)
		}
	}
	if in.reached != nil { // is solved once for each run
		total += in.reached.Work() * costMultiply
	}
	return float64(e.spec.Runs) * total, episodes
}

// mostSearch is the largest number of steps in a model that the decisions of an episode may simulate: the value of a
// policy takes a decision in every state and step.
const mostSearch = 1 << 32

// searchSteps returns how many steps in a model a searching agent simulates in an episode, to act and to value its policy.
func (in *Instance) searchSteps(of arm.Arm) float64 {
	m, by := in.View, of.PlannerOr(in.spec.Planner)
	if _, may := of.Config.(arm.Planning); !may && of.Plans {
		return 0
	}
	steps := (in.asked() + 1) * float64(m.Horizon) * by.Steps(m.Actions())
	if in.vast {
		steps *= by.Ahead(m.Horizon)
	}
	return steps
}

// asked returns in how many states of a step a policy is asked for its action to value it. Where only states that can occur
// are listed, it is asked where it leads, which is estimated to be as often as for π_*.
func (in *Instance) asked() float64 {
	switch {
	case in.reached != nil:
		return float64(in.reached.asked) / float64(in.View.Horizon)
	case in.vast:
		return 0
	}
	return float64(in.View.States())
}

// checkSearch returns an error if an agent's policies take too long to value.
func (in *Instance) checkSearch(of arm.Arm) error {
	if _, plans := of.Config.(arm.Planning); !plans {
		return nil
	}
	if steps := in.searchSteps(of); steps > mostSearch {
		place, by := "/planner", of.PlannerOr(in.spec.Planner)
		if of.PlannerOr(search.Choice{}).Given() {
			place = fmt.Sprintf("/agents/%d", slices.Index(in.spec.Agents, of.Label()))
		}
		if in.vast {
			return strict.Invalid(place, "an episode of %d steps by %s takes %.2g simulated steps, more than %.2g", in.View.Horizon, by, steps, float64(mostSearch))
		}
		return strict.Invalid(place, "the value of a policy of %s takes a decision in each of %d states at %d steps, %.2g simulated steps an episode, more than %.2g", by, in.View.States(), in.View.Horizon, steps, float64(mostSearch))
	}
	return nil
}

// worldCost returns the cost of the value of a policy in the world, beyond that in the view.
func (in *Instance) worldCost(backups float64) float64 {
	switch w := in.World; in.Sight {
	case domain.Blind:
		return backups * (multiply(planning.Cost(&w.Space, w.Transition)) + costPoint*float64(w.States()))
	case domain.Noisy:
		laws := float64(w.States() / in.View.States())
		if in.View.Joint() <= fmdp.MaxJoint { // the joint law is averaged once for each run
			return laws * float64(in.View.Joint()) * arm.CostJoint / float64(in.View.Actions())
		}
		return backups * laws * multiply(planning.Cost(&in.View.Space, in.View.Transition))
	}
	return 0
}

// longBackup is the number of multiplications from which on a backup is long.
const longBackup = 1e5

// multiply returns the cost of a backup of that many multiplications.
func multiply(backup float64) float64 {
	if backup < longBackup {
		return backup * costMultiply
	}
	return backup * costLong
}

// mixing estimates the number of steps after which induction stops early in a model with
// random rows.
func mixing(horizon int) float64 {
	h := float64(horizon)
	if h > mostMixing {
		return h / 4 // some models stop early, and in others fewer actions contend
	}
	return min(h, mixedSteps)
}

// backups estimates the number of steps after which induction stops early. It runs
// induction in the true model of the first run, unless that takes more than mostTrialWork
// multiplications, and assumes the same for sampled models. The cost is that of one
// backup.
func (e *Experiment) backups(cost float64) float64 {
	m := e.first.View
	horizon, least := float64(m.Horizon), mixing(m.Horizon)
	most := min(horizon, mostTrialWork/cost)
	if most >= 2*mixedSteps && horizon > least {
		if mdp, err := planning.FromModel(m, nil); err == nil {
			if steps := float64(planning.Steps(mdp, int(most))); steps < most {
				return max(least, steps)
			}
			return horizon
		}
	}
	if e.spec.Domain.Kind().Mixes {
		return least
	}
	return horizon
}

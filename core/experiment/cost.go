package experiment

import (
	"cpsrl/core/agent"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// Browser is about how many of the operations of [Cost] one worker of a browser
// does in a second. (One core of a machine of 2020 does about 10⁹ natively.)
const Browser = 3e8

// AutoRun is the budget, in operations, of what may run without being asked for,
// as when a link is opened: about two minutes of one worker.
const AutoRun = 120 * Browser

// What the parts of an episode take whoever plays, in operations: see package
// agent for the rest.
const (
	costMultiply = 1.5  // a multiplication of planning.Cost
	costStep     = 150  // a step in the true model
	costRecord   = 4000 // a record line without its matrix
	mixed        = 16   // backups after which induction in a model of random rows stops early
)

// Cost estimates how many elementary operations the runs take: for planning,
// min(H, 16) backups if rows are random and mix, else H; for sampling and model
// error, the entries of the tables; for the hyper-posterior, H·Σ_j|𝒵_j|. The
// true graph of the first run stands for all that are sampled. It serves to say
// how long a run will take, within a factor of two or three.
func (e *Experiment) Cost() float64 {
	m, task := e.first.Model, e.first.Task()
	size := &agent.Size{
		Horizon: float64(m.Horizon),
		Points:  float64(m.Points()),
		Joint:   float64(m.Points()) * float64(m.States()),
		Dense:   m.Joint() <= fmdp.MaxJoint,
		Learned: 1,
	}
	for j := range m.Transition {
		size.Cells += float64(len(m.Transition[j].P))
	}
	if task.Reward == nil {
		size.Learned += float64(len(m.Reward)) / float64(m.Y())
	}
	backups := size.Horizon
	if e.spec.Domain.Kind().Mixes {
		backups = min(backups, mixed)
	}
	// Planning, evaluation, steps, the record.
	backup := backups * planning.Cost(&m.Space, m.Transition) * costMultiply
	base := backup + size.Horizon*costStep + costRecord
	if size.Dense {
		base += backup/float64(m.Actions()) + size.Joint*agent.CostJoint
	} else {
		base += backup
	}
	total := base + size.Cells*agent.CostFactor // to build and solve the true model
	for _, arm := range e.arms {
		total += float64(e.spec.Episodes) * (base + arm.Cost(task, size))
	}
	return float64(e.spec.Runs) * total
}

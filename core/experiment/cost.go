package experiment

import (
	"cpsrl/core/agent"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// Browser is roughly the number of operations of [Experiment.Cost] that one worker
// of a browser does in a second. (One core of a machine of 2020 does about 10⁹
// natively.)
const Browser = 3e8

// AutoRun is the largest cost of an experiment that a page may start by itself, for
// instance when it opens a link: about two minutes of one worker.
const AutoRun = 120 * Browser

// Costs of the parts of an episode that do not depend on the agent, in operations.
// Package agent has the others.
const (
	costMultiply = 1.5  // a multiplication of planning.Cost
	costStep     = 150  // a step in the true model
	costRecord   = 4000 // a record line without its matrix
	mixed        = 16   // the backups before induction stops early in a model of random rows
)

// Cost estimates how many elementary operations the runs take, within a factor of
// two or three. Planning takes H backups, or min(H, 16) if rows are random;
// sampling and model error grow as the entries of the tables, the hyper-posterior
// as H·Σ_j|𝒵_j|. The estimate takes the true graph of the first run for every
// sampled graph.
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
	total := base + size.Cells*agent.CostFactor // the true model is built and solved once
	for _, arm := range e.arms {
		total += float64(e.spec.Episodes) * (base + arm.Cost(task, size))
	}
	return float64(e.spec.Runs) * total
}

package experiment

import (
	"math/big"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/record"
)

// Browser is about how many of the operations of [Cost] one worker of a browser
// does in a second. (One core of a machine of 2020 does about 10⁹ natively.)
const Browser = 3e8

// AutoRun is the budget, in operations, of what may run without being asked for,
// as when a link is opened: about two minutes of one worker.
const AutoRun = 120 * Browser

// What the parts of an episode take, in operations: about a nanosecond each, by
// BenchmarkEpisode and the paper's presets.
const (
	costDraw     = 12   // a Dirichlet weight of a full row
	costFactor   = 25   // one of a factor's row, which has seen more
	costSet      = 50   // a parent set: its noise, its probability, its edges
	costWeigh    = 3    // one transition under one parent set
	costMultiply = 1.5  // a multiplication of planning.Cost
	costJoint    = 2    // an entry of the joint law: to form it, or to compare it
	costStep     = 150  // a step in the true model
	costRecord   = 4000 // a record line, and 100 for each entry of its matrix
	mixed        = 16   // backups after which induction in a random FMDP stops early
)

// Cost estimates how many elementary operations the runs of a complete spec
// take: for planning, min(H, 16) backups if rows are random and mix, else H; for
// sampling and model error, the entries of the tables; for the hyper-posterior,
// H·Σ_j|𝒵_j|. The true graph of the first run stands for all that are sampled.
// It serves to say how long a run will take, within a factor of two or three.
func Cost(spec *record.Spec) (float64, error) {
	in, err := Problem(spec, spec.FirstRun)
	if err != nil {
		return 0, err
	}
	m := in.Model
	horizon := float64(m.Horizon)
	points, states := float64(m.Points()), float64(m.States())
	joint := points * states
	dense := m.Joint() <= fmdp.MaxJoint
	backups := horizon
	if d := spec.Domain.Name; d == "random-fmdp" || d == "figure1" {
		backups = min(backups, mixed)
	}
	truth := planning.Cost(&m.Space, m.Transition)
	// Whoever plays: planning, evaluation, steps, the record.
	base := backups*truth*costMultiply + horizon*costStep + costRecord
	if dense {
		base += backups*truth*costMultiply/float64(m.Actions()) + joint*costJoint
	} else {
		base += backups * truth * costMultiply
	}
	cells := 0.0
	for j := range m.Transition {
		cells += float64(len(m.Transition[j].P))
	}
	learned := 1.0
	if spec.Rewards == "learned" {
		learned += float64(len(m.Reward)) / float64(m.Y())
	}
	total := base + cells*costFactor // to build and solve the true model
	for _, label := range spec.Agents {
		a, err := record.ParseAgent(label)
		if err != nil {
			return 0, err
		}
		episode := base
		if a.Algorithm == "psrl" {
			episode += joint*costDraw + learned*points
		} else {
			sets := float64(m.Y())
			if a.Algorithm == "c-psrl" {
				sets = countSets(in.Prior(a))
			}
			episode += learned*(sets*(horizon*costWeigh+costSet)+cells*costFactor) + 100*float64(m.X()*m.Y())
			if dense {
				episode += joint * costJoint
			}
		}
		total += float64(spec.Episodes) * episode
	}
	return float64(spec.Runs) * total, nil
}

// countSets returns Σ_j|𝒵_j|.
func countSets(p *bigraph.Prior) float64 {
	sum := new(big.Int)
	for j := range p.Known {
		sum.Add(sum, p.Count(j))
	}
	n, _ := new(big.Float).SetInt(sum).Float64()
	return n
}

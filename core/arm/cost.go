package arm

import (
	"math/big"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/posterior"
)

// Size holds the sizes that the cost of an episode depends on.
type Size struct {
	Horizon float64 // H
	Points  float64 // S·A
	Joint   float64 // S²A
	Dense   bool    // whether the joint law is formed
	Plan    float64 // the cost of planning in a factored model
	Backup  float64 // the cost of one backup of a given policy
	Vast    bool    // no list holds the states: nothing is listed, planned or backed up
}

// Costs of the parts of an episode, in operations of about a nanosecond. They were
// fitted to BenchmarkEpisode, the paper's presets and models with many variables or
// reward factors.
const (
	CostDraw     = 12  // to draw an entry of the table over x and y, most of whose counts are 0
	CostFactor   = 25  // to draw an entry of a factor's table, whose counts are larger
	CostReal     = 90  // to draw an entry of any table whose α is not 1
	CostJoint    = 2   // to form or to compare an entry of the joint law
	costBox      = 15  // to weigh a box of a tree: of all sets, though few are weighed in most episodes
	costSet      = 50  // to draw noise for a parent set, and to sum up its probability and edges
	costWeigh    = 3   // to weigh one parent set by one transition
	costBlock    = 5   // to weigh a row, or the rows that a row may be tied with: of all sets, though few are weighed in most episodes
	costRatio    = 0.5 // the same, for each more α of a mix
	costLogs     = 10  // to weigh such rows by logarithms, where the α of a mix are too far apart for tables
	costLog      = 1.5 // the same, for each α
	costTie      = 60  // to sum up how probable ties along a parent are, for each set
	costFind     = 15  // to find the row of a parent set without a table of them
	costSee      = 30  // to look at the next value of a state variable
	costCount    = 12  // to count a payoff
	costMean     = 30  // to draw the mean payoff of a row of a reward factor
	costPay      = 3   // to add a reward factor to R(x)
	costMixed    = 10  // to draw an action of a policy
	costIgnorant = 8   // to back up a state in a model whose tables have one row
	costEntry    = 100 // to write an entry of the matrix of edges in a record
)

// cost returns the cost of an episode for a learned reward factor with that many rows.
func (s *Size) cost(rows float64) float64 {
	cost := rows*costMean + s.Horizon*costCount
	if !s.Vast {
		cost += s.Points * costPay
	}
	return cost
}

// blockCost returns the cost of weighing a block of rows of Y_j.
func blockCost(t *agent.Task, j int) float64 {
	if !t.Law.Rows.Mixes() {
		return costBlock
	}
	size := t.Space.State[j].Size
	alphas := t.Law.Rows.Alphas(size, 1)
	if !t.Law.Tabled(alphas, size) {
		return costLogs + costLog*float64(len(alphas))
	}
	return costBlock + costRatio*float64(len(alphas)-1)
}

// causalCost returns the cost of an episode with the given prior in which that graph is
// sampled.
func causalCost(t *agent.Task, s *Size, prior *bigraph.Prior, graph bigraph.Bigraph) float64 {
	cost := costEntry * float64(t.Space.X()*t.Space.Y())
	draw, learned := float64(CostFactor), 1.0 // the number of α that are learned
	if !t.Law.Rows.One() || t.Law.Structure != concentration.Rows {
		draw = CostReal
	}
	if t.Law.Rows.Learns() {
		learned = float64(len(t.Law.Rows.Alphas(1, 1)))
	}
	for j, z := range graph {
		sets, _ := new(big.Float).SetInt(prior.Count(j)).Float64()
		rows := float64(t.Space.Rows(z.Parents()))
		weigh := sets * costWeigh
		cost += sets*costSet + rows*float64(t.Space.State[j].Size)*draw + s.Horizon*costSee
		switch {
		case t.Law.Structure == concentration.Tied: // a table is weighed with independent rows, and tied along each parent
			ties, _ := new(big.Float).SetInt(prior.CountParents(j)).Float64()
			cost += s.Horizon*weigh + (sets+ties)*min(s.Horizon, rows)*blockCost(t, j)*learned + ties*costTie*learned
		case t.Law.Structure == concentration.Trees:
			cost += s.Horizon*weigh + sets*posterior.Boxes(t.Space, z)*costBox*learned
		case t.Law.Rows.Mixes():
			cost += s.Horizon*weigh + sets*min(s.Horizon, rows)*blockCost(t, j)
		default:
			cost += s.Horizon * weigh * learned
		}
		if !posterior.Tabled(sets * s.Points) {
			cost += s.Horizon * sets * costFind
		}
		cost += float64(len(t.Learned(j))) * (s.cost(rows) + s.Horizon*weigh)
	}
	if prior.Payoffs != nil {
		for k, f := range t.Unscoped() {
			sets, _ := new(big.Float).SetInt(prior.Payoffs.Count(k)).Float64()
			cost += sets*(costSet+s.Horizon*costWeigh*float64(1+t.Space.X())) + s.cost(float64(len(t.Payoffs[f].Mean)))
		}
	}
	for _, f := range t.Learned(-1) {
		cost += s.cost(float64(len(t.Payoffs[f].Mean)))
	}
	if s.Dense {
		cost += s.Joint * CostJoint
	}
	return cost
}

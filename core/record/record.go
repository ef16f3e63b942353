// Package record holds the versioned formats of what comes out of the engine: records and
// traces. Their rules are those of package strict; old versions stay readable, and testdata has
// a file of each.
//
// # Records, version 3
//
// A records file is JSON Lines: a header with the engine version and the spec, then one
// [Record] for each run, agent and episode, in that order. The fingerprint of an
// experiment is the SHA-256 of its record lines, newlines included, without the header.
// Version 1 is that of engine 1, whose records have no promise, no logTruth and no
// valueRecall. Version 3 is that of experiments whose true model is not solved: the header says why,
// and the records have no optimal, no value and no regret. Other records are written as version 2.
//
// # Goroutines and memory
//
// Functions may be called by several goroutines at once. Decoded values belong to the
// caller. A [Trace] shares the variables and tables of the model that it was made of;
// the caller must not change them. [AppendRecord] appends to dst and returns the
// longer slice.
package record

import (
	"cmp"
	"fmt"
	"math"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Formats.
const (
	RecordFormat = "cpsrl/records"
	TraceFormat  = "cpsrl/trace"
)

var _ = strict.Know(Record{}, Valued{}, Belief{}, Depth{}, Payoff{}, Trace{}, TraceModel{}, Solved{}, TraceWhere{}, TraceStep{}, TraceAction{}, TraceBelief{}, TraceSet{})

// Engine is the version of the arithmetic. It rises when the records of a spec
// change, and only then.
const Engine = 2

// Record describes one episode of one agent in one run.
type Record struct {
	Run     int    `json:"run"`     // from 0
	Agent   string `json:"agent"`   // its label
	Episode int    `json:"episode"` // k, from 1
	*Valued
	Return float64 `json:"return"` // the reward collected in the episode
	// End is 0 if the episode lasted for the whole horizon, or else 1 more than the index of the kind of end
	// that it reached. It is absent if the model has no ends.
	End *int `json:"end,omitzero"`
	// ModelError is the mean over x of ‖p_*(·|x) − p_k(·|x)‖₁ over joint next
	// states. It is absent if S²A exceeds fmdp.MaxJoint, and if
	// what agents see is no MDP.
	ModelError *float64 `json:"modelError,omitzero"`
	// Promise is V_k(π_k), the value of the played policy in ℱ_k. It is
	// absent before engine 2, and where the policy is not listed.
	Promise *float64 `json:"promise,omitzero"`
	// Belief is absent for agents without a graph and without a belief about it (PSRL).
	Belief *Belief `json:"belief,omitzero"`
}

// Valued is what the policy of an episode is worth in the true model under μ, computed exactly by dynamic
// programming. It is absent from all records of an experiment whose true model is not solved.
type Valued struct {
	Optimal float64 `json:"optimal"` // V_*(π_*)
	Value   float64 `json:"value"`   // V_*(π_k)
	Regret  float64 `json:"regret"`  // V_*(π_*) − V_*(π_k)
}

// NewValued returns the values of V_*(π_*) and V_*(π_k), with their regret.
func NewValued(optimal, value float64) *Valued { return &Valued{optimal, value, optimal - value} }

// Belief is the graph of an agent's model, and the agent's belief about the graph. An agent
// may lack one of the two.
type Belief struct {
	*Scored
	// LogTruth is ln P_k(z_*), the natural logarithm of the probability of the true graph
	// before the episode: the sum over the variables with more than one value of the log
	// probability of their true parents. It is absent before engine 2 and if the prior
	// excludes the true graph.
	LogTruth *float64 `json:"logTruth,omitzero"`
	// ValueRecall is Σ Δ_e over the true edges in z_k, divided by Σ Δ_e over all true
	// edges, where Δ_e is what planning without the edge costs in the true model. It is
	// absent before engine 2 and if these values would take long to compute.
	ValueRecall *float64 `json:"valueRecall,omitzero"`
	// Depth lists, if the spec asks for it, how deep Y variables are in the trap before the episode. A
	// variable with one value, or whose prior leaves only parents that contain the true ones or only
	// others, is left out.
	Depth []Depth `json:"depth,omitzero"`
	*Updated
	// Payoffs is the belief about the parents of each payoff whose scope is hidden and learned.
	Payoffs []Payoff `json:"payoffs,omitzero"`
}

// Payoff is the belief about the parents of a learned payoff.
type Payoff struct {
	Of      string    `json:"of"`
	Parents []int     `json:"parents"` // those of ℱ_k
	Best    []int     `json:"best"`    // the most probable parents, after the episode's update
	Edges   []float64 `json:"edges"`   // the probability of each X variable to be a parent, to 4 decimals
	Entropy float64   `json:"entropy"` // in bits
}

// Scored is the graph of an agent's model, with its scores.
type Scored struct {
	Graph          document.Graph `json:"graph"` // z_k, the parent sets of ℱ_k, which most agents sample
	bigraph.Scores                // z_k against z_*, without the variables with one value
}

// Depth is the natural logarithm of the odds of the most probable parents of Y_j that contain the true
// ones, against the most probable others. Far below 0, when there are data, the agent is trapped without
// them.
type Depth struct {
	Of      int     `json:"of"` // j
	LogOdds float64 `json:"logOdds"`
}

// Updated is the belief about the graph after an episode's update.
type Updated struct {
	Best    document.Graph `json:"best"`    // the most probable parent set of each Y_j; ties go to the first listed
	Edges   [][]float64    `json:"edges"`   // P(X_i → Y_j), one row for each Y_j, to 4 decimals
	Entropy float64        `json:"entropy"` // of the hyper-posterior, in bits, summed over the Y_j
}

// Round4 rounds a probability to 4 decimals, as the formats have it.
func Round4(p float64) float64 { return math.Round(p*1e4) / 1e4 }

// AppendRecord appends the line of a record, with its newline.
func AppendRecord(dst []byte, r *Record) []byte { return strict.AppendLine(dst, r) }

// largestValue is far beyond the values of any model, and small enough that statistics
// of many values stay finite.
const largestValue = 1e30

// DecodeRecord reads one record line. Numbers beyond ±1e30 are refused.
func DecodeRecord(line []byte) (*Record, error) {
	var into Record
	err := strict.Read(line, func(r *strict.Reader) error {
		r.Within(largestValue)
		return r.Value(&into)
	})
	if err != nil {
		return nil, err
	}
	return &into, nil
}

// CheckBelief returns an *[strict.InvalidError] if the graphs and probabilities of a record are
// not over the variables of the space, or a number is not in its range.
func CheckBelief(b *Belief, space *fmdp.Space) error {
	shares := make([]float64, 0, 3)
	if b.Scored != nil {
		if err := document.CheckGraph(b.Graph, "/belief/graph", space); err != nil {
			return err
		}
		shares = append(shares, b.Recall, b.Precision)
	}
	if b.Updated != nil {
		if err := cmp.Or(document.CheckGraph(b.Best, "/belief/best", space), checkMatrix(b.Edges, "/belief/edges", space)); err != nil {
			return err
		}
	}
	if b.LogTruth != nil && !(*b.LogTruth <= 0) {
		return strict.Invalid("/belief/logTruth", "%v is not the logarithm of a probability", *b.LogTruth)
	}
	for k, d := range b.Depth {
		if d.Of < 0 || d.Of >= space.Y() || k > 0 && d.Of <= b.Depth[k-1].Of {
			return strict.Invalid(fmt.Sprintf("/belief/depth/%d/of", k), "%d is not the index of a state variable after the one before", d.Of)
		}
	}
	for k, p := range b.Payoffs {
		at := fmt.Sprintf("/belief/payoffs/%d", k)
		if err := cmp.Or(document.CheckParents(p.Parents, at+"/parents", space), document.CheckParents(p.Best, at+"/best", space), checkEdges(p.Edges, at+"/edges", space)); err != nil {
			return err
		}
	}
	if b.ValueRecall != nil {
		shares = append(shares, *b.ValueRecall)
	}
	for _, share := range shares {
		if !(share >= 0 && share <= 1) {
			return strict.Invalid("/belief", "%v is not a recall or a precision", share)
		}
	}
	return nil
}

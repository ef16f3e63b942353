package record

import (
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Trace is one episode of one agent in one run, moment by moment: sample,
// plan, act, update. Steps h count from 1; tables by h start with h = 1.
type Trace struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Engine  int           `json:"engine"`
	Run     int           `json:"run"`
	Agent   string        `json:"agent"`
	Episode int           `json:"episode"`
	Horizon int           `json:"horizon"`
	State   []variableDoc `json:"state"`
	Action  []variableDoc `json:"action"`
	Grid    *Grid         `json:"grid,omitzero"`
	True    TraceModel    `json:"true"`             // ℱ_* and its optimal policy
	Sampled TraceModel    `json:"sampled"`          // ℱ_k and the policy that is played
	Steps   []TraceStep   `json:"steps"`            // the trajectory in ℱ_*
	Prior   Graph         `json:"prior,omitempty"`  // the agent's known edges; absent without a graph
	Before  []TraceBelief `json:"before,omitempty"` // P_k, for each Y variable
	After   []TraceBelief `json:"after,omitempty"`  // P_{k+1}
	Record  Record        `json:"record"`
}

// TraceModel is a model with the policy that is optimal for it.
type TraceModel struct {
	Graph      Graph       `json:"graph,omitempty"`      // absent without a graph
	Transition []factorDoc `json:"transition,omitempty"` // as in cpsrl/model; absent without a graph
	Reward     []float64   `json:"reward"`               // R(x), by x = s·A + a
	Value      float64     `json:"value"`                // of its policy under μ, in this model
	V          [][]float64 `json:"v"`                    // V_h(s), by h, then s
	Policy     [][]int32   `json:"policy"`               // π_h(s), by h, then s
}

// TraceStep is one step of the trajectory.
type TraceStep struct {
	X      []int   `json:"x"` // the state and the action
	Y      []int   `json:"y"` // the next state
	Reward float64 `json:"reward"`
}

// TraceBelief is the hyper-posterior over the parent sets of one Y variable.
type TraceBelief struct {
	Count   int        `json:"count"`   // |𝒵_j|
	Sets    []TraceSet `json:"sets"`    // the most probable, at most TopSets
	Edges   []float64  `json:"edges"`   // P(X_i → Y_j), for each X_i
	Entropy float64    `json:"entropy"` // in bits
}

// TraceSet is one parent set and its place in a hyper-posterior.
type TraceSet struct {
	Parents     []int   `json:"parents"`
	P           float64 `json:"p"`
	LogEvidence float64 `json:"logEvidence"` // natural logarithm
}

// TopSets is how many parent sets of a variable a trace lists.
const TopSets = 8

// Grid is how to draw a problem on a grid of cells.
type Grid struct {
	Rows        int      `json:"rows"`
	Columns     int      `json:"columns"`
	Walls       [][2]int `json:"walls"`       // {row, column}: a wall east of that cell
	PickUp      [2]int   `json:"pickUp"`      // {row, column}
	Destination [2]int   `json:"destination"` // {row, column}
}

// NewTrace returns a trace with its header and variables filled in.
func NewTrace(space *fmdp.Space, horizon int, r *Record) *Trace {
	return &Trace{
		Format: TraceFormat, Version: 1, Engine: Engine,
		Run: r.Run, Agent: r.Agent, Episode: r.Episode, Horizon: horizon,
		State: variableDocs(space.State), Action: variableDocs(space.Action),
		Record: *r,
	}
}

// SetTransition fills in the graph and the tables of a factored law.
func (m *TraceModel) SetTransition(space *fmdp.Space, transition []fmdp.Factor) {
	m.Graph = NewGraph(fmdp.Graph(transition))
	m.Transition = factorDocs(space, transition)
}

// NewTraceSet returns the set in the form of the formats.
func NewTraceSet(z bigraph.Scope, p, logEvidence float64) TraceSet {
	return TraceSet{Parents: z.Parents(), P: p, LogEvidence: logEvidence}
}

// EncodeTrace returns the trace as one JSON object.
func EncodeTrace(t *Trace) []byte { return encode(t) }

// Space returns the variables of the trace.
func (t *Trace) Space() *fmdp.Space {
	return &fmdp.Space{State: variables(t.State), Action: variables(t.Action)}
}

// DecodeTrace reads a trace.
func DecodeTrace(data []byte) (*Trace, error) {
	if err := sniff(data, TraceFormat, 1); err != nil {
		return nil, err
	}
	var t Trace
	if err := decode(data, &t); err != nil {
		return nil, err
	}
	return &t, nil
}

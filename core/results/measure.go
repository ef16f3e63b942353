package results

import (
	"fmt"

	"cpsrl/core/experiment"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// Measure is what a curve shows, by episode: one row of [Measures].
type Measure struct {
	Key        string `json:"key"`        // "model-error"
	Noun       string `json:"noun"`       // the beginning of a sentence about it
	Axis       string `json:"axis"`       // the label of its axis in a figure
	Definition string `json:"definition"` // one sentence
	Formula    string `json:"formula"`    // the definition in symbols
	Caption    string `json:"caption"`    // the definition in a few words, to stand after the noun and a colon
	// Reading says in one sentence how to read a curve. It is "" if Definition is enough.
	Reading string `json:"reading,omitempty"`
	// Absent says why an agent may have no curve, or is "".
	Absent string    `json:"absent,omitempty"`
	Better Direction `json:"better,omitempty"`
	Most   float64   `json:"most,omitzero"` // the largest possible value, which figures show; 0 if there is none
	Sums   bool      `json:"-"`             // whether a curve shows the sum over the episodes so far
	Signed bool      `json:"-"`             // whether means may be below 0 by more than rounding
	// OfRegret says that the regrets of the episodes tell the measure, so that curves of other programs
	// have it.
	OfRegret bool `json:"-"`
	// Switch names the switch of the spec without which records lack the measure. It is "" if no
	// switch matters.
	Switch string `json:"switch,omitempty"`
	// End is 1 more than the index of the kind of end that the measure counts, or 0.
	End int `json:"end,omitzero"`
	// Of returns the value of one record, and whether the record has one.
	Of func(r *record.Record) (float64, bool) `json:"-"`
}

// Direction says which values of a measure are better.
type Direction string

const (
	Lower   Direction = "lower"
	Higher  Direction = "higher"
	Neither Direction = ""
)

// before2 says that records of engine 1 lack a measure.
const before2 = "Records of engine 1 have no such curve."

var measures = param.NewRegistry(func(m *Measure) string { return m.Key }, func(*Measure) error { return nil }, []*Measure{{
	Key: "cumulative-regret", Noun: "Cumulative regret", Axis: "cumulative regret",
	Definition: "Cumulative regret is V_*(π_*) − V_*(π_l) summed over the episodes l ≤ k, exact by dynamic programming.",
	Formula:    "Σ_{l ≤ k} V*(π*) − V*(π_l), V by dynamic programming",
	Caption:    "sum over episodes of V* − V of the policy played, both exact",
	Reading:    "Lower is better; a flat curve has learned.",
	Better:     Lower, Sums: true, OfRegret: true,
	Of: func(r *record.Record) (float64, bool) { return r.Regret, true },
}, {
	Key: "regret", Noun: "Regret of an episode", Axis: "regret of an episode",
	Definition: "Regret is V_*(π_*) − V_*(π_k), exact by dynamic programming.",
	Formula:    "V*(π*) − V*(π_k), V by dynamic programming",
	Caption:    "V* − V of the policy played, both exact",
	Reading:    "Lower is better; at 0 the policy is the best there is.",
	Better:     Lower, OfRegret: true,
	Of: func(r *record.Record) (float64, bool) { return r.Regret, true },
}, {
	Key: "model-error", Noun: "Model error", Axis: "model error",
	Definition: "Model error is the mean over x of the ℓ_1 distance of p_*(·|x) and p_k(·|x), over joint next states.",
	Formula:    "mean over x of ‖p*(·|x) − p_k(·|x)‖₁, joint next states",
	Caption:    "ℓ₁ distance between the true and the sampled next-state law, mean over states and actions",
	Reading:    "Lower is better.",
	Absent:     "There is no model error for a problem of this size.",
	Better:     Lower,
	Of:         func(r *record.Record) (float64, bool) { return given(r.ModelError) },
}, {
	Key: "recall", Noun: "Recall of the sampled graph", Axis: "recall of the sampled graph",
	Definition: "Recall is the share of the edges of z_* that are in the sampled graph z_k.",
	Formula:    "|z_k ∩ z*| / |z*|",
	Caption:    "share of the true edges that are in it",
	Reading:    "Higher is better; at 1 no true edge is missing.",
	Absent:     noGraph, Better: Higher, Most: 1,
	Of: ofGraph(func(b *record.Scored) *float64 { return &b.Recall }),
}, {
	Key: "precision", Noun: "Precision of the sampled graph", Axis: "precision of the sampled graph",
	Definition: "Precision is the share of the edges of the sampled graph z_k that are in z_*.",
	Formula:    "|z_k ∩ z*| / |z_k|",
	Caption:    "share of its edges that are true",
	Reading:    "Higher is better; at 1 every edge is true.",
	Absent:     noGraph, Better: Higher, Most: 1,
	Of: ofGraph(func(b *record.Scored) *float64 { return &b.Precision }),
}, {
	Key: "parents", Noun: "Parents of a variable in the sampled graph", Axis: "parents per variable",
	Definition: "Parents are counted in the sampled graph z_k and averaged over its variables.",
	Formula:    "(1/d_Y) Σ_j |z_{k,j}|",
	Caption:    "mean over variables",
	Absent:     noGraph, Better: Neither,
	Of: ofGraph(func(b *record.Scored) *float64 { return &b.Parents }),
}, {
	Key: "optimism", Noun: "Cumulative optimism", Axis: "cumulative optimism",
	Definition: "Cumulative optimism is V_l(π_l) − V_*(π_l) summed over the episodes l ≤ k: how much more the policy is worth in the sampled model, which promises it, than in the true one. With the unpromised value it adds up to the regret.",
	Formula:    "Σ_{l ≤ k} V_l(π_l) − V*(π_l)",
	Caption:    "what the sampled model promises of the policy, less what the policy is worth, summed over episodes",
	Absent:     before2, Better: Neither, Sums: true, Signed: true,
	Of: ofPromise(func(r *record.Record) float64 { return *r.Promise - r.Value }),
}, {
	Key: "unpromised", Noun: "Cumulative unpromised value", Axis: "cumulative unpromised value",
	Definition: "Cumulative unpromised value is V_*(π_*) − V_l(π_l) summed over the episodes l ≤ k: the part of the regret that the sampled models do not promise. Its mean is 0 for exact posterior sampling of truths drawn from the agent's prior.",
	Formula:    "Σ_{l ≤ k} V*(π*) − V_l(π_l)",
	Caption:    "V* less what the sampled model promises of the policy, summed over episodes",
	Absent:     before2, Better: Neither, Sums: true, Signed: true,
	Of: ofPromise(func(r *record.Record) float64 { return r.Optimal - *r.Promise }),
}, {
	Key: "log-truth", Noun: "Log-probability of the true graph", Axis: "ln P_k(z*)",
	Definition: "The log-probability of the true graph is ln P_k(z_*), by the hyper-posterior before the episode.",
	Formula:    "ln P_k(z*) = Σ_j ln P_{k,j}(z*_j)",
	Caption:    "natural logarithm of the hyper-posterior's probability of z*, before the episode",
	Reading:    "Higher is better; at 0 the true graph is certain.",
	Absent:     before2 + " Agents that sample no graph have none, nor have agents whose prior excludes the true graph.", Better: Higher, Signed: true,
	Of: ofBelief(func(b *record.Belief) *float64 { return b.LogTruth }),
}, {
	Key: "value-recall", Noun: "Value recall of the sampled graph", Axis: "value recall of the sampled graph",
	Definition: "Value recall is the recall of the sampled graph z_k with each true edge weighed by what planning without it costs.",
	Formula:    "Σ Δ_e over z_k ∩ z* / Σ Δ_e over z*",
	Caption:    "share of the true edges that are in it, each weighed by what planning without it costs",
	Reading:    "Higher is better; at 1 no edge is missing that planning needs.",
	Absent:     before2 + " Agents that sample no graph have none, and there is none where the values of edges would take long.", Better: Higher, Most: 1,
	Of: ofBelief(func(b *record.Belief) *float64 { return b.ValueRecall }),
}, {
	Key: "depth", Noun: "Log-odds of the true parents", Axis: "log-odds of the true parents",
	Definition: "The log-odds of the true parents are ln of the odds of the most probable parents of a variable that contain the true ones, against the most probable others: by the hyper-posterior before the episode, and averaged over the variables.",
	Formula:    "mean over j of ln (max P_{k,j}(z with z*_j) / max P_{k,j}(other z))",
	Caption:    "ln of the odds of the best parents with the true ones against the best others, mean over variables",
	Reading:    "Higher is better; far below 0 the agent is trapped without a true parent.",
	Absent:     "Only experiments that record the depth of the trap have this curve.", Better: Higher, Signed: true,
	Switch: "depth",
	Of:     ofBelief(MeanDepth),
}, ofEnd(1, "first"), ofEnd(2, "second")}...)

// ofEnd returns the measure of a kind of end.
func ofEnd(end int, which string) *Measure {
	return &Measure{
		Key: which + "-end", Noun: "Episodes that reached the " + which + " end", Axis: "episodes that reached the " + which + " end",
		Definition: "Episodes are counted that ended before the horizon in the " + which + " kind of end of the problem: for sepsis, the first is death and the second discharge.",
		Formula:    fmt.Sprintf("Σ_{l ≤ k} 1[episode l ended in end %d]", end),
		Caption:    "number of episodes so far that ended in the problem’s " + which + " kind of end",
		Absent:     "The problem has no such end.", Better: Neither, Sums: true, End: end,
		Of: func(r *record.Record) (float64, bool) {
			if r.End == nil {
				return 0, false
			}
			if *r.End == end {
				return 1, true
			}
			return 0, true
		},
	}
}

// nounIn returns the beginning of a sentence about the measure in an experiment, which names its ends.
func (m *Measure) nounIn(e *experiment.Experiment) string {
	if ends := e.Ends(); m.End > 0 && m.End <= len(ends) {
		return fmt.Sprintf("Episodes that ended in “%s”", ends[m.End-1])
	}
	return m.Noun
}

// MeanDepth returns the mean of the depths of a belief, or nil if it has none.
func MeanDepth(b *record.Belief) *float64 {
	if len(b.Depth) == 0 {
		return nil
	}
	mean := 0.0
	for _, d := range b.Depth {
		mean += d.LogOdds / float64(len(b.Depth))
	}
	return &mean
}

// ofPromise returns Measure.Of for a measure of the promise.
func ofPromise(of func(*record.Record) float64) func(*record.Record) (float64, bool) {
	return func(r *record.Record) (float64, bool) {
		if r.Promise == nil {
			return 0, false
		}
		return of(r), true
	}
}

// ofGraph returns Measure.Of for a measure of the graph of an agent's model.
func ofGraph(of func(*record.Scored) *float64) func(*record.Record) (float64, bool) {
	return ofBelief(func(b *record.Belief) *float64 {
		if b.Scored == nil {
			return nil
		}
		return of(b.Scored)
	})
}

const noGraph = "Agents that sample no graph have no curve here."

// ofBelief returns Measure.Of for a measure of the sampled graph or of the belief. The
// function of returns nil if the belief lacks the measure.
func ofBelief(of func(*record.Belief) *float64) func(*record.Record) (float64, bool) {
	return func(r *record.Record) (float64, bool) {
		if r.Belief == nil {
			return 0, false
		}
		return given(of(r.Belief))
	}
}

// given returns a number that a record may lack, and whether the record has it.
func given(value *float64) (float64, bool) {
	if value == nil {
		return 0, false
	}
	return *value, true
}

// Measures returns every measure. The first is the default.
func Measures() []*Measure { return measures.Rows() }

// CumulativeRegret returns the first measure.
func CumulativeRegret() *Measure { return Measures()[0] }

// LookupMeasure returns the measure with that key, and whether there is one.
func LookupMeasure(key string) (*Measure, bool) {
	m, err := measures.Lookup(key)
	return m, err == nil
}

// RegisterMeasure adds a measure and returns a function that removes it. Neither may be
// called while anything else uses the package. RegisterMeasure panics if the key is in use
// or is none.
func RegisterMeasure(m *Measure) (remove func()) { return measures.Add(m) }

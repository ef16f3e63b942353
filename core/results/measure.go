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
	// Values says that a record's value is a difference of values of policies, whose rounding is 0.
	Values bool `json:"-"`
	// Solved says that records have it only if the true model is solved.
	Solved bool `json:"solved,omitzero"`
	// OfRegret says that the regrets of the episodes tell the measure, and OfReturn that their returns do, so that curves of
	// other programs have it.
	OfRegret bool `json:"-"`
	OfReturn bool `json:"-"`
	// Switch names the switch of the spec without which records lack the measure. It is "" if no
	// switch matters.
	Switch string `json:"switch,omitempty"`
	// End is 1 more than the index of the kind of end that the measure counts, or 0.
	End int `json:"end,omitzero"`
	// Of returns the value of one record, and whether the record has one, given the true model of its run. Of a measure
	// with OfRegret or OfReturn, the truth may be nil.
	Of func(r *record.Record, t *Truth) (float64, bool) `json:"-"`
}

// Direction says which values of a measure are better.
type Direction string

const (
	Lower   Direction = "lower"  // less is better
	Higher  Direction = "higher" // more is better
	Neither Direction = ""       // no value is better than another
)

// before2 says that records of engine 1 lack a measure.
const before2 = "Records of engine 1 have no such curve."

var measures = param.NewRegistry(func(m *Measure) string { return m.Key }, func(*Measure) error { return nil }, []*Measure{{
	Key: "cumulative-regret", Noun: "Cumulative regret", Axis: "cumulative regret",
	Definition: "Cumulative regret is V_*(π_*) − V_*(π_l) summed over the episodes l ≤ k, exact by dynamic programming.",
	Formula:    "Σ_{l ≤ k} V*(π*) − V*(π_l), V by dynamic programming",
	Caption:    "sum over episodes of V* − V of the policy played, both exact",
	Reading:    "Lower is better; a flat curve has learned.",
	Absent:     noRegret, Better: Lower, Sums: true, OfRegret: true, Solved: true, Values: true,
	Of: regretOf,
}, {
	Key: "regret", Noun: "Regret of an episode", Axis: "regret of an episode",
	Definition: "Regret is V_*(π_*) − V_*(π_k), exact by dynamic programming.",
	Formula:    "V*(π*) − V*(π_k), V by dynamic programming",
	Caption:    "V* − V of the policy played, both exact",
	Reading:    "Lower is better; at 0 the policy is the best there is.",
	Absent:     noRegret, Better: Lower, OfRegret: true, Solved: true, Values: true,
	Of: regretOf,
}, {
	Key: "model-error", Noun: "Model error", Axis: "model error",
	Definition: "Model error is the mean over x of the ℓ_1 distance of p_*(·|x) and p_k(·|x), over joint next states.",
	Formula:    "mean over x of ‖p*(·|x) − p_k(·|x)‖₁, joint next states",
	Caption:    "ℓ₁ distance between the true and the sampled next-state law, mean over states and actions",
	Reading:    "Lower is better.",
	Absent:     "There is no model error for a problem of this size.",
	Better:     Lower,
	Of:         func(r *record.Record, _ *Truth) (float64, bool) { return given(r.ModelError) },
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
	Absent:     before2 + " " + noRegret, Better: Neither, Sums: true, Signed: true, Solved: true, Values: true,
	Of: ofPromise(func(r *record.Record) float64 { return *r.Promise - r.Value }),
}, {
	Key: "unpromised", Noun: "Cumulative unpromised value", Axis: "cumulative unpromised value",
	Definition: "Cumulative unpromised value is V_*(π_*) − V_l(π_l) summed over the episodes l ≤ k: the part of the regret that the sampled models do not promise. Its mean is 0 for exact posterior sampling of truths drawn from the agent's prior.",
	Formula:    "Σ_{l ≤ k} V*(π*) − V_l(π_l)",
	Caption:    "V* less what the sampled model promises of the policy, summed over episodes",
	Absent:     before2 + " " + noRegret, Better: Neither, Sums: true, Signed: true, Solved: true, Values: true,
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
	Key: "depth", Noun: "Log-odds of the true parents", Axis: "ln odds of the true parents",
	Definition: "The log-odds of the true parents are ln of the odds of the most probable parents of a variable that contain the true ones, against the most probable others: by the hyper-posterior before the episode, and averaged over the variables.",
	Formula:    "mean over j of ln (max P_{k,j}(z with z*_j) / max P_{k,j}(other z))",
	Caption:    "ln of the odds of the best parents with the true ones against the best others, mean over variables",
	Reading:    "Higher is better; far below 0 the agent is trapped without a true parent.",
	Absent:     "Only experiments that record the depth of the trap have this curve: set “Depth of the trap” to “recorded” and run.", Better: Higher, Signed: true,
	Switch: "depth",
	Of:     ofBelief(MeanDepth),
}, ofEnd(1, "first"), ofEnd(2, "second"), {
	Key: "normalised-value", Noun: "Normalised value of an episode", Axis: "normalised value",
	Definition: "Normalised value is the share of V_*(π_*) − V_*(random) that the policy recovers, where random plays every legal action equally often; both are exact by dynamic programming.",
	Formula:    "(V*(π_k) − V*(random)) / (V*(π*) − V*(random))",
	Caption:    "share of the difference between V* and the value of random play that the policy recovers",
	Reading:    "Higher is better; at 1 the policy is the best there is, and at 0 it is worth as much as random play.",
	Absent:     "There is none where every policy pays the same. " + noRegret,
	Better:     Higher, Most: 1, Signed: true, Solved: true,
	Of: func(r *record.Record, t *Truth) (float64, bool) { return t.recovered(r) },
}, {
	Key: "shd", Noun: "Structural Hamming distance of the best graph", Axis: "edges that differ (SHD)",
	Definition: "The structural Hamming distance is the number of edges that are false or missing in the most probable graph, by the hyper-posterior after the episode.",
	Formula:    "Σ_j |b_{k,j}| + |z*_j| − 2 |b_{k,j} ∩ z*_j|, b_k the most probable graph",
	Caption:    "number of its edges that are false, and of true ones that it lacks",
	Reading:    "Lower is better; at 0 it is the true graph.",
	Absent:     noBelief, Better: Lower,
	Of: ofBest(func(differ int) float64 { return float64(differ) }),
}, {
	Key: "exact-recovery", Noun: "Exact recovery of the graph", Axis: "exact recovery of the graph",
	Definition: "Exact recovery is 1 if the most probable graph, by the hyper-posterior after the episode, is the true graph, or else 0.",
	Formula:    "1[b_k = z*], b_k the most probable graph",
	Caption:    "1 if the most probable graph is the true graph",
	Reading:    "Higher is better; a mean is the share of runs that have the true graph.",
	Absent:     noBelief, Better: Higher, Most: 1,
	Of: ofBest(func(differ int) float64 {
		if differ == 0 {
			return 1
		}
		return 0
	}),
}, {
	Key: "return", Noun: "Return of an episode", Axis: "return of an episode",
	Definition: "The return is what the steps of an episode paid. It varies by chance as much as the episodes do.",
	Formula:    "Σ_h r_h in episode k",
	Caption:    "what the steps of the episode paid",
	Reading:    "Higher is better.",
	Better:     Higher, OfReturn: true, Signed: true,
	Of: returnOf,
}, {
	Key: "cumulative-return", Noun: "Cumulative return", Axis: "cumulative return",
	Definition: "Cumulative return is what the steps of the episodes l ≤ k paid.",
	Formula:    "Σ_{l ≤ k} Σ_h r_h in episode l",
	Caption:    "sum over episodes of what their steps paid",
	Reading:    "Higher is better.",
	Better:     Higher, Sums: true, OfReturn: true, Signed: true,
	Of: returnOf,
}}...)

// ofEnd returns the measure of a kind of end.
func ofEnd(end int, which string) *Measure {
	return &Measure{
		Key: which + "-end", Noun: "Episodes that reached the " + which + " end", Axis: "episodes that reached the " + which + " end",
		Definition: "Episodes are counted that ended before the horizon in the " + which + " kind of end of the problem: for sepsis, the first is death and the second discharge.",
		Formula:    fmt.Sprintf("Σ_{l ≤ k} 1[episode l ended in end %d]", end),
		Caption:    "number of episodes so far that ended in the problem’s " + which + " kind of end",
		Absent:     "The problem has no such end.", Better: Neither, Sums: true, End: end,
		Of: func(r *record.Record, _ *Truth) (float64, bool) {
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

// valueIn returns the measure of a record as it is summed, drawn and told, where differences of values up to rounding
// are 0.
func (m *Measure) valueIn(r *record.Record, t *Truth, rounding float64) (float64, bool) {
	v, has := m.Of(r, t)
	if m.Values && v <= rounding && v >= -rounding {
		v = 0
	}
	return v, has
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

// regretOf is Measure.Of for measures of regret.
func regretOf(r *record.Record, _ *Truth) (float64, bool) {
	if r.Valued == nil {
		return 0, false
	}
	return r.Regret, true
}

// returnOf is Measure.Of for measures of the return.
func returnOf(r *record.Record, _ *Truth) (float64, bool) { return r.Return, true }

// ofPromise returns Measure.Of for a measure of the promise and of what is promised.
func ofPromise(of func(*record.Record) float64) func(*record.Record, *Truth) (float64, bool) {
	return func(r *record.Record, _ *Truth) (float64, bool) {
		if r.Promise == nil || r.Valued == nil {
			return 0, false
		}
		return of(r), true
	}
}

// ofGraph returns Measure.Of for a measure of the graph of an agent's model.
func ofGraph(of func(*record.Scored) *float64) func(*record.Record, *Truth) (float64, bool) {
	return ofBelief(func(b *record.Belief) *float64 {
		if b.Scored == nil {
			return nil
		}
		return of(b.Scored)
	})
}

const (
	noRegret = "There is none where the true model is not solved: no list holds the states."
	noGraph  = "Agents that sample no graph have no curve here."
	noBelief = "Agents without a belief about the graph have no curve here."
)

// ofBest returns Measure.Of for a measure of how many edges of the most probable graph differ from the true graph.
func ofBest(of func(differ int) float64) func(*record.Record, *Truth) (float64, bool) {
	return func(r *record.Record, t *Truth) (float64, bool) {
		if r.Belief == nil || r.Belief.Updated == nil {
			return 0, false
		}
		differ, has := t.differ(r.Belief.Best)
		return of(differ), has
	}
}

// ofBelief returns Measure.Of for a measure of the sampled graph or of the belief. The
// function of returns nil if the belief lacks the measure.
func ofBelief(of func(*record.Belief) *float64) func(*record.Record, *Truth) (float64, bool) {
	return func(r *record.Record, _ *Truth) (float64, bool) {
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

// Measures returns every measure.
func Measures() []*Measure { return measures.Rows() }

// Default returns the measure of an experiment that is shown if none is named: the cumulative regret or, if its records
// have no regret, the return of an episode.
func Default(e *experiment.Experiment) *Measure {
	if e.Unvalued() == "" {
		return CumulativeRegret()
	}
	m, _ := LookupMeasure("return")
	return m
}

// CumulativeRegret returns the first measure.
func CumulativeRegret() *Measure { return Measures()[0] }

// LookupMeasure returns the measure with that key, and whether there is one.
func LookupMeasure(key string) (*Measure, bool) {
	m, err := measures.Lookup(key)
	return m, err == nil
}

// Ask returns what makes the records of a spec hold a measure that they lack, to follow a sentence about that: "; records
// have it if -depth yes is set". It is "" if no switch matters.
func (m *Measure) Ask() string {
	if m.Switch == "" {
		return ""
	}
	return fmt.Sprintf("; records have it if -%s yes is set", m.Switch)
}

// Missing says in a few words why the records of an experiment lack the measure, whoever plays: "not computed: S·A is 22020096,
// above 1048576". It is "" if agents may have it.
func (m *Measure) Missing(e *experiment.Experiment) string {
	if m.Solved {
		return e.Unvalued()
	}
	return ""
}

// RegisterMeasure adds a measure and returns a function that removes it. Neither may be
// called while anything else uses the package. RegisterMeasure panics if the key is in use
// or is none.
func RegisterMeasure(m *Measure) (remove func()) { return measures.Add(m) }

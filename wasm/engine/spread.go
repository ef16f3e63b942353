package engine

import (
	"cpsrl/core/curve"
	"cpsrl/core/export"
	"cpsrl/core/results"
	"cpsrl/wasm/wire"
)

// Spread is the spread of a measure over the whole runs of records.
type Spread struct {
	Measure   string      `json:"measure"`
	Runs      int         `json:"runs"` // the number of whole runs
	Quantiles []Quantiles `json:"quantiles"`
	// The lines of the first runs of each agent, as many as a figure can show, at some
	// episodes:
	Drawn    int               `json:"drawn"` // the number of runs of each agent among the lines
	Episodes []int             `json:"episodes"`
	Lines    []curve.Run       `json:"lines"`
	Endings  []results.RunEnd  `json:"endings"`
	Ends     []curve.End       `json:"ends"` // where the runs of each agent ended
	Learned  []results.Learned `json:"learned"`
	Learning string            `json:"learning"` // a sentence that says when an agent has learned
}

// Quantiles are those of one agent. Entry k of a list is that of episode k+1. With one run
// all lists are equal.
type Quantiles struct {
	Agent  string        `json:"agent"`
	Median curve.Numbers `json:"median"`
	Q25    curve.Numbers `json:"q25"`
	Q75    curve.Numbers `json:"q75"`
	Least  curve.Numbers `json:"least"`
	Most   curve.Numbers `json:"most"`
}

func serveSpread(w wire.Answer, r *wire.Request) error {
	of, err := measureOf(r.Query)
	if err != nil {
		return err
	}
	t, err := readTally(r, r.Body)
	if err == nil {
		of, err = measureIn(of, t.Experiment)
	}
	if err != nil {
		return err
	}
	return writeAnswer(w, newSpread(t, of))
}

// newSpread returns the spread of the whole runs of a tally.
func newSpread(t *tally, of *results.Measure) *Spread {
	spec := t.Experiment.Spec()
	s := &Spread{
		Measure: of.Key, Runs: t.Runs(), Learning: export.Learning(spec.Episodes),
		Quantiles: []Quantiles{}, Lines: []curve.Run{}, Endings: []results.RunEnd{}, Ends: []curve.End{}, Learned: []results.Learned{},
	}
	if t.Experiment.Unvalued() != "" {
		s.Learning = "There is no regret, which would tell."
	}
	runs := t.summary.RunCurves(of)
	for _, c := range curve.Quantiles(runs) {
		q := Quantiles{Agent: c.Agent}
		for _, p := range c.Points {
			q.Median, q.Q25, q.Q75 = append(q.Median, p.Mean), append(q.Q25, p.Lo), append(q.Q75, p.Hi)
			q.Least, q.Most = append(q.Least, p.Least), append(q.Most, p.Greatest)
		}
		s.Quantiles = append(s.Quantiles, q)
	}
	s.Drawn, s.Episodes = export.DrawnRuns(len(spec.Agents), t.Runs(), spec.Episodes)
	for _, run := range runs {
		if run.Run-spec.FirstRun < s.Drawn {
			run.Values = run.At(s.Episodes)
			s.Lines = append(s.Lines, run)
		}
	}
	s.Endings = append(s.Endings, t.summary.RunEnds(of)...)
	s.Ends = append(s.Ends, curve.Ends(runs)...)
	s.Learned = append(s.Learned, t.summary.Learned()...)
	return s
}

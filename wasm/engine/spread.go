package engine

import (
	"net/http"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
)

// Spread is the spread of a measure over the whole runs of records.
type Spread struct {
	Measure   string      `json:"measure"`
	Runs      int         `json:"runs"` // the number of whole runs
	Quantiles []Quantiles `json:"quantiles"`
	// The lines of the first runs of each agent, as many as a figure can show, at some
	// episodes:
	Drawn    int       `json:"drawn"` // the number of runs of each agent among the lines
	Episodes []int     `json:"episodes"`
	Lines    []RunLine `json:"lines"`
	Endings  []Ending  `json:"endings"`
	Learning string    `json:"learning"` // a sentence that says when an agent has learned
}

// Quantiles are those of one agent. Entry k of a list is that of episode k+1. With one run
// all lists are equal.
type Quantiles struct {
	Agent  string         `json:"agent"`
	Median export.Numbers `json:"median"`
	Q25    export.Numbers `json:"q25"`
	Q75    export.Numbers `json:"q75"`
	Least  export.Numbers `json:"least"`
	Most   export.Numbers `json:"most"`
}

// RunLine is a measure of one agent in one run, at the episodes of the Spread that the run
// has.
type RunLine struct {
	Agent  string         `json:"agent"`
	Run    int            `json:"run"`
	Values export.Numbers `json:"values"`
}

// Ending is the end of one agent's run.
type Ending struct {
	Agent   string        `json:"agent"`
	Run     int           `json:"run"`
	Final   export.Number `json:"final"`            // the measure after the last episode; null if the agent lacks it
	Learned int           `json:"learned,omitzero"` // the number of episodes until the agent has learned; absent if it has not
}

func serveSpread(w http.ResponseWriter, r *http.Request) error {
	of, err := measureOf(r.URL.Query())
	if err != nil {
		return err
	}
	t, err := readTally(r, r.Body)
	if err != nil {
		return err
	}
	return answer(w, newSpread(t, of))
}

// newSpread returns the spread of the whole runs of a tally.
func newSpread(t *tally, of *experiment.Measure) *Spread {
	spec := t.Spec()
	s := &Spread{
		Measure: of.Key, Runs: t.Runs(), Learning: export.Learning(spec.Episodes),
		Quantiles: []Quantiles{}, Lines: []RunLine{}, Endings: []Ending{},
	}
	curves := t.summary.RunCurves(of)
	for _, row := range experiment.Quantiles(curves) {
		if row.Episode == 1 {
			s.Quantiles = append(s.Quantiles, Quantiles{Agent: row.Agent})
		}
		q := &s.Quantiles[len(s.Quantiles)-1]
		for _, add := range []struct {
			to *export.Numbers
			v  float64
		}{{&q.Median, row.Median}, {&q.Q25, row.Q25}, {&q.Q75, row.Q75}, {&q.Least, row.Least}, {&q.Most, row.Most}} {
			*add.to = append(*add.to, export.Number(add.v))
		}
	}
	s.Drawn, s.Episodes = export.DrawnRuns(len(spec.Agents), t.Runs(), spec.Episodes)
	for _, c := range curves {
		if c.Run-spec.FirstRun >= s.Drawn {
			continue
		}
		line := RunLine{Agent: c.Agent, Run: c.Run}
		for _, episode := range s.Episodes {
			if episode <= len(c.Values) {
				line.Values = append(line.Values, export.Number(c.Values[episode-1]))
			}
		}
		s.Lines = append(s.Lines, line)
	}
	for _, e := range t.summary.Endings(of) {
		s.Endings = append(s.Endings, Ending{e.Agent, e.Run, export.Number(e.Final), e.Learned})
	}
	return s
}

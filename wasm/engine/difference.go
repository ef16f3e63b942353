package engine

import (
	"cmp"
	"io"
	"net/url"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/results"
	"cpsrl/render/figure"
	"cpsrl/wasm/wire"
)

// side is one agent of a difference.
type side struct {
	label string
	name  string
}

func serveDifference(w wire.Answer, r *wire.Request) error {
	query := r.Query
	split := 0
	if query.Has("split") {
		var err error
		if split, err = wholeNumber(query, "split"); err == nil && split < 1 {
			err = refuse(wire.BadRequest, "", "the split is %d; it must be 1 or more", split)
		}
		if err != nil {
			return err
		}
	}
	var body io.Reader = r.Body
	if split > 0 {
		body = io.LimitReader(r.Body, int64(split))
	}
	first, err := readTally(r, body)
	if err != nil {
		return err
	}
	second := first
	if split > 0 {
		if second, err = readTally(r, r.Body); err != nil {
			d := asDetails(err)
			return refuse(d.Status, "", "the second file: %s", strings.TrimPrefix(d.Pointer+": ", ": ")+d.Detail)
		}
		// Only whole runs are compared, so only they are checked.
		if m, n := first.Runs(), second.Runs(); m > 0 && n > 0 {
			if err := first.Experiment.First(m).CheckPaired(r.Context, second.Experiment.First(n)); err != nil {
				return err
			}
		}
	}
	agent, noAgent := sideOf(query, "agent", first)
	base, noBase := sideOf(query, "base", second)
	if err := cmp.Or(noAgent, noBase); err != nil {
		return err
	}
	if first == second && agent.label == base.label {
		return refuse(wire.BadRequest, "", "the difference of %q and itself is 0", agent.label)
	}
	pair := experiment.Pair{Agent: agent.label, Base: base.label}
	list := []export.Series{}
	for _, measure := range results.Measures() {
		c := first.summary.Paired(measure, pair, second.summary)
		if len(c.Points) == 0 {
			continue
		}
		series := export.NewSeries(measure, c)
		series.Conclusion = results.ConcludeDifference(measure, agent.name, base.name, c)
		series.Verdict = results.Verdict(first.Experiment, measure, c)
		list = append(list, series)
	}
	return writeAnswer(w, list)
}

// readTally reads records and summarises their whole runs.
func readTally(r *wire.Request, body io.Reader) (*tally, error) {
	t, err := newTally(r.Context, body, false)
	if err != nil {
		return nil, err
	}
	for line, err := range t.All() {
		if err == nil {
			err = t.add(line)
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// mostMark is the length of the longest mark in bytes.
const mostMark = 20

// sideOf reads an agent from a query: its label, and the mark that follows its name.
func sideOf(query url.Values, name string, t *tally) (s side, err error) {
	if s.label, err = t.Experiment.Label(query.Get(name)); err != nil {
		return s, refuse(wire.BadRequest, "", "the %s: %v", name, err)
	}
	s.name = t.Experiment.NameOf(s.label)
	if named := query.Get(name + "Name"); len(named) > figure.MostName {
		return s, refuse(wire.BadRequest, "", "the name of the %s is longer than %d bytes", name, figure.MostName)
	} else if named != "" {
		s.name = named
	}
	if mark := query.Get(name + "Mark"); len(mark) > mostMark {
		err = refuse(wire.BadRequest, "", "the mark of the %s is longer than %d bytes", name, mostMark)
	} else if mark != "" {
		s.name += ", " + mark
	}
	return s, err
}

package engine

import (
	"cmp"

	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

func serveEpisodes(w wire.Answer, r *wire.Request) error {
	query := r.Query
	run, noRun := wholeNumber(query, "run")
	last, noLast := wholeNumber(query, "last")
	if err := cmp.Or(noRun, noLast); err != nil {
		return err
	}
	e, err := readExperiment(r)
	if err != nil {
		return err
	}
	episodes, err := e.Episodes(r.Context, run, query.Get("agent"), last)
	if err != nil {
		return err
	}
	b := newBatches(w)
	for episode, err := range episodes {
		if err != nil {
			return b.fail(err)
		}
		b.bytes = strict.AppendLine(b.bytes, episode)
		if b.next() != nil {
			return nil // the client has gone
		}
	}
	b.flush()
	return nil
}

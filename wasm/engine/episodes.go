package engine

import (
	"cmp"
	"net/http"

	"cpsrl/core/strict"
)

func serveEpisodes(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	run, noRun := wholeNumber(query, "run")
	last, noLast := wholeNumber(query, "last")
	if err := cmp.Or(noRun, noLast); err != nil {
		return err
	}
	e, err := readExperiment(w, r)
	if err != nil {
		return err
	}
	episodes, err := e.Episodes(r.Context(), run, query.Get("agent"), last)
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

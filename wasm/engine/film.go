package engine

import (
	"net/http"

	"cpsrl/core/strict"
	"cpsrl/render/film"
)

// serveFilm streams the film of one agent in one run in pieces, a line each, up to the episode last or the end.
func serveFilm(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	run, err := wholeNumber(query, "run")
	if err != nil {
		return err
	}
	e, err := readExperiment(w, r)
	if err != nil {
		return err
	}
	last := e.Spec().Episodes
	if query.Has("last") {
		if last, err = wholeNumber(query, "last"); err != nil {
			return err
		}
		if last < 1 || last > e.Spec().Episodes {
			return strict.Invalid("/episodes", "there is no episode %d; episodes are 1 to %d", last, e.Spec().Episodes)
		}
	}
	pieces, err := film.Shoot(r.Context(), e, run, query.Get("agent"), film.Learning(last, film.Smooth))
	if err != nil {
		return err
	}
	b := newBatches(w)
	for piece, err := range pieces {
		if err != nil {
			return b.fail(err)
		}
		b.bytes = strict.AppendLine(b.bytes, piece)
		if !b.begun { // the first episode is shown while the others are played
			err = b.flush()
		} else {
			err = b.next()
		}
		if err != nil {
			return nil // the client has gone
		}
	}
	b.flush()
	return nil
}

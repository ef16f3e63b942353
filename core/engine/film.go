package engine

import (
	"net/http"

	"cpsrl/core/record"
	"cpsrl/render/film"
)

// serveFilm streams the film of one agent in one run in pieces, a line each.
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
	pieces, err := film.Shoot(r.Context(), e, run, query.Get("agent"), film.Learning(e.Spec().Episodes, film.Smooth))
	if err != nil {
		return err
	}
	b := newBatches(w)
	for piece, err := range pieces {
		if err != nil {
			return b.fail(err)
		}
		b.bytes = record.AppendLine(b.bytes, piece)
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

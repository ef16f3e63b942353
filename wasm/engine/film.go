package engine

import (
	"cpsrl/core/experiment"
	"cpsrl/core/strict"
	"cpsrl/render/film"
	"cpsrl/wasm/wire"
)

// serveFilm streams the film of one agent in one run in pieces, a line each, up to the episode last or the end.
func serveFilm(w wire.Answer, r *wire.Request) error {
	query := r.Query
	e, run, label, err := readRun(r)
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
	shots, err := film.Shoot(r.Context, e, run, label, film.Learning(last, film.Smooth))
	if err != nil {
		return err
	}
	b := newBatches(w)
	for shot, err := range shots {
		if err != nil {
			return b.fail(err)
		}
		if shot.Piece == nil {
			continue
		}
		b.bytes = strict.AppendLine(b.bytes, shot.Piece)
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

// readRun reads the experiment of the body, and the run and the agent of the query.
func readRun(r *wire.Request) (e *experiment.Experiment, run int, label string, err error) {
	if run, err = wholeNumber(r.Query, "run"); err == nil {
		e, err = readExperiment(r)
	}
	return e, run, r.Query.Get("agent"), err
}

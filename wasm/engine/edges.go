package engine

import (
	"cmp"

	"cpsrl/core/worth"
	"cpsrl/wasm/wire"
)

// edgeSamples is the number of models that are sampled if the query has no samples.
const edgeSamples = 20

func serveEdges(w wire.Answer, r *wire.Request) error {
	query := r.Query
	average, badAverage := oneOf(query, "average", worth.Averagings()...)
	run, noRun := wholeNumber(query, "run")
	episode, noEpisode := wholeNumber(query, "episode")
	samples, badSamples := edgeSamples, error(nil)
	if query.Has("samples") {
		samples, badSamples = wholeNumber(query, "samples")
	}
	if err := cmp.Or(badAverage, noRun, noEpisode, badSamples); err != nil {
		return err
	}
	e, err := readExperiment(r)
	if err != nil {
		return err
	}
	doc, err := e.Edges(r.Context, run, query.Get("agent"), episode, samples, worth.Averaging(average))
	if err != nil {
		return err
	}
	return writeAnswer(w, doc)
}

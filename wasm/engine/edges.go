package engine

import (
	"cmp"
	"net/http"

	"cpsrl/core/worth"
)

// edgeSamples is the number of models that are sampled if the query has no samples.
const edgeSamples = 20

func serveEdges(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
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
	e, err := readExperiment(w, r)
	if err != nil {
		return err
	}
	doc, err := e.Edges(r.Context(), run, query.Get("agent"), episode, samples, worth.Averaging(average))
	if err != nil {
		return err
	}
	return writeAnswer(w, doc)
}

package engine

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"cpsrl/core/answer"
	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

func servePosterior(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	allowed, badBound := oneOf(query, "bound", bigraph.Bounds()...)
	update, badUpdate := oneOf(query, "update", posterior.Updates()...)
	top, badTop := 0, error(nil)
	if query.Has("top") {
		if top, badTop = wholeNumber(query, "top"); badTop == nil && (top < 1 || top > bigraph.MaxSets) {
			badTop = refuse(http.StatusBadRequest, "", "the top is %d; it must be from 1 to %d", top, bigraph.MaxSets)
		}
	}
	prior, badPrior := oneOf(query, "prior", "first", "apart")
	rows, badRows := dirichlet.Optional{}, error(nil)
	if text := query.Get("dirichlet"); text != "" && rows.Parse(text) != nil {
		badRows = refuse(http.StatusBadRequest, "", "the dirichlet %q must be %s%s", param.Clip(text), rows.Range(), param.Hint(text, false))
	}
	tables, badTables := query.Get("tables"), error(nil)
	if tables != "" {
		_, badTables = oneOf(query, "tables", document.Tables()...)
	}
	if err := cmp.Or(badBound, badUpdate, badTop, badPrior, badRows, badTables); err != nil {
		return err
	}
	apart := prior == "apart"
	bound, _ := bigraph.BoundOf(allowed)
	rule, _ := posterior.UpdateOf(update)
	in, err := answer.NewPriorReader(r.Body, bound)
	if line, ok := errors.AsType[*strict.LineError](err); ok && apart {
		return strict.Within("/prior", line.Err)
	}
	if err != nil {
		return err
	}
	if apart {
		in.CountAgain()
	}
	if rows.Given {
		in.Rows = rows.Concentration
	}
	if tied, given := document.TiedOf(tables); given {
		in.Tied = tied
	}
	weighing, err := answer.NewWeighing(in.PriorFile, rule)
	if err != nil && apart {
		return strict.Within("/prior", err)
	}
	if err != nil {
		return err
	}
	if n := weighing.Passes(); n > 1 {
		return refuse(http.StatusRequestEntityTooLarge, "", "the transitions would have to be read %d times, which the command line can do; fewer state variables or a smaller Z need one reading", n)
	}
	if err := weighing.Read(in.Transitions(r.Context())); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	answer.WritePosterior(w, in.Space, weighing.Weights(), top) // fails only if the client has gone
	return nil
}

// oneOf returns the parameter of that name from a query. It must be one of the words. If it is
// absent or empty, oneOf returns the first word.
func oneOf(query url.Values, name string, words ...string) (string, error) {
	text := cmp.Or(query.Get(name), words[0])
	if !slices.Contains(words, text) {
		return "", refuse(http.StatusBadRequest, "", "the %s %q must be %s", name, param.Clip(text), param.OneOf(slices.Sorted(slices.Values(words))))
	}
	return text, nil
}

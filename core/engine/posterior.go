package engine

import (
	"errors"
	"net/http"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/experiment"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

func servePosterior(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	bound, err := oneOf(query.Get("bound"), "bound", map[string]bigraph.Bound{"at-most": bigraph.AtMost, "below": bigraph.Below}, "at-most")
	if err != nil {
		return err
	}
	update, err := oneOf(query.Get("update"), "update", posterior.Updates(), "exact")
	if err != nil {
		return err
	}
	top := 0
	if query.Has("top") {
		if top, err = wholeNumber(query, "top"); err == nil && (top < 1 || top > bigraph.MaxSets) {
			err = refuse(http.StatusBadRequest, "", "the top is %d; it must be from 1 to %d", top, bigraph.MaxSets)
		}
		if err != nil {
			return err
		}
	}
	apart, err := oneOf(query.Get("prior"), "prior", map[string]bool{"first": false, "apart": true}, "first")
	if err != nil {
		return err
	}
	in, err := experiment.NewPriorReader(r.Body, bound)
	if line, ok := errors.AsType[*experiment.LineError](err); ok && apart {
		return within("/prior", line.Err)
	}
	if err != nil {
		return err
	}
	if apart {
		in.CountAgain()
	}
	weighing, err := experiment.NewWeighing(in.PriorFile, update)
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
	experiment.WritePosterior(w, in.Space, weighing.Weights(), top) // fails only if the client has gone
	return nil
}

// oneOf returns the value of a word, the text of a query's parameter of that name. If text
// is "", the word is standard.
func oneOf[T any](text, name string, words map[string]T, standard string) (value T, err error) {
	if text == "" {
		text = standard
	}
	value, known := words[text]
	if !known {
		var list []string
		for word := range words {
			list = append(list, word)
		}
		slices.Sort(list)
		err = refuse(http.StatusBadRequest, "", "the %s %q must be %s", name, param.Clip(text), param.OneOf(list))
	}
	return value, err
}

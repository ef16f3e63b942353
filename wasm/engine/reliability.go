package engine

import (
	"cmp"
	"net/url"
	"strconv"

	"cpsrl/core/export"
	"cpsrl/core/format"
	"cpsrl/core/results"
	"cpsrl/core/strict"
	"cpsrl/render"
	"cpsrl/render/figure"
	"cpsrl/wasm/wire"
)

// The forms of a reliability diagram.
var reliabilityForms = []string{"csv", "svg", "pgfplots", "sheet"}

// beliefsOf returns what keeps the beliefs of the episode that a query names, by default the last.
func beliefsOf(query url.Values) (*results.EdgeBeliefs, error) {
	b := new(results.EdgeBeliefs)
	if !query.Has("episode") {
		return b, nil
	}
	var err error
	b.Episode, err = wholeNumber(query, "episode")
	return b, err
}

// sendReliability writes the reliability of an agent's probabilities of edges as a table or, with a look, as a figure.
func sendReliability(w wire.Answer, query url.Values, found *export.Results, beliefs *results.EdgeBeliefs) error {
	form, err := oneOf(query, "form", reliabilityForms...)
	if err != nil {
		return err
	}
	size := func(name string) float64 {
		if !query.Has(name) {
			return 0
		}
		v, bad := strconv.ParseFloat(query.Get(name), 64)
		if bad != nil {
			err = cmp.Or(err, error(strict.Invalid("/"+name, "a number was expected")))
		}
		return v
	}
	theme, width, letters := render.Theme(query.Get("theme")), size("width"), size("type")
	if err = cmp.Or(err, figure.CheckLook(theme, width, 0, letters)); err != nil {
		return err
	}
	rel, err := results.NewReliability(found.Experiment, beliefs, query.Get("agent"))
	if err != nil {
		return err
	}
	if form == "csv" {
		return send(w, "text/csv; charset=utf-8", found.ReliabilityCSV(rel))
	}
	c := figure.OfReliability(found, rel)
	c.Theme, c.Width, c.Type = theme, width, letters
	if query.Get("title") == "no" {
		c.Title = ""
	}
	if query.Get("caption") == "no" {
		c.Notes = nil
	}
	switch form {
	case "pgfplots":
		return send(w, "text/plain; charset=utf-8", []byte(c.PGFPlots(format.LaTeX)))
	case "sheet":
		return writeAnswer(w, c.Picture())
	}
	return sendSVG(w, c.Picture(), false)
}

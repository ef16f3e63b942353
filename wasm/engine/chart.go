package engine

import (
	"net/http"

	"cpsrl/core/export"
	"cpsrl/core/param"
	"cpsrl/render"
	"cpsrl/render/figure"
)

func serveChart(w http.ResponseWriter, r *http.Request) error {
	var c figure.Chart
	if err := readBody(w, r, &c); err != nil {
		return err
	}
	drawn, err := c.Draw()
	if err != nil {
		return err
	}
	switch as := r.URL.Query().Get("as"); as {
	case "", "svg":
		return sendSVG(w, drawn.Picture(), c.Inline)
	case "sheet":
		return writeAnswer(w, drawn.Picture())
	case "pgfplots":
		return send(w, "text/plain; charset=utf-8", []byte(drawn.PGFPlots(export.LaTeX)))
	default:
		return refuse(http.StatusBadRequest, "", "a figure is drawn as svg, pgfplots or sheet, not as %q", param.Clip(as))
	}
}

// sendSVG writes a picture as a document or, inline, as a part of a page.
func sendSVG(w http.ResponseWriter, picture *render.Picture, inline bool) error {
	svg := render.SVG
	if inline {
		svg = render.Inline
	}
	return send(w, "image/svg+xml", svg(picture))
}

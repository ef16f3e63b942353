package engine

import (
	"cpsrl/core/format"
	"cpsrl/render"
	"cpsrl/render/figure"
	"cpsrl/wasm/wire"
)

func serveChart(w wire.Answer, r *wire.Request) error {
	var c figure.Chart
	if err := readBody(r, &c); err != nil {
		return err
	}
	drawn, err := c.Draw()
	if err != nil {
		return err
	}
	switch r.Query.Get("as") {
	case "sheet":
		return writeAnswer(w, drawn.Picture())
	case "pgfplots":
		return send(w, "text/plain; charset=utf-8", []byte(drawn.PGFPlots(format.LaTeX)))
	}
	return sendSVG(w, drawn.Picture(), c.Inline)
}

// sendSVG writes a picture as a document or, inline, as a part of a page.
func sendSVG(w wire.Answer, picture *render.Picture, inline bool) error {
	svg := render.SVG
	if inline {
		svg = render.Inline
	}
	return send(w, "image/svg+xml", svg(picture))
}

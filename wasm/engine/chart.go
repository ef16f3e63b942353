package engine

import (
	"net/http"

	"cpsrl/core/param"
	"cpsrl/render"
	"cpsrl/render/figure"
)

func serveChart(w http.ResponseWriter, r *http.Request) error {
	var c figure.Chart
	if err := readBody(w, r, &c); err != nil {
		return err
	}
	switch as := r.URL.Query().Get("as"); as {
	case "", "svg":
		p, err := c.Picture()
		if err != nil {
			return err
		}
		svg := render.SVG
		if c.Inline {
			svg = render.Inline
		}
		return send(w, "image/svg+xml", svg(p))
	case "sheet":
		p, err := c.Picture()
		if err != nil {
			return err
		}
		return answer(w, p)
	case "pgfplots":
		text, err := c.PGFPlots()
		if err != nil {
			return err
		}
		return send(w, "text/plain; charset=utf-8", []byte(text))
	default:
		return refuse(http.StatusBadRequest, "", "a figure is drawn as svg, pgfplots or sheet, not as %q", param.Clip(as))
	}
}

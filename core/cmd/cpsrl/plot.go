package main

import (
	"flag"
	"path/filepath"
	"strings"

	"cpsrl/core/spec"
	"cpsrl/render"
	"cpsrl/render/print"
)

var plotCommand = command{
	name: "plot", args: "FILE [-of MEASURE] [-band BAND] -o FIGURE.svg|pdf|png",
	short: "draw a records file",
	long: `Reads records ("cpsrl run" writes them) and draws the mean of a measure over runs for every agent, with
95% bands. With -band quantiles, the lines are medians, with the middle half of the runs and their range as
bands; with -band runs, each run has a thin line. The figure's format is that of its name: svg, pdf or png (300 dpi). The same records give the same
figure, byte for byte on one machine.`,
	operands: []string{"FILE"},
	setup: func(flags *flag.FlagSet) action {
		of := newMeasureFlag(flags)
		band := bandFlag(flags)
		path := flags.String("o", "", "write the figure to `FILE`")
		return func(h *host, args []string) error {
			paint, ok := painters[strings.ToLower(filepath.Ext(*path))]
			if !ok {
				return badf("flag -o", "a file name that ends in .svg, .pdf or .png was expected, not %q", *path)
			}
			r, err := h.results(args[0], nil)
			if err != nil {
				return err
			}
			p, err := r.figure(of.Measure, spec.Band(*band))
			if err != nil {
				return err
			}
			figure, err := paint(p)
			if err != nil {
				return err
			}
			return h.write(*path, figure)
		}
	},
}

// painters write a figure in the format of a file name's ending.
var painters = map[string]func(*render.Picture) ([]byte, error){
	".svg": func(p *render.Picture) ([]byte, error) { return render.SVG(p), nil },
	".pdf": print.PDF,
	".png": func(p *render.Picture) ([]byte, error) { return print.PNG(p, 300) },
}

// write writes a whole document to a file.
func (h *host) write(path string, document []byte) error {
	out, err := h.create(path)
	if err != nil {
		return err
	}
	defer out.discard()
	if _, err := out.Write(document); err != nil {
		return err
	}
	return out.commit()
}

package main

import (
	"bytes"
	"flag"
	"io"
	"path/filepath"
	"strings"
)

var plotCommand = command{
	name: "plot", args: "FILE [-of MEASURE] -o FIGURE.svg|pdf|png",
	short: "draw a records file",
	long: `Reads records ("cpsrl run" writes them) and draws the mean of a measure over runs for every agent, with
95% bands. The figure's format is that of its name: svg, pdf or png (300 dpi). The same records give the same
figure, byte for byte on one machine.`,
	operands: []string{"FILE"},
	setup: func(flags *flag.FlagSet) action {
		of := newMeasureFlag(flags)
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
			f, err := r.figure(of.Measure)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := paint(&b, f); err != nil {
				return err
			}
			return h.write(*path, b.Bytes())
		}
	},
}

// painters write a figure in the format of a file name's ending.
var painters = map[string]func(io.Writer, *figure) error{
	".svg": paintSVG,
	".pdf": paintPDF,
	".png": paintPNG,
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

package main

import (
	"cmp"
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strings"

	"cpsrl/core/format"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/render"
	"cpsrl/render/chart"
	"cpsrl/render/figure"
	"cpsrl/render/print"
)

var plotCommand = command{
	name: "plot", args: "FILE… [-with FILE] | DIR… [-x FIELD] [-heat FIELD] [-of MEASURE] [-band BAND] [-log AXES] [-reliability | -times FILE] [-width CM] [-letters PT] [-without PARTS] -o FIGURE.svg|pdf|png|tex|-",
	short: "draw records, or a sweep",
	long: `Reads records ("cpsrl run" writes them) and draws the mean of a measure over runs for every agent, with
95% bands. With -band quantiles, the lines are medians, with the middle half of the runs and their range as
bands; with -band runs, each run has a thin line. With -band final, each run is a dot at its last value, and with
-band learned at the episodes until the agent has learned. With -log x, the episodes are on a logarithmic axis: -of depth
then shows how the odds of the true parents fall or rise by each decade. The figure's format is that of its name: svg, pdf,
png (300 dpi) or tex (for LaTeX's package pgfplots, with the caption as a comment and the letters of the document), or what
-as says; "-o -" writes to standard output, an SVG by default. With -without title,caption,names, the figure has only axes
and curves. Several files are read as "cpsrl merge" joins them. With -with, curves of other programs are
drawn beside ours, as dotted lines, and the caption says that they were not computed here. The same records give the
same figure, byte for byte on one machine.

With -reliability, the figure is a reliability diagram of an agent: how often edges are true, by the probability that the
agent gives them after -episode, over variables and runs. Edges of which it is certain from the beginning are left out.

With -times, the horizontal axis has the seconds that an agent had taken, as "cpsrl run -times" has measured them, in place of episodes.

For the folder of a sweep ("cpsrl sweep" makes it), the figure shows the measure after the last episode by the field -x, or by
the first that varies, with 95% intervals, and a panel for each combination of what else varies. With -heat it is a heat map
of the two fields.`,
	operands: []string{"FILE"}, many: true,
	setup: func(flags *flag.FlagSet) action {
		of := newMeasureFlag(flags)
		with := newWithFlag(flags)
		band := bandFlag(flags)
		path := flags.String("o", "", "write the figure to `FILE`")
		as := flags.String("as", "", "the `FORMAT` of the figure: svg, pdf, png, tex (default: the ending of its name; on standard output svg)")
		width := size(flags, "width", 3, 100, "the width in `CM`; 0 is 16, or more for long names")
		letters := size(flags, "letters", 5, 40, "the size of the letters in `PT`; 0 is 9")
		without := flags.String("without", "", "a comma-separated LIST of what is left out: `title,caption,names`")
		reliability := newReliabilityFlags(flags)
		times := flags.String("times", "", "a `FILE` of the times of these records (cpsrl run -times): draw cumulative regret against them")
		logs := flags.String("log", "", "the `AXES` that are logarithmic: x, y or x,y")
		x := flags.String("x", "", "for a sweep, the `FIELD` on the horizontal axis, as tables or flags name it")
		heat := flags.String("heat", "", "for a sweep, the `FIELD` on the vertical axis of a heat map")
		return func(h *host, args []string) error {
			format := cmp.Or(*as, strings.ToLower(strings.TrimPrefix(filepath.Ext(*path), ".")))
			if *path == "-" {
				format = cmp.Or(*as, "svg")
			}
			paint, ok := painters[format]
			switch {
			case !ok && *as != "":
				return badf("flag -as", "svg, pdf, png or tex was expected, not %q", *as)
			case !ok || *path == "":
				return badf("flag -o", "a file name that ends in .svg, .pdf, .png or .tex was expected, or - for standard output, not %q", *path)
			case *path == "-" && (format == "pdf" || format == "png") && isTerminal(h.stdout):
				return badf("flag -o", "a terminal cannot show a %s; a file was expected", format)
			}
			var left []string
			if *without != "" {
				left = strings.Split(*without, ",")
			}
			for _, part := range left {
				if parts[part] == nil {
					return badf("flag -without", "title, caption or names was expected, not %q", part)
				}
			}
			if *logs != "" && *logs != "x" && *logs != "y" && *logs != "x,y" {
				return badf("flag -log", "x, y or x,y was expected, not %q", *logs)
			}
			logX, logY := strings.HasPrefix(*logs, "x"), strings.HasSuffix(*logs, "y")
			if err := reliability.check(); err != nil {
				return err
			}
			if *times != "" && (spec.Band(*band) != spec.Interval || of.Measure != nil && of.Measure != results.CumulativeRegret() || len(*with) > 0 || *reliability.asked || *x != "" || *heat != "") {
				return badf("flag -times", "it excludes -of, -band, -with, -reliability, -x and -heat")
			}
			if *reliability.asked {
				if spec.Band(*band) != spec.Interval || *logs != "" || len(*with) > 0 || *x != "" || *heat != "" || slices.Contains(left, "names") {
					return badf("flag -reliability", "it excludes -band, -log, -with, -x, -heat and -without names")
				}
				return h.plotReliability(reliability, args, *path, *width*96/2.54, *letters*96/72, paint, left)
			}
			if isFolder(args[0]) {
				if *logs != "" {
					return badf("flag -log", "the axes of the figure of a sweep are linear")
				}
				if spec.Band(*band) != spec.Interval {
					return badf("flag -band", "the figure of a sweep has intervals")
				}
				document, err := h.plotSweep(args, *x, *heat, of.Measure, *width*96/2.54, *letters*96/72, paint, left)
				if err != nil {
					return lettersIn(err)
				}
				return h.write(*path, document)
			}
			if *x != "" || *heat != "" {
				return badf("flags", "-x and -heat are for the folder of a sweep")
			}
			r, err := h.results(args, nil)
			if err != nil {
				return err
			}
			if err := with.read(h, r); err != nil {
				return err
			}
			of := of.in(r)
			if *times != "" {
				of = results.CumulativeRegret()
			}
			if logY && of.Signed {
				return badf("flag -log", "a logarithmic axis has no place for %s, which may be below 0", of.Axis)
			}
			if err := r.check(of); err != nil {
				return err
			}
			if spec.Band(*band) == spec.Learned && r.header.Regret != "" {
				return badf("flag -band", "regret tells when an agent has learned, and there is none: %s", r.header.Regret)
			}
			if r.Added() == 0 {
				return badf(r.name, "the file holds no records; there is nothing to draw")
			}
			c := figure.Of(&r.Results, of, spec.Band(*band))
			if len(c.Lines) == 0 {
				return badf(r.name, "no run is whole; there is nothing to draw")
			}
			c.Width, c.Type, c.LogX, c.LogY = *width*96/2.54, *letters*96/72, logX, logY
			for _, part := range left {
				parts[part](c)
			}
			draw := c.Draw
			if *times != "" {
				taken, err := h.readTimes(*times, r)
				if err != nil {
					return err
				}
				draw = func() (*chart.Chart, error) { return c.AgainstTime(taken) }
			}
			drawn, err := draw()
			if err != nil {
				return err
			}
			document, err := paint.chart(drawn)
			if err != nil {
				return lettersIn(err)
			}
			return h.write(*path, document)
		}
	},
}

// leaveOut removes the title and the notes of a figure if the parts name them.
func leaveOut(parts []string, title *string, notes *[]chart.Note) {
	if slices.Contains(parts, "title") {
		*title = ""
	}
	if slices.Contains(parts, "caption") {
		*notes = nil
	}
}

// plotReliability draws a reliability diagram.
func (h *host) plotReliability(of *reliabilityFlags, args []string, path string, width, letters float64, paint painter, without []string) error {
	r, rel, err := of.of(h, args)
	if err != nil {
		return err
	}
	c := figure.OfReliability(&r.Results, rel)
	c.Width, c.Type = width, letters
	leaveOut(without, &c.Title, &c.Notes)
	if paint.picture == nil {
		return h.write(path, []byte(c.PGFPlots(format.LaTeX)))
	}
	document, err := paint.picture(c.Picture())
	if err != nil {
		return lettersIn(err)
	}
	return h.write(path, document)
}

// parts holds the functions that leave a part of a figure out, by the words of -without.
var parts = map[string]func(*figure.Chart){
	"title":   func(c *figure.Chart) { c.Title = "" },
	"caption": func(c *figure.Chart) { c.Notes = nil },
	"names":   func(c *figure.Chart) { c.Nameless = true },
}

// lettersIn returns the error of painting a figure; letters that a format lacks are a fault of -o.
func lettersIn(err error) error {
	if _, lacks := errors.AsType[*print.LettersError](err); lacks {
		return in("flag -o", err)
	}
	return err
}

// painter writes a picture in a format. LaTeX draws a chart itself, and no other picture.
type painter struct {
	picture func(*render.Picture) ([]byte, error) // nil for LaTeX
}

func (p painter) chart(c *chart.Chart) ([]byte, error) {
	if p.picture == nil {
		return []byte(c.PGFPlots(format.LaTeX)), nil
	}
	return p.picture(c.Picture())
}

// painters holds the formats of figures, which are the endings of file names.
var painters = map[string]painter{
	"svg": {func(p *render.Picture) ([]byte, error) { return render.SVG(p), nil }},
	"pdf": {func(p *render.Picture) ([]byte, error) { return print.PDF(p) }},
	"png": {func(p *render.Picture) ([]byte, error) { return print.PNG(p, 300) }},
	"tex": {},
}

// write writes a whole document to a file.
func (h *host) write(path string, document []byte) error {
	out, err := h.create(path)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := out.Write(document); err != nil {
		return err
	}
	return out.Commit()
}

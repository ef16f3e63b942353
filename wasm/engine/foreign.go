package engine

import (
	"bufio"
	"cmp"
	"io"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// Foreign is the results of another program, which were not computed here.
type Foreign struct {
	About  string         `json:"about"`  // a sentence that says so
	Labels []ForeignLabel `json:"labels"` // in the order of the file
	Curves []ForeignCurve `json:"curves"` // by measure, then by label
}

// ForeignLabel is the curves of one label.
type ForeignLabel struct {
	Label string `json:"label"`
	Name  string `json:"name"` // the label with what marks it as another program's
	Runs  int    `json:"runs"`
}

// ForeignCurve is a measure of one label. Entry k of a list is that of episode k+1. Lo and hi are those of
// the mean's interval, null for one run.
type ForeignCurve struct {
	Label   string        `json:"label"`
	Measure string        `json:"measure"`
	Mean    curve.Numbers `json:"mean"`
	Lo      curve.Numbers `json:"lo"`
	Hi      curve.Numbers `json:"hi"`
	Median  curve.Numbers `json:"median"`
	Q25     curve.Numbers `json:"q25"`
	Q75     curve.Numbers `json:"q75"`
	Least   curve.Numbers `json:"least"`
	Most    curve.Numbers `json:"most"`
}

// serveForeign reads a spec on a line, then a file of another program.
func serveForeign(w wire.Answer, r *wire.Request) error {
	query := r.Query
	of, err := measureOf(query)
	if err != nil {
		return err
	}
	body := bufio.NewReader(r.Body)
	line, err := strict.NewLines(&firstLine{body, false}).Next(MaxSpec, false)
	if err == io.EOF {
		return refuse(wire.BadRequest, "/spec", "there is no spec")
	}
	if err != nil {
		return err
	}
	s, err := spec.Decode(line)
	if err != nil {
		return strict.Within("/spec", err)
	}
	other, err := results.ReadForeign(body)
	if err != nil {
		return err
	}
	e, err := experiment.Open(s)
	if err == nil && other.Returns {
		err = e.Ready(r.Context)
	}
	if err != nil {
		return strict.Within("/spec", err)
	}
	var best *float64
	if other.Returns {
		if e.SharesTruth() && e.Unvalued() == "" {
			optimum, err := e.Optimum()
			if err != nil {
				return strict.Within("/spec", err)
			}
			best = &optimum
		}
	}
	shown := results.Default(e)
	if why := other.Absent(shown, best); why != "" {
		return refuse(wire.BadRequest, "", "%s", why)
	}
	if query.Get("as") == "csv" {
		return send(w, "text/csv; charset=utf-8", export.ForeignCSV(cmp.Or(of, shown), other, best, e.World()))
	}
	answer := &Foreign{About: export.AboutForeign(shown, other, best, e.World()), Labels: []ForeignLabel{}, Curves: []ForeignCurve{}}
	for _, label := range other.Labels() {
		answer.Labels = append(answer.Labels, ForeignLabel{label, results.ForeignName(label), other.Runs(label)})
	}
	for _, measure := range results.Measures() {
		runs := other.RunCurves(measure, best)
		spread := curve.Quantiles(runs)
		for k, means := range curve.Means(runs) {
			c := ForeignCurve{Label: means.Agent, Measure: measure.Key}
			for i, p := range means.Points {
				q := spread[k].Points[i]
				c.Mean, c.Lo, c.Hi = append(c.Mean, p.Mean), append(c.Lo, p.Lo), append(c.Hi, p.Hi)
				c.Median, c.Q25, c.Q75 = append(c.Median, q.Mean), append(c.Q25, q.Lo), append(c.Q75, q.Hi)
				c.Least, c.Most = append(c.Least, q.Least), append(c.Most, q.Greatest)
			}
			answer.Curves = append(answer.Curves, c)
		}
	}
	return writeAnswer(w, answer)
}

// firstLine reads only the first line of a body, with its newline.
type firstLine struct {
	body  *bufio.Reader
	ended bool
}

func (f *firstLine) Read(p []byte) (n int, err error) {
	for n < len(p) && !f.ended {
		b, err := f.body.ReadByte()
		if err != nil {
			return n, err
		}
		p[n], f.ended = b, b == '\n'
		n++
	}
	if n == 0 && f.ended {
		return 0, io.EOF
	}
	return n, nil
}

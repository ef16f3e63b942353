package engine

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// What is exported of records, and of a spec.
var (
	recordExports = []string{"csv", "paired", "final", "endings", "long", "jsonl", "figure", "reliability"}
	specExports   = []string{"cli", "bibtex", "methods", "dot", "tikz", "dagitty", "text", "model", "prior"}
)

func serveExport(w wire.Answer, r *wire.Request) error {
	as := r.Query.Get("as")
	switch {
	case as == "":
		return refuse(wire.BadRequest, "", "the as is missing; it must be %s", param.OneOf(slices.Concat(recordExports, specExports)))
	case slices.Contains(recordExports, as):
		return exportRecords(w, r, as)
	}
	return exportSpec(w, r, as)
}

func exportRecords(w wire.Answer, r *wire.Request, as string) error {
	query := r.Query
	of, err := measureOf(query)
	if err != nil {
		return err
	}
	t, err := newTally(r.Context, r.Body, true)
	if err == nil {
		of, err = measureIn(of, t.Experiment)
	}
	if err != nil {
		return err
	}
	long := &export.Long{Depth: t.Experiment.Spec().RecordsDepth()}
	beliefs, err := beliefsOf(query)
	if err != nil {
		return err
	}
	var records []byte
	for line, err := range t.All() {
		if err == nil {
			err = t.add(line)
		}
		if err != nil {
			return err
		}
		switch as {
		case "jsonl":
			records = append(records, line.Lines...)
		case "long":
			for _, rec := range line.Run {
				long.Add(rec)
			}
		case "reliability":
			for _, rec := range line.Run {
				beliefs.Add(rec)
			}
		}
	}
	found := &export.Results{
		Summary: t.summary, Engine: t.Header.Engine, Fingerprint: t.Fingerprint(), Whole: t.Runs() > 0,
		Base: strings.ToValidUTF8(query.Get("base"), "\uFFFD"),
	}
	if found.Whole {
		found.Experiment = t.Experiment.First(t.Runs()) // the export has only whole runs
	}
	var out []byte
	kind := "text/csv; charset=utf-8"
	switch as {
	case "csv":
		out = found.CSV(of)
	case "paired":
		pair, err := pairOf(query.Get("paired"), t.Experiment)
		if err != nil {
			return err
		}
		if pair.Agent == "" {
			return refuse(wire.BadRequest, "", "the records have no pair of C-PSRL and PSRL; name two agents")
		}
		out = found.PairedCSV(of, pair)
	case "final":
		out = found.EndsCSV(of, experiment.Pair{})
	case "endings":
		out = found.EndingsCSV(of)
	case "long":
		out = long.CSV(found)
	case "reliability":
		return sendReliability(w, query, found, beliefs)
	case "jsonl":
		kind, out = "application/jsonl", append(experiment.AppendHeader(nil, found.Experiment.Header()), records...)
	case "figure":
		kind, out = "application/json", found.Figure().JSON()
	}
	return send(w, kind, out)
}

// measureOf returns the measure that a query names with of, or nil if it names none.
func measureOf(query url.Values) (*results.Measure, error) {
	key := query.Get("of")
	if key == "" {
		return nil, nil
	}
	of, known := results.LookupMeasure(key)
	if !known {
		return nil, refuse(wire.BadRequest, "", "there is no measure %q", param.Clip(key))
	}
	return of, nil
}

// measureIn returns a measure or, if it is nil, the default of an experiment. The error says why records lack it.
func measureIn(of *results.Measure, e *experiment.Experiment) (*results.Measure, error) {
	of = cmp.Or(of, results.Default(e))
	if why := of.Missing(e); why != "" {
		return nil, refuse(wire.BadRequest, "", "there is no %s to show: %s", of.Axis, why)
	}
	return of, nil
}

// pairOf reads "AGENT,BASE". If the text is empty, it returns the experiment's default
// pair, which may be zero.
func pairOf(text string, e *experiment.Experiment) (experiment.Pair, error) {
	if text == "" {
		pair, _ := e.DefaultPair()
		return pair, nil
	}
	return e.ParsePair(text)
}

func exportSpec(w wire.Answer, r *wire.Request, as string) error {
	var in struct {
		Spec    *spec.Spec     `json:"spec"`
		Receipt *spec.Receipt  `json:"receipt,omitzero"`
		Base    string         `json:"base,omitempty"`
		Run     *int           `json:"run,omitzero"`
		Agent   string         `json:"agent,omitempty"`
		Graph   jsontext.Value `json:"graph,omitzero"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	e, err := experiment.NewContext(r.Context, in.Spec)
	if err != nil {
		return strict.Within("/spec", err)
	}
	if err := checkReceipt(in.Receipt); err != nil {
		return err
	}
	text := func(s string) error { return send(w, "text/plain; charset=utf-8", []byte(s)) }
	switch as {
	case "cli":
		return text(export.Command(e) + "\n")
	case "bibtex":
		return text(export.BibTeX(in.Base, e, in.Receipt))
	case "methods":
		return text(export.Methods(e, in.Receipt) + "\n")
	}
	s := e.Spec()
	run := s.FirstRun
	if in.Run != nil {
		run = *in.Run
	}
	if run < s.FirstRun || run >= s.FirstRun+s.Runs {
		return refuse(wire.BadRequest, "/run", "there is no run %d; runs are %d to %d", run, s.FirstRun, s.FirstRun+s.Runs-1)
	}
	p, err := e.Instance(run)
	if err != nil {
		return strict.Within("/spec", err)
	}
	prior, law := p.Prior, s.Law()
	if in.Agent != "" {
		of, err := arm.Parse(arm.Canonical(in.Agent))
		if err != nil {
			return refuse(wire.BadRequest, "/agent", "%v", err)
		}
		if err := s.CheckAgent(of); err != nil {
			return refuse(wire.BadRequest, "/agent", "%v", err)
		}
		task := p.Task()
		if told := of.Prior(task); told != nil {
			prior = told
		}
		if learner, is := of.Config.(arm.Learner); is {
			law = learner.Law(task)
		}
	}
	sendDocument := func(doc []byte) error { return send(w, "application/json", append(doc, '\n')) }
	switch as {
	case "model":
		return sendDocument(p.Document())
	case "prior":
		return sendDocument(document.EncodePrior(&document.PriorFile{Space: &p.View.Space, Prior: prior, Rows: law.Rows, Structure: law.Structure}))
	}
	g := &format.Graph{Space: &p.View.Space, Prior: prior}
	if g.Edges, err = graphOf(in.Graph, p); err != nil {
		return err
	}
	return text(graphs[as](g))
}

// graphs holds the functions that write a graph, by the names of the languages.
var graphs = map[string]func(*format.Graph) string{
	"dot": (*format.Graph).DOT, "tikz": (*format.Graph).TikZ, "dagitty": (*format.Graph).DAGitty, "text": (*format.Graph).Text,
}

// graphOf returns the graph that a request names or lists, or nil for that of the prior.
func graphOf(raw jsontext.Value, p *experiment.Instance) (bigraph.Bigraph, error) {
	switch string(raw) {
	case "", `"prior"`:
		return nil, nil
	case `"true"`:
		return p.View.Graph(), nil
	}
	if raw.Kind() != '[' {
		return nil, refuse(wire.BadRequest, "/graph", `the graph is neither "prior" nor "true" nor a list of parents for each variable`)
	}
	var list document.Graph
	if err := strict.DecodeAt(raw, &list, "/graph"); err != nil {
		return nil, err
	}
	if err := document.CheckGraph(list, "/graph", &p.View.Space); err != nil {
		return nil, err
	}
	return list.Bigraph(p.View.X())
}

package engine

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
)

func serveExport(w http.ResponseWriter, r *http.Request) error {
	switch as := r.URL.Query().Get("as"); as {
	case "csv", "paired", "long", "jsonl", "figure":
		return exportRecords(w, r, as)
	case "cli", "bibtex", "dot", "tikz", "dagitty", "text", "model", "prior":
		return exportSpec(w, r, as)
	default:
		return problem(http.StatusBadRequest, "", "nothing is exported as %q", as)
	}
}

func exportRecords(w http.ResponseWriter, r *http.Request, as string) error {
	query := r.URL.Query()
	of := experiment.Measure(query.Get("of"))
	if of == "" {
		of = experiment.CumulativeRegret
	}
	if !slices.Contains(experiment.Measures(), of) {
		return problem(http.StatusBadRequest, "", "there is no measure %q", of)
	}
	var t *tally
	long := &export.Long{}
	var records []byte
	err := readRecords(r.Body, true, func(header *record.Header) error {
		t = newTally(header)
		switch as {
		case "long":
			t.wholeRun = func(whole []*record.Record, _ []byte) {
				for _, rec := range whole {
					long.Add(rec)
				}
			}
		case "jsonl":
			t.wholeRun = func(_ []*record.Record, lines []byte) { records = append(records, lines...) }
		}
		return nil
	}, func(line []byte) error { return t.add(line, true) })
	if err != nil {
		return err
	}
	if t.runs > 0 {
		t.spec.Runs = t.runs // what is exported is whole
	}
	results := &export.Results{Header: t.header, Summary: t.summary, Fingerprint: t.fingerprint(), Base: query.Get("base")}
	var out []byte
	kind := "text/csv; charset=utf-8"
	switch as {
	case "csv":
		out = results.CSV(of)
	case "paired":
		pair, err := pairOf(query.Get("paired"), &t.header.Spec)
		if err != nil {
			return err
		}
		if pair.Agent == "" {
			return problem(http.StatusBadRequest, "", "the records have no pair of C-PSRL and PSRL; name two agents")
		}
		out = results.PairedCSV(of, pair)
	case "long":
		out = long.CSV(results)
	case "jsonl":
		kind, out = "application/jsonl", append(record.AppendHeader(nil, t.header), records...)
	case "figure":
		kind, out = "application/json", results.Figure().JSON()
	}
	w.Header().Set("Content-Type", kind)
	w.Write(out)
	return nil
}

// pairOf reads "AGENT,BASE"; of nothing, it is the spec's default pair, or none.
func pairOf(text string, spec *record.Spec) (experiment.Pair, error) {
	if text == "" {
		pair, ok := experiment.DefaultPair(spec)
		if !ok {
			return experiment.Pair{}, nil
		}
		return pair, nil
	}
	agent, base, _ := strings.Cut(text, ",")
	for _, label := range []string{agent, base} {
		if !slices.Contains(spec.Agents, label) {
			return experiment.Pair{}, problem(http.StatusBadRequest, "", "%q is none of the agents: %s", label, strings.Join(spec.Agents, ", "))
		}
	}
	return experiment.Pair{Agent: agent, Base: base}, nil
}

func exportSpec(w http.ResponseWriter, r *http.Request, as string) error {
	data, err := body(w, r)
	if err != nil {
		return err
	}
	var in struct {
		Spec    jsontext.Value `json:"spec"`
		Receipt *Receipt       `json:"receipt,omitzero"`
		Base    string         `json:"base,omitempty"`
		Run     *int           `json:"run,omitzero"`
		Agent   string         `json:"agent,omitempty"`
		Graph   jsontext.Value `json:"graph,omitzero"`
	}
	if err := record.Decode(data, &in); err != nil {
		return err
	}
	spec, err := specWithin(in.Spec)
	if err != nil {
		return err
	}
	if err := experiment.Check(spec); err != nil {
		return within("/spec", err)
	}
	link := &record.Link{Spec: spec}
	if link.Receipt, err = in.Receipt.check(); err != nil {
		return err
	}
	text := func(s string) error {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, s)
		return nil
	}
	switch as {
	case "cli":
		return text(export.Command(spec) + "\n")
	case "bibtex":
		return text(export.BibTeX(in.Base, link))
	}
	run := spec.FirstRun
	if in.Run != nil {
		run = *in.Run
	}
	if run < spec.FirstRun || run >= spec.FirstRun+spec.Runs {
		return problem(http.StatusBadRequest, "/run", "there is no run %d; runs are %d to %d", run, spec.FirstRun, spec.FirstRun+spec.Runs-1)
	}
	p, err := experiment.Problem(spec, run)
	if err != nil {
		return within("/spec", err)
	}
	agent := record.Agent{Eta: -1}
	if in.Agent != "" {
		if agent, err = record.ParseAgent(in.Agent); err != nil {
			return within("/agent", err)
		}
	}
	prior := p.Prior(agent)
	document := func(doc []byte) error {
		w.Header().Set("Content-Type", "application/json")
		w.Write(append(doc, '\n'))
		return nil
	}
	switch as {
	case "model":
		return document(record.EncodeModel(p.Model))
	case "prior":
		return document(record.EncodePrior(&p.Model.Space, prior))
	}
	g := &export.Graph{Space: &p.Model.Space, Known: prior.Known}
	if g.Edges, err = graphOf(in.Graph, p, prior); err != nil {
		return err
	}
	switch as {
	case "dot":
		return text(g.DOT())
	case "tikz":
		return text(g.TikZ())
	case "dagitty":
		return text(g.DAGitty())
	}
	return text(g.Text())
}

// graphOf reads which graph is meant.
func graphOf(raw jsontext.Value, p *experiment.Instance, prior *bigraph.Prior) (bigraph.Bigraph, error) {
	switch string(raw) {
	case "", `"prior"`:
		return prior.Known, nil
	case `"true"`:
		return p.Model.Graph(), nil
	}
	var list record.Graph
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, problem(http.StatusBadRequest, "/graph", `the graph is neither "prior" nor "true" nor a list of parents for each variable`)
	}
	if err := record.CheckGraph(list, "/graph", &p.Model.Space); err != nil {
		return nil, err
	}
	return list.Bigraph(p.Model.X())
}

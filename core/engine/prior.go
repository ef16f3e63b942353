package engine

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

func servePrior(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Spec  *spec.Spec     `json:"spec"`
		Text  *string        `json:"text,omitzero"`
		Edges [][2]string    `json:"edges,omitzero"`
		Prior jsontext.Value `json:"prior,omitzero"`
	}
	if err := readBody(w, r, &in); err != nil {
		return err
	}
	in.Spec.Prior = nil
	p, err := experiment.NewInstance(in.Spec, in.Spec.FirstRun)
	if err != nil {
		return within("/spec", err)
	}
	space := &p.Model.Space
	var g bigraph.Bigraph
	var errors []export.TextError
	switch {
	case in.Text != nil && in.Edges == nil && in.Prior == nil:
		g, errors = export.ParseText(*in.Text, space)
	case in.Edges != nil && in.Text == nil && in.Prior == nil:
		g, err = record.Edges(in.Edges, "/edges", space)
	case in.Prior != nil && in.Text == nil && in.Edges == nil:
		g, err = priorFor(in.Prior, space)
	default:
		return refuse(http.StatusBadRequest, "", `the body holds one of "text", "edges" and "prior" beside the spec`)
	}
	if err != nil {
		return err
	}
	graph := &export.Graph{Space: space, Edges: g, Known: g}
	return answer(w, struct {
		Edges   [][2]string        `json:"edges"`
		Errors  []export.TextError `json:"errors"`
		Text    string             `json:"text"`
		DOT     string             `json:"dot"`
		TikZ    string             `json:"tikz"`
		DAGitty string             `json:"dagitty"`
	}{record.EdgeList(g, space), errors, graph.Text(), graph.DOT(), graph.TikZ(), graph.DAGitty()})
}

// priorFor reads a cpsrl/prior over the variables of the space.
func priorFor(raw jsontext.Value, space *fmdp.Space) (bigraph.Bigraph, error) {
	of, prior, err := record.DecodePrior(raw)
	if err != nil {
		return nil, within("/prior", err)
	}
	return record.Edges(record.EdgeList(prior.Known, of), "/prior/edges", space)
}

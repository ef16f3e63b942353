package engine

import (
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/format"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// Reading is the answer of /v1/prior: a prior as edges and as text.
type Reading struct {
	Edges   []document.Edge `json:"edges"`
	Errors  []format.Error  `json:"errors"`        // of the lines of the text that are left out
	Note    string          `json:"note,omitzero"` // how the text is read, if it may be taken for something else
	Text    string          `json:"text"`
	DOT     string          `json:"dot"`
	TikZ    string          `json:"tikz"`
	DAGitty string          `json:"dagitty"`
}

func servePrior(w wire.Answer, r *wire.Request) error {
	var in struct {
		Spec  *spec.Spec      `json:"spec"`
		Text  *string         `json:"text,omitzero"`
		Edges []document.Edge `json:"edges,omitzero"`
		Prior jsontext.Value  `json:"prior,omitzero"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	in.Spec.Prior = nil
	space, err := experiment.Nodes(in.Spec, in.Spec.FirstRun)
	if err != nil {
		return strict.Within("/spec", err)
	}
	edges, place := in.Edges, "/edges"
	var errors []format.Error
	var note string
	switch {
	case in.Text != nil && in.Edges == nil && in.Prior == nil:
		edges, errors, note = format.ReadPrior(*in.Text, space)
	case in.Edges != nil && in.Text == nil && in.Prior == nil:
	case in.Prior != nil && in.Text == nil && in.Edges == nil:
		edges, err = edgesOf(in.Prior)
		place = "/prior/edges"
	default:
		return refuse(wire.BadRequest, "", `the body holds one of "text", "edges" and "prior" beside the spec`)
	}
	if err != nil {
		return err
	}
	prior, err := document.DecodeEdges(edges, place, space)
	if err != nil {
		return err
	}
	graph := &format.Graph{Space: space, Prior: prior}
	return writeAnswer(w, Reading{document.PriorEdges(prior, space), errors, note, graph.Text(), graph.DOT(), graph.TikZ(), graph.DAGitty()})
}

// edgesOf returns the edges of a document in the format cpsrl/prior.
func edgesOf(raw jsontext.Value) ([]document.Edge, error) {
	file, err := document.DecodePrior(raw)
	if err != nil {
		return nil, strict.Within("/prior", err)
	}
	return document.PriorEdges(file.Prior, file.Space), nil
}

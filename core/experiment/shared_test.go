package experiment

import (
	"reflect"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/gallery"
	"cpsrl/core/spec"
)

// Oracle: the problem of the gallery. Its document, shared as a file, has its prior, with the reason of each edge, and its Z.
func TestSharedReasons(t *testing.T) {
	for _, e := range gallery.Entries() {
		if e.Kind == nil {
			continue
		}
		kind, err := domain.Lookup(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		own := &spec.Spec{Domain: kind.New()}
		if err := own.Complete(); err != nil {
			t.Fatal(err)
		}
		in, err := NewInstance(own, 0)
		if err != nil {
			t.Fatal(err)
		}
		f, err := document.DecodeModelFile(in.Document())
		if err != nil {
			t.Fatal(err)
		}
		shared := &spec.Spec{Domain: domain.NewCustomFile(f)}
		if err := shared.Complete(); err != nil {
			t.Fatal(err)
		}
		other, err := NewInstance(shared, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(in.Suggestions) == 0 || !slices.Equal(other.Suggestions, in.Suggestions) || !slices.Equal(other.Suggested, in.Suggested) || shared.Z().String() != own.Z().String() {
			t.Errorf("%s: %v and %v, Z = %v; not %v and %v, Z = %v", e.Name, other.Suggested, other.Suggestions, shared.Z(), in.Suggested, in.Suggestions, own.Z())
		}
		if got, want := document.PriorEdges(other.Own(), &other.View.Space), document.PriorEdges(in.Own(), &in.View.Space); !slices.Equal(got, want) {
			t.Errorf("%s: the prior is %v, not %v", e.Name, got, want)
		}
	}
}

// Oracle: the list of the same edges in a spec. A model's prior may have edges to payoffs whose parents are hidden.
func TestSharedPayoffs(t *testing.T) {
	const text = `{"format":"cpsrl/model","version":4,"horizon":3,"state":[{"name":"s","size":2},{"name":"told","size":2}],"action":[{"name":"a","size":2}],"initial":"uniform",
		"transition":[{"of":"s","given":["s"],"p":[[1,0],[0,1]]},{"of":"told","given":["a"],"p":[[1,0],[0,1]],"known":true}],
		"reward":[{"given":["s"],"mean":[0,1],"kind":"fixed","name":"bonus","scope":"hidden"}],
		"prior":{"edges":[["s","s",0.9],["s","told",0.9],{"why":"Seeing is paying.","p":0.8,"edges":[["s","bonus"],["a","bonus"]]}]}}`
	f, err := document.DecodeModelFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var priors []*bigraph.Prior
	for _, edges := range [][]document.Edge{nil, {{From: "s", To: "s", P: .9}, {From: "s", To: "bonus", P: .8}, {From: "a", To: "bonus", P: .8}}} {
		s := &spec.Spec{Domain: domain.NewCustomFile(f), Rewards: "learned"}
		if edges != nil {
			s.Prior = &spec.Prior{Edges: edges}
		}
		if err := s.Complete(); err != nil {
			t.Fatal(err)
		}
		in, err := NewInstance(s, 0)
		if err != nil {
			t.Fatal(err)
		}
		priors = append(priors, in.Prior)
	}
	if !reflect.DeepEqual(priors[0].Payoffs, priors[1].Payoffs) || !slices.Equal(priors[0].Likely, priors[1].Likely) || !slices.Equal(priors[0].Known, priors[1].Known) {
		t.Errorf("%+v with %+v, not %+v with %+v", priors[0], priors[0].Payoffs, priors[1], priors[1].Payoffs)
	}
}

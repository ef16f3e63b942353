package experiment_test

import (
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/spec"
)

// An edge that is stated twice is refused, also if one of the statements is ½, which says
// nothing: in documents, in links, and in named priors.
func TestEdgesListedTwice(t *testing.T) {
	document := func(prior string) (*spec.Spec, error) {
		return spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi"},` + prior + `}`))
	}
	link := func(query string) (*spec.Spec, error) {
		l, err := spec.DecodeLink("v=2&domain=taxi&" + query)
		if err != nil {
			return nil, err
		}
		return l.Spec, nil
	}
	for _, two := range [][2]string{{`,0.5`, ``}, {``, `,0.5`}, {`,0.5`, `,0`}, {`,0.3`, `,0.5`}, {`,0.5`, `,0.5`}, {``, ``}} {
		edges := `{"edges":[["row","row"` + two[0] + `],["col","row",0.5],["row","row"` + two[1] + `]]}`
		s, err := document(`"prior":` + edges)
		check(t, edges, "/prior/edges/2", s, err)
		s, err = document(`"priors":{"expert":` + edges + `},"agents":["c-psrl:prior=expert"]`)
		check(t, edges, "/priors/expert/edges/2", s, err)
	}
	for _, edges := range []string{"row:row~.5,row", "row:row~.5,!row", "row:!row,row~.5", "row:row~.3,row~.5", "row:row,!row", "row:row;row:row~.5"} {
		s, err := link("prior=" + edges)
		check(t, edges, "/prior/edges/1", s, err)
		s, err = link("prior.expert=" + edges + "&agents=c-psrl:prior=expert")
		check(t, edges, "/priors/expert/edges/1", s, err)
	}
	// Alone, ½ is the same as no statement.
	s, err := document(`"prior":{"edges":[["row","row",0.5]]}`)
	if err == nil {
		_, err = experiment.New(s)
	}
	if err != nil || len(s.Prior.Edges) != 0 {
		t.Errorf("½ alone: %v", err)
	}
}

func check(t *testing.T, edges, place string, s *spec.Spec, err error) {
	t.Helper()
	if err == nil {
		_, err = experiment.New(s)
	}
	if err == nil || !strings.HasPrefix(err.Error(), place+": the edge from ") || !strings.HasSuffix(err.Error(), "is listed twice") {
		t.Errorf("%s: %v, want %s", edges, err, place)
	}
}

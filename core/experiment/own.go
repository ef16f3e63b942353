package experiment

import (
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/spec"
)

// AsModel returns a spec whose problem is a model of the user's own, to be changed: that of the first run, with
// the edges of its priors as a list. A spec whose problem is a model stays as it is.
func AsModel(s *spec.Spec) (*spec.Spec, error) {
	e, err := parse(s)
	if err != nil {
		return nil, err
	}
	if _, own := e.spec.Domain.(*domain.Custom); own {
		return e.spec, nil
	}
	in, err := e.build(e.spec.FirstRun)
	if err != nil {
		return nil, err
	}
	file, err := document.DecodeModelFile(in.Document())
	if err != nil {
		return nil, err
	}
	file.Model.Name, _ = e.spec.Domain.Title()
	c := e.spec.WithModel(file, func(name string) string { return name })
	listed := func(asked *spec.Prior) (*spec.Prior, error) {
		of := e.spec.Clone()
		of.Prior, of.Priors, of.Agents = asked, nil, []string{"c-psrl"}
		in, err := (&Experiment{spec: of}).outline(of.FirstRun, true)
		if err != nil {
			return nil, err
		}
		return &spec.Prior{Edges: document.PriorEdges(in.Prior, &in.View.Space)}, nil
	}
	if c.Prior, err = listed(e.spec.Prior); err != nil {
		return nil, err
	}
	for k, p := range e.spec.Priors {
		if c.Priors[k].Prior, err = listed(p.Prior); err != nil {
			return nil, err
		}
	}
	return c, c.Complete()
}

package engine

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/domain"
	"cpsrl/core/edit"
	"cpsrl/core/experiment"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Edited is the answer of /v1/edit.
type Edited struct {
	Spec  *spec.Spec `json:"spec"`  // complete; its problem is a model. Whether agents can play, /v1/check says
	Form  *edit.Form `json:"form"`  // the model, for an editor
	Notes []string   `json:"notes"` // sentences on what else changed
}

// serveEdit changes the model of a spec. If the problem is none, it becomes one first. A template takes the
// place of the problem and of what is known of it.
func serveEdit(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Spec     *spec.Spec     `json:"spec"`
		Edit     jsontext.Value `json:"edit,omitzero"`
		Template string         `json:"template,omitempty"`
	}
	if err := readBody(w, r, &in); err != nil {
		return err
	}
	s, notes := in.Spec, []string{}
	switch {
	case in.Template != "" && in.Edit != nil:
		return refuse(http.StatusBadRequest, "", `the body holds one of "edit" and "template" beside the spec`)
	case in.Template != "":
		file, err := edit.Template(in.Template)
		if err != nil {
			return strict.Within("/template", err)
		}
		s = &spec.Spec{Domain: domain.NewCustomFile(file), Episodes: s.Episodes, Runs: s.Runs, Seed: s.Seed}
	default:
		var err error
		if s, err = experiment.AsModel(s); err != nil {
			return strict.Within("/spec", err)
		}
	}
	if in.Edit != nil {
		e, err := edit.Decode(in.Edit)
		if err != nil {
			return strict.Within("/edit", err)
		}
		before := s.Domain.(*domain.Custom)
		file, more, err := edit.Apply(before.File(), e)
		if err != nil {
			return strict.Within("/spec/domain/model", err)
		}
		notes = append(notes, more...)
		s = s.WithModel(file, e.Name)
	}
	if err := s.Complete(); err != nil {
		return strict.Within("/spec", err)
	}
	return writeAnswer(w, Edited{s, edit.FormOf(s.Domain.(*domain.Custom).File()), notes})
}

package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/edit"
	"cpsrl/core/experiment"
	"cpsrl/core/gallery"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// Edited is the answer of /v1/edit.
type Edited struct {
	Spec  *spec.Spec `json:"spec"`  // complete; its problem is a model. Whether agents can play, /v1/check says
	Form  *edit.Form `json:"form"`  // the model, for an editor
	Notes []string   `json:"notes"` // sentences on what else changed
	// Drafts are the edits among those of the request that are still refused. The others were accepted together with
	// the edit, or are gone with what they were about.
	Drafts []EditDraft `json:"drafts"`
}

// EditDraft is an edit that was refused, and waits for others with which it is valid.
type EditDraft struct {
	Edit    edit.Edit `json:"edit"`    // as it is now: with a variable's new name, say
	Detail  string    `json:"detail"`  // why it is refused now
	Pointer string    `json:"pointer"` // to the place in the spec
}

// serveEdit changes the model of a spec. If the problem is none, it becomes one first. A template takes the
// place of the problem and of what is known of it. Drafts are edits that were refused before, in their order: each
// edit tries them again.
func serveEdit(w wire.Answer, r *wire.Request) error {
	var in struct {
		Spec     *spec.Spec     `json:"spec"`
		Edit     jsontext.Value `json:"edit,omitzero"`
		Drafts   []edit.Edit    `json:"drafts,omitempty"`
		Template string         `json:"template,omitempty"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	s := in.Spec
	switch {
	case in.Template != "" && in.Edit != nil:
		return refuse(wire.BadRequest, "", `the body holds one of "edit" and "template" beside the spec`)
	case in.Drafts != nil && in.Edit == nil:
		return refuse(wire.BadRequest, "/drafts", "drafts are tried with an edit, and there is none")
	case in.Template != "":
		text, err := gallery.Template(in.Template)
		if err != nil {
			return strict.Within("/template", err)
		}
		file, err := document.DecodeModelFile(text)
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
	if in.Edit == nil {
		if err := s.Complete(); err != nil {
			return strict.Within("/spec", err)
		}
		return writeAnswer(w, Edited{s, edit.FormOf(s.Domain.(*domain.Custom).File()), []string{}, []EditDraft{}})
	}
	e, err := edit.Decode(in.Edit)
	if err != nil {
		return strict.Within("/edit", err)
	}
	for k := range in.Drafts {
		if err := in.Drafts[k].Waits(); err != nil {
			return strict.Within(fmt.Sprintf("/drafts/%d", k), err)
		}
	}
	const whole = "/spec"
	placed := func(err error) *Details {
		if of, ok := errors.AsType[*strict.InvalidError](err); !ok || !strings.HasPrefix(of.Place, whole) { // no place in a model begins so
			err = strict.Within("/spec/domain/model", err)
		}
		return asDetails(err)
	}
	done, err := edit.Together(s.Domain.(*domain.Custom).File(), e, in.Drafts, func(f *document.ModelFile, name func(string) string) error {
		return strict.Within(whole, s.WithModel(f, name).Complete())
	})
	if err != nil {
		return placed(err)
	}
	s = s.WithModel(done.File, done.Name)
	if err := s.Complete(); err != nil {
		return strict.Within(whole, err)
	}
	drafts := []EditDraft{}
	for _, w := range done.Waiting {
		refusal := placed(w.Err)
		drafts = append(drafts, EditDraft{w.Edit, refusal.Detail, refusal.Pointer})
	}
	return writeAnswer(w, Edited{s, edit.FormOf(done.File), append([]string{}, done.Notes...), drafts})
}

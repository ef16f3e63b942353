package engine

import (
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/format"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// Begun is the answer of /v1/data: transitions that an experiment can start from.
type Begun struct {
	SHA256  string                `json:"sha256"` // what the spec's prior names as its data
	Steps   []document.Transition `json:"steps"`  // what a request holds in place of that
	Rows    int                   `json:"rows"`   // of the table, or the lines, that were used
	Refused int                   `json:"refused"`
	Columns []format.Column       `json:"columns,omitzero"` // of a table
	Notes   []string              `json:"notes"`
}

// serveData reads transitions of a spec's problem, as JSON Lines or as a table.
func serveData(w wire.Answer, r *wire.Request) error {
	var in struct {
		Spec    *spec.Spec `json:"spec"`
		Text    string     `json:"text"`
		Columns []string   `json:"columns,omitempty"` // what columns of a table are taken for, as NAME=ROLE
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	problem, err := experiment.NewInstance(in.Spec, in.Spec.FirstRun)
	if err != nil {
		return strict.Within("/spec", err)
	}
	roles, err := rolesOf(in.Columns)
	if err != nil {
		return err
	}
	read, err := readTransitions(strict.NewLines(strings.NewReader(in.Text)), format.LogOptions{Space: &problem.View.Space, Roles: roles})
	if err != nil {
		return err
	}
	begun := &Begun{Notes: []string{}}
	if begun.Steps, err = read.List(r.Context, spec.MaxData); err != nil {
		return err
	}
	begun.Rows = len(begun.Steps)
	if log := read.Log; log != nil {
		begun.Rows, begun.Refused, begun.Columns = log.Read, log.Refused, log.Columns
		begun.Notes = append(begun.Notes, log.Notes...)
	}
	data, err := spec.NewData(begun.Steps)
	if err != nil {
		return err
	}
	if err := data.Check("/steps", problem.View); err != nil {
		return err
	}
	begun.SHA256 = data.Name()
	return writeAnswer(w, begun)
}

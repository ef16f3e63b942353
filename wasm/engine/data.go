package engine

import (
	"bufio"
	"net/http"
	"strings"

	"cpsrl/core/answer"
	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/format"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Begun is the answer of /v1/data: transitions that an experiment can start from.
type Begun struct {
	SHA256  string                `json:"sha256"` // what the spec's prior names as its data
	Steps   []document.Transition `json:"steps"`  // what a request holds in place of that
	Rows    int                   `json:"rows"`   // of the table, or the lines, that were used
	Refused int                   `json:"refused"`
	Notes   []string              `json:"notes"`
}

// serveData reads transitions of a spec's problem, as JSON Lines or as a table.
func serveData(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Spec *spec.Spec `json:"spec"`
		Text string     `json:"text"`
	}
	if err := readBody(w, r, &in); err != nil {
		return err
	}
	space, _, err := experiment.NewPrior(in.Spec, in.Spec.FirstRun)
	if err != nil {
		return strict.Within("/spec", err)
	}
	q := &weighed{body: bufio.NewReader(strings.NewReader(in.Text)), ctx: r.Context()}
	if format.IsTable([]byte(in.Text)) {
		err = q.readTable(format.LogOptions{Space: space}, false)
	} else {
		q.steps = answer.Transitions(q.ctx, q.body, space)
	}
	if err != nil {
		return err
	}
	begun := &Begun{Notes: []string{}}
	if q.log != nil {
		begun.Steps, begun.Rows, begun.Refused = q.log.Transitions, q.log.Read, q.log.Refused
		begun.Notes = append(begun.Notes, q.log.Notes...)
	} else {
		for step, err := range q.steps {
			if err != nil {
				return err
			}
			if begun.Steps = append(begun.Steps, document.Transition{X: step.Point, Y: step.Next}); len(begun.Steps) > spec.MaxData {
				break
			}
		}
		begun.Rows = len(begun.Steps)
	}
	data, err := spec.NewData(begun.Steps)
	if err != nil {
		return err
	}
	if err := data.Check("/steps", space); err != nil {
		return err
	}
	begun.SHA256 = data.Name()
	return writeAnswer(w, begun)
}

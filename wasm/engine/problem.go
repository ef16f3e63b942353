package engine

import (
	"cmp"
	"fmt"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/offline"
	"cpsrl/core/spec"
	"cpsrl/wasm/wire"
)

// decision is what is asked of a problem of a log.
type decision struct {
	options offline.Options
	models  int
}

// fewModels is how many models are drawn for the worth of a policy if the query does not say it.
const fewModels = 200

// decisionOf reads what a query asks of a problem.
func decisionOf(query url.Values) (d decision, err error) {
	number := func(name string, standard, most int) int {
		n := standard
		if query.Get(name) == "" {
			return n
		}
		n, bad := wholeNumber(query, name)
		if bad == nil && (n < 1 || n > most) {
			bad = refuse(wire.BadRequest, "", "the %s is %d; it must be from 1 to %d", name, n, most)
		}
		err = cmp.Or(err, bad)
		return n
	}
	d.options = offline.Options{Name: query.Get("name"), Reward: query.Get("reward"), Horizon: number("horizon", 0, fmdp.MaxHorizon)}
	d.models = number("models", fewModels, offline.MaxModels)
	return d, err
}

// Started is the answer of /v1/posterior with as=start: a problem of a log, and the log as transitions that its agents start from.
type Started struct {
	Model jsontext.Value `json:"model"`
	// Steps and SHA256 are as in [Begun]. They are absent if there are too many; the model's prior is then the graph as the log tells it.
	SHA256  string                `json:"sha256,omitzero"`
	Steps   []document.Transition `json:"steps,omitzero"`
	Learned bool                  `json:"learned"` // what is paid is learned of the log
	Notes   []string              `json:"notes"`   // what was assumed, as sentences
}

// start returns a problem with the transitions that its agents start from.
func start(p *offline.Problem) (*Started, error) {
	s := &Started{Learned: p.Learned(), Notes: append([]string{}, p.Notes...)}
	if data, err := spec.NewData(p.Data()); err == nil {
		s.SHA256, s.Steps = data.Name(), data.Steps()
	} else {
		s.Notes = append(s.Notes, fmt.Sprintf("%v: the prior trusts each edge as the log does, and agents start from nothing else", err))
	}
	file, err := p.Document(p.Mean(), s.Steps != nil)
	if err == nil {
		s.Model = file.Encode()
	}
	return s, err
}

// serveProblem answers with the problem of a table whose graph was weighed, or with a policy for it.
func serveProblem(w wire.Answer, r *wire.Request, log *format.Log, a *evidence.Answer, d decision) error {
	if log == nil {
		return refuse(wire.BadRequest, "", "transitions as JSON Lines do not say what was paid; a table was expected")
	}
	p, err := offline.New(r.Context, log, a, d.options)
	if err != nil {
		return err
	}
	switch r.Query.Get("as") {
	case "start":
		started, err := start(p)
		if err != nil {
			return err
		}
		return writeAnswer(w, started)
	case "problem":
		file, err := p.Document(p.Mean(), false)
		if err != nil {
			return err
		}
		return send(w, "application/json", append(file.Encode(), '\n'))
	}
	proposed, err := p.Appraise(r.Context, d.models, nil)
	if err != nil {
		return err
	}
	w.Begin(wire.Head{Status: wire.OK, Kind: "application/json"})
	p.Write(w, proposed) // it fails only if the client has gone
	return nil
}

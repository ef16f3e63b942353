package engine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"

	"cpsrl/core/answer"
	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

func servePosterior(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	allowed, badBound := oneOf(query, "bound", bigraph.Bounds()...)
	update, badUpdate := oneOf(query, "update", posterior.Updates()...)
	top, badTop := 0, error(nil)
	if query.Has("top") {
		if top, badTop = wholeNumber(query, "top"); badTop == nil && (top < 1 || top > bigraph.MaxSets) {
			badTop = refuse(http.StatusBadRequest, "", "the top is %d; it must be from 1 to %d", top, bigraph.MaxSets)
		}
	}
	prior, badPrior := oneOf(query, "prior", "first", "apart", "none")
	z, badZ := 0, error(nil)
	if query.Has("z") {
		if z, badZ = wholeNumber(query, "z"); badZ == nil && z < 1 {
			badZ = refuse(http.StatusBadRequest, "", "the z is %d; it must be at least 1", z)
		}
	}
	rows, badRows := dirichlet.Optional{}, error(nil)
	if text := query.Get("dirichlet"); text != "" && rows.Parse(text) != nil {
		badRows = refuse(http.StatusBadRequest, "", "the dirichlet %q must be %s%s", param.Clip(text), rows.Range(), param.Hint(text, false))
	}
	tables, badTables := query.Get("tables"), error(nil)
	if tables != "" {
		_, badTables = oneOf(query, "tables", document.Tables()...)
	}
	as, badAs := oneOf(query, "as", "full", "json", "csv", "dot")
	if err := cmp.Or(badAs, badBound, badUpdate, badTop, badPrior, badZ, badRows, badTables); err != nil {
		return err
	}
	bound, _ := bigraph.BoundOf(allowed)
	rule, _ := posterior.UpdateOf(update)
	q := &weighed{apart: prior == "apart", body: bufio.NewReader(r.Body), ctx: r.Context()}
	law := func(file *document.PriorFile) {
		if rows.Given {
			file.Rows = rows.Concentration
		}
		if tied, given := document.TiedOf(tables); given {
			file.Tied = tied
		}
	}
	var err error
	if prior == "none" {
		var own document.PriorFile
		law(&own)
		err = q.readTable(format.LogOptions{Actions: slices.DeleteFunc(query["action"], func(name string) bool { return name == "" })}, !query.Has("action"))
		if err == nil {
			q.prior = answer.Unstated(q.log.Space, z, own)
			q.prior.Prior.Bound = bound
		}
	} else if err = q.readPrior(bound); err == nil {
		law(q.prior)
		if z > 0 {
			q.prior.Prior.Sparseness, q.prior.Prior.Each = z, nil
		}
	}
	if err != nil {
		return err
	}
	weighing, err := answer.NewWeighing(q.prior, rule)
	if err != nil {
		return q.ofPrior(err)
	}
	if n := weighing.Passes(); n > 1 {
		return refuse(http.StatusRequestEntityTooLarge, "", "the transitions would have to be read %d times, which the command line can do; fewer state variables or a smaller Z need one reading", n)
	}
	visits := answer.NewVisits(q.prior, weighing)
	if err := weighing.Read(visits.Watch(q.steps)); err != nil {
		return err
	}
	beliefs, space := weighing.Weights(), q.prior.Space
	switch as {
	case "csv":
		return send(w, "text/csv; charset=utf-8", answer.EdgeTable(space, beliefs, nil))
	case "dot":
		graph := &export.Graph{Space: space, Prior: answer.Drawn(space, beliefs)}
		return send(w, "text/plain; charset=utf-8", []byte(graph.DOT()))
	}
	more := []strict.Member{{Name: "transitions", Value: visits.Transitions()}}
	if q.log != nil {
		more = append(more, strict.Member{Name: "table", Value: tableOf(q.log)})
	}
	if c := visits.Caution(); c != nil {
		more = append(more, strict.Member{Name: "caution", Value: c})
	}
	if as == "json" {
		more = nil
	} else {
		uncertain, certain, excluded := answer.Rank(answer.EdgesOf(space, beliefs))
		more = append(more,
			strict.Member{Name: "uncertain", Value: uncertain}, strict.Member{Name: "certain", Value: certain}, strict.Member{Name: "excluded", Value: excluded},
			strict.Member{Name: "prior", Value: document.PriorEdges(answer.Stated(space, beliefs, q.prior.Prior), space)})
	}
	w.Header().Set("Content-Type", "application/json")
	answer.WritePosterior(w, space, beliefs, top, more...) // fails only if the client has gone
	return nil
}

// weighed is what a request about transitions holds.
type weighed struct {
	apart bool
	body  *bufio.Reader
	ctx   context.Context
	prior *document.PriorFile
	steps iter.Seq2[posterior.Step, error]
	log   *format.Log // if the transitions are a table
}

// ofPrior places an error of the prior.
func (q *weighed) ofPrior(err error) error {
	if line, ok := errors.AsType[*strict.LineError](err); ok && q.apart {
		err = line.Err
	}
	if q.apart {
		return strict.Within("/prior", err)
	}
	return err
}

// readPrior reads the first line, a prior, and begins with the transitions after it.
func (q *weighed) readPrior(bound bigraph.Bound) error {
	var line []byte
	for more := true; more && len(line) <= strict.MaxHeader; {
		part, err := q.body.ReadSlice('\n')
		line = append(line, part...)
		if more = err == bufio.ErrBufferFull; err != nil && !more && err != io.EOF {
			return err
		}
	}
	begins, _ := q.body.Peek(tableBegins)
	table := format.IsTable(begins)
	all := io.MultiReader(bytes.NewReader(line), q.body)
	if table {
		all = bytes.NewReader(line)
	}
	in, err := answer.NewPriorReader(all, bound)
	if err != nil {
		return q.ofPrior(err)
	}
	q.prior = in.PriorFile
	if table {
		return q.readTable(format.LogOptions{Space: in.Space}, false)
	}
	if q.apart {
		in.CountAgain()
	}
	q.steps = in.Transitions(q.ctx)
	return nil
}

const (
	tableBegins = 256      // so many bytes tell a table from JSON Lines
	mostTable   = 64 << 20 // bytes of a table
)

// readTable reads the transitions as a table. If guess is set, it finds the columns that are actions.
func (q *weighed) readTable(o format.LogOptions, guess bool) error {
	data, err := io.ReadAll(io.LimitReader(q.body, mostTable+1))
	switch {
	case err != nil:
		return err
	case len(data) > mostTable:
		return refuse(http.StatusRequestEntityTooLarge, "", "the table is larger than %d MiB; the command line reads it", mostTable>>20)
	case o.Space == nil && !format.IsTable(data):
		return refuse(http.StatusBadRequest, "", "JSON Lines name no variables; a prior, a model or a table with a header was expected")
	}
	if guess {
		o.Actions = format.GuessActions(data)
	}
	if q.log, err = format.ReadLog(data, o); err != nil {
		return err
	}
	q.steps = func(yield func(posterior.Step, error) bool) {
		for _, t := range q.log.Transitions {
			if err := q.ctx.Err(); err != nil || !yield(posterior.Step{Point: t.X, Next: t.Y}, nil) {
				if err != nil {
					yield(posterior.Step{}, err)
				}
				return
			}
		}
	}
	return nil
}

// tableOf says how a table was read.
func tableOf(log *format.Log) *answer.Table {
	vars := document.NewVariables(log.Space)
	return &answer.Table{State: vars.State, Action: vars.Action, Columns: log.Columns, Rows: log.Read, Refused: log.Refused, Notes: append([]string{}, log.Notes...)}
}

// oneOf returns the parameter of that name from a query. It must be one of the words. If it is
// absent or empty, oneOf returns the first word.
func oneOf(query url.Values, name string, words ...string) (string, error) {
	text := cmp.Or(query.Get(name), words[0])
	if !slices.Contains(words, text) {
		return "", refuse(http.StatusBadRequest, "", "the %s %q must be %s", name, param.Clip(text), param.OneOf(slices.Sorted(slices.Values(words))))
	}
	return text, nil
}

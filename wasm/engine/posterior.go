package engine

import (
	"cmp"
	"errors"
	"net/url"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

func servePosterior(w wire.Answer, r *wire.Request) error {
	query := r.Query
	allowed, badBound := oneOf(query, "bound", bigraph.Bounds()...)
	update, badUpdate := oneOf(query, "update", posterior.Updates()...)
	top, badTop := 0, error(nil)
	if query.Has("top") {
		if top, badTop = wholeNumber(query, "top"); badTop == nil && (top < 1 || top > bigraph.MaxSets) {
			badTop = refuse(wire.BadRequest, "", "the top is %d; it must be from 1 to %d", top, bigraph.MaxSets)
		}
	}
	prior, badPrior := oneOf(query, "prior", "first", "apart", "none")
	z, badZ := 0, error(nil)
	if query.Has("z") {
		if z, badZ = wholeNumber(query, "z"); badZ == nil && z < 1 {
			badZ = refuse(wire.BadRequest, "", "the z is %d; it must be at least 1", z)
		}
	}
	lag, badLag := 0, error(nil)
	if query.Get("lag") != "" {
		if lag, badLag = wholeNumber(query, "lag"); badLag == nil && (lag < 1 || lag > fmdp.MaxVariables) {
			badLag = refuse(wire.BadRequest, "", "the lag is %d; it must be from 1 to %d", lag, fmdp.MaxVariables)
		} else if badLag == nil && lag > 1 && prior != "none" {
			badLag = refuse(wire.BadRequest, "", "a prior says which variables there are, so the lag is 1")
		}
	}
	rows, badRows := concentration.Optional{}, error(nil)
	if text := query.Get("dirichlet"); text != "" && rows.Parse(text) != nil {
		badRows = refuse(wire.BadRequest, "", "the dirichlet %q must be %s%s", param.Clip(text), rows.Range(), param.Hint(text, false))
	}
	tables, badTables := query.Get("tables"), error(nil)
	if tables != "" {
		_, badTables = oneOf(query, "tables", concentration.Structures()...)
	}
	as := query.Get("as")
	decision, badDecision := decisionOf(query)
	roles, badRoles := rolesOf(query["column"])
	cuts, badCuts := cutsOf(query["cut"])
	if err := cmp.Or(badRoles, badCuts, badBound, badUpdate, badTop, badPrior, badZ, badLag, badRows, badTables, badDecision); err != nil {
		return err
	}
	q := &evidence.Question{Z: z, Rows: rows, Tables: tables, Once: true}
	q.Bound, _ = bigraph.BoundOf(allowed)
	q.Update, _ = posterior.UpdateOf(update)
	lines, options := strict.NewLines(r.Body), format.LogOptions{Roles: roles, Cuts: cuts, Lag: lag}
	// ofPrior places an error of the prior.
	ofPrior := func(err error) error {
		if prior != "apart" {
			return err
		}
		if line, is := errors.AsType[*strict.LineError](err); is {
			err = line.Err
		}
		return strict.Within("/prior", err)
	}
	if prior == "none" {
		if query.Has("action") {
			options.Actions = slices.DeleteFunc(query["action"], func(name string) bool { return name == "" })
		}
	} else {
		var err error
		if q.Prior, err = evidence.ReadPrior(lines, q.Bound); err != nil {
			return ofPrior(err)
		}
		if options.Space = q.Prior.Space; prior == "apart" {
			lines.CountAgain()
		}
	}
	data, err := readTransitions(lines, options)
	if err != nil {
		return err
	}
	a, err := q.Ask(r.Context, data)
	if of, is := errors.AsType[*evidence.PriorError](err); is {
		return ofPrior(of.Err)
	}
	if again, is := errors.AsType[*evidence.AgainError](err); is {
		return refuse(wire.TooLarge, "", "%v, which the command line can do; fewer state variables or a smaller Z need one reading", again)
	}
	if err != nil {
		return err
	}
	switch as {
	case "csv":
		return send(w, "text/csv; charset=utf-8", a.CSV(nil))
	case "dot":
		return send(w, "text/plain; charset=utf-8", []byte(a.DOT()))
	case "problem", "start", "policy":
		return serveProblem(w, r, data.Log, a, decision)
	}
	w.Begin(wire.Head{Status: wire.OK, Kind: "application/json"})
	if as == "json" { // writing fails only if the client has gone
		a.Write(w, top)
	} else {
		a.WriteAll(w, top, data)
	}
	return nil
}

// rolesOf returns what columns are taken for, as texts NAME=ROLE say.
func rolesOf(texts []string) (map[string]string, error) {
	roles := map[string]string{}
	for _, text := range texts {
		name, role, ok := format.ParseRole(text)
		if !ok {
			return nil, refuse(wire.BadRequest, "", "the column %q must be a name, = and %s", param.Clip(text), param.OneOf(format.Roles()))
		}
		roles[name] = role
	}
	return roles, nil
}

// cutsOf returns the cut points of columns, as texts NAME=POINTS say.
func cutsOf(texts []string) (map[string][]float64, error) {
	cuts := map[string][]float64{}
	for _, text := range texts {
		name, points, ok := format.ParseCuts(text)
		if !ok {
			return nil, refuse(wire.BadRequest, "", "the cut %q must be a name, = and numbers, as in glucose=70,100,140", param.Clip(text))
		}
		cuts[name] = points
	}
	return cuts, nil
}

// mostTable is how many bytes a table may have.
const mostTable = 64 << 20

// readTransitions begins to read transitions.
func readTransitions(lines *strict.Lines, o format.LogOptions) (*evidence.Data, error) {
	data, err := evidence.Read(lines, o, mostTable)
	if long, is := errors.AsType[*evidence.LongTableError](err); is {
		return nil, refuse(wire.TooLarge, "", "%v; the command line reads it", long)
	}
	if err != nil && data.Log != nil {
		return nil, ofTable(err, data.Log)
	}
	return data, err
}

// ofTable returns an error with what the columns of a table were taken for.
func ofTable(err error, log *format.Log) error {
	wrong := *asDetails(err)
	wrong.Columns = log.Columns
	return &wrong
}

// oneOf returns the parameter of that name from a query. It must be one of the words. If it is
// absent or empty, oneOf returns the first word.
func oneOf(query url.Values, name string, words ...string) (string, error) {
	text := cmp.Or(query.Get(name), words[0])
	if !slices.Contains(words, text) {
		return "", refuse(wire.BadRequest, "", "the %s %q must be %s", name, param.Clip(text), param.OneOf(slices.Sorted(slices.Values(words))))
	}
	return text, nil
}

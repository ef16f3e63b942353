package engine

import (
	"fmt"
	"math"
	"slices"

	"cpsrl/core/arm"
	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/core/sweep"
	"cpsrl/render"
	"cpsrl/render/figure"
	"cpsrl/wasm/wire"
)

// MostSettings is the largest number of settings of a sweep that is planned or drawn here. The command takes more.
const MostSettings = 500

// Sweep is the body of /v1/sweep: a spec and what varies, in the grammar of flags and links. The other members are for
// what is asked of it.
type Sweep struct {
	Spec *spec.Spec `json:"spec"`
	Vary string     `json:"vary"`
	// For the receipt, and for a table or a figure of a whole sweep: the fingerprint of each setting's records, "" if it
	// cannot run.
	Fingerprints []string `json:"fingerprints,omitempty"`
	// For a table or a figure:
	Measure    string       `json:"measure,omitempty"`
	Ends       []SweepEnd   `json:"ends,omitempty"`      // by setting, then agent
	Impossible int          `json:"impossible,omitzero"` // how many settings cannot run
	X          int          `json:"x,omitzero"`          // the column along the axis
	Heat       *int         `json:"heat,omitzero"`       // for a heat map, the column of its rows
	Theme      render.Theme `json:"theme,omitzero"`      // absent: light
	Inline     bool         `json:"inline,omitzero"`     // the SVG is a part of a page instead of a document
	Width      float64      `json:"width,omitzero"`
	Type       float64      `json:"type,omitzero"` // the size of the letters
}

// SweepEnd is the end of an agent's runs in a setting: the mean of the measure after the last episode.
type SweepEnd struct {
	Setting int      `json:"setting"` // from 0
	Agent   string   `json:"agent"`
	Mean    float64  `json:"mean"`
	Lo      *float64 `json:"lo,omitempty"` // the interval; absent for one run
	Hi      *float64 `json:"hi,omitempty"`
	N       int      `json:"n"`       // the number of runs; 0 if the agent lacks the measure
	Learned int      `json:"learned"` // how many of them have learned; −1 if that is not known
}

// SweepPlan says what a sweep would compute.
type SweepPlan struct {
	Vary     string         `json:"vary"`           // in canonical form
	Link     string         `json:"link,omitempty"` // the fragment, without #; absent if no link can hold the sweep
	Command  string         `json:"command"`        // the line that computes the sweep in a shell
	Document string         `json:"document"`       // the sweep in the format cpsrl/sweep
	Columns  []SweepColumn  `json:"columns"`        // what varies
	Settings []SweepSetting `json:"settings"`
}

// SweepColumn is a field that varies.
type SweepColumn struct {
	Name  string `json:"name"`
	Title string `json:"title"` // the words for it
	Entry int    `json:"entry"` // columns of one entry vary together
}

// SweepSetting is one experiment of a sweep.
type SweepSetting struct {
	ID      string   `json:"id"` // the same for the same spec
	Runs    int      `json:"runs,omitzero"`
	Values  []string `json:"values"`           // by column
	Seconds float64  `json:"seconds,omitzero"` // approximate seconds of one worker of a browser
	Reason  string   `json:"reason,omitempty"` // why it cannot run; absent if it can
}

// SweepReceipt is what a whole sweep has found.
type SweepReceipt struct {
	Receipt *spec.Receipt `json:"receipt"`
	Link    string        `json:"link,omitempty"` // the link of the sweep with the receipt; absent if none can hold the sweep
}

func serveSweep(w wire.Answer, r *wire.Request) error {
	var in Sweep
	if err := readBody(r, &in); err != nil {
		return err
	}
	if in.Spec == nil {
		return refuse(wire.BadRequest, "/spec", `the field "spec" is missing`)
	}
	s, err := sweep.New(in.Spec, in.Vary)
	if err != nil {
		return strict.Within("/vary", err)
	}
	if n := s.Len(); n > MostSettings {
		return refuse(wire.BadRequest, "/vary", "the sweep has %d settings; at most %d are computed here, and the command cpsrl sweep computes more", n, MostSettings)
	}
	switch r.Query.Get("as") {
	case "setting":
		return serveSetting(w, r, s)
	case "receipt":
		receipt, err := in.receipt(r, s)
		if err != nil {
			return err
		}
		if receipt == nil {
			return refuse(wire.BadRequest, "/fingerprints", "the fingerprint of each setting was expected")
		}
		link, _ := sweep.EncodeLink(s, receipt)
		return writeAnswer(w, SweepReceipt{receipt, link})
	case "csv":
		t, err := in.table(s)
		if err != nil {
			return err
		}
		if t.Receipt, err = in.receipt(r, s); err != nil {
			return err
		}
		if t.Receipt != nil && t.Missing > 0 {
			return refuse(wire.BadRequest, "/fingerprints", "there is no receipt while settings are missing")
		}
		return send(w, "text/csv; charset=utf-8", t.CSV())
	case "svg":
		t, err := in.table(s)
		if err != nil {
			return err
		}
		return in.draw(w, t)
	}
	return in.plan(w, r, s)
}

// plan checks every setting.
func (in *Sweep) plan(w wire.Answer, r *wire.Request, s *sweep.Sweep) error {
	p := &SweepPlan{Vary: in.Vary, Command: export.SweepCommand(s), Document: string(s.Encode()) + "\n", Columns: []SweepColumn{}, Settings: []SweepSetting{}}
	p.Vary, _ = s.Vary() // the fields come from this grammar
	p.Link, _ = sweep.EncodeLink(s, nil)
	for k, name := range s.Columns() {
		p.Columns = append(p.Columns, SweepColumn{name, s.Title(k), s.Entry(k)})
	}
	for t := range s.Settings() {
		of := SweepSetting{ID: t.ID, Values: t.Texts}
		err := t.Err
		if err == nil {
			var e *experiment.Experiment
			if e, err = experiment.NewContext(r.Context, t.Spec); err == nil {
				of.Runs, of.Seconds = t.Spec.Runs, costOf(e).Seconds
			}
		}
		if r.Context.Err() != nil {
			return r.Context.Err()
		}
		if err != nil {
			of.Reason = asDetails(err).Detail
		}
		p.Settings = append(p.Settings, of)
	}
	return writeAnswer(w, p)
}

// serveSetting answers what /v1/check answers about the spec of a setting.
func serveSetting(w wire.Answer, r *wire.Request, s *sweep.Sweep) error {
	k, err := wholeNumber(r.Query, "setting")
	if err != nil {
		return err
	}
	if k < 0 || k >= s.Len() {
		return refuse(wire.BadRequest, "", "there is no setting %d", k)
	}
	t := s.Setting(k)
	if t.Err != nil {
		return t.Err
	}
	return answerCheck(w, r, t.Spec)
}

// receipt returns the receipt of a sweep, or nil if there are no fingerprints. A setting has none where it cannot run.
func (in *Sweep) receipt(r *wire.Request, s *sweep.Sweep) (*spec.Receipt, error) {
	if in.Fingerprints == nil {
		return nil, nil
	}
	if len(in.Fingerprints) != s.Len() {
		return nil, refuse(wire.BadRequest, "/fingerprints", "there are %d, and %s", len(in.Fingerprints), param.Count(s.Len(), "setting"))
	}
	var ids []string
	for t := range s.Settings() {
		k, err := len(ids), t.Err
		ids = append(ids, t.ID)
		if err == nil {
			_, err = experiment.NewContext(r.Context, t.Spec)
		}
		if r.Context.Err() != nil {
			return nil, r.Context.Err()
		}
		switch place, f := fmt.Sprintf("/fingerprints/%d", k), in.Fingerprints[k]; {
		case f == "" && err == nil:
			return nil, refuse(wire.BadRequest, place, "the setting can run, so a fingerprint was expected")
		case f == "":
		case err != nil:
			return nil, refuse(wire.BadRequest, place, "the setting cannot run, so it has no fingerprint")
		case !spec.IsFingerprint(f):
			return nil, refuse(wire.BadRequest, place, "the fingerprint is not 64 lower-case hexadecimal digits")
		}
	}
	return sweep.Receipt(record.Engine, ids, in.Fingerprints), nil
}

// table returns the ends as a table.
func (in *Sweep) table(s *sweep.Sweep) (*export.SweepTable, error) {
	measure, ok := results.LookupMeasure(in.Measure)
	if !ok {
		return nil, refuse(wire.BadRequest, "/measure", "there is no measure %q", param.Clip(in.Measure))
	}
	t := &export.SweepTable{Sweep: s, Engine: record.Engine, Measure: measure, Impossible: in.Impossible}
	type key struct {
		setting int
		agent   string
	}
	seen := map[key]bool{}
	var setting *sweep.Setting // its values, which is all that tables and figures show
	there := 0
	for k, end := range in.Ends {
		end.Agent = arm.Canonical(end.Agent)
		place := fmt.Sprintf("/ends/%d", k)
		switch before := k == 0 || in.Ends[k-1].Setting < end.Setting; {
		case end.Setting < 0 || end.Setting >= s.Len() || !before && in.Ends[k-1].Setting != end.Setting:
			return nil, refuse(wire.BadRequest, place+"/setting", "the number of a setting was expected, in ascending order")
		case before:
			setting = &sweep.Setting{Texts: s.Texts(end.Setting)}
			there++
		}
		of := key{end.Setting, end.Agent}
		if seen[of] {
			return nil, refuse(wire.BadRequest, place+"/agent", "the setting has an end of %q already", param.Clip(end.Agent))
		}
		seen[of] = true
		if !slices.Contains(in.Spec.Agents, end.Agent) {
			return nil, refuse(wire.BadRequest, place+"/agent", "the sweep has no agent %q", param.Clip(end.Agent))
		}
		p := curve.Point{Mean: end.Mean, Lo: math.NaN(), Hi: math.NaN(), N: end.N}
		if end.Lo != nil && end.Hi != nil {
			p.Lo, p.Hi = *end.Lo, *end.Hi
		}
		if end.N < 0 || end.Learned < -1 || end.N > 0 && end.Learned > end.N || (end.Lo == nil) != (end.Hi == nil) || p.Lo > p.Hi {
			return nil, refuse(wire.BadRequest, place, "the numbers of runs are not negative, and the interval begins below its end")
		}
		t.Rows = append(t.Rows, export.SweepRow{Setting: setting, AgentEnd: results.AgentEnd{Agent: end.Agent, Point: p, Learned: end.Learned}})
	}
	if in.Impossible < 0 || in.Impossible > s.Len()-there {
		return nil, refuse(wire.BadRequest, "/impossible", "the number of settings that cannot run was expected")
	}
	t.Missing = s.Len() - there - in.Impossible
	return t, nil
}

// draw draws a table as "cpsrl plot" does.
func (in *Sweep) draw(w wire.Answer, t *export.SweepTable) error {
	if err := figure.CheckLook(in.Theme, in.Width, 0, in.Type); err != nil {
		return err
	}
	columns, heat := len(t.Sweep.Columns()), -1
	if in.Heat != nil {
		heat = *in.Heat
	}
	switch {
	case in.X < 0 || in.X >= columns:
		return refuse(wire.BadRequest, "/x", "there is no column %d", in.X)
	case in.Heat != nil && (heat < 0 || heat >= columns):
		return refuse(wire.BadRequest, "/heat", "there is no column %d", heat)
	}
	c, err := figure.OfSweep(t, in.X, heat)
	if err != nil {
		return err
	}
	c.Theme, c.Width, c.Type = in.Theme, in.Width, in.Type
	return sendSVG(w, c.Picture(), in.Inline)
}

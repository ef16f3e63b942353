package engine

import (
	"cmp"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/wasm/wire"
)

// Converted is the answer of /v1/convert.
type Converted struct {
	Model jsontext.Value `json:"model"` // in the format cpsrl/model
	Notes []string       `json:"notes"` // sentences on what the model does not keep of the text
}

// Lacked is what a request must say so that its text can be read, because the text does not.
type Lacked struct {
	Option string `json:"option"`          // the parameter of the query
	Label  string `json:"label"`           // what a form asks, or its button does
	Value  string `json:"value"`           // with which the form begins, or which its button gives
	Button bool   `json:"button,omitzero"` // whether there is but one value
	Help   string `json:"help"`            // a sentence
}

// modelOption is an option of reading a model, as a form asks for it.
type modelOption struct {
	lacked Lacked
	set    func(o *format.Options, query url.Values) error
}

// modelOptions are the options of /v1/convert, which are those of "cpsrl convert".
var modelOptions = []modelOption{
	{
		Lacked{Option: format.Horizon, Label: "Steps of an episode", Value: "100", Help: "The file does not say how many steps an episode has."},
		func(o *format.Options, query url.Values) (err error) {
			if o.Horizon, err = wholeNumber(query, format.Horizon); err == nil && (o.Horizon < 1 || o.Horizon > fmdp.MaxHorizon) {
				err = refuse(wire.BadRequest, "", "the horizon is %d; it must be from 1 to %d", o.Horizon, fmdp.MaxHorizon)
			}
			return err
		},
	}, {
		Lacked{Option: format.Normalise, Label: "Normalise the rows", Value: "1", Button: true},
		func(o *format.Options, query url.Values) error {
			_, err := oneOf(query, format.Normalise, "1")
			o.Normalise = true
			return err
		},
	},
}

// serveConvert reads a model in the format of another program, which the text itself tells. An error says which option
// the text lacks.
func serveConvert(w wire.Answer, r *wire.Request) error {
	query := r.Query
	var o format.Options
	for _, option := range modelOptions {
		if query.Has(option.lacked.Option) {
			if err := option.set(&o, query); err != nil {
				return err
			}
		}
	}
	data, err := body(r)
	if err != nil {
		return err
	}
	name := param.Cut(query.Get("name"), domain.MostTitle)
	file, notes, err := format.ReadModelFile(name, data, o)
	if err != nil && !format.IsModel(data) {
		if log, _ := format.ReadLog(data, format.LogOptions{}); log.Likely() {
			return ofTable(err, log)
		}
	}
	if err != nil {
		details := asDetails(err)
		details.Lacked = lackedBy(err, name, data, o)
		return details
	}
	if notes == nil {
		notes = []string{}
	}
	return writeAnswer(w, Converted{file.Encode(), notes})
}

// lackedBy returns the option that is all that is missing, or nil.
func lackedBy(err error, name string, data []byte, o format.Options) *Lacked {
	lacks, words := format.Lacks(err), ""
	if lacks == "" && !o.Normalise {
		o.Normalise = true
		if _, notes, bad := format.ReadModel(name, data, o); bad == nil {
			lacks, words = format.Normalise, notes[0]
		}
	}
	for _, option := range modelOptions {
		if lacked := option.lacked; lacked.Option == lacks {
			lacked.Help = cmp.Or(lacked.Help, words)
			return &lacked
		}
	}
	return nil
}

package engine

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/format"
	"cpsrl/core/param"
)

// Converted is the answer of /v1/convert.
type Converted struct {
	Model jsontext.Value `json:"model"` // in the format cpsrl/model
	Notes []string       `json:"notes"` // sentences on what the model does not keep of the text
}

// unstated is the horizon of a model whose text states none.
const unstated = 100

// serveConvert reads a model in the format of another program, which the text itself tells.
func serveConvert(w http.ResponseWriter, r *http.Request) error {
	data, err := body(w, r)
	if err != nil {
		return err
	}
	name := param.Cut(r.URL.Query().Get("name"), domain.MostTitle)
	model, notes, err := format.ReadModel(name, data, format.Options{})
	if format.NeedsHorizon(err) {
		if model, notes, err = format.ReadModel(name, data, format.Options{Horizon: unstated}); err == nil {
			notes = append(notes, fmt.Sprintf("the file states no horizon; an episode has %d steps here, and “cpsrl convert -horizon” gives it others", unstated))
		}
	}
	if err != nil {
		return err
	}
	if notes == nil {
		notes = []string{}
	}
	return writeAnswer(w, Converted{document.EncodeModel(model), notes})
}

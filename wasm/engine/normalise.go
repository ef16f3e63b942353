package engine

import (
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/wasm/wire"
)

// Normalised is the answer of /v1/normalise.
type Normalised struct {
	Rows  int            `json:"rows"`  // the number of rows that did not sum to 1
	Words string         `json:"words"` // these rows, and by how much they differed
	Model jsontext.Value `json:"model"` // with rows that do
}

func serveNormalise(w wire.Answer, r *wire.Request) error {
	data, err := body(r)
	if err != nil {
		return err
	}
	model, how, err := document.ScaleModel(data)
	if err == nil {
		err = model.CheckLegal()
	}
	if err != nil {
		return err
	}
	return writeAnswer(w, Normalised{how.Rows, how.String(), model.Encode()})
}

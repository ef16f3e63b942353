package engine

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
)

// Normalised is the answer of /v1/normalise.
type Normalised struct {
	Rows  int            `json:"rows"`  // the number of rows that did not sum to 1
	Words string         `json:"words"` // these rows, and by how much they differed
	Model jsontext.Value `json:"model"` // with rows that do
}

func serveNormalise(w http.ResponseWriter, r *http.Request) error {
	data, err := body(w, r)
	if err != nil {
		return err
	}
	model, how, err := document.ScaleModel(data)
	if err != nil {
		return err
	}
	return writeAnswer(w, Normalised{how.Rows, how.String(), model.Encode()})
}

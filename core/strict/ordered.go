package strict

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Ordered is a JSON object whose members are written in this order.
type Ordered []Member

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value any
}

// MarshalJSONTo implements json.MarshalerTo.
func (o Ordered) MarshalJSONTo(enc *jsontext.Encoder) error {
	err := enc.WriteToken(jsontext.BeginObject)
	for _, m := range o {
		if err != nil {
			return err
		}
		err = cmp.Or(enc.WriteToken(jsontext.String(m.Name)), json.MarshalEncode(enc, m.Value, json.Deterministic(true)))
	}
	return cmp.Or(err, enc.WriteToken(jsontext.EndObject))
}

// Later is a value that is computed when it is written, so that not all values are in
// memory at once.
type Later func() any

// MarshalJSONTo implements json.MarshalerTo.
func (l Later) MarshalJSONTo(enc *jsontext.Encoder) error { return json.MarshalEncode(enc, l()) }

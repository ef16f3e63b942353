package spec

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/domain"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Varied is a row of the table of a spec's fields under its full name: "sparseness", "prior.false",
// "domain.horizon". The row describes a parameter and does not point into a spec.
type Varied struct {
	Name string
	param.Param
}

// VariedRows returns the rows of the fields that are no documents: those of the spec, of its prior and of the
// domain or, if it is nil, of every domain. No two have the same name or key.
func VariedRows(d domain.Domain) (list []Varied) {
	add := func(before string, rows []param.Param) {
		for _, p := range rows {
			if p.Document == nil && !slices.ContainsFunc(list, func(v Varied) bool { return v.Name == before+p.Name || v.Key == p.Key }) {
				list = append(list, Varied{before + p.Name, p})
			}
		}
	}
	add("", new(Spec).Params())
	add("prior.", priorRows(Revealed(0)))
	if d != nil {
		add("domain.", d.Kind().New().Params())
	} else {
		add("domain.", everyDomain())
	}
	return list
}

// Decode sets the row's value from the JSON of a document. The error is a *[strict.InvalidError] without a place.
func (v *Varied) Decode(raw jsontext.Value) error {
	err := decodeRow(&v.Param, raw)
	if e, is := err.(*strict.InvalidError); is {
		return &strict.InvalidError{Place: strings.TrimPrefix(e.Place, "/"+v.Param.Name), Reason: e.Reason}
	}
	return err
}

// Parse sets the row's value from the text of a link or flag and returns its JSON. The error is one sentence.
func (v *Varied) Parse(text string) (jsontext.Value, error) {
	err := v.SetString(text)
	if err == nil && v.Text != nil {
		err = v.Check()
	}
	if e, is := err.(*param.Error); is {
		return nil, &strict.InvalidError{Reason: e.Reason}
	}
	if err != nil {
		return nil, err
	}
	if v.Written != nil {
		return v.Written.(param.Coded).Encode(), nil
	}
	return strict.Encode(v.Value()), nil
}

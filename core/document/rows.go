package document

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// rowsOf is what a table has for each assignment of its given variables, in one of two forms:
// a list of rows in their order, or an object with a member for each row, whose name is the
// labels of the values, joined by ", ". It is written as a list.
type rowsOf[T any] struct {
	List    T
	labeled jsontext.Value // the object, or nil
}

// lawDoc holds rows of probabilities, and meanDoc mean payoffs.
type (
	lawDoc  = rowsOf[strict.Table]
	meanDoc = rowsOf[[]float64]
)

func (d rowsOf[T]) MarshalJSONTo(enc *jsontext.Encoder) error { return json.MarshalEncode(enc, d.List) }

// DecodeStrict implements [strict.Decoder]: it reads both forms.
func (d *rowsOf[T]) DecodeStrict(r *strict.Reader) error {
	if r.PeekKind() != '{' {
		return r.Value(&d.List)
	}
	from := r.InputOffset()
	if err := r.Members(func() error { _, err := r.Raw(); return err }); err != nil {
		return err
	}
	d.labeled = bytes.TrimLeft(r.Since(from), ", :\t\r\n")
	return nil
}

// between joins the labels in the name of a row.
const between = ", "

// labeled reads an object with a member for each row of a table over the given variables. The
// function each reads the value of a row, which stands at the place. It returns the names of
// the rows.
func labeled(raw jsontext.Value, space *fmdp.Space, given []int, place string, each func(row int, value jsontext.Value, place string) error) ([]string, error) {
	if len(given) == 0 {
		return nil, strict.Invalid(place, "without given variables, the table has one row and no labels; it is an array")
	}
	values, names := map[string]jsontext.Value{}, []string{}
	err := strict.Read(raw, func(r *strict.Reader) error {
		return r.Members(func() (err error) {
			name := r.Name()
			if err := r.Spend(64 + len(name)); err != nil {
				return err
			}
			names = append(names, name)
			values[name], err = r.Raw()
			return err
		})
	})
	if err != nil {
		return nil, strict.Within(place, err)
	}
	keys, seen := []string{}, map[string]bool{}
	for row, point := range fmdp.Tuples(space.Sizes(given)) {
		parts := make([]string, len(given))
		for k, i := range given {
			parts[k] = space.Var(i).Label(point[k])
		}
		key := strings.Join(parts, between)
		value, has := values[key]
		switch {
		case seen[key]:
			return nil, strict.Invalid(place, "two rows have the labels %q; write the table as an array", param.Clip(key))
		case !has:
			return nil, strict.Invalid(place, "the row %q is missing", param.Clip(key))
		}
		seen[key], keys = true, append(keys, key)
		if err := each(row, value, place+strict.Place(key)); err != nil {
			return nil, err
		}
	}
	if k := slices.IndexFunc(names, func(name string) bool { return !seen[name] }); k >= 0 {
		return nil, strict.Invalid(place+strict.Place(names[k]), "the given variables have no values %q", param.Clip(names[k]))
	}
	return keys, nil
}

// relabel replaces the number of a row at the end of a path to it by the row's name.
func relabel(path fmdp.Path, names []string) {
	if n := len(path) - 1; n > 0 && names != nil {
		if row, err := strconv.Atoi(path[n]); err == nil && row < len(names) {
			path[n] = names[row]
		}
	}
}

package param

import (
	"cmp"
	"fmt"
	"slices"
)

// Registry is an ordered table of kinds, each with a key of its own. Several goroutines
// may read it at once, but not while Add or a function that Add returned runs.
type Registry[K any] struct {
	key   func(K) string
	check func(K) error
	rows  []K
}

// NewRegistry returns the registry of the rows. The function key returns the key of a row,
// and check an error of one sentence if a row cannot be in the table. NewRegistry panics as
// Add does.
func NewRegistry[K any](key func(K) string, check func(K) error, rows ...K) *Registry[K] {
	r := &Registry[K]{key: key, check: check}
	for _, row := range rows {
		r.Add(row)
	}
	return r
}

// Rows returns a copy of the table.
func (r *Registry[K]) Rows() []K { return slices.Clone(r.rows) }

// Keys returns the keys in the order of the table.
func (r *Registry[K]) Keys() []string {
	keys := make([]string, len(r.rows))
	for k, row := range r.rows {
		keys[k] = r.key(row)
	}
	return keys
}

// Lookup returns the row with that key. If there is none, the error is one sentence that
// lists the keys.
func (r *Registry[K]) Lookup(key string) (row K, err error) {
	at := slices.Index(r.Keys(), key)
	if at < 0 {
		return row, fmt.Errorf("%q is unknown; it must be %s", Clip(key), OneOf(r.Keys()))
	}
	return r.rows[at], nil
}

// Add appends a row and returns a function that restores the earlier table. It panics if
// the key is in use or no key, or the row cannot be in the table.
func (r *Registry[K]) Add(row K) (remove func()) {
	key := r.key(row)
	if slices.Contains(r.Keys(), key) {
		panic("param: a second row has the key " + key)
	}
	if err := cmp.Or(CheckKey(key), r.check(row)); err != nil {
		panic("param: " + key + ": " + err.Error())
	}
	before := r.rows
	r.rows = append(slices.Clone(before), row)
	return func() { r.rows = before }
}

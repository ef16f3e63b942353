package param

import (
	"fmt"
	"slices"
)

// Registry is an ordered table of kinds, each with a key of its own. Several goroutines
// may read it at once, but not while Add or a function that Add returned runs.
type Registry[K any] struct {
	key  func(K) string
	rows []K
}

// NewRegistry returns the registry of the rows; key returns the key of a row.
func NewRegistry[K any](key func(K) string, rows ...K) *Registry[K] {
	return &Registry[K]{key, rows}
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
// the key is in use.
func (r *Registry[K]) Add(row K) (remove func()) {
	if slices.Contains(r.Keys(), r.key(row)) {
		panic("param: a second row has the key " + r.key(row))
	}
	before := r.rows
	r.rows = append(slices.Clone(before), row)
	return func() { r.rows = before }
}

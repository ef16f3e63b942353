package spec

import (
	"bytes"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/strict"
)

// Difference is a part of two specs that differs.
type Difference struct {
	Place string // a JSON pointer
	A, B  string // the JSON of the part in each; "" where it is missing
}

// Differs returns the first part, by name, in which two complete specs differ in more than their runs and
// agents, or nil: the two are then parts of one experiment. Runs and agents do not change what a run
// of an agent is.
func Differs(a, b *Spec) *Difference {
	return differs("", Encode(a), Encode(b), "format", "version", "agents", "firstRun", "runs")
}

// differs returns the first part in which two JSON objects differ, without the members of these names.
func differs(place string, a, b jsontext.Value, without ...string) *Difference {
	ours, wrong := strict.Object(a)
	theirs, too := strict.Object(b)
	if wrong != nil || too != nil {
		panic("spec: the JSON of a spec is no object")
	}
	names := map[string]bool{}
	for name := range ours {
		names[name] = true
	}
	for name := range theirs {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		x, y := ours[name], theirs[name]
		at := place + strict.Place(name)
		switch {
		case slices.Contains(without, name) || bytes.Equal(x, y):
		case len(x) > 0 && len(y) > 0 && x.Kind() == '{' && y.Kind() == '{':
			return differs(at, x, y)
		default:
			return &Difference{at, string(x), string(y)}
		}
	}
	return nil
}

package strict_test

import (
	"bytes"
	"strings"
	"testing"

	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

const prior = `{"format":"cpsrl/prior","version":1,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"sparseness":2,"edges":[["side","side"]]}`

// Oracle: the document itself. The members are parts of it.
func TestMembers(t *testing.T) {
	names := []string{"state", "action", "sparseness", "edges"}
	data := []byte(" " + prior + "\n")
	members, version, err := strict.Members(data, "cpsrl/prior", 1, names...)
	if err != nil || version != 1 || len(members) != 4 || string(members["edges"]) != `[["side","side"]]` {
		t.Fatalf("%v, version %d, %v", members, version, err)
	}
	at := bytes.Index(data, []byte(`[["side"`))
	if &members["edges"][0] != &data[at] {
		t.Error("the value is a copy")
	}
	var z int
	if err := strict.DecodeAt(members["sparseness"], &z, "/sparseness"); err != nil || z != 2 {
		t.Errorf("%d, %v", z, err)
	}
	formattest.WantError(t, "a part", strict.DecodeAt(members["edges"], &z, "/edges"), "/edges", "expected a whole number, found an array")
	var list []int
	formattest.WantError(t, "deep in a part", strict.DecodeAt([]byte(`[1,null]`), &list, "/a"), "/a/1", "null is not allowed here")
	for _, e := range []formattest.Edit{
		{prior, `null`, "", "null is not allowed here"},
		{prior, `[]`, "", "expected an object, found an array"},
		{prior, prior + `1`, "", "malformed JSON at byte"},
		{`"sparseness":2`, `"format":"cpsrl/prior"`, "/format", "duplicate"},
		{`"sparseness":2`, `"sparseness":tru`, "/sparseness", "malformed JSON"},
		{`"version":1`, `"version":"1"`, "/version", "expected a whole number, found a string"},
		{`"sparseness":2`, `"Sparseness":2`, "/Sparseness", "unknown field"},
		{`"version":1`, `"version":2`, "/version", "version 2 of cpsrl/prior is unknown"},
		{`"format":"cpsrl/prior",`, ``, "/format", `the format is ""`},
		{`cpsrl/prior`, `cpsrl/spec`, "/format", `the format is "cpsrl/spec"`},
	} {
		_, _, err := strict.Members([]byte(strings.Replace(prior, e[0], e[1], 1)), "cpsrl/prior", 1, names...)
		formattest.WantError(t, e[0]+" → "+e[1], err, e[2], e[3])
	}
}

package formattest

import (
	"slices"
	"testing"
)

// Oracle: by hand.
func TestEmptied(t *testing.T) {
	var got []string
	for place, data := range Emptied([]byte(`{"a":[1,{"b":"\\\"c"}],"d":[],"e":"","f":{ }}`)) {
		got = append(got, place+" "+string(data))
	}
	if want := []string{
		`/a/1/b {"a":[1,{"b":""}],"d":[],"e":"","f":{ }}`,
		`/a/1 {"a":[1,{}],"d":[],"e":"","f":{ }}`,
		`/a {"a":[],"d":[],"e":"","f":{ }}`,
		` {}`,
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

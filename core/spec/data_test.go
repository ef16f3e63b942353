package spec_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// The name of data is the SHA-256 of the lines of their transitions file. Oracle: the lines by hand.
func TestData(t *testing.T) {
	steps := []document.Transition{{X: []int{0, 1, 2}, Y: []int{1, 0}}, {X: []int{1, 0, 0}, Y: []int{0, 0}}}
	lines := "{\"x\":[0,1,2],\"y\":[1,0]}\n{\"x\":[1,0,0],\"y\":[0,0]}\n"
	d, err := spec.NewData(steps)
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte(lines))); err != nil || d.Name() != want || string(d.Encode()) != lines {
		t.Errorf("%v, %v, want %s", d, err, want)
	}
	if got := string(strict.Encode(d)); got != `"`+d.Name()+`"` {
		t.Errorf("in JSON: %s", got)
	}
	read, err := spec.DecodeData([]byte(` [ {"y":[1,0],"x":[0,1,2]}, {"x":[1,0,0], "y":[0,0]} ]`))
	if err != nil || read.Name() != d.Name() || len(read.Steps()) != 2 {
		t.Errorf("read %v, %v", read, err)
	}
	if named, err := spec.DecodeData([]byte(`"` + d.Name() + `"`)); err != nil || named.Name() != d.Name() || named.Steps() != nil {
		t.Errorf("named %v, %v", named, err)
	}
}

// Data have limits. Oracle: the limits.
func TestDataLimits(t *testing.T) {
	many := make([]document.Transition, spec.MaxData+1)
	for k := range many {
		many[k] = document.Transition{X: []int{0}, Y: []int{1}}
	}
	if _, err := spec.NewData(many[1:]); err != nil {
		t.Error(err)
	}
	if _, err := spec.NewData(many); err == nil || !strings.Contains(err.Error(), "100001 transitions to start from, more than 100000") {
		t.Error(err)
	}
	wide := make([]document.Transition, 60_000)
	for k := range wide {
		wide[k] = document.Transition{X: make([]int, 20), Y: make([]int, 19)}
	}
	if _, err := spec.NewData(wide); err == nil || !strings.Contains(err.Error(), "more than 4 MiB") {
		t.Error(err)
	}
	if _, err := spec.NewData(nil); err == nil {
		t.Error("no transitions were taken")
	}
	for _, name := range []string{"", "ab", strings.Repeat("AB", 32), strings.Repeat("0g", 32)} {
		if _, err := spec.NamedData(name); err == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
}

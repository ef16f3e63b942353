package main

import (
	"strings"
	"testing"
)

// Flags take whole numbers in digits only, and fractions with a point.
func TestNotation(t *testing.T) {
	for _, text := range []string{"1.000", "1e3", "+5", " 5", "5.0", "٣"} {
		for _, args := range [][]string{
			{"run", "-preset", "fig1-quick", "-episodes", text},
			{"trace", "-preset", "fig1-quick", "-run", text},
			{"transitions", "-n", text},
			{"posterior", "-top", text},
		} {
			if r := cpsrl(t, args...); r.status != statusInvalid || !strings.Contains(r.stderr, "; write digits only") {
				t.Errorf("%q: %+v", args, r)
			}
		}
	}
	if r := cpsrl(t, "link", "-preset", "fig1-quick", "-trust", "0,9"); !strings.Contains(r.stderr, "; write 0.9 with a point") {
		t.Errorf("%+v", r)
	}
}

package concentration_test

import (
	"testing"

	"cpsrl/core/concentration"
)

// An absent concentration has no text and is not that of α = 1. A refused one changes nothing.
func TestOptional(t *testing.T) {
	var o concentration.Optional
	if o.String() != "" || o.Given || !o.One() {
		t.Errorf("absent: %+v", o)
	}
	if o.Parse("0") == nil || o.Decode([]byte(`{"mix":[]}`)) == nil || o.Given {
		t.Errorf("refused: %+v", o)
	}
	for _, text := range []string{"1", "0.1", "mix:0.1:1"} {
		var parsed, decoded concentration.Optional
		if err := parsed.Parse(text); err != nil || parsed.String() != text || !parsed.Given {
			t.Errorf("%s: %+v, %v", text, parsed, err)
		}
		if err := decoded.Decode(parsed.Encode()); err != nil || decoded.String() != text || !decoded.Given {
			t.Errorf("%s: %+v, %v", parsed.Encode(), decoded, err)
		}
		if parsed.Parse("no") == nil || parsed.String() != text {
			t.Errorf("after a refused text, %s is %s", text, parsed)
		}
	}
}

// Mixed lists came with version 3 of the formats.
func TestSince(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "0.5": 1, "ess:1": 1, "learn:0.1:1": 1, "mix:0.1:1": 3, "mix:1": 3} {
		var c concentration.Concentration
		if err := c.Parse(text); err != nil || c.Since() != want {
			t.Errorf("%s: version %d, %v", text, c.Since(), err)
		}
	}
}

package arm

import (
	"slices"
	"testing"

	"cpsrl/core/posterior"
)

// A form offers every update.
func TestUpdateWords(t *testing.T) {
	var words []string
	for _, word := range UpdateWords() {
		words = append(words, word.Value)
	}
	if !slices.Equal(words, posterior.Updates()) {
		t.Errorf("%q are offered, and %q exist", words, posterior.Updates())
	}
}

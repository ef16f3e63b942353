package arm

import (
	"fmt"
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

// No agent has the look of another program.
func TestForeignLook(t *testing.T) {
	looks := Foreign(5)
	for _, ground := range []string{"#FFFFFF", "#121212"} {
		if got := contrast(t, looks[0].Color, ground); got < 3 {
			t.Errorf("on %s it has a contrast of %.2f", ground, got)
		}
	}
	own := Apart(nil, 12)
	for _, k := range Kinds() {
		own = append(own, k.New().Look())
	}
	for eta := range 12 {
		own = append(own, (&cpsrl{Eta: eta}).Look())
	}
	for _, look := range own {
		if look.Color == looks[0].Color {
			t.Errorf("%v", look)
		}
	}
	for k := range 4 {
		for i := range k {
			if fmt.Sprint(looks[k]) == fmt.Sprint(looks[i]) {
				t.Errorf("%d and %d look the same", k, i)
			}
		}
	}
	if fmt.Sprint(looks[4]) != fmt.Sprint(looks[0]) {
		t.Error("the looks do not repeat")
	}
}

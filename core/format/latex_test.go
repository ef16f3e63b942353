package format_test

import (
	"testing"

	"cpsrl/core/format"
)

func TestLaTeXSubscripts(t *testing.T) {
	if got := format.LaTeX("G₀, ℓ₁"); got != `G$_0$, $\ell$$_1$` {
		t.Error(got)
	}
}

// Signs that LaTeX joins stay apart; those that are meant stay what they are.
func TestLaTeXLigatures(t *testing.T) {
	for text, want := range map[string]string{
		"a--b":   "a-{}-b",
		"a---b":  "a-{}-{}-b",
		"–—":     "--{}---",
		"-–":     "-{}--",
		"``x''":  "`{}`x'{}'",
		"“x”":    "``x''",
		"‘‘x’'":  "`{}`x'{}'",
		"a?`!`b": "a?{}`!{}`b",
		"?‘":     "?{}`",
		"a,,b":   "a,{},b",
		"<<a>>":  `\textless{}\textless{}a\textgreater{}\textgreater{}`,
		"a-b 'c": "a-b 'c",
		"--é--":  `-{}-\'{e}-{}-`,
	} {
		if got := format.LaTeX(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

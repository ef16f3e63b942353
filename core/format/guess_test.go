package format_test

import (
	"fmt"
	"testing"

	"cpsrl/core/format"
)

// Oracle: by hand.
func TestGuessActions(t *testing.T) {
	for text, want := range map[string]string{
		"episode,t,a,u\n1,0,0,1\n1,1,1,\n2,0,0,0\n2,1,1,\n":          "[u]",
		"episode,t,a,u\n1,0,0,1\n1,1,1,\n2,0,0,0\n2,1,1,\n3,0,1,1\n": "[u]", // the log was cut off
		"episode,t,a,u\n1,0,0,1\n1,1,1,\n2,0,0,0\n3,0,1,1\n":         "[]",  // in one episode of three
		"episode,t,a,u,reward\n1,0,0,,1\n1,1,1,1,\n":                 "[]",  // missing elsewhere, and no variable
		"episode,t,a,action\n1,0,0,1\n1,1,1,1\n":                     "[action]",
		"a,u,a'\n0,1,1\n":                                            "[u]",
		"a,u,v,reward,a_next\n0,1,1,0,1\n":                           "[u v]",
		"a,action,a',action'\n0,1,1,0\n":                             "[]",
		"a,a'\n0,1\n":                                                "[]",
		"":                                                           "[]", "\xff\xfea": "[]", "\"": "[]",
	} {
		if got := fmt.Sprint(format.GuessActions([]byte(text))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// A table is told from JSON Lines by its beginning.
func TestIsTable(t *testing.T) {
	for text, want := range map[string]bool{"": false, "  \n": false, `{"x":[0]}`: false, "\ufeff {\"x\"": false, "a,a'": true, "\ufeffa,b": true, "\x89PNG": true, "7": true} {
		if got := format.IsTable([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

package format_test

import (
	"fmt"
	"testing"

	"cpsrl/core/format"
)

// Oracle: by hand.
func TestGuessActions(t *testing.T) {
	for text, want := range map[string]string{
		"episode,t,x,v\n1,0,0,1\n1,1,1,\n2,0,0,0\n2,1,1,\n":           "[v]",
		"episode,t,x,v\n1,0,0,1\n1,1,1,\n2,0,0,0\n2,1,1,\n3,0,1,1\n":  "[v]", // the log was cut off
		"episode,t,x,v\n1,0,0,1\n1,1,1,\n2,0,0,0\n2,1,1,1\n3,0,1,1\n": "[]",  // in one episode of three
		"episode,t,x,v,reward\n1,0,0,,1\n1,1,1,1,\n1,2,1,0,\n":        "[]",  // missing elsewhere, and no variable
		"episode,t,x,Action\n1,0,0,1\n1,1,1,0\n":                      "[Action]",
		"episode,t,action_a,x,action_b\n1,0,0,1,1\n1,1,1,0,0\n":       "[action_a action_b]",
		"episode,t,x,act\n1,0,0,1\n1,1,1,0\n":                         "[act]",
		"episode,t,x,a\n1,0,0,1\n1,1,1,0\n":                           "[a]",
		"episode,t,x,a,v\n1,0,0,1,1\n1,1,1,1,0\n1,2,1,0,\n":           "[v]", // one is told already
		"episode,t,a,b\n1,0,0,1\n1,1,1,0\n":                           "[]",  // letters
		"episode,t,a\n1,0,0\n1,1,1\n":                                 "[]",  // the only variable
		"x,u,x'\n0,1,1\n1,0,0\n":                                      "[u]",
		"x,u,v,reward,x_next\n0,1,1,0,1\n1,0,0,1,0\n":                 "[u v]",
		"x,action,x',action'\n0,1,1,0\n1,0,0,0\n":                     "[action]",
		"a,b,a',b'\n0,1,1,0\n1,0,0,0\n":                               "[]",
	} {
		log, err := format.ReadLog([]byte(text), format.LogOptions{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		names := []string{}
		for _, v := range log.Space.Action {
			names = append(names, v.Name)
		}
		if got := fmt.Sprint(names); got != want {
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

package format

import (
	"strings"

	"cpsrl/core/fmdp"
)

// gymnasium is the table env.unwrapped.P of Gymnasium's small environments as JSON, which is refused in words: cpsrl.py
// writes the table as a model.
var gymnasium = ModelFormat{
	Name: "",
	Match: func(text string) bool {
		for rest := text; rest != ""; {
			_, rest, _ = strings.Cut(rest, `"format"`)
			if opens(rest, ":", `"gymnasium/P"`) {
				return true
			}
		}
		return opens(text, "{", `"0"`, ":", "{", `"0"`, ":", "[")
	},
	Read: func(string, Options) (*fmdp.Model, []string, error) {
		return nil, nil, wholly("this is the table P of Gymnasium, which is not read here; gymnasium_model in cpsrl.py writes it as a model")
	},
}

// opens reports whether a text begins with these tokens.
func opens(text string, tokens ...string) bool {
	for _, token := range tokens {
		var found bool
		if text, found = strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), token); !found {
			return false
		}
	}
	return true
}

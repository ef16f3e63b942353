package document_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"cpsrl/core/document"
	"cpsrl/internal/formattest"
)

// A Z for a variable with the longest name is read however the name is written.
func TestSparsenessOfLongNames(t *testing.T) {
	text := func(name, of string) []byte {
		return fmt.Appendf(nil, `{"format":"cpsrl/prior","version":2,"state":[{"name":"%s","size":2},{"name":"other","size":2}],`+
			`"action":[{"name":"a","size":2}],"sparseness":{"*":2,"%s":1},"edges":[]}`, name, of)
	}
	for _, name := range []string{strings.Repeat("é", 64), strings.Repeat("世", 42), strings.Repeat("x", 128), strings.Repeat("\x01", 128), strings.Repeat("😀", 32)} {
		escaped := ""
		for _, unit := range utf16.Encode([]rune(name)) {
			escaped += fmt.Sprintf(`\u%04x`, unit)
		}
		for _, written := range []string{strings.ReplaceAll(name, "\x01", `\u0001`), escaped} {
			file, err := document.DecodePrior(text(written, written))
			if err != nil || file.Prior.Z(0) != 1 {
				t.Errorf("%.40q: %v", written, err)
				continue
			}
			if again, err := document.DecodePrior(document.EncodePrior(file)); err != nil || again.Prior.Z(0) != 1 {
				t.Errorf("%.40q, written and read: %v", written, err)
			}
			if z, err := document.ParseSparseness(document.Sparseness{Z: 2, Own: []document.OwnSparseness{{Of: name, Z: 1}}}.String()); err != nil || len(z.Own) != 1 || z.Own[0].Of != name {
				t.Errorf("%.40q as text: %v", written, err)
			}
		}
	}
	_, err := document.DecodePrior(text("s", strings.Repeat("x", 1100)))
	formattest.WantError(t, "a longer name", err, "/sparseness", "a name of more than 1024 bytes")
}

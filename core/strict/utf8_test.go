package strict_test

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

// What is not UTF-8 is one sentence, and a NUL byte does not make a text UTF-16. Oracle: by hand.
func TestUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"\xe9":                                   "this file is not UTF-8; save it as UTF-8",
		"episode,t,\xe9tat\n":                    "this file is not UTF-8; save it as UTF-8",
		"\ufeffa\xff":                            "this file is not UTF-8; save it as UTF-8",
		`{"a":"` + "\xc3":                        "this file is not UTF-8; save it as UTF-8",
		strings.Repeat("é", 5000):                "",
		strings.Repeat("é", 5000) + "\xc3":       "this file is not UTF-8; save it as UTF-8",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00":       "this file is packed by gzip; unpack it, or save its contents as text",
		"PK\x03\x04\x14\x00\x06\x00":             "this file is a ZIP archive, as a workbook of a spreadsheet is; unpack it, or save its contents as text",
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR":    "this file is not UTF-8; save it as UTF-8",
		"{\x00\"hello\":{}}":                     "",
		"\x00{\"hello\":{}}":                     "",
		"a,b\n\x00,1\n":                          "",
		"\xff\xfea\x00":                          "this file is UTF-16; save it as UTF-8",
		"a\x00\x92\x21b\x00":                     "this file is UTF-16; save it as UTF-8",
		"\x00a\x21\x92\x00b":                     "this file is UTF-16; save it as UTF-8",
		"\x00\x00\x00a":                          "this file is UTF-32; save it as UTF-8",
		string(formattest.Wide("é")["UTF-16LE"]): "this file is UTF-16; save it as UTF-8",
	} {
		plain, err := strict.UTF8([]byte(text))
		if want == "" && (err != nil || string(plain) != text) || want != "" && fmt.Sprint(err) != want {
			t.Errorf("%.30q: %q, %v, want %q", text, plain, err, want)
		}
	}
	_, err := strict.Object([]byte("{\x00\"hello\":{}}"))
	formattest.WantError(t, "NUL", err, "", "malformed JSON at byte 1")
}

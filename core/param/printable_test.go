package param

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain":       "plain",
		"a\nb\r\tc":   "a b  c",
		"\x1b[31mred": `\u001b[31mred`,
		"bad \xff":    "bad ?",
		"η = 2":       "η = 2",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
	long := Printable("start " + strings.Repeat("x", 1<<20) + " end")
	if len(long) > longestMessage+10 || !strings.HasPrefix(long, "start") || !strings.HasSuffix(long, "end") {
		t.Errorf("a long message became %q", long)
	}
}

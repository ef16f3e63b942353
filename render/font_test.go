package render

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Oracle: all cuts. A text that is too wide is cut after the longest part that fits with ….
func TestFit(t *testing.T) {
	letters := []rune("aWi., ,  ηω世\U0001F695")
	random := rand.New(rand.NewPCG(1, 2))
	cut := 0
	for range 3000 {
		runes := make([]rune, random.IntN(14))
		for k := range runes {
			runes[k] = letters[random.IntN(len(letters))]
		}
		text, heavy, width := string(runes), random.IntN(2) == 1, 60*random.Float64()
		want := text
		for n := len(runes) - 1; widthOf(want, 10, heavy) > width; n-- {
			if want = "…"; n > 0 {
				want = strings.TrimRight(string(runes[:n]), " ,") + "…"
			} else {
				break
			}
		}
		if got := fit(text, 10, heavy, width); got != want {
			t.Errorf("%q in %v is %q, want %q", text, width, got, want)
		} else if got != text {
			cut++
		}
	}
	if cut < 500 {
		t.Errorf("%d texts were cut", cut)
	}
	long := strings.Repeat("long ", 1<<16)
	if n := testing.AllocsPerRun(1, func() { fit(long, 10, false, 100) }); n > 2 {
		t.Errorf("a long text takes %v allocations", n)
	}
}

package domain_test

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/param"
)

// written returns the problem of a document of the gallery, with a horizon and a word for each of its choices.
func written(t testing.TB, key string, horizon int, words ...string) domain.Domain {
	t.Helper()
	kind, err := domain.Lookup(key)
	if err != nil {
		t.Fatal(err)
	}
	d := kind.New()
	for k, row := range d.Params() {
		if row.Name == "horizon" {
			err = row.SetInt(horizon)
		} else {
			err = row.SetString(words[k])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := param.Complete(d.Params); err != nil {
		t.Fatal(err)
	}
	return d
}

// bits returns numbers as they are in memory: −0 is not 0.
func bits(numbers []float64) (list []uint64) {
	for _, x := range numbers {
		list = append(list, math.Float64bits(x))
	}
	return list
}

// digest returns a fingerprint of all that a problem says, whatever the order of the parents in its tables and of its
// suggestions.
func digest(t testing.TB, p *domain.Problem) string {
	t.Helper()
	h, m := sha256.New(), p.World
	write := func(v ...any) { fmt.Fprintln(h, v...) }
	write(m.Name, m.Horizon, m.Hidden, m.Noise, m.Legal == nil, p.Sight, bits(m.Initial), bits(m.Start), fmt.Sprintf("%+v %+v", m.State, m.Action))
	for _, f := range m.Transition {
		ascending := slices.Sorted(slices.Values(f.Given))
		write(f.Size, f.Known, ascending)
		x := make([]int, m.X())
		for row := range m.Rows(ascending) {
			for k := len(ascending) - 1; k >= 0; k-- {
				size := m.Var(ascending[k]).Size
				x[ascending[k]], row = row%size, row/size
			}
			write(bits(f.Row(m.Row(f.Given, x))))
		}
	}
	for _, r := range m.Reward {
		write(r.Name, r.Given, bits(r.Mean), r.Kind, r.Scale, r.Of, r.Hidden, r.Lo, r.Hi)
	}
	for _, e := range m.Ends {
		write(e.Name, e.Given, e.Is)
	}
	suggestions := slices.Clone(p.Suggestions)
	slices.SortFunc(suggestions, func(a, b document.Suggestion) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
	picture, err := json.Marshal(document.View{Picture: p.Picture})
	if err != nil {
		t.Fatal(err)
	}
	suggested := make([]uint64, len(p.Suggested)) // a bit for each parent
	for j, z := range p.Suggested {
		for i := range z.All() {
			suggested[j] |= 1 << i
		}
	}
	write(suggested, suggestions, p.Reveal, string(picture))
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// Oracle: the digests of the Go programs that these problems were before they were documents. Each bit of each number is
// theirs, and so are pictures, priors and the order in which parents are revealed.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		domain domain.Domain
		want   string
	}{
		{written(t, "coffee-robot", 30), "ae7234ba5e0ae09a"},
		{written(t, "cliff-walking", 100), "d73662f26a1fa11c"},
		{written(t, "frozen-lake", 100, "4x4", "yes"), "39541f3b66b01d2c"},
		{written(t, "frozen-lake", 100, "4x4", "no"), "12b967a81e880fc6"},
		{written(t, "frozen-lake", 200, "8x8", "yes"), "d4caa9e182c00af4"},
		{written(t, "frozen-lake", 200, "8x8", "no"), "0bc12cbb83f20121"},
		{written(t, "taxi-v3", 200), "2151cad9edc23c75"},
		{written(t, "navigation", 40), "4292f93006090b37"},
		{written(t, "skill-teaching", 40), "f27579fcf7c872f8"},
		{written(t, "game-of-life", 40), "6f7eca4df1ac5f26"},
	} {
		if got := digest(t, build(t, c.domain)); got != c.want {
			name, facts := c.domain.Title()
			t.Errorf("%s %v: digest %s, want %s", name, facts, got, c.want)
		}
	}
}

package experiment

import (
	"context"
	"iter"
	"math"
	"runtime"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/record"
)

// episodes returns a function that plays an episode, from sample to record, of that agent in a preset. After the last episode
// it begins anew.
func episodes(tb testing.TB, preset, label string) func() {
	p, _ := LookupPreset(preset)
	own := *p.Spec
	own.Agents = []string{label}
	e, err := New(&own)
	if err != nil {
		tb.Fatal(err)
	}
	truth, err := e.truth(0)
	if err != nil {
		tb.Fatal(err)
	}
	var player *play
	var next func() (*agent.Episode, error, bool)
	stop := func() {}
	enter := func() {
		if player, err = truth.enter(e.Arms()[0]); err != nil {
			tb.Fatal(err)
		}
		stop()
		next, stop = iter.Pull2(player.episodes(context.Background(), math.MaxInt))
	}
	enter()
	tb.Cleanup(func() { stop() })
	var line []byte
	return func() {
		episode, err, _ := next()
		if err != nil {
			tb.Fatal(err)
		}
		r, err := player.score(context.Background(), episode)
		if err != nil {
			tb.Fatal(err)
		}
		line = record.AppendRecord(line[:0], r)
		if episode.Number == own.Episodes {
			enter()
		}
	}
}

// BenchmarkEpisode is one whole episode in the paper's Figure 2 (a): S = 64, A = 8, H = 100, K = 500.
func BenchmarkEpisode(b *testing.B) {
	for _, label := range []string{"psrl", "f-psrl", "c-psrl", "c-psrl:dirichlet=0.1", "c-psrl:dirichlet=ess:1", "c-psrl:dirichlet=learn:0.01:0.1:1", "c-psrl:dirichlet=mix:0.01:0.1:1,tables=tied", "c-psrl:dirichlet=mix:0.01:0.1:1,tables=trees"} {
		b.Run(label, func(b *testing.B) {
			episode := episodes(b, "fig2a", label)
			b.ReportAllocs()
			for b.Loop() {
				episode()
			}
		})
	}
}

// TestEpisodeAllocates: an episode allocates its record and its policy, and little else.
func TestEpisodeAllocates(t *testing.T) {
	for _, c := range []struct {
		label         string
		pieces, bytes uint64 // at most
	}{
		{"psrl", 30, 20_000},
		{"f-psrl", 50, 20_000},
		{"c-psrl", 50, 55_000}, // it keeps the steps for sets that it passes over
	} {
		episode := episodes(t, "fig2a", c.label)
		for range 200 {
			episode()
		}
		const times = 100
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range times {
			episode()
		}
		runtime.ReadMemStats(&after)
		pieces, bytes := (after.Mallocs-before.Mallocs)/times, (after.TotalAlloc-before.TotalAlloc)/times
		t.Logf("%s: an episode allocates %d bytes in %d pieces", c.label, bytes, pieces)
		if pieces > c.pieces || bytes > c.bytes {
			t.Errorf("%s: an episode allocates %d bytes in %d pieces; want at most %d in %d", c.label, bytes, pieces, c.bytes, c.pieces)
		}
	}
}

// BenchmarkLongRun is 4,000 episodes of C-PSRL in Figure 2 (a): counts grow beyond the tables of logarithms, and few sets
// matter at the end.
func BenchmarkLongRun(b *testing.B) {
	p, _ := LookupPreset("fig2a")
	own := *p.Spec
	own.Agents, own.Episodes, own.Runs = []string{"c-psrl"}, 4000, 1
	e, err := New(&own)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range e.Play(0, e.Arms()[0]) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*own.Episodes), "µs/episode")
}

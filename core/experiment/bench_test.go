package experiment

import (
	"iter"
	"math"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/record"
)

// BenchmarkEpisode is one whole episode, from sample to record, in the paper's
// Figure 2 (a): S = 64, A = 8, H = 100, K = 500.
func BenchmarkEpisode(b *testing.B) {
	for _, label := range []string{"psrl", "f-psrl", "c-psrl", "c-psrl:dirichlet=0.1", "c-psrl:dirichlet=ess:1", "c-psrl:dirichlet=learn:0.01:0.1:1", "c-psrl:dirichlet=mix:0.01:0.1:1,tables=tied", "c-psrl:dirichlet=mix:0.01:0.1:1,tables=trees"} {
		b.Run(label, func(b *testing.B) {
			p, _ := LookupPreset("fig2a")
			own := *p.Spec
			own.Agents = []string{label}
			e, err := New(&own)
			if err != nil {
				b.Fatal(err)
			}
			truth, err := e.truth(0)
			if err != nil {
				b.Fatal(err)
			}
			arm, _ := e.Arm(label)
			enter := func() (*play, func() (*agent.Episode, error, bool), func()) {
				p, err := truth.enter(arm)
				if err != nil {
					b.Fatal(err)
				}
				next, stop := iter.Pull2(p.episodes(b.Context(), math.MaxInt))
				return p, next, stop
			}
			player, next, stop := enter()
			defer func() { stop() }()
			b.ReportAllocs()
			var line []byte
			for b.Loop() {
				episode, err, _ := next()
				if err != nil {
					b.Fatal(err)
				}
				r, err := player.score(b.Context(), episode)
				if err != nil {
					b.Fatal(err)
				}
				line = record.AppendRecord(line[:0], r)
				if episode.Number == own.Episodes {
					stop()
					player, next, stop = enter()
				}
			}
		})
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

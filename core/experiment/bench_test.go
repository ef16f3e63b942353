package experiment

import (
	"testing"

	"cpsrl/core/record"
)

// BenchmarkEpisode is one whole episode, from sample to record, in the paper's
// Figure 2 (a): S = 64, A = 8, H = 100, K = 500.
func BenchmarkEpisode(b *testing.B) {
	for _, label := range []string{"psrl", "f-psrl", "c-psrl"} {
		b.Run(label, func(b *testing.B) {
			p, _ := LookupPreset("fig2a")
			in, err := Problem(&p.Spec, 0)
			if err != nil {
				b.Fatal(err)
			}
			truth, err := newTruth(in)
			if err != nil {
				b.Fatal(err)
			}
			play, err := newPlay(truth, 0, label)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			var line []byte
			for b.Loop() {
				if play.next > p.Spec.Episodes {
					if play, err = newPlay(truth, 0, label); err != nil {
						b.Fatal(err)
					}
				}
				r, err := play.episode()
				if err != nil {
					b.Fatal(err)
				}
				line = record.AppendRecord(line[:0], r)
			}
		})
	}
}

package record_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// fig2a returns the 180 record lines of the first run of fig2a-quick.
func fig2a(tb testing.TB) [][]byte {
	tb.Helper()
	preset, _ := experiment.LookupPreset("fig2a-quick")
	preset.Spec.Runs = 1
	var list [][]byte
	e, err := experiment.New(preset.Spec)
	if err != nil {
		tb.Fatal(err)
	}
	for r, err := range e.Run() {
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, bytes.TrimSpace(record.AppendRecord(nil, r)))
	}
	if len(list) != 180 {
		tb.Fatalf("%d lines", len(list))
	}
	return list
}

// BenchmarkDecodeRecord decodes 180 lines; "ratio" is its shortest time over that of
// the JSON library alone, unknown fields refused, on the same lines.
func BenchmarkDecodeRecord(b *testing.B) {
	list := fig2a(b)
	once := func(decode func(line []byte) error) time.Duration {
		start := time.Now()
		for _, line := range list {
			if err := decode(line); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start)
	}
	strict := func(line []byte) error {
		_, err := record.DecodeRecord(line)
		return err
	}
	library := func(line []byte) error {
		var r record.Record
		return json.Unmarshal(line, &r, json.RejectUnknownMembers(true))
	}
	ours, theirs := time.Hour, time.Hour
	b.ReportAllocs()
	for b.Loop() {
		ours = min(ours, once(strict))
		b.StopTimer()
		theirs = min(theirs, once(library))
		b.StartTimer()
	}
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
}

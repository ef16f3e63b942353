package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// TestReceipts checks that this engine reproduces the records of each link with a receipt in the
// documents, and that the sentence around the link names the regrets of its agents.
func TestReceipts(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	receipts := 0
	for _, file := range append(files, "../README.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := html.UnescapeString(string(data))
		for _, at := range regexp.MustCompile(`#v=[^\s()"{}<>]*receipt=\d+-[0-9a-f]{64}[^\s()"{}<>]*`).FindAllStringIndex(text, -1) {
			receipts++
			link, err := spec.DecodeLink(text[at[0]+1 : at[1]])
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			before := text[strings.LastIndex(text[:at[0]], ". ")+1 : at[0]]
			fingerprint, regrets := played(t, link.Spec)
			if link.Receipt.Engine != record.Engine || link.Receipt.Fingerprint != fingerprint {
				t.Errorf("%s: the receipt is %d-%s, the records have %d-%s", file, link.Receipt.Engine, link.Receipt.Fingerprint, record.Engine, fingerprint)
			}
			for _, regret := range regrets {
				if !strings.Contains(before, regret) {
					t.Errorf("%s: a regret is %s, and the text says %q", file, regret, before)
				}
			}
		}
	}
	if receipts == 0 {
		t.Error("no document has a receipt")
	}
}

// played runs an experiment. It returns the fingerprint of its records and the final regret of
// each agent, "255 ± 9".
func played(t *testing.T, s *spec.Spec) (fingerprint string, regrets []string) {
	t.Helper()
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	hash, summary := sha256.New(), results.NewSummary(e)
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		hash.Write(record.AppendRecord(nil, r))
		if err := summary.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range summary.Curves(results.CumulativeRegret()) {
		last := c.Last()
		regrets = append(regrets, fmt.Sprintf("%.0f ± %.0f", last.Mean, last.Hi-last.Mean))
	}
	return hex.EncodeToString(hash.Sum(nil)), regrets
}

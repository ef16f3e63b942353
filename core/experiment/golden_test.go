package experiment

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"cpsrl/core/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden is testdata/golden.json: the fingerprint of every quick preset under
// one engine version. A fingerprint changes with the version, and only then.
type golden struct {
	Engine  int               `json:"engine"`
	Presets map[string]string `json:"presets"`
}

const goldenFile = "testdata/golden.json"

func TestGolden(t *testing.T) {
	got := golden{record.Engine, map[string]string{}}
	for _, p := range Presets() {
		if strings.HasSuffix(p.Name, "-quick") {
			got.Presets[p.Name] = fingerprint(t, &p.Spec)
		}
	}
	if *update {
		data, _ := json.MarshalIndent(got, "", "\t")
		if err := os.WriteFile(goldenFile, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	var want golden
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("fingerprints changed:\n got %v\nwant %v", got, want)
	}
}

func fingerprint(t *testing.T, spec *record.Spec) string {
	t.Helper()
	hash := sha256.New()
	var line []byte
	for r, err := range Run(spec) {
		if err != nil {
			t.Fatal(err)
		}
		line = record.AppendRecord(line[:0], r)
		hash.Write(line)
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}

package experiment_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	holdGolden(t, "testdata/golden.json", "testdata/switches.json")
}

// Engine 2 adds fields to the records of engine 1 and plays the same episodes. Oracle: a file
// that engine 1 wrote, of a problem whose variables all have more than one value.
func TestEngine1(t *testing.T) {
	data, err := os.ReadFile("../record/testdata/records-v1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	f, err := results.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var old []*record.Record
	for line, err := range f.All() {
		if err != nil {
			t.Fatal(err)
		}
		old = append(old, line.Record)
	}
	if f.Header.Engine != 1 || !f.Whole() {
		t.Fatalf("a file of engine %d with %d records", f.Header.Engine, len(old))
	}
	k := 0
	for r, err := range f.Experiment.Run() {
		if err != nil {
			t.Fatal(err)
		}
		r.Promise = nil
		if r.Belief != nil {
			r.Belief.LogTruth, r.Belief.ValueRecall = nil, nil
		}
		if got, want := record.AppendRecord(nil, r), record.AppendRecord(nil, old[k]); !bytes.Equal(got, want) {
			t.Errorf("engine 1 wrote\n%sand now it is\n%s", want, got)
		}
		k++
	}
}

func holdGolden(t *testing.T, ofPresets, ofSwitches string) {
	t.Helper()
	presets := map[string]string{}
	for _, p := range experiment.Presets() {
		if strings.HasSuffix(p.Name, "-quick") {
			presets[p.Name] = fingerprint(t, p.Spec)
		}
	}
	hold(t, ofPresets, "presets", presets)

	small := map[string]string{}
	for _, s := range switches {
		if bits.UintSize == 32 && strings.Contains(s.patch, `"seed":9007199254740991`) {
			continue // seeds are smaller there
		}
		sp, err := spec.Decode([]byte(patched(t, s.spec, s.patch)))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		small[s.name] = fingerprint(t, sp)
	}
	if bits.UintSize > 32 && len(small) != len(switches) {
		t.Error("two rows have one name")
	}
	hold(t, ofSwitches, "switches", small)
}

// hold compares fingerprints with those of a golden file, which belong to one engine
// version. A fingerprint changes only with the version.
func hold(t *testing.T, file, member string, got map[string]string) {
	t.Helper()
	if *update {
		data, err := json.MarshalIndent(map[string]any{"engine": record.Engine, member: got}, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	if of := string(whole["engine"]); of != fmt.Sprint(record.Engine) {
		t.Fatalf("%s is of engine version %s", file, of)
	}
	var want map[string]string
	if err := json.Unmarshal(whole[member], &want); err != nil {
		t.Fatal(err)
	}
	if bits.UintSize > 32 && len(got) != len(want) {
		t.Errorf("%s has %d fingerprints, want %d", file, len(want), len(got))
	}
	for name, fingerprint := range got {
		if fingerprint != want[name] {
			t.Errorf("%s: the fingerprint of %q is %s, it was %s", file, name, fingerprint, want[name])
		}
	}
}

func fingerprint(t *testing.T, sp *spec.Spec) string {
	t.Helper()
	hash := sha256.New()
	var line []byte
	for r, err := range ready(t, sp).Run() {
		if err != nil {
			t.Fatal(err)
		}
		line = record.AppendRecord(line[:0], r)
		hash.Write(line)
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}

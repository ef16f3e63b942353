package sweep_test

import (
	"os"
	"strings"
	"testing"

	"cpsrl/core/sweep"
)

// Files of each version that was ever written stay readable and keep their meaning: the settings have the names of files
// under which earlier commands have kept their records, and the manifests are those of such folders.
func TestFrozen(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	s := decode(t, string(read("sweep-1.json")))
	var names []string
	for setting := range s.Settings() {
		if setting.Err != nil {
			t.Error(setting.Err)
		}
		names = append(names, strings.Join(setting.Texts, ",")+" "+setting.ID)
	}
	if got := strings.Join(names, "\n") + "\n"; got != string(read("names-1.txt")) {
		t.Errorf("the settings have the names\n%s", got)
	}
	run, err := sweep.DecodeRun(read("run-1.json"))
	if err != nil || run.Engine != 2 || run.Shards != 3 || run.Sweep.Digest() != s.Digest() || string(run.Encode()) != string(read("run-1.json")) {
		t.Errorf("%v, or another manifest: %s", err, run.Encode())
	}
	c, err := sweep.DecodeCompletion(read("shard-1.json"))
	if err != nil || c.Sweep != s.Digest() || c.Shard != 1 || c.Shards != 3 || string(c.Encode()) != string(read("shard-1.json")) {
		t.Errorf("%v, or another manifest: %s", err, c.Encode())
	}
	for _, done := range c.Settings {
		if sweep.Shard(done.ID, 3) != 1 || !strings.Contains(string(read("names-1.txt")), done.ID) {
			t.Errorf("%s is in another shard", done.ID)
		}
	}
}

package runs_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/runs"
	"cpsrl/core/strict"
	"cpsrl/core/sweep"
	"cpsrl/internal/small"
)

// tried is the run of a small sweep in two shards. Two of its settings are equal, and half of them cannot run.
func tried(t *testing.T, alpha string) *sweep.Run {
	t.Helper()
	s, err := sweep.New(small.Spec(t, `{"name":"figure1"}`, `,"agents":["psrl","c-psrl"],"episodes":2,"runs":2`), "dirichlet="+alpha, "episodes=2,200000")
	if err != nil {
		t.Fatal(err)
	}
	return &sweep.Run{Engine: record.Engine, Shards: 2, Sweep: s}
}

const (
	someSettings = "0.5,1,.5,2"
	moreSettings = someSettings + ",3,4"
)

// compute computes both shards of a sweep and returns what was remarked.
func compute(t *testing.T, m *memory, run *sweep.Run) string {
	t.Helper()
	var told []string
	for index := range run.Shards {
		s, err := runs.NewFolder(m, run).Shard(t.Context(), index, 2)
		if err == nil {
			err = s.Begin()
		}
		if err == nil {
			err = s.Compute(t.Context(), 2, runs.Watch{
				Remark: func(words string) { told = append(told, words) }, Begin: func(float64, int, int) {}, Tick: func() {}, Whole: func(int) {},
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(told, "; ")
}

// holds checks that each file of a folder that is there is one of the whole folder, but manifests that are not whole yet, which
// name only what is there.
func (m *memory) holds(t *testing.T, whole map[string][]byte) {
	t.Helper()
	for name, data := range m.files {
		if strings.HasSuffix(name, ".jsonl") && !bytes.Equal(data, whole[name]) {
			t.Errorf("%s holds\n%s", name, data)
		}
		if !strings.HasPrefix(name, "shard-") {
			continue
		}
		c, err := sweep.DecodeCompletion(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range c.Settings {
			if sum := sha256.Sum256(m.files[of.ID+".jsonl"]); hex.EncodeToString(sum[:]) != of.Hash {
				t.Errorf("%s names another file than %s.jsonl", name, of.ID)
			}
		}
	}
}

// A loss of power between any two writes loses no whole file and leaves nothing that is not true: the same command goes on, and
// so does a longer one. Oracle: a folder that was computed without a loss.
func TestPowerLoss(t *testing.T) {
	run, longer := tried(t, someSettings), tried(t, moreSettings)
	whole := newMemory()
	compute(t, whole, run)
	if n := len(whole.files); n < 3+2 {
		t.Fatalf("the folder is %q", whole.names())
	}
	more := newMemory()
	compute(t, more, longer)
	for steps := 0; ; steps++ {
		m := newMemory()
		enough := m.withPower(steps, func() { compute(t, m, run) })
		m.holds(t, whole.files)
		had := maps.Clone(m.files)
		if !enough && steps%2 == 1 { // a second loss, while it goes on
			m.withPower(steps/2, func() { compute(t, m, run) })
			m.holds(t, whole.files)
		}
		m.withPower(1<<30, func() { compute(t, m, run) })
		if !maps.EqualFunc(m.files, whole.files, bytes.Equal) {
			t.Fatalf("after %d steps the folder is %q", steps, m.names())
		}
		for _, name := range m.made {
			if _, was := had[name]; was {
				t.Errorf("after %d steps %s was there and is written again", steps, name)
			}
		}
		m.withPower(steps, func() { compute(t, m, longer) })
		m.holds(t, more.files)
		m.withPower(1<<30, func() { compute(t, m, longer) })
		if !maps.EqualFunc(m.files, more.files, bytes.Equal) {
			t.Fatalf("after %d steps of a longer list the folder is %q", steps, m.names())
		}
		if enough {
			break
		}
	}
}

// A folder says which shards lack something and what is wrong, and gives a receipt only when it is whole.
func TestFolderSays(t *testing.T) {
	run := tried(t, someSettings)
	m := newMemory()
	if _, err := runs.OpenFolder(m); err == nil || !strings.Contains(err.Error(), "there is no sweep in this folder") {
		t.Error(err)
	}
	compute(t, m, run)
	whole := maps.Clone(m.files)
	of := results.CumulativeRegret()
	open := func() *runs.Folder {
		t.Helper()
		f, err := runs.OpenFolder(m)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	table, err := open().Table(t.Context(), 2, of)
	if err != nil || table.Receipt == nil || table.Missing != 0 {
		t.Fatalf("%+v, %v", table, err)
	}
	setting := run.Sweep.Setting(2)
	name, shard := setting.ID+".jsonl", sweep.Shard(setting.ID, run.Shards)
	for what, test := range map[string]struct {
		data  []byte
		wrong string // of the file; "" if it is as good
		error bool   // whether it is refused
	}{
		"nothing":       {nil, "", false},
		"torn":          {whole[name][:len(whole[name])-9], "was not whole", false},
		"another head":  {bytes.Replace(whole[name], []byte(`"runs":2`), []byte(`"runs":3`), 1), "was damaged", false},
		"another digit": {alteredNumber(whole[name]), "was damaged", false},
		"another's":     {whole[run.Sweep.Setting(0).ID+".jsonl"], "other records", true},
	} {
		m.files = maps.Clone(whole)
		if delete(m.files, name); test.data != nil {
			m.files[name] = test.data
		}
		if bytes.Equal(test.data, whole[name]) {
			t.Fatalf("%s: the file is as it was", what)
		}
		missing, err := open().Missing(t.Context(), 2)
		if err != nil || !slices.Equal(missing, []int{shard}) {
			t.Errorf("%s: the shards %d are missing, %v", what, missing, err)
		}
		wrong, err := open().Wrong(t.Context(), 2)
		if text := strings.Join(wrong, ";"); err != nil || !strings.Contains(text, test.wrong) || (text == "") != (test.data == nil) {
			t.Errorf("%s: %q, %v", what, wrong, err)
		}
		if table, err := open().Table(t.Context(), 2, of); (err == nil) != (test.data == nil) || err == nil && (table.Missing != 1 || table.Receipt != nil) {
			t.Errorf("%s: the table is %+v, %v", what, table, err)
		} else if _, is := errors.AsType[*strict.InputError](err); err != nil && !is {
			t.Errorf("%s: %T", what, err)
		}
		if test.error {
			continue
		}
		told := compute(t, m, run)
		if !maps.EqualFunc(m.files, whole, bytes.Equal) || strings.Contains(told, "is computed again") != (test.data != nil) {
			t.Errorf("%s: %q, or other files", what, told)
		}
	}
}

// What is written in another way is as good.
func TestOtherNotation(t *testing.T) {
	run := tried(t, someSettings)
	m := newMemory()
	compute(t, m, run)
	for name, data := range m.files {
		if strings.HasSuffix(name, ".jsonl") {
			m.files[name] = bytes.ReplaceAll(data, []byte(`{"run":`), []byte(`{ "run": `))
		}
	}
	f, err := runs.OpenFolder(m)
	if err != nil {
		t.Fatal(err)
	}
	table, err := f.Table(t.Context(), 2, results.CumulativeRegret())
	missing, _ := f.Missing(t.Context(), 2)
	if err != nil || table.Receipt == nil || len(missing) > 0 {
		t.Errorf("%v, %v", missing, err)
	}
	had := maps.Clone(m.files)
	if told := compute(t, m, run); told == "" || strings.Contains(told, "again") || !maps.EqualFunc(m.files, had, bytes.Equal) {
		t.Errorf("%q, or other files", told)
	}
}

// alteredNumber changes the first digit of the last return.
func alteredNumber(data []byte) []byte {
	data = bytes.Clone(data)
	const key = `"return":`
	at := bytes.LastIndex(data, []byte(key)) + len(key)
	data[at] = '1' + (data[at]-'0')%3
	return data
}

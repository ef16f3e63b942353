package runs_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/runs"
	"cpsrl/internal/small"
)

// smallRun is a small experiment, the bytes of its file, and their lines.
func smallRun(t *testing.T, rest string) (*experiment.Experiment, []byte, [][]byte) {
	t.Helper()
	e := small.Ready(t, small.Spec(t, `{"name":"figure1"}`, `,"episodes":3`+rest))
	text := experiment.AppendHeader(nil, e.Header())
	for line, err := range new(runs.Kept).Lines(t.Context(), e, 2, func() {}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, line.Bytes...)
	}
	return e, text, slices.DeleteFunc(bytes.SplitAfter(text, []byte("\n")), func(line []byte) bool { return len(line) == 0 })
}

const file = "r.jsonl"

// keep reads what is left in a folder.
func keep(m *memory, e *experiment.Experiment) (*runs.Kept, error) {
	f, _ := m.Open(file, "")
	var partials []runs.File
	for _, name := range m.names() {
		if name != file {
			f, _ := m.Open(name, "")
			partials = append(partials, f)
		}
	}
	return runs.Keep(e, "the flags", f, partials)
}

// resume goes on with an experiment until it is whole or the power goes: what it writes is in a partial file line by line. It
// returns how many records it has computed.
func resume(t *testing.T, m *memory, e *experiment.Experiment) (computed int) {
	t.Helper()
	k, err := keep(m, e)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if k.Whole {
		return 0
	}
	name := ""
	for n := 1; name == "" || m.Has(name); n++ {
		name = fmt.Sprintf("%s.partial%d", file, n)
	}
	write := func(line []byte) {
		m.step()
		m.files[name] = append(m.files[name], line...)
	}
	write(experiment.AppendHeader(nil, e.Header()))
	for line, err := range k.Lines(t.Context(), e, 1, func() { computed++ }, nil) {
		if err != nil {
			t.Fatal(err)
		}
		write(line.Bytes)
	}
	m.step()
	m.files[file] = m.files[name]
	delete(m.files, name)
	k.Clear()
	return computed
}

// A run that loses the power between any two writes, and again while it goes on, ends with the bytes of one undisturbed run,
// computes no run of an agent again that was whole, and leaves one file. Oracle: a run without a loss.
func TestResume(t *testing.T) {
	e, whole, lines := smallRun(t, `,"agents":["psrl","c-psrl"],"runs":2`)
	for first := 0; first <= len(lines); first++ {
		for _, second := range []int{0, 2, 5, 9} {
			m := newMemory()
			m.withPower(first, func() { resume(t, m, e) })
			left := max(first-1, 0) / 3 * 3 // the records of whole runs of agents
			if left == 12 {
				left = 0 // the file may be whole
			}
			if second%2 == 0 && len(m.files) > 0 { // the last write was torn
				for name, data := range m.files {
					m.files[name] = data[:len(data)-1]
				}
				left = max(first-2, 0) / 3 * 3
			}
			m.withPower(second, func() { resume(t, m, e) })
			computed := 0
			m.withPower(1<<30, func() { computed = resume(t, m, e) })
			if !bytes.Equal(m.files[file], whole) || len(m.files) != 1 {
				t.Fatalf("%d and %d steps: %q, or other bytes", first, second, m.names())
			}
			if computed > 12-left {
				t.Errorf("%d and %d steps: %d records are computed although %d were there", first, second, computed, left)
			}
		}
	}
}

// A file of more or of something else is refused, a partial one is passed over, and one without a line is nothing.
func TestKeep(t *testing.T) {
	e, whole, lines := smallRun(t, `,"agents":["psrl","c-psrl"],"runs":2`)
	_, more, _ := smallRun(t, `,"agents":["psrl","c-psrl"],"runs":3`)
	_, other, _ := smallRun(t, `,"agents":["psrl","c-psrl"],"runs":2,"seed":9`)
	_, third, _ := smallRun(t, `,"agents":["psrl","f-psrl"],"runs":2`)
	half := bytes.Join(lines[:7], nil)
	for what, test := range map[string]struct {
		files map[string]string
		says  string
		jobs  int
		whole bool
		left  int // files
	}{
		"nothing":              {nil, "", 0, false, 0},
		"the file":             {map[string]string{file: string(whole)}, "", 4, true, 1},
		"half of it":           {map[string]string{file: string(half)}, "", 2, false, 1},
		"more":                 {map[string]string{file: string(more)}, "folder/r.jsonl: the file is of runs 0 to 2, and the flags ask for runs 0 to 1", 0, false, 1},
		"another agent":        {map[string]string{file: string(third)}, "of the agent f-psrl, too, for which the flags do not ask", 0, false, 1},
		"another":              {map[string]string{file: string(other)}, "the records are of another experiment", 0, false, 1},
		"no records":           {map[string]string{file: "{}\n"}, "folder/r.jsonl: line 1", 0, false, 1},
		"an empty file":        {map[string]string{file: "\x00\x00"}, "", 0, false, 1},
		"a partial file":       {map[string]string{"p": string(half)}, "", 2, false, 1},
		"a partial twin":       {map[string]string{file: string(half), "p": string(half)}, "", 2, false, 1},
		"two twins":            {map[string]string{"p": string(half), "q": string(half)}, "", 2, false, 1},
		"a partial of another": {map[string]string{"p": string(other)}, "", 0, false, 1},
		"a partial of more":    {map[string]string{"p": string(more), "q": string(half)}, "", 4, false, 1},
		"an empty partial":     {map[string]string{"p": ""}, "", 0, false, 0},
	} {
		m := newMemory()
		for name, text := range test.files {
			m.files[name] = []byte(text)
		}
		k, err := keep(m, e)
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %v, want %q", what, err, test.says)
		} else if err == nil && (k.Jobs(e) != test.jobs || k.Whole != test.whole || len(m.files) != test.left) {
			t.Errorf("%s: %d jobs, whole: %v, and %q are left", what, k.Jobs(e), k.Whole, m.names())
		}
		k.Close()
	}
}

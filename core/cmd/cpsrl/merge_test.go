package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// threeParts writes the whole of a small experiment and three parts of it into a folder.
func threeParts(t *testing.T) (whole string, args []string, names []string) {
	t.Helper()
	folder := t.TempDir()
	name := func(part string) string { return filepath.Join(folder, part+".jsonl") }
	args = []string{"run", "-preset", "fig1-quick", "-episodes", "6"}
	write := func(part string, flags ...string) {
		ok(t, slices.Concat(args, flags, []string{"-o", name(part)})...)
		names = append(names, name(part))
	}
	write("first", "-agents", "psrl", "-runs", "2")
	write("rest", "-agents", "psrl", "-first", "2", "-runs", "3")
	write("others", "-agents", "f-psrl,c-psrl", "-runs", "5")
	args = append(args, "-runs", "5")
	return ok(t, args...), args, names
}

// The parts of an experiment, joined, are the bytes of the whole run, and are read as one file.
func TestMerge(t *testing.T) {
	whole, args, names := threeParts(t)
	if got := ok(t, append([]string{"merge"}, names...)...); got != whole {
		t.Error("the merged parts are not the bytes of the whole run")
	}
	one := file(t, "whole.jsonl", whole)
	for _, command := range [][]string{{"summary"}, {"summary", "-endings"}, {"plot", "-o", "-"}, {"figure"}} {
		if ok(t, append(command, names...)...) != ok(t, append(command, one)...) {
			t.Errorf("cpsrl %q reads other records from the parts", command)
		}
	}
	if got := ok(t, append([]string{"verify"}, names...)...); !strings.HasPrefix(got, "reproduced bit for bit: 90 records") {
		t.Errorf("verify says %q", got)
	}
	// What an interrupted file lacks is in another, which may be written in another way.
	lines := strings.SplitAfter(whole, "\n")
	head := file(t, "head.jsonl", strings.Join(lines[:37], "")+lines[37][:20]) // two runs and a torn line
	rest := filepath.Join(t.TempDir(), "rest.jsonl")
	ok(t, append(slices.Clone(args[:len(args)-2]), "-first", "2", "-runs", "3", "-o", rest)...)
	spaced := file(t, "spaced.jsonl", strings.ReplaceAll(read(t, rest), `,"episode":`, `, "episode": `)+"\n\n")
	if got := ok(t, "merge", head, spaced); got != whole {
		t.Error("a part in another notation is not written as the engine writes it")
	}
}

func TestMergeRefuses(t *testing.T) {
	_, args, names := threeParts(t)
	folder := filepath.Dir(names[0])
	other := filepath.Join(folder, "other.jsonl")
	ok(t, append(slices.Clone(args), "-seed", "7", "-o", other)...)
	engine := file(t, "engine.jsonl", strings.Replace(read(t, names[1]), `"engine":2`, `"engine":3`, 1))
	header, _, _ := strings.Cut(read(t, names[1]), "\n")
	older := file(t, "older.jsonl", strings.Replace(header, `"engine":2`, `"engine":1`, 1)+"\n")
	swapped := strings.SplitAfter(read(t, names[0]), "\n")
	swapped[1], swapped[2] = swapped[2], swapped[1]
	twice := read(t, names[0])
	for _, test := range []struct {
		says  string
		files []string
	}{
		{"other.jsonl: the records are of another experiment: /seed is 7, and 1 in ", []string{names[0], other}},
		{"first.jsonl: run 0 of psrl is in " + names[0] + ", too", []string{names[0], names[0]}},
		{"first.jsonl: runs 2 to 4 of psrl are in no file", []string{names[0], names[2]}},
		{"first.jsonl: runs 0 to 1 of f-psrl are in no file", []string{names[0], file(t, "h.jsonl", strings.Replace(twice, `"psrl"]`, `"f-psrl"]`, 1)[:strings.Index(twice, "\n")+3])}},
		{"older.jsonl: the engine version is 1, and 2 in ", []string{names[0], older}},
		{"engine.jsonl: line 1: /engine: the records are of engine version 3; this is version 2", []string{engine, engine}},
		{"swapped.jsonl: line 2: run 0, agent \"psrl\", episode 2 is out of order", []string{file(t, "swapped.jsonl", strings.Join(swapped, ""))}},
		{"twice.jsonl: line 14: run 0, agent \"psrl\", episode 1 is there twice", []string{file(t, "twice.jsonl", twice+twice[strings.Index(twice, "\n")+1:])}},
		{"nosuch: a records file was expected", []string{names[0], "nosuch"}},
		{"standard input: a records file was expected", []string{"-"}},
	} {
		r := cpsrl(t, append([]string{"merge"}, test.files...)...)
		if test.says == "standard input: a records file was expected" {
			test.says = "standard input: line 1"
		}
		if r.status != statusInvalid || !strings.Contains(r.stderr, test.says) || strings.Count(r.stderr, "\n") != 1 || r.stdout != "" {
			t.Errorf("status %d and %q, want %q", r.status, r.stderr, test.says)
		}
	}
	if r := cpsrlWith(t, read(t, names[0]), "merge", "-"); r.status != statusInvalid || !strings.Contains(r.stderr, "parts are read twice") {
		t.Errorf("standard input: %q", r.stderr)
	}
	if r := cpsrl(t, "merge", names[0], "-o", names[0]); r.status != statusInvalid || !strings.Contains(r.stderr, "the output must be another one") {
		t.Errorf("the output is an input: %q", r.stderr)
	}
}

// A run that goes on has the bytes of an undisturbed one, wherever the file ends, and whatever more is asked.
func TestResume(t *testing.T) {
	whole, args, names := threeParts(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	resume := append(slices.Clone(args), "-resume", "-o", path)
	put := func(name, content string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	header := strings.Index(whole, "\n") + 1
	starts := map[string]string{"nothing": "", "more agents and runs": read(t, names[0]), "agents": read(t, names[2]), "all": whole, "blank lines": strings.ReplaceAll(whole, "\n", "\n\n")}
	for at := header; at < len(whole); at += len(whole)/7 + 3 {
		starts["cut at "+whole[:1]+strings.Repeat("i", at/1000)] = whole[:at]
	}
	for name, content := range starts {
		if os.Remove(path); content != "" {
			put("r.jsonl", content)
		}
		if out := ok(t, resume...); out != "" || read(t, path) != whole {
			t.Errorf("%s: %q on standard output, or other bytes", name, out)
		}
		alone(t, folder, "r.jsonl")
	}
	// An interrupted run leaves a partial file beside the file; both are used, and then one file is left.
	put("r.jsonl", read(t, names[0]))
	put("r.jsonl.partial", whole[:len(whole)/2])
	put("r.jsonl.partial2", "stranger")
	ok(t, resume...)
	if read(t, path) != whole {
		t.Error("a partial file led to other bytes")
	}
	alone(t, folder, "r.jsonl", "r.jsonl.partial2")

	for _, test := range []struct{ says, content string }{
		{"r.jsonl: the records are of another experiment: /seed is 7, and 1 in the flags", strings.Replace(whole, `"seed":1`, `"seed":7`, 1)},
		{"r.jsonl: the file is of runs 0 to 5, and the flags ask for runs 0 to 4", strings.Replace(whole, `"runs":5`, `"runs":6`, 1)},
		{"r.jsonl: the file is of the agent random, too, for which the flags do not ask", strings.Replace(whole, `"psrl",`, `"psrl","random",`, 1)},
		{"r.jsonl: the engine version is 1, and 2 in the flags", strings.Replace(whole[:header], `"engine":2`, `"engine":1`, 1)},
		{"r.jsonl: line 2", whole[:header] + "{}\n"},
		{"r.jsonl: line 1", "{\n"},
	} {
		put("r.jsonl", test.content)
		r := cpsrl(t, resume...)
		if r.status != statusInvalid || !strings.Contains(r.stderr, test.says) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("status %d and %q, want %q", r.status, r.stderr, test.says)
		}
		if read(t, path) != test.content {
			t.Errorf("%s: the file was changed", test.says)
		}
	}
	if r := cpsrl(t, append(slices.Clone(args), "-resume")...); r.status != statusInvalid || !strings.Contains(r.stderr, "flag -resume: -o FILE was expected") {
		t.Errorf("without a file: %q", r.stderr)
	}
}

// An interrupted run that goes on loses nothing and has the bytes of an undisturbed one.
func TestResumeInterrupted(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	interruptedRun(t, path, func() int64 { return unnamed(folder) })
	held := whole(t, read(t, path))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	args := []string{"run", "-preset", "fig2c", "-runs", "1000", "-o", path, "-resume"}
	if status := run(ctx, args, strings.NewReader(""), &stdout, &stderr); status != statusInterrupted || whole(t, read(t, path)) != held {
		t.Errorf("status %d, %q, or the file lost records", status, stderr.String())
	}
	runs := strings.Split(read(t, path), "\n")
	asked := max(1, (len(runs)-2)/1200) // whole runs of three agents with 400 episodes
	short := []string{"run", "-preset", "fig2c", "-runs", "1", "-episodes", "400"}
	if asked > 1 {
		short[4] = "2"
	}
	want := ok(t, short...)
	if err := os.WriteFile(path, []byte(strings.Replace(strings.Join(runs[:min(len(runs), 700)], "\n"), `"runs":1000`, `"runs":`+short[4], 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	os.Remove(path + ".partial")
	ok(t, append(short, "-o", path, "-resume")...)
	if read(t, path) != want {
		t.Error("the resumed run has other bytes")
	}
}

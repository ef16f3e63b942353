//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// put writes a file.
func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// ends is how a command may name its output, and what the output is before.
type ends struct {
	says    string // what refuses it, or ""
	written string // the file that has the data then, or "" if there is no such
	left    []string
	prepare func(t *testing.T, folder string)
}

// outputs are kinds of names in a folder that all output has: "out".
var outputs = map[string]ends{
	"a new file": {written: "out", left: []string{"out"}, prepare: func(*testing.T, string) {}},
	"a link to a file": {written: "far/real", left: []string{"far", "out"}, prepare: func(t *testing.T, folder string) {
		put(t, filepath.Join(folder, "far/real"), "earlier")
		symlink(t, "far/real", filepath.Join(folder, "out"))
	}},
	"a link to a link, through a linked folder and ..": {written: "far/real", left: []string{"a", "far", "link", "out"}, prepare: func(t *testing.T, folder string) {
		put(t, filepath.Join(folder, "far/real"), "earlier")
		if err := os.Mkdir(filepath.Join(folder, "far/deep"), 0o777); err != nil {
			t.Fatal(err)
		}
		symlink(t, "far/deep", filepath.Join(folder, "a"))
		symlink(t, "a/../real", filepath.Join(folder, "link"))
		symlink(t, filepath.Join(folder, "link"), filepath.Join(folder, "out"))
	}},
	"a link that leads nowhere yet": {written: "far/real", left: []string{"far", "out"}, prepare: func(t *testing.T, folder string) {
		symlink(t, "far/real", filepath.Join(folder, "out"))
	}},
	"a link into a folder that is not there": {says: "out: the file cannot be written, because the link leads to ", left: []string{"far", "out"}, prepare: func(t *testing.T, folder string) {
		symlink(t, "/nowhere/real", filepath.Join(folder, "out"))
	}},
	"a link to a folder": {says: "is a directory", left: []string{"far", "out"}, prepare: func(t *testing.T, folder string) {
		symlink(t, "far", filepath.Join(folder, "out"))
	}},
	"a folder": {says: "is a directory", left: []string{"far", "out"}, prepare: func(t *testing.T, folder string) {
		if err := os.Mkdir(filepath.Join(folder, "out"), 0o777); err != nil {
			t.Fatal(err)
		}
	}},
	"links in a circle": {says: "too many ", left: []string{"out", "round"}, prepare: func(t *testing.T, folder string) {
		symlink(t, "round", filepath.Join(folder, "out"))
		symlink(t, "out", filepath.Join(folder, "round"))
	}},
	"a file with another name": {written: "out", left: []string{"hard", "out"}, prepare: func(t *testing.T, folder string) {
		put(t, filepath.Join(folder, "hard"), "earlier")
		if err := os.Link(filepath.Join(folder, "hard"), filepath.Join(folder, "out")); err != nil {
			t.Skip(err)
		}
	}},
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err)
	}
}

// Every command that writes a file writes it through links, replaces no link, and leaves nothing else. Oracle: what it prints.
func TestOutputThroughLinks(t *testing.T) {
	records := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2"))
	commands := map[string][]string{
		"run": {"run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2"}, "resume": {"run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2"},
		"merge": {"merge", records}, "figure": {"figure", records},
	}
	for command, args := range commands {
		want := ok(t, args...)
		if command == "resume" {
			args = append(args, "-resume")
		}
		for name, of := range outputs {
			folder := t.TempDir()
			if err := os.Mkdir(filepath.Join(folder, "far"), 0o777); err != nil {
				t.Fatal(err)
			}
			of.prepare(t, folder)
			if slices.Contains([]string{"resume"}, command) && of.written != "" { // "earlier" are no records
				if path := filepath.Join(folder, of.written); exists(path) {
					put(t, path, "")
				}
			}
			r := cpsrl(t, append(slices.Clone(args), "-o", filepath.Join(folder, "out"))...)
			if of.says != "" {
				if command == "resume" && strings.Contains(of.says, "directory") {
					of.says = "only a regular file can be resumed"
				}
				refused(t, r, of.says)
			} else if r.status != statusOK || r.stderr != "" {
				t.Errorf("%s, %s: status %d, %q", command, name, r.status, r.stderr)
			} else if read(t, filepath.Join(folder, of.written)) != want {
				t.Errorf("%s, %s: other bytes", command, name)
			}
			if !slices.Contains(of.left, "far") {
				of.left = append([]string{"far"}, of.left...)
			}
			slices.Sort(of.left)
			alone(t, folder, of.left...)
			if hard := filepath.Join(folder, "hard"); command != "resume" && slices.Contains(of.left, "hard") && read(t, hard) != "earlier" {
				t.Errorf("%s: the file's other name holds %.20q", command, read(t, hard))
			}
			if _, err := os.Readlink(filepath.Join(folder, "out")); (err == nil) != strings.Contains(name, "link") {
				t.Errorf("%s, %s: the link was replaced", command, name)
			}
		}
	}
}

// A run that goes on through a link keeps what the linked file has, and its own partial files are beside that file.
func TestResumeThroughLink(t *testing.T) {
	whole, args, _ := threeParts(t)
	lines := strings.SplitAfter(whole, "\n")
	marked := func(k int) string { // line k with a mark that only this file has
		changed := slices.Clone(lines)
		changed[k] = altered(t, changed[k])
		return strings.Join(changed, "")
	}
	for _, through := range []string{"symbolic", "hard", "linked folder"} {
		folder := t.TempDir()
		far, link := filepath.Join(folder, "far"), filepath.Join(folder, "link.jsonl")
		if err := os.Mkdir(far, 0o777); err != nil {
			t.Fatal(err)
		}
		real := filepath.Join(far, "real.jsonl")
		put(t, real, marked(2)[:len(strings.Join(lines[:40], ""))])
		switch through {
		case "symbolic":
			symlink(t, "far/real.jsonl", link)
			put(t, real+".partial", lines[0]+strings.Join(lines[49:], ""))
		case "hard":
			if err := os.Link(real, link); err != nil {
				t.Skip(err)
			}
			real = link
		case "linked folder":
			symlink(t, "far", link)
			link = filepath.Join(link, "real.jsonl")
		}
		if r := cpsrl(t, append(slices.Clone(args), "-resume", "-o", link)...); r.status != statusOK || r.stderr != "" {
			t.Fatalf("%s: %q", through, r.stderr)
		}
		if read(t, real) != marked(2) {
			t.Errorf("%s: records are lost or were computed again", through)
		}
		if names := partials(real); names != nil {
			t.Errorf("%s: %q are left", through, names)
		}
	}
}

// altered changes a digit of a record's return, which no reader can notice.
func altered(t *testing.T, line string) string {
	t.Helper()
	at := strings.Index(line, `"return":`) + len(`"return":`)
	if at < 9 || line[at] == '-' {
		t.Fatal("a record with a positive return was expected: " + line)
	}
	digit := byte('1')
	if line[at] == '1' {
		digit = '2'
	}
	return line[:at] + string(digit) + line[at+1:]
}

// The name /dev/stdout appends to a file as standard output does, and replaces nothing.
func TestStandardOutputByName(t *testing.T) {
	program := build(t)
	args := []string{"run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2", "-o", "/dev/stdout"}
	want := ok(t, args[:len(args)-2]...)
	path := file(t, "all.jsonl", "earlier\n")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Stdout = f
	if err := c.Run(); err != nil || read(t, path) != "earlier\n"+want {
		t.Errorf("%v, and %.40q", err, read(t, path))
	}
	alone(t, filepath.Dir(path), "all.jsonl")
	c = exec.CommandContext(t.Context(), program, append(args, "-resume")...)
	var stderr bytes.Buffer
	c.Stdout, c.Stderr = f, &stderr
	if status := statusOf(c.Run()); status != statusInvalid || !strings.Contains(stderr.String(), "only a regular file can be resumed") {
		t.Errorf("status %d, %q", status, stderr.String())
	}
}

// manyRuns is an experiment of which a program can be killed in the middle.
var manyRuns = []string{"run", "-preset", "fig2c", "-runs", "1000", "-workers", "1"}

// kill starts a run, and kills it with SIGKILL when it has written so many bytes beside the file.
func kill(t *testing.T, path string, size int64, args ...string) {
	t.Helper()
	p := start(t, build(t), append(slices.Clone(args), "-o", path)...)
	until(t, "some records are out", func() bool {
		return slices.ContainsFunc(partials(path), func(name string) bool {
			f, err := os.OpenFile(name, os.O_RDWR, 0)
			if err != nil {
				return false
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil || info.Size() <= size {
				return false
			}
			held, _ := tryLock(f)
			return held // by the program, which writes it
		})
	})
	p.Process.Kill()
	p.Wait()
}

// A run that SIGKILL ends keeps what it had under a name that -resume reads, and however often that happens, few files
// are left, none of them hidden.
func TestKilled(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	lines := strings.SplitAfter(ok(t, "run", "-preset", "fig2c", "-runs", "1", "-episodes", "400"), "\n")
	want := strings.Join(lines, "")
	kill(t, path, int64(len(lines[0])+2*len(want)), append(manyRuns, "-resume")...)
	alone(t, folder, "r.jsonl.partial")
	had := read(t, path+".partial")
	if n := whole(t, had[:strings.LastIndex(had, "\n")+1]); n < len(lines)-2 {
		t.Fatalf("%d records are left", n)
	}
	// What is kept is used: a mark in it is in the result.
	at := strings.Index(had, "\n") + 1
	marked := had[:at] + altered(t, had[at:])
	put(t, path+".partial", marked)
	for k := range 3 {
		kill(t, path, int64(len(lines[0])), append(manyRuns, "-resume")...)
		if names := partials(path); len(names) > 2 {
			t.Errorf("after %d kills, %q are left", k+2, names)
		}
		if exists(path) || hidden(folder) != nil {
			t.Error("the file is there, or a hidden one")
		}
	}
	ok(t, "run", "-preset", "fig2c", "-runs", "1", "-episodes", "400", "-resume", "-o", path)
	if read(t, path) != lines[0]+altered(t, lines[1])+strings.Join(lines[2:], "") {
		t.Error("the result has not what was kept")
	}
	// Of the longer experiment, for which the flags did not ask, nothing is lost.
	most := 0
	for _, name := range partials(path) {
		text := read(t, name)
		most = max(most, whole(t, text[:strings.LastIndex(text, "\n")+1]))
	}
	if most < len(lines)-2 {
		t.Errorf("%d records are left", most)
	}
}

// hidden returns the hidden files of a folder.
func hidden(folder string) []string {
	names, _ := filepath.Glob(filepath.Join(folder, ".*"))
	return names
}

// A run that is killed and goes on again and again ends with the bytes of one undisturbed run and one file.
func TestKilledAgainAndAgain(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	args := []string{"run", "-preset", "fig1-quick", "-episodes", "40", "-runs", "60", "-workers", "1", "-resume"}
	want := ok(t, args[:len(args)-1]...)
	for k := range int64(3) {
		kill(t, path, (k+1)*int64(len(want))/5, args...)
	}
	put(t, path, "") // and a loss of power leaves an empty file
	if r := cpsrl(t, append(slices.Clone(args), "-o", path)...); r.status != statusOK || r.stderr != "" {
		t.Errorf("status %d, %q", r.status, r.stderr)
	}
	if read(t, path) != want {
		t.Error("other bytes than those of one run")
	}
	alone(t, folder, "r.jsonl")
}

// A loss of power may leave a file empty, with zero bytes, or with a part of its header: there is nothing in it to keep.
// What is another file is refused.
func TestResumeOfNothing(t *testing.T) {
	args := []string{"run", "-preset", "fig1-quick", "-episodes", "2", "-runs", "2", "-resume"}
	want := ok(t, args[:len(args)-1]...)
	header := want[:strings.Index(want, "\n")]
	record := want[len(header)+1 : len(header)+1+strings.Index(want[len(header)+1:], "\n")+1]
	for name, content := range map[string]string{"empty": "", "zero bytes": strings.Repeat("\x00", 4096), "torn": header[:9], "torn in the spec": header[:len(header)-3], "torn after a brace": header[:strings.Index(header, "}")+1], "a header and zero bytes": header[:60] + "\x00\x00", "only a header": header, "a header line": header + "\n", "zero bytes behind": header + "\n" + record + "\x00\x00\x00"} {
		for _, as := range []string{"r.jsonl", "r.jsonl.partial", "r.jsonl.partial7"} {
			folder := t.TempDir()
			put(t, filepath.Join(folder, as), content)
			if r := cpsrl(t, append(slices.Clone(args), "-o", filepath.Join(folder, "r.jsonl"))...); r.status != statusOK || r.stderr != "" || read(t, filepath.Join(folder, "r.jsonl")) != want {
				t.Errorf("%s as %s: status %d, %q, or other bytes", name, as, r.status, r.stderr)
			}
			alone(t, folder, "r.jsonl")
		}
	}
	for _, content := range []string{"notes", "{}", `{"format":"cpsrl/spec"}`, "\n", header[:20] + "\n"} {
		folder := t.TempDir()
		path := filepath.Join(folder, "r.jsonl")
		put(t, path, content)
		put(t, path+".partial", content)
		if r := cpsrl(t, append(slices.Clone(args), "-o", path)...); r.status != statusInvalid || read(t, path) != content {
			t.Errorf("%q: status %d, %q", content, r.status, r.stderr)
		}
		alone(t, folder, "r.jsonl", "r.jsonl.partial")
	}
}

// What comes before damage in a partial file is kept, and the file is removed when all is done.
func TestResumeOfDamagedPart(t *testing.T) {
	whole, args, _ := threeParts(t)
	lines := strings.SplitAfter(whole, "\n")
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	put(t, path+".partial", lines[0]+altered(t, lines[1])+strings.Join(lines[2:20], "")+strings.Repeat("\x00", 300)+"\n"+lines[30])
	if r := cpsrl(t, append(slices.Clone(args), "-resume", "-o", path)...); r.status != statusOK || read(t, path) != lines[0]+altered(t, lines[1])+strings.Join(lines[2:], "") {
		t.Errorf("%q, or other records", r.stderr)
	}
	alone(t, folder, "r.jsonl")
}

// A partial file that another program writes is read but not removed, whatever is known of its records.
func TestPartInUse(t *testing.T) {
	whole, args, _ := threeParts(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	put(t, path+".partial", whole[:len(whole)/2])
	put(t, path+".partial2", whole[:len(whole)/3])
	put(t, path+".partial3", "")
	other, err := os.OpenFile(path+".partial2", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := tryLock(other); err != nil {
		t.Skip(err)
	}
	ok(t, append(slices.Clone(args), "-resume", "-o", path)...)
	if read(t, path) != whole {
		t.Error("other bytes")
	}
	alone(t, folder, "r.jsonl", "r.jsonl.partial2")
	other.Close()
	ok(t, append(slices.Clone(args), "-resume", "-o", path)...)
	alone(t, folder, "r.jsonl")
	// A pipe in the place of a partial file is passed over.
	if err := errors.Join(os.Remove(path), syscall.Mkfifo(path+".partial", 0o600)); err != nil {
		t.Skip(err)
	}
	ok(t, append(slices.Clone(args), "-resume", "-o", path)...)
	alone(t, folder, "r.jsonl", "r.jsonl.partial")
}

// Two that go on with the same file at once disturb neither each other nor the records.
func TestResumeTwice(t *testing.T) {
	program := build(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	args := []string{"run", "-preset", "fig1-quick", "-episodes", "40", "-runs", "40", "-workers", "1", "-resume", "-o", path}
	want := ok(t, args[:len(args)-3]...)
	put(t, path, want[:len(want)/4])
	a, b := start(t, program, args...), start(t, program, args...)
	for _, p := range []*process{a, b} {
		if status := statusOf(p.Wait()); status != statusOK || p.stderr.Len() > 0 {
			t.Errorf("status %d, %q", status, p.stderr.String())
		}
	}
	if read(t, path) != want {
		t.Error("other bytes")
	}
	if names, _ := filepath.Glob(filepath.Join(folder, "*")); len(names) > 2 {
		t.Error(fmt.Sprint(names))
	}
	ok(t, args...)
	alone(t, folder, "r.jsonl")
}

// A part that changes while it is joined is an error, and nothing is written.
func TestMergeOfChangedFile(t *testing.T) {
	_, _, names := threeParts(t)
	h := &host{ctx: t.Context()}
	joined, files, err := h.join(names)
	if err != nil {
		t.Fatal(err)
	}
	content := read(t, names[1])
	os.Remove(names[1])
	put(t, names[1], content[:len(content)/2])
	for _, err = range joined.Lines(files) {
	}
	if err == nil || !strings.Contains(err.Error(), names[1]+": the file has changed since it was read") {
		t.Error(err)
	}
}

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// A file that is written with 1, 2 or 5 workers has the golden digest, which the core's own
// test computes without workers.
func TestWorkersChangeNoByte(t *testing.T) {
	golden := decode[struct {
		Engine  int
		Presets map[string]string
	}](t, read(t, "../../experiment/testdata/golden.json"))
	if golden.Engine != record.Engine {
		t.Fatalf("the golden digests are of engine %d", golden.Engine)
	}
	for _, preset := range []string{"fig1-quick", "fig2c-quick"} {
		var first string
		for _, workers := range []string{"1", "2", "5"} {
			folder := t.TempDir()
			path := filepath.Join(folder, "r.jsonl")
			if out := ok(t, "run", "-preset", preset, "-workers", workers, "-o", path); out != "" {
				t.Fatalf("%q on standard output", out)
			}
			alone(t, folder, "r.jsonl")
			content := read(t, path)
			if first == "" {
				first = content
			}
			if content != first {
				t.Errorf("%s: %s workers changed the bytes", preset, workers)
			}
			_, records, _ := strings.Cut(content, "\n")
			if got := fmt.Sprintf("%x", sha256.Sum256([]byte(records))); got != golden.Presets[preset] {
				t.Errorf("%s with %s workers: digest %s, golden %s", preset, workers, got, golden.Presets[preset])
			}
		}
		if out := ok(t, "run", "-preset", preset); out != first {
			t.Errorf("%s: standard output differs from the file", preset)
		}
	}
}

// The flags -agents, -episodes, -runs and -seed are in the header's spec, and leaving an
// agent out changes no byte of the others.
func TestOverrides(t *testing.T) {
	all := ok(t, "run", "-preset", "fig1", "-episodes", "4", "-runs", "3", "-seed", "5")
	one := ok(t, "run", "-preset", "fig1", "-episodes", "4", "-runs", "3", "-seed", "5", "-agents", "c-psrl")
	if spaced := ok(t, "run", "-preset", "fig1", "-episodes", "4", "-runs", "3", "-seed", "5", "-agents", "psrl, f-psrl, c-psrl"); spaced != all {
		t.Error("a space after a comma changes the run")
	}
	header, err := experiment.DecodeHeader([]byte(strings.SplitAfter(one, "\n")[0]))
	if err != nil {
		t.Fatal(err)
	}
	s := header.Spec
	if s.Episodes != 4 || s.Runs != 3 || s.Seed != 5 || len(s.Agents) != 1 || s.Agents[0] != "c-psrl" {
		t.Errorf("the header's spec is %+v", s)
	}
	var kept []string
	for _, l := range strings.SplitAfter(all, "\n")[1:] {
		if strings.Contains(l, `"agent":"c-psrl"`) {
			kept = append(kept, l)
		}
	}
	if want := strings.SplitAfterN(one, "\n", 2)[1]; strings.Join(kept, "") != want {
		t.Error("another agent changed C-PSRL's records")
	}
	// Labels may have spaces around them, and become canonical.
	odd := ok(t, "run", "-preset", "fig1", "-episodes", "1", "-runs", "1", "-agents", " c-psrl:eta=01, f-psrl:graph=true ")
	if !strings.Contains(odd, `"agents":["c-psrl:eta=1","f-psrl"]`) || !strings.Contains(odd, `"agent":"c-psrl:eta=1"`) {
		t.Errorf("the labels are not canonical: %s", odd)
	}
	// The printed spec of a preset gives the records of the preset.
	path := file(t, "spec.json", ok(t, "presets", "fig1-quick"))
	if ok(t, "run", "-spec", path) != ok(t, "run", "-preset", "fig1-quick") {
		t.Error("presets fig1-quick is not what -preset fig1-quick runs")
	}
}

// interruptedRun runs a preset that takes long into path, and ends it after some records
// have been written.
func interruptedRun(t *testing.T, path string, written func() int64) result {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for written() < 20_000 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	var stdout, stderr bytes.Buffer
	args := []string{"run", "-preset", "fig2c", "-runs", "1000", "-o", path}
	status := run(ctx, args, strings.NewReader(""), &stdout, &stderr)
	return result{status, stdout.String(), stderr.String()}
}

// unnamed returns the size of the file in the folder that does not have its name yet, or 0.
func unnamed(folder string) int64 {
	temps, _ := filepath.Glob(filepath.Join(folder, ".cpsrl.*.tmp"))
	partial, _ := filepath.Glob(filepath.Join(folder, "*.partial*"))
	if temps = append(partial, temps...); len(temps) == 0 {
		return 0
	}
	info, err := os.Stat(temps[len(temps)-1])
	if err != nil {
		return 0
	}
	return info.Size()
}

// whole checks that every line of a records file is whole and returns the number of
// records.
func whole(t *testing.T, content string) int {
	t.Helper()
	if !strings.HasSuffix(content, "\n") {
		t.Fatal("the last line is torn")
	}
	lines := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
	if _, err := experiment.DecodeHeader([]byte(lines[0])); err != nil {
		t.Fatal(err)
	}
	for _, l := range lines[1:] {
		if _, err := record.DecodeRecord([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	return len(lines) - 1
}

func TestInterruptedFileHoldsWholeRecords(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	r := interruptedRun(t, path, func() int64 {
		if _, err := os.Stat(path); err == nil {
			t.Error("the file exists before it is whole")
		}
		return unnamed(folder)
	})
	alone(t, folder, "r.jsonl")
	n := whole(t, read(t, path))
	if n == 0 {
		t.Error("no records")
	}
	if want := fmt.Sprintf("holds the first %d records", n); r.status != statusInterrupted || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, want) {
		t.Errorf("status %d and %q, want %q", r.status, r.stderr, want)
	}
	ok(t, "summary", path)
}

func TestInterruptedBeforeTheFirstRecord(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	h := &host{ctx: ctx, stderr: io.Discard}
	out, err := h.createRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	preset, _ := experiment.LookupPreset("fig1-quick")
	e, err := experiment.New(preset.Spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.writeRecords(e, "", out, 2, &kept{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	alone(t, filepath.Dir(path))
}

// A run that ends early does not replace an earlier file.
func TestInterruptedRunKeepsTheEarlierFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	if err := os.WriteFile(path, []byte("earlier"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := interruptedRun(t, path, func() int64 { return unnamed(folder) })
	alone(t, folder, "r.jsonl", "r.jsonl.partial")
	if got := read(t, path); got != "earlier" {
		t.Errorf("the earlier file holds %.40q", got)
	}
	n := whole(t, read(t, path+".partial"))
	if want := fmt.Sprintf("; %s.partial holds the first %d records, each whole", path, n); n == 0 || !strings.Contains(r.stderr, want) {
		t.Errorf("%d records, %q", n, r.stderr)
	}
}

// If writing fails, the file keeps the whole records, without the torn one.
func TestFailedWriteKeepsWholeRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	h := &host{ctx: context.Background(), stderr: io.Discard}
	out, err := h.createRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	out.w = &smallDisk{to: out.file, room: 20_000}
	preset, _ := experiment.LookupPreset("fig1-quick")
	e, err := experiment.New(preset.Spec)
	if err != nil {
		t.Fatal(err)
	}
	failed := h.writeRecords(e, "", out, 2, &kept{})
	alone(t, filepath.Dir(path), "r.jsonl")
	n := whole(t, read(t, path))
	want := fmt.Sprintf("%s: writing failed: %v; %s holds the first %d records, each whole", path, errFull, path, n)
	if n == 0 || failed == nil || failed.Error() != want || !errors.Is(failed, errFull) {
		t.Errorf("%d records, %v, want %s", n, failed, want)
	}
}

// smallDisk is a disk with little room: the last write is torn.
type smallDisk struct {
	to   io.Writer
	room int
}

var errFull = errors.New("no space is left")

func (f *smallDisk) Write(p []byte) (int, error) {
	n, err := f.to.Write(p[:min(len(p), f.room)])
	if f.room -= n; err == nil && n < len(p) {
		err = errFull
	}
	return n, err
}

// When its context ends, the program leaves a command unless the command has called hold.
// A command that was left can no longer call hold.
func TestLeave(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	stdin, fill := io.Pipe()
	defer fill.Close()
	go func() {
		io.WriteString(fill, " ") // returns when the command has read it
		cancel()
	}()
	var stderr bytes.Buffer
	if status := run(ctx, []string{"plan", "-model", "-"}, stdin, io.Discard, &stderr); status != statusInterrupted || stderr.String() != "cpsrl plan: context canceled\n" {
		t.Errorf("status %d, %q", status, stderr.String())
	}
	left, kept, folder := &host{ctx: ctx}, &host{ctx: ctx}, t.TempDir()
	if !left.leave() || left.hold() != context.Canceled {
		t.Error("a command that was left could call hold")
	}
	if _, err := left.create(filepath.Join(folder, "r.jsonl")); err != context.Canceled {
		t.Error(err)
	}
	alone(t, folder)
	if kept.hold() != nil || kept.leave() || kept.hold() != nil {
		t.Error("a command that has called hold was left")
	}
}

// A file name may be as long as the file system allows.
func TestLongNames(t *testing.T) {
	folder := t.TempDir()
	for _, n := range []int{244, 255} {
		name := strings.Repeat("x", n)
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o666); err != nil {
			t.Skip(err)
		}
		for range 2 { // first as a new file, then over the old one
			ok(t, "run", "-preset", "fig1-quick", "-episodes", "1", "-o", filepath.Join(folder, name))
			alone(t, folder, name)
			os.Remove(filepath.Join(folder, name))
		}
	}
}

// full is a device that takes some bytes and then fails.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return 0, errors.New("no space left on device")
	}
	f.left -= len(p)
	return len(p), nil
}

func TestFullDevice(t *testing.T) {
	for _, args := range [][]string{
		{"run", "-preset", "fig1-quick"},
		{"presets"},
		{"model", "-preset", "fig1"},
		{"transitions", "-model", file(t, "coin.json", coin), "-n", "100000"},
	} {
		var stderr bytes.Buffer
		status := run(context.Background(), args, nil, &full{left: 0}, &stderr)
		if status != statusFailed || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("cpsrl %s: status %d and %q", args[0], status, stderr.String())
		}
	}
}

// A file is replaced by a whole file or not at all, and keeps its permissions.
func TestOverwriting(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	refused(t, cpsrl(t, "run", "-preset", "fig1-quick", "-agents", "c-psrl:eta=9", "-spec", "x", "-o", path))
	if got := read(t, path); got != "old" {
		t.Errorf("a refused run left %q", got)
	}
	ok(t, "run", "-preset", "fig1-quick", "-episodes", "1", "-o", path)
	whole(t, read(t, path))
	alone(t, folder, "r.jsonl")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions became %v, %v", info.Mode(), err)
	}
}

// A link is not replaced; its target is written.
func TestLink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	if err := os.WriteFile(target, []byte(strings.Repeat("old", 1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	ok(t, "run", "-preset", "fig1-quick", "-episodes", "1", "-runs", "1", "-o", link)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if n := whole(t, read(t, target)); n != 3 {
		t.Errorf("%d records in the target", n)
	}
	alone(t, folder, "link", "target")
}

// An experiment whose first run is 5 has the runs 5, … of the experiment that begins with
// run 0, for any number of workers, and verify agrees.
func TestFirstRun(t *testing.T) {
	const start = `{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":2,"actionVariables":1,"parents":2,"horizon":4},"sparseness":2,"episodes":3,"seed":3,`
	s, err := spec.Decode([]byte(start + `"runs":8}`))
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Run >= 5 {
			want = record.AppendRecord(want, r)
		}
	}
	path := file(t, "spec.json", start+`"firstRun":5,"runs":3}`)
	for _, workers := range []string{"1", "3"} {
		records := ok(t, "run", "-spec", path, "-workers", workers)
		header, lines, _ := strings.Cut(records, "\n")
		if h, err := experiment.DecodeHeader([]byte(header)); err != nil || h.Spec.FirstRun != 5 || h.Spec.Runs != 3 {
			t.Errorf("%s workers: the header is %s, %v", workers, header, err)
		}
		if lines != string(want) {
			t.Errorf("%s workers: the records are not the runs 5 to 7 of the experiment", workers)
		}
		// The file to verify is the library's, not the command's own.
		right := file(t, "right.jsonl", header+"\n"+string(want))
		link := strings.TrimSpace(ok(t, "link", "-receipt", right))
		says := fmt.Sprintf("reproduced bit for bit: 27 records, fingerprint %x\n", sha256.Sum256(want))
		for _, args := range [][]string{{right}, {"-link", link}} {
			if out := ok(t, append([]string{"verify", "-workers", workers}, args...)...); out != says {
				t.Errorf("verify %q with %s workers: %q, want %q", args, workers, out, says)
			}
		}
		// trace and model take the first run, not run 0.
		if first, last := ok(t, "trace", "-spec", path), ok(t, "trace", "-spec", path, "-run", "7"); !strings.Contains(first, `"run":5`) || first == last {
			t.Error("trace does not begin with run 5")
		}
		if first := ok(t, "model", "-spec", path); first != ok(t, "model", "-spec", path, "-run", "5") || first == ok(t, "model", "-spec", path, "-run", "6") {
			t.Error("model does not begin with run 5")
		}
	}
}

// If the finished file cannot get its name, the records are not lost, and nothing else is replaced.
func TestRecordsOfATakenName(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "r.jsonl")
	h := &host{ctx: context.Background(), stderr: io.Discard}
	if err := os.WriteFile(path+".partial", []byte("earlier"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := h.createRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	preset, _ := experiment.LookupPreset("fig1-quick")
	e, err := experiment.New(preset.Spec)
	if err != nil {
		t.Fatal(err)
	}
	err = h.writeRecords(e, "", out, 2, &kept{})
	alone(t, folder, "r.jsonl", "r.jsonl.partial", "r.jsonl.partial2")
	if got := read(t, path+".partial"); got != "earlier" {
		t.Errorf("the earlier file holds %.40q", got)
	}
	if n := whole(t, read(t, path+".partial2")); n != e.Records() || err == nil || !strings.HasSuffix(err.Error(), path+".partial2 holds the records") {
		t.Errorf("%d records, %v", n, err)
	}
}

// The estimate of a run is in the largest unit of which it is about two. Without a terminal no
// command prints it.
func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		workers int
		want    string
	}{
		{0, 1, ""}, {60, 1, ""}, {120, 2, ""},
		{61, 1, "1 minute"}, {200, 1, "3 minutes"}, {200, 2, "2 minutes"}, {3600, 1, "60 minutes"}, {5399, 1, "90 minutes"},
		{5400, 1, "2 hours"}, {86400, 1, "24 hours"}, {6 * 86400, 1, "6 days"}, {6 * 86400, 100, "86 minutes"}, {1e9, 1, "32 years"},
	} {
		want := c.want
		if want != "" {
			want = "this takes roughly " + want
		}
		if got := estimate(c.seconds*native, c.workers); got != want {
			t.Errorf("%v s on %d workers: %q, want %q", c.seconds, c.workers, got, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stderr bytes.Buffer
	run(ctx, []string{"run", "-preset", "fig2a", "-episodes", "100000", "-runs", "10000", "-o", os.DevNull}, nil, io.Discard, &stderr)
	if strings.Contains(stderr.String(), "roughly") {
		t.Error(stderr.String())
	}
}

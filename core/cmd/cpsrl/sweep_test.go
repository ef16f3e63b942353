//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"cpsrl/core/export"
	"cpsrl/core/spec"
	"cpsrl/core/sweep"
)

// sixSettings is a sweep of six settings, of which one is impossible.
const sixSettings = "sweep -preset fig1-quick -episodes 3 -runs 2 -vary z=1,2,3 -vary eta=1,2 -quiet"

// settings returns the files of a sweep in a folder by the values of its settings.
func settings(t *testing.T, dir string) map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(ok(t, "sweep", "-list", dir))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, row := range rows[1:] {
		files[strings.Join(row[1:], ",")] = row[0]
	}
	return files
}

// content returns what each file of a folder holds, without the manifests of shards.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range names {
		files[filepath.Base(name)] = read(t, name)
	}
	return files
}

func same(t *testing.T, what string, have, want map[string]string) {
	t.Helper()
	if len(have) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(have), len(want))
	}
	for name, text := range want {
		if have[name] != text {
			t.Errorf("%s: %s has other bytes", what, name)
		}
	}
}

// swept runs a sweep, which may tell something, and returns what it tells.
func swept(t *testing.T, args ...string) string {
	t.Helper()
	r := cpsrl(t, args...)
	if r.status != statusOK || r.stdout != "" || strings.Count(r.stderr, "\n") > 1 {
		t.Fatalf("cpsrl %q: status %d, %q, %q", args, r.status, r.stdout, r.stderr)
	}
	return r.stderr
}

// The file of a setting has the bytes of cpsrl run, and the name of the digest of its spec.
func TestSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	args := append(strings.Fields(sixSettings), "-o", dir)
	told := swept(t, args...)
	files := settings(t, dir)
	possible := 0
	for values, path := range files {
		z, eta, _ := strings.Cut(values, ",")
		r := cpsrl(t, "run", "-preset", "fig1-quick", "-episodes", "3", "-runs", "2", "-z", z, "-eta", eta)
		if _, err := os.Stat(path); err != nil {
			if r.status == statusOK || !strings.Contains(told, "cannot run") {
				t.Errorf("%s is not there: %v", values, err)
			}
			reason := strings.ReplaceAll(strings.TrimSuffix(r.stderr[strings.Index(r.stderr, "/"):], "\n"), `"`, `\"`)
			if manifest := read(t, filepath.Join(dir, "shard-0.json")); !strings.Contains(manifest, `"setting":["`+z+`","`+eta+`"],"reason":"`) || !strings.Contains(manifest, reason) {
				t.Errorf("the manifest %s does not name %s: %s", manifest, values, reason)
			}
			continue
		}
		possible++
		if read(t, path) != r.stdout {
			t.Errorf("%s: the file has other bytes than cpsrl run", values)
		}
		e, _ := spec.Decode([]byte(ok(t, "presets", "fig1-quick")))
		for key, text := range map[string]string{"episodes": "3", "runs": "2", "z": z, "eta": eta} {
			e.Set(key, text)
		}
		if err := e.Complete(); err != nil {
			t.Fatal(err)
		}
		if setting, err := sweep.New(e, "seed=1"); err != nil || filepath.Base(path) != func() string {
			for one := range setting.Settings() {
				return one.ID + ".jsonl"
			}
			return ""
		}() {
			t.Errorf("%s has the name %s", values, path)
		}
	}
	if possible < 4 || possible == len(files) {
		t.Fatalf("%d of %d settings are possible", possible, len(files))
	}
	if out := ok(t, "sweep", "-missing", dir); out != "" {
		t.Errorf("-missing prints %q", out)
	}

	// Nothing is computed again, also with a longer list; what is damaged is.
	times := func() (list []string) {
		for name := range content(t, dir) {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprint(name, info.Sys().(*syscall.Stat_t).Ino, info.ModTime()))
		}
		slices.Sort(list)
		return list
	}
	before := times()
	for _, without := range []string{"", "shard-0.json"} {
		os.Remove(filepath.Join(dir, without)) // the folder cannot be removed
		swept(t, args...)
		if !slices.Equal(times(), before) {
			t.Errorf("files were written again without %q", without)
		}
	}
	longer := slices.Clone(args)
	longer[slices.Index(longer, "z=1,2,3")] = "z=4,1,2,3"
	swept(t, longer...)
	if after := times(); len(after) <= len(before) || slices.ContainsFunc(before, func(one string) bool { return !slices.Contains(after, one) }) {
		t.Error("a longer list changed a file")
	}
	r := cpsrl(t, args...)
	if r.status != statusInvalid || !strings.Contains(r.stderr, "run.json: the folder is of another sweep: its setting 4, 1 is not in this one") {
		t.Errorf("a shorter list: %q", r.stderr)
	}
	whole := content(t, dir)
	victim := files["2,2"]
	for what, damage := range map[string]string{"torn": whole[filepath.Base(victim)][:2000], "empty": "", "changed": strings.Replace(whole[filepath.Base(victim)], `"episode":2`, `"episode":5`, 1)} {
		if err := os.WriteFile(victim, []byte(damage), 0o666); err != nil {
			t.Fatal(err)
		}
		if told := swept(t, longer...); !strings.Contains(told, victim+" was not whole and is computed again") {
			t.Errorf("%s: %q", what, told)
		}
		same(t, what, content(t, dir), whole)
	}
	if err := os.WriteFile(victim, []byte(read(t, files["2,1"])), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := cpsrl(t, longer...); r.status != statusInvalid || !strings.Contains(r.stderr, victim+": the file holds other records than those of its setting") {
		t.Errorf("a foreign file: %q", r.stderr)
	}
}

// Shards share a folder; together they are the sweep of one machine, and each is named while it is missing.
func TestShards(t *testing.T) {
	one, many := t.TempDir(), t.TempDir()
	swept(t, append(strings.Fields(sixSettings), "-o", one)...)
	args := append(strings.Fields(sixSettings), "-o", many)
	if r := cpsrl(t, "sweep", "-missing", many); r.status != statusInvalid || !strings.Contains(r.stderr, "there is no sweep in this folder") {
		t.Errorf("an empty folder: %q", r.stderr)
	}
	swept(t, append(args, "-shard", "2/4")...)
	missing := ok(t, "sweep", "-missing", many)
	if !strings.HasPrefix(missing, "--array=") || strings.Contains(missing, "2") && !strings.Contains(missing, "-") {
		t.Errorf("-missing prints %q", missing)
	}
	if bounded := ok(t, "sweep", "-missing", many, "-max-array", "2"); !strings.Contains(bounded, "OFFSET=2") && strings.Contains(missing, "3") {
		t.Errorf("with arrays of 2, -missing prints %q", bounded)
	}
	for _, k := range []string{"0", "3", "1"} {
		swept(t, append(args, "-shard", k+"/4")...)
	}
	same(t, "four shards", content(t, many), content(t, one))
	if out := ok(t, "sweep", "-missing", many); out != "" {
		t.Errorf("-missing prints %q", out)
	}
	os.Remove(settings(t, many)["2,2"])
	if out := ok(t, "sweep", "-missing", many); !strings.HasPrefix(out, "--array=") || strings.ContainsAny(out, ",-"[:1]) {
		t.Errorf("without a file, -missing prints %q", out)
	}
	for text, says := range map[string]string{"": "expected I/N", "/": "expected I/N", "/4": "expected I/N", "1/": "expected I/N", "1": "expected I/N", "4/4": "expected I/N", "-1/4": "expected I/N", "01/4": "expected I/N", " 1/4": "expected I/N", "1/4/4": "expected I/N", "0/3": "the folder's sweep is in 4 shards, and not in 3"} {
		if r := cpsrl(t, append(args, "-shard", text)...); r.status != statusInvalid || !strings.Contains(r.stderr, says) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("-shard %q: %q", text, r.stderr)
		}
	}
}

func TestSweepRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ args, says string }{
		{"-preset fig1-quick -o DIR", "FILE or -vary KEY=VALUE,… was expected"},
		{"-preset fig1-quick -vary z=2,3", "flag -o: a folder was expected"},
		{"-preset fig1-quick -vary y=2 -o DIR", `flag -vary: "y" is no field that can vary`},
		{"-preset fig1-quick -vary z=300 -o DIR", "flag -vary: z=300: 300 is out of range"},
		{"-preset fig1-quick -vary episodes=0x1 -o DIR", "write digits only"},
		{"-preset fig1-quick -vary episodes=200000,300000 -o DIR", "preset fig1-quick: no setting is possible; the first: /episodes: 200000 is out of range"},
		{"SWEEP -preset fig1-quick -o DIR", "FILE and the flags of an experiment but -data exclude each other"},
		{"SPEC -o DIR", `s.json: /format: the format is "cpsrl/spec"`},
		{"SWEEP -o DIR -shard /8", "a variable such as $SLURM_ARRAY_TASK_ID may not be set"},
		{"SWEEP -o DIR -shard 1/", "a variable such as $SLURM_ARRAY_TASK_ID may not be set"},
		{"SWEEP -o DIR -shard", "flag needs an argument: -shard"},
		{"-missing", "-missing takes one folder"},
		{"-missing nosuch", "there is no sweep in this folder"},
		{"-missing SPEC", "the folder of a sweep was expected"},
		{"SWEEP -o SPEC/x", "the file cannot be written"},
	} {
		args := strings.NewReplacer("DIR", filepath.Join(dir, "x"), "SWEEP", file(t, "w.json", `{"format":"cpsrl/sweep","version":1,"spec":{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"}},"vary":[{"seed":[1,2]}]}`), "SPEC", file(t, "s.json", ok(t, "presets", "fig1-quick"))).Replace(test.args)
		r := cpsrl(t, append([]string{"sweep"}, strings.Fields(args)...)...)
		if r.status != statusInvalid || !strings.Contains(r.stderr, test.says) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q", test.args, r.status, r.stderr)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("a refused sweep has made %v", entries[0])
	}
	if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := cpsrl(t, append(strings.Fields(sixSettings), "-o", dir)...); r.status != statusInvalid || !strings.Contains(r.stderr, "run.json: ") {
		t.Errorf("a damaged manifest: %q", r.stderr)
	}
}

// A link of a sweep is a sweep for the command.
func TestSweepLink(t *testing.T) {
	link := strings.TrimSpace(ok(t, "link", "-preset", "fig1-quick"))
	a, b := t.TempDir(), t.TempDir()
	swept(t, "sweep", "-link", link+"&vary=z=1,2~eta=1,2", "-vary", "runs=1", "-vary", "episodes=2,3", "-o", a)
	swept(t, "sweep", "-preset", "fig1-quick", "-vary", "z=1,2~eta=1,2;runs=1", "-vary", "episodes=2,3", "-o", b)
	same(t, "the link", content(t, a), content(t, b))
}

// A sweep starts from data as its settings do alone: by flags, by its link and by its document. Oracle: cpsrl run. The line
// that a page shows has the flag.
func TestSweepFromData(t *testing.T) {
	data := file(t, "data.jsonl", `{"x":[0,0,0,0],"y":[1,0]}`+"\n")
	from := []string{"-domain", "figure1", "-episodes", "2", "-runs", "2"}
	a, b, c := t.TempDir(), t.TempDir(), t.TempDir()
	swept(t, slices.Concat([]string{"sweep"}, from, []string{"-data", data, "-vary", "z=2,3", "-o", a})...)
	files := settings(t, a)
	for _, z := range []string{"2", "3"} {
		if want := ok(t, slices.Concat([]string{"run"}, from, []string{"-data", data, "-z", z})...); read(t, files[z]) != want {
			t.Errorf("z = %s: other records than those of cpsrl run", z)
		}
	}
	run, err := sweep.DecodeRun([]byte(read(t, filepath.Join(a, "run.json"))))
	if err != nil {
		t.Fatal(err)
	}
	document := file(t, "sweep.json", string(run.Sweep.Encode()))
	swept(t, "sweep", document, "-data", data, "-o", b)
	same(t, "the document", content(t, b), content(t, a))
	if err := run.Sweep.Start(started(t).Spec().Data()); err != nil {
		t.Fatal(err)
	}
	shown := strings.Split(export.SweepCommand(run.Sweep), "\n")
	words := strings.Fields(strings.ReplaceAll(shown[1], "'", ""))
	words[slices.Index(words, "data.jsonl")], words[len(words)-1] = data, c
	swept(t, words[1:]...)
	same(t, "the shown line", content(t, c), content(t, a))
	refused(t, cpsrl(t, "sweep", document, "-data", file(t, "other.jsonl", `{"x":[1,0,0,0],"y":[1,0]}`+"\n"), "-o", b), "the SHA-256 of the transitions is ")
	if r := cpsrl(t, "sweep", document, "-o", t.TempDir()); !strings.Contains(r.stderr, "2 of 2 settings cannot run") {
		t.Errorf("without the file: %q", r.stderr)
	}
}

// A kill at any moment loses no finished setting and leaves no torn file, and the sweep goes on to the same bytes. The
// moments are those at which so many files have their names, drawn at random.
func TestSweepKilled(t *testing.T) {
	program := build(t)
	args := strings.Fields("sweep -preset fig1-quick -episodes 30 -runs 4 -workers 2 -vary seed=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24 -o")
	one, dir := t.TempDir(), t.TempDir()
	swept(t, append(args, one)...)
	want := content(t, one)
	random := rand.New(rand.NewPCG(45, 1))
	moments := random.Perm(23)[:10]
	slices.Sort(moments)
	for _, files := range moments {
		p := start(t, program, append(args, dir)...)
		ended := make(chan bool)
		go func() { p.Wait(); close(ended) }()
		until(t, "the settings before the kill", func() bool {
			select {
			case <-ended:
				return true
			default:
			}
			return len(content(t, dir)) >= files && unnamed(dir) >= int64(random.IntN(8000))
		})
		p.Process.Kill()
		<-ended
		have := content(t, dir)
		for name, text := range have {
			if text != want[name] {
				t.Errorf("after the kill at %d files, %s is torn", files, name)
			}
		}
		if len(have) < files {
			t.Errorf("%d files are left of %d", len(have), files)
		}
	}
	if left := ok(t, "sweep", "-missing", dir); left != "" && left != "--array=0\n" {
		t.Errorf("-missing prints %q", left)
	}
	swept(t, append(args, dir)...)
	same(t, "after ten kills", content(t, dir), want)
}

// Ctrl-C keeps what is whole and says how much that is.
func TestSweepInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if names, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")); len(names) >= 2 {
				cancel()
			}
		}
	}()
	var stdout, stderr bytes.Buffer
	args := strings.Fields("sweep -preset fig2c -episodes 20 -runs 20 -vary seed=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20 -o " + dir)
	status := run(ctx, args, strings.NewReader(""), &stdout, &stderr)
	n := len(content(t, dir))
	if status != statusInterrupted || !strings.Contains(stderr.String(), fmt.Sprintf("; %d of 20 settings are whole", n)) || strings.Count(stderr.String(), "\n") != 1 || n < 2 {
		t.Errorf("status %d, %q with %d files", status, stderr.String(), n)
	}
	if unnamed(dir) != 0 {
		t.Error("a temporary file is left")
	}
	if _, err := os.Stat(filepath.Join(dir, "shard-0.json")); err == nil {
		t.Error("the shard has its manifest")
	}
}

// A disk that has no room for a setting keeps the others and gives one sentence; with room, the sweep goes on.
func TestSweepFullDisk(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	program := build(t)
	dir := t.TempDir()
	args := "sweep -preset fig1-quick -runs 2 -workers 1 -vary episodes=1,2,3,60 -o " + dir
	swept(t, strings.Fields(strings.Replace(args, "1,2,3,60", "1,2,3", 1))...)
	before := content(t, dir)
	c := exec.CommandContext(t.Context(), shell, "-c", "ulimit -f 40; exec "+program+" "+args) // blocks of 512 or 1024 bytes
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if status := statusOf(c.Run()); status != statusFailed || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "writing failed: ") || !strings.Contains(stderr.String(), "; 3 of 4 settings are whole") {
		t.Errorf("status %d, %q", status, stderr.String())
	}
	if unnamed(dir) != 0 {
		t.Error("a temporary file is left")
	}
	same(t, "on a full disk", content(t, dir), before)
	swept(t, strings.Fields(args)...)
	other := t.TempDir()
	swept(t, strings.Fields(strings.ReplaceAll(args, dir, other))...)
	same(t, "after a full disk", content(t, dir), content(t, other))
}

// Two commands in one folder disturb neither each other nor the records.
func TestSweepTwice(t *testing.T) {
	program := build(t)
	args := strings.Fields("sweep -preset fig1-quick -episodes 30 -runs 4 -vary seed=1,2,3,4,5,6,7,8,9,10,11,12 -o")
	one, dir := t.TempDir(), t.TempDir()
	swept(t, append(args, one)...)
	a, b := start(t, program, append(args, dir)...), start(t, program, append(args, dir)...)
	for _, p := range []*process{a, b} {
		if status := statusOf(p.Wait()); status != 0 || p.stderr.Len() > 0 {
			t.Errorf("status %d, %q", status, p.stderr.String())
		}
	}
	same(t, "two commands", content(t, dir), content(t, one))
	if read(t, filepath.Join(dir, "shard-0.json")) != read(t, filepath.Join(one, "shard-0.json")) || unnamed(dir) != 0 {
		t.Error("two commands leave another manifest or a temporary file")
	}
}

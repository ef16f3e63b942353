//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// twoSeeds is a sweep of two settings.
const twoSeeds = "sweep -domain figure1 -agents psrl,c-psrl -runs 2 -episodes 4 -vary seed=1,2 -quiet"

// sweptTwo computes the sweep of two settings. It returns its folder, its arguments, the file of the first setting, and what all
// files hold.
func sweptTwo(t *testing.T) (dir string, args []string, victim string, want map[string]string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "s")
	args = append(strings.Fields(twoSeeds), "-o", dir)
	if told := swept(t, args...); told != "" {
		t.Fatal(told)
	}
	return dir, args, settings(t, dir)["1"], content(t, dir)
}

// flipped returns a text with one bit changed.
func flipped(text string, at int) string {
	data := []byte(text)
	data[at] ^= 1
	return string(data)
}

// No damage of a sweep's records passes for the truth: table and figure refuse it, -missing and -list name it, and the
// sweep computes it again, with a word. Oracle: the files and the table before.
func TestDamagedRecords(t *testing.T) {
	dir, args, victim, want := sweptTwo(t)
	table, text := ok(t, "table", dir), want[filepath.Base(victim)]
	if !strings.Contains(table, "# receipt 2-") {
		t.Fatal("the table has no receipt")
	}
	lines := strings.SplitAfter(text, "\n")
	header := len(lines[0])
	for what, damage := range map[string]string{
		"a digit of a return": lines[0] + altered(t, lines[1]) + strings.Join(lines[2:], ""),
		"a bit of JSON":       flipped(text, header+1),
		"a bit of a number":   flipped(text, header+strings.Index(text[header:], `"value":`)+len(`"value":`)+3),
		"a bit of the header": flipped(text, 1),
		"the header's seed":   strings.Replace(text, `"seed":1`, `"seed":3`, 1),
		"the header's engine": strings.Replace(text, `"engine":2`, `"engine":1`, 1),
		"two lines swapped":   lines[0] + lines[2] + lines[1] + strings.Join(lines[3:], ""),
		"torn":                text[:len(text)-20],
		"empty":               "",
		"zero bytes":          strings.Repeat("\x00", len(text)),
		"a part of it twice":  text + lines[len(lines)-2],
	} {
		put(t, victim, damage)
		r := cpsrl(t, "table", dir)
		if r.status != statusInvalid || !strings.Contains(r.stderr, victim) || strings.Count(r.stderr, "\n") != 1 || r.stdout != "" {
			t.Errorf("%s: table: status %d, %q", what, r.status, r.stderr)
		}
		if r := cpsrl(t, "plot", dir, "-o", "-"); r.status != statusInvalid || !strings.Contains(r.stderr, victim) {
			t.Errorf("%s: plot: status %d, %q", what, r.status, r.stderr)
		}
		if out := ok(t, "sweep", "-missing", dir); out != "--array=0\n" {
			t.Errorf("%s: -missing prints %q", what, out)
		}
		if r := cpsrl(t, "sweep", "-list", dir); r.status != statusOK || !strings.Contains(r.stdout, victim) || !strings.Contains(r.stderr, victim+" was ") {
			t.Errorf("%s: -list: %q, %q", what, r.stdout, r.stderr)
		}
		if told := swept(t, args...); told != "cpsrl: "+victim+" was damaged and is computed again\n" && told != "cpsrl: "+victim+" was not whole and is computed again\n" {
			t.Errorf("%s: the sweep says %q", what, told)
		}
		same(t, what, content(t, dir), want)
		if got := ok(t, "table", dir); got != table {
			t.Errorf("%s: another table: %s", what, got)
		}
		if told := swept(t, args...); told != "" {
			t.Errorf("%s: the second time, the sweep says %q", what, told)
		}
	}
}

// The same records in another notation are no damage, with and without a manifest.
func TestOtherNotation(t *testing.T) {
	dir, args, victim, want := sweptTwo(t)
	table, text, manifest := ok(t, "table", dir), want[filepath.Base(victim)], filepath.Join(dir, "shard-0.json")
	said := read(t, manifest)
	for what, notation := range map[string]string{
		"spaces": strings.ReplaceAll(text, `":`, `": `), "line ends": strings.ReplaceAll(text, "\n", "\r\n"), "byte order mark": "\ufeff" + text, "no last newline": strings.TrimSuffix(text, "\n"), "blank lines": text + "\n\n",
	} {
		for _, without := range []string{"", "shard-0.json"} {
			put(t, victim, notation)
			if os.Remove(filepath.Join(dir, without)); without == "" { // the folder cannot be removed
				if out := ok(t, "sweep", "-missing", dir); out != "" || ok(t, "table", dir) != table {
					t.Errorf("%s: -missing prints %q, or another table", what, out)
				}
			}
			if told := swept(t, args...); told != "" || read(t, victim) != notation || read(t, manifest) != said {
				t.Errorf("%s without %q: the sweep says %q, or has changed a file", what, without, told)
			}
		}
	}
}

// Records of something else are refused and stay, whatever the manifest says: other settings, other engines.
func TestOtherRecords(t *testing.T) {
	dir, args, victim, want := sweptTwo(t)
	files := settings(t, dir)
	swap := func() {
		os.Rename(files["1"], files["1"]+".new")
		os.Rename(files["2"], files["1"])
		os.Rename(files["1"]+".new", files["2"])
	}
	header := want[filepath.Base(victim)][:strings.Index(want[filepath.Base(victim)], "\n")+1]
	older := ok(t, "run", "-domain", "figure1", "-agents", "random", "-runs", "1", "-episodes", "1")
	for what, change := range map[string]func(){
		"swapped":        swap,
		"another engine": func() { put(t, victim, strings.Replace(header, `"engine":2`, `"engine":1`, 1)) },
		"a newer engine": func() { put(t, victim, strings.Replace(older, `"engine":2`, `"engine":3`, 1)) },
		"another sweep":  func() { put(t, victim, older) },
	} {
		change()
		have := content(t, dir)
		for _, command := range [][]string{args, {"table", dir}, {"plot", dir, "-o", "-"}} {
			if r := cpsrl(t, command...); r.status != statusInvalid || !strings.Contains(r.stderr, ".jsonl: the file holds other records than those of its setting") || strings.Contains(r.stderr, "again") {
				t.Errorf("%s: cpsrl %s: status %d, %q", what, command[0], r.status, r.stderr)
			}
		}
		if out := ok(t, "sweep", "-missing", dir); out != "--array=0\n" {
			t.Errorf("%s: -missing prints %q", what, out)
		}
		same(t, what, content(t, dir), have)
		for name, text := range want {
			put(t, filepath.Join(dir, name), text)
		}
	}
	// Without a manifest, the same holds: an engine or a spec in the header is the file's own.
	manifest := read(t, filepath.Join(dir, "shard-0.json"))
	os.Remove(filepath.Join(dir, "shard-0.json"))
	for _, change := range []string{`"engine":1`, `"engine":3`} {
		put(t, victim, strings.Replace(header, `"engine":2`, change, 1))
		for _, command := range [][]string{args, {"table", dir}} {
			if r := cpsrl(t, command...); r.status != statusInvalid || !strings.Contains(r.stderr, "the file holds other records than those of its setting") {
				t.Errorf("%s: cpsrl %s: status %d, %q", change, command[0], r.status, r.stderr)
			}
		}
	}
	put(t, victim, want[filepath.Base(victim)])
	if swept(t, args...); read(t, filepath.Join(dir, "shard-0.json")) != manifest {
		t.Error("another manifest")
	}
}

// What is wrong with a manifest makes nothing true: there is no receipt, the shard is missing, and the sweep writes it again.
func TestDamagedManifests(t *testing.T) {
	dir, args, victim, want := sweptTwo(t)
	table, name := ok(t, "table", dir), filepath.Join(dir, "shard-0.json")
	manifest := read(t, name)
	id := strings.TrimSuffix(filepath.Base(victim), ".jsonl")
	hash := manifest[strings.Index(manifest, `"sha256":"`)+len(`"sha256":"`):][:64]
	withoutReceipt := func(text string) string {
		before, rest, _ := strings.Cut(text, "# receipt ")
		_, after, _ := strings.Cut(rest, "\n")
		return before + after
	}
	for what, test := range map[string]struct {
		damage  string
		refused bool   // by table
		told    string // by the sweep
	}{
		"a hash":          {strings.Replace(manifest, hash, flipped(hash, 5), 1), true, " was damaged and is computed again\n"},
		"an ID":           {strings.Replace(manifest, id, flipped(id, 5), 1), false, ""},
		"the digest":      {flipped(manifest, strings.Index(manifest, `"sweep":"`)+12), false, ""},
		"the JSON":        {flipped(manifest, 0), false, "shard-0.json was damaged, so records that looked whole were taken as they were\n"},
		"another shard":   {strings.Replace(manifest, `"shard":0,"shards":1`, `"shard":1,"shards":2`, 1), false, "shard-0.json was damaged, so records that looked whole were taken as they were\n"},
		"no manifest":     {"", false, "shard-0.json was damaged, so records that looked whole were taken as they were\n"},
		"all impossible":  {strings.Replace(strings.Replace(manifest, `"settings":[`, `"settings":[],"other":[`, 1), `"impossible":[]`, `"impossible":[{"id":"`+id+`","setting":["1"],"reason":"x"}]`, 1), false, "shard-0.json was damaged, so records that looked whole were taken as they were\n"},
		"one, impossible": {manifest[:strings.Index(manifest, `"settings":[`)] + `"settings":[],"impossible":[{"id":"` + id + `","setting":["1"],"reason":"x"}]}` + "\n", false, ""},
	} {
		put(t, name, test.damage)
		r := cpsrl(t, "table", dir)
		switch {
		case test.refused:
			if r.status != statusInvalid || !strings.Contains(r.stderr, ": the file is damaged: its SHA-256 is not that in "+name) {
				t.Errorf("%s: table: %q", what, r.stderr)
			}
		case r.stdout != withoutReceipt(table) || !strings.Contains(r.stderr, "there is no receipt, because a shard is not whole"):
			t.Errorf("%s: table: %s%s", what, r.stdout, r.stderr)
		}
		if out := ok(t, "sweep", "-missing", dir); out != "--array=0\n" {
			t.Errorf("%s: -missing prints %q", what, out)
		}
		if told := swept(t, args...); told != "" != (test.told != "") || !strings.HasSuffix(told, test.told) {
			t.Errorf("%s: the sweep says %q", what, told)
		}
		same(t, what, content(t, dir), want)
		if read(t, name) != manifest || ok(t, "table", dir) != table {
			t.Errorf("%s: another manifest or table", what)
		}
	}
	run := filepath.Join(dir, "run.json")
	whole := read(t, run)
	put(t, run, strings.Replace(whole, `"engine":2`, `"engine":3`, 1))
	for _, command := range [][]string{{"table", dir}, {"plot", dir, "-o", "-"}, {"sweep", "-missing", dir}, {"sweep", "-list", dir}} {
		refused(t, cpsrl(t, command...), "run.json: /engine: the records are of engine version 3; this is version 2")
	}
	// Another value, or another name of a value, is another sweep: the shards are not whole.
	put(t, run, strings.Replace(whole, `"runs":2`, `"runs":3`, 1))
	if out := ok(t, "sweep", "-missing", dir); out != "--array=0\n" {
		t.Errorf("another spec: -missing prints %q", out)
	}
	refused(t, cpsrl(t, "table", dir), "no setting of the sweep is whole")
}

// Whatever stands in the place of a records file or a manifest, a sweep ends, and says what is true.
func TestPlaceTaken(t *testing.T) {
	dir, args, victim, want := sweptTwo(t)
	far := t.TempDir()
	pipe := func(name string) error { return syscall.Mkfifo(name, 0o600) }
	folder := func(name string) error { return os.Mkdir(name, 0o777) }
	link := func(to string) func(string) error { return func(name string) error { return os.Symlink(to, name) } }
	for what, test := range map[string]struct {
		make func(name string) error
		says string // "" if the sweep computes the setting
		lies bool   // whether something is there that is no file
	}{
		"a link to nowhere":      {link("/nowhere/x"), ": the file cannot be written, because the link leads to /nowhere/x: no such file", false},
		"a link to a folder":     {link(far), "a records file was expected, and this is no file", true},
		"a folder":               {folder, "a records file was expected, and this is no file", true},
		"a pipe":                 {pipe, "a records file was expected, and this is no file", true},
		"a link to a pipe":       {func(name string) error { return errors.Join(pipe(far+"/pipe"), os.Symlink(far+"/pipe", name)) }, "a records file was expected, and this is no file", true},
		"a device":               {link(os.DevNull), "a records file was expected, and this is no file", true},
		"links in a circle":      {func(name string) error { return os.Symlink(name, name) }, "too many", true},
		"a link to a file to be": {link(filepath.Join(far, "there")), "", false},
		"a link to a file": {func(name string) error {
			put(t, far+"/whole", want[filepath.Base(victim)])
			return os.Symlink(far+"/whole", name)
		}, "", false},
		"a link to what is damaged": {func(name string) error { put(t, far+"/torn", "{"); return os.Symlink(far+"/torn", name) }, "", false},
		"a link to an empty file":   {func(name string) error { put(t, far+"/empty", ""); return os.Symlink(far+"/empty", name) }, "", false},
		"a link within the folder": {func(name string) error {
			put(t, dir+"/moved", want[filepath.Base(victim)])
			return os.Symlink("moved", name)
		}, "", false},
		"nothing":                    {func(string) error { return nil }, "", false},
		"a folder with the manifest": {func(name string) error { os.Remove(filepath.Join(dir, "shard-0.json")); return folder(name) }, "a records file was expected, and this is no file", true},
	} {
		os.RemoveAll(victim)
		if err := test.make(victim); err != nil {
			t.Skip(err)
		}
		if test.lies {
			if r := cpsrl(t, "table", dir); r.status != statusInvalid || !strings.Contains(r.stderr, victim) {
				t.Errorf("%s: table: status %d, %q", what, r.status, r.stderr)
			}
			if out := ok(t, "sweep", "-missing", dir); out != "--array=0\n" {
				t.Errorf("%s: -missing prints %q", what, out)
			}
		}
		r := cpsrl(t, args...)
		if test.says == "" {
			if r.status != statusOK || read(t, victim) != want[filepath.Base(victim)] || ok(t, "sweep", "-missing", dir) != "" {
				t.Errorf("%s: status %d, %q, or another file", what, r.status, r.stderr)
			}
		} else if r.status != statusInvalid || !strings.Contains(r.stderr, victim) || !strings.Contains(r.stderr, test.says) || strings.Contains(r.stderr, "again") || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q", what, r.status, r.stderr)
		}
	}
	os.RemoveAll(victim)
	swept(t, args...)
	for _, manifest := range []string{"run.json", "shard-0.json"} {
		name := filepath.Join(dir, manifest)
		text := read(t, name)
		for _, taken := range []func(string) error{pipe, folder} {
			os.RemoveAll(name)
			if err := taken(name); err != nil {
				t.Skip(err)
			}
			refused(t, cpsrl(t, args...), name+": the manifest of a sweep was expected, and this is no file")
			if manifest == "run.json" {
				refused(t, cpsrl(t, "table", dir), name+": the manifest of a sweep was expected, and this is no file")
			} else if out := ok(t, "sweep", "-missing", dir); out != "--array=0\n" {
				t.Errorf("-missing prints %q", out)
			}
		}
		os.RemoveAll(name)
		put(t, name, text)
	}
	swept(t, args...)
	same(t, "at last", content(t, dir), want)
}

// Links that lead two settings to one file, which would hold the records of one, are refused before anything is computed.
func TestOneTarget(t *testing.T) {
	dir, args, first, _ := sweptTwo(t)
	second := settings(t, dir)["2"]
	folder := filepath.Join(t.TempDir(), "folder")
	for what, links := range map[string]map[string]string{
		"a file to be":           {first: "there", second: "there"},
		"one by two ways":        {first: "there", second: filepath.Join(folder, "there")},
		"the file of the second": {first: filepath.Base(second), second: ""},
		"the file of the first":  {first: "", second: filepath.Join(folder, filepath.Base(first))},
	} {
		os.Remove(folder)
		symlink(t, dir, folder)
		for name, to := range links {
			os.Remove(name)
			if to != "" {
				symlink(t, to, name)
			}
		}
		refused(t, cpsrl(t, args...), "a link leads to "+dir)
		for _, name := range []string{filepath.Join(dir, "there"), first, second} {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("%s: %s is there", what, name)
			}
		}
	}
	os.Remove(first)
	os.Remove(second)
	symlink(t, "one", first)
	symlink(t, "two", second)
	if told := swept(t, args...); told != "" || ok(t, "sweep", "-missing", dir) != "" {
		t.Errorf("two links to two files: %q", told)
	}
}

// Equal settings are one file, one line of the manifest, and are computed once.
func TestEqualSettings(t *testing.T) {
	dir := t.TempDir()
	swept(t, "sweep", "-domain", "figure1", "-agents", "psrl", "-runs", "1", "-episodes", "2", "-vary", "dirichlet=.5,0.5,1", "-quiet", "-o", dir)
	manifest := read(t, filepath.Join(dir, "shard-0.json"))
	if n := len(content(t, dir)); n != 2 || strings.Count(manifest, `"sha256"`) != 2 {
		t.Errorf("%d files, and the manifest is %s", n, manifest)
	}
	if out := ok(t, "sweep", "-missing", dir); out != "" {
		t.Errorf("-missing prints %q", out)
	}
}

// What a killed command has left in the folder of a sweep is removed when it is old and nobody has it in use.
func TestSweepUp(t *testing.T) {
	dir, args, _, _ := sweptTwo(t)
	name := func(digit string) string { return filepath.Join(dir, ".cpsrl."+strings.Repeat(digit, 8)+".tmp") }
	old := time.Now().Add(-25 * time.Hour)
	for _, digit := range []string{"1", "2", "3"} {
		put(t, name(digit), "{")
	}
	put(t, filepath.Join(dir, ".cpsrl.notes"), "mine")
	for _, digit := range []string{"2", "3"} {
		if err := os.Chtimes(name(digit), old, old); err != nil {
			t.Fatal(err)
		}
	}
	used, err := os.OpenFile(name("3"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	if _, err := tryLock(used); err != nil {
		t.Skip(err)
	}
	swept(t, args...)
	if !exists(name("1")) || exists(name("2")) || !exists(name("3")) || !exists(filepath.Join(dir, ".cpsrl.notes")) {
		t.Errorf("%q are left", hidden(dir))
	}
	refused(t, cpsrl(t, "verify", dir), dir+": a records file was expected, and this is a folder")
}

// Records of an engine that is not known are refused by every command that reads them, in the same words.
func TestUnknownEngine(t *testing.T) {
	records := strings.Replace(ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2"), `"engine":2`, `"engine":3`, 1)
	path := file(t, "r.jsonl", records)
	for _, args := range [][]string{
		{"summary", path}, {"summary", path, "-long"}, {"summary", path, "-endings"}, {"plot", path, "-o", "-"}, {"figure", path}, {"merge", path}, {"merge", path, path}, {"cite", path},
		{"link", "-receipt", path}, {"verify", path, path}, {"run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2", "-resume", "-o", path},
	} {
		r := cpsrl(t, args...)
		refused(t, r, "r.jsonl", "line 1: /engine: the records are of engine version 3; this is version 2")
	}
	if !bytes.Equal([]byte(read(t, path)), []byte(records)) {
		t.Error("the file has changed")
	}
	// To compare bytes nobody needs to know what they mean.
	if out := ok(t, "verify", path); !strings.Contains(out, "although they are of engine version 3 and this is version 2") {
		t.Error(out)
	}
}

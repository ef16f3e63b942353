package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No command writes over a file that it reads, by whatever names the two are given.
func TestOutputIsInput(t *testing.T) {
	records := ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2")
	spec := ok(t, "presets", "fig1-quick")
	for _, c := range []struct {
		input, content string
		args           []string // without the file and -o
	}{
		{"r.jsonl", records, []string{"figure"}},
		{"r.svg", records, []string{"plot"}},
		{"s.json", spec, []string{"run", "-spec"}},
	} {
		folder := t.TempDir()
		t.Chdir(folder)
		if err := os.WriteFile(c.input, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		names := []string{c.input, "./" + c.input, "../" + filepath.Base(folder) + "/" + c.input, filepath.Join(folder, c.input)}
		for name, link := range map[string]func(string, string) error{"link-" + c.input: os.Symlink, "hard-" + c.input: os.Link} {
			if link(c.input, name) == nil {
				names = append(names, name)
			}
		}
		if upper := strings.ToUpper(c.input[:1]) + c.input[1:]; exists(upper) { // the case does not matter here
			names = append(names, upper)
		}
		for _, in := range names {
			for _, out := range names {
				refused(t, cpsrl(t, append(c.args, in, "-o", out)...), out+": ", "is read", "the output must be another one")
			}
		}
		for _, out := range names {
			stdin, err := os.Open(c.input)
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), append(c.args, "-", "-o", out), stdin, &stdout, &stderr)
			refused(t, result{status, stdout.String(), stderr.String()}, out+": ", "is read as standard input")
			stdin.Close()
		}
		if got := read(t, c.input); got != c.content {
			t.Fatalf("%s lost its content: %.40q", c.input, got)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Standard output that is appended to an input (>>) is refused, too. An input that is also a
// terminal or a device is not.
func TestStandardOutputIsInput(t *testing.T) {
	records := ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2")
	path := file(t, "r.jsonl", records)
	for _, args := range [][]string{{"summary", path}, {"summary", path, "-long"}, {"figure", path}, {"figure", path, "-o", "-"}, {"summary", "-"}, {"link", "-receipt", path}, {"verify", path}} {
		stdin, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		status := run(context.Background(), args, stdin, stdout, &stderr)
		stdin.Close()
		stdout.Close()
		refused(t, result{status, "", stderr.String()}, "standard output: ", "is read")
		if got := read(t, path); got != records {
			t.Fatalf("cpsrl %q: the file has %d bytes, not %d", args, len(got), len(records))
		}
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var stderr bytes.Buffer
	if status := run(context.Background(), []string{"posterior", "-prior", file(t, "p.json", coinPrior), "-transitions", os.DevNull}, null, null, &stderr); status != statusOK {
		t.Errorf("a device that is read and written: status %d, %q", status, stderr.String())
	}
}

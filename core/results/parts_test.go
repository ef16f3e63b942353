package results_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/internal/small"
)

// partSpec is an experiment of two agents, two runs and three episodes: four plays of three lines.
func partSpec(t *testing.T, rest string) *spec.Spec {
	return specOf(t, `{"name":"figure1"}`, `,"agents":["psrl","c-psrl"],"episodes":3,"firstRun":4,"runs":2`+rest)
}

// fileOf returns the bytes that the engine writes for a spec, as lines.
func fileOf(t *testing.T, s *spec.Spec) []string {
	e := ready(t, s)
	file := slices.Concat(experiment.AppendHeader(nil, e.Header()), small.Encoded(run(t, s)))
	return strings.SplitAfter(strings.TrimSuffix(string(file), "\n"), "\n")
}

func part(t *testing.T, content string) *results.Part {
	t.Helper()
	p, err := results.ReadPart("r.jsonl", strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// linesOf returns the lines of a play, and the error that ends them.
func linesOf(p *results.Part, run int, agent string, file io.ReaderAt) (text string, err error) {
	for piece, wrong := range p.Lines(run, agent, file) {
		if err = wrong; err == nil {
			text += string(piece)
		}
	}
	return text, err
}

// plays are those of partSpec, in the order of a file.
var plays = []struct {
	run   int
	agent string
}{{4, "psrl"}, {4, "c-psrl"}, {5, "psrl"}, {5, "c-psrl"}}

// A part has the plays of which all lines are there, wherever the file ends, and gives the lines that the engine writes,
// in whatever notation the file has them. Oracle: the records of the experiment.
func TestPart(t *testing.T) {
	lines := fileOf(t, partSpec(t, ""))
	lines[len(lines)-1] += "\n"
	file := strings.Join(lines, "")
	spaced := func(k int) string { // line k in another notation
		list := slices.Clone(lines)
		list[k] = strings.Replace(list[k], `,"agent":`, `, "agent":`, 1)
		return strings.Join(list, "")
	}
	contents := map[string]string{
		"plain": file, "other line ends": strings.ReplaceAll(file, "\n", "\r\n"), "blank lines": strings.ReplaceAll(file, "\n", "\n\n"),
		"byte order mark": "\ufeff" + file, "torn behind": file + lines[1][:9], "blank behind": file + "\n", "spaces behind": file + "  ",
		"header only": lines[0], "runs in another order": lines[0] + strings.Join(lines[7:], "") + strings.Join(lines[1:7], ""),
		"an end in between": strings.Join(lines[:6], "") + strings.Join(lines[7:], ""),
	}
	for k := range lines {
		contents["another notation of "+strings.Repeat("i", k)] = spaced(k)
		contents["cut after "+strings.Repeat("i", k)] = strings.Join(lines[:k+1], "")
		contents["torn after "+strings.Repeat("i", k)] = strings.Join(lines[:k+1], "")[:len(strings.Join(lines[:k+1], ""))-1]
	}
	for name, content := range contents {
		if name == "another notation of " { // of the header, which has no agent
			content = strings.Replace(file, `,"spec":`, ` ,"spec":`, 1)
		}
		if strings.HasPrefix(name, "torn after") && strings.Count(content, "\n") == 0 {
			continue // the header
		}
		p := part(t, content)
		if p.Whole != (content == file) {
			t.Errorf("%s: whole is %v", name, p.Whole)
		}
		here := content[:strings.LastIndex(content, "\n")+1] // without what is torn
		for k, of := range plays {
			want := strings.Join(lines[1+3*k:4+3*k], "")
			all := true
			for _, line := range lines[1+3*k : 4+3*k] {
				all = all && strings.Contains(strings.ReplaceAll(strings.ReplaceAll(here, `, "agent":`, `,"agent":`), "\r\n", "\n"), line)
			}
			if p.Has(of.run, of.agent) != all {
				t.Errorf("%s: has run %d of %s: %v", name, of.run, of.agent, !all)
			}
			if !p.Has(of.run, of.agent) {
				continue
			}
			if got, err := linesOf(p, of.run, of.agent, strings.NewReader(content)); got != want || err != nil {
				t.Errorf("%s: run %d of %s: %v, and\n%s", name, of.run, of.agent, err, got)
			}
		}
		if p.Has(3, "psrl") || p.Has(6, "psrl") || p.Has(4, "random") {
			t.Errorf("%s: has what is not in the spec", name)
		}
	}
}

// With an error in a line comes what is before it.
func TestPartBeforeAnError(t *testing.T) {
	lines := fileOf(t, partSpec(t, ""))
	for k := 1; k < len(lines); k++ {
		p, err := results.ReadPart("r.jsonl", strings.NewReader(strings.Join(lines[:k], "")+"\x00\x00\n"+strings.Join(lines[k:], "")))
		line, is := errors.AsType[*strict.LineError](err)
		if !is || line.Number != k+1 || p == nil || p.Whole {
			t.Fatalf("line %d: %v", k+1, err)
		}
		for at, of := range plays {
			if p.Has(of.run, of.agent) != (k >= 4+3*at) {
				t.Errorf("an error in line %d: has run %d of %s: %v", k+1, of.run, of.agent, k < 4+3*at)
			}
		}
	}
	if p, err := results.ReadPart("r.jsonl", strings.NewReader("{}\n")); p != nil || err == nil {
		t.Errorf("without a header: %v, %v", p, err)
	}
}

// A file that is no longer what it was when it was read is an error: nothing is left out in silence.
func TestPartOfChangedFile(t *testing.T) {
	lines := fileOf(t, partSpec(t, ""))
	file := strings.Join(lines, "") + "\n"
	other := strings.Replace(file, `"runs":2,`, `"runs":2, `, 1) // the lines are elsewhere
	for name, content := range map[string]string{"plain": file, "other notation": strings.ReplaceAll(file, `,"agent":`, `, "agent":`)} {
		p := part(t, content)
		ends := strings.LastIndex(strings.TrimSuffix(content, "\n"), "\n") + 1
		for what, now := range map[string]string{"empty": "", "shorter by a line": content[:ends], "torn": content[:len(content)-9], "longer before": other} {
			text, err := linesOf(p, 5, "c-psrl", strings.NewReader(now))
			if wrong, is := errors.AsType[*strict.InputError](err); !is || wrong.Name != "r.jsonl" || wrong.Err.Error() != "the file has changed since it was read" {
				t.Errorf("%s, %s: %v with %d bytes", name, what, err, len(text))
			}
		}
		broken := errors.New("a broken disk")
		if _, err := linesOf(p, 5, "c-psrl", failing{broken}); err != broken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// What cannot be one experiment is refused with the name of the file.
func TestJoin(t *testing.T) {
	whole := fileOf(t, partSpec(t, ""))
	named := func(name, content string) *results.Part {
		p := part(t, content)
		p.Name = name
		return p
	}
	first := strings.Join(fileOf(t, specOf(t, `{"name":"figure1"}`, `,"agents":["psrl","c-psrl"],"episodes":3,"firstRun":4,"runs":1`)), "") + "\n"
	last := strings.Join(fileOf(t, specOf(t, `{"name":"figure1"}`, `,"agents":["c-psrl","psrl"],"episodes":3,"firstRun":5,"runs":1`)), "") + "\n"
	joined, err := results.Join([]*results.Part{named("a", first), named("b", last)})
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for piece, err := range joined.Lines([]io.ReaderAt{strings.NewReader(first), strings.NewReader(last)}) {
		if err != nil {
			t.Fatal(err)
		}
		got += string(piece)
	}
	if got != strings.Join(whole, "")+"\n" {
		t.Error("the parts are not joined to the bytes of the whole")
	}
	header := strings.SplitAfter(first, "\n")[0]
	for says, parts := range map[string][]*results.Part{
		"b: run 4 of psrl is in a, too":                                        {named("a", first), named("b", first)},
		"a: run 5 of psrl is in no file":                                       {named("a", first), named("b", strings.Join(strings.SplitAfter(last, "\n")[:4], ""))},
		"a: run 4 of psrl is in no file":                                       {named("a", header)},
		"b: the engine version is 1, and 2 in a":                               {named("a", first), named("b", strings.Replace(header, `"engine":2`, `"engine":1`, 1))},
		"b: the records are of another experiment: /episodes is 9, and 3 in a": {named("a", first), named("b", strings.Replace(header, `"episodes":3`, `"episodes":9`, 1))},
	} {
		_, err := results.Join(parts)
		if _, is := errors.AsType[*strict.InputError](err); !is || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

// Records of an engine that is not known are refused by all that reads them; what compares lines without reading them
// goes on.
func TestUnknownEngine(t *testing.T) {
	file := strings.Replace(strings.Join(fileOf(t, partSpec(t, "")), ""), `"engine":2`, `"engine":3`, 1) + "\n"
	const says = "line 1: /engine: the records are of engine version 3; this is version 2"
	if _, err := results.ReadPart("r.jsonl", strings.NewReader(file)); err == nil || err.Error() != says {
		t.Error(err)
	}
	if _, err := results.ReadPart("r.jsonl", strings.NewReader("\n\n"+file)); err == nil || err.Error() != strings.Replace(says, "1", "3", 1) {
		t.Error(err)
	}
	reader, err := results.NewReader(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range reader.Raw() {
		if n++; err != nil {
			t.Error(err)
		}
	}
	if n != 12 {
		t.Errorf("%d lines", n)
	}
}

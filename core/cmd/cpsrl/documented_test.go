package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every command line of the page about sweeps has flags and operands that the command takes.
func TestDocumentedCommands(t *testing.T) {
	lines := 0
	for line := range strings.Lines(read(t, "../../../site/docs/cluster.md")) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " > ")
		line = strings.Replace(line, "$AWS_BATCH_JOB_ARRAY_INDEX", "0", 1)
		args := strings.Fields(line)
		if len(args) < 2 || args[0] != "cpsrl" {
			continue
		}
		lines++
		c, err := lookup(args[1])
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		flags, _ := c.flags()
		rest, err := parse(flags, args[2:])
		if err != nil || len(rest) > len(c.operands) && !c.many || len(rest) < len(c.operands) && !c.optional {
			t.Errorf("%s: %v, operands %q", line, err, rest)
		}
	}
	if lines < 9 {
		t.Errorf("the page has %d command lines", lines)
	}
}

// The jobs of the page, each shard in a folder of its own as on machines without a shared disk, give the table of one machine.
func TestDocumentedJobs(t *testing.T) {
	page := read(t, "../../../site/docs/cluster.md")
	page = page[strings.Index(page, "### Containers"):]
	list := file(t, "sweep.json", `{"format":"cpsrl/sweep","version":1,"spec":{"format":"cpsrl/spec","version":4,"domain":{"name":"figure1"},"episodes":3,"runs":2},
		"vary":[{"sparseness":[2,3,4]},{"seed":[1,2,3,4]}]}`)
	one := filepath.Join(t.TempDir(), "one")
	ok(t, "sweep", list, "-quiet", "-o", one)
	want := ok(t, "table", one)
	for name, line := range map[string]*regexp.Regexp{
		"Kubernetes": regexp.MustCompile(`args: \[(sweep, .*)\]`),
		"AWS Batch":  regexp.MustCompile(`(?m)^cpsrl (sweep .*)$`),
		"Nextflow":   regexp.MustCompile(`"cpsrl (sweep .*)"`),
	} {
		found := line.FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("the page has no job for %s", name)
		}
		var all []string
		for i := range 8 {
			dir := filepath.Join(t.TempDir(), "sweep")
			index := regexp.MustCompile(`\$\(JOB_COMPLETION_INDEX\)|\$AWS_BATCH_JOB_ARRAY_INDEX|\$\{i\}`).ReplaceAllLiteralString(found[1], fmt.Sprint(i))
			args := strings.FieldsFunc(index, func(r rune) bool { return strings.ContainsRune(`, "`, r) })
			if args[1] != "sweep.json" || args[3] != "sweep" {
				t.Fatalf("%s: %q", name, args)
			}
			args[1], args[3] = list, dir
			ok(t, append(args, "-quiet")...)
			all = append(all, dir)
		}
		if have := ok(t, append([]string{"table"}, all...)...); have != want {
			t.Errorf("%s: the table is\n%s, want\n%s", name, have, want)
		}
		if have, want := ok(t, append([]string{"plot", "-o", "-"}, all...)...), ok(t, "plot", "-o", "-", one); have != want {
			t.Errorf("%s: the figure differs", name)
		}
		part := cpsrl(t, append([]string{"table"}, all[1:]...)...)
		if part.status != 0 || !strings.Contains(part.stdout, "# ") || strings.Contains(part.stdout, "receipt") {
			t.Errorf("%s: without a shard: %+v", name, part)
		}
	}
	two := filepath.Join(t.TempDir(), "two")
	ok(t, "sweep", "-preset", "fig1-quick", "-episodes", "2", "-runs", "1", "-vary", "z=2,3", "-quiet", "-o", two)
	if r := cpsrl(t, "table", one, two); r.status != 2 || !strings.Contains(r.stderr, "another sweep than the first") {
		t.Errorf("two sweeps: %+v", r)
	}
	if r := cpsrl(t, "table", one, t.TempDir()); r.status != 2 || !strings.Contains(r.stderr, "there is no sweep in this folder") {
		t.Errorf("an empty folder: %+v", r)
	}
}

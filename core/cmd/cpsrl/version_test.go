package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// The version is of the build: of the release, else of the module; the rest is unknown.
func TestVersion(t *testing.T) {
	text := ok(t, "version")
	for _, word := range []string{"-version", "--version"} {
		if got := ok(t, word); got != text {
			t.Errorf("cpsrl %s: %q", word, got)
		}
	}
	refused(t, cpsrl(t, "version", "x"), "nothing was expected")
	system := fmt.Sprintf(" %s/%s, commit ", runtime.GOOS, runtime.GOARCH)
	rest := fmt.Sprintf("\nengine %d\nformats spec %d, ", record.Engine, spec.Version)
	settings := func(pairs ...string) (list []debug.BuildSetting) {
		for k := 0; k < len(pairs); k += 2 {
			list = append(list, debug.BuildSetting{Key: pairs[k], Value: pairs[k+1]})
		}
		return list
	}
	for _, c := range []struct {
		release     string
		info        *debug.BuildInfo
		first, last string
	}{
		{"", nil, "cpsrl unknown", runtime.Version() + system + "unknown\n"},
		{"2.0.0", nil, "cpsrl 2.0.0", runtime.Version() + system + "unknown\n"},
		{"", &debug.BuildInfo{GoVersion: "go9", Main: debug.Module{Version: "(devel)"}, Settings: settings("vcs.modified", "true", "vcs.revision", "abc")}, "cpsrl (devel)", "go9" + system + "abc, changed\n"},
		{"2.0.0", &debug.BuildInfo{GoVersion: "go9", Main: debug.Module{Version: "v1"}, Settings: settings("vcs.revision", "abc", "vcs.modified", "false")}, "cpsrl 2.0.0", "go9" + system + "abc\n"},
	} {
		if got := string(versions(c.release, c.info)); !strings.HasPrefix(got, c.first+rest) || !strings.HasSuffix(got, "\n"+c.last) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Oracle: what the readers say of a version that they do not know.
func TestVersionsOfFormats(t *testing.T) {
	heading := func(format string) []byte { return fmt.Appendf(nil, `{"format":%q,"version":99}`, "cpsrl/"+format) }
	asked := map[string]error{}
	_, asked["spec"] = spec.Decode(heading("spec"))
	_, asked["model"] = document.DecodeModel(heading("model"))
	_, asked["prior"] = document.DecodePrior(heading("prior"))
	_, asked["records"] = experiment.DecodeHeader(heading("records"))
	_, asked["trace"] = record.DecodeTrace(heading("trace"))
	_, asked["link"] = spec.DecodeLink("v=99&domain=taxi")
	for format, err := range asked {
		k := slices.IndexFunc(formats, func(f string) bool { return strings.HasPrefix(f, format+" ") })
		if k < 0 || err == nil {
			t.Errorf("%s is missing, or version 99 of it is read", format)
			continue
		}
		if version := strings.Fields(formats[k])[1]; !strings.HasSuffix(err.Error(), "knows up to "+version) && !strings.HasSuffix(err.Error(), " to "+version) {
			t.Errorf("%s: %v", formats[k], err)
		}
	}
	figure := ok(t, "figure", file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2")))
	if f := decode[strict.Heading](t, figure); !slices.Contains(formats, fmt.Sprintf("figure %d", f.Version)) {
		t.Errorf("figure %d", f.Version)
	}
}

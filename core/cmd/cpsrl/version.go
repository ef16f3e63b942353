package main

import (
	"cmp"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"cpsrl/core/record"
)

// release is the version of a release. build.sh sets it.
var release string

// formats are the formats with their newest versions. A test asks the readers.
var formats = []string{"spec 7", "model 4", "prior 4", "records 3", "trace 2", "figure 1", "link 7"}

var versionCommand = command{
	name:  "version",
	short: "print the versions of the program, its engine and its formats",
	long: `Prints the version of the program, the engine version, on which the bytes of records depend, the newest version of
each format, and what the program was built with, as far as the build tells.`,
	setup: func(*flag.FlagSet) action {
		return func(h *host, args []string) error {
			info, _ := debug.ReadBuildInfo()
			return h.print(versions(release, info))
		}
	},
}

// versions describes the program. The information about the build may be nil.
func versions(release string, info *debug.BuildInfo) []byte {
	const unknown = "unknown"
	commit := ""
	if info == nil {
		info = new(debug.BuildInfo)
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value + commit
		case s.Key == "vcs.modified" && s.Value == "true":
			commit += ", changed"
		}
	}
	b := fmt.Appendf(nil, "cpsrl %s\nengine %d\nformats %s\n", cmp.Or(release, info.Main.Version, unknown), record.Engine, strings.Join(formats, ", "))
	return fmt.Appendf(b, "%s %s/%s, commit %s\n", cmp.Or(info.GoVersion, runtime.Version()), runtime.GOOS, runtime.GOARCH, cmp.Or(commit, unknown))
}

package core_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// read returns a document of the project.
func read(t *testing.T, name string) string {
	t.Helper()
	data, err := fs.ReadFile(root, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The documents that newcomers and users read first stay short. A word is what stands between
// two spaces.
func TestShort(t *testing.T) {
	for name, most := range map[string]int{"ARCHITECTURE.md": 2050, "README.md": 1800, "site/ARCHITECTURE.md": 2100} {
		if words := len(strings.Fields(read(t, name))); words > most {
			t.Errorf("%s has %d words, and may have %d", name, words, most)
		}
	}
	_, changes, _ := strings.Cut(read(t, "CHANGELOG.md"), "\n## ")
	for section := range strings.SplitSeq(changes, "\n## ") {
		title, _, _ := strings.Cut(section, "\n")
		if words := len(strings.Fields(section)); words > 750 {
			t.Errorf("CHANGELOG.md: %s has %d words, and may have 750", title, words)
		}
	}
}

// The files and folders that these documents name exist. NAME stands for any name.
func TestPathsExist(t *testing.T) {
	quoted := regexp.MustCompile("`((?:core|render|wasm|site|studies)/[\\w./-]+)`|\\]\\(([\\w./-]+)(?:#[\\w-]+)?\\)")
	for _, name := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "site/ARCHITECTURE.md"} {
		paths := quoted.FindAllStringSubmatch(read(t, name), -1)
		if len(paths) < 5 {
			t.Errorf("%s names %d paths", name, len(paths))
		}
		for _, m := range paths {
			file := m[1]
			if file == "" {
				file = path.Join(path.Dir(name), m[2])
			}
			if strings.Contains(file, "NAME") {
				file = path.Dir(file)
			}
			if _, err := fs.Stat(root, file); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

package engine

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"cpsrl/internal/formattest"
)

// merged asks for files to be joined.
func merged(files ...[2]string) (path, body string) {
	query := url.Values{}
	for _, f := range files {
		query.Add("name", f[0])
		query.Add("size", fmt.Sprint(len(f[1])))
		body += f[1]
	}
	return "/v1/merge?" + query.Encode(), body
}

// Oracle: the records of the whole experiment.
func TestMerge(t *testing.T) {
	run := func(old, new string) string {
		return ask("POST", "/v1/run", strings.Replace(small, old, new, 1)).Body.String()
	}
	whole := run("", "")
	first, rest := run(`"runs":3`, `"runs":1`), run(`"firstRun":2,"runs":3`, `"firstRun":3,"runs":2`)
	torn := whole[:len(whole)-7] // the last run is not whole
	last := run(`"firstRun":2,"runs":3`, `"firstRun":4,"runs":1`)
	for name, files := range map[string][][2]string{
		"one":     {{"whole.jsonl", whole}},
		"two":     {{"first.jsonl", first}, {"rest.jsonl", rest}},
		"in turn": {{"rest.jsonl", rest}, {"first.jsonl", first}},
	} {
		path, body := merged(files...)
		if got := ask("POST", path, body); got.Code != http.StatusOK || got.Body.String() != whole {
			t.Errorf("%s: %d, %.200s", name, got.Code, got.Body)
		}
	}
	path, body := merged([2]string{"first.jsonl", "\ufeff" + first}, [2]string{"rest.jsonl", "\ufeff" + rest})
	if got := ask("POST", path, body); got.Code != http.StatusOK || got.Body.String() != whole {
		t.Errorf("with byte order marks: %d, %.200s", got.Code, got.Body)
	}
	for encoding, wide := range formattest.Wide(rest) {
		path, body := merged([2]string{"first.jsonl", first}, [2]string{"rest.jsonl", string(wide)})
		refused(t, ask("POST", path, body), http.StatusBadRequest, "", "rest.jsonl: line 1: this file is "+encoding[:6]+"; save it as UTF-8")
	}
	for says, files := range map[string][][2]string{
		"rest.jsonl: run 3 of psrl is in whole.jsonl, too":                                   {{"whole.jsonl", whole}, {"rest.jsonl", rest}},
		"first.jsonl: run 3 of psrl is in no file":                                           {{"first.jsonl", first}, {"last.jsonl", last}},
		"torn.jsonl: run 4 of c-psrl is in no file":                                          {{"torn.jsonl", torn}},
		"other.jsonl: the records are of another experiment: /seed is 8, and 7 in":           {{"first.jsonl", first}, {"other.jsonl", run(`"seed":7`, `"seed":8`)}},
		"new.jsonl: line 1, /engine: the records are of engine version 3; this is version 2": {{"new.jsonl", strings.Replace(first, `"engine":2`, `"engine":3`, 1)}},
		"text.txt: line 1": {{"text.txt", "a text\n"}},
	} {
		path, body := merged(files...)
		refused(t, ask("POST", path, body), http.StatusBadRequest, "", says)
	}
	for path, says := range map[string]string{
		"/v1/merge":                   "a size and a name for each file",
		"/v1/merge?size=3":            "a size and a name for each file",
		"/v1/merge?size=99999&name=a": `the size "99999" is not that of a part of the body`,
		"/v1/merge?size=-1&name=a":    `the size "-1" is not`,
		"/v1/merge?size=three&name=a": `the size "three" is not`,
	} {
		refused(t, ask("POST", path, "abc"), http.StatusBadRequest, "", says)
	}
}

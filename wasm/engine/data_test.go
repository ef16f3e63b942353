package engine

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// Transitions in any form are the data that a request can hold; what comes back names them. Oracle: the
// hash of the lines by hand.
func TestData(t *testing.T) {
	const lines = "{\"x\":[0,0,0,0],\"y\":[1,0]}\n{\"x\":[1,0,1,1],\"y\":[0,0]}\n"
	const table = "X1,X2,X3,X4,X1',X2'\n0,0,0,0,1,0\n1,0,1,1,0,0\n1,,1,1,0,0\n"
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(lines)))
	about := ask("POST", "/v1/check", small)
	if about.Code != http.StatusOK {
		t.Fatal(about.Body)
	}
	var shown struct {
		Problem struct{ State, Action []struct{ Name string } }
	}
	json.Unmarshal(about.Body.Bytes(), &shown)
	var names []string
	for _, v := range append(shown.Problem.State, shown.Problem.Action...) {
		names = append(names, v.Name)
	}
	table2 := table
	for k := len(names) - 1; k >= 0; k-- {
		table2 = strings.ReplaceAll(table2, fmt.Sprintf("X%d", k+1), names[k])
	}
	var steps string
	for _, text := range []string{lines, table2} {
		body, _ := json.Marshal(text)
		w := ask("POST", "/v1/data", `{"spec":`+small+`,"text":`+string(body)+`}`)
		var got Begun
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK || got.SHA256 != hash || len(got.Steps) != 2 || got.Rows != 2 {
			t.Fatalf("%q: %d %s, %v, want %s", text, w.Code, w.Body, err, hash)
		}
		raw, _ := json.Marshal(got.Steps)
		steps = string(raw)
	}
	// Its columns may be called in another way, and what one is for can be said.
	other := strings.ReplaceAll(table2, "\n", ",9\n")
	other = strings.Replace(other, ",9", ",when", 1)
	body, _ := json.Marshal(strings.ToLower(other))
	var called Begun
	w := ask("POST", "/v1/data", `{"spec":`+small+`,"text":`+string(body)+`,"columns":["when=step"]}`)
	if err := json.Unmarshal(w.Body.Bytes(), &called); err != nil || called.SHA256 != hash || !strings.Contains(w.Body.String(), `{"name":"when","role":"step"}`) {
		t.Errorf("%d %s, %v", w.Code, w.Body, err)
	}
	// A spec with the list runs, and its records name it; without it, it is refused with its place.
	with := func(data string) string {
		return strings.Replace(strings.Replace(small, `"version":1`, `"version":5`, 1), `"domain"`, `"prior":{"eta":1,"data":`+data+`},"domain"`, 1)
	}
	run := ask("POST", "/v1/run", with(steps))
	if run.Code != http.StatusOK || !strings.Contains(strings.SplitN(run.Body.String(), "\n", 2)[0], `"data":"`+hash+`"`) {
		t.Errorf("%d %.300s", run.Code, run.Body)
	}
	w = ask("POST", "/v1/check", with(`"`+hash+`"`))
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "the experiment starts from data with the SHA-256 "+hash) || !strings.Contains(w.Body.String(), `"pointer":"/prior/data"`) || !strings.Contains(w.Body.String(), `"problem":{`) {
		t.Errorf("%d %.300s", w.Code, w.Body)
	}
	// A link names the data; it opens to its spec, and the spec is refused until the file is there.
	linked := ask("POST", "/v1/link", `{"spec":`+with(`"`+hash+`"`)+`}`)
	if linked.Code != http.StatusOK || !strings.Contains(linked.Body.String(), "data="+hash) {
		t.Fatalf("%s", linked.Body)
	}
	var link Linked
	json.Unmarshal(linked.Body.Bytes(), &link)
	opened := ask("POST", "/v1/open", `{"link":"#`+link.Link+`"}`)
	if opened.Code != http.StatusOK || strings.Contains(opened.Body.String(), `"checked"`) || !strings.Contains(opened.Body.String(), `"data":"`+hash+`"`) {
		t.Errorf("%d %.300s", opened.Code, opened.Body)
	}
	for text, says := range map[string]string{
		"":                           "there is no transition to start from",
		"a,b\n1,2\n":                 "there is no column of the variable",
		"{\"x\":[0],\"y\":[1,0]}":    "line 1",
		lines + lines[:20]:           "line 3",
		strings.Repeat(lines, 50001): "more than 100000",
	} {
		body, _ := json.Marshal(text)
		if w := ask("POST", "/v1/data", `{"spec":`+small+`,"text":`+string(body)+`}`); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%.40q: %d %s", text, w.Code, w.Body)
		}
	}
}

// Lines may lack a next value, and say what was paid, as those of "cpsrl problem -data" do; what no agent could start from is refused
// with the number of the step. The names are those that "cpsrl run -data" gives.
func TestDataPaid(t *testing.T) {
	const told = `{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":{"format":"cpsrl/model","version":2,"horizon":3,` +
		`"state":[{"name":"day","size":2},{"name":"sky","size":2}],"action":[{"name":"a","size":2}],"initial":"uniform",` +
		`"transition":[{"of":"day","given":["day"],"p":[[0,1],[1,0]],"known":true},{"of":"sky","given":["sky"],"p":[[0.5,0.5],[0.5,0.5]]}],` +
		`"reward":[{"name":"pay","scope":"hidden","given":["sky"],"mean":[0,2],"kind":"fixed","range":[0,2]}]}},"rewards":"learned"}`
	for _, c := range []struct{ lines, want string }{
		{"{\"x\":[0,0,0],\"y\":[1,-1],\"paid\":[2]}\n{\"x\":[0,1,0],\"y\":[-1,-1]}\n", `"steps":[{"x":[0,0,0],"y":[1,-1],"paid":[2]},{"x":[0,1,0],"y":[-1,-1]}]`},
		{"{\"x\":[0,0,0],\"y\":[1,-1],\"paid\":[3]}\n", "3 is no payoff that agents can learn"},
		{"{\"x\":[0,0,0],\"y\":[1,-1],\"paid\":[1,1]}\n", "2 numbers for 1 payoff"},
		{"{\"x\":[0,0,0],\"y\":[0,-1]}\n", "the law of \\\"day\\\", which agents are told, excludes this value"},
		{"{\"x\":[0,9,0],\"y\":[1,-1]}\n", "has no value 9"},
	} {
		body, _ := json.Marshal(c.lines)
		w := ask("POST", "/v1/data", `{"spec":`+told+`,"text":`+string(body)+`}`)
		if begun := w.Code == http.StatusOK; !strings.Contains(w.Body.String(), c.want) || begun != strings.HasPrefix(c.want, `"steps"`) || begun && !strings.Contains(w.Body.String(), fmt.Sprintf("%x", sha256.Sum256([]byte(c.lines)))) {
			t.Errorf("%s: %d %s, want %s", c.lines, w.Code, w.Body, c.want)
		}
	}
}

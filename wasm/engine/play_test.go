package engine

import (
	"bytes"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/render/film"
)

// Oracles: the answers of /v1/film, /v1/run and /v1/summary about the same agent in the same run.
func TestPlay(t *testing.T) {
	last := func(body []byte) []byte {
		lines := bytes.Split(bytes.TrimSpace(body), []byte("\n"))
		return lines[len(lines)-1]
	}
	defer func(usual time.Duration) { snapshotTime = usual }(snapshotTime)
	snapshotTime = 0 // as on a slow machine
	for _, spec := range []string{small, strings.Replace(small, `"episodes":5`, `"episodes":300`, 1)} {
		for _, agent := range ready(t, specOf(t, spec)).Spec().Agents {
			w := ask("POST", "/v1/play?run=3&agent="+agent, spec)
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/jsonl" {
				t.Fatalf("status %d: %s", w.Code, w.Body)
			}
			var of, want film.Film
			var records string
			episodes, grew := 0, 0
			for line := range bytes.Lines(w.Body.Bytes()) {
				var got Played
				if err := json.Unmarshal(line, &got); err != nil {
					t.Fatal(err)
				}
				if got.Film != nil {
					of.Append(got.Film)
				}
				records += got.Records
				if s := got.Snapshot; s != nil && !s.Final {
					grew++
					if n := len(s.Series[0].Mean); s.Runs != 0 || n != episodes+got.Episodes {
						t.Errorf("%s: after %d episodes a snapshot has %d", agent, episodes+got.Episodes, n)
					}
				}
				if episodes += got.Episodes; strings.Count(records, "\n") != episodes || got.Unfilmed != "" {
					t.Fatalf("%d episodes, but %d lines; %q", episodes, strings.Count(records, "\n"), got.Unfilmed)
				}
			}
			for line := range bytes.Lines(ask("POST", "/v1/film?run=3&agent="+agent, spec).Body.Bytes()) {
				var piece film.Film
				if err := json.Unmarshal(line, &piece); err != nil {
					t.Fatal(err)
				}
				want.Append(&piece)
			}
			if grew == 0 {
				t.Errorf("%s: no snapshot before the last", agent)
			}
			if !reflect.DeepEqual(of, want) {
				t.Errorf("%s: the film has %d marks and %d frames, want %d and %d", agent, len(of.Marks), len(of.Frames), len(want.Marks), len(want.Frames))
			}
			alone := strings.NewReplacer(`"agents":["psrl","c-psrl"]`, `"agents":["`+agent+`"]`, `"firstRun":2,"runs":3`, `"firstRun":3,"runs":1`).Replace(spec)
			file := ask("POST", "/v1/run", alone).Body.String()
			if _, run, _ := strings.Cut(file, "\n"); records != run {
				t.Errorf("%s: other records than those of the run", agent)
			}
			var end struct {
				Snapshot jsontext.Value `json:"snapshot"`
			}
			if err := json.Unmarshal(last(w.Body.Bytes()), &end); err != nil {
				t.Fatal(err)
			}
			if summary := last(ask("POST", "/v1/summary", file).Body.Bytes()); string(end.Snapshot) != string(summary) {
				t.Errorf("%s: the last snapshot is\n%.400s\nwant\n%.400s", agent, end.Snapshot, summary)
			}
		}
	}
	for query, want := range map[string][2]string{
		"agent=c-psrl":        {"", `the run "" is not a whole number`},
		"run=3&agent=q":       {"/agents", `there is no agent "q"`},
		"run=99&agent=c-psrl": {"/runs", "there is no run 99"},
	} {
		refused(t, ask("POST", "/v1/play?"+query, small), http.StatusBadRequest, want[0], want[1])
	}
}

// What is too large to be drawn is played all the same.
func TestPlayUnfilmed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	large := strings.NewReplacer(`"name":"figure1","horizon":3`, `"name":"figure1","horizon":8192`, `"episodes":5`, `"episodes":1100`, `"version":1`, `"version":3`, `["psrl","c-psrl"]`, `["random"]`).Replace(small)
	var first, last Played
	lines := bytes.Split(bytes.TrimSpace(ask("POST", "/v1/play?run=2&agent=random", large).Body.Bytes()), []byte("\n"))
	if err := json.Unmarshal(lines[0], &first); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil {
		t.Fatal(err)
	}
	if first.Film != nil || !strings.HasPrefix(first.Unfilmed, "1100 episodes would list") || last.Snapshot == nil || last.Snapshot.Runs != 1 {
		t.Errorf("the first line is %+v, the last %+v", first, last)
	}
}

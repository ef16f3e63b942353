package engine

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/strict"
)

// Oracle: Experiment.Episodes. Each line also contains the record of /v1/run.
func TestEpisodes(t *testing.T) {
	w := ask("POST", "/v1/episodes?run=3&agent=c-psrl&last=3", small)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/jsonl" {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	episodes, err := ready(t, specOf(t, small)).Episodes(t.Context(), 3, "c-psrl", 3)
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for episode, err := range episodes {
		if err != nil {
			t.Fatal(err)
		}
		want = strict.AppendLine(want, episode)
	}
	if !bytes.Equal(w.Body.Bytes(), want) {
		t.Errorf("got %s\nwant %s", w.Body, want)
	}
	for query, says := range map[string]string{
		"agent=c-psrl&last=3":        `the run "" is not a whole number`,
		"run=3&agent=c-psrl":         `the last "" is not a whole number`,
		"run=3&agent=c-psrl&last=1e": `the last "1e" is not a whole number`,
		"run=3&agent=q&last=3":       `there is no agent "q"`,
		"run=3&agent=c-psrl&last=0":  "there is no episode 0",
		"run=99&agent=c-psrl&last=1": "there is no run 99",
	} {
		w := ask("POST", "/v1/episodes?"+query, small)
		var d Details
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != http.StatusBadRequest || !strings.Contains(d.Detail, says) {
			t.Errorf("%s: %d %+v, want %s", query, w.Code, d, says)
		}
	}
}

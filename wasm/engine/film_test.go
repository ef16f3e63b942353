package engine

import (
	"bytes"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/render/film"
)

// Oracle: film.Of, after the lines have been put together.
func TestFilm(t *testing.T) {
	e := ready(t, specOf(t, small))
	for _, agent := range e.Spec().Agents {
		w := ask("POST", "/v1/film?run=3&agent="+agent, small)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/jsonl" {
			t.Fatalf("status %d: %s", w.Code, w.Body)
		}
		var got film.Film
		for line := range bytes.Lines(w.Body.Bytes()) {
			var piece film.Film
			if err := json.Unmarshal(line, &piece); err != nil {
				t.Fatal(err)
			}
			got.Append(&piece)
		}
		want, err := film.Of(t.Context(), e, 3, agent, film.Learning(e.Spec().Episodes, film.Smooth))
		if err != nil {
			t.Fatal(err)
		}
		if got.Agent != want.Agent || got.Height != want.Height || !reflect.DeepEqual(got.Marks, want.Marks) || !reflect.DeepEqual(got.Frames, want.Frames) {
			t.Errorf("%s: the lines are %d marks and %d frames, want %d and %d", agent, len(got.Marks), len(got.Frames), len(want.Marks), len(want.Frames))
		}
	}
	w := ask("POST", "/v1/film?run=3&agent=c-psrl&last=2", small)
	var last film.Film
	for line := range bytes.Lines(w.Body.Bytes()) {
		if err := json.Unmarshal(line, &last); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(last.Frames); n == 0 || last.Frames[n-1].Episode != 2 || last.Episodes != e.Spec().Episodes {
		t.Errorf("the film up to episode 2 ends with %+v", last)
	}
	for query, says := range map[string]string{
		"run=3&agent=c-psrl&last=0": "there is no episode 0",
		"run=3&agent=c-psrl&last=a": `the last "a" is not a whole number`,
		"agent=c-psrl":              `the run "" is not a whole number`,
		"run=3&agent=q":             `there is no agent "q"`,
		"run=99&agent=c-psrl":       "there is no run 99",
	} {
		w := ask("POST", "/v1/film?"+query, small)
		var d Details
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != http.StatusBadRequest || !strings.Contains(d.Detail, says) {
			t.Errorf("%s: %d %+v, want %s", query, w.Code, d, says)
		}
	}
}

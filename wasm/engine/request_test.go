package engine

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"cpsrl/wasm/web"
)

// FuzzRequest checks that every request is answered in text or refused in one sentence.
func FuzzRequest(f *testing.F) {
	records := ask("POST", "/v1/run", strings.NewReplacer(`"runs":3`, `"runs":2`, `"episodes":5`, `"episodes":2`).Replace(small)).Body.String()
	const pair = `{"format":"cpsrl/prior","version":1,"state":[{"name":"a","size":2}],"action":[{"name":"b","size":2}],"sparseness":1,"edges":[]}` + "\n"
	for _, seed := range [][3]string{
		{"/v1/\xff", "", ""},
		{"/v1/presets", "", ""},
		{"/v1/check", "", small},
		{"/v1/link", "", `{"spec":` + small + `,"view":{"logX":true,"watched":{"run":2,"episode":1}},"unknown":["a=b"]}`},
		{"/v1/open", "", `{"link":"#v=1&domain=taxi&prior=row:col&watch=0,1"}`},
		{"/v1/run", "", small},
		{"/v1/trace", "run=2&agent=psrl&episode=1", small},
		{"/v1/episodes", "run=2&agent=psrl&last=1", small},
		{"/v1/edges", "run=2&agent=c-psrl&episode=1&samples=2&average=occupancy", small},
		{"/v1/summary", "paired=c-psrl,psrl&strict=true", records},
		{"/v1/difference", "agent=c-psrl&base=psrl&agentMark=%FF", records},
		{"/v1/difference", "agent=c-psrl&base=psrl&split=100", records + records},
		{"/v1/spread", "of=recall", records},
		{"/v1/export", "as=csv&base=%FF", records},
		{"/v1/export", "as=paired&paired=c-psrl,psrl", records},
		{"/v1/export", "as=tikz", `{"spec":` + small + `,"graph":[[0],[2]],"run":3,"agent":"c-psrl"}`},
		{"/v1/export", "as=bibtex", `{"spec":` + small + `,"base":"https://example.org/"}`},
		{"/v1/prior", "", `{"spec":` + small + `,"text":"X1 -> X2 0.5\nX9 -> é"}`},
		{"/v1/prior", "", `{"spec":` + small + `,"text":"digraph { X1 -> X2 [label=.9]; X9 -> é }"}`},
		{"/v1/posterior", "top=1&prior=apart&update=printed&bound=below", pair + `{"x":[0,0],"y":[1]}` + "\n"},
		{"/v1/posterior", "", `{"format":"cpsrl/prior","version":1,"acti\n":[]}`},
		{"/v1/normalise", "", strings.Replace(spin, "[1,0]", "[2,0.5]", 1)},
		{"/v1/convert", "name=%FF", mdp},
		{"/v1/chart", "as=pgfplots", twoLines},
		{"/v1/chart", "", strings.NewReplacer(`"width":700`, `"width":100,"title":"a  wide     title"`, `"type":13,"theme":"page"`, `"type":53`).Replace(twoLines)},
		{"/v1/chart", "as=pgfplots", strings.Replace(twoLines, `"measure"`, `"title":"a\u0000b","measure"`, 1)},
		{"/v1/batch", "", batch("/v1/chart", twoLines) + "\n" + batch("/v1/check", small)},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	plays := map[string]bool{"/v1/run": true, "/v1/runs": true, "/v1/trace": true, "/v1/episodes": true, "/v1/edges": true}
	f.Fuzz(func(t *testing.T, path, query, body string) {
		method := http.MethodPost
		if path == "/v1/presets" {
			method = http.MethodGet
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if plays[path] { // the client leaves at once
			cancel()
		}
		r := httptest.NewRequestWithContext(ctx, method, "/", strings.NewReader(body))
		r.URL = &url.URL{Path: path, RawQuery: query}
		w := httptest.NewRecorder()
		func() {
			defer func() {
				if p := recover(); p != nil && p != http.ErrAbortHandler { // a stream that fails is cut off
					panic(p)
				}
			}()
			web.Handler(Handler()).ServeHTTP(w, r)
		}()
		if !utf8.Valid(w.Body.Bytes()) {
			t.Errorf("%s?%s is answered with bytes that are no text: %.200q", path, query, w.Body)
		}
		if Handler().(endpoints)[path].document && bytes.Contains(w.Body.Bytes(), []byte{0}) {
			t.Errorf("%s?%s is answered with a zero byte, which would end it in a batch: %.200q", path, query, w.Body)
		}
		if w.Code == http.StatusOK {
			return
		}
		var d Details
		if err := json.Unmarshal(w.Body.Bytes(), &d, json.RejectUnknownMembers(true)); err != nil || d.Status != w.Code || d.Detail == "" || strings.Contains(d.Detail, "\n") || len(d.Detail) > 1000 {
			t.Errorf("%s?%s: status %d, %.1200q, %v", path, query, w.Code, w.Body, err)
		}
	})
}

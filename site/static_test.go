package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
)

func TestStatic(t *testing.T) {
	const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'">`
	site := Static(fstest.MapFS{
		"index.html":                  &fstest.MapFile{Data: []byte(page)},
		"assets/page-0A1B2C3D.js":     &fstest.MapFile{Data: []byte("1")},
		"assets/engine-ABCDEF01.wasm": &fstest.MapFile{Data: []byte("\x00asm")},
		"playground.mjs":              &fstest.MapFile{Data: []byte("1")},
		"about/index.html":            &fstest.MapFile{Data: []byte(page)},
	})
	for _, test := range []struct {
		method, path string
		status       int
		header       map[string]string
	}{
		{"GET", "/", 200, map[string]string{
			"Content-Type":            "text/html; charset=utf-8",
			"Content-Security-Policy": "default-src 'self'; frame-ancestors *",
			"Cache-Control":           "no-cache",
			"X-Content-Type-Options":  "nosniff",
		}},
		{"GET", "/assets/page-0A1B2C3D.js", 200, map[string]string{
			"Content-Type":                "text/javascript; charset=utf-8",
			"Cache-Control":               "public, max-age=31536000, immutable",
			"Access-Control-Allow-Origin": "*",
			"Content-Security-Policy":     "",
		}},
		{"GET", "/playground.mjs", 200, map[string]string{"Content-Type": "text/javascript; charset=utf-8"}},
		{"HEAD", "/assets/engine-ABCDEF01.wasm", 200, map[string]string{"Content-Type": "application/wasm"}},
		{"GET", "/about", 301, map[string]string{"Location": "/about/"}},
		{"GET", "/about/", 200, nil},
		{"GET", "/assets/", 404, nil},
		{"GET", "/../main.go", 404, nil},
		{"GET", "/nothing", 404, map[string]string{"X-Content-Type-Options": "nosniff"}},
		{"POST", "/", 405, map[string]string{"Allow": "GET, HEAD"}},
	} {
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequest(test.method, test.path, nil))
		if w.Code != test.status {
			t.Errorf("%s %s: status %d, want %d", test.method, test.path, w.Code, test.status)
		}
		for name, want := range test.header {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s %s: %s is %q, want %q", test.method, test.path, name, got, want)
			}
		}
	}
}

func TestStaticUnchanged(t *testing.T) {
	site := Static(fstest.MapFS{"index.html": &fstest.MapFile{Data: []byte("page")}})
	first := httptest.NewRecorder()
	site.ServeHTTP(first, httptest.NewRequest("GET", "/", nil))
	again := httptest.NewRequest("GET", "/", nil)
	again.Header.Set("If-None-Match", first.Header().Get("ETag"))
	w := httptest.NewRecorder()
	site.ServeHTTP(w, again)
	if w.Code != http.StatusNotModified {
		t.Errorf("status %d, want 304", w.Code)
	}
}

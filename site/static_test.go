package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

func TestStatic(t *testing.T) {
	const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'">`
	site := Static(fstest.MapFS{
		"index.html":                  &fstest.MapFile{Data: []byte(page)},
		"assets/page-0A1B2C3D.js":     &fstest.MapFile{Data: []byte("1")},
		"assets/engine-ABCDEF01.wasm": &fstest.MapFile{Data: []byte("\x00asm")},
		"playground.mjs":              &fstest.MapFile{Data: []byte("1")},
		"about/index.html":            &fstest.MapFile{Data: []byte(page)},
		"cpsrl/404.html":              &fstest.MapFile{Data: []byte(page)},
	})
	for _, test := range []struct {
		method, path string
		status       int
		header       map[string]string
	}{
		{"GET", "/", 200, map[string]string{
			"Content-Type":            "text/html; charset=utf-8",
			"Content-Security-Policy": "default-src 'self'",
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
		{"GET", "/about?embed=1&theme=dark", 301, map[string]string{"Location": "/about/?embed=1&theme=dark"}},
		{"GET", "/about/", 200, nil},
		{"GET", "/assets/", 404, nil},
		{"GET", "/../main.go", 404, nil},
		{"GET", "/nothing", 404, map[string]string{"X-Content-Type-Options": "nosniff"}},
		{"GET", "/cpsrl/fig9/", 404, map[string]string{
			"Content-Type":            "text/html; charset=utf-8",
			"Content-Security-Policy": "default-src 'self'",
			"Cache-Control":           "no-cache",
		}},
		{"GET", "/cpsrl/assets/page-00000000.js", 404, map[string]string{"Cache-Control": "no-cache"}},
		{"GET", "/other/fig9/", 404, map[string]string{"Content-Type": "text/plain; charset=utf-8"}},
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

func TestStaticCompressed(t *testing.T) {
	text := strings.Repeat("posterior ", 1000)
	tree := fstest.MapFS{"a.js": {Data: []byte(text)}, "short.js": {Data: []byte("1")}}
	site := Static(tree)
	get := func(method, path string, headers ...string) *http.Response {
		r := httptest.NewRequest(method, path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Add(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		return w.Result()
	}
	body := func(r *http.Response) string {
		data, err := io.ReadAll(r.Body)
		switch coding := r.Header.Get("Content-Encoding"); {
		case len(data) == 0:
		case coding == "br":
			data, err = io.ReadAll(brotli.NewReader(bytes.NewReader(data)))
		}
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
	for accept, want := range map[string]string{
		"gzip, deflate, br, zstd": "br", "br": "br", "zstd, BR;q=0.5": "br",
		"": "", "gzip, deflate": "", "br;q=0, gzip": "", "br; q=0.000, *": "", "*;q=0": "", "identity": "", "brotli": "",
	} {
		r := get("GET", "/a.js", "Accept-Encoding", accept)
		if got := r.Header.Get("Content-Encoding"); got != want || r.Header.Get("Vary") != "Accept-Encoding" || body(r) != text {
			t.Errorf("Accept-Encoding: %s: the encoding is %q, Vary %q", accept, got, r.Header.Get("Vary"))
		}
	}
	plain, packed := get("GET", "/a.js"), get("GET", "/a.js", "Accept-Encoding", "br")
	tag := packed.Header.Get("ETag")
	if plain.Header.Get("ETag") == tag {
		t.Errorf("two forms have the tag %s", tag)
	}
	if again := get("GET", "/a.js", "Accept-Encoding", "br").Header.Get("ETag"); again != tag {
		t.Errorf("one form has the tags %s and %s", tag, again)
	}
	head := get("HEAD", "/a.js", "Accept-Encoding", "br")
	if length := packed.Header.Get("Content-Length"); head.Header.Get("Content-Length") != length || length == "" || head.Header.Get("Content-Encoding") != "br" || body(head) != "" {
		t.Errorf("HEAD: %v, want %v", head.Header, packed.Header)
	}
	if n, _ := strconv.Atoi(packed.Header.Get("Content-Length")); n >= len(text)/10 {
		t.Errorf("the compressed file has %d bytes", n)
	}
	if r := get("GET", "/a.js", "Accept-Encoding", "br", "If-None-Match", tag); r.StatusCode != http.StatusNotModified || r.Header.Get("ETag") != tag || body(r) != "" {
		t.Errorf("unchanged: %s %v", r.Status, r.Header)
	}
	// The tag of one form does not stand for another form.
	if r := get("GET", "/a.js", "If-None-Match", tag); r.StatusCode != http.StatusOK || body(r) != text {
		t.Errorf("the plain form: %s", r.Status)
	}
	// A range is a range of the plain file.
	if r := get("GET", "/a.js", "Accept-Encoding", "br", "Range", "bytes=10-18"); r.StatusCode != http.StatusPartialContent || r.Header.Get("Content-Encoding") != "" || body(r) != "posterior" {
		t.Errorf("a range: %s %v", r.Status, r.Header)
	}
	if r := get("GET", "/a.js", "Accept-Encoding", "br", "Range", "bytes=10-18", "If-Range", tag); r.StatusCode != http.StatusOK || body(r) != text {
		t.Errorf("a range of the compressed file: %s", r.Status)
	}
	if r := get("GET", "/a.js", "Accept-Encoding", "br", "Range", "bytes=99999-"); r.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("a range beyond the end: %s", r.Status)
	}
	if r := get("GET", "/short.js", "Accept-Encoding", "br"); r.Header.Get("Content-Encoding") != "" || body(r) != "1" {
		t.Error("a file is compressed although it does not get smaller")
	}
	tree["a.js"] = &fstest.MapFile{Data: []byte(strings.Repeat("prior ", 1000))}
	if r := get("GET", "/a.js", "Accept-Encoding", "br", "If-None-Match", tag); r.StatusCode != http.StatusOK || body(r) != strings.Repeat("prior ", 1000) {
		t.Errorf("a new file of the old name: %s", r.Status)
	}
}

// What the build has compressed is served, unless it is of another content.
func TestStaticBuiltBrotli(t *testing.T) {
	text := strings.Repeat("prior ", 1000)
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, 0) // as the server would not
	io.WriteString(w, text)
	w.Close()
	tree := fstest.MapFS{"a.js": {Data: []byte(text)}, "a.js.br": {Data: b.Bytes()}}
	site := Static(tree)
	ask := func() *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/a.js", nil)
		r.Header.Set("Accept-Encoding", "br, gzip")
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		return w
	}
	got := ask()
	if h := got.Header(); !bytes.Equal(got.Body.Bytes(), b.Bytes()) || h.Get("Content-Encoding") != "br" || h.Get("Content-Type") != types[".js"] || h.Get("Vary") != "Accept-Encoding" {
		t.Errorf("%d bytes, %v", got.Body.Len(), h)
	}
	tree["a.js"] = &fstest.MapFile{Data: []byte(text + "posterior")}
	if data, err := io.ReadAll(brotli.NewReader(ask().Body)); string(data) != text+"posterior" {
		t.Errorf("%.100q, %v", data, err)
	}
}

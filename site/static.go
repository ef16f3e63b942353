package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
)

// types are the media types of the files in dist/. They do not depend on the machine.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".ttf":         "font/ttf",
	".py":          "text/x-python; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

// hashed matches files that carry a hash of their content in their name.
var hashed = regexp.MustCompile(`-[0-9A-Z]{8}\.[a-z0-9]+$`)

// policy finds the policy in a page's <meta>.
var policy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)"`)

// Static serves the files of a tree. A directory answers with its index.html and is never
// listed. If there is no file, the nearest 404.html above answers. Browsers may keep files
// with a hash in their name for a year; they ask for the other files each time, with the
// ETag. A client that accepts Brotli and asks for a whole file gets it compressed, if that
// makes it smaller: NAME.br is NAME, as the build has compressed it. Each form has its own ETag.
func Static(tree fs.FS) http.Handler {
	var packs sync.Map // by file name: the *pack of the file's last content
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		// A sandboxed frame has an opaque origin. Without these headers it loads nothing.
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Cross-Origin-Resource-Policy", "cross-origin")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			header.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are served here", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if info, err := fs.Stat(tree, cmp.Or(name, ".")); err == nil && info.IsDir() {
			if !strings.HasSuffix(r.URL.Path, "/") {
				to := url.URL{Path: path.Base(name) + "/", RawQuery: r.URL.RawQuery}
				http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
				return
			}
			name = path.Join(name, "index.html")
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			if data = missing(tree, name); data == nil {
				http.Error(w, "there is no such file", http.StatusNotFound)
				return
			}
			header.Set("Content-Type", types[".html"])
			header.Set("Content-Security-Policy", policyOf(data, "404.html"))
			header.Set("Cache-Control", "no-cache")
			w.WriteHeader(http.StatusNotFound)
			w.Write(data) // net/http drops the body of an answer to HEAD
			return
		}
		header.Set("Content-Type", cmp.Or(types[path.Ext(name)], "application/octet-stream"))
		if policy := policyOf(data, name); policy != "" {
			header.Set("Content-Security-Policy", policy)
		}
		if hashed.MatchString(name) {
			header.Set("Cache-Control", "public, max-age=31536000, immutable")
		} else {
			header.Set("Cache-Control", "no-cache")
		}
		tag := fmt.Sprintf("%x", sha256.Sum256(data))
		header.Set("Vary", "Accept-Encoding")
		if takesBrotli(r.Header.Values("Accept-Encoding")) && r.Header.Get("Range") == "" {
			p, ok := packs.Load(name)
			if !ok || p.(*pack).tag != tag {
				p = &pack{tag, packed(tree, name, data)}
				packs.Store(name, p)
			}
			if small := p.(*pack).data; len(small) < len(data) {
				data, tag = small, tag+"-br"
				header.Set("Content-Encoding", "br")
				header.Set("Content-Length", strconv.Itoa(len(data)))
			}
		}
		header.Set("ETag", `"`+tag+`"`)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	})
}

// policyOf returns the policy of a page for the header, or "". The policy names no ancestors, so that every page may
// have the site in a frame: frame-ancestors * would keep out sandboxed pages, whose origin is opaque.
func policyOf(page []byte, name string) string {
	m := policy.FindSubmatch(page)
	if m == nil || path.Ext(name) != ".html" {
		return ""
	}
	return html.UnescapeString(string(m[1]))
}

// missing returns the page for a name without a file: the nearest 404.html above, as static hosts
// do, or nil if there is none.
func missing(tree fs.FS, name string) []byte {
	for name != "." {
		name = path.Dir(name)
		if data, err := fs.ReadFile(tree, path.Join(name, "404.html")); err == nil {
			return data
		}
	}
	return nil
}

// A pack is the compressed form of the content with that tag.
type pack struct {
	tag  string
	data []byte
}

// packed returns a file's content by Brotli. What the build has compressed is believed only if it is that of this content.
// At level 6, for the rest, Brotli takes less time than gzip at its best level and makes the engine 15% smaller.
func packed(tree fs.FS, name string, data []byte) []byte {
	if packed, err := fs.ReadFile(tree, name+".br"); err == nil {
		plain, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(packed)), int64(len(data))+1))
		if err == nil && bytes.Equal(plain, data) {
			return packed
		}
	}
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, 6)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// takesBrotli reports whether the header Accept-Encoding names Brotli. Browsers do, for https and for loopback.
func takesBrotli(values []string) bool {
	for part := range strings.SplitSeq(strings.ToLower(strings.Join(values, ",")), ",") {
		name, weight, _ := strings.Cut(part, ";")
		_, q, weighed := strings.Cut(weight, "q=")
		if strings.TrimSpace(name) == "br" {
			return !weighed || strings.Trim(q, "0. ") != ""
		}
	}
	return false
}

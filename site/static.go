package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
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
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

// hashed matches files that carry a hash of their content in their name.
var hashed = regexp.MustCompile(`-[0-9A-Z]{8}\.[a-z0-9]+$`)

// policy finds the policy that a page carries in its own <meta>.
var policy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)"`)

// Static serves the files of a tree. A directory answers with its index.html
// and is never listed; where nothing is, the nearest 404.html above answers. Browsers may
// keep files with a hash in their name for a year; they ask again for the other files each
// time, with the ETag. A file goes compressed by gzip to who accepts that and asks for all
// of it, if that makes it smaller; each form has an ETag of its own.
func Static(tree fs.FS) http.Handler {
	var packed sync.Map // by a file's name: the *pack of its last content
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		// A sandboxed frame has an opaque origin: it loads nothing without these.
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
				http.Redirect(w, r, path.Base(name)+"/", http.StatusMovedPermanently)
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
			w.Write(data) // nothing of an answer to HEAD
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
		if r.Header.Get("Range") == "" && acceptsGzip(r.Header.Values("Accept-Encoding")) {
			p, ok := packed.Load(name)
			if !ok || p.(*pack).tag != tag {
				p = &pack{tag, compress(data)}
				packed.Store(name, p)
			}
			if small := p.(*pack).data; len(small) < len(data) {
				data, tag = small, tag+"-gzip"
				header.Set("Content-Encoding", "gzip")
				header.Set("Content-Length", strconv.Itoa(len(data)))
			}
		}
		header.Set("ETag", `"`+tag+`"`)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	})
}

// policyOf is the policy of a page, as a header; empty without one.
func policyOf(page []byte, name string) string {
	m := policy.FindSubmatch(page)
	if m == nil || path.Ext(name) != ".html" {
		return ""
	}
	ancestors := "; frame-ancestors *"
	if name == "stage.html" { // * matches no opaque origin, but sandboxed pages may frame the stage
		ancestors = ""
	}
	return html.UnescapeString(string(m[1])) + ancestors
}

// missing is the page that stands where nothing is: the nearest 404.html above, as static
// hosts have it; nil without one.
func missing(tree fs.FS, name string) []byte {
	for name != "." {
		name = path.Dir(name)
		if data, err := fs.ReadFile(tree, path.Join(name, "404.html")); err == nil {
			return data
		}
	}
	return nil
}

// pack is the compressed form of the content with that tag.
type pack struct {
	tag  string
	data []byte
}

func compress(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// acceptsGzip reads the header Accept-Encoding (RFC 9110, 12.5.3): what is said of gzip
// comes before what is said of *.
func acceptsGzip(values []string) bool {
	accepted := map[string]bool{}
	for coding := range strings.SplitSeq(strings.ToLower(strings.Join(values, ",")), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		_, q, weighed := strings.Cut(weight, "q=")
		n, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		accepted[strings.TrimSpace(name)] = !weighed || err == nil && n > 0
	}
	if gzip, said := accepted["gzip"]; said {
		return gzip
	}
	return accepted["*"]
}

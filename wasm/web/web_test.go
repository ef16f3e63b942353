package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"cpsrl/wasm/web"
	"cpsrl/wasm/wire"
)

// serve returns a server that answers as the function does.
func serve(t *testing.T, h wire.HandlerFunc) string {
	limited := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 10)
		web.Handler(h).ServeHTTP(w, r)
	})
	server := httptest.NewServer(limited)
	t.Cleanup(server.Close)
	return server.URL
}

func TestHandler(t *testing.T) {
	address := serve(t, func(w wire.Answer, r *wire.Request) {
		data, err := io.ReadAll(r.Body)
		w.Begin(wire.Head{Status: wire.MethodNotAllowed, Kind: "text/plain", Allow: "GET"})
		fmt.Fprintf(w, "%s %s %s %s %v", r.Method, r.Path, r.Query.Get("as"), data, err)
	})
	for body, want := range map[string]string{
		"a body":           "POST /v1/x csv a body <nil>",
		"a body, too long": "POST /v1/x csv a body, to the body is larger than 10 bytes",
	} {
		answer, err := http.Post(address+"/v1/x?as=csv", "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || string(got) != want || answer.StatusCode != 405 || answer.Header.Get("Allow") != "GET" || answer.Header.Get("Content-Type") != "text/plain" {
			t.Errorf("%v: %q, %v; want %q", answer, got, err, want)
		}
	}
}

// A cut answer is known as one.
func TestCut(t *testing.T) {
	address := serve(t, func(w wire.Answer, _ *wire.Request) {
		io.WriteString(w, "half")
		w.Flush()
		panic(wire.ErrCut)
	})
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got, err := io.ReadAll(answer.Body); string(got) != "half" || err == nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTitles(t *testing.T) {
	for _, status := range []int{wire.BadRequest, wire.NotFound, wire.MethodNotAllowed, wire.TooLarge} {
		if got, want := wire.Title(status), http.StatusText(status); got != want {
			t.Errorf("%d is %q, want %q", status, got, want)
		}
	}
}

// What a visitor loads is without net/http and without what it brings.
func TestPrograms(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-tags", "kernel", "cpsrl/wasm/main", "cpsrl/wasm/agent", "cpsrl/wasm/stage", "cpsrl/wasm/print")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	for _, heavy := range []string{"net/http", "crypto/tls", "crypto/x509", "encoding/asn1", "mime/multipart"} {
		if slices.Contains(packages, heavy) {
			t.Errorf("a program links %s", heavy)
		}
	}
	if !slices.Contains(packages, "cpsrl/wasm/engine") {
		t.Errorf("the programs link %q", packages)
	}
}

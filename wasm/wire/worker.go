//go:build js

package wire

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"sync"
	"syscall/js"
)

//go:wasmimport workers ready
func ready()

// Serve answers one request and returns when the answer is complete. The host asks as it asks a program of
// github.com/syumai/workers: it waits for workers.ready, calls context.binding.handleRequest with a Request, of which only
// url, method and body are read, and gets the promise of a Response.
func Serve(h Handler) {
	done := make(chan struct{})
	js.Global().Get("context").Get("binding").Set("handleRequest", js.FuncOf(func(_ js.Value, args []js.Value) any {
		asked := args[0]
		return promise(func() (js.Value, error) { return respond(h, asked, done) })
	}))
	ready()
	<-done
}

// respond begins to answer a request, and returns the response as soon as its head is known. It closes done after the end.
func respond(h Handler, asked js.Value, done chan<- struct{}) (js.Value, error) {
	to, err := url.Parse(asked.Get("url").String())
	if err != nil {
		return js.Value{}, err
	}
	r := &Request{
		Context: context.Background(), Method: asked.Get("method").String(), Path: to.Path, Query: to.Query(),
		Body: strings.NewReader(""),
	}
	if stream := asked.Get("body"); stream.Truthy() {
		r.Body = &body{reader: stream.Call("getReader")}
	}
	w := &answer{head: Head{Status: OK}, begun: make(chan struct{}), wanted: make(chan struct{}, 1), gone: make(chan struct{})}
	source := js.Global().Get("Object").New()
	source.Set("start", js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.stream = args[0]
		return nil
	}))
	source.Set("pull", js.FuncOf(func(js.Value, []js.Value) any {
		select {
		case w.wanted <- struct{}{}:
		default:
		}
		return nil
	}))
	source.Set("cancel", js.FuncOf(func(js.Value, []js.Value) any {
		close(w.gone)
		return nil
	}))
	stream := js.Global().Get("ReadableStream").New(source)
	go func() {
		h.Serve(w, r)
		w.begin()
		select {
		case <-w.gone:
		default:
			w.stream.Call("close")
		}
		close(done)
	}()
	<-w.begun
	head := map[string]any{"status": w.head.Status}
	if w.head.Kind != "" {
		head["headers"] = map[string]any{"Content-Type": w.head.Kind}
	}
	return js.Global().Get("Response").New(stream, head), nil
}

// answer is the body of a response. A Write waits until the part before it has been read, so a handler rests while nobody
// reads its answer.
type answer struct {
	head   Head
	once   sync.Once
	begun  chan struct{} // closed when the head is known
	stream js.Value      // the controller of the response's stream
	wanted chan struct{} // has a value when the stream takes another part
	gone   chan struct{} // closed when nobody reads the stream any more
}

func (w *answer) begin() { w.once.Do(func() { close(w.begun) }) }

func (w *answer) Begin(head Head) {
	w.head = head
	w.begin()
}

func (w *answer) Write(data []byte) (int, error) {
	w.begin()
	if len(data) == 0 {
		return 0, nil
	}
	select {
	case <-w.gone:
		return 0, io.ErrClosedPipe
	case <-w.wanted:
	}
	part := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(part, data)
	w.stream.Call("enqueue", part)
	return len(data), nil
}

func (w *answer) Flush() error {
	w.begin()
	return nil
}

func (w *answer) Duplex() {}

// body reads a stream of the host.
type body struct {
	reader js.Value
	rest   []byte // of the last part
}

func (b *body) Read(data []byte) (int, error) {
	for len(b.rest) == 0 {
		part, err := await(b.reader.Call("read"))
		if err != nil {
			return 0, err
		}
		if part.Get("done").Bool() {
			return 0, io.EOF
		}
		b.rest = make([]byte, part.Get("value").Length())
		js.CopyBytesToGo(b.rest, part.Get("value"))
	}
	n := copy(data, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// await waits for what the host promises.
func await(promised js.Value) (js.Value, error) {
	kept, broken := make(chan js.Value, 1), make(chan js.Value, 1)
	keep := func(to chan js.Value) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			to <- args[0]
			return nil
		})
	}
	ok, failed := keep(kept), keep(broken)
	defer ok.Release()
	defer failed.Release()
	promised.Call("then", ok, failed)
	select {
	case value := <-kept:
		return value, nil
	case reason := <-broken:
		return js.Value{}, errors.New(reason.Call("toString").String())
	}
}

// promise promises the host the result of a function.
func promise(of func() (js.Value, error)) js.Value {
	begin := js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve, reject := args[0], args[1]
		go func() {
			if value, err := of(); err != nil {
				reject.Invoke(js.Global().Get("Error").New(err.Error()))
			} else {
				resolve.Invoke(value)
			}
		}()
		return nil
	})
	defer begin.Release() // a promise calls it at once
	return js.Global().Get("Promise").New(begin)
}

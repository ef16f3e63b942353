package record_test

import (
	"runtime"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	specs "cpsrl/core/spec"
	"cpsrl/internal/formattest"
)

// Documents of package document.
const model, prior, transition = formattest.Model, formattest.Prior, formattest.Transition

const (
	spec   = `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"prior":{"eta":1},"agents":["psrl","c-psrl"]}`
	header = `{"format":"cpsrl/records","version":1,"engine":1,"spec":` + spec + `}`
)

// hostile is a document that repeats one part until it has a given length.
type hostile struct {
	name                string
	before, part, after string
	decode              func([]byte) error
}

func (h *hostile) document(size int) []byte {
	n := (size - len(h.before) - len(h.after)) / len(h.part)
	return []byte(h.before + strings.Repeat(h.part, n) + h.after)
}

// in replaces old in a document by the repeated part, with before and after around it.
func in(text, old, before, part, after string) (string, string, string) {
	head, tail, ok := strings.Cut(text, old)
	if !ok {
		panic(old + " is not in the document")
	}
	return head + before, part, after + tail
}

func hostiles(tb testing.TB) []hostile {
	trace := strings.TrimSpace(string(formattest.Read(tb, "trace-v1.json")))
	trace = strings.Replace(trace, `"horizon":4`, `"horizon":0`, 1)
	decode := map[string]func([]byte) error{
		model:      func(data []byte) error { _, err := document.DecodeModel(data); return err },
		prior:      func(data []byte) error { _, err := document.DecodePrior(data); return err },
		spec:       func(data []byte) error { _, err := specs.Decode(data); return err },
		header:     func(data []byte) error { _, err := experiment.DecodeHeader(data); return err },
		line:       func(data []byte) error { _, err := record.DecodeRecord(data); return err },
		transition: func(data []byte) error { _, err := document.DecodeTransition(data, formattest.Space); return err },
		trace:      func(data []byte) error { _, err := record.DecodeTrace(data); return err },
		told:       func(data []byte) error { _, err := record.DecodeEpisode(data, formattest.Space, 2); return err },
	}
	var list []hostile
	add := func(name, text, old, before, part, after string) {
		h := hostile{name: name, decode: decode[text]}
		h.before, h.part, h.after = in(text, old, before, part, after)
		list = append(list, h)
	}
	const p = `[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]`
	add("model: rows of one", model, p, `[`, `[1],`, `[1]]`)
	add("model: rows of two", model, p, `[`, `[1,0],`, `[1,0]]`)
	add("model: empty rows", model, p, `[`, `[],`, `[]]`)
	add("model: one row", model, p, `[[`, `1,`, `1]]`)
	add("model: long rows", model, p, `[`, `[`+strings.Repeat(`1,`, 1<<17)+`1],`, `[1]]`)
	add("model: a row of strings", model, p, `[[`, `"",`, `""]]`)
	add("model: a string of brackets", model, p, `[["`, `[`, `"]]`)
	add("model: nulls", model, p, `[[`, `null,`, `0]]`)
	add("model: objects for rows", model, p, `[`, `{},`, `0]`)
	add("model: rows in rows", model, p, `[`, `[[]],`, `0]`)
	add("model: means", model, `"mean":[0,1]`, `"mean":[`, `0,`, `1]`)
	add("model: means of many rewards", model, `"reward":[`, `"reward":[`, `{"given":["side"],"mean":[`+strings.Repeat(`1,`, 1<<17)+`1],"kind":"fixed"},`, ``)
	add("model: labels", model, `["heads","tails"]`, `[`, `"",`, `""]`)
	add("model: variables", model, `{"name":"side","size":2,"values":["heads","tails"]}`, ``, `{"name":"a","size":1},`, `{"name":"a","size":1}`)
	add("model: empty variables", model, `{"name":"side","size":2,"values":["heads","tails"]}`, ``, `{},`, `{}`)
	add("model: variables of labels", model, `{"name":"side","size":2,"values":["heads","tails"]}`, ``, `{"name":"a","size":1,"values":["","","","","","","",""]},`, `{"name":"a","size":1}`)
	add("model: given", model, `"given":["side","flip"]`, `"given":[`, `"",`, `""]`)
	add("model: initial", model, `{"state":[0],"p":1}`, ``, `{"state":[0],"p":0},`, `{"state":[0],"p":1}`)
	add("model: a long initial state", model, `{"state":[0],"p":1}`, `{"state":[`, `0,`, `0],"p":1}`)
	add("model: initial numbers", model, `{"state":[0],"p":1}`, ``, `0,`, `0`)
	add("model: factors", model, `"transition":[`, `"transition":[`, `{"of":"side","given":[],"p":[]},`, ``)
	add("model: rewards", model, `"reward":[`, `"reward":[`, `{"given":[],"mean":[1],"kind":"fixed"},`, ``)
	add("model: a name", model, `"coin","horizon":3`, `"`, `c`, `","horizon":0`)
	add("model: a name of escapes", model, `"coin","horizon":3`, `"`, `\u00e9`, `","horizon":0`)
	add("model: an unknown field", model, `"horizon"`, `"x":[`, `1,`, `1],"horizon"`)
	add("model: a long unknown name", model, `"horizon"`, `"`, `x`, `":1,"horizon"`)
	add("model: a long number", model, `"horizon":3`, `"horizon":`, `3`, ``)
	add("model: white space", model, `"horizon"`, ``, ` `, `"horizon":1e9,"x"`)
	add("model: another format", model, `cpsrl/model"`, `cpsrl/prior","x":[`, `1,`, `1]`)
	add("model: deep", model, `"initial":`, `"initial":`, `[`, ``)
	add("model: nothing but brackets", model, model, ``, `[`, ``)
	add("model: a long name in the initial states", model, `[{"state":[0],"p":1}]`, `[{"`, `x`, `":0}]`)
	add("model: members", model, `[{"state":[0],"p":1}]`, `{`, `"":0,`, `"a":0}`)
	add("prior: edges", prior, `["side","side"]`, ``, `["",""],`, `["",""]`)
	add("prior: a long edge", prior, `["side","side"]`, `[`, `"",`, `""]`)
	add("spec: agents", spec, `["psrl","c-psrl"]`, `[`, `"",`, `""]`)
	add("spec: edges", spec, `{"eta":1}`, `{"edges":[`, `["",""],`, `["",""]]}`)
	add("spec: domain", spec, `"name":"figure1"`, ``, `"x":0,`, `"name":"figure1"`)
	add("spec: members", spec, `"prior"`, ``, `"x":0,`, `"prior"`)
	add("spec: a long grid", spec, `"name":"figure1"`, `"grid":"`, `x`, `","name":"taxi"`)
	add("spec: learned concentrations", spec, `"version":1`, `"version":2,"dirichlet":{"learn":[`, `1,`, `1]}`)
	add("spec: arrays for concentrations", spec, `"version":1`, `"version":2,"dirichlet":{"learn":[`, `[],`, `1]}`)
	add("spec: a text of concentrations", spec, `"version":1`, `"version":2,"dirichlet":"learn`, `:1`, `"`)
	add("spec: concentrations of rows", spec, `"version":1,"domain":{"name":"figure1"`, `"version":2,"domain":{"name":"random-fmdp","rows":{"learn":[`, `1,`, `1]}`)
	add("header: agents", header, `["psrl","c-psrl"]`, `[`, `"",`, `""]`)
	add("record: graph", line, `"graph":[[0]]`, `"graph":[`, `[],`, `[0]]`)
	add("record: parents", line, `"graph":[[0]]`, `"graph":[[`, `0,`, `0]]`)
	add("record: edges", line, `[[1,0.5]]`, `[`, `[1],`, `[1]]`)
	add("record: a label", line, `"c-psrl","episode":1`, `"`, `a`, `","episode":null`)
	add("record: a long name", line, `"superset"`, `"`, `x`, `":0,"superset"`)
	add("transition: x", transition, `[0,2,1]`, `[`, `0,`, `1]`)
	add("trace: v", trace, `"v":[[`, `"v":[`, `[1],`, `[`)
	add("trace: a long rule", trace, `"policy":[[`, `"policy":[[`, `0,`, ``)
	add("trace: rows", trace, `"p":[[`, `"p":[`, `[1],`, `[`)
	add("trace: where", trace, `"reward":[`, `"where":[`, `{"x":0,"y":0,"text":""},`, `{"x":0,"y":0,"text":""}],"reward":[`)
	add("trace: a long text", trace, `"reward":[`, `"where":[{"x":0,"y":0,"text":"`, `x`, `"}],"reward":[`)
	add("trace: steps", trace, `"steps":[`, `"steps":[`, `{"x":[],"y":[],"reward":0},`, ``)
	add("trace: a long step", trace, `"steps":[`, `"steps":[`, `{"x":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"y":[],"reward":0},`, ``)
	add("trace: marks", trace, `"true":`, `"view":{"kind":"grid","rows":1,"columns":1,"agent":{"cell":"X1"},"marks":[`, `{"text":"","tone":""},`, `{"text":"","tone":""}]},"true":`)
	add("trace: conditions", trace, `"true":`, `"view":{"kind":"grid","rows":1,"columns":1,"agent":{"cell":"X1"},"marks":[`, `{"text":"x","tone":"goal","when":{"a":0,"b":0,"c":0,"d":0}},`, `{"text":"","tone":""}]},"true":`)
	add("trace: names of cells", trace, `"true":`, `"view":{"kind":"grid","rows":1,"columns":1,"agent":{"cells":[`, `"",`, `""]}},"true":`)
	add("trace: links", trace, `"true":`, `"view":{"kind":"nodes","nodes":["X1"],"links":[`, `["",""],`, `["",""]]},"true":`)
	add("trace: members of a view", trace, `"true":`, `"view":{`, `"":0,`, `"kind":"grid"},"true":`)
	add("trace: legal actions", trace, `"true":`, `"legal":[`, `[0,0],`, `[0,0]],"true":`)
	add("trace: an end", trace, `"true":`, `"end":[`, `0,`, `0],"true":`)
	add("trace: an ending", trace, `"true":`, `"ending":"`, `x`, `","true":`)
	add("episode: points", told, `"points":[0,11]`, `"points":[`, `0,`, `0]`)
	add("episode: rewards", told, `"rewards":[0,0.5]`, `"rewards":[`, `0,`, `0]`)
	add("episode: before", told, `"before":[[0.5,0.5,1],[0,1,0.25]]`, `"before":[`, `[0],`, `[0]]`)
	add("trace: beliefs", trace, `"before":[`, `"before":[`, `{"count":1,"sets":[],"edges":[],"entropy":0},`, ``)
	return list
}

// The memory for a refused document is proportional to its length: 25 MB for 4 MiB and
// 200 MB for 32 MiB, the document included.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js")
	}
	size, bound := 4<<20, uint64(25_000_000)
	for _, h := range hostiles(t) {
		data := h.document(size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := h.decode(data)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc + uint64(len(data)); used > bound {
			t.Errorf("%s: %d bytes for %d; the error is %v", h.name, used, len(data), err)
		}
		if err == nil {
			t.Errorf("%s: accepted", h.name)
		} else if len(err.Error()) > 400 {
			t.Errorf("%s: an error of %d bytes", h.name, len(err.Error()))
		}
	}
}

// BenchmarkHostile refuses documents of 32 MiB.
func BenchmarkHostile(b *testing.B) {
	for _, h := range hostiles(b) {
		b.Run(strings.ReplaceAll(h.name, " ", "-"), func(b *testing.B) {
			data := h.document(32 << 20)
			b.ReportAllocs()
			for b.Loop() {
				if err := h.decode(data); err == nil {
					b.Fatal("accepted")
				}
			}
		})
	}
}

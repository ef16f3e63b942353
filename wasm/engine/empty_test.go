package engine

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cpsrl/core/record"
	"cpsrl/core/session"
	"cpsrl/core/sweep"
	"cpsrl/core/worlds"
	"cpsrl/internal/formattest"
	"cpsrl/render"
)

// ask sends a request, and returns the answer. It returns "" if the request is refused in a sentence.
func (e *emptied) ask(path, body string) string {
	w := sent("POST", path, body)
	if checkAnswer(e.t, e.name+": "+path, w) {
		return w.Body.String()
	}
	return ""
}

// emptied is a document of which a part has been made empty.
type emptied struct {
	t    *testing.T
	name string // of the document, with the place of the part
}

// each tests a document with every list, object and string made empty in turn. What is read is used; nothing panics.
func each(t *testing.T, name, document string, use func(e *emptied, text string)) {
	t.Helper()
	if !strings.HasPrefix(document, "{") && !strings.HasPrefix(document, "[") {
		t.Fatalf("%s: %.200s", name, document)
	}
	for place, data := range formattest.Emptied([]byte(document)) {
		e := &emptied{t, fmt.Sprintf("%s without %q", name, place)}
		func() {
			defer failPanic(t, e.name)
			use(e, string(data))
		}()
	}
}

// A list, an object or a string of a document may be empty: then the document is refused in a sentence, or all that the
// engine makes of it works.
func TestEmptyParts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	of := func(problem, agents, rest string) string {
		return fmt.Sprintf(`{"format":"cpsrl/spec","version":5,"domain":%s,"agents":%s,"episodes":1,"runs":1,"seed":3%s}`, problem, agents, rest)
	}
	must := func(path, body string) string {
		t.Helper()
		w := sent("POST", path, body)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return strings.TrimSpace(w.Body.String())
	}
	all := problems(t)
	const both = `["optimal","c-psrl"]`
	for name, problem := range all {
		agents := both
		if name == "hidden" {
			agents = `["psrl","c-psrl"]`
		}
		each(t, "the spec of "+name, of(problem, agents, `,"rewards":"known"`), func(e *emptied, text string) {
			if e.ask("/v1/check", text) == "" {
				return
			}
			records := e.ask("/v1/run", text)
			for _, form := range []string{"long", "figure", "endings"} {
				e.ask("/v1/export?as="+form, records)
			}
			for _, form := range []string{"cli", "bibtex", "methods", "text", "prior"} {
				e.ask("/v1/export?as="+form, `{"spec":`+text+`}`)
			}
			e.ask("/v1/summary", records)
			e.ask("/v1/edit", `{"spec":`+text+`}`)
			e.ask("/v1/film?run=0&agent=c-psrl", text)
			e.ask("/v1/edges?run=0&episode=1&samples=1&agent=c-psrl", text)
			if trace := e.ask("/v1/trace?run=0&episode=1&agent=c-psrl", text); trace != "" {
				drawTrace(t, e.name, trace, e.ask("/v1/episodes?run=0&last=1&agent=c-psrl", text))
			}
		})
	}
	switches := of(all["chart"], both, `,"sparseness":{"pulse":2,"*":3},"rewards":"learned","tables":"tied","dirichlet":{"mix":[0.1,1]},"prior":{"edges":[["pulse","pulse",0.9],["pain","calm",0.6],["*","pain",0]]},"priors":{"other":{"eta":1,"trust":0.9}}`)
	each(t, "a spec with priors", switches, func(e *emptied, text string) {
		if e.ask("/v1/check", text) != "" {
			e.ask("/v1/run", text)
			e.ask("/v1/film?run=0&agent=c-psrl", text)
			e.ask("/v1/link", `{"spec":`+text+`}`)
		}
	})

	for _, name := range []string{"figure1", "chart", "nodes", "grid", "taxi"} {
		text := of(all[name], both, "")
		trace := must("/v1/trace?run=0&episode=1&agent=c-psrl", text)
		read, err := record.DecodeTrace([]byte(trace))
		if err != nil {
			t.Fatal(err)
		}
		each(t, "a trace of "+name, trace, func(e *emptied, text string) {
			if read, err := record.DecodeTrace([]byte(text)); err == nil {
				drawMoments(t, e.name, read)
			}
		})
		each(t, "an episode of "+name, must("/v1/episodes?run=0&last=1&agent=c-psrl", text), func(e *emptied, text string) {
			if episode, err := record.DecodeEpisode([]byte(text), read.Space(), read.Horizon); err == nil {
				render.DrawEpisode(read, episode, render.StageView{})
			}
		})
		worth := strings.Repeat(",["+strings.Repeat(",1", len(read.State)+len(read.Action))[1:]+"]", len(read.State))[1:]
		each(t, "a view of "+name, `{"agent":"C-PSRL","theme":"dark","moment":"plan","model":"true","passenger":"aboard","focus":{"x":0,"y":0},"worth":[`+worth+`]}`, func(e *emptied, text string) {
			if view, err := render.DecodeStageView([]byte(text)); err == nil {
				render.Draw(read, *view)
			}
		})
		records := must("/v1/run", text)
		lines := strings.Split(records, "\n")
		for k, line := range lines {
			each(t, fmt.Sprintf("line %d of records of %s", k+1, name), line, func(e *emptied, text string) {
				changed := strings.Join(append(append(append([]string{}, lines[:k]...), strings.TrimSpace(text)), lines[k+1:]...), "\n") + "\n"
				for _, path := range []string{"/v1/summary?strict=true", "/v1/spread", "/v1/export?as=long", "/v1/export?as=csv&of=recall", "/v1/export?as=figure", "/v1/difference?agent=c-psrl&base=optimal"} {
					e.ask(path, changed)
				}
				e.ask(fmt.Sprintf("/v1/merge?name=a&size=%d", len(changed)), changed)
			})
		}
	}

	figure1 := of(all["figure1"], both, "")
	prior := must("/v1/export?as=prior", `{"spec":`+switches+`}`)
	each(t, "a prior", prior, func(e *emptied, text string) {
		for _, as := range []string{"full", "json", "csv", "dot"} {
			e.ask("/v1/posterior?as="+as, text+"\n"+`{"x":[1,0,0,0,1],"y":[1,0,0]}`)
		}
		e.ask("/v1/prior", `{"spec":`+switches+`,"prior":`+text+`}`)
	})
	each(t, "a transition", `{"x":[1,0,0,0,1],"y":[1,0,0]}`, func(e *emptied, text string) { e.ask("/v1/posterior", prior+"\n"+text) })
	for path, body := range map[string]string{
		"/v1/chart":             `{"measure":"regret","agents":["psrl"],"others":["q"],"title":"A","notes":[{"text":"some","size":9}],"theme":"dark","lines":[{"agent":"psrl","base":"c-psrl","name":"B","points":[[1,1,0,2],[2,2]]},{"foreign":"q","points":[[1,1]]}]}`,
		"/v1/link":              `{"spec":` + figure1 + `,"receipt":{"engine":2,"fingerprint":"` + strings.Repeat("a", 64) + `"},"view":{"measure":"recall","band":"runs","paired":true,"pair":["c-psrl","optimal"],"hidden":["optimal"],"watched":{"agent":"c-psrl","run":0,"episode":1,"moment":"act"},"heading":"A","note":"B"},"unknown":["x=1"]}`,
		"/v1/open":              `{"link":"#v=3&domain=figure1"}`,
		"/v1/edit":              `{"spec":` + figure1 + `,"edit":{"edit":"rename","of":"X1","to":"X9"}}`,
		"/v1/prior":             `{"spec":` + figure1 + `,"edges":[["X1","X2",0.5]]}`,
		"/v1/data":              `{"spec":` + figure1 + `,"text":"{\"x\":[0,0,0,0],\"y\":[0,0]}"}`,
		"/v1/export?as=tikz":    `{"spec":` + figure1 + `,"agent":"c-psrl","graph":[[0],[1,2]],"base":"http://a"}`,
		"/v1/export?as=bibtex":  `{"spec":` + figure1 + `,"receipt":{"engine":2,"fingerprint":"` + strings.Repeat("a", 64) + `"},"base":"http://a"}`,
		"/v1/sweep?as=plan":     `{"spec":` + figure1 + `,"vary":"seed=1,2"}`,
		"/v1/sweep?as=receipt":  `{"spec":` + figure1 + `,"vary":"seed=1,2","fingerprints":["` + strings.Repeat("a", 64) + `","` + strings.Repeat("b", 64) + `"]}`,
		"/v1/sweep?as=csv":      `{"spec":` + figure1 + `,"vary":"seed=1,2","measure":"regret","ends":[{"setting":0,"agent":"c-psrl","mean":1,"lo":0,"hi":2,"n":3,"learned":0}]}`,
		"/v1/sweep?as=svg":      `{"spec":` + figure1 + `,"vary":"seed=1,2","measure":"regret","theme":"dark","ends":[{"setting":0,"agent":"c-psrl","mean":1,"lo":0,"hi":2,"n":3,"learned":0}]}`,
		"/v1/batch":             `{"path":"/v1/check","body":""}`,
		"/v1/normalise":         spin,
		"/v1/convert?name=coin": spin,
	} {
		each(t, path, body, func(e *emptied, text string) { e.ask(path, text) })
	}
	each(t, "a sweep", `{"format":"cpsrl/sweep","version":1,"spec":`+figure1+`,"vary":[{"sparseness":[4,5]},{"prior.false":[0,1],"label.edges":["true","one false"]},{"dirichlet":[1,{"mix":[0.01,0.1,1]}]}]}`, func(e *emptied, text string) {
		s, err := sweep.Decode([]byte(text))
		if err != nil {
			return
		}
		for of := range s.Settings() {
			_ = of.Texts
		}
		vary, _ := s.Vary()
		sweep.EncodeLink(s, nil)
		e.ask("/v1/sweep", `{"spec":`+figure1+`,"vary":`+quote(t, vary)+`}`)
	})
	each(t, "a manifest", `{"format":"cpsrl/sweep-shard","version":1,"sweep":"8212aaecc369beb8cd20fd694895e64a","shard":1,"shards":3,"settings":[{"id":"f2e2f883b44a32c48b145792866fbbc1","sha256":"0a3ddd56b4a31f40bdb82bcc460564d1047ab82c4be4af8cfe98505e26c3217c"}],"impossible":[{"id":"75af0bfc290aa1b4135f0f1fd44e391f","reason":"no"}]}`, func(e *emptied, text string) {
		sweep.DecodeCompletion([]byte(text))
	})

	const hello = `{"hello":{"format":"cpsrl/agent","version":1,"horizon":3,"agent":"c-psrl","bound":"at-most","update":"exact","payoffs":[{"name":"all","of":"row"},{"name":"goal","range":[0,10],"scope":"hidden","edges":[["row","goal",0.8]]},{"given":["move"]}],` +
		`"terminal":[{"given":["row","col"],"is":[[2,2]]}],"graph":[["row","row"],["row","goal"]],` +
		`"prior":{"format":"cpsrl/prior","version":2,"state":[{"name":"row","size":3},{"name":"col","size":3,"values":["a","b","c"]}],"action":[{"name":"move","size":4}],"sparseness":2,"edges":[["row","row"],["move","col",0.9]]}}}`
	messages := []string{`{"episode":{"policy":true}}`, `{"act":{"h":1,"state":[0,0]}}`, `{"transitions":[{"x":[0,0,1],"y":[1,2],"paid":[0.5,4,1]},{"x":[1,2,1],"y":[2,2],"paid":[0,4,1],"ended":true}]}`, `{"belief":{}}`, `{"episode":{}}`, `{"save":{}}`}
	talk := func(e *emptied, lines ...string) (last string) {
		var s session.Session
		for _, line := range lines {
			last = string(s.Answer([]byte(line)))
			if strings.Count(last, "\n") != 1 {
				e.t.Errorf("%s: %s", e.name, last)
			}
		}
		return last
	}
	whole := &emptied{t, "a session"}
	if last := talk(whole, append([]string{hello}, messages...)...); !strings.Contains(last, `"saved"`) {
		t.Fatalf("%s", last)
	}
	each(t, "a hello", hello, func(e *emptied, text string) { talk(e, append([]string{text}, messages...)...) })
	for k, message := range messages {
		each(t, "a message", message, func(e *emptied, text string) {
			lines := append([]string{hello}, messages...)
			lines[1+k] = text
			talk(e, lines...)
		})
	}
	load := `{"load":` + strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(talk(whole, append([]string{hello}, messages...)...)), `{"saved":`), "}") + "}"
	if last := talk(whole, load); !strings.Contains(last, `"ready"`) {
		t.Fatalf("%.300s", last)
	}
	each(t, "a saved session", load, func(e *emptied, text string) { talk(e, append([]string{text}, messages...)...) })

	const world = `{"hello":{"format":"cpsrl/world","version":1,"label":"q","spec":{"format":"cpsrl/spec","version":7,"domain":{"name":"taxi","grid":"3x3","horizon":1},"episodes":2,"runs":2}}}`
	toWorld := []string{`{"task":{"graph":true}}`, `{"reset":{"run":0}}`, `{"step":{"action":[0]}}`, `{"policy":{"table":[[` + strings.Repeat("0,", 179) + `0]]}}`, `{"reset":{}}`, `{"step":{"action":[1]}}`, `{"policy":{"played":true,"reference":false}}`}
	visit := func(e *emptied, lines []string) (last string) {
		var s worlds.Session
		for _, line := range lines {
			last = string(s.Answer([]byte(line)))
			if strings.Count(last, "\n") != 1 {
				e.t.Errorf("%s: %s", e.name, last)
			}
		}
		return last
	}
	for k, message := range append([]string{world}, toWorld...) {
		each(t, "a message to a world", message, func(e *emptied, text string) {
			lines := append([]string{world}, toWorld...)
			lines[k] = text
			visit(e, lines)
		})
	}
	if last := visit(whole, append([]string{world}, toWorld...)); !strings.Contains(last, `"scored"`) {
		t.Errorf("%s", last)
	}
}

package engine

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// A label may come in any form that a spec takes, wherever it comes in. Oracle: the answer about the canonical label.
func TestLabels(t *testing.T) {
	timeless(t)
	const written, canonical = "c-psrl:tables=tied,dirichlet=0.50", "c-psrl:dirichlet=0.5,tables=tied"
	spec := strings.NewReplacer("\n", "", "\t", "").Replace(`{"format":"cpsrl/spec","version":3,"domain":{"name":"figure1","horizon":2},
		"agents":["psrl","` + written + `"],"episodes":2,"runs":2}`)
	records := ask("POST", "/v1/run", spec).Body.String()
	points := `"points":[[1,2],[2,3]]`
	for name, request := range map[string]func(label string) (path, body string){
		"trace":    func(l string) (string, string) { return "/v1/trace?run=0&episode=1&agent=" + url.QueryEscape(l), spec },
		"episodes": func(l string) (string, string) { return "/v1/episodes?run=0&last=2&agent=" + url.QueryEscape(l), spec },
		"film":     func(l string) (string, string) { return "/v1/film?run=0&agent=" + url.QueryEscape(l), spec },
		"play":     func(l string) (string, string) { return "/v1/play?run=0&agent=" + url.QueryEscape(l), spec },
		"edges":    func(l string) (string, string) { return "/v1/edges?run=0&episode=2&agent=" + url.QueryEscape(l), spec },
		"paired": func(l string) (string, string) {
			return "/v1/export?as=paired&paired=psrl," + url.QueryEscape(l), records
		},
		"summary": func(l string) (string, string) { return "/v1/summary?paired=psrl," + url.QueryEscape(l), records },
		"difference": func(l string) (string, string) {
			return "/v1/difference?base=psrl&agent=" + url.QueryEscape(l), records
		},
		"prior": func(l string) (string, string) {
			return "/v1/export?as=prior", `{"spec":` + spec + `,"agent":"` + l + `"}`
		},
		"chart": func(l string) (string, string) {
			return "/v1/chart", `{"measure":"regret","agents":["psrl","` + canonical + `"],"lines":[{"agent":"` + l + `",` + points + `},{"agent":"psrl","base":"` + l + `",` + points + `}]}`
		},
		"sweep": func(l string) (string, string) {
			return "/v1/sweep?as=csv", `{"spec":` + spec + `,"vary":"seed=1,2","measure":"regret","ends":[{"setting":0,"agent":"` + l + `","mean":1,"n":1,"learned":0}]}`
		},
		"view": func(l string) (string, string) {
			return "/v1/link", `{"spec":` + spec + `,"view":{"hidden":["` + l + `"],"watched":{"agent":"` + l + `","run":0,"episode":1},"paired":true,"pair":["psrl","` + l + `"]}}`
		},
		"link": func(l string) (string, string) {
			l = url.QueryEscape(l)
			return "/v1/open", `{"link":"#v=3&agents=psrl,` + canonical + `&domain=figure1&runs=2&episodes=2&hide=` + l + `&watch=0,1,plan,` + l + `&paired=psrl,` + l + `"}`
		},
	} {
		path, body := request(canonical)
		want := askCoded(path, body)
		if want.code != http.StatusOK || strings.Contains(want.body, `"unknown":["`) {
			t.Errorf("%s: %d %.300s", name, want.code, want.body)
		}
		for _, label := range []string{written, " " + canonical + " "} {
			if name == "link" {
				label = strings.TrimSpace(label) // a link has no white space
			}
			path, body := request(label)
			if got := askCoded(path, body); got != want {
				t.Errorf("%s of %q: %d %.300s\nwant %d %.300s", name, label, got.code, got.body, want.code, want.body)
			}
		}
	}
}

type coded struct {
	code int
	body string
}

func askCoded(path, body string) coded {
	w := ask("POST", path, body)
	return coded{w.Code, w.Body.String()}
}

// timeless makes answers that grow come in one piece, however slow the machine is.
func timeless(t *testing.T) {
	snapshot, batch := snapshotTime, batchTime
	t.Cleanup(func() { snapshotTime, batchTime = snapshot, batch })
	snapshotTime, batchTime = time.Hour, time.Hour
}

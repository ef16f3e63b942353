package engine

import (
	"strings"
	"testing"
)

// The table and the figures of the whole runs of records are those of the command; looks are checked.
func TestExportReliability(t *testing.T) {
	file := ask("POST", "/v1/run", `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["psrl","c-psrl"],"episodes":4,"runs":3}`).Body.String()
	for query, want := range map[string]string{
		"":                          "agent,episode,from,to,p,share,lo,hi,true,n\nc-psrl,4,0,0.1,",
		"&form=csv&episode=2":       "c-psrl,2,0,0.1,",
		"&form=svg&width=500":       `width="500"`,
		"&form=svg&agent=c-psrl":    ">P(edge)<",
		"&form=pgfplots&caption=no": "\\addplot[dots, only marks",
		"&form=sheet&title=no":      `"share of edges in the true graph`,
	} {
		if w := ask("POST", "/v1/export?as=reliability"+query, file); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.2000s", query, w.Code, w.Body)
		}
	}
	for query, says := range map[string]string{
		"&form=png":    `"png"`,
		"&episode=5":   "there is no episode 5",
		"&episode=a":   "not a whole number",
		"&width=a":     "a number was expected",
		"&width=9":     "it must be from 100 to 4000",
		"&theme=pink":  "there is no theme",
		"&agent=psrl":  "has no belief about edges",
		"&agent=<none": "is none of the agents",
	} {
		if w := ask("POST", "/v1/export?as=reliability"+strings.ReplaceAll(query, "<", "%3C"), file); w.Code != 400 || !strings.Contains(w.Body.String(), strings.ReplaceAll(says, `"`, `\"`)) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

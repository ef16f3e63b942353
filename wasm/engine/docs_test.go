package engine

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"cpsrl/core/curve"
	"cpsrl/core/evidence"
	"cpsrl/core/export"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/worth"
	"cpsrl/render/chart"
	"cpsrl/render/figure"
)

// Oracle: the types. The documentation of the endpoints names every member of their bodies
// and answers.
func TestDocsNameMembers(t *testing.T) {
	page, err := os.ReadFile("../../site/docs/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, list := range regexp.MustCompile("`\\{\"[^`]*\\}`").FindAllString(string(page), -1) {
		for _, member := range regexp.MustCompile(`"([A-Za-z0-9]+)"`).FindAllStringSubmatch(list, -1) {
			told[member[1]] = true
		}
	}
	for _, value := range []any{
		Opened{}, Linked{}, Normalised{}, Converted{}, Lacked{}, Cost{}, figure.Chart{}, figure.Line{}, chart.Note{}, Snapshot{}, export.Series{}, Spread{}, Quantiles{}, Foreign{}, ForeignLabel{}, ForeignCurve{}, Sweep{}, SweepEnd{}, SweepPlan{}, SweepColumn{}, SweepSetting{}, SweepReceipt{}, SweepLink{}, results.Learned{}, curve.Run{}, results.RunEnd{},
		spec.View{}, spec.Watched{}, record.Episode{}, worth.BeliefEdges{}, worth.BelievedEdge{}, evidence.Posterior{},
	} {
		of := reflect.TypeOf(value)
		for k := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(k).Tag.Get("json"), ",")
			if name != "" && name != "-" && !told[name] {
				t.Errorf("the docs do not name %q of %v", name, of)
			}
		}
	}
}

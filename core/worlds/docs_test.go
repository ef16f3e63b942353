package worlds_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/talk"
	"cpsrl/core/worlds"
)

// The document's messages are those that a world takes, it names each member of the answers, and its limits are those of the
// code.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../site/docs/world.md")
	if err != nil {
		t.Skip(err) // under Node there may be no such file
	}
	text := string(data)
	hello := regexp.MustCompile("`({\"hello\":.*?})`").FindStringSubmatch(text)
	if hello == nil {
		t.Fatal("there is no hello")
	}
	var s worlds.Session
	if got := say(t, &s, []byte(hello[1])); got.Ready == nil {
		t.Fatalf("the hello is answered by %+v", got)
	}
	steps := []string{hello[1], `{"reset":{}}`, `{"task":{}}`, `{"task":{"graph":true}}`, `{"reset":{"run":0}}`}
	for range 100 {
		steps = append(steps, `{"step":{"action":[0,0]}}`)
	}
	for k, line := range append(steps, `{"policy":{"played":true}}`, `{"policy":{"table":[[`+strings.Repeat("0,", 3)+`0]]}}`) {
		answer := s.Answer([]byte(line))
		for _, member := range regexp.MustCompile(`"([A-Za-z]+)":`).FindAllSubmatch(answer, -1) {
			if name := string(member[1]); !strings.Contains(line, "task") && !strings.Contains(text, `"`+name+`"`) && !strings.Contains(text, "`"+name+"`") && name != "name" && name != "size" && name != "values" {
				t.Errorf("the document does not name %s", name)
			}
		}
		if k > 0 && k < 5 && !strings.Contains(text, "`"+line+"`") {
			t.Errorf("the document has not %s", line)
		}
	}
	digits := strings.ReplaceAll(text, ",", "")
	for _, limit := range []int{worlds.MaxTable, talk.MaxLine >> 20} {
		if !strings.Contains(digits, strconv.Itoa(limit)) {
			t.Errorf("the document does not name the limit %d", limit)
		}
	}
}

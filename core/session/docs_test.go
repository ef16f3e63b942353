package session_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/session"
)

// The document's hello is taken, it names each message and each member of the answers, and its limits are those of the
// code.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../site/docs/agent.md")
	if err != nil {
		t.Skip(err) // under Node there may be no such file
	}
	text := string(data)
	hello := regexp.MustCompile("(?s)```json\n(.*?)```").FindStringSubmatch(text)
	if hello == nil {
		t.Fatal("there is no hello")
	}
	var s session.Session
	if got := say(t, &s, []byte(strings.ReplaceAll(hello[1], "\n", " "))); got.Ready == nil || got.Ready.Agent != "c-psrl" {
		t.Errorf("the hello is answered by %+v", got)
	}
	for _, line := range []string{`{"episode":{}}`, `{"episode":{"policy":true}}`, `{"act":{"h":1,"state":[0,3]}}`, `{"belief":{}}`, `{"save":{}}`} {
		if got := say(t, &s, []byte(line)); got.Error != "" || !strings.Contains(text, "`"+line+"`") {
			t.Errorf("%s is refused or not in the document: %s", line, got.Error)
		}
	}
	ready := s.Answer([]byte(hello[1]))
	for _, member := range regexp.MustCompile(`"([A-Za-z]+)":`).FindAllSubmatch(ready, -1) {
		if !strings.Contains(text, `"`+string(member[1])+`"`) {
			t.Errorf("the document does not name %s", member[1])
		}
	}
	digits := strings.ReplaceAll(text, ",", "")
	for _, limit := range []int{session.MaxTransitions, session.MaxTable, session.MaxPayoffs, session.MaxLine >> 20} {
		if !strings.Contains(digits, strconv.Itoa(limit)) {
			t.Errorf("the document does not name the limit %d", limit)
		}
	}
}

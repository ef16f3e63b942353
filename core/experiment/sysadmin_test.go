package experiment

import (
	"fmt"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/record"
)

// SysAdmin is the problem of its model: the same experiment in the model has the same records, with
// the defaults of both, to the byte.
func TestSysAdminAsModel(t *testing.T) {
	lines := func(domain string) (e *Experiment, all []byte) {
		e = decoded(t, fmt.Sprintf(`{"format":"cpsrl/spec","version":3,"domain":%s,"agents":["optimal","f-psrl","c-psrl","c-psrl:eta=1"],"episodes":2,"seed":4}`, domain))
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			all = record.AppendRecord(all, r)
		}
		return e, all
	}
	for _, domain := range []string{`{"name":"sysadmin"}`, `{"name":"sysadmin","topology":"star","machines":4,"horizon":9}`} {
		e, own := lines(domain)
		if _, as := lines(`{"name":"model","model":` + string(document.EncodeModel(e.first.View)) + `}`); string(as) != string(own) {
			t.Errorf("%s:\n%s\nas a model:\n%s", domain, own, as)
		}
	}
}

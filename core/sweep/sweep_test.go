package sweep_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/spec"
	"cpsrl/core/sweep"
)

func decode(t *testing.T, text string) *sweep.Sweep {
	t.Helper()
	s, err := sweep.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func document(vary string) string {
	return `{"format":"cpsrl/sweep","version":1,"spec":{"format":"cpsrl/spec","version":4,"domain":{"name":"random-fmdp"},"runs":2},"vary":` + vary + `}`
}

// The settings are those that nested loops over spec.Set make.
func TestSettings(t *testing.T) {
	s := decode(t, document(`[{"sparseness":[2,3,4]},{"prior.false":[0,1],"prior.trust":[1,0.9]},{"domain.horizon":[10,20]}]`))
	var want []string
	for _, z := range []string{"2", "3", "4"} {
		for _, wrong := range [][2]string{{"0", "1"}, {"1", ".9"}} {
			for _, h := range []string{"10", "20"} {
				one, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":4,"domain":{"name":"random-fmdp"},"runs":2}`))
				if err != nil {
					t.Fatal(err)
				}
				for _, set := range [][2]string{{"z", z}, {"false", wrong[0]}, {"trust", wrong[1]}, {"horizon", h}} {
					if err := one.Set(set[0], set[1]); err != nil {
						t.Fatal(err)
					}
				}
				if err := one.Complete(); err != nil {
					t.Fatal(err)
				}
				want = append(want, fmt.Sprint(z, " ", wrong[0], " ", wrong[1], " ", h, " ")+string(spec.Encode(one)))
			}
		}
	}
	var have []string
	ids := map[string]bool{}
	for setting := range s.Settings() {
		if setting.Err != nil {
			t.Fatal(setting.Err)
		}
		have = append(have, strings.Join(setting.Texts, " ")+" "+string(spec.Encode(setting.Spec)))
		ids[setting.ID] = true
	}
	if !slices.Equal(have, want) || s.Len() != len(want) || len(ids) != len(want) {
		t.Errorf("%d settings, %d of %d IDs:\n%s\nwant\n%s", s.Len(), len(ids), len(want), strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	if got := fmt.Sprint(s.Columns()); got != "[sparseness prior.false prior.trust domain.horizon]" {
		t.Errorf("columns %s", got)
	}
	again := decode(t, string(s.Encode()))
	if string(again.Encode()) != string(s.Encode()) || again.Digest() != s.Digest() {
		t.Error("the canonical JSON does not read back")
	}
}

// Several goroutines may use a sweep at once.
func TestConcurrent(t *testing.T) {
	s := decode(t, document(`[{"sparseness":[2,3,4]},{"prior.trust":[1,0.9]},{"dirichlet":[1,{"ess":1}]}]`))
	list := slices.Collect(s.Settings())
	var group sync.WaitGroup
	for k := range s.Len() {
		group.Go(func() {
			if one := s.Setting(k); one.ID != list[k].ID || !slices.Equal(one.Texts, list[k].Texts) {
				t.Errorf("setting %d is %v, want %v", k, one, list[k])
			}
			s.Vary()
			s.Encode()
		})
	}
	group.Wait()
}

// The document, the flags and the link say the same.
func TestGrammar(t *testing.T) {
	base, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":4,"domain":{"name":"random-fmdp"},"runs":2,"agents":["c-psrl"]}`))
	if err != nil {
		t.Fatal(err)
	}
	flags, err := sweep.New(base, "z=2,3,4", "false=0,1~trust=1,.9;dirichlet=1,learn:0.01:0.1")
	if err != nil {
		t.Fatal(err)
	}
	ids := func(s *sweep.Sweep) (list []string) {
		for setting := range s.Settings() {
			if texts := s.Texts(len(list)); !slices.Equal(texts, setting.Texts) {
				t.Errorf("setting %d has the values %v, and %v alone", len(list), setting.Texts, texts)
			}
			list = append(list, setting.ID)
		}
		return list
	}
	doc := decode(t, strings.Replace(document(`[{"sparseness":[2,3,4]},{"prior.trust":[1,0.9],"prior.false":[0,1]},{"dirichlet":[1,{"learn":[0.01,0.1]}]}]`), `"runs":2`, `"runs":2,"agents":["c-psrl"]`, 1))
	if !slices.Equal(ids(flags), ids(doc)) {
		t.Errorf("the flags and the document have other settings")
	}
	link, can := sweep.EncodeLink(flags, nil)
	if !can {
		t.Fatal("no link")
	}
	l, err := spec.ReadLink(link)
	if err != nil {
		t.Fatal(err)
	}
	if string(spec.Encode(l.Spec)) != string(spec.Encode(base)) {
		t.Error("the link does not open the base")
	}
	of, err := sweep.OfLink(l)
	if err != nil || of.Receipt != nil || !slices.Equal(of.Pairs, l.Unknown) {
		t.Fatalf("%+v, %v", of, err)
	}
	if again, err := sweep.New(l.Spec, of.Vary); err != nil || !slices.Equal(ids(again), ids(flags)) {
		t.Errorf("%v, or the link %s has other settings", err, link)
	}
	if none, err := sweep.OfLink(&spec.Link{Spec: base}); none != nil || err != nil {
		t.Error("a link without vary has a sweep")
	}
	for vary, says := range map[string]string{
		"z":                  `"z" is not key=value,value`,
		"zz=1":               `"zz" is no field that can vary`,
		"z=2;z=3":            "sparseness varies twice",
		"z=2,3~false=1":      "prior.false has 2, sparseness has",
		"z=0":                "z=0: 0 is out of range",
		"z=two":              "z=two: ",
		"bound=low":          `bound=low: "low" is unknown; it must be one of`,
		"":                   `"" is not key=value,value`,
		"z=":                 "z=: ",
		"seed=1e3":           "write digits only",
		"slippery=yes":       `"slippery" is no field that can vary`,
		"z=1,2~z=1,2":        "sparseness varies twice",
		"seed=" + long(1001): "",
		"seed=" + long(1000) + ";episodes=" + long(1000): "more than 100000 settings",
	} {
		_, err := sweep.New(base, vary)
		if says == "prior.false has 2, sparseness has" {
			says = "prior.false has 1, sparseness has 2"
		}
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%.30s: %v, want %q", vary, err, says)
		}
	}
}

func long(n int) string {
	list := make([]string, n)
	for k := range list {
		list[k] = fmt.Sprint(k + 1)
	}
	return strings.Join(list, ",")
}

// A document that is no sweep is refused at its place.
func TestRefuses(t *testing.T) {
	for vary, says := range map[string]string{
		`[{"sparsness":[1]}]`:                            "/vary/0/sparsness: there is no such field",
		`[{"sparseness":[2,"x"]}]`:                       "/vary/0/sparseness/1",
		`[{"sparseness":[]}]`:                            "/vary/0/sparseness: a value was expected",
		`[{"sparseness":2}]`:                             "/vary/0/sparseness",
		`[{}]`:                                           "/vary/0: a field was expected",
		`[{"sparseness":[2]},{"sparseness":[3]}]`:        "/vary/1: sparseness varies twice",
		`[{"sparseness":[2,3],"seed":[1]}]`:              "/vary/0: fields of one entry have as many values each",
		`[{"label.a b":["x"],"seed":[1]},{"label.":[]}]`: "/vary/1/label.: ",
		`[{"label.n":["x"],"seed":[1]}]`:                 `a table has a column "n" already`,
		`[{"label.p":[1],"seed":[1]}]`:                   "/vary/0/label.p/0",
		`[{"seed":[null]}]`:                              "/vary/0/seed/0",
		`{}`:                                             "/vary",
	} {
		_, err := sweep.Decode([]byte(document(vary)))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", vary, err, says)
		}
	}
	for text, says := range map[string]string{
		`{"format":"cpsrl/sweep","version":2,"spec":{},"vary":[]}`:                          "/version",
		`{"format":"cpsrl/spec","version":1}`:                                               "/format",
		`{"format":"cpsrl/sweep","version":1,"vary":[]}`:                                    `/spec: the field "spec" is missing`,
		`{"format":"cpsrl/sweep","version":1,"spec":{"format":"cpsrl/model"},"vary":[]}`:    "/spec/format",
		`{"format":"cpsrl/sweep","version":1,"spec":{},"vary":[],"x":1}`:                    "/x: unknown field",
		`{"format":"cpsrl/sweep","version":1,"spec":{"format":"cpsrl/spec"},"vary":[]} {}`:  "",
		`{"format":"cpsrl/sweep","version":1,"spec":{"format":"cpsrl/spec"},"vary":["x",1]`: "",
	} {
		if _, err := sweep.Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

// A setting without a complete spec is impossible and says why; the others are not touched.
func TestImpossible(t *testing.T) {
	s := decode(t, document(`[{"episodes":[2,200000]},{"domain":[{"name":"taxi"},{"name":"taxi","grid":"9x9"}],"label.grid":["small","none"]},{"domain.horizon":[5]}]`))
	var says []string
	for setting := range s.Settings() {
		text := strings.Join(setting.Texts, ",")
		switch {
		case setting.Err != nil && (setting.Spec != nil || len(setting.ID) != 32):
			t.Errorf("%s has a spec or no ID", text)
		case setting.Err != nil:
			text += " " + setting.Err.Error()
		case setting.Spec.Domain.(*domain.Taxi).Horizon != 5:
			t.Errorf("%s: the horizon is not 5", text)
		}
		says = append(says, text)
	}
	want := []string{"2,small,5", "2,none,5 /domain/grid: ", "200000,small,5 /episodes: ", "200000,none,5 /"}
	for k := range want {
		if len(says) != len(want) || !strings.HasPrefix(says[k], want[k]) || strings.Contains(want[k], "/") != strings.Contains(says[k], "/") {
			t.Fatalf("%q, want %q", says, want)
		}
	}
}

// A longer list moves no setting to another shard, and changes no ID; the shards have about as many settings each.
func TestShards(t *testing.T) {
	ids := func(values string) map[string]string {
		list := map[string]string{}
		for setting := range decode(t, document(`[{"seed":[`+values+`]},{"sparseness":[2,3]}]`)).Settings() {
			list[strings.Join(setting.Texts, ",")] = setting.ID
		}
		return list
	}
	short, longer := ids("1,2,3"), ids(long(500))
	for text, id := range short {
		if longer[text] != id {
			t.Errorf("%s has another ID in a longer list", text)
		}
	}
	counts := make([]int, 8)
	for _, id := range longer {
		shard := sweep.Shard(id, 8)
		counts[shard]++
		if sweep.Shard(id, 1) != 0 {
			t.Error("one shard does not have all")
		}
	}
	for _, n := range counts {
		if n < 90 || n > 160 { // 125 ± 10.5, a binomial law; the IDs are fixed
			t.Errorf("1000 settings in 8 shards: %v", counts)
		}
	}
	// The assignment is part of the format: another one would send a shard of an older command elsewhere.
	if got := fmt.Sprint(sweep.Shard("00000000000000000000000000000000", 7), sweep.Shard("ffffffffffffffffffffffffffffffff", 1000)); got != frozenShards {
		t.Errorf("shards %s, want %s", got, frozenShards)
	}
}

const frozenShards = "3 590"

func TestArrays(t *testing.T) {
	for want, indices := range map[string][]int{
		"--array=0-2,5":                        {0, 1, 2, 5},
		"--array=999":                          {999},
		"":                                     nil,
		"--array=0-1 --export=ALL,OFFSET=2000": {2000, 2001},
		"--array=998-999|--array=0,7 --export=ALL,OFFSET=1000": {998, 999, 1000, 1007},
	} {
		if got := strings.Join(sweep.Arrays(indices, 1000), "|"); got != want {
			t.Errorf("%v: %q, want %q", indices, got, want)
		}
	}
}

// Manifests read back, and hostile ones are refused.
func TestManifests(t *testing.T) {
	r := &sweep.Run{Engine: 2, Shards: 8, Sweep: decode(t, document(`[{"seed":[1,2]}]`))}
	again, err := sweep.DecodeRun(r.Encode())
	if err != nil || string(again.Encode()) != string(r.Encode()) {
		t.Errorf("%v, or another manifest", err)
	}
	c := &sweep.Completion{Sweep: r.Sweep.Digest(), Shard: 3, Shards: 8, Settings: []sweep.Done{{ID: "a", Hash: "b"}}}
	read, err := sweep.DecodeCompletion(c.Encode())
	if err != nil || string(read.Encode()) != string(c.Encode()) {
		t.Errorf("%v, or another manifest: %s", err, c.Encode())
	}
	for _, text := range []string{"", "{}", `{"format":"cpsrl/sweep-run","version":1}`, strings.Replace(string(r.Encode()), `"shards":8`, `"shards":0`, 1), string(c.Encode())} {
		if _, err := sweep.DecodeRun([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	const one, none = `{"id":"a","sha256":"b"}`, `"impossible":[]`
	change := func(from, to string) string { return strings.Replace(string(c.Encode()), from, to, 1) }
	for _, text := range []string{
		"", "{}", string(r.Encode()), change(`"shard":3`, `"shard":"3"`),
		change(one, `{"id":"a","sha256":""}`), change(one, one+`,{"id":"a","sha256":"c"}`),
		change(none, `"impossible":[{"id":"a","setting":["1"],"reason":"no"}]`),
		change(none, `"impossible":[{"id":"z","setting":["1"],"reason":"no"},{"id":"z","setting":["1"],"reason":"no"}]`),
	} {
		if _, err := sweep.DecodeCompletion([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(document(`[{"sparseness":[2,3]},{"prior.false":[0,1],"label.x":["a","b"]},{"domain":[{"name":"taxi"}]}]`))
	f.Fuzz(func(t *testing.T, text string) {
		s, err := sweep.Decode([]byte(text))
		if err != nil {
			return
		}
		again, err := sweep.Decode(s.Encode())
		if err != nil || string(again.Encode()) != string(s.Encode()) {
			t.Fatalf("%v: %s does not read back", err, s.Encode())
		}
		n := 0
		for setting := range s.Settings() {
			if (setting.Spec == nil) != (setting.Err != nil) || len(setting.Texts) != len(s.Columns()) {
				t.Fatal("a setting is neither possible nor impossible")
			}
			if n++; n > 20 {
				break
			}
		}
	})
}

// Oracle: the field of a form. A value of η replaces the edges of a prior.
func TestEtaReplacesEdges(t *testing.T) {
	base, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"prior":{"edges":[["X1","X1"]]},"episodes":2,"runs":2}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sweep.New(base, "eta=0,1")
	if err != nil {
		t.Fatal(err)
	}
	for setting := range s.Settings() {
		if setting.Err != nil || setting.Spec.Prior == nil || setting.Spec.Prior.Edges != nil || fmt.Sprint(*setting.Spec.Prior.Eta) != setting.Texts[0] {
			t.Errorf("η = %s: %v", setting.Texts[0], setting.Err)
		}
	}
}

// The settings have the data of the base, which their JSON only names.
func TestData(t *testing.T) {
	from, err := spec.DecodeData([]byte(`[{"x":[0,0,0,0],"y":[0,0]}]`))
	if err != nil {
		t.Fatal(err)
	}
	base, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":5,"domain":{"name":"figure1"},"episodes":2,"runs":2}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := base.Start(from); err != nil {
		t.Fatal(err)
	}
	s, err := sweep.New(base, "z=2,3")
	if err != nil {
		t.Fatal(err)
	}
	document, err := sweep.Decode(s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	for of, has := range map[*sweep.Sweep]bool{s: true, document: false} {
		for setting := range of.Settings() {
			if _, err := experiment.New(setting.Spec); (err == nil) != has {
				t.Errorf("data %t: %v", has, err)
			}
		}
	}
	if err := document.Start(from); err != nil {
		t.Fatal(err)
	}
	for k := range s.Len() {
		if a, b := s.Setting(k), document.Setting(k); a.ID != b.ID || b.Spec.Data() != from {
			t.Errorf("setting %d: %s, %s", k, a.ID, b.ID)
		}
	}
	other, err := spec.DecodeData([]byte(`[{"x":[1,0,0,0],"y":[0,0]}]`))
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Start(other); err == nil {
		t.Error("the sweep starts from other data")
	}
}

package spec

import (
	"cmp"
	"compress/flate"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
)

// Links of every version, which must always be read and written back.
var goldenLinks = []string{
	"v=1&domain=taxi",
	"v=1&domain=taxi&grid=3x3",
	"v=1&domain=random-fmdp&episodes=500",
	"v=1&domain=figure1&episodes=100",
	"v=1&agents=f-psrl,c-psrl:eta=1,c-psrl:eta=2,c-psrl:eta=3,c-psrl:eta=4&domain=random-fmdp&episodes=500",
	"v=1&prior=col:col,move,row;row:move,row&domain=taxi&z=4",
	"v=2&prior=col:col~.9,!destination,move,row~.000001;row:move,!row&domain=taxi&z=4",
	"v=2&domain=taxi&trust=.99",
	"v=2&domain=random-fmdp&eta=2&trust=.99&false=1&parents=uniform",
	"v=2&domain=random-fmdp&false=1",
	"v=2&domain=taxi&z=4,passenger:5,row:2",
	"v=2&prior.a=*eta:1&prior.b=*eta:0,trust:.9,false:2&prior.c=*trust:.5&prior.d=none&prior.e=row:!col,move~.9,row&agents=psrl,c-psrl:prior=a,c-psrl:eta=2,dirichlet=ess:1,update=printed,prior=b,f-psrl:prior=e&domain=taxi",
	"v=3&domain=figure1&rows=mix:0.1:1&episodes=100&dirichlet=mix:0.01:0.1:1&tables=tied",
	"v=3&agents=c-psrl:eta=1,dirichlet=mix:0.01:0.1:1,tables=tied,f-psrl:tables=rows&domain=taxi&dirichlet=0.1",
	"v=3&domain=sysadmin",
	"v=3&domain=sysadmin&topology=ring&machines=6&dirichlet=mix:0.01:0.1:1&tables=tied",
	"v=1&prior=none&domain=taxi&seed=9007199254740991",
	"v=1&domain=random-fmdp&eta=0&states=3&actions=1&values=3&parents=uniform&horizon=7&z=2&episodes=10&first=3&runs=2&seed=0&bound=below&update=printed&rewards=learned",
	"v=1&receipt=1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef&domain=taxi&grid=3x3&episodes=60&runs=4",
	"v=1&later=x%20y&domain=taxi",
	"v=1&domain=random-fmdp&parents=7",     // Z is the 5 of version 1
	"v=1&domain=random-fmdp&parents=7&z=7", // Z is the domain's suggestion
	"v=1&domain=taxi&grid=3x3&measure=model-error&log=y&watch=3,40",
	"v=1&domain=taxi&episodes=60&runs=4&measure=recall&log=x,y&hide=psrl,f-psrl&watch=3,60,plan",
	"v=1&agents=c-psrl:eta=1,c-psrl:eta=2&domain=taxi&first=5&log=x&paired=1&hide=c-psrl:eta=2&watch=24,1,sample,c-psrl:eta=1",
	"v=2&agents=c-psrl:eta=2,dirichlet=0.1,c-psrl:eta=1&domain=taxi&paired=c-psrl:eta=2,dirichlet=0.1,c-psrl:eta=1",
	"v=1&domain=taxi&grid=3x3&measure=regret&log=x&band=runs&hide=psrl&watch=3,40",
	"v=1&domain=taxi&band=quantiles",
	"v=1&heading=Which%20edge%20is%20wrong%3F&note=Watch%20episode%2020%20%26%20say%20why.&later=1&domain=taxi&grid=3x3&log=y",
	"v=1&note=Enough!.&domain=taxi",
	"v=1&hide=nobody&log=z&measure=R%20R&paired=0&watch=20,1&domain=taxi", // unknown values of the view
}

func TestGoldenLinks(t *testing.T) {
	for _, fragment := range goldenLinks {
		l, err := DecodeLink("#" + fragment)
		if err != nil {
			t.Errorf("%s: %v", fragment, err)
			continue
		}
		if got := EncodeLink(l); got != fragment {
			t.Errorf("canonical form\n got %s\nwant %s", got, fragment)
		}
	}
}

func TestLinkOfModel(t *testing.T) {
	for _, names := range [][2]string{{"side", "flip"}, {"the side of the coin", "7: flip, or not"}} {
		model := strings.NewReplacer("side", names[0], "flip", names[1]).Replace(coinModel)
		spec, err := Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"model","model":` + model + `},
			"prior":{"edges":[["` + names[1] + `","` + names[0] + `"],["` + names[0] + `","` + names[0] + `"]]}}`))
		if err != nil {
			t.Fatal(err)
		}
		fragment := EncodeLink(&Link{Spec: spec})
		last := fragment[len(fragment)-1]
		if !(last >= '0' && last <= '9' || last >= 'a' && last <= 'z') {
			t.Errorf("%s does not end in a letter or a digit", fragment)
		}
		l, err := DecodeLink(fragment)
		if err != nil {
			t.Fatal(err)
		}
		if got := EncodeLink(l); got != fragment {
			t.Errorf("canonical form\n got %s\nwant %s", got, fragment)
		}
		if got, want := string(Encode(l.Spec)), string(Encode(spec)); len(got) != len(want) || !strings.HasPrefix(got, want[:strings.Index(want, `"prior"`)]) {
			t.Errorf("the spec changed, apart from the order of its edges:\n got %s\nwant %s", got, want)
		}
	}
}

// Oracle: the edges of a prior of 256 variables are the same in a document, a link and what the link opens to, with every kind of
// edge from and to variables beyond a machine word; and one variable more is refused in a sentence.
func TestWidePrior(t *testing.T) {
	decode := func(n int) (*Spec, error) {
		var state, laws, edges []string
		for j := range n - 1 {
			state = append(state, fmt.Sprintf(`{"name":"b%d","size":2}`, j))
			laws = append(laws, fmt.Sprintf(`{"of":"b%d","given":[],"p":[[0.5,0.5]]}`, j))
			for k, p := range []string{"", ",0", ",0.25"} {
				edges = append(edges, fmt.Sprintf(`["b%d","b%d"%s]`, (j+64*(k+1))%(n-1), j, p))
			}
			edges = append(edges, fmt.Sprintf(`["act","b%d"]`, j))
		}
		return Decode([]byte(`{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":{"format":"cpsrl/model","version":1,"horizon":3,
			"state":[` + strings.Join(state, ",") + `],"action":[{"name":"act","size":2}],"initial":"uniform","transition":[` + strings.Join(laws, ",") + `],"reward":[]}},
			"agents":["c-psrl"],"sparseness":2,"prior":{"edges":[` + strings.Join(edges, ",") + `]}}`))
	}
	s, err := decode(256)
	if err != nil {
		t.Fatal(err)
	}
	fragment := EncodeLink(&Link{Spec: s})
	l, err := DecodeLink(fragment)
	if err != nil || !Fits(s, fragment) {
		t.Fatalf("%v: %d bytes", err, len(fragment))
	}
	order := func(a, b document.Edge) int {
		return cmp.Or(strings.Compare(a.To, b.To), strings.Compare(a.From, b.From))
	}
	got, want := slices.Clone(l.Spec.Prior.Edges), slices.Clone(s.Prior.Edges)
	slices.SortFunc(got, order)
	slices.SortFunc(want, order)
	if !slices.Equal(got, want) || len(want) != 4*255 {
		t.Errorf("%d edges, not the %d of the document", len(got), len(want))
	}
	if _, err := decode(257); err == nil || !strings.Contains(err.Error(), "257 state and action variables, more than 256") {
		t.Error(err)
	}
}

const coinModel = `{"format":"cpsrl/model","version":1,"name":"coin","horizon":3,
 "state":[{"name":"side","size":2,"values":["heads","tails"]}],
 "action":[{"name":"flip","size":2}],
 "initial":[{"state":[0],"p":1}],
 "transition":[{"of":"side","given":["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]}],
 "reward":[{"given":["side"],"mean":[0,1],"kind":"fixed"}]}`

func TestHostileLinks(t *testing.T) {
	bomb := pack([]byte(strings.Repeat("[", maxInflated+1)), flate.BestCompression)
	for _, test := range []struct{ fragment, place, reason string }{
		{"", "", "the link is empty"},
		{"domain=taxi", "v", "the link does not say its version"},
		{"v=8&domain=taxi", "v", `the link has version "8"; this engine reads versions 1 to 7`},
		{"v=02&domain=taxi", "v", `the link has version "02"`},
		{"v=2&domain=taxi&tables=tied", "/tables", "this is for links of version 3, which begin with v=3"},
		{"v=3&domain=taxi&tables=Tied", "/tables", `"Tied" is unknown; it must be one of rows, tied, trees`},
		{"v=1&domain=taxi&trust=.9", "/prior/trust", "this is for links of version 2, which begin with v=2"},
		{"v=1&domain=taxi&prior=row:!col,row", "/prior/edges/0", "this is for links of version 2"},
		{"v=1&domain=taxi&z=4,row:2", "/sparseness", "this is for links of version 2"},
		{"v=1&domain=taxi&prior.a=none", "/priors", "this is for links of version 2"},
		{"v=1&domain=taxi&agents=psrl,c-psrl:update=printed", "/agents/1", "this is for links of version 2"},
		{"v=1&domain=taxi&dirichlet=.1", "/dirichlet", "this is for links of version 2"},
		{"v=1&domain=random-fmdp&scopes=own", "/domain/rewardScopes", "this is for links of version 2"},
		{"v=1", "domain", "the link names no domain"},
		{"v=1&domain=chess", "/domain/name", `"chess" is unknown`},
		{"v=1&domain=taxi&runs=1000000000", "/runs", "1000000000 is out of range; it must be from 1 to 10000"},
		{"v=1&domain=taxi&runs=0", "runs", "0 is out of range"},
		{"v=1&domain=taxi&seed=9007199254740992", "seed", "is not a whole number"},
		{"v=1&domain=taxi&episodes=1e3", "episodes", "is not a whole number"},
		{"v=1&domain=taxi&episodes=+5", "episodes", "is not a whole number"},
		{"v=1&domain=taxi&runs=1&runs=2", "runs", "given twice"},
		{"v=1&domain=taxi&runs", "", `"runs" is not key=value`},
		{"v=1&domain=taxi&grid=%zz", "grid", "percent-encoded"},
		{"v=1&domain=taxi&values=3", "/domain/values", "has no parameter"},
		{"v=1&domain=taxi&agents=c-psrl,c-psrl", "/agents/1", "listed twice"},
		{"v=1&domain=taxi&agents=<img src=x onerror=alert(1)>", "/agents/0", "is unknown"},
		{"v=1&domain=taxi&prior=row", "prior", "is not child:parent"},
		{"v=1&domain=taxi&prior=~0:1", "prior", `are for the domain "model"`},
		{"v=1&domain=taxi&prior=none&trust=.9", "trust", "either prior or trust"},
		{"v=1&domain=taxi&prior=none&false=1", "false", "either prior or false"},
		{"v=1&domain=taxi&trust=0", "trust", "0 is not a trust; it must be 1, or a number from 0.000001 to 0.999999"},
		{"v=1&domain=taxi&trust=1.5", "trust", "1.5 is not a probability"},
		{"v=1&domain=taxi&trust=NaN", "trust", `"NaN" is not a probability`},
		{"v=1&domain=taxi&false=257", "/prior/false", "257 is out of range"},
		{"v=1&domain=taxi&prior=row:row~2", "prior", "2 is not a probability of an edge"},
		{"v=1&domain=taxi&prior=row:row~", "prior", `"" is not a probability of an edge`},
		{"v=1&domain=taxi&prior=row:row~1e-9", "prior", `"1e-9" is not a probability of an edge`},
		{"v=1&domain=taxi&prior=row:!row~.9", "prior", `"!row~.9" is forbidden and has a probability`},
		{"v=1&domain=taxi&z=4,row", "z", `"4,row" is not a whole number, or one and then names`},
		{"v=1&domain=taxi&z=4,row:", "z", "is not a whole number"},
		{"v=1&domain=taxi&z=row:4", "z", "is not a whole number"},
		{"v=1&domain=taxi&z=4,", "z", "is not a whole number"},
		{"v=1&domain=taxi&z=4,row:1,row:2", "z", `the Z of "row" is given twice`},
		{"v=1&domain=taxi&z=4,row:0", "z", "0 is out of range"},
		{"v=2&domain=taxi&z=4," + strings.Repeat("r", 1023) + ":2", "z", "has more than 1024 bytes in JSON"},
		{"v=2&domain=taxi&z=4,%22%5cxff%22:2", "z", "is not a name: it is not UTF-8"},
		{"v=1&domain=taxi&z=4,%22row:1", "z", "is not a whole number"},
		{"v=1&domain=taxi&prior.a=*eta", "prior.a", "is not a whole number"},
		{"v=2&domain=taxi&prior.a=*eta:1,eta:2", "prior.a", `"eta" is given twice`},
		{"v=1&domain=taxi&prior.a=*beta:1", "prior.a", `"beta:1" is none of eta:NUMBER, trust:NUMBER and false:NUMBER`},
		{"v=1&domain=taxi&prior.a=*trust:2", "prior.a", "2 is not a probability"},
		{"v=1&domain=taxi&prior.a=row", "prior.a", "is not child:parent"},
		{"v=1&domain=taxi&prior.=none", "/priors", `"" is not the name of a prior`},
		{"v=1&domain=taxi&agents=c-psrl:prior=a", "/agents/0", `there is no prior "a"`},
		{"v=1&domain=taxi&prior=none&eta=1", "eta", "either prior or eta"},
		{"v=1&domain=taxi&receipt=1-xyz", "receipt", "the receipt is not"},
		{"v=1&domain=model", "/domain/model", "the model is missing"},
		{"v=1&domain=model&prior=~0:1", "prior", "edges by index"},
		{"v=1&domain=model&model=!!", "model", "damaged"},
		{"v=1&domain=model&model=AAAA", "model", "damaged"},
		{"v=1&domain=model&model=" + bomb, "model", "larger than"},
		{"v=1&domain=taxi&x=" + strings.Repeat("a", MaxLink), "", "more than 65536"},
	} {
		_, err := DecodeLink(test.fragment)
		if err == nil {
			t.Errorf("%.60s: accepted", test.fragment)
			continue
		}
		if e := err.Error(); !strings.HasPrefix(e, test.place) || !strings.Contains(e, test.reason) {
			t.Errorf("%.60s: %q, want place %q and %q", test.fragment, e, test.place, test.reason)
		}
	}
	// The name of a JavaScript property is a key like any other.
	l, err := DecodeLink("v=1&__proto__=1&domain=taxi")
	if err != nil || len(l.Unknown) != 1 {
		t.Errorf("__proto__: %v, %v", l, err)
	}
}

func FuzzLink(f *testing.F) {
	f.Add("v=2&prior=row:!*,move~.5,row&domain=taxi")
	for _, fragment := range goldenLinks {
		f.Add(fragment)
	}
	f.Add("v=2&prior.b=row:move;**row:move&domain=taxi")
	f.Add(`v=2&domain=taxi&z=4,"*":8`)
	f.Add("v=3&agents=c-psrl:dirichlet=mix:1:2,tables=tied&domain=figure1&rows=mix:.1:1&dirichlet=mix:.1&tables=tied")
	f.Fuzz(func(t *testing.T, fragment string) {
		l, err := DecodeLink(fragment)
		if err != nil {
			return
		}
		once := EncodeLink(l)
		again, err := DecodeLink(once)
		if err != nil {
			t.Fatalf("%q became %q: %v", fragment, once, err)
		}
		if twice := EncodeLink(again); once != twice {
			t.Fatalf("not canonical: %q, then %q", once, twice)
		}
		if _, err := Decode(Encode(l.Spec)); err != nil {
			t.Fatalf("the spec of %q cannot be read: %v", fragment, err)
		}
	})
}

// Links are no longer than the documentation of Link says, with every field at its longest.
func TestLinkLength(t *testing.T) {
	const rest = `"sparseness":63,"episodes":100000,"firstRun":9000,"runs":1000,"seed":9007199254740991,
		"bound":"below","update":"printed","rewards":"learned"`
	length := func(domain, prior string) int {
		spec, err := Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{` + domain + `,"horizon":16383},"prior":{` + prior + `},` + rest + `}`))
		if err != nil {
			t.Fatal(err)
		}
		link := EncodeLink(&Link{Spec: spec})
		if _, err := DecodeLink(link); err != nil {
			t.Errorf("%s: %v", domain, err)
		}
		return len(link)
	}
	// random is a random FMDP with every edge of its prior.
	random := func(states, actions int) (domain, prior string) {
		var x []string
		for i := range states + actions {
			x = append(x, fmt.Sprintf("X%d", i+1))
		}
		return fmt.Sprintf(`"name":"random-fmdp","stateVariables":%d,"actionVariables":%d,"values":1024,"parents":"uniform"`, states, actions), everyEdge(x, states)
	}
	paper, all := random(6, 3)
	large, most := random(50, 14)
	const taxi, figure1 = `"name":"taxi","grid":"3x3"`, `"name":"figure1"`
	for _, test := range []struct {
		domain, prior string
		limit         int
	}{
		{large, `"eta":63`, 200},
		{taxi, `"eta":63`, 200},
		{figure1, `"eta":63`, 200},
		{paper, all, 500},
		{taxi, everyEdge([]string{"row", "col", "passenger", "destination", "move"}, 4), 500},
		{figure1, everyEdge([]string{"X1", "X2", "X3", "X4"}, 2), 500},
		{large, most, MaxLink},
	} {
		if n := length(test.domain, test.prior); n > test.limit {
			t.Errorf("%s, %.20s: %d characters, more than %d", test.domain, test.prior, n, test.limit)
		}
	}
}

// everyEdge returns the members of a prior that knows every edge from the variables x to
// the first of them, the states.
func everyEdge(x []string, states int) string {
	var edges []string
	for _, y := range x[:states] {
		for _, from := range x {
			edges = append(edges, fmt.Sprintf("[%q,%q]", from, y))
		}
	}
	return `"edges":[` + strings.Join(edges, ",") + `]`
}

// sortEdges sorts the edges of a spec's priors, which a link does not keep in their order.
func sortEdges(s *Spec) {
	priors := []*Prior{s.Prior}
	for _, p := range s.Priors {
		priors = append(priors, p.Prior)
	}
	for _, p := range priors {
		if p != nil {
			slices.SortFunc(p.Edges, func(a, b document.Edge) int {
				return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
			})
		}
	}
}

// FuzzLinkOfSpec checks that the link of any spec opens to that spec, and that its link is
// the same.
func FuzzLinkOfSpec(f *testing.F) {
	f.Add(`"domain":{"name":"taxi"}`, true)
	f.Add(`"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":2},"prior":{"edges":[["X1","X2"],["X4","X1",0.25]]},"agents":["psrl","c-psrl:eta=1,dirichlet=0.1"],"runs":7`, false)
	f.Add(`"domain":{"name":"random-fmdp","stateVariables":2,"actionVariables":2},"prior":{"edges":[["X1","X;"],["X4","X1",0.25]]},"agents":["psrl","c-psrl:eta=1,dirichlet=0.1"],"runs":7`, true)
	f.Add(`"domain":{"name":"figure1"},"bound":"below","update":"printed","rewards":"learned","seed":9007199254740991,"episodes":100000`, false)
	f.Add(`"domain":{"name":"model","model":`+coinModel+`},"agents":["c-psrl:tables=rows","psrl"],"dirichlet":{"mix":[0.5]}`, false)
	f.Fuzz(func(t *testing.T, members string, receipt bool) {
		spec, err := Decode([]byte(`{"format":"cpsrl/spec","version":3,` + members + `}`))
		if err != nil {
			return
		}
		link := &Link{Spec: spec}
		if receipt {
			link.Receipt = &Receipt{Engine: 2, Fingerprint: strings.Repeat("0a", 32)}
		}
		fragment := EncodeLink(link)
		if len(fragment) > MaxLink {
			return
		}
		again, err := DecodeLink(fragment)
		if err != nil {
			t.Fatalf("%q: %v", fragment, err)
		}
		sortEdges(spec)
		sortEdges(again.Spec)
		if got, want := string(Encode(again.Spec)), string(Encode(spec)); got != want {
			t.Errorf("%q is of\n%s\nwant\n%s", fragment, got, want)
		}
		if receipt != (again.Receipt != nil) || receipt && *again.Receipt != *link.Receipt || len(again.Unknown) > 0 {
			t.Errorf("%q: receipt %v, unknown %q", fragment, again.Receipt, again.Unknown)
		}
		if twice := EncodeLink(again); twice != fragment {
			t.Errorf("%q, then %q", fragment, twice)
		}
	})
}

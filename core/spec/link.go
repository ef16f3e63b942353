package spec

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/arm"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Link is a spec as the fragment of a URL, with an optional receipt.
//
// # Grammar, versions 1 to 7
//
// A fragment is key=value pairs joined by &, percent-encoded, in this order,
// each at most once:
//
//	v         1 to 7, always first
//	model     a cpsrl/model without white space, deflated, in base64url
//	prior     the known edges as child:parent,parent;child:… by name, children
//	          and parents sorted; parent~.9 with a probability, !parent forbidden,
//	          !* all forbidden that are not listed;
//	          ~ before the first child: by index; none: no edge
//	prior.NAME  a named prior: edges, or *eta:2,trust:.9,false:1
//	agents    labels joined by commas
//	receipt   the engine's version and the fingerprint of the records, joined by -
//	heading   of the view: the figure's title, at most 80 characters of plain text
//	note      of the view: what is said above the figure, at most 300 characters of plain text
//	          and any keys this version does not know, sorted; among them vary, what varies in a
//	          sweep, which package sweep reads
//	domain    always
//	grid states actions values parents topology machines horizon rows scopes true-tables
//	reboots diabetic glucose map slippery rivers length products stock eta trust false data z
//	episodes first runs seed bound update rewards dirichlet tables depth planner
//	measure   of the view: the key of a measure
//	log       the axes that are logarithmic: x, y or x,y
//	band      what the curves show of the runs: quantiles, runs, final or learned; by default means with intervals
//	paired    AGENT,BASE: the difference of these two agents; 1: of two that the page chooses
//	hide      labels of agents whose curves are hidden, joined by commas
//	watch     RUN,EPISODE,MOMENT,AGENT on the stage; AGENT may be left out, and MOMENT with it
//
// A value of the view that this version does not understand, or that does not suit
// the spec, is treated like an unknown key. The experiment still opens.
//
// A parameter that equals its default is left out. The defaults of links are frozen,
// even if those of specs change. Version 2 added probabilities, the concentrations rows
// and dirichlet, scopes, trust, false, named priors, and more parameters of agents. Version 3
// added tables, depth, mixed concentrations and more domains. Version 4 added true-tables, reboots,
// the agent constant and more domains. Version 5 added data, which a link names by their SHA-256 and does not
// hold. Version 6 added the word trees of tables, version 7 the planner. A model in a link has its own version. A link is of the least version that can express it. Equal specs have equal links, whatever the order of their edges.
//
// With the three agents of the paper, a link of version 1 with a named domain has at most 200
// characters; with an edited prior it has at most 500, if the problem is no
// larger than the paper's. A receipt and other agents make it longer.
type Link struct {
	Spec    *Spec
	Receipt *Receipt
	View    View
	Unknown []string // pairs key=value, percent-encoded, whose keys this version does not know

	// Repaired says what ReadLink repaired after a mail, a chat or a document had changed the link:
	// "&amp; is read as &". It is "" if the link was whole.
	Repaired string
}

// Receipt names the records that the spec of a link gave.
type Receipt struct {
	Engine      int    `json:"engine"`
	Fingerprint string `json:"fingerprint"` // 64 lower-case hexadecimal digits
}

// linkVersions are the texts of the versions of links, from 1.
var linkVersions = []string{"1", "2", "3", "4", "5", "6", "7"}

// Limits of a link.
const (
	MaxLink     = 64 << 10 // bytes of the fragment
	maxInflated = 1 << 20  // bytes of a packed model
)

// Fits reports whether a link of s, as EncodeLink returned it, is within the limits.
func Fits(s *Spec, link string) bool {
	for _, p := range s.Domain.Params() {
		if p.Document != nil && len(p.Document.Encode()) > maxInflated {
			return false
		}
	}
	return len(link) <= MaxLink
}

// EncodeLink returns the fragment of a link, without the #. The spec must be
// complete.
func EncodeLink(l *Link) string {
	s := l.Spec
	least, _ := s.least()
	pairs := []string{fmt.Sprintf("v=%d", least)}
	add := func(key, value string) { pairs = append(pairs, key+"="+escape(value)) }
	table := append(s.Domain.Params(), s.Params()...)
	for _, p := range table {
		if p.Document != nil {
			data := p.Document.Encode()
			add(p.Key, pack(data, levelOf(data)))
		}
	}
	if s.Prior != nil && s.Prior.Edges != nil {
		add("prior", linkEdges(s, s.Prior.Edges))
	}
	for _, p := range s.Priors {
		add(priorPrefix+p.Name, linkPrior(s, p.Prior))
	}
	if !slices.Equal(s.Agents, paperAgents()) {
		add("agents", strings.Join(s.Agents, ","))
	}
	if l.Receipt != nil {
		add("receipt", l.Receipt.String())
	}
	view := map[string]string{} // by key
	for _, row := range viewRows {
		if view[row.key] = row.write(&l.View); row.early && view[row.key] != "" {
			add(row.key, view[row.key])
		}
	}
	for _, pair := range slices.Sorted(slices.Values(l.Unknown)) {
		if key, _, _ := strings.Cut(pair, "="); view[key] == "" { // a value of the view replaces an unknown one
			pairs = append(pairs, pair)
		}
	}
	add("domain", s.Domain.Kind().Key)
	if s.Prior != nil {
		for _, row := range wholePrior(s.Prior) {
			if row.String() != row.Link() {
				add(row.Key, row.String())
			}
		}
	}
	for _, p := range table {
		if text := p.String(); p.Document == nil && text != p.Link() {
			add(p.Key, text)
		}
	}
	for _, row := range viewRows {
		if text := view[row.key]; text != "" && !row.early {
			add(row.key, text)
		}
	}
	return strings.Join(pairs, "&")
}

// escape percent-encodes what a fragment cannot hold. It leaves ! * , : ; = and ~ as they
// are.
func escape(text string) string {
	text = url.QueryEscape(text)
	return linkLegible.Replace(text)
}

var linkLegible = strings.NewReplacer("%21", "!", "%2A", "*", "%2C", ",", "%3A", ":", "%3B", ";", "%3D", "=", "+", "%20")

// levelOf returns the level at which data are packed. In data that no link holds, repetitions are not looked for, which
// takes long; the text is then longer than a link may be, because each byte takes a bit.
func levelOf(data []byte) int {
	if len(data) > maxInflated {
		return flate.HuffmanOnly
	}
	return flate.BestCompression
}

// pack compresses data into the text of a link.
func pack(data []byte, level int) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		panic("spec: " + err.Error())
	}
	w.Write(data) // writing to a bytes.Buffer does not fail
	w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// unpack is the inverse of pack.
func unpack(text string) ([]byte, error) {
	packed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxInflated+1))
	}
	switch {
	case err != nil:
		return nil, strict.Invalid("model", "the packed model is damaged")
	case len(data) > maxInflated:
		return nil, strict.Invalid("model", "the packed model is larger than %d bytes", maxInflated)
	}
	return data, nil
}

// linkEdges writes the edges of a prior: by name if every name is short and plain, else
// by index.
func linkEdges(s *Spec, edges []document.Edge) string {
	if len(edges) == 0 {
		return "none"
	}
	mark, name := "", func(name string) string { return name }
	if space := linkSpace(s); space != nil && !plainNames(space) {
		mark, name = "~", func(name string) string {
			if i := space.Lookup(name); i >= 0 {
				return strconv.Itoa(i)
			}
			return name
		}
	}
	parents := map[string][]document.Edge{} // of each child
	for _, e := range edges {
		child := name(e.To)
		e.From = name(e.From)
		parents[child] = append(parents[child], e)
	}
	var groups []string
	for _, child := range slices.Sorted(maps.Keys(parents)) {
		list := parents[child]
		slices.SortFunc(list, func(a, b document.Edge) int { return strings.Compare(a.From, b.From) })
		var names []string
		for _, e := range list {
			switch e.P {
			case 1:
				names = append(names, e.From)
			case 0:
				names = append(names, "!"+e.From)
			default:
				names = append(names, e.From+"~"+document.FormatP(e.P))
			}
		}
		groups = append(groups, child+":"+strings.Join(names, ","))
	}
	return mark + strings.Join(groups, ";")
}

// edgeMarks are the characters that separate the edges of a link and their parts, or begin
// a named prior without edges.
const edgeMarks = ";:,!~" + statedMark

// canHold reports whether links can hold a name in the edges of the spec's priors. They can
// hold every variable of the domain. If edges are written by name, they can also hold any
// other name without a mark.
func (s *Spec) canHold(name string) bool {
	space := linkSpace(s)
	switch {
	case space != nil && space.Lookup(name) >= 0:
		return true
	case space != nil && !plainNames(space):
		return false
	}
	return !strings.ContainsAny(name, edgeMarks)
}

// linkSpace returns the variables of a domain whose names the user chose. It returns nil
// for other domains, whose names are short and have no mark of a link's edges.
func linkSpace(s *Spec) *fmdp.Space {
	if named, ok := s.Domain.(interface{ Model() *fmdp.Model }); ok && named.Model() != nil {
		return &named.Model().Space
	}
	return nil
}

// plainNames reports whether edges can be written by name: names of letters,
// digits, - and _, of at most 16 bytes, beginning with a letter.
func plainNames(space *fmdp.Space) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	for i := range space.X() {
		name := space.Var(i).Name
		if len(name) > 16 || name[0] < 'A' || strings.Trim(name, plain) != "" {
			return false
		}
	}
	return true
}

// parseEdges is the inverse of linkEdges.
func parseEdges(key, text string, s *Spec) ([]document.Edge, error) {
	edges := []document.Edge{}
	if text == "none" {
		return edges, nil
	}
	text, indexed := strings.CutPrefix(text, "~")
	for group := range strings.SplitSeq(text, ";") {
		child, parents, ok := strings.Cut(group, ":")
		if !ok {
			return nil, strict.Invalid(key, "%q is not child:parent,parent", param.Clip(group))
		}
		for parent := range strings.SplitSeq(parents, ",") {
			e := document.Edge{From: parent, To: child, P: 1}
			name, forbidden := strings.CutPrefix(parent, "!")
			name, p, likely := strings.Cut(name, "~")
			switch e.From = name; {
			case forbidden && likely:
				return nil, strict.Invalid(key, "%q is forbidden and has a probability", param.Clip(parent))
			case forbidden:
				e.P = 0
			case likely:
				var err error
				if e.P, err = document.ParseP(p); err != nil {
					return nil, strict.Invalid(key, "%v", err)
				}
			}
			edges = append(edges, e)
		}
	}
	if !indexed {
		return edges, nil
	}
	space := linkSpace(s)
	if space == nil {
		return nil, strict.Invalid(key, "edges by index are for the domain \"model\"")
	}
	for k := range edges {
		for _, end := range []*string{&edges[k].From, &edges[k].To} {
			i, err := strconv.Atoi(*end)
			if err != nil || i < 0 || i >= space.X() || strconv.Itoa(i) != *end {
				return nil, strict.Invalid(key, "%q is not the index of a variable", param.Clip(*end))
			}
			*end = space.Var(i).Name
		}
	}
	return edges, nil
}

// DecodeLink reads a fragment, with or without its #, and completes its spec. The
// error is a *[strict.InvalidError], whose place is a key of the link or a pointer
// into the spec.
func DecodeLink(fragment string) (*Link, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if len(fragment) > MaxLink {
		return nil, strict.Invalid("", "the link has %d bytes, more than %d", len(fragment), MaxLink)
	}
	values, err := linkValues(fragment)
	if err != nil {
		return nil, err
	}
	take := func(key string) (string, bool) {
		v, ok := values[key]
		delete(values, key)
		return v.text, ok
	}
	text, ok := take("v")
	version := slices.Index(linkVersions, text) + 1
	switch {
	case !ok:
		return nil, strict.Invalid("v", "the link does not say its version; it should begin with v=1, v=2, v=3, v=4, v=5, v=6 or v=7")
	case version == 0:
		return nil, strict.Invalid("v", "the link has version %q; this engine reads versions 1 to 7", param.Clip(text))
	}
	key, ok := take("domain")
	if !ok {
		return nil, strict.Invalid("domain", "the link names no domain")
	}
	s := &Spec{}
	if err := s.Set("domain", key); err != nil {
		return nil, err
	}
	l := &Link{Spec: s}
	s.Agents = paperAgents()
	if text, ok := take("agents"); ok {
		s.Agents = arm.Split(text)
	}
	err = cmp.Or(takeRows(s.Domain.Params, take), takeRows(s.Params, take), s.takePrior(take), s.takePriors(values, take))
	if text, ok := take("receipt"); ok && err == nil {
		if l.Receipt, err = ParseReceipt(text); err != nil {
			err = strict.Invalid("receipt", "%v", err)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, p := range everyDomain() {
		if _, other := take(p.Key); other {
			return nil, strict.Invalid("/domain/"+p.Name, "the domain %q has no parameter %q", key, p.Name)
		}
	}
	if err := s.Complete(); err != nil {
		return nil, err
	}
	if least, place := s.least(); version < least {
		return nil, strict.Invalid(place, "this is for links of version %[1]d, which begin with v=%[1]d", least)
	}
	l.View = takeView(s, values)
	for _, v := range values {
		l.Unknown = append(l.Unknown, v.raw)
	}
	slices.Sort(l.Unknown)
	return l, nil
}

// takeRows reads the parameters of a table. A parameter that the link leaves out gets its
// frozen default.
func takeRows(table func() []param.Param, take func(string) (string, bool)) error {
	return param.Each(table, func(p *param.Param) error {
		text, given := take(p.Key)
		switch {
		case p.Document != nil && given:
			data, err := unpack(text)
			if err == nil {
				err = strict.Within("/domain/"+p.Name, p.Document.Decode(data))
			}
			return err
		case given:
			return atKey(p.Key, p.SetString(text))
		case p.Link() != "":
			return atKey(p.Key, p.SetString(p.Link()))
		}
		return nil
	})
}

// atKey turns the error of a parameter into one at its key in a link.
func atKey(key string, err error) error {
	if e, ok := err.(*param.Error); ok {
		return strict.Invalid(key, "%s", e.Reason)
	}
	return err
}

// takePrior reads the spec's prior.
func (s *Spec) takePrior(take func(string) (string, bool)) (err error) {
	prior, edited := take("prior")
	if edited {
		s.Prior = &Prior{}
		s.Prior.Edges, err = parseEdges("prior", prior, s)
	}
	for _, row := range wholePrior(Revealed(0)) {
		text, given := take(row.Key)
		switch {
		case !given || err != nil:
		case edited && row.Key != "data":
			err = strict.Invalid(row.Key, "a link holds either prior or %s", row.Key)
		default:
			row = s.priorRow(row.Key)
			err = atKey(row.Key, row.SetString(text))
		}
	}
	return err
}

// takePriors reads the named priors.
func (s *Spec) takePriors(values map[string]linkValue, take func(string) (string, bool)) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		name, named := strings.CutPrefix(key, priorPrefix)
		if !named {
			continue
		}
		text, _ := take(key)
		p, err := parsePrior(param.Clip(key), text, s)
		if err != nil {
			return err
		}
		s.Priors = append(s.Priors, NamedPrior{name, p})
	}
	return nil
}

// linkValue is the decoded text of a pair key=value, and the whole pair as it was written, but
// with # escaped.
type linkValue struct{ text, raw string }

// linkValues returns the values of a fragment by key.
func linkValues(fragment string) (map[string]linkValue, error) {
	values := map[string]linkValue{}
	if fragment == "" {
		return nil, strict.Invalid("", "the link is empty")
	}
	for pair := range strings.SplitSeq(fragment, "&") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, strict.Invalid("", "%q is not key=value", param.Clip(pair))
		}
		text, err := url.PathUnescape(value)
		if err != nil {
			return nil, strict.Invalid(param.Clip(key), "the value is not percent-encoded text")
		}
		if _, twice := values[key]; twice {
			return nil, strict.Invalid(param.Clip(key), "the key is given twice")
		}
		values[key] = linkValue{text, strings.ReplaceAll(pair, "#", "%23")}
	}
	return values, nil
}

// String returns the receipt as links have it: the engine version, - and the fingerprint.
func (r *Receipt) String() string { return fmt.Sprintf("%d-%s", r.Engine, r.Fingerprint) }

// ParseReceipt reads the text of a receipt.
func ParseReceipt(text string) (*Receipt, error) {
	engine, fingerprint, _ := strings.Cut(text, "-")
	n, err := strconv.Atoi(engine)
	if err != nil || n < 1 || strconv.Itoa(n) != engine || !IsFingerprint(fingerprint) {
		return nil, errors.New("the receipt is not an engine version and a fingerprint")
	}
	return &Receipt{Engine: n, Fingerprint: fingerprint}, nil
}

// IsFingerprint reports whether text is 64 lower-case hexadecimal digits.
func IsFingerprint(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// LinkKeys returns every key of links but those of the domains' parameters: of the link itself,
// of the spec and its prior, and of the view.
func LinkKeys() []string {
	keys := []string{"v", "prior", "agents", "receipt", "domain"}
	s := &Spec{Prior: new(Prior)}
	for _, p := range append(wholePrior(s.Prior), s.Params()...) {
		keys = append(keys, p.Key)
	}
	for _, row := range viewRows {
		keys = append(keys, row.key)
	}
	return keys
}

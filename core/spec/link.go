package spec

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// Link is a spec as the fragment of a URL, with an optional receipt.
//
// # Grammar, version 1
//
// A fragment is key=value pairs joined by &, percent-encoded, in this order,
// each at most once:
//
//	v         1, always first
//	model     a cpsrl/model without white space, deflated, in base64url
//	prior     the known edges as child:parent,parent;child:… by name, children
//	          and parents sorted; ~ before the first child: by index; none: no edge
//	agents    labels joined by commas
//	receipt   the engine's version and the fingerprint of the records, joined by -
//	          and any keys this version does not know, sorted
//	domain    always
//	grid states actions values parents horizon eta z
//	episodes first runs seed bound update rewards
//
// A parameter that equals its default is left out. The defaults of version 1 are
// frozen: a later version may have others, but reads links of version 1 with
// these. Equal specs have equal links, whatever the order of their edges; links
// end in a letter or a digit.
//
// With the three agents of the paper, a link of a named domain has at most 200
// characters; with an edited prior it has at most 500, where the problem is no
// larger than the paper's. A receipt and other agents make it longer.
type Link struct {
	Spec    *Spec
	Receipt *Receipt
	Unknown []string // pairs key=value, percent-encoded, whose keys this version does not know
}

// Receipt says which records the spec of a link gave.
type Receipt struct {
	Engine      int    `json:"engine"`
	Fingerprint string `json:"fingerprint"` // 64 lower-case hexadecimal digits
}

// Limits of a link.
const (
	MaxLink     = 64 << 10 // bytes of the fragment
	maxInflated = 1 << 20  // bytes of a packed model
)

// EncodeLink returns the fragment of a link, without the #. The spec must be
// complete.
func EncodeLink(l *Link) string {
	s := l.Spec
	pairs := []string{"v=1"}
	add := func(key, value string) { pairs = append(pairs, key+"="+escape(value)) }
	table := append(s.Domain.Params(), s.Params()...)
	for _, p := range table {
		if p.Document != nil {
			add(p.Key, pack(p.Document.Encode()))
		}
	}
	if s.Prior != nil && s.Prior.Edges != nil {
		add("prior", linkEdges(s))
	}
	if !slices.Equal(s.Agents, paperAgents()) {
		add("agents", strings.Join(s.Agents, ","))
	}
	if l.Receipt != nil {
		add("receipt", fmt.Sprintf("%d-%s", l.Receipt.Engine, l.Receipt.Fingerprint))
	}
	pairs = append(pairs, slices.Sorted(slices.Values(l.Unknown))...)
	add("domain", s.Domain.Kind().Key)
	if s.Prior != nil && s.Prior.Eta != nil {
		add("eta", strconv.Itoa(*s.Prior.Eta))
	}
	for _, p := range table {
		if text := p.String(); p.Document == nil && text != p.Link() {
			add(p.Key, text)
		}
	}
	return strings.Join(pairs, "&")
}

// escape percent-encodes what a fragment cannot hold, and leaves , : ; ~ = as they are.
func escape(text string) string {
	text = url.QueryEscape(text)
	return linkLegible.Replace(text)
}

var linkLegible = strings.NewReplacer("%2C", ",", "%3A", ":", "%3B", ";", "%3D", "=", "+", "%20")

func pack(data []byte) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic("spec: " + err.Error())
	}
	w.Write(data) // a bytes.Buffer takes everything
	w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func unpack(text string) ([]byte, error) {
	packed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxInflated+1))
	}
	switch {
	case err != nil:
		return nil, record.Invalid("model", "the packed model is damaged")
	case len(data) > maxInflated:
		return nil, record.Invalid("model", "the packed model is larger than %d bytes", maxInflated)
	}
	return data, nil
}

// linkEdges writes the known edges: by name if every name is short and plain, else
// by index.
func linkEdges(s *Spec) string {
	if len(s.Prior.Edges) == 0 {
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
	parents := map[string][]string{} // of each child
	for _, e := range s.Prior.Edges {
		child := name(e[1])
		parents[child] = append(parents[child], name(e[0]))
	}
	var groups []string
	for _, child := range slices.Sorted(maps.Keys(parents)) {
		slices.Sort(parents[child])
		groups = append(groups, child+":"+strings.Join(parents[child], ","))
	}
	return mark + strings.Join(groups, ";")
}

// linkSpace returns the variables of a domain to which the user gave the names.
// It returns nil for other domains: their names are short and plain.
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
func parseEdges(text string, s *Spec) ([][2]string, error) {
	edges := [][2]string{}
	if text == "none" {
		return edges, nil
	}
	text, indexed := strings.CutPrefix(text, "~")
	for group := range strings.SplitSeq(text, ";") {
		child, parents, ok := strings.Cut(group, ":")
		if !ok {
			return nil, record.Invalid("prior", "%q is not child:parent,parent", param.Clip(group))
		}
		for parent := range strings.SplitSeq(parents, ",") {
			edges = append(edges, [2]string{parent, child})
		}
	}
	if !indexed {
		return edges, nil
	}
	space := linkSpace(s)
	if space == nil {
		return nil, record.Invalid("prior", "edges by index are for the domain \"model\"")
	}
	for k := range edges {
		for end := range edges[k] {
			i, err := strconv.Atoi(edges[k][end])
			if err != nil || i < 0 || i >= space.X() || strconv.Itoa(i) != edges[k][end] {
				return nil, record.Invalid("prior", "%q is not the index of a variable", param.Clip(edges[k][end]))
			}
			edges[k][end] = space.Var(i).Name
		}
	}
	return edges, nil
}

// DecodeLink reads a fragment, with or without its #, and completes its spec. An
// error is a *[record.InvalidError]; its place is a key of the link, or a pointer
// into the spec.
func DecodeLink(fragment string) (*Link, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if len(fragment) > MaxLink {
		return nil, record.Invalid("", "the link has %d bytes, more than %d", len(fragment), MaxLink)
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
	switch version, ok := take("v"); {
	case !ok:
		return nil, record.Invalid("v", "the link does not say its version; it should begin with v=1")
	case version != "1":
		return nil, record.Invalid("v", "the link has version %q; this engine reads version 1", param.Clip(version))
	}
	key, ok := take("domain")
	if !ok {
		return nil, record.Invalid("domain", "the link names no domain")
	}
	s := &Spec{}
	if err := s.Set("domain", key); err != nil {
		return nil, err
	}
	l := &Link{Spec: s}
	s.Agents = paperAgents()
	if text, ok := take("agents"); ok {
		s.Agents = agent.Split(text)
	}
	err = cmp.Or(takeRows(s.Domain.Params, take), takeRows(s.Params, take), s.takePrior(take))
	if text, ok := take("receipt"); ok && err == nil {
		l.Receipt, err = parseReceipt(text)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range everyDomain() {
		if _, other := take(p.Key); other {
			return nil, record.Invalid("/domain/"+p.Name, "the domain %q has no parameter %q", key, p.Name)
		}
	}
	for _, v := range values {
		l.Unknown = append(l.Unknown, v.raw)
	}
	slices.Sort(l.Unknown)
	if err := s.Complete(); err != nil {
		return nil, err
	}
	return l, nil
}

// takeRows reads the parameters of a table. One that the link leaves out gets its
// default in version 1.
func takeRows(table func() []param.Param, take func(string) (string, bool)) error {
	return param.Each(table, func(p *param.Param) error {
		text, given := take(p.Key)
		switch {
		case p.Document != nil && given:
			data, err := unpack(text)
			if err == nil {
				err = record.Within("/domain/"+p.Name, p.Document.Decode(data))
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

// atKey puts a parameter's error at its key in a link.
func atKey(key string, err error) error {
	if e, ok := err.(*param.Error); ok {
		return record.Invalid(key, "%s", e.Reason)
	}
	return err
}

func (s *Spec) takePrior(take func(string) (string, bool)) (err error) {
	prior, edited := take("prior")
	eta, revealed := take("eta")
	switch {
	case edited && revealed:
		return record.Invalid("eta", "a link holds either prior or eta")
	case edited:
		s.Prior = &Prior{}
		s.Prior.Edges, err = parseEdges(prior, s)
		return err
	case revealed:
		s.Prior = Revealed(0)
		row := etaRow(s.Prior)
		return atKey("eta", row.SetString(eta))
	}
	return nil
}

type linkValue struct{ text, raw string }

func linkValues(fragment string) (map[string]linkValue, error) {
	values := map[string]linkValue{}
	if fragment == "" {
		return nil, record.Invalid("", "the link is empty")
	}
	for pair := range strings.SplitSeq(fragment, "&") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, record.Invalid("", "%q is not key=value", param.Clip(pair))
		}
		text, err := url.PathUnescape(value)
		if err != nil {
			return nil, record.Invalid(param.Clip(key), "the value is not percent-encoded text")
		}
		if _, twice := values[key]; twice {
			return nil, record.Invalid(param.Clip(key), "the key is given twice")
		}
		values[key] = linkValue{text, pair}
	}
	return values, nil
}

func parseReceipt(text string) (*Receipt, error) {
	engine, fingerprint, _ := strings.Cut(text, "-")
	n, err := strconv.Atoi(engine)
	if err != nil || n < 1 || !IsFingerprint(fingerprint) {
		return nil, record.Invalid("receipt", "the receipt is not an engine version and a fingerprint")
	}
	return &Receipt{Engine: n, Fingerprint: fingerprint}, nil
}

// IsFingerprint reports whether text is 64 lower-case hexadecimal digits.
func IsFingerprint(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// ReadLink reads the link that a URL carries, or a bare fragment.
func ReadLink(text string) (*Link, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "v=") {
		return DecodeLink(text)
	}
	_, fragment, found := strings.Cut(text, "#")
	if !found {
		return nil, record.Invalid("", "the URL has no fragment, which begins with #v=")
	}
	return DecodeLink(fragment)
}

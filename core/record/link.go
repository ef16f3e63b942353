package record

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/fmdp"
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
// What equals the default is left out. The defaults of version 1 are frozen: a
// later version may have others, but reads this one with these. The same spec
// gives the same link, but for the order of its edges; links end in a letter or
// a digit.
//
// With the three agents of the paper, a link of a named domain has at most 200
// characters; with an edited prior it has at most 500, where the problem is no
// larger than the paper's. A receipt and other agents make it longer.
type Link struct {
	Spec    *Spec
	Receipt *Receipt
	Unknown []string // keys of a later minor addition, with their values, as they were
}

// Receipt says what a run of the link's spec gave.
type Receipt struct {
	Engine      int
	Fingerprint string // 64 lower-case hexadecimal digits
}

// Limits of a link.
const (
	MaxLink     = 64 << 10 // bytes of the fragment
	maxInflated = 1 << 20  // bytes of a packed model
)

// linkDefaults is the frozen table of version 1.
func linkDefaults(d *Domain) *Spec {
	s := &Spec{
		Format: SpecFormat, Version: 1,
		Domain:   Domain{Name: d.Name},
		Agents:   []string{"psrl", "f-psrl", "c-psrl"},
		Episodes: 400, Runs: 20, Seed: 1,
		Bound: "at-most", Update: "exact", Rewards: "known",
	}
	switch d.Name {
	case "random-fmdp":
		s.Domain = Domain{Name: d.Name, StateVariables: 6, ActionVariables: 3, Values: 2, Parents: 5, Horizon: 100}
		s.Sparseness = 5
	case "taxi":
		s.Domain.Grid, s.Domain.Horizon = "5x5", 15
		if d.Grid == "3x3" {
			s.Domain.Horizon = 10
		}
		s.Sparseness = 5
	case "figure1":
		s.Domain.Horizon = 10
		s.Sparseness = 3
	}
	return s
}

// linkFields lists the plain fields of version 1 in their order.
func linkFields(s *Spec) []linkField {
	return []linkField{
		{"grid", &s.Domain.Grid}, {"states", &s.Domain.StateVariables}, {"actions", &s.Domain.ActionVariables},
		{"values", &s.Domain.Values}, {"parents", &s.Domain.Parents}, {"horizon", &s.Domain.Horizon},
		{"z", &s.Sparseness},
		{"episodes", &s.Episodes}, {"first", &s.FirstRun}, {"runs", &s.Runs}, {"seed", &s.Seed},
		{"bound", &s.Bound}, {"update", &s.Update}, {"rewards", &s.Rewards},
	}
}

type linkField struct {
	key   string
	value any // a pointer into a spec
}

func (f linkField) text() string {
	switch v := f.value.(type) {
	case *string:
		return *v
	case *int:
		return strconv.Itoa(*v)
	case *int64:
		return strconv.FormatInt(*v, 10)
	case *Parents:
		if *v == UniformParents {
			return "uniform"
		}
		return strconv.Itoa(int(*v))
	}
	panic("record: unknown field type")
}

func (f linkField) set(text string) error {
	if v, ok := f.value.(*string); ok {
		*v = text
		return nil
	}
	if v, ok := f.value.(*Parents); ok && text == "uniform" {
		*v = UniformParents
		return nil
	}
	n, err := linkNumber(f.key, text)
	switch v := f.value.(type) {
	case *int:
		*v = int(n)
	case *int64:
		*v = n
	case *Parents:
		*v = Parents(n)
		if n == 0 && err == nil {
			err = invalid("parents", "0 is out of range; it must be at least 1")
		}
	}
	return err
}

// linkNumber reads a whole number in its one canonical form.
func linkNumber(key, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > MaxSeed || strconv.FormatInt(n, 10) != text {
		return 0, invalid(key, "%q is not a whole number from 0 to 2^53−1", clip(text))
	}
	return n, nil
}

// clip keeps an excerpt of hostile text short.
func clip(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

// EncodeLink returns the fragment of a link, without the #. The spec is
// complete.
func EncodeLink(l *Link) string {
	s := l.Spec
	defaults := linkDefaults(&s.Domain)
	pairs := []string{"v=1"}
	add := func(key, value string) { pairs = append(pairs, key+"="+escape(value)) }
	if s.Domain.Name == "model" {
		m, err := DecodeModel(s.Domain.Model)
		if err != nil {
			panic("record: " + err.Error())
		}
		add("model", pack(s.Domain.Model))
		defaults.Domain.Horizon, defaults.Sparseness = m.Horizon, max(1, widest(m.Graph()))
	}
	if s.Prior != nil && s.Prior.Edges != nil {
		add("prior", linkEdges(s))
	}
	if !slices.Equal(s.Agents, defaults.Agents) {
		add("agents", strings.Join(s.Agents, ","))
	}
	if l.Receipt != nil {
		add("receipt", fmt.Sprintf("%d-%s", l.Receipt.Engine, l.Receipt.Fingerprint))
	}
	pairs = append(pairs, slices.Sorted(slices.Values(l.Unknown))...)
	add("domain", s.Domain.Name)
	if s.Prior != nil && s.Prior.Eta != nil {
		add("eta", strconv.Itoa(*s.Prior.Eta))
	}
	standard := linkFields(defaults)
	for k, f := range linkFields(s) {
		if text := f.text(); text != standard[k].text() {
			add(f.key, text)
		}
	}
	return strings.Join(pairs, "&")
}

// escape percent-encodes what a fragment cannot hold, and keeps , : ; ~ legible.
func escape(text string) string {
	text = url.QueryEscape(text)
	return linkLegible.Replace(text)
}

var linkLegible = strings.NewReplacer("%2C", ",", "%3A", ":", "%3B", ";", "%3D", "=", "+", "%20")

func pack(data []byte) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic("record: " + err.Error())
	}
	w.Write(data) // a bytes.Buffer takes everything
	w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func unpack(text string) ([]byte, error) {
	packed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, invalid("model", "the packed model is damaged")
	}
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxInflated+1))
	switch {
	case len(data) > maxInflated:
		return nil, invalid("model", "the packed model is larger than %d bytes", maxInflated)
	case err != nil:
		return nil, invalid("model", "the packed model is damaged")
	}
	return data, nil
}

// linkEdges writes the known edges, by name where every name is short and
// plain, else by index.
func linkEdges(s *Spec) string {
	edges := slices.Clone(s.Prior.Edges)
	if len(edges) == 0 {
		return "none"
	}
	mark := ""
	if space := linkSpace(s); space != nil && !plainNames(space) {
		mark = "~"
		for k, e := range edges {
			for end := range e {
				if i := space.Lookup(e[end]); i >= 0 {
					edges[k][end] = strconv.Itoa(i)
				}
			}
		}
	}
	slices.SortFunc(edges, func(a, b [2]string) int {
		if c := strings.Compare(a[1], b[1]); c != 0 {
			return c
		}
		return strings.Compare(a[0], b[0])
	})
	var b strings.Builder
	b.WriteString(mark)
	for k, e := range edges {
		switch {
		case k > 0 && edges[k-1][1] == e[1]:
			b.WriteByte(',')
		case k > 0:
			b.WriteString(";" + e[1] + ":")
		default:
			b.WriteString(e[1] + ":")
		}
		b.WriteString(e[0])
	}
	return b.String()
}

// linkSpace returns the variables of a custom model; those of the named domains
// have short plain names.
func linkSpace(s *Spec) *fmdp.Space {
	if s.Domain.Name != "model" {
		return nil
	}
	m, err := DecodeModel(s.Domain.Model)
	if err != nil {
		return nil
	}
	return &m.Space
}

// plainNames reports whether edges can be written by name: names of letters,
// digits, - and _, of at most 16 bytes, beginning with a letter.
func plainNames(space *fmdp.Space) bool {
	for i := range space.X() {
		name := space.Var(i).Name
		if len(name) > 16 || name[0] < 'A' {
			return false
		}
		for _, c := range []byte(name) {
			if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
				return false
			}
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
			return nil, invalid("prior", "%q is not child:parent,parent", clip(group))
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
		return nil, invalid("prior", "edges by index are for the domain \"model\"")
	}
	for k := range edges {
		for end := range edges[k] {
			i, err := linkNumber("prior", edges[k][end])
			if err != nil {
				return nil, err
			}
			if i >= int64(space.X()) {
				return nil, invalid("prior", "there is no variable %d", i)
			}
			edges[k][end] = space.Var(int(i)).Name
		}
	}
	return edges, nil
}

// DecodeLink reads a fragment, with or without its #. Its spec is complete. The
// place of an error is a key of the link, or a pointer into the spec.
func DecodeLink(fragment string) (*Link, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if len(fragment) > MaxLink {
		return nil, invalid("", "the link has %d bytes, more than %d", len(fragment), MaxLink)
	}
	values, err := linkValues(fragment)
	if err != nil {
		return nil, err
	}
	l := &Link{}
	take := func(key string) (string, bool) {
		v, ok := values[key]
		delete(values, key)
		return v.text, ok
	}
	switch version, ok := take("v"); {
	case !ok:
		return nil, invalid("v", "the link does not say its version; it should begin with v=1")
	case version != "1":
		return nil, invalid("v", "the link has version %q; this engine reads version 1", clip(version))
	}
	domain, ok := take("domain")
	if !ok {
		return nil, invalid("domain", "the link names no domain")
	}
	grid := values["grid"].text
	s := linkDefaults(&Domain{Name: domain, Grid: grid})
	l.Spec = s
	for _, f := range linkFields(s) {
		if text, ok := take(f.key); ok {
			if err := f.set(text); err != nil {
				return nil, err
			}
			if text == "0" && (f.key == "z" || f.key == "episodes" || f.key == "runs" || f.key == "horizon" || f.key == "states" || f.key == "actions" || f.key == "values") {
				return nil, invalid(f.key, "0 is out of range; it must be at least 1")
			}
		}
	}
	if text, ok := take("model"); ok {
		if s.Domain.Model, err = unpack(text); err != nil {
			return nil, err
		}
	}
	if text, ok := take("agents"); ok {
		s.Agents = strings.Split(text, ",")
	}
	if err := l.takePrior(take); err != nil {
		return nil, err
	}
	if text, ok := take("receipt"); ok {
		if l.Receipt, err = parseReceipt(text); err != nil {
			return nil, err
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

func (l *Link) takePrior(take func(string) (string, bool)) error {
	prior, edited := take("prior")
	eta, revealed := take("eta")
	switch {
	case edited && revealed:
		return invalid("eta", "a link holds either prior or eta")
	case edited:
		edges, err := parseEdges(prior, l.Spec)
		l.Spec.Prior = &Known{Edges: edges}
		return err
	case revealed:
		n, err := linkNumber("eta", eta)
		value := int(n)
		l.Spec.Prior = &Known{Eta: &value}
		return err
	}
	return nil
}

type linkValue struct{ text, raw string }

func linkValues(fragment string) (map[string]linkValue, error) {
	values := map[string]linkValue{}
	if fragment == "" {
		return nil, invalid("", "the link is empty")
	}
	for pair := range strings.SplitSeq(fragment, "&") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, invalid("", "%q is not key=value", clip(pair))
		}
		text, err := url.PathUnescape(value)
		if err != nil {
			return nil, invalid(clip(key), "the value is not percent-encoded text")
		}
		if _, twice := values[key]; twice {
			return nil, invalid(clip(key), "the key is given twice")
		}
		values[key] = linkValue{text, pair}
	}
	return values, nil
}

func parseReceipt(text string) (*Receipt, error) {
	engine, fingerprint, _ := strings.Cut(text, "-")
	n, err := strconv.Atoi(engine)
	if err != nil || n < 1 || !IsFingerprint(fingerprint) {
		return nil, invalid("receipt", "the receipt is not an engine version and a fingerprint")
	}
	return &Receipt{Engine: n, Fingerprint: fingerprint}, nil
}

// IsFingerprint reports whether text is 64 lower-case hexadecimal digits.
func IsFingerprint(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// errNoFragment says that a URL carries no link.
var errNoFragment = invalid("", "the URL has no fragment, which begins with #v=")

// LinkOf returns the fragment of a URL that carries a link, or the text itself
// if it is a bare fragment.
func LinkOf(text string) (string, error) {
	if strings.HasPrefix(text, "v=") || strings.HasPrefix(text, "#") {
		return text, nil
	}
	_, fragment, ok := strings.Cut(text, "#")
	if !ok {
		return "", errNoFragment
	}
	return fragment, nil
}

// ReadLink reads the link that a URL carries, or a bare fragment.
func ReadLink(text string) (*Link, error) {
	fragment, err := LinkOf(strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	return DecodeLink(fragment)
}

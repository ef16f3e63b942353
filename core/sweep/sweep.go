// Package sweep holds experiments that differ in a few fields of their specs. A [Sweep] is a document; its
// settings are specs. It runs nothing.
//
// # Sweep, version 1
//
//	{"format":"cpsrl/sweep","version":1,
//	 "spec":{"format":"cpsrl/spec","version":4,"domain":{"name":"taxi"},"runs":20},
//	 "vary":[{"sparseness":[2,3,4,5]},
//	         {"prior.false":[0,1,2],"prior.trust":[1,0.9,0.9],"label.prior":["true","a false edge","two"]}]}
//
// The spec is that of the format cpsrl/spec and may lack what varies. The entries of vary are crossed, the
// first varying slowest; the fields of an entry are zipped, so they have as many values each. A field is a member
// of the spec, or with a dot a member of its member: a row of the table of fields (sparseness, prior.false,
// domain.horizon), or a whole part (domain, prior, priors, agents). A field label.NAME is no part of the spec; it
// names the values of its entry, and tables show it as the column NAME in place of the fields of the entry.
//
// # Grammar of flags and links
//
// Entries are joined by ; and the fields of an entry by ~, each as key=value,value with the key and the texts of
// links: z=2,3,4,5;false=0,1,2~trust=1,.9,.9 . A link of a sweep is that of its spec with the key vary, and swept for
// a [Receipt].
//
// # Settings
//
// The canonical form of a setting is the JSON of its complete spec, and its ID the first 32 hexadecimal digits of
// that form's SHA-256. A setting that has no complete spec is impossible; its ID is that of the JSON that was
// refused. [Shard] assigns an ID to one of N shards, whatever other settings there are.
//
// # Goroutines and memory
//
// A Sweep that has what it starts from does not change: several goroutines may use it at once. Settings belong to the caller; they share values
// with the sweep.
package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/domain"
	"cpsrl/core/param"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Format and Version begin the JSON of a sweep.
const (
	Format  = "cpsrl/sweep"
	Version = 1
)

// MaxSettings is the largest number of settings of a sweep.
const MaxSettings = 100_000

// maxFields is the largest number of fields that vary.
const maxFields = 32

// labelPrefix begins the name of a field that is no part of the spec.
const labelPrefix = "label."

// Sweep is a spec and what varies of it.
type Sweep struct {
	base    map[string]jsontext.Value // the members of the spec, which may lack some
	entries []entry
	rows    []spec.Varied
	data    *spec.Data // what the agents start from where a setting names it; nil if the sweep does not hold it
}

// entry holds fields that vary together, sorted by name.
type entry []field

// field is one part of the spec that varies.
type field struct {
	name   string
	row    *spec.Varied     // nil if it is no row
	values []jsontext.Value // canonical
	texts  []string         // the values as texts of links, or as JSON where the field is no row
}

func (f *field) label() (name string, is bool) { return strings.CutPrefix(f.name, labelPrefix) }

// Decode reads the JSON of a sweep. The error is a *[strict.InvalidError]. It does not tell whether the settings
// are possible: [Sweep.Settings] does.
func Decode(data []byte) (*Sweep, error) {
	members, _, err := strict.Members(data, Format, Version, "spec", "vary")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"spec", "vary"} {
		if members[name] == nil {
			return nil, strict.Invalid("/"+name, "the field %q is missing", name)
		}
	}
	s := &Sweep{}
	if s.base, err = strict.Object(canonical(members["spec"])); err != nil {
		return nil, strict.Within("/spec", err)
	}
	if err := s.begin(); err != nil {
		return nil, err
	}
	var vary []jsontext.Value
	if err := strict.DecodeAt(members["vary"], &vary, "/vary"); err != nil {
		return nil, err
	}
	for k, raw := range vary {
		place := fmt.Sprintf("/vary/%d", k)
		of, err := strict.Object(raw)
		if err != nil {
			return nil, strict.Within(place, err)
		}
		var e entry
		for _, name := range slices.Sorted(maps.Keys(of)) {
			at := place + strict.Place(name)
			f := field{name: name}
			if err := strict.DecodeAt(of[name], &f.values, at); err != nil {
				return nil, err
			}
			if err := s.complete(&f); err != nil {
				return nil, strict.Within(at, err)
			}
			e = append(e, f)
		}
		s.entries = append(s.entries, e)
	}
	return s, s.check("/vary")
}

// New returns the sweep of a complete spec with entries in the grammar of flags. The error is a
// *[strict.InvalidError].
func New(base *spec.Spec, vary ...string) (*Sweep, error) {
	s := &Sweep{data: base.Data()}
	var err error
	if s.base, err = strict.Object(canonical(spec.Encode(base))); err != nil {
		panic("sweep: the JSON of a spec is no object")
	}
	s.base["version"] = jsontext.Value(strconv.Itoa(spec.Version))
	if err := s.begin(); err != nil {
		return nil, err
	}
	for _, text := range vary {
		for of := range strings.SplitSeq(text, ";") {
			var e entry
			for part := range strings.SplitSeq(of, "~") {
				key, values, ok := strings.Cut(part, "=")
				at := slices.IndexFunc(s.rows, func(v spec.Varied) bool { return v.Key == key })
				switch {
				case !ok:
					return nil, strict.Invalid("", "%q is not key=value,value", param.Clip(part))
				case at < 0:
					return nil, strict.Invalid("", "%q is no field that can vary; it must be %s", param.Clip(key), param.OneOf(s.keys()))
				}
				f := field{name: s.rows[at].Name}
				for value := range strings.SplitSeq(values, ",") {
					raw, err := s.rows[at].Parse(value)
					if err != nil {
						return nil, strict.Invalid("", "%s=%s: %v", key, param.Clip(value), err)
					}
					f.values = append(f.values, raw)
				}
				if err := s.complete(&f); err != nil {
					return nil, strict.Invalid("", "%s: %v", key, err)
				}
				e = append(e, f)
			}
			slices.SortFunc(e, func(a, b field) int { return strings.Compare(a.name, b.name) })
			s.entries = append(s.entries, e)
		}
	}
	return s, s.check("")
}

// begin checks the spec's heading and chooses the rows.
func (s *Sweep) begin() error {
	var format string
	if raw, has := s.base["format"]; has {
		if err := strict.DecodeAt(raw, &format, "/spec/format"); err != nil {
			return err
		}
	}
	if format != spec.Format {
		return strict.Invalid("/spec/format", "the format is %q; %q is expected here", param.Clip(format), spec.Format)
	}
	var d domain.Domain
	if of, err := strict.Object(s.base["domain"]); err == nil {
		var key string
		if strict.Decode(of["name"], &key) == nil {
			if kind, err := domain.Lookup(key); err == nil {
				d = kind.New()
			}
		}
	}
	s.rows = spec.VariedRows(d)
	return nil
}

func (s *Sweep) keys() (list []string) {
	for _, v := range s.rows {
		list = append(list, v.Key)
	}
	return list
}

// parts are the members of a spec that may vary as a whole.
var parts = []string{"agents", "domain", "prior", "priors"}

// complete checks the values of a field and brings them into canonical form.
func (s *Sweep) complete(f *field) error {
	if len(f.values) == 0 {
		return strict.Invalid("", "a value was expected")
	}
	label, labels := f.label()
	rows := s.rows
	if above, _, _ := strings.Cut(f.name, "."); above == "domain" && (s.base["domain"] == nil || !slices.ContainsFunc(rows, func(v spec.Varied) bool { return v.Name == f.name })) {
		rows = spec.VariedRows(nil) // the domain varies, too
	}
	if at := slices.IndexFunc(rows, func(v spec.Varied) bool { return v.Name == f.name }); at >= 0 {
		f.row = &rows[at]
	}
	above, _, _ := strings.Cut(f.name, ".")
	if f.row == nil && !labels && !slices.Contains(parts, above) || labels && (label == "" || strings.ContainsAny(label, ",\"\n\r")) {
		return strict.Invalid("", "there is no such field; it must be a row of the spec such as sparseness, prior.false or domain.horizon, one of %s, or %sNAME", strings.Join(parts, ", "), labelPrefix)
	}
	for k, raw := range f.values {
		place := fmt.Sprintf("/%d", k)
		var err error
		switch {
		case labels:
			var text string
			if err = strict.Decode(raw, &text); err == nil && strings.ContainsAny(text, "\"\n\r") {
				err = strict.Invalid("", "a label has no quotes and no line ends")
			}
		case f.row != nil:
			err = f.row.Decode(raw)
		default:
			_, err = f.put(map[string]jsontext.Value{}, raw)
		}
		if err != nil {
			return strict.Within(place, err)
		}
		f.values[k] = canonical(raw)
		text, word := string(f.values[k]), ""
		switch {
		case f.row != nil:
			text = f.row.String()
		case raw.Kind() == '"' && strict.Decode(raw, &word) == nil:
			text = word
		}
		f.texts = append(f.texts, text)
	}
	return nil
}

// check checks what the fields have in common.
func (s *Sweep) check(place string) error {
	seen, total, fields := map[string]bool{}, 1, 0
	columns := map[string]bool{"agent": true, "measure": true, "mean": true, "lo": true, "hi": true, "n": true, "learned": true, "file": true}
	for k, e := range s.entries {
		at := ""
		if place != "" {
			at = fmt.Sprintf("%s/%d", place, k)
		}
		if len(e) == 0 {
			return strict.Invalid(at, "a field was expected")
		}
		for i := range e {
			f := &e[i]
			name, labels := f.label()
			switch {
			case seen[f.name]:
				return strict.Invalid(at, "%s varies twice", f.name)
			case len(f.values) != len(e[0].values):
				return strict.Invalid(at, "fields of one entry have as many values each, and %s has %d, %s has %d", e[0].name, len(e[0].values), f.name, len(f.values))
			case labels && columns[name]:
				return strict.Invalid(at, "a table has a column %q already", name)
			}
			seen[f.name], columns[name] = true, true
			fields++
		}
		if total *= len(e[0].values); total > MaxSettings {
			return strict.Invalid(at, "the sweep has more than %d settings", MaxSettings)
		}
	}
	if fields > maxFields {
		return strict.Invalid(place, "%d fields vary, more than %d", fields, maxFields)
	}
	return nil
}

// put returns the members of a spec with a value of the field. It changes no argument.
func (f *field) put(members map[string]jsontext.Value, value jsontext.Value) (map[string]jsontext.Value, error) {
	return put(members, strings.Split(f.name, "."), value)
}

func put(members map[string]jsontext.Value, path []string, value jsontext.Value) (map[string]jsontext.Value, error) {
	members = maps.Clone(members)
	name := path[0]
	if len(path) > 1 {
		below := map[string]jsontext.Value{}
		if raw, has := members[name]; has {
			var err error
			if below, err = strict.Object(raw); err != nil {
				return nil, strict.Within(strict.Place(name), err)
			}
		}
		below, err := put(below, path[1:], value)
		if err != nil {
			return nil, strict.Within(strict.Place(name), err)
		}
		value = strict.Encode(below)
	}
	members[name] = value
	return members, nil
}

// Encode returns the canonical JSON of the sweep: equal sweeps have equal JSON.
func (s *Sweep) Encode() []byte {
	vary := []strict.Ordered{}
	for _, e := range s.entries {
		var o strict.Ordered
		for _, f := range e {
			o = append(o, strict.Member{Name: f.name, Value: f.values})
		}
		vary = append(vary, o)
	}
	return strict.Encode(strict.Ordered{{Name: "format", Value: Format}, {Name: "version", Value: Version}, {Name: "spec", Value: s.base}, {Name: "vary", Value: vary}})
}

// Digest returns 32 hexadecimal digits that name the sweep.
func (s *Sweep) Digest() string { return digest(s.Encode()) }

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Vary returns the entries in the grammar of flags, or false if a field has no key or a value no text.
func (s *Sweep) Vary() (string, bool) {
	var entries []string
	for _, e := range s.entries {
		var fields []string
		for _, f := range e {
			if f.row == nil {
				return "", false
			}
			if slices.ContainsFunc(f.texts, func(text string) bool { return strings.ContainsAny(text, ",;~") }) {
				return "", false
			}
			fields = append(fields, f.row.Key+"="+strings.Join(f.texts, ","))
		}
		entries = append(entries, strings.Join(fields, "~"))
	}
	return strings.Join(entries, ";"), true
}

// Len returns the number of settings.
func (s *Sweep) Len() int {
	n := 1
	for _, e := range s.entries {
		n *= len(e[0].values)
	}
	return n
}

// shown yields the fields that have a column, with the index of their entry.
func (s *Sweep) shown() iter.Seq2[int, *field] {
	return func(yield func(int, *field) bool) {
		for k, e := range s.entries {
			labelled := slices.ContainsFunc(e, func(f field) bool { _, is := f.label(); return is })
			for i := range e {
				_, label := e[i].label()
				if labelled && !label {
					continue
				}
				if !yield(k, &e[i]) {
					return
				}
			}
		}
	}
}

// Columns returns the names of what varies as a table has them: names of fields, and labels.
func (s *Sweep) Columns() []string {
	list := []string{}
	for _, f := range s.shown() {
		name, _ := f.label()
		list = append(list, name)
	}
	return list
}

// Entry returns the index of the entry of a column.
func (s *Sweep) Entry(column int) int {
	for k := range s.shown() {
		if column--; column < 0 {
			return k
		}
	}
	panic("sweep: there is no such column")
}

// Short returns the shortest name of a column in a figure: the symbol of its row, or the title.
func (s *Sweep) Short(column int) string {
	if row := s.row(column); row != nil && row.Symbol != "" {
		return row.Symbol
	}
	return s.Title(column)
}

// row returns the row of a column, or nil if it is none.
func (s *Sweep) row(column int) *spec.Varied {
	for _, f := range s.shown() {
		if column--; column < 0 {
			return f.row
		}
	}
	panic("sweep: there is no such column")
}

// Title returns the words for a column in a figure: the label and symbol of its row, or its name.
func (s *Sweep) Title(column int) string {
	if row := s.row(column); row != nil {
		return strings.TrimSpace(row.Label + " " + row.Symbol)
	}
	return s.Columns()[column]
}

// Setting is one spec of a sweep.
type Setting struct {
	ID    string
	Texts []string   // its values, by column
	Spec  *spec.Spec // complete; nil if the setting is impossible
	Err   error      // why it is, a *strict.InvalidError
}

// Settings yields the settings in their order. Two may have the same spec, and then the same ID.
func (s *Sweep) Settings() iter.Seq[*Setting] {
	return func(yield func(*Setting) bool) {
		for k := range s.Len() {
			if !yield(s.Setting(k)) {
				return
			}
		}
	}
}

// Setting returns the k-th setting, from 0.
func (s *Sweep) Setting(k int) *Setting { return s.setting(s.at(k)) }

// Texts returns the values of the k-th setting, by column.
func (s *Sweep) Texts(k int) []string { return s.texts(s.at(k)) }

// at returns the indexes of the values of each entry in the k-th setting.
func (s *Sweep) at(k int) []int {
	at := make([]int, len(s.entries))
	for i, e := range slices.Backward(s.entries) {
		n := len(e[0].values)
		at[i], k = k%n, k/n
	}
	return at
}

func (s *Sweep) texts(at []int) []string {
	list := []string{}
	for k, f := range s.shown() {
		list = append(list, f.texts[at[k]])
	}
	return list
}

// setting returns the setting with these values of the entries.
func (s *Sweep) setting(at []int) *Setting {
	t := &Setting{Texts: s.texts(at)}
	members := s.base
	for _, whole := range []bool{true, false} { // whole parts come before their members
		for k, e := range s.entries {
			for i := range e {
				f := &e[i]
				if _, label := f.label(); label || strings.Contains(f.name, ".") == whole {
					continue
				}
				with, err := f.put(members, f.values[at[k]])
				if err == nil && f.name == "prior.eta" {
					with, err = withoutEdges(with)
				}
				if err != nil {
					t.Err, t.ID = err, digest(strict.Encode(members))
					return t
				}
				members = with
			}
		}
	}
	if string(members["prior"]) == `{"false":0}` { // no prior is the domain's suggestion
		members = maps.Clone(members)
		delete(members, "prior")
	}
	raw := strict.Encode(members)
	if t.Spec, t.Err = spec.Decode(raw); t.Err != nil {
		t.Spec, t.ID = nil, digest(raw)
		return t
	}
	t.ID = digest(spec.Encode(t.Spec))
	if from := t.Spec.Data(); from != nil && s.data != nil && from.Name() == s.data.Name() {
		t.Spec.Start(s.data) // which fails for other data only
	}
	return t
}

// withoutEdges returns the members of a spec whose prior does not list its edges: a value of η replaces them, as in
// links and flags.
func withoutEdges(members map[string]jsontext.Value) (map[string]jsontext.Value, error) {
	prior, err := strict.Object(members["prior"])
	if err != nil {
		return nil, strict.Within("/prior", err)
	}
	delete(prior, "edges")
	members = maps.Clone(members)
	members["prior"] = strict.Encode(prior)
	return members, nil
}

// Data returns the data that the sweep has, or nil.
func (s *Sweep) Data() *spec.Data { return s.data }

// Start gives the sweep the data that its settings name, so that they can run. The error is one sentence.
func (s *Sweep) Start(from *spec.Data) error {
	for t := range s.Settings() {
		if t.Err == nil && t.Spec.Data() != nil && t.Spec.Data().Name() == from.Name() {
			s.data = from
			return nil
		}
	}
	return fmt.Errorf("the SHA-256 of the transitions is %s, and no setting starts from them", from.Name())
}

// Shard returns which of so many shards, from 0, has the setting with that ID.
func Shard(id string, shards int) int {
	sum := sha256.Sum256([]byte("shard " + id))
	return int(binary.BigEndian.Uint64(sum[:8]) % uint64(shards))
}

// canonical returns JSON without white space, with sorted names; or the JSON itself if it is malformed, which
// decoding refuses.
func canonical(raw jsontext.Value) jsontext.Value {
	c := jsontext.Value(bytes.Clone(raw))
	if c.Canonicalize() != nil {
		return raw
	}
	return c
}

package format

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Options say what a file in some formats does not.
type Options struct {
	Horizon int // the number of steps of an episode, in place of the file's; 0 keeps the file's

	Normalise bool          // scale rows of probabilities of any positive sum
	Scaling   *fmdp.Scaling // scales the rows as they are read; [ReadModel] makes it
}

// The names of the options, as commands and requests call them.
const (
	Horizon   = "horizon"
	Normalise = "normalise"
)

// ModelFormat is a format of models.
type ModelFormat struct {
	Name string // as sentences have it
	// Match reports whether a text is in this format, by its beginning.
	Match func(text string) bool
	// Read returns the model, which is not yet validated, and sentences on what the model does
	// not keep of the text. An error in the text is an *[Error].
	Read func(text string, o Options) (*fmdp.Model, []string, error)

	// file is Read for a format that says more than a model; or nil.
	file func(text string, o Options) (*document.ModelFile, []string, error)
}

// models are the formats of models.
var models = []ModelFormat{spudd, cassandra, rddl, gymnasium}

// RegisterModel adds a format of models of a package of your own, which is asked after all others. It returns a function that
// removes it. RegisterModel panics if the format lacks something or its name is in use. Call it before anything is read:
// nothing else may happen meanwhile.
func RegisterModel(f ModelFormat) (remove func()) {
	if f.Match == nil || f.Read == nil {
		panic("format: the format " + f.Name + " cannot match or read")
	}
	checkName(f.Name)
	before := models
	models = append(slices.Clone(before), f)
	return func() { models = before }
}

// checkName panics if the name of a new format is none or in use.
func checkName(name string) {
	of := func(l Language) bool { return l.Name == name }
	if name == "" || slices.Contains(ModelFormats(), name) || slices.ContainsFunc(languages, of) {
		panic("format: a new format needs a name of its own, not " + strconv.Quote(name))
	}
}

// ModelFormats returns the names of the formats that [ReadModel] reads.
func ModelFormats() []string {
	var names []string
	for _, f := range models {
		if f.Name != "" { // else it only says why it does not
			names = append(names, f.Name)
		}
	}
	return names
}

// IsModel reports whether a text is in a format that [ReadModel] knows, by its beginning.
func IsModel(data []byte) bool {
	text, err := plainText(data)
	return err == nil && slices.ContainsFunc(models, func(f ModelFormat) bool { return f.Match(text) })
}

// IsPart reports whether a text is in a format whose models may stand in several files, by its beginning: see [Join].
func IsPart(data []byte) bool {
	text, err := plainText(data)
	return err == nil && rddl.Match(text)
}

// plainText returns a text without its mark. RDDL may have the comments of older editors, in Latin-1; outside of them it is ASCII.
func plainText(data []byte) (string, error) {
	plain, err := strict.UTF8(data)
	if err == nil {
		return string(plain), nil
	}
	head := data[:min(len(data), 1<<16)]
	if len(data) > MaxModel || slices.Contains(head, 0) || !rddl.Match(latin1(head)) {
		return "", err
	}
	return latin1(data), nil
}

// latin1 returns a text in Latin-1, in which each byte is the character of that number.
func latin1(data []byte) string {
	var b strings.Builder
	b.Grow(len(data))
	for _, c := range data {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// MaxModel is the length in bytes of the longest text that ReadModel reads.
const MaxModel = 32 << 20

// ReadModel reads a model in the format of another program. The format is told by the text
// itself. The model gets the name, unless the text has one. The notes are sentences on what the model does not keep of
// the text, such as a discount; if rows of probabilities were scaled to sum to 1, the first note says so. An error in the text is an *[Error] or, if the text is JSON, a
// *[strict.InvalidError].
func ReadModel(name string, data []byte, o Options) (*fmdp.Model, []string, error) {
	f, notes, err := ReadModelFile(name, data, o)
	if err != nil {
		return nil, nil, err
	}
	return f.Model, notes, nil
}

// ReadModelFile is [ReadModel] that keeps what the document of the model says beyond it, such as formulas.
func ReadModelFile(name string, data []byte, o Options) (file *document.ModelFile, notes []string, err error) {
	if len(data) > MaxModel {
		return nil, nil, wholly("the file has %d bytes, more than %d MiB", len(data), MaxModel>>20)
	}
	text, err := plainText(data)
	if err != nil {
		return nil, nil, err
	}
	o.Scaling = &fmdp.Scaling{Any: o.Normalise}
	for _, f := range models {
		if !f.Match(text) {
			continue
		}
		if f.file != nil {
			file, notes, err = f.file(text, o)
		} else {
			file = &document.ModelFile{}
			file.Model, notes, err = f.Read(text, o)
		}
		if err != nil {
			return nil, nil, err
		}
		m := file.Model
		m.Name = cmp.Or(m.Name, name)
		if err := m.Validate(); err != nil {
			return nil, nil, wholly("%v", err)
		}
		if n := written(file); n > document.MaxModel {
			return nil, nil, wholly("the model would take more than %d MiB, and no spec holds it", document.MaxModel>>20)
		}
		if o.Scaling.Scaled > 0 {
			notes = slices.Concat([]string{fmt.Sprintf("rows whose sums differ from 1 by up to %.2g are scaled to sum to 1", o.Scaling.By)}, notes)
		}
		return file, notes, nil
	}
	switch language := graphOf(text); language {
	case "":
	case bif.Name:
		return nil, nil, wholly("a BIF holds a network without decisions, which is no model; its graph can be a prior: give the file to -prior, or its text to the editor of the prior")
	default:
		return nil, nil, wholly("a graph in %s is no model; it can be a prior: give the file to -prior, or its text to the editor of the prior", language)
	}
	return nil, nil, wholly("the file is in none of the formats of models that are known: %s", strings.Join(ModelFormats(), ", "))
}

// budget is what a model may still take in a spec, in bytes. The zero value is that of a new model.
type budget struct{ spent int }

// take spends what rows of that many bytes take at least. It reports whether they can be had.
func (b *budget) take(rows, bytes int) bool {
	if rows > (document.MaxModel-b.spent)/bytes {
		return false
	}
	b.spent += rows * bytes
	return true
}

// written returns how many bytes the tables and formulas of a model take in its document, without the brackets of rows, or, if that
// is more than [document.MaxModel], some number that is larger.
func written(f *document.ModelFile) (n int) {
	m := f.Model
	var text []byte
	last, size := 0.0, len("0,")
	add := func(table []float64, more int) {
		for _, v := range table {
			if v != last {
				text = strconv.AppendFloat(text[:0], v, 'g', -1, 64)
				last, size = v, len(text)+len(",")
			}
			if v != 0 || more == 0 {
				n += size + more
			}
			if n > document.MaxModel {
				return
			}
		}
	}
	if m.Initial == nil {
		if !m.First.IsUniform() {
			n += m.First.Possible() * (len(`{"state":[],"p":1},`) + len("0,")*m.Y())
		}
	} else if !slices.Equal(m.Initial, fmdp.Uniform(len(m.Initial))) {
		add(m.Initial, len(`{"state":[],"p":}`)+len("0,")*m.Y())
	}
	for j := range m.Transition {
		if law := f.Formulas.Law(j); law != "" {
			n += len(law)
			continue
		}
		add(m.Transition[j].P, 0)
	}
	for k := range m.Reward {
		if pays := f.Formulas.Payoff(k); pays != "" {
			n += len(pays)
			continue
		}
		add(m.Reward[k].Mean, 0)
	}
	return n
}

// errNoHorizon says that the options must have the horizon.
var errNoHorizon = wholly(`the file states no horizon; the option "horizon" gives the number of steps of an episode`)

// Lacks returns the name of the option without which [ReadModel] cannot read a text, because the text does not say it, or "" if
// its error says something else.
func Lacks(err error) string {
	if err == errNoHorizon {
		return Horizon
	}
	return ""
}

// Steps returns the horizon of a model: that of the options or else the file's, which is 0
// if the file states none.
func (o Options) Steps(file int) (int, error) {
	switch {
	case o.Horizon != 0:
		return o.Horizon, nil
	case file == 0:
		return 0, errNoHorizon
	}
	return file, nil
}

// undiscounted returns the note on a discount other than 1.
func undiscounted(discount float64) []string {
	if discount == 1 {
		return nil
	}
	return []string{fmt.Sprintf("the discount %v is left out: values are sums over the horizon, without a discount", discount)}
}

package format

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Options say what a file in some formats does not.
type Options struct {
	Horizon int      // the number of steps of an episode, in place of the file's; 0 keeps the file's
	Actions []string // the names of the variables that are actions, where a format does not tell them from states
}

// Error says what is wrong with a file of another program, and where.
type Error struct {
	Line, Column int    // from 1, columns in characters; 0 if the reason is of the whole file
	Reason       string // one sentence
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// wholly returns an error of the whole file.
func wholly(format string, args ...any) error { return &Error{Reason: fmt.Sprintf(format, args...)} }

// modelFormat is one format of models.
type modelFormat struct {
	name string // as sentences have it
	// match reports whether a text is in this format, by its beginning.
	match func(text string) bool
	// read returns the model, which is not yet validated, and sentences on what the model does
	// not keep of the text.
	read func(text string, o Options) (*fmdp.Model, []string, error)
}

// models are the formats of models.
var models = []modelFormat{spudd, cassandra, bif, gymnasium}

// ModelFormats returns the names of the formats that [ReadModel] knows.
func ModelFormats() []string {
	names := make([]string, len(models))
	for k := range models {
		names[k] = models[k].name
	}
	return names
}

// IsModel reports whether a text is in a format that [ReadModel] knows, by its beginning.
func IsModel(data []byte) bool {
	plain, err := strict.UTF8(data)
	return err == nil && slices.ContainsFunc(models, func(f modelFormat) bool { return f.match(string(plain)) })
}

// MaxModel is the length in bytes of the longest text that ReadModel reads.
const MaxModel = 32 << 20

// ReadModel reads a model in the format of another program. The format is told by the text
// itself. The model gets the name. The notes are sentences on what the model does not keep of
// the text, such as a discount. An error in the text is an *[Error] or, if the text is JSON, a
// *[strict.InvalidError].
func ReadModel(name string, data []byte, o Options) (m *fmdp.Model, notes []string, err error) {
	if len(data) > MaxModel {
		return nil, nil, wholly("the file has %d bytes, more than %d MiB", len(data), MaxModel>>20)
	}
	if data, err = strict.UTF8(data); err != nil {
		return nil, nil, err
	}
	text := string(data)
	for _, f := range models {
		if !f.match(text) {
			continue
		}
		if m, notes, err = f.read(text, o); err != nil {
			return nil, nil, err
		}
		m.Name = name
		if err := m.Validate(); err != nil {
			return nil, nil, wholly("%v", err)
		}
		return m, notes, nil
	}
	return nil, nil, wholly("the file is in none of the formats of models that are known: %s", strings.Join(ModelFormats(), ", "))
}

// errNoHorizon says that the options must have the horizon.
var errNoHorizon = wholly(`the file states no horizon; the option "horizon" gives the number of steps of an episode`)

// NeedsHorizon reports whether an error of [ReadModel] says that the options must have the horizon,
// because the text has none.
func NeedsHorizon(err error) bool { return err == errNoHorizon }

// horizon returns the horizon of a model: that of the options or else the file's, which is 0
// if the file states none.
func (o Options) horizon(file int) (int, error) {
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

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/evidence"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// known is what a file says that may be a prior or a model. Exactly one of the three is set.
type known struct {
	prior *document.PriorFile
	model *fmdp.Model
	text  *string // a prior in a language of package format, whose variables come from elsewhere
}

// formatOf returns the format that a JSON document names, or "".
func formatOf(data []byte) (name string) {
	if plain, err := strict.UTF8(data); err == nil && bytes.HasPrefix(bytes.TrimSpace(plain), []byte("{")) {
		if members, err := strict.Object(plain); err == nil {
			strict.Decode(members["format"], &name)
		}
	}
	return name
}

// nodes reports whether JSON is a graph as other programs write it.
func nodes(data []byte) bool {
	members, err := strict.Object(data)
	return err == nil && members["format"] == nil && members["nodes"] != nil
}

// readKnown reads a prior or a model.
func (h *host) readKnown(path string) (known, string, error) {
	return readDocument(h, "prior", path, func(data []byte) (k known, err error) {
		switch plain, bad := strict.UTF8(data); {
		case formatOf(data) == document.ModelFormat || format.IsModel(data):
			var f *document.ModelFile
			if f, err = h.decodeModel(path, data, false, 0); err == nil {
				k.model = f.Model
			}
		case bad == nil && (!bytes.HasPrefix(bytes.TrimSpace(plain), []byte("{")) || nodes(plain)):
			text := string(plain)
			k.text = &text
		default:
			k.prior, err = document.DecodePrior(data)
		}
		return k, err
	})
}

// decodeModel reads a model of ours or in the format of another program, which the file itself tells.
// The horizon is that of an episode, if the format states none; 0 for that of the file.
func (h *host) decodeModel(path string, data []byte, normalise bool, horizon int) (*document.ModelFile, error) {
	if !format.IsModel(data) && !format.IsGraph(data) {
		return scaled(h, normalise, data, document.DecodeModelFile, func(f *document.ModelFile) *document.Scaled { return f.Scaled }, document.ScaleModel)
	}
	return h.foreignModel(path, data, format.Options{Horizon: horizon, Normalise: normalise})
}

// foreignModel reads a model in the format of another program, which has the name of the file. Remarks say what the model
// does not keep of the file and, if rows that do not sum to 1 are all that is wrong, what -normalise would change.
func (h *host) foreignModel(path string, data []byte, o format.Options) (*document.ModelFile, error) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if path == "-" {
		name = ""
	}
	f, notes, err := format.ReadModelFile(name, data, o)
	if err != nil && !o.Normalise {
		o.Normalise = true
		if _, scaled, bad := format.ReadModel(name, data, o); bad == nil {
			h.remark("with -normalise, " + scaled[0])
		}
	}
	for _, note := range notes {
		h.remark(note)
	}
	return f, err
}

// edgesOf reads a text as the edges of a prior over the variables of a space. A part that cannot be read
// is an error, since an experiment must not leave out a part of what it is told.
func (h *host) edgesOf(text string, space *fmdp.Space) ([]document.Edge, error) {
	edges, wrong, note := format.ReadPrior(text, space)
	if note != "" {
		h.remark(note)
	}
	if len(wrong) > 0 {
		return nil, &wrong[0]
	}
	return edges, nil
}

// ofModel returns the prior file of a model of which no edge is known, and the true graph over the same
// variables, which are those that agents see.
func ofModel(m *fmdp.Model) (*document.PriorFile, bigraph.Bigraph, error) {
	s := &spec.Spec{Domain: domain.NewCustom(m), Prior: spec.Revealed(0)}
	e, err := experiment.NewInstance(s, 0)
	if err != nil {
		return nil, nil, err
	}
	return &document.PriorFile{Space: &e.View.Space, Prior: e.Prior}, e.View.Graph(), nil
}

// takePrior makes a file the prior of a spec, which is complete: its edges and, if it is in the format
// cpsrl/prior, its Z and what it assumes of tables. It keeps the spec's data.
func (h *host) takePrior(s *spec.Spec, path string) error {
	k, name, err := h.readKnown(path)
	if err != nil {
		return err
	}
	space, err := experiment.Nodes(s, s.FirstRun)
	if err != nil {
		return in(name, err)
	}
	told := &spec.Prior{Data: s.Data()}
	switch {
	case k.model != nil:
		return badf(name, "a prior was expected, and this is a model; -model takes it")
	case k.text != nil:
		if told.Edges, err = h.edgesOf(*k.text, space); err != nil {
			return in(name, err)
		}
	default:
		if err := sameVariables(k.prior.Space, space); err != nil {
			return in(name, err)
		}
		told.Edges = document.PriorEdges(k.prior.Prior, k.prior.Space)
		own := document.SparsenessOf(k.prior.Prior, k.prior.Space)
		s.Sparseness, s.Own = own.Z, own.Own
		s.Dirichlet.Given, s.Dirichlet.Concentration = true, k.prior.Rows
		s.Tables = k.prior.Structure.String()
	}
	s.Prior = told
	return nil
}

// sameVariables returns an error if the problem does not have the variables of a file.
func sameVariables(file, problem *fmdp.Space) error {
	for i := range file.X() {
		v := file.Var(i)
		at := problem.Lookup(v.Name)
		switch {
		case at < 0:
			return fmt.Errorf("the problem has no variable %q", v.Name)
		case (i < file.Y()) != (at < problem.Y()):
			return fmt.Errorf("%q is a state variable here and an action there", v.Name)
		case problem.Var(at).Size != v.Size:
			return fmt.Errorf("%q has %d values; in the problem it has %d", v.Name, v.Size, problem.Var(at).Size)
		}
	}
	return nil
}

// takeData makes the agents of a complete spec start from the transitions in a file: JSON Lines, or a
// table whose columns have the names of the variables that agents see.
func (h *host) takeData(s *spec.Spec, path string) error {
	space, _, err := experiment.NewPrior(s, s.FirstRun)
	if err != nil {
		return err
	}
	from, name, err := h.open(path, transitionsFile)
	if err != nil {
		return err
	}
	defer from.Close()
	read, err := h.transitions(from, name, format.LogOptions{Space: space})
	if err != nil {
		return err
	}
	if read.Log != nil {
		h.tell(name, read.Log)
	}
	steps, err := read.List(h.ctx, spec.MaxData)
	if err != nil {
		return h.badTransition(name, err)
	}
	data, err := spec.NewData(steps)
	if err != nil {
		return in(name, err)
	}
	return in(name, s.Start(data))
}

// hint says how to give the transitions that a spec names, if an error may be about them.
func (h *host) hint(s *spec.Spec, err error) error {
	if err != nil && s.Data() != nil && s.Data().Steps() == nil {
		h.remark("-data FILE gives the transitions")
	}
	return err
}

// transitionsFile is what a file of transitions is called.
const transitionsFile = "a transitions file"

// transitions begins to read transitions.
func (h *host) transitions(r io.Reader, name string, options format.LogOptions) (*evidence.Data, error) {
	data, err := evidence.Read(strict.NewLines(r), options, format.MaxLog)
	_, invalid := errors.AsType[*strict.InvalidError](err)
	_, long := errors.AsType[*evidence.LongTableError](err)
	if err != nil && data.Log == nil && !invalid && !long {
		return nil, strict.Unreadable(name, transitionsFile, err)
	}
	if err != nil && data.Log != nil {
		for _, words := range data.Log.Told() {
			h.remark(words)
		}
	}
	return data, in(name, err)
}

// badTransition places an error of reading transitions.
func (h *host) badTransition(name string, err error) error {
	line, _ := errors.AsType[*strict.LineError](err)
	long, tooLong := errors.AsType[*strict.LongLineError](err)
	_, changed := errors.AsType[*posterior.ChangedError](err)
	_, placed := errors.AsType[*strict.InputError](err)
	switch {
	case placed:
		return err
	case changed:
		return in(name, err)
	case h.ctx.Err() != nil:
		return err
	case tooLong:
		return badf(place(name, line.Number), "a transition was expected, but %w", long)
	}
	return strict.Unreadable(name, "a transition", err)
}

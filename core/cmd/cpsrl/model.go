package main

import (
	"flag"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/spec"
)

// modelFlags adds the flags of a command that reads a model. The function load reads it.
func modelFlags(flags *flag.FlagSet) (path *string, load func(h *host) (*fmdp.Model, string, error)) {
	path = flags.String("model", "", "a `FILE` that holds a model")
	normalise := normaliseFlag(flags)
	return path, func(h *host) (*fmdp.Model, string, error) {
		return readModel(h, *path, normalise())
	}
}

// readModel reads a model of ours or in the format of another program.
func readModel(h *host, path string, normalise bool) (*fmdp.Model, string, error) {
	f, name, err := readDocument(h, "model", path, func(data []byte) (*document.ModelFile, error) {
		return h.decodeModel(path, data, normalise, 0)
	})
	if err != nil {
		return nil, name, err
	}
	return f.Model, name, nil
}

// normaliseFlag adds the flag -normalise, unless the command has it. The function tells its
// value.
func normaliseFlag(flags *flag.FlagSet) func() bool {
	const name = "normalise"
	if flags.Lookup(name) == nil {
		flags.Bool(name, false, "scale the rows of a model that do not sum to 1, and say how much that changes")
	}
	return func() bool { return flags.Lookup(name).Value.String() == "true" }
}

// decodeSpec reads a spec, which may hold a model.
func (h *host) decodeSpec(normalise bool) func([]byte) (*spec.Spec, error) {
	return func(data []byte) (*spec.Spec, error) {
		return scaled(h, normalise, data, spec.Decode, (*spec.Spec).Scaled, spec.DecodeScaled)
	}
}

// scaled decodes a document that is a model or holds one. If rows sum to 1 only within the rounding of
// six digits, they are scaled, and a remark names them, by how. If they do not, decoding fails;
// with normalise, scaled then divides each row by its sum. With and without normalise, a remark
// says what that changes.
func scaled[T any](h *host, normalise bool, data []byte, decode func([]byte) (T, error), how func(T) *document.Scaled, scale func([]byte) (T, *document.Scaled, error)) (T, error) {
	value, err := decode(data)
	if err == nil {
		if rounded := how(value); rounded != nil {
			h.remark("scaled " + rounded.String())
		}
		return value, err
	}
	other, all, bad := scale(data)
	switch {
	case bad != nil:
		return value, err
	case !normalise:
		h.remark("-normalise scales " + all.String())
		return value, err
	}
	h.remark("normalised " + all.String())
	return other, nil
}

package engine

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// MaxMerged is the size in bytes of the largest records that are joined here. The command joins more.
const MaxMerged = 256 << 20

// serveMerge joins the parts of one experiment to the bytes of the whole, as "cpsrl merge" does. The body has the
// files one after the other, with their sizes and names in the query.
func serveMerge(w wire.Answer, r *wire.Request) error {
	query := r.Query
	sizes, names := query["size"], query["name"]
	if len(sizes) == 0 || len(sizes) != len(names) {
		return refuse(wire.BadRequest, "", "a size and a name for each file were expected")
	}
	body, err := wire.ReadAll(r.Body, MaxMerged)
	if err != nil {
		return err
	}
	var parts []*results.Part
	var files []io.ReaderAt
	for k, text := range sizes {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > len(body) {
			return refuse(wire.BadRequest, "", "the size %q is not that of a part of the body", param.Clip(text))
		}
		file := body[:n]
		body = body[n:]
		part, err := results.ReadPart(names[k], bytes.NewReader(file))
		if err == nil && part.Engine != record.Engine {
			err = refuse(wire.BadRequest, "", "the records are of engine version %d; this is version %d", part.Engine, record.Engine)
		}
		if err != nil {
			d := asDetails(err)
			return refuse(d.Status, "", "%s: %s", names[k], d.Detail)
		}
		parts, files = append(parts, part), append(files, bytes.NewReader(file))
	}
	joined, err := results.Join(parts)
	if of, ok := errors.AsType[*strict.InputError](err); ok {
		return refuse(wire.BadRequest, "", "%s", of)
	} else if err != nil {
		return err
	}
	w.Begin(wire.Head{Status: wire.OK, Kind: "application/jsonl"})
	for piece, err := range joined.Lines(files) {
		if err != nil {
			panic(wire.ErrCut) // the files were read before, so this is no error of theirs
		}
		if _, err := w.Write(piece); err != nil {
			return nil // the client has gone
		}
	}
	return nil
}

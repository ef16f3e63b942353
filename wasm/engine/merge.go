package engine

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"

	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/results"
)

// MaxMerged is the size in bytes of the largest records that are joined here. The command joins more.
const MaxMerged = 256 << 20

// serveMerge joins the parts of one experiment to the bytes of the whole, as "cpsrl merge" does. The body has the
// files one after the other, with their sizes and names in the query.
func serveMerge(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	sizes, names := query["size"], query["name"]
	if len(sizes) == 0 || len(sizes) != len(names) {
		return refuse(http.StatusBadRequest, "", "a size and a name for each file were expected")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxMerged))
	if err != nil {
		return err
	}
	var parts []*results.Part
	var files []io.ReaderAt
	for k, text := range sizes {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > len(body) {
			return refuse(http.StatusBadRequest, "", "the size %q is not that of a part of the body", param.Clip(text))
		}
		file := body[:n]
		body = body[n:]
		part, err := results.ReadPart(names[k], bytes.NewReader(file))
		if err == nil && part.Engine != record.Engine {
			err = refuse(http.StatusBadRequest, "", "the records are of engine version %d; this is version %d", part.Engine, record.Engine)
		}
		if err != nil {
			d := asDetails(err)
			return refuse(d.Status, "", "%s: %s", names[k], d.Detail)
		}
		parts, files = append(parts, part), append(files, bytes.NewReader(file))
	}
	joined, err := results.Join(parts)
	if of, ok := errors.AsType[*results.PartError](err); ok {
		return refuse(http.StatusBadRequest, "", "%s", of)
	} else if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	for piece, err := range joined.Lines(files) {
		if err != nil {
			panic(http.ErrAbortHandler) // the files were read before, so this is no error of theirs
		}
		if _, err := w.Write(piece); err != nil {
			return nil // the client has gone
		}
	}
	return nil
}

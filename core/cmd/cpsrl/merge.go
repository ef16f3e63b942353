package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"

	"cpsrl/core/results"
	"cpsrl/core/strict"
)

var mergeCommand = command{
	name: "merge", args: "FILE FILE… [-o FILE]",
	short: "join the records files of parts of one experiment",
	long: `Reads records files ("cpsrl run" writes them) that hold runs or agents of one experiment, and writes the records of
all: the bytes that one run of the whole experiment writes. The agents come in the order in which the files name them.
What an interrupted file lacks may be in another one. Files of another experiment or engine, runs of an agent that two files
hold, and gaps are refused.`,
	operands: []string{"FILE"}, many: true,
	setup: func(flags *flag.FlagSet) action {
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			joined, files, err := h.join(args)
			if err != nil {
				return err
			}
			out, err := h.createRecords(*path)
			if err != nil {
				return err
			}
			defer out.Discard()
			for piece, err := range joined.Lines(files) {
				if h.ctx.Err() != nil {
					return fmt.Errorf("%s: %w", out.name, context.Cause(h.ctx))
				}
				if err != nil {
					return err
				}
				if _, err := out.Write(piece); err != nil {
					return err
				}
			}
			return out.Commit()
		}
	},
}

// join reads the parts of an experiment. It returns their files, which are opened when they are read.
func (h *host) join(paths []string) (*results.Joined, []io.ReaderAt, error) {
	var parts []*results.Part
	var files []io.ReaderAt
	for _, path := range paths {
		part, file, err := h.part(path)
		if err != nil {
			return nil, nil, err
		}
		parts, files = append(parts, part), append(files, file)
	}
	joined, err := results.Join(parts)
	return joined, files, err
}

// part reads a records file that is a part of an experiment.
func (h *host) part(path string) (*results.Part, io.ReaderAt, error) {
	r, name, err := h.open(path, "a records file")
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	part, err := results.ReadPart(name, r)
	switch {
	case err != nil:
		return nil, nil, strict.Unreadable(name, "a records file", err)
	case regular(r) == nil:
		return nil, nil, badf(name, "parts are read twice, so a file was expected that is no pipe")
	}
	return part, &again{path, regular(r)}, nil
}

// again is a file that is opened for each reading, so that many parts can be read.
type again struct {
	path   string
	before os.FileInfo
}

func (a *again) ReadAt(p []byte, at int64) (int, error) {
	f, err := os.Open(a.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(now, a.before) || now.Size() != a.before.Size() || !now.ModTime().Equal(a.before.ModTime()) {
		return 0, badf(a.path, "the file has changed since it was read")
	}
	return f.ReadAt(p, at)
}

// openRecords opens a records file or, as one file, the parts of an experiment. It returns a name for messages.
func (h *host) openRecords(paths []string) (io.ReadCloser, string, error) {
	if len(paths) == 1 {
		return h.open(paths[0], "a records file")
	}
	joined, files, err := h.join(paths)
	if err != nil {
		return nil, "", err
	}
	next, stop := iter.Pull2(joined.Lines(files))
	return &pulled{next: next, stop: stop}, fmt.Sprintf("%s and %d more", paths[0], len(paths)-1), nil
}

// pulled is a sequence of pieces as a reader.
type pulled struct {
	next func() ([]byte, error, bool)
	stop func()
	rest []byte
}

func (p *pulled) Read(into []byte) (int, error) {
	for len(p.rest) == 0 {
		piece, err, more := p.next()
		if !more {
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
		p.rest = piece
	}
	n := copy(into, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *pulled) Close() error {
	p.stop()
	return nil
}

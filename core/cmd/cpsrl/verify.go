package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

var verifyCommand = command{
	name: "verify", args: "FILE… | -link URL [-data FILE]",
	short: "run an experiment again and compare",
	long: `Runs the experiment of a records file, or of a link with a receipt, and compares the records bit for bit.
If the records are the same, even if the engine version differs or the file writes them in another way
(with other spaces, line ends or order of fields), the exit status is 0. If not, standard error says
what differs (the engine version; for a file, the first record and field), and the exit status is 1. If the file is
unfinished, the records that it holds are compared. Several files are read as "cpsrl merge" joins them. If the agents start from data, -data gives that file.`,
	operands: []string{"FILE"}, optional: true, many: true,
	setup: func(flags *flag.FlagSet) action {
		link := flags.String("link", "", "a `URL` of the page that holds an experiment and a receipt, or what follows its #")
		data := flags.String("data", "", "the `FILE` of the transitions that the agents start from")
		workers := workersFlag(flags)
		quiet := quietFlag(flags)
		return func(h *host, args []string) error {
			h.quiet = *quiet
			switch {
			case *link == "" && len(args) == 0:
				return badf("arguments", "FILE or -link URL was expected")
			case *link == "":
				return h.verifyFile(args, *data, *workers)
			case len(args) > 0:
				return badf("arguments", "FILE and -link URL exclude each other")
			}
			return h.verifyLink(*link, *data, *workers)
		}
	},
}

// otherEngine returns words for a message if the records are of another engine version, or
// "".
func otherEngine(engine int) string {
	if engine == record.Engine {
		return ""
	}
	return fmt.Sprintf("the engine version is %d, this is version %d, and the records of two versions may differ; ", engine, record.Engine)
}

// begunFrom gives a spec the transitions that it names, if a file is given.
func (h *host) begunFrom(s *spec.Spec, data string) error {
	switch {
	case data == "":
		return nil
	case s.Data() == nil:
		return badf("flag -data", "the experiment starts from no data")
	}
	return h.takeData(s, data)
}

// verifyLink runs the experiment of a link and compares the fingerprint with its
// receipt.
func (h *host) verifyLink(text, data string, workers int) error {
	l, err := h.readLink(text)
	switch {
	case err != nil:
		return err
	case l.Receipt == nil:
		return badf(linkName, `the link has no receipt ("cpsrl link -receipt FILE" adds one)`)
	}
	if err := h.begunFrom(l.Spec, data); err != nil {
		return err
	}
	e, err := experiment.NewContext(h.ctx, l.Spec)
	if err != nil {
		return h.hint(l.Spec, in(linkName, err))
	}
	records, fingerprint, err := h.play(e, &kept{}, workers, h.stdout, func([]byte) error { return nil })
	if err != nil {
		return err
	}
	if fingerprint != l.Receipt.Fingerprint {
		return fmt.Errorf("not reproduced: %sthe fingerprint is %s, the receipt's %s", otherEngine(l.Receipt.Engine), fingerprint, l.Receipt.Fingerprint)
	}
	return h.reproduced(l.Receipt.Engine, records, records, fingerprint, 0)
}

// verifyFile runs the experiment of a records file, or of several, and compares line by line.
func (h *host) verifyFile(paths []string, data string, workers int) error {
	for _, path := range paths {
		if isFolder(path) {
			return badf(path, "a records file was expected, and this is a folder; of a sweep, each file is verified alone")
		}
	}
	r, name, err := h.openRecords(paths)
	if err != nil {
		return err
	}
	defer r.Close()
	e, err := results.NewReader(r)
	if err != nil {
		return strict.Unreadable(name, "a records file", err)
	}
	if data != "" {
		s := e.Header.Spec.Clone()
		if err := h.begunFrom(s, data); err != nil {
			return err
		}
		if e.Experiment, err = experiment.Open(s); err != nil {
			return in(place(name, 1), strict.Within("/spec", err))
		}
	}
	if err := e.Experiment.Ready(h.ctx); err != nil {
		return h.hint(e.Experiment.Spec(), in(place(name, 1), strict.Within("/spec", err)))
	}
	next, stop := iter.Pull2(e.Raw())
	defer stop()
	engine := e.Header.Engine
	var found error // what the comparison found
	otherwise := 0  // the first line in another notation
	records, fingerprint, ended := h.play(e.Experiment, &kept{}, workers, h.stdout, func(line []byte) error {
		have, err, more := next()
		switch {
		case !more:
			found = io.EOF
		case err != nil:
			found = strict.Unreadable(name, "a records file", err)
		case !bytes.Equal(line, have.Bytes):
			if differs := difference(line, have.Bytes); differs != nil {
				found = fmt.Errorf("not reproduced: %s%s: %w", otherEngine(engine), place(name, have.Number), differs)
			} else if otherwise == 0 {
				otherwise = have.Number
			}
		}
		return found
	})
	failed := found == nil && ended != nil // the experiment itself has failed, or was interrupted
	switch {
	case failed && errors.Is(ended, context.Canceled):
		return ended
	case failed && records == 0:
		return in(name, ended)
	case found == io.EOF && records == 0:
		return badf(name, "the file holds no records; there is nothing to compare")
	case found != nil && found != io.EOF:
		return found
	}
	if extra, err, more := next(); more && err != nil {
		return strict.Unreadable(name, "a records file", err)
	} else if more && failed {
		return fmt.Errorf("not reproduced: %s: the experiment fails before this line: %v", place(name, extra.Number), ended)
	} else if more {
		return fmt.Errorf("not reproduced: %s: the experiment ends before this line", place(name, extra.Number))
	}
	return h.reproduced(engine, records, e.Experiment.Records(), fingerprint, otherwise)
}

// reproduced prints that the records are the same, their engine version if it is
// another, and the first line in another notation, if it is not 0.
func (h *host) reproduced(engine, records, asked int, fingerprint string, otherwise int) error {
	of, although := "", ""
	if records < asked {
		of = fmt.Sprintf("the first %d of ", records)
	}
	if engine != record.Engine {
		although = fmt.Sprintf(", although they are of engine version %d and this is version %d", engine, record.Engine)
	}
	if otherwise > 0 {
		although += fmt.Sprintf("; the file writes them in another way, first in line %d", otherwise)
	}
	return h.print(fmt.Appendf(nil, "reproduced bit for bit: %s%d records, fingerprint %s%s\n", of, asked, fingerprint, although))
}

// difference says in which record and field two record lines differ. It returns nil if they
// are the same record in two notations.
func difference(mine, theirs []byte) error {
	want, err := record.DecodeRecord(mine)
	if err != nil {
		return err
	}
	who := fmt.Sprintf("run %d, %s, episode %d", want.Run, want.Agent, want.Episode)
	have, err := record.DecodeRecord(theirs)
	if err != nil {
		return fmt.Errorf("%s was expected, but the line is not a record: %v", who, err)
	}
	// Written again, the second line has its fields in the same order.
	here, there := jsontext.NewDecoder(bytes.NewReader(mine)), jsontext.NewDecoder(bytes.NewReader(record.AppendRecord(nil, have)))
	for {
		a, err := here.ReadToken()
		if err != nil {
			return nil
		}
		b, _ := there.ReadToken()
		if x, y := shown(a), shown(b); x != y {
			// If a list or the record ends early, the other has the name of the missing field.
			field := max(here.StackPointer(), there.StackPointer())
			how := fmt.Sprintf("it is %s here, %s there", x, y)
			switch missing {
			case x:
				how = "it is missing here"
			case y:
				how = "it is missing there"
			}
			return fmt.Errorf("%s differs in %s: %s", who, field, how)
		}
	}
}

// missing is the text of a token that is missing.
const missing = ""

// shown returns the text of a JSON token for a message. If the token closes a list or an
// object, the token to compare is missing.
func shown(t jsontext.Token) string {
	if k := t.Kind(); k == ']' || k == '}' {
		return missing
	}
	return t.String()
}

package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"

	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// Reader reads a records file and checks it: the members of each line, the ranges of its
// numbers, and its agent and variables against the spec. Only a second run can tell whether
// the numbers are those of the spec. The reader skips blank lines.
type Reader struct {
	Experiment *experiment.Experiment // that of the header; its Ready says whether it can run here
	Header     *experiment.Header

	// Ordered demands the order run, agent, episode. The reader then reports whole
	// runs, and the fingerprint covers only whole runs.
	Ordered bool
	// DropTorn ignores a last line without a newline.
	DropTorn bool

	begins  int         // the number of the header's line
	plain   bool        // whether the header is written as the engine writes it
	space   *fmdp.Space // the problem's
	lines   *strict.Lines
	records int
	mixed   bool             // whether the records are not in the order run, agent, episode
	pending []*record.Record // the records of the unfinished run, if Ordered
	bytes   []byte           // the lines of pending, as the engine writes them; if not Ordered, the last line
	hash    hash.Hash
}

// Line is one record line.
type Line struct {
	Number int
	Bytes  []byte // with a newline; valid until the next line
	Record *record.Record
	// If the reader is Ordered and this line ends a run, Run holds the records of the run
	// and Lines holds their lines as the engine writes them. If it is not Ordered, Lines holds
	// this line as the engine writes it. Lines is valid until the next line.
	Run   []*record.Record
	Lines []byte
}

// errEmpty says that there is no header.
var errEmpty = errors.New("a header in the format " + record.RecordFormat + " was expected, but the file is empty")

// NewReader reads the header of a records file. An error in its contents is a
// *[strict.LineError].
func NewReader(r io.Reader) (*Reader, error) {
	f := &Reader{lines: strict.NewLines(r), hash: sha256.New()}
	line, err := f.lines.Next(strict.MaxHeader, false)
	switch {
	case err == io.EOF:
		return nil, &strict.LineError{Number: 1, Err: errEmpty}
	case err != nil:
		return nil, err
	}
	if f.Header, err = experiment.DecodeHeader(line); err != nil {
		return nil, f.wrong(err)
	}
	f.begins = f.lines.Number()
	f.plain = bytes.Equal(line, experiment.AppendHeader(nil, f.Header)) && f.lines.Read() == int64(len(line))
	if f.Experiment, err = experiment.Open(f.Header.Spec); err != nil {
		return nil, f.wrong(strict.Within("/spec", err))
	}
	first, err := f.Experiment.Instance(f.Header.Spec.FirstRun)
	if err != nil {
		return nil, f.wrong(strict.Within("/spec", err))
	}
	f.space = &first.View.Space
	return f, nil
}

func (f *Reader) wrong(err error) error { return f.lines.Wrong(err) }

// Raw yields the lines after the header without decoding them. Whole, Runs and Fingerprint
// do not count them.
func (f *Reader) Raw() iter.Seq2[*Line, error] {
	return func(yield func(*Line, error) bool) {
		for {
			line, err := f.lines.Next(strict.MaxLine, f.DropTorn)
			if err == io.EOF {
				return
			}
			if !yield(&Line{Number: f.lines.Number(), Bytes: line}, err) || err != nil {
				return
			}
		}
	}
}

// All yields the records. An error ends the sequence; an error in the contents of a
// line is a *[strict.LineError]. Records of a newer engine are refused: nobody here knows what they mean.
func (f *Reader) All() iter.Seq2[*Line, error] {
	return func(yield func(*Line, error) bool) {
		if f.Header.Engine > record.Engine {
			yield(nil, &strict.LineError{Number: f.begins, Err: strict.Invalid("/engine", "the records are of engine version %d; this is version %d", f.Header.Engine, record.Engine)})
			return
		}
		for line, err := range f.Raw() {
			if err == nil {
				if err = f.read(line); err != nil {
					err = f.wrong(err)
				}
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// read decodes a line, checks it and counts it.
func (f *Reader) read(line *Line) error {
	r, err := record.DecodeRecord(line.Bytes)
	if err == nil {
		err = f.check(r)
	}
	if err != nil {
		return err
	}
	line.Record = r
	f.mixed = f.mixed || !f.next(r)
	if f.Ordered && f.mixed {
		return fmt.Errorf("run %d, agent %.40q, episode %d is out of order; records come by run, agent and episode", r.Run, r.Agent, r.Episode)
	}
	f.records++
	if !f.Ordered {
		f.bytes = record.AppendRecord(f.bytes[:0], r)
		f.hash.Write(f.bytes)
		line.Lines = f.bytes
		return nil
	}
	f.pending, f.bytes = append(f.pending, r), record.AppendRecord(f.bytes, r)
	if len(f.pending) == f.Experiment.PerRun() {
		f.hash.Write(f.bytes)
		line.Run, line.Lines = f.pending, f.bytes
		f.pending, f.bytes = nil, f.bytes[:0]
	}
	return nil
}

// next reports whether a record is the next in the order run, agent, episode.
func (f *Reader) next(r *record.Record) bool {
	s := f.Experiment.Spec()
	run, k := f.records/f.Experiment.PerRun(), f.records%f.Experiment.PerRun()
	return run < s.Runs && r.Run == s.FirstRun+run && r.Agent == s.Agents[k/s.Episodes] && r.Episode == k%s.Episodes+1
}

// check checks a record against the header and the spec. The records of agents with a
// graph have a graph over the problem's variables, and those of agents with a belief have a
// belief.
func (f *Reader) check(r *record.Record) error {
	arm, known := f.Experiment.Arm(r.Agent)
	switch {
	case !known:
		return fmt.Errorf("the agent %.40q is not in the spec", r.Agent)
	case r.Valued == nil && f.Header.Regret == "":
		return strict.Invalid("/optimal", "the field %q is missing", "optimal")
	case r.Valued != nil && f.Header.Regret != "":
		return strict.Invalid("/optimal", "the header says that the records have no regret")
	case r.Valued != nil && r.Regret != r.Optimal-r.Value:
		return strict.Invalid("/regret", "%v is not optimal − value, %v", r.Regret, r.Optimal-r.Value)
	case f.Header.Engine == 1 && r.Promise != nil:
		return strict.Invalid("/promise", "engine 1 wrote no promise")
	case f.Header.Engine == 1 && r.Belief != nil && r.Belief.LogTruth != nil:
		return strict.Invalid("/belief/logTruth", "engine 1 wrote no logTruth")
	case f.Header.Engine == 1 && r.Belief != nil && r.Belief.ValueRecall != nil:
		return strict.Invalid("/belief/valueRecall", "engine 1 wrote no valueRecall")
	case r.Belief != nil && !arm.Graph && !arm.Believes:
		return strict.Invalid("/belief", "the record of %q has a belief", r.Agent)
	case r.Belief == nil && (arm.Graph || arm.Believes):
		return strict.Invalid("/belief", "the record of %q has no belief", r.Agent)
	case r.Belief == nil:
		return nil
	}
	for _, part := range []struct {
		name      string
		is, wants bool
	}{{"graph", r.Belief.Scored != nil, arm.Graph}, {"best", r.Belief.Updated != nil, arm.Believes}} {
		switch {
		case part.wants && !part.is:
			return strict.Invalid("/belief/"+part.name, "the field %q is missing", part.name)
		case part.is && !part.wants:
			return strict.Invalid("/belief", "the record of %q has a %s", r.Agent, part.name)
		}
	}
	return record.CheckBelief(r.Belief, f.space)
}

// Runs returns the number of whole runs so far, if Ordered.
func (f *Reader) Runs() int { return f.records / f.Experiment.PerRun() }

// Pending returns the records of the unfinished run, if Ordered.
func (f *Reader) Pending() []*record.Record { return f.pending }

// Whole reports whether the file holds all records of the spec in their order. If it does,
// their fingerprint is a receipt.
func (f *Reader) Whole() bool { return !f.mixed && f.records == f.Experiment.Records() }

// Fingerprint returns the SHA-256 of the records read so far, or if Ordered of those of
// whole runs, in hexadecimal digits. It is that of the lines which the engine writes, even
// if the file has the records in another notation: other spaces or line ends, the fields in
// another order, other digits of the same numbers.
func (f *Reader) Fingerprint() string { return hex.EncodeToString(f.hash.Sum(nil)) }

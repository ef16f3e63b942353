package runs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/experiment"
	"cpsrl/core/jobs"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Kept is what earlier runs have left of an experiment. The zero value is nothing.
type Kept struct {
	Whole bool        // whether the file has the bytes of the experiment
	parts []*keptPart // the first is that of the file, if there is one
}

// keptPart is a file with records of an experiment.
type keptPart struct {
	*results.Part
	file File
	// spent says of a partial file that nothing is lost with it when the experiment is whole.
	spent bool
}

// Keep reads what a file, which may be nil, and the partial files beside it hold of an experiment, and takes them over: they
// are closed by Close. A file of another experiment, or of more than this one, is refused. A partial file of another
// experiment is passed over; one that holds nothing which another lacks is removed. Asked is the name of what asks for the
// experiment, for messages.
func Keep(e *experiment.Experiment, asked string, file File, partials []File) (*Kept, error) {
	k := &Kept{}
	s := e.Spec()
	if file != nil {
		part, err := readKept(file)
		switch {
		case err == nil:
			k.parts = append(k.parts, part)
			if err = part.Stranger(s, record.Engine, asked); err == nil {
				err = named(part.Name, within(part.Spec, s, asked))
			}
			k.Whole = err == nil && part.Whole && slices.Equal(part.Spec.Agents, s.Agents) && part.Spec.Runs == s.Runs
		case bare(file):
			file.Close()
			err = nil
		default:
			file.Close()
			err = strict.Unreadable(file.Name(), aRecordsFile, err)
		}
		if err != nil {
			for _, f := range partials {
				f.Close()
			}
			return k, err
		}
	}
	for _, f := range partials {
		part, err := readKept(f)
		if _, damaged := errors.AsType[*strict.LineError](err); part.Part == nil || err != nil && !damaged || part.Stranger(s, record.Engine, "") != nil {
			if !damaged || !bare(f) || !f.Remove(true) {
				f.Close()
			}
			continue
		}
		part.spent = within(part.Spec, s, "") == nil
		k.parts = append(k.parts, part)
	}
	k.drop(e)
	return k, nil
}

// readKept reads the part that a file holds; with an error in a line comes what is before.
func readKept(file File) (*keptPart, error) {
	part, err := results.ReadPart(file.Name(), file)
	return &keptPart{Part: part, file: file}, err
}

// bare reports whether a file has no line and so no records: a loss of power has left it empty, with zero bytes or with
// the beginning of a header.
func bare(file io.ReaderAt) bool {
	data, err := io.ReadAll(io.NewSectionReader(file, 0, strict.MaxHeader))
	if err != nil || bytes.IndexByte(data, '\n') >= 0 {
		return false
	}
	begin, text := `{"format":"`+record.RecordFormat+`",`, string(bytes.TrimRight(data, "\x00"))
	return strings.HasPrefix(begin, text) || strings.HasPrefix(text, begin) && !jsontext.Value(text).IsValid()
}

// within returns an error unless the spec asks for all agents and runs of another one.
func within(had, of *spec.Spec, asked string) error {
	for _, agent := range had.Agents {
		if !slices.Contains(of.Agents, agent) {
			return fmt.Errorf("the file is of the agent %s, too, for which %s do not ask", agent, asked)
		}
	}
	if had.FirstRun < of.FirstRun || had.FirstRun+had.Runs > of.FirstRun+of.Runs {
		return fmt.Errorf("the file is of runs %d to %d, and %s ask for runs %d to %d", had.FirstRun, had.FirstRun+had.Runs-1, asked, of.FirstRun, of.FirstRun+of.Runs-1)
	}
	return nil
}

// drop removes the partial files that hold nothing which another file lacks: each run that is killed leaves one.
func (k *Kept) drop(e *experiment.Experiment) {
	for at, part := range slices.Backward(k.parts) {
		lacks := false
		for j := range jobs.Of(e) {
			lacks = lacks || part.Has(j.Run, j.Arm.Label()) && !slices.ContainsFunc(k.parts, func(other *keptPart) bool {
				return other != part && other.Has(j.Run, j.Arm.Label())
			})
		}
		if part.spent && !lacks && part.file.Remove(true) { // else it is in use
			k.parts = slices.Delete(k.parts, at, at+1)
		}
	}
}

// Clear removes the partial files whose records are elsewhere, once the experiment is whole.
func (k *Kept) Clear() {
	for _, part := range k.parts {
		if part.spent {
			part.file.Remove(false)
		}
	}
}

// Close closes the files.
func (k *Kept) Close() {
	for _, part := range k.parts {
		part.file.Close()
	}
}

// find returns the part that has the records of a job, or nil.
func (k *Kept) find(j jobs.Job) *keptPart {
	for _, p := range k.parts {
		if p.Has(j.Run, j.Arm.Label()) {
			return p
		}
	}
	return nil
}

// Jobs returns how many jobs of an experiment are kept.
func (k *Kept) Jobs(e *experiment.Experiment) (n int) {
	for j := range jobs.Of(e) {
		if k.find(j) != nil {
			n++
		}
	}
	return n
}

// Lines yields the record lines of an experiment in their order: those that are kept, of which several may come at once, and
// the rest as [jobs.Timed] computes it.
func (k *Kept) Lines(ctx context.Context, e *experiment.Experiment, workers int, tick func(), clock jobs.Clock) iter.Seq2[jobs.Line, error] {
	rest := func(yield func(jobs.Job) bool) {
		for j := range jobs.Of(e) {
			if k.find(j) == nil && !yield(j) {
				return
			}
		}
	}
	return func(yield func(jobs.Line, error) bool) {
		next, stop := iter.Pull2(jobs.Timed(ctx, rest, workers, jobs.MaxWaiting, tick, clock))
		defer stop()
		for j := range jobs.Of(e) {
			if part := k.find(j); part != nil {
				for lines, err := range part.Lines(j.Run, j.Arm.Label(), part.file) {
					if err == nil {
						err = context.Cause(ctx)
					}
					if !yield(jobs.Line{Job: &j, Bytes: lines}, err) || err != nil {
						return
					}
				}
				continue
			}
			for range e.Spec().Episodes {
				line, err, more := next()
				if !more {
					panic("runs: a job has too few records")
				}
				if !yield(line, err) || err != nil {
					return
				}
			}
		}
	}
}

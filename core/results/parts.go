package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"cpsrl/core/experiment"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Part is what a records file holds of an experiment: which runs of which agents, and where. A Part
// holds no records. Its memory grows with the number of runs and agents, not with that of episodes.
type Part struct {
	Name   string // of the file, for messages
	Engine int
	Spec   *spec.Spec // complete
	Whole  bool       // whether the file has the bytes that the engine writes for its spec
	plays  map[playKey]section
}

// section is where the records of one agent in one run are in a file.
type section struct {
	from, to  int64 // bytes
	otherwise bool  // whether they are not written as the engine writes them
}

// ReadPart reads a records file to its end and checks it as a [Reader] does. The records of one agent in
// one run must follow each other; the runs may come in any order. The part lacks the records of an agent
// in a run that are not all there, and a last line without a newline. An error in the contents of a line is a
// *[strict.LineError]; with it comes the part before that line, or nil if there is no header.
func ReadPart(name string, r io.Reader) (*Part, error) {
	reader, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	reader.DropTorn = true
	s := reader.Experiment.Spec()
	p := &Part{Name: name, Engine: reader.Header.Engine, Spec: s, plays: map[playKey]section{}}
	var of playKey
	var now section
	episodes := s.Episodes // of the agent in the run that is being read
	end := reader.lines.Read()
	plain := reader.plain
	for line, err := range reader.All() {
		if err != nil {
			return p, err
		}
		rec := line.Record
		key, wrong := playKey{rec.Run, rec.Agent}, ""
		_, there := p.plays[key]
		switch {
		case rec.Run < s.FirstRun || rec.Run >= s.FirstRun+s.Runs:
			wrong = "is not in the spec"
		case there:
			wrong = "is there twice"
		case rec.Episode == 1:
			of, now, episodes = key, section{from: end}, 0
		case key != of || rec.Episode != episodes+1:
			wrong = "is out of order; the episodes of a run follow each other"
		}
		if wrong != "" {
			return p, reader.wrong(fmt.Errorf("run %d, agent %.40q, episode %d %s", rec.Run, rec.Agent, rec.Episode, wrong))
		}
		episodes++
		now.to = reader.lines.Read()
		now.otherwise = now.otherwise || string(line.Bytes) != string(line.Lines) || now.to-end != int64(len(line.Lines))
		plain = plain && !now.otherwise
		if end = now.to; episodes == s.Episodes {
			p.plays[of] = now
		}
	}
	p.Whole = plain && reader.Whole() && end == reader.lines.Read()
	return p, nil
}

// Has reports whether the part has all records of an agent in a run.
func (p *Part) Has(run int, agent string) bool {
	_, has := p.plays[playKey{run, agent}]
	return has
}

// Lines yields the record lines of an agent in a run, as the engine writes them, in pieces of one whole line or
// more that are valid until the next. The file must be the one that ReadPart has read, and what has become shorter is
// an error. The part must have them.
func (p *Part) Lines(run int, agent string, file io.ReaderAt) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		at, has := p.plays[playKey{run, agent}]
		if !has {
			panic("results: the part does not have these records")
		}
		from := io.NewSectionReader(file, at.from, at.to-at.from)
		if at.otherwise {
			p.rewrite(from, at.to-at.from, yield)
			return
		}
		piece, n := make([]byte, min(64<<10, at.to-at.from)), 0
		for left := at.to - at.from; left > 0; {
			more, err := from.Read(piece[n:])
			if left -= int64(more); left > 0 && err != nil {
				yield(nil, p.changed(err))
				return
			}
			n += more
			end := bytes.LastIndexByte(piece[:n], '\n') + 1
			if left == 0 && end < n {
				yield(nil, p.changed(io.EOF))
				return
			}
			if end > 0 && !yield(piece[:end], nil) {
				return
			}
			if n = copy(piece, piece[end:n]); n == len(piece) { // a line is longer
				piece = append(piece, make([]byte, n)...)
			}
		}
	}
}

// changed returns the error of a file that no longer has the records which it had when it was read, or the error of
// reading it.
func (p *Part) changed(err error) error {
	if _, line := errors.AsType[*strict.LineError](err); line || err == io.EOF {
		err = strict.Input(p.Name, "the file has changed since it was read")
	}
	return err
}

// rewrite yields the lines of a section as the engine writes them.
func (p *Part) rewrite(from io.Reader, size int64, yield func([]byte, error) bool) {
	lines := strict.NewLines(from)
	var buffer []byte
	for {
		line, err := lines.Next(strict.MaxLine, false)
		if err == io.EOF && lines.Read() == size {
			return
		}
		var r *record.Record
		if err == nil {
			if r, err = record.DecodeRecord(line); err != nil {
				err = io.EOF // it was a record before
			}
		}
		if err != nil {
			yield(nil, p.changed(err))
			return
		}
		buffer = record.AppendRecord(buffer[:0], r)
		if !yield(buffer, nil) {
			return
		}
	}
}

// Joined is one experiment whose records are in several parts.
type Joined struct {
	Experiment *experiment.Experiment
	Header     *experiment.Header
	parts      []*Part
	of         map[playKey]int // the part that has an agent in a run
}

// Join joins parts of one experiment, each with some of its runs or agents. The agents come in the order in
// which the parts name them. The error is a *[strict.InputError] if a part is of another experiment or engine, if two
// parts have the same, or if an agent lacks a run between the first and the last.
func Join(parts []*Part) (*Joined, error) {
	s := parts[0].Spec.Clone()
	last := s.FirstRun + s.Runs
	for _, p := range parts[1:] {
		other := p.Spec
		if err := p.Stranger(s, parts[0].Engine, parts[0].Name); err != nil {
			return nil, err
		}
		for _, agent := range other.Agents {
			if !slices.Contains(s.Agents, agent) {
				s.Agents = append(s.Agents, agent)
			}
		}
		s.FirstRun, last = min(s.FirstRun, other.FirstRun), max(last, other.FirstRun+other.Runs)
	}
	s.Runs = last - s.FirstRun
	j := &Joined{parts: parts, of: map[playKey]int{}}
	for k, p := range parts {
		for _, agent := range s.Agents {
			for run := s.FirstRun; run < last; run++ {
				key := playKey{run, agent}
				if !p.Has(run, agent) {
					continue
				}
				if before, taken := j.of[key]; taken {
					return nil, strict.Input(p.Name, "run %d of %s is in %s, too", run, agent, parts[before].Name)
				}
				j.of[key] = k
			}
		}
	}
	for _, agent := range s.Agents {
		for run := s.FirstRun; run < last; run++ {
			if _, has := j.of[playKey{run, agent}]; has {
				continue
			}
			until := run
			for until+1 < last {
				if _, has := j.of[playKey{until + 1, agent}]; has {
					break
				}
				until++
			}
			if until > run {
				return nil, strict.Input(parts[0].Name, "runs %d to %d of %s are in no file", run, until, agent)
			}
			return nil, strict.Input(parts[0].Name, "run %d of %s is in no file", run, agent)
		}
	}
	var err error
	if j.Experiment, err = experiment.Open(s); err != nil {
		return nil, &strict.InputError{Name: parts[0].Name, Err: err}
	}
	j.Header = j.Experiment.Header()
	j.Header.Engine = parts[0].Engine
	return j, nil
}

// Stranger returns a *[strict.InputError] if the part is of another engine, or of a spec that differs in more than its
// runs and agents. The name is that of what has this spec.
func (p *Part) Stranger(s *spec.Spec, engine int, name string) error {
	if p.Engine != engine {
		return strict.Input(p.Name, "the engine version is %d, and %d in %s", p.Engine, engine, name)
	}
	d := spec.Differs(p.Spec, s)
	if d == nil {
		return nil
	}
	here, there := "is "+param.Clip(d.A), param.Clip(d.B)
	if d.A == "" {
		here = "is missing"
	}
	if d.B == "" {
		there = "missing"
	}
	return strict.Input(p.Name, "the records are of another experiment: %s %s, and %s in %s", strict.Shown(d.Place), here, there, name)
}

// Lines yields the bytes of the file of the whole experiment: the header, and the records by run and agent, in
// pieces that are valid until the next. The files are those of the parts, in their order.
func (j *Joined) Lines(files []io.ReaderAt) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if !yield(experiment.AppendHeader(nil, j.Header), nil) {
			return
		}
		s := j.Experiment.Spec()
		for run := s.FirstRun; run < s.FirstRun+s.Runs; run++ {
			for _, agent := range s.Agents {
				k := j.of[playKey{run, agent}]
				for piece, err := range j.parts[k].Lines(run, agent, files[k]) {
					if !yield(piece, err) || err != nil {
						return
					}
				}
			}
		}
	}
}

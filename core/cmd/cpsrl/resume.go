package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

	"cpsrl/core/experiment"
	"cpsrl/core/jobs"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// kept is what earlier runs have left of an experiment. The zero value is nothing.
type kept struct {
	parts []*results.Part // the first is that of the file, if there is one
	files []io.ReaderAt
	spent []string // the partial files of which nothing is lost when the experiment is whole
	whole bool     // whether the file has the bytes of the experiment
}

// partialName returns the name of what an interrupted run keeps beside a file, the k-th from 1.
func partialName(name string, k int) string {
	if k == 1 {
		return name + ".partial"
	}
	return fmt.Sprintf("%s.partial%d", name, k)
}

// kept reads what a file and those with .partial behind its name hold of an experiment. A partial file of
// another experiment is passed over.
func (h *host) kept(path string, e *experiment.Experiment) (*kept, error) {
	k := &kept{}
	if path == "" || path == "-" {
		return k, badf("flag -resume", "-o FILE was expected, to go on where the file ends")
	}
	s := e.Spec()
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err == nil && !info.Mode().IsRegular():
		return k, badf(path, "only a regular file can be resumed")
	default:
		part, file, err := h.partOf(path)
		if err != nil {
			return k, err
		}
		if err := part.Stranger(s, record.Engine, "the flags"); err != nil {
			return k, inParts(err)
		}
		had := part.Spec
		if err := within(had, s); err != nil {
			return k, in(path, err)
		}
		k.parts, k.files = append(k.parts, part), append(k.files, file)
		k.whole = part.Whole && slices.Equal(had.Agents, s.Agents) && had.Runs == s.Runs
	}
	for n := 1; !k.whole; n++ {
		name := partialName(path, n)
		if _, err := os.Lstat(name); err != nil {
			break
		}
		part, file, err := h.partOf(name)
		if err == nil && part.Stranger(s, record.Engine, "") == nil {
			k.parts, k.files = append(k.parts, part), append(k.files, file)
			if within(part.Spec, s) == nil {
				k.spent = append(k.spent, name)
			}
		}
	}
	return k, nil
}

// partOf is part for a file that may be replaced later.
func (h *host) partOf(path string) (*results.Part, io.ReaderAt, error) {
	before := len(h.inputs)
	part, file, err := h.part(path)
	h.inputs = h.inputs[:before]
	return part, file, err
}

// find returns the index of the part that has the records of a job, or -1.
func (k *kept) find(j jobs.Job) int {
	return slices.IndexFunc(k.parts, func(p *results.Part) bool { return p.Has(j.Run, j.Arm.Label()) })
}

func (k *kept) has(j jobs.Job) bool { return k.find(j) >= 0 }

// plays returns how many jobs of the experiment are kept.
func (k *kept) plays(e *experiment.Experiment) (n int) {
	for j := range jobs.Of(e) {
		if k.has(j) {
			n++
		}
	}
	return n
}

// rest yields the jobs of the experiment that are not kept.
func (k *kept) rest(e *experiment.Experiment) iter.Seq[jobs.Job] {
	return func(yield func(jobs.Job) bool) {
		for j := range jobs.Of(e) {
			if !k.has(j) && !yield(j) {
				return
			}
		}
	}
}

// copy calls each with the record lines of a job, if they are kept.
func (k *kept) copy(ctx context.Context, j jobs.Job, each func([]byte) error) error {
	at := k.find(j)
	if at < 0 {
		return nil
	}
	for lines, err := range k.parts[at].Lines(j.Run, j.Arm.Label(), k.files[at]) {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = each(lines)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// within returns an error unless the spec asks for all agents and runs of another one.
func within(had, asked *spec.Spec) error {
	for _, agent := range had.Agents {
		if !slices.Contains(asked.Agents, agent) {
			return fmt.Errorf("the file is of the agent %s, too, for which the flags do not ask", agent)
		}
	}
	if had.FirstRun < asked.FirstRun || had.FirstRun+had.Runs > asked.FirstRun+asked.Runs {
		return fmt.Errorf("the file is of runs %d to %d, and the flags ask for runs %d to %d", had.FirstRun, had.FirstRun+had.Runs-1, asked.FirstRun, asked.FirstRun+asked.Runs-1)
	}
	return nil
}

// clear removes the partial files whose records are now in the file.
func (k *kept) clear() {
	for _, name := range k.spent {
		os.Remove(name)
	}
}

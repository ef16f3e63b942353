package main

import (
	"cmp"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"cpsrl/core/record"
	"cpsrl/core/runs"
	"cpsrl/core/sweep"
)

// vary is the help of what varies.
const varyHelp = `What varies is a file in the format cpsrl/sweep, or the flags of an experiment ("cpsrl help run") with -vary:
-vary z=2,3,4 -vary false=0,1 crosses two fields, and -vary false=0,1~trust=1,.9 takes two side by side.`

var sweepCommand = command{
	name: "sweep", args: "FILE | -preset NAME … -vary KEY=VALUE,… [flags] -o DIR; -missing DIR; -list FILE|DIR",
	short: "run an experiment with many settings",
	long: varyHelp + `

Each setting's records get a file of their own in DIR, named by the digest of its spec, when they are whole. What is there
and whole is not computed again: after Ctrl-C, a crash or a loss of power the same command goes on, and so it does with a
longer list. DIR/shard-0.json has the SHA-256 of each file; a file that has become another one is computed again. Settings that are impossible are named in DIR/shard-0.json with the reason. "cpsrl table DIR" and "cpsrl plot
DIR" show the results.

With -shard I/N the command computes only its part of the settings, I from 0 to N−1, so that many machines can share a
folder: -shard $SLURM_ARRAY_TASK_ID/8 ("cpsrl slurm" writes such jobs). A part of a setting is never shared, and a longer list
moves no setting to another shard. A shard writes DIR/shard-I.json when it is whole. -missing DIR prints the flags of sbatch
that run the shards which are not whole, a line for each array, and nothing if all are. -list prints the files and values
of all settings as CSV; of a DIR, standard error names a file that is damaged. Files .cpsrl.*.tmp in DIR are what a killed command has left; the next one removes them when
they are a day old.`,
	operands: []string{"FILE"}, optional: true,
	setup: func(flags *flag.FlagSet) action {
		source := newSweepFlags(flags)
		dir := flags.String("o", "", "write the records into the folder `DIR`")
		shard := shardFlag(flags)
		workers := workersFlag(flags)
		quiet := quietFlag(flags)
		missing := flags.Bool("missing", false, "print the shards of DIR that are not whole")
		most := mostFlag(flags)
		list := flags.Bool("list", false, "print the files and values of the settings")
		return func(h *host, args []string) error {
			h.quiet = *quiet
			switch {
			case *missing && (len(args) == 0 || *list):
				return badf("flags", "-missing takes one folder")
			case *missing:
				return h.missing(args[0], *most)
			case *list && len(args) > 0 && isFolder(args[0]):
				f, err := h.openFolder(args[0])
				if err != nil {
					return err
				}
				return cmp.Or(h.checked(f), h.print(f.List()))
			}
			s, name, err := source.sweep(h, args)
			if err != nil {
				return err
			}
			if *list {
				return h.print(runs.NewFolder(&disk{h, *dir}, &sweep.Run{Sweep: s}).List())
			}
			if *dir == "" || *dir == "-" {
				return badf("flag -o", "a folder was expected")
			}
			return h.sweep(*dir, &sweep.Run{Engine: record.Engine, Shards: shard.of, Sweep: s}, name, shard.index, *workers)
		}
	},
}

// sweepFlags holds the flags that choose a sweep.
type sweepFlags struct {
	*specFlags
	vary []string
}

func newSweepFlags(flags *flag.FlagSet) *sweepFlags {
	s := &sweepFlags{specFlags: newSpecFlags(flags)}
	flags.Func("vary", "a field and its `VALUES`, key=value,value; fields joined by ~ vary together, and the flag may be repeated", func(text string) error {
		s.vary = append(s.vary, text)
		return nil
	})
	return s
}

// sweep returns the sweep that the operand or the flags choose, and its name for messages.
func (s *sweepFlags) sweep(h *host, args []string) (*sweep.Sweep, string, error) {
	if len(args) > 0 {
		if s.chosen() > 0 || len(s.given) > 0 || s.vary != nil || s.prior != "" {
			return nil, "", badf("flags", "FILE and the flags of an experiment but -data exclude each other")
		}
		of, name, err := readDocument(h, "sweep", args[0], sweep.Decode)
		if err == nil && s.data != "" {
			err = h.startSweep(of, s.data)
		}
		return of, name, err
	}
	base, name, err := s.load(h)
	if err != nil {
		return nil, name, err
	}
	vary := s.vary
	if l := s.opened; l != nil {
		of, err := sweep.OfLink(l)
		if err != nil {
			return nil, name, in(linkName, err)
		}
		if of != nil {
			vary = append([]string{of.Vary}, vary...)
			h.notice = mended(l)
		}
	}
	if vary == nil {
		return nil, name, badf("flags", "FILE or -vary KEY=VALUE,… was expected")
	}
	of, err := sweep.New(base, vary...)
	return of, name, in("flag -vary", err)
}

// startSweep gives a sweep the transitions of a file.
func (h *host) startSweep(of *sweep.Sweep, path string) error {
	for t := range of.Settings() {
		if t.Err != nil || t.Spec.Data() == nil {
			continue
		}
		if err := h.takeData(t.Spec, path); err != nil {
			return err
		}
		return in("flag -data", of.Start(t.Spec.Data()))
	}
	return badf("flag -data", "no setting of the sweep starts from transitions")
}

// shard is the part of a sweep that a command computes.
type shard struct{ index, of int }

func shardFlag(flags *flag.FlagSet) *shard {
	s := &shard{0, 1}
	flags.Func("shard", "compute only the part `I/N` of the settings, I from 0 to N−1", func(text string) error {
		first, second, _ := strings.Cut(text, "/")
		index, wrong := strconv.Atoi(first)
		of, too := strconv.Atoi(second)
		if wrong != nil || too != nil || text != fmt.Sprintf("%d/%d", index, of) || index < 0 || index >= of || of > sweep.MaxShards {
			return fmt.Errorf("expected I/N, such as 0/8, with I from 0 to N−1; a variable such as $SLURM_ARRAY_TASK_ID may not be set")
		}
		*s = shard{index, of}
		return nil
	})
	return s
}

// mostFlag adds the flag for the bound of arrays. The default is that of Slurm.
func mostFlag(flags *flag.FlagSet) *int {
	return wholeNumber(flags, "max-array", 1001, 1, 1<<30, "the cluster's MaxArraySize, `M`: indices of an array are less")
}

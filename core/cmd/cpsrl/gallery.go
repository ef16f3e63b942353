package main

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/spec"
)

var galleryCommand = command{
	name: "gallery", args: "[NAME]",
	short: "list the problems of the gallery, or print what is known of one",
	long: `Lists the problems beside those of the paper, one a line: the name of a preset, its numbers of states S and of
actions A, its horizon H, the best value V⋆ of an episode where it is known, and its title. With a name, prints the problem's variables
and facts, its own prior with the reason of each edge, and how to run it. A problem that is drawn at random is that of
the first run.`,
	operands: []string{"NAME"}, optional: true,
	setup: func(*flag.FlagSet) action {
		return func(h *host, args []string) error {
			all := experiment.Gallery()
			if len(args) > 0 {
				names := make([]string, len(all))
				for i, p := range all {
					names[i] = p.Name
				}
				at := slices.Index(names, strings.ToLower(args[0]))
				if at < 0 {
					return badf("arguments", "the gallery has no problem %q; it has %s", args[0], strings.Join(names, ", "))
				}
				text, err := describe(&all[at])
				if err != nil {
					return err
				}
				return h.print(text)
			}
			list := fmt.Appendf(nil, "%-16s %10s %3s %4s %9s  %s\n", "name", "S", "A", "H", "V⋆", "title")
			for _, p := range all {
				in, best, err := solved(&p)
				if err != nil {
					return err
				}
				list = fmt.Appendf(list, "%-16s %10d %3d %4d %9s  %s\n", p.Name, in.View.States(), in.View.Actions(), in.View.Horizon, value(best, "%.3f"), p.Title)
			}
			return h.print(list)
		}
	},
}

// solved returns the problem of a preset's first run and its optimal value; NaN if the problem is not solved.
func solved(p *experiment.Preset) (problem *experiment.Instance, best float64, err error) {
	e, err := experiment.Open(p.Spec)
	if err != nil {
		return nil, 0, in(p.Name, err)
	}
	if best = math.NaN(); e.Unvalued() == "" {
		if best, err = e.Optimum(); err != nil {
			return nil, 0, in(p.Name, err)
		}
	}
	problem, err = e.Instance(p.Spec.FirstRun)
	return problem, best, err
}

// value returns the text of an optimal value.
func value(best float64, format string) string {
	if math.IsNaN(best) {
		return "–"
	}
	return fmt.Sprintf(format, best)
}

// describe says what is known of a problem of the gallery.
func describe(p *experiment.Preset) ([]byte, error) {
	in, best, err := solved(p)
	if err != nil {
		return nil, err
	}
	m := in.View
	text := fmt.Appendf(nil, "%s\n%s\n\n", p.Title, p.Question)
	row := func(name, value string) {
		if value != "" {
			text = fmt.Appendf(text, "%-8s %s\n", name, value)
		}
	}
	row("state", variablesOf(m.State))
	row("action", variablesOf(m.Action))
	row("size", fmt.Sprintf("S = %d, A = %d, H = %d, V⋆ = %s", m.States(), m.Actions(), m.Horizon, value(best, "%.4g")))
	row("reward", p.Spec.Domain.Kind().Reward)
	row("ends", strings.Join(in.Ends(), ", "))
	row("unseen", in.Caveat())
	text = append(text, "\nThe problem’s own prior\n"...)
	type edge struct{ edge, how, why string }
	var edges []edge
	for j, z := range in.Suggested {
		for i := range z.All() {
			edges = append(edges, edge{m.Var(i).Name + " → " + m.State[j].Name, "certain", ""})
		}
	}
	for _, s := range in.Suggestions {
		how := "forbidden"
		if s.P > 0 {
			how = strconv.FormatFloat(s.P, 'g', -1, 64)
		}
		edges = append(edges, edge{m.Var(s.X).Name + " → " + document.NodesOf(m).State[s.Y].Name, how, s.Why})
	}
	widest := 0
	for _, e := range edges {
		widest = max(widest, utf8.RuneCountInString(e.edge))
	}
	for _, e := range edges {
		text = append(text, strings.TrimRight(fmt.Sprintf("  %-*s  %-9s  %s", widest, e.edge, e.how, e.why), " ")+"\n"...)
	}
	if len(edges) == 0 {
		text = append(text, "  says nothing: every edge is unknown\n"...)
	}
	text = fmt.Appendf(text, "\nrun   cpsrl run -preset %s -o %s.jsonl\nlink  #%s\n", p.Name, p.Name, spec.EncodeLink(&spec.Link{Spec: p.Spec}))
	return text, nil
}

// variablesOf lists variables with their values, or the number of values without names.
func variablesOf(vars []fmdp.Variable) string {
	list := make([]string, len(vars))
	for i, v := range vars {
		values := strings.Join(v.Values, ", ")
		if values == "" {
			values = fmt.Sprintf("0 to %d", v.Size-1)
		}
		list[i] = fmt.Sprintf("%s (%s)", v.Name, values)
	}
	return strings.Join(list, "; ")
}

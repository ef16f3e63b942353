package main

import (
	"errors"
	"flag"

	"cpsrl/core/session"
	"cpsrl/core/strict"
	"cpsrl/core/talk"
)

var agentCommand = command{
	name: "agent", args: "[FILE]",
	short: "lend an agent to your simulator, message by message",
	long: `Reads messages as JSON Lines from standard input and writes an answer of one line for each: your program simulates
the problem, and an agent chooses the actions and learns from what happens.

  {"hello":{"format":"cpsrl/agent","version":1,"prior":{…},"horizon":20,"payoffs":[{"range":[-1,0]}],"agent":"c-psrl","seed":1}}
  {"episode":{"policy":true}}
  {"act":{"h":1,"state":[0,3]}}
  {"transitions":[{"x":[0,3,2],"y":[1,3],"paid":[-1]}]}
  {"belief":{}}
  {"save":{}}

A wrong message has the answer {"error":"one sentence","at":"/a/pointer"} and changes nothing. The prior is a document
as "cpsrl prior" writes it. The page docs/agent.html of the site describes every member and has a client for Python. The
messages may also be those of a FILE.`,
	operands: []string{"FILE"}, optional: true,
	setup: func(*flag.FlagSet) action {
		return func(h *host, args []string) error {
			return h.converse(new(session.Session), "messages for an agent", args)
		}
	},
}

// converse lets a partner answer the messages of the file that the arguments name, or of standard input, until it ends.
func (h *host) converse(with talk.Partner, what string, args []string) error {
	path := "-"
	if len(args) > 0 {
		path = args[0]
	}
	r, name, err := h.open(path, what)
	if err != nil {
		return err
	}
	defer r.Close()
	out, err := h.create("-")
	if err != nil {
		return err
	}
	err = talk.Serve(h.ctx, with, r, out, func() error { return nil })
	switch {
	case err == nil:
		return out.Commit()
	case errors.Is(err, out.err), h.ctx.Err() != nil:
		return err
	}
	return strict.Unreadable(name, "a message", err)
}

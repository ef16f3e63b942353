package main

import (
	"flag"

	"cpsrl/core/worlds"
)

var worldCommand = command{
	name: "world", args: "[FILE]",
	short: "lend a world to your agent, message by message",
	long: `Reads messages as JSON Lines from standard input and writes an answer of one line for each: your program is the agent,
and the problem of an experiment is its world, which is in each run the true model that our agents meet.

  {"hello":{"format":"cpsrl/world","version":1,"preset":"fig1-quick","label":"q-learning"}}
  {"task":{}}
  {"reset":{"run":0}}
  {"step":{"action":[0,1]}}
  {"policy":{"table":[[0,3]]}}
  {"policy":{"played":true}}
  {"reset":{}}

In place of a preset, a hello may have a spec, a link or a model. Each policy is answered by a record of its episode: with the
exact regret of a table, or with what the episode was paid. Files of these stand beside ours in "cpsrl summary -with FILE" and
"cpsrl plot -with FILE", paired run by run. A wrong message has the answer {"error":"one sentence","at":"/a/pointer"} and
changes nothing. The page docs/world.html of the site describes every member and has a client for Python. The messages may
also be those of a FILE.`,
	operands: []string{"FILE"}, optional: true,
	setup: func(*flag.FlagSet) action {
		return func(h *host, args []string) error {
			return h.converse(new(worlds.Session), "messages for a world", args)
		}
	},
}

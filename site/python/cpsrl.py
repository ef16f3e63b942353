"""A client of ``cpsrl agent``: an agent with a causal prior acts in your simulator, and learns from it.

One file, for Python 3.9 or newer, without other packages. It needs the program ``cpsrl`` of the release: as an argument
(``program=``), in the environment variable CPSRL, or on the PATH. The messages are described in docs/agent.html of the
site.

A corridor of five cells. The agent is told that the next cell depends on the cell and the move, and learns how, and what
is paid where:

>>> prior = {"state": [{"name": "cell", "size": 5}], "action": [{"name": "move", "size": 2}],
...          "sparseness": 2, "edges": [["cell", "cell"], ["move", "cell", 0.9]]}
>>> class Corridor:
...     def reset(self, seed=None):
...         self.cell = 0
...         return (0,)
...     def step(self, action):
...         self.cell = min(self.cell + 1, 4) if action[0] == 1 else max(self.cell - 1, 0)
...         return (self.cell,), [1 if self.cell == 4 else 0], False
>>> with Agent(prior=prior, horizon=8, payoffs=[{"given": ["cell'"]}], seed=1) as a:
...     returns = [sum(map(sum, (t.paid for t in a.play(Corridor())))) for _ in range(20)]
...     belief = a.belief()
>>> returns[-5:]
[5, 5, 5, 5, 5]
>>> [edge["from"] for edge in belief["edges"] if edge["p"] > 0.9]
['cell', 'move']
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Callable, Iterable, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, Union

__all__ = [
    "Agent", "AgentError", "Refused", "Transition", "Simulator", "Problem", "Gymnasium", "cliff_walking", "taxi_v3",
    "evaluate", "find_program",
]

Values = Tuple[int, ...]
Json = Mapping[str, Any]

_LONGEST = 64 << 20  # bytes of an answer
_LAST_WORDS = 2000  # characters of standard error that an error quotes


class AgentError(Exception):
    """The program is missing, has ended, does not answer, or answers something else. The session is over."""


class Refused(AgentError):
    """The program has refused a message, in one sentence, and the session goes on as if the message had not been sent."""

    def __init__(self, sentence: str, at: str = "") -> None:
        super().__init__(f"{at}: {sentence}" if at else sentence)
        self.at = at  #: where in the message, as a JSON pointer


class Transition(NamedTuple):
    """One step: the values of the state and action variables, then those of the next state, and what each payoff paid."""

    x: Values
    y: Values
    paid: Sequence[float]
    ended: bool = False


class Simulator(Protocol):
    """What an agent acts in. States and actions are tuples with the value of each variable, counted from 0."""

    def reset(self, seed: Optional[int] = None) -> Sequence[int]:
        """Begins an episode and returns its first state."""

    def step(self, action: Values) -> Tuple[Sequence[int], Sequence[float], bool]:
        """Acts. Returns the next state, what each payoff paid, and whether the episode has ended there."""


def find_program(program: Union[str, "os.PathLike[str]", None] = None) -> str:
    """Returns the path of cpsrl: the argument, that of the environment variable CPSRL, or the one on the PATH."""
    for asked in (program, os.environ.get("CPSRL")):
        if asked:
            found = shutil.which(os.fspath(asked))
            if found is None:
                raise AgentError(f"there is no program {os.fspath(asked)!r}")
            return found
    found = shutil.which("cpsrl")
    if found is None:
        raise AgentError("the program cpsrl is not on the PATH; name it by program= or by the environment variable CPSRL")
    return found


class _Process:
    """The program, with a thread for each pipe: none of them can block the caller for longer than its patience."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise AgentError(f"{command[0]} cannot be started: {error}") from error
        self._answers: "queue.Queue[Optional[bytes]]" = queue.Queue()
        self._messages: "queue.Queue[Optional[bytes]]" = queue.Queue()
        self._words = b""
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._write, self._read, self._listen)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._popen.pid

    def _write(self) -> None:
        pipe = self._popen.stdin
        assert pipe is not None
        try:
            while True:
                message = self._messages.get()
                if message is None:
                    break
                pipe.write(message)
                pipe.flush()
        except OSError:
            pass  # the program has ended, which the reader says
        try:
            pipe.close()
        except OSError:
            pass

    def _read(self) -> None:
        pipe = self._popen.stdout
        assert pipe is not None
        with pipe:
            while True:
                line = pipe.readline(_LONGEST)
                if not line.endswith(b"\n"):
                    break
                self._answers.put(line)
        self._answers.put(None)

    def _listen(self) -> None:
        pipe = self._popen.stderr
        assert pipe is not None
        with pipe:
            while True:
                more = pipe.read1(1 << 16) if hasattr(pipe, "read1") else pipe.read(1)
                if not more:
                    return
                self._words = (self._words + more)[-4 * _LAST_WORDS :]

    def ask(self, message: bytes, patience: Optional[float]) -> bytes:
        self._messages.put(message)
        try:
            answer = self._answers.get(timeout=patience)
        except queue.Empty:
            self.end()
            raise AgentError(f"cpsrl has not answered within {patience:g} s, and was ended{self._said()}") from None
        if answer is None:
            self.end()
            raise AgentError(f"cpsrl has ended ({self._how()}){self._said()}")
        return answer

    def _how(self) -> str:
        code = self._popen.returncode
        return f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"

    def _said(self) -> str:
        """The last words of standard error, for the end of a sentence."""
        self._threads[2].join(timeout=1)
        words = self._words.decode("utf-8", "replace").strip()[-_LAST_WORDS:]
        return f"; its last words: {words}" if words else ""

    def end(self) -> None:
        """Lets the program end by the end of its input or, if it does not within a second, kills it."""
        self._messages.put(None)
        try:
            self._popen.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _constant(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


class Agent:
    """An agent of the program cpsrl, in a process of its own.

    prior     a document cpsrl/prior: a mapping, of which format, version and edges may be absent, or the path of a file
    horizon   the most steps of an episode
    payoffs   the parts of the reward. {"range": [lo, hi]} is a payoff that may depend on all variables; "given": […] names
              those it depends on ("cell'" is the cell of the next state), "scope": "hidden" with a "name" lets the agent
              learn them, and "mean": […] tells what is paid by row
    terminal  the states in which episodes end: [{"given": ["row", "col"], "is": [[3, 11]]}]; without it they are learned
    graph     the true graph as a list of edges, for agents that are told it
    agent     a label, such as "c-psrl", "f-psrl:graph=prior", "psrl" or "greedy:epsilon=0.1"
    seed, run the same seed, run and transitions give the same actions
    timeout   how many seconds an answer may take
    """

    def __init__(
        self, *, prior: Union[Json, str, "os.PathLike[str]"], horizon: int, payoffs: Sequence[Json] = ({"range": [0, 1]},),
        terminal: Optional[Sequence[Json]] = None, graph: Optional[Sequence[Sequence[str]]] = None, agent: str = "c-psrl",
        seed: int = 0, run: int = 0, bound: Optional[str] = None, update: Optional[str] = None,
        program: Union[str, "os.PathLike[str]", None] = None, timeout: Optional[float] = 600,
    ) -> None:
        if not isinstance(prior, Mapping):
            prior = json.loads(Path(prior).read_text(encoding="utf-8"))
        document = {"format": "cpsrl/prior", "version": 3, "edges": [], **prior}
        hello = {
            "format": "cpsrl/agent", "version": 1, "prior": document, "horizon": horizon, "payoffs": list(payoffs),
            "terminal": terminal, "graph": graph, "agent": agent, "seed": seed, "run": run, "bound": bound, "update": update,
        }
        self._start("hello", {name: value for name, value in hello.items() if value is not None}, program, timeout)

    @classmethod
    def load(cls, saved: Json, *, program: Union[str, "os.PathLike[str]", None] = None, timeout: Optional[float] = 600) -> "Agent":
        """Returns an agent that goes on exactly where save() was called."""
        agent = cls.__new__(cls)
        agent._start("load", saved, program, timeout)
        return agent

    def _start(self, name: str, message: Any, program: Any, timeout: Optional[float]) -> None:
        self._timeout, self._over = timeout, False
        self._process = _Process([find_program(program), "agent"])
        try:
            #: what the program said at first: label, name, states, actions, horizon, …
            self.ready: dict = self._ask(name, message, "ready", dict)
            hello = message if name == "hello" else message["hello"]
            sizes = [[variable["size"] for variable in hello["prior"][kind]] for kind in ("state", "action")]
            self._states, self._actions = sizes
            for member in ("states", "actions", "horizon"):
                self._expect(_whole(self.ready.get(member)), "ready", self.ready)
            self._expect(isinstance(self.ready.get("agent"), str) and isinstance(self.ready.get("table"), bool), "ready", self.ready)
        except BaseException:
            self.close()
            raise
        self._table: Optional[List[List[int]]] = None

    def __enter__(self) -> "Agent":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program. Calling it again does nothing."""
        if not self._over:
            self._over = True
            self._process.end()

    @property
    def pid(self) -> int:
        """The number of the program's process."""
        return self._process.pid

    def episode(self) -> Mapping[str, Any]:
        """Begins an episode: samples a model from the belief and plans in it. Returns its number and its graph."""
        self._table = None
        answer = self._ask("episode", {"policy": True} if self.ready["table"] else {}, "episode", dict)
        self._expect(_whole(answer.get("number")), "episode", answer)
        if self.ready["table"]:
            rows = answer.pop("policy", None)
            self._expect(self._is_table(rows), "policy", rows)
            self._table = rows
        return answer

    def _is_table(self, rows: Any) -> bool:
        states, actions = self.ready["states"], self.ready["actions"]
        return isinstance(rows, list) and len(rows) == self.ready["horizon"] and all(
            isinstance(row, list) and len(row) == states and all(_whole(a) and 0 <= a < actions for a in row) for row in rows)

    @property
    def policy(self) -> Optional[List[List[int]]]:
        """The policy of the episode: for each step, the action in each state, both row-major. None if it is too large."""
        return self._table

    def act(self, h: int, state: Sequence[int]) -> Values:
        """Returns the action of the policy at step h = 1, 2, … in a state."""
        if self._table is not None and 1 <= h <= len(self._table) and len(state) == len(self._states):
            index = 0
            for value, size in zip(state, self._states):
                if not (_whole(value) or hasattr(value, "__index__")) or not 0 <= value < size:
                    break
                index = index * size + int(value)
            else:
                rest, action = self._table[h - 1][index], []
                for size in reversed(self._actions):
                    rest, value = divmod(rest, size)
                    action.append(value)
                return tuple(reversed(action))
        answer = self._ask("act", {"h": h, "state": [_int(v) for v in state]}, "action", list)
        fits = len(answer) == len(self._actions) and all(_whole(a) and 0 <= a < n for a, n in zip(answer, self._actions))
        self._expect(fits, "action", answer)
        return tuple(answer)

    def observe(self, transitions: Iterable[Transition]) -> Mapping[str, Any]:
        """Lets the agent learn from transitions, and returns its belief."""
        known = not self.ready.get("learned")
        steps = []
        for x, y, paid, ended in transitions:
            step: dict = {"x": [_int(v) for v in x], "y": [_int(v) for v in y]}
            if not known:
                step["paid"] = [float(r) for r in paid]
            if ended:
                step["ended"] = True
            steps.append(step)
        return self._belief("transitions", steps)

    def belief(self) -> Mapping[str, Any]:
        """Returns the belief: the number of transitions and, if the agent has a graph, the probabilities of edges
        ({"from", "to", "p"}), the entropy in bits, and the edges of the most probable graph."""
        return self._belief("belief", {})

    def _belief(self, name: str, message: Any) -> Mapping[str, Any]:
        answer = self._ask(name, message, "belief", dict)
        edges = answer.setdefault("edges", [])
        fits = _whole(answer.get("transitions")) and isinstance(edges, list) and all(
            isinstance(e, dict) and isinstance(e.get("from"), str) and isinstance(e.get("to"), str)
            and isinstance(e.get("p"), (int, float)) and 0 <= e["p"] <= 1 + 1e-9 for e in edges)
        self._expect(fits and isinstance(answer.get("best", []), list), "belief", answer)
        return answer

    def save(self) -> Mapping[str, Any]:
        """Returns a document from which load() goes on, also on another machine."""
        return self._ask("save", {}, "saved", dict)

    def play(self, simulator: Simulator, seed: Optional[int] = None) -> List[Transition]:
        """Plays an episode and learns from it: until it ends or, at the latest, to the horizon."""
        self.episode()
        state = tuple(_int(v) for v in simulator.reset(seed=seed))
        seen: List[Transition] = []
        for h in range(1, self.ready["horizon"] + 1):
            action = self.act(h, state)
            following, paid, ended = simulator.step(action)
            following = tuple(_int(v) for v in following)
            seen.append(Transition(state + action, following, list(paid), bool(ended)))
            state = following
            if ended:
                break
        self.observe(seen)
        return seen

    def _ask(self, name: str, message: Any, expected: str, kind: type) -> Any:
        if self._over:
            raise AgentError("the agent is closed")
        try:
            line = json.dumps({name: message}, allow_nan=False, default=_plain).encode("utf-8", "surrogatepass") + b"\n"
        except (TypeError, ValueError, RecursionError) as error:
            raise Refused(f"the {name} cannot be written as JSON: {error}") from error
        try:
            data = self._process.ask(line, self._timeout)
        except BaseException:
            self.close()
            raise
        try:
            answer = json.loads(data.decode("utf-8"), parse_constant=_constant)
        except (ValueError, RecursionError):
            answer = None
        self._expect(isinstance(answer, dict) and len(answer) > 0, name, data)
        if isinstance(answer.get("error"), str):
            at = answer.get("at", "")
            raise Refused(answer["error"], at if isinstance(at, str) else "")
        self._expect(list(answer) == [expected] and isinstance(answer[expected], kind), name, data)
        return answer[expected]

    def _expect(self, is_so: bool, name: str, answer: Any) -> None:
        """Ends the session if an answer is none."""
        if not is_so:
            self.close()
            text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else repr(answer)
            raise AgentError(f"cpsrl has answered {name} by something that is no answer: {text.strip()[:200]}")


def _int(value: Any) -> int:
    """Whole numbers of other libraries, such as numpy's, as Python's."""
    return value.__index__() if hasattr(value, "__index__") else value


def _plain(value: Any) -> Any:
    for convert in ("__index__", "__float__"):
        if hasattr(value, convert):
            return getattr(value, convert)()
    raise TypeError(f"{type(value).__name__} is no number")


@dataclass(frozen=True)
class Problem:
    """What an agent is told of an environment of Gymnasium, and how its numbers are written in variables."""

    name: str
    prior: Json
    horizon: int
    payoffs: Sequence[Json]
    #: What each payoff pays, of the state, the action and the reward.
    pays: Callable[[Values, Values, float], Sequence[float]]
    terminal: Optional[Sequence[Json]] = None
    graph: Optional[Sequence[Sequence[str]]] = None

    def agent(self, **more: Any) -> Agent:
        """Returns an agent; the arguments are those of Agent."""
        told = {"prior": self.prior, "horizon": self.horizon, "payoffs": self.payoffs, "terminal": self.terminal, "graph": self.graph}
        return Agent(**{**told, **more})


class Gymnasium:
    """An environment of Gymnasium, whose states are numbers, as a simulator: numbers and variables agree row-major."""

    def __init__(self, env: Any, problem: Problem) -> None:
        self._env, self._problem = env, problem
        self._sizes = [variable["size"] for variable in problem.prior["state"]]
        self._state: Values = ()

    def _values(self, number: Any) -> Values:
        rest, values = _int(number), []
        for size in reversed(self._sizes):
            rest, value = divmod(rest, size)
            values.append(value)
        return tuple(reversed(values))

    def reset(self, seed: Optional[int] = None) -> Values:
        self._state = self._values(self._env.reset(seed=seed)[0])
        return self._state

    def step(self, action: Values) -> Tuple[Values, Sequence[float], bool]:
        before = self._state
        number, reward, terminated, _truncated, _info = self._env.step(action[0])
        self._state = self._values(number)
        return self._state, self._problem.pays(before, action, float(reward)), bool(terminated)


def cliff_walking(horizon: int = 300, **prior: Any) -> Problem:
    """Gymnasium's CliffWalking. A step pays −1 and a fall −99 more; on what a fall depends, the agent learns.

    Gymnasium has no limit of steps. With few steps, an agent that does not know where the cliff is may choose to stand still.
    """
    return Problem(
        name="CliffWalking", horizon=horizon,
        prior={
            "state": [{"name": "row", "size": 4}, {"name": "col", "size": 12}],
            "action": [{"name": "move", "size": 4, "values": ["up", "right", "down", "left"]}],
            "sparseness": 3, "dirichlet": {"mix": [0.01, 0.1, 1]}, "tables": "tied",
            "edges": [["row", "row", 0.95], ["move", "row", 0.95], ["col", "col", 0.95], ["move", "col", 0.95]], **prior,
        },
        payoffs=[{"name": "step", "range": [-1, 0], "given": []}, {"name": "fall", "range": [-99, 0], "scope": "hidden"}],
        pays=lambda state, action, reward: [-1, reward + 1],
        terminal=[{"given": ["row", "col"], "is": [[3, 11]]}],
        graph=[["row", "row"], ["move", "row"], ["row", "col"], ["col", "col"], ["move", "col"], ["row", "fall"], ["col", "fall"], ["move", "fall"]],
    )


def taxi_v3(horizon: int = 20, **prior: Any) -> Problem:
    """Gymnasium's Taxi-v3. A step pays −1, an illegal pick-up or drop-off −9 more, and the delivery 21 more: that
    depends on where the passenger is then, and wants to be. What is illegal, the agent learns.

    The longest way takes 18 steps. Gymnasium's limit is 200, but an agent plans again only in the next episode, and so
    loses a lot of time in long ones.
    """
    stands = ["R", "G", "Y", "B"]
    return Problem(
        name="Taxi-v3", horizon=horizon,
        prior={
            "state": [{"name": "row", "size": 5}, {"name": "col", "size": 5}, {"name": "passenger", "size": 5, "values": [*stands, "in taxi"]},
                      {"name": "destination", "size": 4, "values": stands}],
            "action": [{"name": "move", "size": 6, "values": ["south", "north", "east", "west", "pick up", "drop off"]}],
            "sparseness": 4, "dirichlet": {"mix": [0.01, 0.1, 1]}, "tables": "tied",
            "edges": [["row", "row"], ["move", "row"], ["col", "col"], ["move", "col"], ["row", "col"], ["passenger", "passenger"], ["move", "passenger"],
                      ["row", "passenger"], ["col", "passenger"], ["destination", "destination"]], **prior,
        },
        payoffs=[
            {"name": "step", "range": [-1, 0], "given": []},
            {"name": "illegal", "range": [-9, 0], "scope": "hidden", "edges": [["move", "illegal"]]},
            {"name": "delivery", "range": [0, 21], "given": ["destination", "passenger'"]},
        ],
        pays=lambda state, action, reward: [-1, -9 if reward == -10 else 0, 21 if reward == 20 else 0],
        terminal=[{"given": ["passenger", "destination"], "is": [[k, k] for k in range(4)]}],
        graph=[["row", "row"], ["move", "row"], ["row", "col"], ["col", "col"], ["move", "col"], ["row", "passenger"], ["col", "passenger"],
               ["passenger", "passenger"], ["move", "passenger"], ["destination", "destination"],
               ["row", "illegal"], ["col", "illegal"], ["passenger", "illegal"], ["move", "illegal"]],
    )


def evaluate(
    agent: Callable[[int], Agent], simulator: Simulator, *, episodes: int, runs: int = 1, seed: int = 0,
    label: Optional[str] = None, out: Union[str, "os.PathLike[str]", IO[str], None] = None,
) -> List[dict]:
    """Plays a number of episodes in each run, with the agent that agent(run) returns, and closes it.

    Returns the records {"label", "run", "episode", "return"}, with runs from 0 and episodes from 1, and writes them to a
    file as JSON Lines, which the tools of cpsrl read. The label is by default the agent's. The first episode of a run
    resets the simulator with seed + run.
    """
    records: List[dict] = []
    file = open(out, "w", encoding="utf-8", newline="\n") if isinstance(out, (str, os.PathLike)) else out
    try:
        for run in range(runs):
            with agent(run) as one:
                for episode in range(1, episodes + 1):
                    steps = one.play(simulator, seed=seed + run if episode == 1 else None)
                    record = {
                        "label": label if label is not None else one.ready["agent"], "run": run, "episode": episode,
                        "return": float(sum(float(r) for step in steps for r in step.paid)),
                    }
                    records.append(record)
                    if file is not None:
                        file.write(json.dumps(record, ensure_ascii=False) + "\n")
                        file.flush()
    finally:
        if file is not None and file is not out:
            file.close()
    return records


if __name__ == "__main__":
    import doctest

    sys.exit(doctest.testmod().failed > 0)

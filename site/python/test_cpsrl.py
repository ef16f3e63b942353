"""Tests of cpsrl.py. CPSRL names the program: CPSRL=./cpsrl python3 site/python/test_cpsrl.py."""

from __future__ import annotations

import contextlib
import csv
import doctest
import hashlib
import io
import json
import os
import random
import re
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator, List, Tuple
from unittest import mock

import cpsrl
import standin

try:
    import gymnasium
    OF = f"gymnasium {gymnasium.__version__}"
except ImportError:
    gymnasium = None
    OF = "the stand-in for gymnasium"
    sys.modules["gymnasium"] = standin  # type: ignore[assignment]

PROGRAM = cpsrl.find_program()
DOCS = Path(__file__).parents[1] / "docs"
STUDY = Path(__file__).parents[2] / "studies" / "agent.csv"
PRIOR = {
    "state": [{"name": "row", "size": 3}, {"name": "col", "size": 3}], "action": [{"name": "move", "size": 4}],
    "sparseness": 2, "edges": [["row", "row"], ["move", "col", 0.9]],
}
MUTATIONS = 10_000


def small(**more: Any) -> cpsrl.Agent:
    return cpsrl.Agent(**{"prior": PRIOR, "horizon": 8, "payoffs": [{"range": [-1, 1], "given": ["row'", "col'"]}], "seed": 3, **more})


class Grid:
    """A grid with a goal in the corner."""

    def reset(self, seed: Any = None) -> Tuple[int, int]:
        self.at = (0, 0)
        return self.at

    def step(self, action: cpsrl.Values) -> Tuple[Tuple[int, int], List[float], bool]:
        row, col = self.at
        row = min(max(row + (1, -1, 0, 0)[action[0]], 0), 2)
        col = min(max(col + (0, 0, 1, -1)[action[0]], 0), 2)
        self.at = row, col
        return self.at, [1 if self.at == (2, 2) else -0.25], self.at == (2, 2)


def fake(folder: str, script: str) -> str:
    """A program of a few lines of shell in place of cpsrl."""
    path = os.path.join(folder, f"fake-{len(os.listdir(folder))}")
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + script + "\n")
    os.chmod(path, stat.S_IRWXU)
    return path


def mutated(rng: random.Random, line: bytes, others: List[bytes]) -> bytes:
    """A line with a few changes, as one line that is not blank."""
    data = bytearray(line.strip())
    for _ in range(rng.randrange(1, 4)):
        at, kind = rng.randrange(len(data) + 1), rng.randrange(8)
        if kind == 0:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            data[at:at] = rng.choice([b"-", b"0", b"9", b"1e9", b"null", b"[", b"]", b"{", b"}", b'"', b",", b":", b"true", b"\xff", b"\\u0000"])
        elif kind == 2:
            del data[at:at + rng.randrange(1, 9)]
        elif kind == 3:
            data = data[:at]
        elif kind == 4:
            other = rng.choice(others).strip()
            data[at:] = other[rng.randrange(len(other)):]
        elif kind == 5:
            piece = data[at:at + rng.randrange(1, 20)]
            data[at:at] = piece
        elif kind == 6:  # another value where one stands
            start = data.find(b":", at)
            if start >= 0:
                end = min([k for k in (data.find(b",", start), data.find(b"}", start)) if k >= 0], default=len(data))
                data[start + 1:end] = rng.choice([b"null", b"-1", b"1.5", b"[]", b"{}", b'""', b"1e400", b"[[[[]]]]", b"NaN", b"9007199254740993", b"false"])
        else:
            data = bytearray(rng.choice(others).strip())
    line = bytes(data).replace(b"\n", b" ").replace(b"\r", b" ")
    return (line if any(33 <= b < 127 for b in line) else b"x") + b"\n"


class Documentation(unittest.TestCase):
    def test_docstring(self) -> None:
        found = doctest.testmod(cpsrl)
        self.assertGreater(found.attempted, 3)
        self.assertEqual(found.failed, 0)

    def test_pages(self) -> None:
        """The Python of the documents runs as it stands, with fewer runs."""
        whole = cpsrl.evaluate

        def short(agent: Any, simulator: Any, *, episodes: int, runs: int = 1, **more: Any) -> Any:
            return whole(agent, simulator, episodes=min(episodes, 3), runs=min(runs, 2), **more)

        here, count = os.getcwd(), 0
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(cpsrl, "evaluate", short), mock.patch.dict(os.environ, {"CPSRL": os.path.abspath(PROGRAM)}):
            os.chdir(folder)
            try:
                for page in ("agent", "world", "formats", "guide", "python"):
                    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
                    for code in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
                        with self.subTest(page=page), contextlib.redirect_stdout(io.StringIO()):
                            exec(compile(code.replace('"fig2c"', '"fig2c-quick"'), f"{page}.md", "exec"), {})
                        count += 1
                self.assertGreater(len(Path("records.jsonl").read_text().splitlines()), 3)
                self.assertAlmostEqual(planned(Path("taxi.json")), 7.93, delta=1e-9)
                self.assertEqual(len({json.dumps([r["run"], r["episode"]]) for r in map(json.loads, Path("q.jsonl").read_text(encoding="utf-8").splitlines()) if r["regret"] >= -1e-9}), 400)
            finally:
                os.chdir(here)
        self.assertGreater(count, 1)


class Worlds(unittest.TestCase):
    def test_own(self) -> None:
        """One of our agents that is led from outside has the records of cpsrl run, to the bit."""
        ours = [json.loads(line) for line in subprocess.run([PROGRAM, "run", "-preset", "fig1-quick", "-agents", "c-psrl", "-episodes", "5", "-runs", "2"], capture_output=True, check=True).stdout.splitlines()]
        with cpsrl.World(spec=ours[0]["spec"], label="c-psrl") as world:
            for run in range(world.ready["runs"]):
                state = world.reset(run)
                with cpsrl.Agent(task={**world.task(), "agent": "c-psrl"}) as agent:
                    for episode in range(1, 6):
                        if episode > 1:
                            state = world.reset()
                        rules = agent.episode()["rules"]
                        seen: List[cpsrl.Transition] = []
                        while not world.over:
                            action = agent.act(len(seen) + 1, state)
                            step = world.step(action)
                            seen.append(cpsrl.Transition(state + action, step.state, step.paid or [], step.ended))
                            state = step.state
                        assert agent.policy is not None
                        record = world.score(agent.policy[-rules:])["record"]
                        want = next(r for r in ours[1:] if r["run"] == run and r["episode"] == episode)
                        self.assertEqual((record["regret"], record["label"]), (want["regret"], "c-psrl"))
                        agent.observe(seen)

    def test_refused(self) -> None:
        with cpsrl.World(preset="fig1-quick", label="mine") as world:
            with self.assertRaisesRegex(cpsrl.Refused, "a reset begins one") as caught:
                world.step([0])
            self.assertEqual(caught.exception.at, "/step")
            self.assertEqual(len(world.reset()), len(world.ready["state"]))
            self.assertFalse(world.over)
            scores = []
            while not world.over:
                world.step([0] * len(world.ready["action"]))
            scores.append(world.score())
            self.assertEqual(scores[0]["record"]["return"], scores[0]["return"])
        with self.assertRaisesRegex(cpsrl.AgentError, "the world is closed"):
            world.reset()
        with cpsrl.World(preset="fig1-quick", label="mine") as world:
            world.reset()
            with self.assertRaisesRegex(cpsrl.Refused, "is not over; \"leave\" leaves it"):
                world.reset()
            world.reset(leave=True)
            self.assertEqual(world.number, 2)
        with cpsrl.World(preset="sysadmin-20", label="mine") as world:  # where no list holds the states
            for reference in (False, True):
                world.reset()
                while not world.over:
                    world.step([0])
                self.assertEqual("reference" in world.score(reference=reference), reference)
        for wrong in ({}, {"preset": "none"}, {"preset": "fig1-quick", "link": "#v=1"}):
            with self.assertRaises(cpsrl.Refused):
                cpsrl.World(label="mine", **wrong)


    def test_make(self) -> None:
        """A world as an environment of Gymnasium keeps its rules, by Gymnasium's checker where it is there. Oracle: the world."""
        env = cpsrl.make("sepsis", label="mine")
        try:
            if gymnasium is not None:
                from gymnasium.utils.env_checker import check_env

                check_env(env, skip_render_check=True)
            self.assertEqual([len(env.observation_space.nvec), len(env.action_space.nvec)], [len(env.world.ready[kind]) for kind in ("state", "action")])
            ends = set()
            state, info = env.reset(seed=1)
            self.assertEqual(info, {"run": 1, "episode": 1})
            with cpsrl.World(preset="sepsis", label="mine") as world:
                self.assertEqual(tuple(int(value) for value in state), world.reset(1))
                for _ in range(12):
                    while not world.over:
                        want = world.step([1, 0, 1])
                        state, reward, terminated, truncated, info = env.step([standin.Whole(1), 0, 1])
                        self.assertTrue(env.observation_space.contains(state))
                        self.assertEqual((tuple(int(value) for value in state), reward, terminated, terminated or truncated), (want.state, want.reward, want.ended, want.over))
                    ends.add((terminated, truncated))
                    world.score()
                    self.assertEqual(tuple(int(value) for value in env.reset()[0]), world.reset())
            self.assertTrue(ends <= {(True, False), (False, True)} and (True, False) in ends, ends)
            env.step([0, 0, 0])
            env.reset()  # an episode is left
            self.assertEqual(env.reset(seed=0)[1], {"run": 0, "episode": 1})
            for _ in range(env.world.ready["episodes"]):
                _, info = env.reset()
            self.assertEqual(info, {"run": 1, "episode": 1})
        finally:
            env.close()


def planned(path: Path) -> float:
    """The value of the best policy in a model, by the command."""
    return json.loads(subprocess.run([PROGRAM, "plan", "-model", path], capture_output=True, check=True).stdout)["value"]


def induced(env: Any, horizon: int, initial: Any = None) -> float:
    """The same, by backward induction over the table P."""
    values = {s: 0.0 for s in env.P}
    for _ in range(horizon):
        values = {s: max(sum(p * (float(r) + (0 if end else values[int(y.__index__())])) for p, y, r, end in row) for row in by.values()) for s, by in env.P.items()}
    return sum(float(p) * values[s] for s, p in enumerate(env.initial_state_distrib if initial is None else initial))


class Experiments(unittest.TestCase):
    """run and sweep. Oracle: the command."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def command(self, *command: str) -> str:
        return subprocess.run([PROGRAM, *command], cwd=self.folder, capture_output=True, check=True, text=True, encoding="utf-8").stdout

    def test_run(self) -> None:
        shares: List[Tuple[int, int]] = []
        runs = cpsrl.run("fig1-quick", agents=["psrl", "c-psrl:eta=1"], episodes=20, runs=3, workers=2, progress=lambda *share: shares.append(share))
        path = runs.files[0]
        want = self.command("run", "-preset", "fig1-quick", "-agents", "psrl,c-psrl:eta=1", "-episodes", "20", "-runs", "3")
        self.assertEqual(path.read_text(encoding="utf-8"), want)
        self.assertEqual(shares[-1], (120, 120))
        self.assertRegex(runs.fingerprint, "^[0-9a-f]{64}$")
        self.assertIn(f"receipt=2-{runs.fingerprint}", runs.link)
        table = self.command("summary", str(path)).splitlines()
        rows = runs.summary(frame=False)
        self.assertEqual(len(rows), sum(not line.startswith("#") for line in table) - 1)
        self.assertEqual(",".join(str(cell) for cell in rows[-1].values()), table[-1])
        final = runs.summary(band="final", of="return", frame=False)
        self.assertEqual([row["agent"] for row in final], ["psrl", "c-psrl:eta=1"])
        self.assertEqual(len(runs.records(frame=False)), 120)
        svg = self.command("plot", str(path), "-of", "return", "-o", "-")
        self.assertEqual(runs.svg(of="return"), svg)
        shown = runs._repr_mimebundle_()
        self.assertEqual(sorted(shown), ["image/svg+xml", "text/html", "text/plain"])
        self.assertIn(runs.link.replace("&", "&amp;"), shown["text/html"])
        self.assertIn("Cumulative regret after 20 episodes, mean", repr(runs))
        with mock.patch.object(cpsrl.Records, "page", "https://example.org/"):
            self.assertIn('<a href="https://example.org/#v=1&amp;', runs._repr_mimebundle_()["text/html"])
        del runs
        self.assertFalse(path.exists(), "what nobody has is removed")

    def test_out(self) -> None:
        """A file is kept, goes on, and joins others."""
        out = Path(self.folder, "a [1].jsonl")
        cpsrl.run("fig1-quick", runs=2, episodes=10, out=out)
        cpsrl.run("fig1-quick", runs=4, episodes=10, out=out, resume=True)
        self.assertEqual(out.read_text(), self.command("run", "-preset", "fig1-quick", "-runs", "4", "-episodes", "10"))
        more = cpsrl.run("fig1-quick", runs=2, first=4, episodes=10)
        both = cpsrl.Records(out, *more.files)
        self.assertEqual({row["n"] for row in both.summary(frame=False)}, {6})

    def test_documents(self) -> None:
        spec = json.loads(self.command("run", "-preset", "fig1-quick", "-episodes", "2", "-runs", "1").splitlines()[0])["spec"]
        one = cpsrl.run(spec=spec)
        self.assertEqual(one.fingerprint, cpsrl.run("fig1-quick", episodes=2, runs=1).fingerprint)
        self.assertEqual(cpsrl.run(link=one.link).fingerprint, one.fingerprint)
        model = json.loads(self.command("model", "-domain", "river-swim"))
        self.assertEqual(len(cpsrl.run(model=model, episodes=3, runs=1, agents="c-psrl").records(frame=False)), 3)

    def test_sweep(self) -> None:
        out = Path(self.folder, "sweep")
        shares: List[Tuple[int, int]] = []
        swept = cpsrl.sweep("fig1-quick", vary={"z": [3, 4], "false": [0, 1]}, runs=2, episodes=5, out=out, progress=lambda *share: shares.append(share))
        self.assertEqual(shares[-1], (4, 4))
        rows = swept.summary(frame=False)
        self.assertEqual(len(rows), 12)
        self.assertEqual(sorted({row["sparseness"] for row in rows}), [3, 4])
        self.assertTrue(swept.svg(x="z").startswith("<"))
        self.assertEqual(cpsrl.sweep("fig1-quick", vary=["z=3,4", "false=0,1"], runs=2, episodes=5).summary(frame=False), rows)
        self.assertEqual(cpsrl.Sweep(out).summary(frame=False), rows)

    def test_frame(self) -> None:
        """pandas is used if it is there. A stand-in notes what it is given."""
        runs = cpsrl.run("fig1-quick", runs=1, episodes=2)
        made = mock.Mock(DataFrame=lambda rows: mock.Mock(rows=rows, attrs={}))
        with mock.patch.dict(sys.modules, {"pandas": made}):
            framed = runs.summary()
            self.assertEqual(framed.rows, runs.summary(frame=False))
            self.assertTrue(any(note.startswith("fingerprint ") for note in framed.attrs["notes"]))
        with mock.patch.dict(sys.modules, {"pandas": None}):  # as if it were absent
            self.assertEqual(runs.summary(), framed.rows)
            with self.assertRaises(ImportError):
                runs.summary(frame=True)

    def test_refused(self) -> None:
        for wrong, says in (({"preset": "nope"}, "preset nope"), ({"preset": "fig1-quick", "runs": 0}, "runs"), ({}, "expected"), ({"spec": {"format": "x"}}, "format")):
            with self.assertRaises(cpsrl.Refused) as caught:
                cpsrl.run(**wrong)  # type: ignore[arg-type]
            self.assertIn(says, str(caught.exception))
        with self.assertRaises(cpsrl.Refused):
            cpsrl.sweep("fig1-quick", vary={"nope": [1]})
        with self.assertRaises(cpsrl.Refused):
            cpsrl.Records(Path(self.folder, "none.jsonl")).summary()

    def test_killed(self) -> None:
        """A program that was killed has refused nothing."""
        with self.assertRaisesRegex(cpsrl.AgentError, "by signal 9.*; its last words: so far") as caught:
            cpsrl._run([sys.executable, "-c", "import os, sys; sys.stderr.write('so far'); sys.stderr.flush(); os.kill(os.getpid(), 9)"])
        self.assertNotIsInstance(caught.exception, cpsrl.Refused)

    def test_impatient(self) -> None:
        """A second Ctrl-C, while the program may still finish its file, kills it."""
        program = mock.Mock(wait=mock.Mock(side_effect=[KeyboardInterrupt, None]), poll=lambda: None)
        with self.assertRaises(KeyboardInterrupt):
            cpsrl._interrupt(program)
        program.kill.assert_called_once_with()

    def test_flags(self) -> None:
        self.assertEqual(cpsrl._flags({"true_tables": "tied", "from_": 3, "resume": True, "long": False, "z": None, "agents": ["psrl", "greedy"]}), ["-true-tables=tied", "-from=3", "-resume=true", "-long=false", "-agents=psrl,greedy"])

    def test_read(self) -> None:
        """Only the lines before a table are notes: a label may begin with #."""
        notes, rows = cpsrl._read('# a\n#b\nagent,mean\n#mine,1\n"a\n# b",2\n')
        self.assertEqual((notes, rows), (["a", "b"], [{"agent": "#mine", "mean": 1}, {"agent": "a\n# b", "mean": 2}]))

    def test_interrupted(self) -> None:
        """Ctrl-C, as a notebook sends it, to this process alone: the program ends, and a file has the whole records so far."""
        out = Path(self.folder, "long.jsonl")
        code = f"import cpsrl\ndef tell(done, total):\n    if done >= 2000: raise KeyboardInterrupt\ncpsrl.run('fig1', episodes=1000, runs=10000, progress=tell, out={str(out)!r})"
        plain = {**os.environ, "CPSRL": os.path.abspath(PROGRAM), "PYTHONPATH": str(Path(cpsrl.__file__).parent), "PYTHONDONTWRITEBYTECODE": "1"}
        said = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True)
        self.assertIn("KeyboardInterrupt", said.stderr)
        self.assertGreaterEqual(len(out.read_bytes().splitlines()), 2000)
        left = [file for file in Path("/proc").glob("[0-9]*/cmdline") if str(out).encode() in _bytes(file)]
        self.assertEqual(left, [], "nothing runs on")

    def test_notebook(self) -> None:
        """A notebook shows how much is done. IPython is a stand-in."""
        shown: List[str] = []
        display = mock.Mock(HTML=lambda text: text, display=lambda text, display_id: mock.Mock(update=shown.append))
        of = mock.Mock(get_ipython=lambda: mock.Mock(spec_set=["kernel"]), display=display)
        with mock.patch.dict(sys.modules, {"IPython": of, "IPython.display": display}):
            cpsrl.run("fig1-quick", runs=2, episodes=5)
        self.assertEqual(shown[-1], '<progress max="30" value="30"></progress> 30 of 30 records')

    def test_widget(self) -> None:
        """The traits and the module, by a stand-in for anywidget; the module itself is tested in browsers (package.test.mjs)."""
        sent: List[str] = []

        class Trait:
            def __init__(self, value: Any = "nothing", allow_none: bool = False) -> None:
                self.value, self.synced = value, False
                assert value is not None or allow_none

            def tag(self, sync: bool) -> "Trait":
                self.synced = sync
                return self

        class AnyWidget:
            def send(self, message: str) -> None:
                sent.append(message)

        made = {"anywidget": mock.Mock(AnyWidget=AnyWidget), "traitlets": mock.Mock(Unicode=Trait, Dict=Trait)}
        with mock.patch.dict(sys.modules, made):
            shown = cpsrl.widget("fig1-quick", parts=["prior", "experiment"], module="https://example.org/widget.js")
        traits = {name: trait.value for name, trait in vars(type(shown)).items() if isinstance(trait, Trait) and trait.synced}
        self.assertEqual(traits, {"preset": "fig1-quick", "link": "", "parts": "prior,experiment", "conclusion": "", "fingerprint": "", "refused": "", "summary": "nothing", "belief": None})
        self.assertEqual(type(shown)._esm, 'export { default } from "https://example.org/widget.js";')
        shown.run()
        self.assertEqual(sent, ["run"])


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # a process that has ended
        return b""


class Table:
    """An environment that is a table."""

    def __init__(self, P: dict, initial: List[float]) -> None:
        self.unwrapped, self.P, self.initial_state_distrib = self, P, initial


class Models(unittest.TestCase):
    """gymnasium_model. Oracles: backward induction over the table, and published values."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "model.json"

    def test_environments(self) -> None:
        moves = ["left", "down", "right", "up"]
        for name, state, actions, horizon, value, parents in (
            ("Taxi-v4", [("row", 5), ("col", 5), ("passenger", 5), ("destination", ["R", "G", "Y", "B"])], ["south", "north", "east", "west", "pick up", "drop off"], None, 7.93, {"row": 2, "col": 3, "passenger": 4, "destination": 1}),
            ("FrozenLake-v1", [("cell", 16)], moves, None, 0.7441902878292697, {"cell": 2}),
            ("FrozenLake8x8-v1", [("cell", 64)], moves, None, 0.9132201502016295, {"cell": 2}),
            ("CliffWalking-v1", [("row", 4), ("col", 12)], ["up", "right", "down", "left"], 100, -13, {"row": 2, "col": 3}),
            ("CliffWalkingSlippery-v1", [("cell", 48)], ["up", "right", "down", "left"], 100, None, {"cell": 2}),
        ):
            if gymnasium is not None and name not in gymnasium.registry:
                continue
            env = sys.modules["gymnasium"].make(name)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                model = cpsrl.gymnasium_model(env, state, actions, horizon=horizon, out=self.path, name=name)
            steps = model["horizon"]
            self.assertAlmostEqual(planned(self.path), induced(env.unwrapped, steps), delta=1e-9, msg=name)
            if value is not None:
                self.assertAlmostEqual(planned(self.path), value, delta=1e-9, msg=name)
            self.assertEqual({law["of"]: len(law["given"]) for law in model["transition"]}, parents, name)
            uneven = [str(w.message) for w in said if "pays its mean" in str(w.message)]
            self.assertEqual(len(uneven), int("Slippery" in name), name)
            if "Slippery" in name:
                self.assertIn("differs on the way to the same state", uneven[0])
                self.assertEqual(model["reward"][0]["given"], ["cell", "action"])

    def test_random(self) -> None:
        """Tables of factored models give their values, and no more parents."""
        rng = random.Random(5)
        arrived = ended = uneven = 0
        for round in range(60):
            sizes = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
            actions = rng.randint(1, 3)
            points: List[Tuple[int, ...]] = [()]
            for size in sizes:
                points = [p + (v,) for p in points for v in range(size)]
            parents = [[k for k in range(len(sizes) + 1) if rng.random() < 0.5] for _ in sizes]
            laws: List[dict] = [{} for _ in sizes]

            def law(j: int, x: Tuple[int, ...]) -> List[float]:
                key = tuple(x[k] for k in parents[j])
                if key not in laws[j]:
                    p = [rng.choice([0, 1, 2, 3]) for _ in range(sizes[j])]
                    laws[j][key] = [v / sum(p) for v in p] if sum(p) else [1.0] + [0.0] * (sizes[j] - 1)
                return laws[j][key]

            terminal = {s for s in range(len(points)) if points[s][0] == sizes[0] - 1} if rng.random() < 0.5 and sizes[0] > 1 else set()
            kind = rng.randrange(3)
            pay: dict = {}
            P: dict = {}
            for s, point in enumerate(points):
                P[s] = {}
                for a in range(actions):
                    row = []
                    for y, following in enumerate(points):
                        p = 1.0
                        for j, v in enumerate(following):
                            p *= law(j, point + (a,))[v]
                        if s in terminal:
                            p = float(y == s)
                        parts = [(p / 2, 0), (p / 2, 1)] if kind == 2 else [(p, 0)]
                        for q, part in parts:
                            r = pay.setdefault((point[-1], a, following[0] if kind else 0, part), rng.randint(-3, 3))
                            row.append((q, standin.Whole(y), standin.Real(r), standin.Truth(y in terminal)))
                    P[s][a] = row
            starts = [s for s in range(len(points)) if s not in terminal]
            env = Table(P, [(s in starts) / len(starts) for s in range(len(points))])
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                model = cpsrl.gymnasium_model(env, [(f"x{j}", size) for j, size in enumerate(sizes)], [f"a{k}" for k in range(actions)], horizon=4, out=self.path)
            # Behind the end nothing is paid, which the oracle knows by the flag.
            for s in terminal:
                P[s] = {a: [(1.0, standin.Whole(s), 0.0, True)] for a in range(actions)}
            self.assertAlmostEqual(planned(self.path), induced(env, 4), delta=1e-9, msg=str(round))
            names = [f"x{j}" for j in range(len(sizes))] + ["action"]
            for j, of in enumerate(model["transition"]):
                self.assertLessEqual(set(of["given"]), {names[k] for k in parents[j]}, round)
            arrived += any("'" in v for r in model["reward"] for v in r["given"])
            ended += "terminal" in model
            uneven += len(said)
        self.assertGreater(min(arrived, ended, uneven), 5)

    def test_rounded(self) -> None:
        """Rows are scaled to sum to 1."""
        third = {0: {0: [(0.333333, y, 0, False) for y in range(3)]}, 1: {0: [(0.3333333, y, 0, False) for y in range(3)]}, 2: {0: [(1, 2, 0, False)]}}
        model = cpsrl.gymnasium_model(Table(third, [1, 0, 0]), [("x", 3)], ["a"], horizon=1)
        for row in model["transition"][0]["p"]:
            self.assertAlmostEqual(sum(row), 1, delta=1e-15)

    def test_refused(self) -> None:
        lake = standin.make("FrozenLake-v1")
        moves = ["left", "down", "right", "up"]
        for says, env, state, actions, more in (
            ("not independent of each other", lake, [("row", 4), ("col", 4)], moves, {}),
            ("15 states by their variables", lake, [("cell", 15)], moves, {}),
            ("3 names for the 4 actions", lake, [("cell", 16)], moves[:3], {}),
            ("no limit of steps", standin.make("CliffWalking-v1"), [("row", 4), ("col", 12)], moves, {}),
            ("sum to 0.5", Table({0: {0: [(0.5, 0, 0, False)]}}, [1]), [("x", 1)], ["a"], {"horizon": 1}),
            ("terminal after the state 1", Table({0: {0: [(1, 0, 0, False)]}, 1: {0: [(1, 0, 0, True)]}}, [0.5, 0.5]), [("x", 2)], ["a"], {"horizon": 1}),
            ("is terminal and not", Table({0: {0: [(0.5, 0, 0, False), (0.5, 0, 0, True)]}}, [1]), [("x", 1)], ["a"], {"horizon": 1}),
        ):
            with self.assertRaisesRegex(ValueError, says):
                cpsrl.gymnasium_model(env, state, actions, **more)  # type: ignore[arg-type]


class Spaces(unittest.TestCase):
    """Environments as others write them. Oracle: the same grid as a simulator of tuples."""

    class Other:
        """The grid, whose observations and actions have another form. It is truncated after some steps, and goes on by itself."""

        def __init__(self, form: Callable[[Tuple[int, int]], Any], limit: int = 1 << 30, space: Any = None, acts: Any = None, act: Callable[[Any], int] = lambda a: a) -> None:
            self.grid, self.form, self.limit, self.act = Grid(), form, limit, act
            self.observation_space, self.action_space = space, acts

        def reset(self, *, seed: Any = None) -> Tuple[Any, dict]:
            self.steps = 0
            return self.form(self.grid.reset()), {}

        def step(self, action: Any) -> Tuple[Any, ...]:
            self.steps += 1
            assert self.steps <= self.limit, "the episode has been truncated"
            at, (reward,), ended = self.grid.step((self.act(action),))
            return self.form(at), standin.Real(reward), standin.Truth(ended), standin.Truth(self.steps == self.limit), {}

    problem = cpsrl.Problem("grid", PRIOR, 8, [{"range": [-1, 1], "given": ["row'", "col'"]}], lambda state, action, reward: [reward])

    def test_observations(self) -> None:
        whole, discrete = standin.Whole, standin.Discrete

        class Space:
            def __init__(self, **parts: Any) -> None:
                self.__dict__.update(parts)

        with small() as one:
            want = [one.play(Grid()) for _ in range(20)]
        for name, env in {
            "number": self.Other(lambda at: whole(3 * at[0] + at[1])),
            "number from 5": self.Other(lambda at: 5 + 3 * at[0] + at[1], space=discrete(9, 5)),
            "list": self.Other(list),
            "tuple": self.Other(lambda at: tuple(map(whole, at))),
            "nested": self.Other(lambda at: ((at[0],), [standin.Truth(True) if at[1] == 1 else at[1]])),
            "dict": self.Other(lambda at: {"col": at[1], "row": at[0]}),
            "dict from 1": self.Other(lambda at: {"col": at[1] + 1, "row": at[0]}, space=Space(spaces={"col": discrete(3, 1), "row": discrete(3)})),
            "dict of others": self.Other(lambda at: {"a": at[0], "b": [at[1]]}),
            "list from 1": self.Other(lambda at: [at[0] + 1, at[1]], space=Space(nvec=[3, 3], start=[1, 0])),
            "actions in a list": self.Other(list, acts=Space(nvec=[4]), act=lambda a: a[0]),
            "actions in a dict": self.Other(list, acts=Space(spaces={"move": discrete(4, 2)}), act=lambda a: a["move"] - 2),
            "actions in a tuple": self.Other(list, acts=Space(spaces=(discrete(4),)), act=lambda a: a[0]),
            "actions in a list in a tuple": self.Other(list, acts=Space(spaces=(Space(nvec=[4], shape=(1,)),)), act=lambda a: a[0][0]),
            "floats": self.Other(lambda at: [float(at[0]), standin.Real(at[1])]),
        }.items():
            with self.subTest(name), small() as other:
                simulator = cpsrl.Gymnasium(env, self.problem)
                self.assertEqual([other.play(simulator) for _ in range(20)], want)
        for says, form in (
            ("has 3 numbers for 2", lambda at: [*at, 0]), ("is the number of no state", lambda at: 9), ("holds 0.5, which is no whole number", lambda at: [0.5, 0]),
            ("holds nan, which is no", lambda at: [0, float("nan")]), ("holds '00', which is no", lambda at: "00"),
        ):
            with self.assertRaisesRegex(ValueError, says):
                cpsrl.Gymnasium(self.Other(form), self.problem).reset()

    def test_several_actions(self) -> None:
        """One number of an action is the row-major number of the values of several variables, as it is of a state."""

        class Acts:
            n, shape = 6, ()

        prior = {"state": [{"name": "x", "size": 2}], "action": [{"name": "u", "size": 2}, {"name": "v", "size": 3}]}
        env = self.Other(lambda at: 0, acts=Acts())
        simulator = cpsrl.Gymnasium(env, cpsrl.Problem("acts", prior, 1, [{}], lambda state, action, reward: [reward]))
        self.assertEqual([simulator._action((u, v)) for u in range(2) for v in range(3)], list(range(6)))
        env.action_space = mock.Mock(spaces={name: standin.Discrete(2) for name in "uvw"}, spec_set=["spaces"])
        with self.assertRaisesRegex(ValueError, "more numbers than the 2 action variables"):
            simulator._action((0, 0))

    def test_from_gymnasium(self) -> None:
        """The variables of a space, by name, size and labels; and an agent that learns there."""

        def tell(space: Any, acts: Any, **more: Any) -> Any:
            env = Space(observation_space=space, action_space=acts, spec=Space(id="Grid-v0", max_episode_steps=8))
            prior = cpsrl.from_gymnasium(env, reward=(-1, 1), **more).prior
            return [[(v["name"], v["size"], *v.get("values", ())) for v in prior[kind]] for kind in ("state", "action")]

        class Space:
            def __init__(self, **parts: Any) -> None:
                self.__dict__.update(parts)

        nine, four = standin.Discrete(9), standin.Discrete(4)
        self.assertEqual(tell(nine, four), [[("state", 9)], [("action", 4)]])
        self.assertEqual(tell(nine, four, names=[("row", 3), ("col", "abc")], actions=["move"]), [[("row", 3), ("col", 3, "a", "b", "c")], [("move", 4)]])
        grid = Space(nvec=[3, 3])
        self.assertEqual(tell(grid, four), [[("state 1", 3), ("state 2", 3)], [("action", 4)]])
        self.assertEqual(tell(grid, Space(n=2, shape=(2,)), names=["row", "col"]), [[("row", 3), ("col", 3)], [("action 1", 2), ("action 2", 2)]])
        both = Space(spaces={"at": grid, "who": standin.Discrete(2, 1)})
        self.assertEqual(tell(both, Space(spaces=(four, nine)))[0], [("at 1", 3), ("at 2", 3), ("who", 2)])
        for wrong, says in (
            ((Space(shape=(2,)), four, {}), "no whole number of values"),
            ((nine, four, {"names": ["row", "col"]}), "one number with 9 values"),
            ((nine, four, {"names": [("row", 3), ("col", 4)]}), "must multiply to that"),
            ((grid, four, {"names": ["row"]}), "2 state variables, and 1 have a name"),
            ((grid, four, {"names": [("row", 3), ("col", 4)]}), "col of the space .* has 3 values, not 4"),
        ):
            with self.assertRaisesRegex(ValueError, says):
                tell(*wrong[:2], **wrong[2])
        env = self.Other(lambda at: at, space=grid, acts=four)
        with self.assertRaisesRegex(ValueError, "no limit of steps"):
            cpsrl.from_gymnasium(env, reward=(-1, 1))
        problem = cpsrl.from_gymnasium(env, reward=(-1, 1), names=["row", "col"], actions=["move"], edges=PRIOR["edges"], horizon=8, sparseness=3)  # a payoff for the next cell depends on three variables
        simulator = cpsrl.Gymnasium(env, problem)
        with problem.agent(seed=3) as a:
            returns = [sum(step.paid[0] for step in a.play(simulator)) for _ in range(100)]
        with small() as a:
            best = max(sum(step.paid[0] for step in a.play(Grid())) for _ in range(60))
        self.assertEqual(max(returns[-10:]), best)

    def test_short_floats(self) -> None:
        """A reward in few digits is the number that is written so: 0.1 of 32 bits is not 0.10000000149011612."""

        class Short:
            itemsize = 4

        class Float32(standin.Real):
            dtype = Short()

            def __float__(self) -> float:
                return struct.unpack("f", struct.pack("f", self.value))[0]

            def __str__(self) -> str:
                return str(self.value)

        with small(payoffs=[{"range": [0, 0.1]}]) as a:
            self.assertEqual(a.observe([cpsrl.Transition((0, 0, 0), (0, 0), [Float32(0.1)])])["transitions"], 1)
        env = self.Other(list)
        env.step = lambda action: ([0, 0], Float32(0.1), False, False, {})  # type: ignore[method-assign]
        simulator = cpsrl.Gymnasium(env, self.problem)
        simulator.reset()
        self.assertEqual(simulator.step((0,))[1], [0.1])

    def test_truncated(self) -> None:
        """A limit of steps ends an episode, and no state is one in which episodes end."""
        env = cpsrl.Gymnasium(self.Other(list, limit=3), self.problem)
        with small() as a:
            for _ in range(10):
                steps = a.play(env)
                self.assertEqual((len(steps), [step.ended for step in steps]), (3, [False] * 3))
            self.assertEqual(a.belief()["transitions"], 30)
        taxi = cpsrl.taxi_v3(horizon=300)
        with taxi.agent(seed=1) as a:
            steps = a.play(cpsrl.Gymnasium.make(taxi))
        self.assertTrue(len(steps) == 200 or steps[-1].ended, len(steps))

    def test_names(self) -> None:
        """The newest name that is there is taken; the last error is told if there is none."""
        for old in (False, True):
            with mock.patch.dict(standin.registry, {"Taxi-v3": standin.registry["Taxi-v4"]} if old else {}), mock.patch.dict(sys.modules, {"gymnasium": standin}):
                if old:
                    del standin.registry["Taxi-v4"]
                state = cpsrl.Gymnasium.make(cpsrl.taxi_v3()).reset(seed=1)
                self.assertEqual(len(state), 4)
        with mock.patch.dict(standin.registry, clear=True), mock.patch.dict(sys.modules, {"gymnasium": standin}):
            with self.assertRaises(standin.error.Error):
                cpsrl.Gymnasium.make(cpsrl.taxi_v3())
        with self.assertRaises(standin.error.DeprecatedEnv):
            standin.make("Taxi-v3")

    def test_ends_of_ranges(self) -> None:
        """What is paid may be the end of a range up to rounding."""
        for ends, paid in (([0, 0.3], 0.1 * 3), ([0, 0.7], 0.1 * 7), ([-0.3, 0], -0.1 * 3)):
            with small(payoffs=[{"range": ends}]) as a:
                self.assertEqual(a.observe([cpsrl.Transition((0, 0, 0), (0, 0), [paid])])["transitions"], 1)
                with self.assertRaises(cpsrl.Refused):
                    a.observe([cpsrl.Transition((0, 0, 0), (0, 0), [paid * 1.001 if paid < 0 else paid + 0.001])])


class Rules(unittest.TestCase):
    """Oracle: the models of cpsrl, which their own tests compare with Gymnasium's rules."""

    def steps(self, domain: str) -> Iterator[Tuple[int, int, int, float, bool]]:
        """The state, the action, the next state, the reward and whether the episode ends, of every step of a model."""
        spec = {"format": "cpsrl/spec", "version": 4, "domain": {"name": domain}}
        said = subprocess.run([PROGRAM, "model", "-expand", "-spec", "-"], input=json.dumps(spec), capture_output=True, text=True, check=True)
        model = json.loads(said.stdout)
        variables = model["state"] + model["action"]
        size = {v["name"]: v["size"] for v in variables}
        terminal = [(end["given"], set(map(tuple, end["is"]))) for end in model["terminal"]]

        def row(given: List[str], values: dict) -> int:
            index = 0
            for name in given:
                index = index * size[name] + values[name]
            return index

        def over(values: dict) -> bool:
            return any(tuple(values[name] for name in given) in ends for given, ends in terminal)

        def all_values(k: int, values: dict) -> Iterator[dict]:
            if k == len(variables):
                yield values
                return
            for v in range(variables[k]["size"]):
                yield from all_values(k + 1, {**values, variables[k]["name"]: v})

        names = [v["name"] for v in model["state"]]
        for values in all_values(0, {}):
            if over(values):
                continue
            following = {}
            for factor in model["transition"]:
                following[factor["of"]] = factor["p"][row(factor["given"], values)].index(1)
            reward = sum(r["mean"][row(r["given"], values)] for r in model["reward"])
            yield row(names, values), values["move"], row(names, following), reward, over(following)

    def test_stand_in(self) -> None:
        for domain, rule in (("taxi-v3", standin.taxi_step), ("cliff-walking", standin.cliff_step)):
            count = 0
            for state, action, following, reward, ended in self.steps(domain):
                if domain == "cliff-walking" and 36 < state < 47:
                    continue  # nobody is ever on the cliff
                self.assertEqual(rule(state, action), (following, reward, ended), (domain, state, action))
                count += 1
            self.assertGreater(count, 140)

    def test_gymnasium(self) -> None:
        """The real tables, where they can be had."""
        if gymnasium is None:
            self.skipTest("gymnasium cannot be imported; the tests use " + OF)
        for problem, rule in ((cpsrl.taxi_v3(), standin.taxi_step), (cpsrl.cliff_walking(), standin.cliff_step)):
            taxi = problem.name == "Taxi-v3"
            for state, actions in cpsrl.Gymnasium.make(problem)._env.unwrapped.P.items():
                for action, outcomes in actions.items():
                    (_, following, reward, ended), = outcomes
                    if taxi and state // 4 % 5 == state % 4 or not taxi and 36 < state <= 47:
                        continue
                    self.assertEqual((int(following), float(reward), bool(ended)), rule(state, action), (problem.name, state, action))


class Learning(unittest.TestCase):
    def test_cliff(self) -> None:
        """C-PSRL finds the way along the cliff. With the stand-in, the records are those of the study, to the byte."""
        problem = cpsrl.cliff_walking()
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "cliff.jsonl"
            env = cpsrl.Gymnasium.make(problem)
            records = cpsrl.evaluate(lambda run: problem.agent(seed=1, run=run), env, episodes=100, runs=3, seed=1, label="c-psrl", out=out)
            lines = out.read_bytes()
            # The command draws and compares them beside runs of its own: CliffWalking is the same problem there.
            ours, program = Path(folder) / "ours.jsonl", cpsrl.find_program()
            subprocess.run([program, "run", "-domain", "cliff-walking", "-agents", "random", "-horizon", "300", "-episodes", "100", "-runs", "3", "-seed", "1", "-o", ours], check=True)
            table = subprocess.run([program, "summary", ours, "-with", out, "-of", "cumulative-regret"], check=True, capture_output=True, text=True).stdout
            rows = {(row[0], row[1]): row[2] for row in csv.reader(table.splitlines()) if len(row) == 6}
            self.assertLess(float(rows["c-psrl (other program)", "100"]), float(rows["random", "100"]))
        self.assertEqual([json.loads(line) for line in lines.splitlines()], records)
        self.assertEqual([(r["run"], r["episode"]) for r in records], [(run, k) for run in range(3) for k in range(1, 101)])
        last = [r["return"] for r in records if r["episode"] > 90]
        self.assertEqual(sorted(last)[len(last) // 2], -13.0)
        if gymnasium is None:
            with open(STUDY, encoding="utf-8", newline="") as file:
                want = next(row["sha256"] for row in csv.DictReader(file) if row["problem"] == "CliffWalking" and row["agent"] == "c-psrl")
            self.assertEqual(hashlib.sha256(lines).hexdigest(), want, "run studies/agent.sh again")

    def test_taxi(self) -> None:
        """Taxi-v3 is told in variables: what is observed is what Gymnasium says."""
        problem = cpsrl.taxi_v3()
        env = cpsrl.Gymnasium.make(problem)
        with problem.agent(seed=1) as a:
            for episode in range(20):
                for step in a.play(env, seed=episode):
                    before, after = (((row * 5 + col) * 5 + passenger) * 4 + there for row, col, passenger, there in (step.x[:4], step.y))
                    want = standin.taxi_step(before, step.x[4])
                    self.assertEqual((after, sum(step.paid), step.ended), want)
            self.assertGreater(len(a.belief()["edges"]), 15)

    def test_save(self) -> None:
        """Oracle: the agent that was not saved."""
        for label in ("c-psrl", "psrl", "greedy:epsilon=0.3"):
            grid = Grid()
            with small(agent=label) as one:
                for _ in range(5):
                    one.play(grid)
                saved = json.loads(json.dumps(one.save()))
                with cpsrl.Agent.load(saved) as other:
                    for _ in range(10):
                        self.assertEqual(one.play(grid), other.play(Grid()))
                        self.assertEqual(one.policy, other.policy)
                    self.assertEqual(one.belief(), other.belief())
                    self.assertEqual(other.ready["episodes"], 5)

    def test_task(self) -> None:
        """A task of version 2 tells legal actions, laws and named priors; the actions are legal."""
        task = {
            **{kind: PRIOR[kind] for kind in ("state", "action")}, "horizon": 8, "legal": {"formula": "move != 3"},
            "transition": [{"of": "row", "formula": "next = if(move = 0, min(row + 1, 2), row)"}], "reward": [{"range": [-1, 1], "given": ["row'", "col'"]}],
            "prior": {"sparseness": 2, "edges": [["move", "col", 0.9]]}, "priors": {"mine": {"edges": [["col", "col"]]}},
        }
        with cpsrl.Agent(task=task, agent="c-psrl:prior=mine", seed=3) as a:
            self.assertEqual((a.ready["version"], a.ready["actions"]), (2, 3))
            a.episode()
            self.assertTrue(all(a.act(h, (row, col))[0] != 3 for h in range(1, 9) for row in range(3) for col in range(3)))
            edges = {(e["from"], e["to"]): e["p"] for e in a.belief()["edges"]}
            self.assertEqual((edges["row", "row"], edges["col", "row"], edges["col", "col"]), (1, 0, 1))
            with self.assertRaisesRegex(cpsrl.Refused, "not legal"):
                a.observe([((0, 0, 3), (0, 0), [0], False)])
        for wrong in ({"task": task, "prior": PRIOR, "horizon": 8}, {}, {"prior": PRIOR}):
            with self.assertRaises(TypeError):
                cpsrl.Agent(**wrong)

    def test_policy(self) -> None:
        """A policy that the command proposes plays, in place of an agent."""
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log.csv")
            log.write_text("t,s,a,reward,s'\n" + "".join(f"{t},{s},{a},{s},{a}\n" for t, (s, a) in enumerate([(0, 0), (0, 1), (1, 1), (1, 0)] * 9)))
            said = subprocess.run([PROGRAM, "policy", log, "-action", "a", "-horizon", "3", "-models", "10", "-as", "json"], capture_output=True, check=True).stdout
        policy = json.loads(said)
        task = {
            **{kind: policy[kind] for kind in ("state", "action")}, "horizon": policy["horizon"], "reward": [{"name": "pay", "range": [0, 1], "scope": "hidden"}],
            "prior": {"sparseness": 2, "edges": []}, "policy": policy,
        }
        with cpsrl.Agent(task=task) as a:
            self.assertEqual(a.ready["agent"], "policy")
            a.episode()
            self.assertEqual(a.act(1, (0,) * len(policy["state"])), (1,))

    def test_model(self) -> None:
        """40 bits are beyond lists: the agent gives its model, and acts if it searches."""
        bits = [{"name": f"m{i}", "size": 2} for i in range(40)]
        task = {
            "state": bits, "action": [{"name": "push", "size": 3}], "horizon": 5, "reward": [{"given": ["m0"], "mean": [0, 1]}],
            "prior": {"sparseness": 1, "edges": [[bit["name"], bit["name"]] for bit in bits]},
        }
        state = (0,) * 40
        with cpsrl.Agent(task=task, agent="c-psrl:planner=uct:20:3") as a:
            answer = a.model()
            self.assertEqual([law["of"] for law in answer["model"]["transition"]], [bit["name"] for bit in bits])
            self.assertEqual(answer["model"]["reward"], [{"given": ["m0"], "mean": [0, 1], "kind": "fixed"}])
            self.assertIn(a.act(1, state)[0], range(3))
            a.observe([((*state, 0), state, None, False)])
            a.episode()
            self.assertIn(a.act(1, state)[0], range(3))

    def test_act(self) -> None:
        """Oracle: the table. The program's own answers are the same."""
        with small() as a:
            a.episode()
            table = a.policy
            assert table is not None
            a._table = None
            for h in range(1, 9):
                for row in range(3):
                    for col in range(3):
                        self.assertEqual(a.act(h, (row, col)), (table[h - 1][3 * row + col],))


class Failing(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_refused(self) -> None:
        """The program's sentence and its place; the session goes on."""
        with small() as a:
            a.episode()
            with self.assertRaises(cpsrl.Refused) as caught:
                a.act(9, (0, 0))
            self.assertEqual((caught.exception.at, "steps are 1 to 8" in str(caught.exception)), ("/act/h", True))
            with self.assertRaises(cpsrl.Refused):
                a.act(1, (0, 3))
            with self.assertRaises(cpsrl.Refused):
                a.observe([cpsrl.Transition((0, 0, 0), (0, 0), [float("nan")])])
            with self.assertRaises(cpsrl.Refused):
                a.observe([cpsrl.Transition((0, 0, object()), (0, 0), [0])])  # type: ignore[arg-type]
            self.assertEqual(a.belief()["transitions"], 0)
        with self.assertRaises(cpsrl.AgentError):
            a.belief()
        with self.assertRaises(cpsrl.Refused) as caught:
            small(agent="optimal")
        self.assertIn("must be told the true model", str(caught.exception))

    def test_killed(self) -> None:
        """A killed program, whenever it dies, is one clear exception."""
        for k in range(10):
            a = small()
            a.episode()
            timer = threading.Timer(0.02 * k, os.kill, (a.pid, signal.SIGKILL))
            timer.start()
            with self.assertRaises(cpsrl.AgentError) as caught:
                grid = Grid()
                for _ in range(1_000_000):
                    a.play(grid)
            timer.join()
            self.assertIn("cpsrl has ended (by signal 9)", str(caught.exception))
            with self.assertRaises(cpsrl.AgentError):
                a.belief()
            a.close()

    def test_last_words(self) -> None:
        for script, says in (
            ("echo 'out of luck' >&2; exit 3", "cpsrl has ended (with status 3); its last words: out of luck"),
            ("exec sleep 600", "cpsrl has not answered within 0.5 s"),
            ("exec 1>&-; exec sleep 600", "cpsrl has ended"),
            ("echo '{'", "something that is no answer"),
            ("echo '{\"ready\":7}'", "something that is no answer"),
            ("head -c 3000000 /dev/zero", "cpsrl has ended"),
            ("yes", "something that is no answer"),
        ):
            begun = time.monotonic()
            with self.assertRaises(cpsrl.AgentError) as caught:
                small(program=fake(self.folder, script), timeout=0.5 if "sleep 600" in script and "&-" not in script else 60)
            self.assertIn(says, str(caught.exception))
            self.assertLess(time.monotonic() - begun, 30)
        for program in (os.path.join(self.folder, "none"), self.folder):
            with self.assertRaises(cpsrl.AgentError):
                cpsrl.find_program(program)

    def messages(self) -> Tuple[List[bytes], List[bytes]]:
        """The lines that go to the program in a session, and those that come back."""
        sent, answers = [], []

        class Kept(cpsrl._Process):
            def ask(self, message: bytes, patience: Any) -> bytes:
                sent.append(message)
                answers.append(super().ask(message, patience))
                return answers[-1]

        process, cpsrl._Process = cpsrl._Process, Kept  # type: ignore[misc]
        try:
            with small(terminal=[{"given": ["row", "col"], "is": [[2, 2]]}]) as a:
                for _ in range(3):
                    a.play(Grid())
                    a._table = None
                    a.act(1, (1, 1))
                saved = a.save()
                a.belief()
            cpsrl.Agent.load(saved).close()
        finally:
            cpsrl._Process = process  # type: ignore[misc]
        return sent, answers

    def test_mutated_messages(self) -> None:
        """The program answers each wrong line by one line of JSON, and goes on."""
        sent, _ = self.messages()
        rng = random.Random(1)
        lines = [sent[0]]
        for _ in range(MUTATIONS):
            lines.append(mutated(rng, rng.choice(sent), sent))
        lines += [sent[0], b'{"belief":{}}\n']
        program = subprocess.Popen([PROGRAM, "agent"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        watchdog = threading.Timer(300, program.kill)
        watchdog.start()
        said, errors = program.communicate(b"".join(lines))
        watchdog.cancel()
        answers = said.splitlines()
        self.assertEqual((program.returncode, errors, len(answers)), (0, b"", len(lines)))
        refused = sum("error" in json.loads(answer) for answer in answers)
        self.assertGreater(refused, MUTATIONS // 2)
        self.assertGreater(len(answers) - refused, MUTATIONS // 20)
        self.assertIn(b'"transitions":0', answers[-1])

    def session(self, a: cpsrl.Agent) -> None:
        a.episode()
        a.act(1, (1, 1))
        a._table = None
        a.act(1, (1, 1))
        a.observe([cpsrl.Transition((0, 0, 0), (1, 0), [-0.25])])
        a.belief()
        a.save()

    def count(self, rng: random.Random, answers: List[bytes], most: int, start: Callable[[], cpsrl.Agent]) -> int:
        """Has that many sessions. Each ends well, or by an AgentError."""
        ended = 0
        for _ in range(most):
            try:
                with start() as a:
                    for _ in range(20):
                        try:
                            self.session(a)
                        except cpsrl.Refused:
                            pass
            except cpsrl.AgentError:
                ended += 1
        return ended

    def test_mutated_answers(self) -> None:
        """The client takes each wrong answer as an AgentError; nothing else is raised, and nothing hangs."""
        _, answers = self.messages()
        by_name = {next(iter(json.loads(answer))): answer for answer in answers}
        rng = random.Random(2)
        used = 0

        class Mutated:
            pid = 0

            def __init__(self, command: Any) -> None:
                self.begun = False

            def ask(self, message: bytes, patience: Any) -> bytes:
                nonlocal used
                name = next(iter(json.loads(message)))
                right = by_name[{"hello": "ready", "load": "ready", "act": "action", "transitions": "belief", "save": "saved"}.get(name, name)]
                if rng.randrange(3) == 0 and self.begun or rng.randrange(10) == 0:
                    used += 1
                    return mutated(rng, right, answers)
                self.begun = True
                return right

            def end(self) -> None:
                pass

        process, cpsrl._Process = cpsrl._Process, Mutated  # type: ignore[assignment, misc]
        try:
            while used < MUTATIONS:
                ended = self.count(rng, answers, 100, small)
                self.assertGreater(ended, 50)
        finally:
            cpsrl._Process = process  # type: ignore[misc]
        # The same through pipes, by a program that answers at once whatever is asked.
        for k in range(200):
            path = os.path.join(self.folder, "answers")
            with open(path, "wb") as file:
                file.write(by_name["ready"] if k % 4 else b"")
                for _ in range(8):
                    file.write(mutated(rng, rng.choice(answers), answers))
            program = fake(self.folder, f"exec cat '{path}'") if k == 0 else program
            self.count(rng, answers, 1, lambda: small(program=program, timeout=60))


if __name__ == "__main__":
    print(f"cpsrl.py under Python {sys.version.split()[0]}, with {OF}", file=sys.stderr)
    unittest.main()

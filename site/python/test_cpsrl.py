"""Tests of cpsrl.py. CPSRL names the program: CPSRL=./cpsrl python3 site/python/test_cpsrl.py."""

from __future__ import annotations

import csv
import doctest
import hashlib
import json
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Iterator, List, Tuple

import cpsrl
import standin

try:
    import gymnasium
    MAKE, OF = gymnasium.make, f"gymnasium {gymnasium.__version__}"
except ImportError:
    gymnasium = None
    MAKE, OF = standin.make, "the stand-in for gymnasium"

PROGRAM = cpsrl.find_program()
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


class Rules(unittest.TestCase):
    """Oracle: the models of cpsrl, which their own tests compare with Gymnasium's rules."""

    def steps(self, domain: str) -> Iterator[Tuple[int, int, int, float, bool]]:
        """The state, the action, the next state, the reward and whether the episode ends, of every step of a model."""
        spec = {"format": "cpsrl/spec", "version": 4, "domain": {"name": domain}}
        said = subprocess.run([PROGRAM, "model", "-spec", "-"], input=json.dumps(spec), capture_output=True, text=True, check=True)
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
        names = {name.split("-")[0]: name for name in gymnasium.registry if name.startswith(("Taxi-v", "CliffWalking-v"))}
        for name, rule in (("Taxi-v3", standin.taxi_step), (names["CliffWalking"], standin.cliff_step)):
            for state, actions in gymnasium.make(name).unwrapped.P.items():
                for action, outcomes in actions.items():
                    (_, following, reward, ended), = outcomes
                    if name == "Taxi-v3" and state // 4 % 5 == state % 4 or name != "Taxi-v3" and 36 < state <= 47:
                        continue
                    self.assertEqual((int(following), float(reward), bool(ended)), rule(state, action), (name, state, action))


class Learning(unittest.TestCase):
    def test_cliff(self) -> None:
        """C-PSRL finds the way along the cliff. With the stand-in, the records are those of the study, to the byte."""
        problem = cpsrl.cliff_walking()
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "cliff.jsonl"
            env = cpsrl.Gymnasium(MAKE("CliffWalking-v1" if gymnasium is None or "CliffWalking-v1" in gymnasium.registry else "CliffWalking-v0"), problem)
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
        env = cpsrl.Gymnasium(MAKE("Taxi-v3"), problem)
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

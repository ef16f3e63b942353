"""The program cpsrl from Python: experiments with their tables and figures, and agents with a causal prior that act in your
simulator and learn from it.

One file, for Python 3.9 or newer, without other packages. It needs the program ``cpsrl``, which the wheel brings; or it is an
argument (``program=``), named by the environment variable CPSRL, or on the PATH. docs/python.html of the site shows how.

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

import base64
import csv
import glob
import html
import json
import math
import operator
import os
import queue
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import warnings
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Callable, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, Union

__all__ = [
    "run", "sweep", "Records", "Sweep", "widget",
    "Agent", "AgentError", "Refused", "Transition", "World", "Step", "make", "Simulator", "Problem", "Gymnasium", "cliff_walking", "taxi_v3",
    "evaluate", "find_program", "from_gymnasium", "gymnasium_model",
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

    def step(self, action: Values) -> Sequence[Any]:
        """Acts. Returns the next state, what each payoff paid, and whether the episode has ended there; and, if it can stop
        for another reason, such as a limit of time, whether it has stopped."""


def find_program(program: Union[str, "os.PathLike[str]", None] = None) -> str:
    """Returns the path of cpsrl: the argument, that of the environment variable CPSRL, the one that was installed with this
    file, or the one on the PATH."""
    for asked in (program, os.environ.get("CPSRL")):
        if asked:
            found = shutil.which(os.fspath(asked))
            if found is None:
                raise AgentError(f"there is no program {os.fspath(asked)!r}")
            return found
    for folder in _script_folders():
        found = shutil.which("cpsrl", path=folder)
        if found is not None:
            return found
    found = shutil.which("cpsrl")
    if found is None:
        raise AgentError("the program cpsrl is not on the PATH; name it by program= or by the environment variable CPSRL")
    return found


def _script_folders() -> Iterator[str]:
    """The folders into which pip puts the program beside this file: of an environment, of --target, of --user."""
    here = Path(__file__).resolve().parent
    if here == Path(sysconfig.get_path("platlib")).resolve():
        yield sysconfig.get_path("scripts")
    yield str(here / "bin")
    user = f"{os.name}_user"
    if user in sysconfig.get_scheme_names() and here == Path(sysconfig.get_path("platlib", user)).resolve():
        yield sysconfig.get_path("scripts", user)


# Experiments

_WIDGET = "https://cdn.jsdelivr.net/npm/cpsrl-playground@2/dist/widget.js"


class Records:
    """The records of an experiment: one file, or several that "cpsrl merge" would join; and their tables and figures.

    In a notebook they show themselves as the figure of cumulative regret, with the link to the experiment.
    """

    #: The address of a page of the playground, with which links begin. Without one, a link is what follows the #.
    page = ""

    def __init__(self, *files: Union[str, "os.PathLike[str]"], program: Union[str, "os.PathLike[str]", None] = None) -> None:
        self.files = [Path(file) for file in files]
        self._program = find_program(program)

    def summary(self, *, frame: Optional[bool] = None, **flags: Any) -> Any:
        """The table of "cpsrl summary": by default the mean of cumulative regret over runs for every agent and episode, with its
        95% confidence interval. The flags are the command's: of="return", band="final", paired="c-psrl,psrl", endings=True.

        Returns a DataFrame if pandas is there, else a list of dicts; frame=True and frame=False ask for one of them. The
        lines before the table are the frame's attrs["notes"].
        """
        return _framed(*_read(self._ask("summary", self.files, flags)), frame)

    def records(self, *, frame: Optional[bool] = None) -> Any:
        """A row for each run, agent and episode, with every measure."""
        return self.summary(long=True, frame=frame)

    def svg(self, **flags: Any) -> str:
        """The figure of "cpsrl plot" as SVG. The flags are the command's: of="return", band="quantiles", log="x", width=12."""
        return self._ask("plot", self.files, {"as": "svg", "o": "-", **flags})

    @property
    def notes(self) -> Mapping[str, str]:
        """What the program says of the records: "spec", "engine", "fingerprint" and "link", and, as "says", in a sentence what came out."""
        notes = _read(self._ask("summary", self.files, {"base": self.page} if self.page else {}))[0]
        named = {name: text for name, _, text in (note.partition(" ") for note in notes) if name in ("spec", "engine", "fingerprint", "link")}
        return {**named, "says": next((note for note in notes if ", mean" in note), "")}

    @property
    def link(self) -> str:
        """The link that opens the experiment in the page and compares the page's records with these."""
        return self.notes.get("link", "")

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the records. The same experiment and engine give the same one everywhere."""
        return self.notes.get("fingerprint", "")

    def __repr__(self) -> str:
        notes = self.notes
        return "\n".join(words for words in (notes["says"], notes.get("link", "")) if words)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict:
        return _shown(self.svg(), self.notes["says"], self.link, bool(self.page))

    def _ask(self, command: str, files: Sequence[Path], flags: Mapping[str, Any]) -> str:
        return _run([self._program, command, *_flags(flags), *map(str, files)])


class Sweep:
    """The folder of a sweep, and its table and figure."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"], program: Union[str, "os.PathLike[str]", None] = None) -> None:
        self.folder = Path(folder)
        self._program = find_program(program)

    def summary(self, *, frame: Optional[bool] = None, **flags: Any) -> Any:
        """The table of "cpsrl table": a row for each setting and agent, as Records.summary returns one."""
        return _framed(*_read(_run([self._program, "table", *_flags(flags), str(self.folder)])), frame)

    def svg(self, **flags: Any) -> str:
        """The figure of "cpsrl plot" as SVG. The flags are the command's: x="z", heat="false", of="return"."""
        return _run([self._program, "plot", *_flags({"as": "svg", "o": "-", **flags}), str(self.folder)])

    def __repr__(self) -> str:
        return f"the sweep in {self.folder}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict:
        return _shown(self.svg(), repr(self), "", False)


def run(
    preset: Optional[str] = None, *, spec: Any = None, model: Any = None, prior: Any = None, out: Union[str, "os.PathLike[str]", None] = None,
    progress: Union[bool, Callable[[int, int], None]] = True, program: Union[str, "os.PathLike[str]", None] = None, **flags: Any,
) -> Records:
    """Runs an experiment as "cpsrl run" does, and returns its records.

    preset    its name; or spec, model or link= says what is run, or domain=
    spec, model, prior  documents: mappings, or the paths of files
    out       the file of the records; without it, they last as long as what is returned
    progress  whether a terminal or a notebook shows how much is done; or a function of the records that are there and all
    flags     the command's: agents=["psrl", "c-psrl"], episodes=100, runs=10, seed=1, workers=2, resume=True

    Ctrl-C, or a notebook's Interrupt, ends the program and raises KeyboardInterrupt; a file that was named has the whole
    records so far. Refused has the program's sentence.
    """
    found = find_program(program)
    with _Folder() as folder:
        documents = _documents(folder.name, {"spec": spec, "model": model, "prior": prior})
        path = Path(folder.name, "records.jsonl") if out is None else Path(out)
        command = [found, "run", "-quiet", "-o", str(path), *_flags({"preset": preset, **documents, **flags})]
        _run(command, _watching(_Growing(path), "records", progress))
        records = Records(path, program=found)
        if out is None:
            folder.give(records)
        return records


def sweep(
    preset: Optional[str] = None, *, vary: Union[Mapping[str, Sequence[Any]], Sequence[str]] = (), spec: Any = None, model: Any = None, prior: Any = None,
    file: Any = None, out: Union[str, "os.PathLike[str]", None] = None, progress: Union[bool, Callable[[int, int], None]] = True,
    program: Union[str, "os.PathLike[str]", None] = None, **flags: Any,
) -> Sweep:
    """Runs an experiment in many settings as "cpsrl sweep" does, and returns the folder.

    vary      the fields that vary, crossed: {"z": [2, 3], "false": [0, 1]}; or as the command takes them: ["z=2,3~false=0,1"]
    file      in place of all that, a document cpsrl/sweep: a mapping, or the path of a file
    out       the folder, which a later call completes; without it, it lasts as long as what is returned
    progress  as in run, by the settings that are done and all

    The other arguments, and what is raised, are those of run.
    """
    found = find_program(program)
    with _Folder() as folder:
        documents = _documents(folder.name, {"spec": spec, "model": model, "prior": prior, "sweep": file})
        said = [str(documents.pop("sweep"))] if "sweep" in documents else []
        each = [f"{key}={_text(values)}" for key, values in vary.items()] if isinstance(vary, Mapping) else list(vary)
        varied = [part for one in each for part in ("-vary", one)]
        path = Path(folder.name, "sweep") if out is None else Path(out)
        command = [found, "sweep", "-quiet", *_flags({"preset": preset, **documents, **flags}), *varied, "-o", str(path), *said]
        _run(command, _watching(_Settings(path), "settings", progress))
        swept = Sweep(path, found)
        if out is None:
            folder.give(swept)
        return swept


class _Folder:
    """A folder that is removed at the end of the block or, once it is given to an object, with that."""

    def __enter__(self) -> "_Folder":
        self.name = tempfile.mkdtemp(prefix="cpsrl-")
        self._remove = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)
        return self

    def give(self, owner: object) -> None:
        self._remove.detach()
        self._remove = weakref.finalize(owner, shutil.rmtree, self.name, ignore_errors=True)

    def __exit__(self, kind: Any, *_: object) -> None:
        if kind is not None or self._remove.peek()[0] is self:  # type: ignore[index]
            self._remove()


def _documents(folder: str, documents: Mapping[str, Any]) -> dict:
    """The paths of documents, of which those that are no paths are written into a folder."""
    paths = {}
    for name, document in documents.items():
        if isinstance(document, Mapping):
            paths[name] = Path(folder, f"{name}.json")
            paths[name].write_text(json.dumps(document, ensure_ascii=False, allow_nan=False), encoding="utf-8")
        elif document is not None:
            paths[name] = Path(document)
    return paths


def _text(value: Any) -> str:
    """A value as a flag has it."""
    if isinstance(value, (list, tuple, range)):
        return ",".join(map(_text, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(_int(value))


def _flags(values: Mapping[str, Any]) -> List[str]:
    """Arguments as flags of the command: false_edges=2 and from_=3 are -false-edges=2 and -from=3."""
    return [f"-{name.rstrip('_').replace('_', '-')}={_text(value)}" for name, value in values.items() if value is not None]


def _run(command: Sequence[str], watch: Optional[Callable[[], None]] = None) -> str:
    """Runs the program to its end and returns what it prints. Whatever is raised meanwhile ends it."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as words:
        try:
            program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=words)
        except OSError as error:
            raise AgentError(f"{command[0]} cannot be started: {error}") from error
        try:
            while True:
                try:
                    program.wait(timeout=0.25)
                    break
                except subprocess.TimeoutExpired:
                    if watch:
                        watch()
            if watch:
                watch()
        except BaseException:
            _interrupt(program)
            raise
        for file in (said, words):
            file.seek(0)
        sentence = words.read().decode("utf-8", "replace").strip()[-_LAST_WORDS:]
        if program.returncode < 0:
            raise AgentError(f"cpsrl has ended (by signal {-program.returncode})" + (f"; its last words: {sentence}" if sentence else ""))
        if program.returncode > 0:
            raise Refused(sentence or f"cpsrl has ended with status {program.returncode}")
        return said.read().decode("utf-8")


def _interrupt(program: "subprocess.Popen[bytes]") -> None:
    """Ends the program: a terminal's Ctrl-C has reached it already, a notebook's has not. It may finish its file."""
    try:
        for tell, patience in ((lambda: None, 1), (lambda: program.send_signal(signal.SIGINT) if os.name == "posix" else program.terminate(), 10)):
            tell()
            try:
                program.wait(timeout=patience)
                return
            except subprocess.TimeoutExpired:
                pass
    finally:  # also where a second Ctrl-C comes meanwhile
        if program.poll() is None:
            program.kill()
            program.wait()


class _Growing:
    """Counts the records in a file that grows, which has .partial and perhaps a number behind its name until it is whole."""

    def __init__(self, path: Path) -> None:
        self._path, self._read, self._lines, self._all = path, 0, 0, 0
        self._begun = time.time() - 2  # some file systems round times

    def __call__(self) -> Tuple[int, int]:
        """How many records there are, and how many there will be; 0 while that is not known."""
        try:
            files = [self._path, *self._path.parent.glob(f"{glob.escape(self._path.name)}.partial*")]
            changed = {file: file.stat().st_mtime for file in files if file.exists()}
            newest = max((file for file in changed if changed[file] >= self._begun), key=changed.__getitem__)
            with open(newest, "rb") as file:
                if self._all == 0:
                    spec = json.loads(file.readline())["spec"]
                    self._all = len(spec["agents"]) * spec["runs"] * spec["episodes"]
                file.seek(self._read)
                part = file.read()
                self._read += len(part)
                self._lines += part.count(b"\n")
        except (OSError, ValueError, KeyError, TypeError):
            pass  # the file is not there yet, or its header is not whole
        return max(0, self._lines - 1), self._all


class _Settings:
    """Counts the settings of a sweep that are done, in its folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self) -> Tuple[int, int]:
        """How many settings are done, and how many there are; 0 while that is not known."""
        try:
            vary = json.loads(Path(self._folder, "run.json").read_bytes())["sweep"]["vary"]
            return len(list(self._folder.glob("*.jsonl"))), math.prod(len(next(iter(part.values()))) for part in vary)
        except (OSError, ValueError, KeyError, TypeError):
            return 0, 0  # the folder is not there yet


def _watching(count: Callable[[], Tuple[int, int]], what: str, progress: Union[bool, Callable[[int, int], None]]) -> Optional[Callable[[], None]]:
    """What shows now and then how much is done."""
    tell = progress if callable(progress) else (_notebook(what) or _terminal(what)) if progress else None
    if tell is None:
        return None
    last = (0, 0)

    def watch() -> None:
        nonlocal last
        now = count()
        if now != last and now[1] > 0:
            last = now
            tell(*now)

    return watch


def _terminal(what: str) -> Optional[Callable[[int, int], None]]:
    if not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        words = f"\r{100 * done // total}% of {total:,} {what}"
        print(f"\r{' ' * len(words)}\r" if done >= total else words, end="", file=sys.stderr, flush=True)

    return tell


def _notebook(what: str) -> Optional[Callable[[int, int], None]]:
    """None outside of a notebook."""
    of = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if not hasattr(of, "kernel"):
        return None
    from IPython.display import HTML, display  # type: ignore[import-not-found]

    shown = display(HTML("Starting…"), display_id=True)

    def tell(done: int, total: int) -> None:
        shown.update(HTML(f'<progress max="{total}" value="{done}"></progress> {done:,} of {total:,} {what}'))

    return tell


def _read(text: str) -> Tuple[List[str], List[dict]]:
    """The lines before a table, which begin with #, and its rows, with numbers as numbers and None where a cell is empty."""
    lines = text.splitlines(keepends=True)
    first = next((k for k, line in enumerate(lines) if not line.startswith("#")), len(lines))
    notes = [line[1:].strip() for line in lines[:first]]
    rows = csv.DictReader(lines[first:])
    return notes, [{name: cell if name in ("agent", "measure") else _cell(cell) for name, cell in row.items()} for row in rows]


def _cell(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def _framed(notes: Sequence[str], rows: List[dict], frame: Optional[bool]) -> Any:
    """The rows as a DataFrame if pandas is there or is asked for."""
    if frame is False:
        return rows
    try:
        import pandas  # type: ignore[import-not-found]
    except ImportError:
        if frame:
            raise
        return rows
    framed = pandas.DataFrame(rows)
    framed.attrs["notes"] = list(notes)
    return framed


def _shown(svg: str, says: str, link: str, opens: bool) -> dict:
    """What a notebook shows of a figure. It is an image there, so that its names meet no other figure's."""
    image = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    words = [html.escape(says)]
    if link:
        words.append(f'<a href="{html.escape(link)}">Open in the playground</a>' if opens else f"<code>{html.escape(link)}</code>")
    caption = "".join(f"<p>{part}</p>" for part in words)
    page = f'<figure><img alt="{html.escape(says)}" src="data:image/svg+xml;base64,{image}"><figcaption>{caption}</figcaption></figure>'
    return {"text/plain": "\n".join(part for part in (says, link) if part), "text/html": page, "image/svg+xml": svg}


def widget(preset: str = "", *, link: str = "", parts: Sequence[str] = (), module: str = _WIDGET) -> Any:
    """Returns the page's playground as a widget of a notebook, which needs the package anywidget and, in the reader's browser, the
    module: by default the npm package's on a CDN. The notebook's HTML keeps it alive.

    The traits preset and parts say what is shown at first; link is what is shown, and follows the reader. After a run, conclusion, fingerprint and
    summary (episodes, and means with their intervals by agent) are there, and belief: the agent, run and episode on the stage, or else the
    last episode of the first run, with the sampled graph and the probability of each edge; None for an agent without a graph, and before a
    run. run() runs what is shown; refused says why not.
    """
    import anywidget  # type: ignore[import-not-found]
    import traitlets  # type: ignore[import-not-found]

    def text(value: str = "") -> Any:
        return traitlets.Unicode(value).tag(sync=True)

    made = type("Playground", (anywidget.AnyWidget,), {
        "_esm": f'export {{ default }} from {json.dumps(module)};', "preset": text(preset), "link": text(link), "parts": text(",".join(parts)),
        "conclusion": text(), "fingerprint": text(), "refused": text(), "summary": traitlets.Dict().tag(sync=True),
        "belief": traitlets.Dict(None, allow_none=True).tag(sync=True), "run": lambda self: self.send("run"),
    })
    return made()


# Agents in your simulator


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


class _Session:
    """A session with the program: messages and their answers."""

    _what = ""

    def _open(self, program: Any, timeout: Optional[float]) -> None:
        self._timeout, self._over = timeout, False
        self._process = _Process([find_program(program), self._what])

    def __enter__(self) -> Any:
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

    def _ask(self, name: str, message: Any, expected: str, kind: type) -> Any:
        if self._over:
            raise AgentError(f"the {self._what} is closed")
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


class Agent(_Session):
    """An agent of the program cpsrl, in a process of its own.

    prior     a document cpsrl/prior: a mapping, of which format, version and edges may be absent, or the path of a file
    horizon   the most steps of an episode
    payoffs   the parts of the reward. {"range": [lo, hi]} is a payoff that may depend on all variables; "given": […] names
              those it depends on ("cell'" is the cell of the next state), "scope": "hidden" with a "name" lets the agent
              learn them, and "mean": […] tells what is paid by row
    terminal  the states in which episodes end: [{"given": ["row", "col"], "is": [[3, 11]]}]; without it they are learned
    graph     the true graph as a list of edges, for agents that are told it
    agent     a label, such as "c-psrl", the default, "f-psrl:graph=prior", "psrl" or "greedy:epsilon=0.1"
    seed, run the same seed, run and transitions give the same actions
    task      a hello of version 2, in place of prior, horizon, payoffs, terminal and graph: the members of a model that the agent
              is told, such as legal actions, laws and named priors; format and version may be absent
    timeout   how many seconds an answer may take
    """

    _what = "agent"

    def __init__(
        self, *, prior: Union[Json, str, "os.PathLike[str]", None] = None, horizon: Optional[int] = None, payoffs: Sequence[Json] = ({"range": [0, 1]},),
        terminal: Optional[Sequence[Json]] = None, graph: Optional[Sequence[Sequence[str]]] = None, agent: Optional[str] = None,
        seed: int = 0, run: int = 0, bound: Optional[str] = None, update: Optional[str] = None,
        task: Optional[Json] = None, program: Union[str, "os.PathLike[str]", None] = None, timeout: Optional[float] = 600,
    ) -> None:
        if (task is None) == (prior is None or horizon is None):
            raise TypeError("an agent is told a task, or a prior and a horizon")
        hello: dict = {"agent": agent, "seed": seed, "run": run, "bound": bound, "update": update}
        if task is not None:
            hello = {"format": "cpsrl/agent", "version": 2, **hello, **task}
        else:
            if not isinstance(prior, Mapping):
                prior = json.loads(Path(prior).read_text(encoding="utf-8"))
            document = {"format": "cpsrl/prior", "version": 3, "edges": [], **prior}
            hello = {
                "format": "cpsrl/agent", "version": 1, "prior": document, "horizon": horizon, "payoffs": list(payoffs),
                "terminal": terminal, "graph": graph, **hello,
            }
        self._start("hello", {name: value for name, value in hello.items() if value is not None}, program, timeout)

    @classmethod
    def load(cls, saved: Json, *, program: Union[str, "os.PathLike[str]", None] = None, timeout: Optional[float] = 600) -> "Agent":
        """Returns an agent that goes on exactly where save() was called."""
        agent = cls.__new__(cls)
        agent._start("load", saved, program, timeout)
        return agent

    def _start(self, name: str, message: Any, program: Any, timeout: Optional[float]) -> None:
        self._open(program, timeout)
        try:
            #: what the program said at first: label, name, states, actions, horizon, …
            self.ready: dict = self._ask(name, message, "ready", dict)
            hello = message if name == "hello" else message["hello"]
            variables = hello if "state" in hello else hello["prior"]
            sizes = [[variable["size"] for variable in variables[kind]] for kind in ("state", "action")]
            self._states, self._actions = sizes
            for member in ("states", "actions", "horizon"):
                self._expect(_whole(self.ready.get(member)), "ready", self.ready)
            self._expect(isinstance(self.ready.get("agent"), str) and isinstance(self.ready.get("table"), bool), "ready", self.ready)
        except BaseException:
            self.close()
            raise
        self._table: Optional[List[List[int]]] = None

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

    def model(self) -> Mapping[str, Any]:
        """Begins an episode for a planner of your own: samples a model and does not plan in it. Returns its number, its graph
        and its "model", the tables in the words of a model."""
        self._table = None
        answer = self._ask("episode", {"model": True}, "episode", dict)
        self._expect(_whole(answer.get("number")) and isinstance(answer.get("model"), dict), "episode", answer)
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
        every = self.ready["actions"] == math.prod(self._actions)  # else a number is that of a legal action
        if every and self._table is not None and 1 <= h <= len(self._table) and len(state) == len(self._states):
            index = 0
            for value, size in zip(state, self._states):
                number = _int(value)
                if not _whole(number) or not 0 <= number < size:
                    break
                index = index * size + number
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
                step["paid"] = [_float(r) for r in paid]
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
        """Plays an episode and learns from it: until it ends or stops or, at the latest, to the horizon."""
        self.episode()
        state = tuple(_int(v) for v in simulator.reset(seed=seed))
        seen: List[Transition] = []
        for h in range(1, self.ready["horizon"] + 1):
            action = self.act(h, state)
            following, paid, ended, *stopped = simulator.step(action)
            following = tuple(_int(v) for v in following)
            seen.append(Transition(state + action, following, list(paid), bool(ended)))
            state = following
            if ended or any(stopped):
                break
        self.observe(seen)
        return seen


def _int(value: Any) -> int:
    """Whole numbers of other libraries, such as numpy's, as Python's."""
    for number in (value, value.item() if hasattr(value, "item") else value):  # numpy's bool has no index, nor has an array of one number
        try:
            return number.__index__()
        except (AttributeError, TypeError):
            pass
    return value


def _float(value: Any) -> float:
    """A number of another library as Python's. One of less than 64 bits is the decimal number that it is written as."""
    if getattr(getattr(value, "dtype", None), "itemsize", 8) < 8:
        try:
            return float(str(value))
        except ValueError:
            pass
    return float(value)


def _leaves(value: Any, names: Sequence[str] = ()) -> List[Any]:
    """The numbers of lists, tuples, arrays and mappings in each other; a mapping's by these names, if it has them all."""
    if isinstance(value, Mapping):
        return [leaf for name in (names if set(names) == set(value) else value) for leaf in _leaves(value[name])]
    if isinstance(value, (str, bytes)):
        return [value]
    try:
        return [leaf for part in value for leaf in _leaves(part)]
    except TypeError:  # a number, or an array without dimensions
        return [value]


def _starts(space: Any, names: Sequence[str] = ()) -> List[Any]:
    """The least values of a space of Gymnasium, as _leaves has the values."""
    parts = getattr(space, "spaces", None)
    if isinstance(parts, Mapping):
        return [least for name in (names if set(names) == set(parts) else parts) for least in _starts(parts[name])]
    if parts is not None:
        return [least for part in parts for least in _starts(part)]
    return _leaves(getattr(space, "start", 0))


def _formed(space: Any, values: Iterator[int], names: Sequence[str] = ()) -> Any:
    """The next values in the form of a space of Gymnasium, as _leaves takes them apart."""
    parts = getattr(space, "spaces", None)
    if isinstance(parts, Mapping):
        formed = {name: _formed(parts[name], values) for name in (names if set(names) == set(parts) else parts)}
        return {name: formed[name] for name in parts}
    if parts is not None:
        return tuple(_formed(part, values) for part in parts)
    shape = getattr(space, "shape", None) or ()
    count = 1
    for size in shape or (len(getattr(space, "nvec", [])),):
        count *= size
    return [next(values) for _ in range(count)] if shape or hasattr(space, "nvec") else next(values)


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
    #: Gymnasium's names of the environment, the newest first.
    ids: Sequence[str] = ()

    def agent(self, **more: Any) -> Agent:
        """Returns an agent; the arguments are those of Agent."""
        told = {"prior": self.prior, "horizon": self.horizon, "payoffs": self.payoffs, "terminal": self.terminal, "graph": self.graph}
        return Agent(**{**told, **more})


class Gymnasium:
    """An environment of Gymnasium as a simulator. Its observations are lists, tuples, arrays or mappings with a number for each
    state variable, or one number, which is taken as the row-major number of a state. An episode that is truncated stops."""

    def __init__(self, env: Any, problem: Problem) -> None:
        self._env, self._problem = env, problem
        self._names = [variable["name"] for variable in problem.prior["state"]]
        self._sizes = [variable["size"] for variable in problem.prior["state"]]
        self._acts = [variable["name"] for variable in problem.prior["action"]]
        self._least = _starts(getattr(env, "observation_space", None), self._names)
        self._state: Values = ()

    @classmethod
    def make(cls, problem: Problem, **options: Any) -> "Gymnasium":
        """Makes Gymnasium's environment of a problem, by the newest of its names that is there; options are those of
        gymnasium.make."""
        import gymnasium

        for name in problem.ids[:-1]:
            try:
                return cls(gymnasium.make(name, **options), problem)
            except gymnasium.error.Error:  # a name of another version of Gymnasium
                pass
        return cls(gymnasium.make(problem.ids[-1], **options), problem)

    @staticmethod
    def _number(leaf: Any, observation: Any) -> int:
        """A number of an observation; spaces such as Box write whole ones as 2.0."""
        number = _int(leaf)
        if not _whole(number) and hasattr(number, "__float__") and float(number).is_integer():
            number = int(float(number))
        if not _whole(number):
            raise ValueError(f"the observation {observation} holds {leaf!r}, which is no whole number")
        return number

    def _values(self, observation: Any) -> Values:
        numbers = [self._number(leaf, observation) for leaf in _leaves(observation, self._names)]
        if len(self._least) == len(numbers):
            numbers = [number - _int(least) for number, least in zip(numbers, self._least)]
        if len(numbers) == 1 and len(self._sizes) > 1:
            rest, numbers = numbers[0], []
            for size in reversed(self._sizes):
                rest, value = divmod(rest, size)
                numbers.insert(0, value)
            if rest != 0:
                raise ValueError(f"the observation {observation} is the number of no state")
        if len(numbers) != len(self._sizes):
            raise ValueError(f"the observation {observation} has {len(numbers)} numbers for {len(self._sizes)} state variables")
        return tuple(numbers)

    def _action(self, action: Values) -> Any:
        space = getattr(self._env, "action_space", None)
        least = _starts(space, self._acts)
        values = [value + _int(first) for value, first in zip(action, least)] if len(least) == len(action) else list(action)
        if len(values) > 1 and hasattr(space, "n") and getattr(space, "shape", None) == ():
            number = 0
            for value, variable in zip(action, self._problem.prior["action"]):
                number = number * variable["size"] + value
            return number + _int(getattr(space, "start", 0))
        if getattr(space, "spaces", None) is not None:
            try:
                return _formed(space, iter(values), self._acts)
            except StopIteration:
                raise ValueError(f"an action of the environment has more numbers than the {len(values)} action variables") from None
        return values if len(values) > 1 or hasattr(space, "nvec") else values[0]

    def reset(self, seed: Optional[int] = None) -> Values:
        self._state = self._values(self._env.reset(seed=seed)[0])
        return self._state

    def step(self, action: Values) -> Tuple[Values, Sequence[float], bool, bool]:
        before = self._state
        observation, reward, terminated, truncated, _info = self._env.step(self._action(action))
        self._state = self._values(observation)
        return self._state, self._problem.pays(before, action, _float(reward)), bool(terminated), bool(truncated)


def make(preset: Optional[str] = None, **world: Any) -> Any:
    """Returns the world of an experiment as an environment of Gymnasium: make("sepsis"). The arguments are those of World.

    Observations and actions are arrays with the value of each variable, counted from 0. The first reset begins the first run, and
    each later one the next episode or, after the last of a run, the next run. reset(seed=n) begins run n or, where there are fewer
    runs, run n modulo their number: the same seed has the same true model and the same luck, and runs= says how many there are. A state in which episodes end terminates an episode, and the horizon truncates it.
    info has the numbers of the run and the episode. An action that is not legal raises Refused.
    """
    import gymnasium

    of = World(**{"label": "gymnasium", "preset": preset, **world})
    ready = of.ready
    sizes = [[variable["size"] for variable in ready[kind]] for kind in ("state", "action")]

    class Environment(gymnasium.Env):  # type: ignore[misc]
        metadata: dict = {"render_modes": []}
        world = of
        observation_space, action_space = (gymnasium.spaces.MultiDiscrete(each) for each in sizes)

        def __init__(self) -> None:
            self._run: Optional[int] = None

        def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> Tuple[Any, dict]:
            super().reset(seed=seed)
            if seed is not None or self._run is None:
                self._begin(seed or 0)
            elif of.number == ready["episodes"]:
                self._begin(self._run + 1)
            else:
                self._state = of.reset(leave=True)
            return self._seen(), self._info()

        def _begin(self, run: int) -> None:
            self._run = run % ready["runs"]
            self._state = of.reset(run=ready["firstRun"] + self._run)

        def _seen(self) -> Any:
            return _array(self._state, self.observation_space)

        def _info(self) -> dict:
            return {"run": ready["firstRun"] + (self._run or 0), "episode": of.number}

        def step(self, action: Any) -> Tuple[Any, float, bool, bool, dict]:
            step = of.step([_int(value) for value in _leaves(action)])
            self._state = step.state
            return self._seen(), step.reward, step.ended, step.over and not step.ended, self._info()

        def close(self) -> None:
            of.close()

    return Environment()


def _array(values: Values, space: Any) -> Any:
    """The values as an array of a space's kind, if numpy is there, as it is with Gymnasium."""
    try:
        import numpy
    except ImportError:
        return list(values)
    return numpy.array(values, dtype=getattr(space, "dtype", None))


def _sizes(space: Any, name: str) -> List[Tuple[str, int]]:
    """The variables of a space of Gymnasium, as _leaves has their values: a name and how many values each has."""
    parts = getattr(space, "spaces", None)
    if isinstance(parts, Mapping):
        return [variable for key in parts for variable in _sizes(parts[key], str(key) if name in ("state", "action") else f"{name} {key}")]
    if parts is not None:
        return [variable for k, part in enumerate(parts) for variable in _sizes(part, f"{name} {k + 1}")]
    if hasattr(space, "nvec"):
        sizes = [_int(n) for n in _leaves(space.nvec)]
    elif hasattr(space, "n") and getattr(space, "shape", ()) == ():
        return [(name, _int(space.n))]
    elif hasattr(space, "n"):  # MultiBinary
        sizes = [2] * math.prod(space.shape)
    else:
        raise ValueError(f"the space {space} of {name} has no whole number of values")
    return [(f"{name} {k + 1}", size) for k, size in enumerate(sizes)]


def _variables(space: Any, kind: str, names: Optional[Sequence[Any]]) -> List[dict]:
    """The variables of a space of Gymnasium as a document has them, by these names."""
    found = _sizes(space, kind)
    told = [(name, None) if isinstance(name, str) else tuple(name) for name in names or [name for name, _ in found]]
    counts = [values if values is None or _whole(values) else len(values) for _, values in told]
    sizes = [size for _, size in found]
    if len(sizes) == 1 and len(told) > 1:  # one number is made of several variables
        if None in counts or math.prod(counts) != sizes[0]:
            raise ValueError(f"the space {space} of the {kind} is one number with {sizes[0]} values; the sizes or labels of its variables must multiply to that")
        sizes = counts
    if len(told) != len(sizes):
        raise ValueError(f"the space {space} has {len(sizes)} {kind} variables, and {len(told)} have a name")
    variables = []
    for (name, values), count, size in zip(told, counts, sizes):
        if count not in (None, size):
            raise ValueError(f"the {kind} variable {name} of the space {space} has {size} values, not {count}")
        variables.append({"name": name, "size": size, **({} if values is None or _whole(values) else {"values": [str(value) for value in values]})})
    return variables


def from_gymnasium(
    env: Any, *, reward: Tuple[float, float], names: Optional[Sequence[Any]] = None, actions: Optional[Sequence[Any]] = None,
    edges: Sequence[Sequence[Any]] = (), horizon: Optional[int] = None, **prior: Any,
) -> Problem:
    """Returns what an agent is told of an environment of Gymnasium whose spaces are Discrete, MultiDiscrete, MultiBinary, or a
    Tuple or Dict of such: the variables and what is known of the graph. What is paid, and where episodes end, it learns.

    reward   the least and the most that a step pays
    names    of the state variables; a name alone, or with a size or labels: ("row", 4), ("who", ["R", "G"]). Several with sizes
             make up the one number of a Discrete space, the last of which varies fastest
    actions  the same for the action variables
    edges    the edges that are known, each perhaps with its probability: [["row", "row"], ["move", "row", 0.9]]
    horizon  the most steps of an episode; by default the environment's limit
    prior    what else a document cpsrl/prior has, such as sparseness=2

    gymnasium_model writes an environment with a table env.unwrapped.P as a model.
    """
    of = getattr(env, "spec", None)
    if horizon is None:
        horizon = getattr(of, "max_episode_steps", None)
        if horizon is None:
            raise ValueError("the environment has no limit of steps; horizon= says how many an episode has")
    document = {"state": _variables(env.observation_space, "state", names), "action": _variables(env.action_space, "action", actions), "edges": list(edges), **prior}
    name = getattr(of, "id", "") or type(getattr(env, "unwrapped", env)).__name__
    return Problem(
        name=name, prior=document, horizon=horizon, payoffs=[{"name": "reward", "range": list(reward), "scope": "hidden"}],
        pays=lambda _state, _action, paid: [paid], ids=[name],
    )


class Step(NamedTuple):
    """What a world answers to an action. Over: the episode has no more steps; ended: by a state in which episodes end."""

    state: Values
    reward: float
    over: bool
    ended: bool
    paid: Optional[Sequence[float]]  # for transitions of our agents, if they learn what is paid


class World(_Session):
    """The world of an experiment, for an agent of yours: in each run the true model that our agents meet.

    label     the name of your agent in its records; it names the random streams of the world
    preset, spec, link, model  the experiment, by one of them: a name, a document, a link of the page, or a model alone
    timeout   how many seconds an answer may take
    """

    _what = "world"

    def __init__(
        self, *, label: str, preset: Optional[str] = None, spec: Optional[Json] = None, link: Optional[str] = None,
        model: Optional[Json] = None, program: Union[str, "os.PathLike[str]", None] = None, timeout: Optional[float] = 600,
    ) -> None:
        hello = {"format": "cpsrl/world", "version": 1, "label": label, "preset": preset, "spec": spec, "link": link, "model": model}
        self._open(program, timeout)
        try:
            #: what the program said at first: state, action, legal, horizon, states, actions, runs, episodes, table, …
            self.ready: dict = self._ask("hello", {name: value for name, value in hello.items() if value is not None}, "ready", dict)
            for member in ("states", "actions", "horizon", "firstRun", "runs", "episodes"):
                self._expect(_whole(self.ready.get(member)), "hello", self.ready)
        except BaseException:
            self.close()
            raise

    def task(self, graph: bool = False) -> Mapping[str, Any]:
        """Returns what our agents are told of the run, as Agent(task=…) takes it; with the true graph, if it is asked for."""
        return self._ask("task", {"graph": True} if graph else {}, "task", dict)

    def reset(self, run: Optional[int] = None, leave: bool = False) -> Values:
        """Begins the next episode or, with the number of a run, the first one of that run. Returns its first state. An episode
        that is not scored has to be left."""
        answer = self._ask("reset", {**({} if run is None else {"run": run}), **({"leave": True} if leave else {})}, "episode", dict)
        self._expect(isinstance(answer.get("state"), list) and isinstance(answer.get("over"), bool) and _whole(answer.get("number")), "reset", answer)
        #: the episode has no more steps
        self.over: bool = answer["over"]
        #: the number of the episode in its run, from 1
        self.number: int = answer["number"]
        return tuple(answer["state"])

    def step(self, action: Sequence[int]) -> Step:
        """Acts: a value for each action variable."""
        answer = self._ask("step", {"action": [_int(v) for v in action]}, "step", dict)
        fits = isinstance(answer.get("state"), list) and isinstance(answer.get("reward"), (int, float)) and all(isinstance(answer.get(m), bool) for m in ("over", "ended"))
        self._expect(fits, "step", answer)
        self.over = answer["over"]
        return Step(tuple(answer["state"]), float(answer["reward"]), answer["over"], answer["ended"], answer.get("paid"))

    def score(self, table: Optional[Sequence[Sequence[int]]] = None, reference: bool = True) -> Mapping[str, Any]:
        """Scores the episode: by the exact value of its policy, the number of an action for each of the last steps and each
        state, of which the first row stands for the steps before; or, without one, by what was paid. Returns the record, a line of a file that the
        tools of cpsrl read, with the return and, where they are known, optimal, value and reference: the return of an agent that
        searches in the true model, which takes its time; reference=False leaves it out."""
        policy = {"played": True, **({} if reference else {"reference": False})} if table is None else {"table": [[_int(a) for a in row] for row in table]}
        answer = self._ask("policy", policy, "scored", dict)
        self._expect(isinstance(answer.get("record"), dict), "policy", answer)
        return answer


def gymnasium_model(
    env: Any, state: Sequence[Tuple[str, Union[int, Sequence[str]]]], actions: Sequence[str], *, horizon: Optional[int] = None,
    initial: Optional[Sequence[float]] = None, name: str = "", action: str = "action",
    out: Union[str, "os.PathLike[str]", None] = None,
) -> dict:
    """Returns the table env.unwrapped.P of an environment of Gymnasium as a document cpsrl/model, and writes it to a file.

    state    the variables that the number of a state is made of, each with its size or its labels; the last varies fastest
    actions  the names of the actions
    horizon  the most steps of an episode; by default the environment's limit
    initial  the probability of each state; by default the environment's

    The parents of each variable are found: a variable is none of them if the law does not depend on it in any state in which
    an episode goes on. A payoff by next state is paid on arrival or, if it differs on the way to the same one or takes a large
    table, it is the mean, with a warning; values of policies stay as they are. ValueError says what no model can have.
    """
    of = env.unwrapped
    names, sizes = [v for v, _ in state], [values if isinstance(values, int) else len(values) for _, values in state]
    variables = [{"name": v, "size": size, **({} if isinstance(values, int) else {"values": list(values)})} for (v, values), size in zip(state, sizes)]
    points: List[Values] = [()]
    for size in sizes:
        points = [point + (value,) for point in points for value in range(size)]
    if horizon is None:
        horizon = getattr(getattr(env, "spec", None), "max_episode_steps", None)
        if horizon is None:
            raise ValueError("the environment has no limit of steps; horizon= says how many an episode has")
    first = [float(p) for p in (of.initial_state_distrib if initial is None else initial)]
    if not len(first) == len(of.P) == len(points):
        raise ValueError(f"{len(points)} states by their variables, {len(of.P)} by the table and {len(first)} by the initial distribution")

    # What follows a state and an action: by next state, the probability, the payoffs and whether the episode ends.
    rows: dict = {}
    for s in range(len(points)):
        if len(of.P[s]) != len(actions):
            raise ValueError(f"{len(actions)} names for the {len(of.P[s])} actions in the state {s}")
        for a in range(len(actions)):
            row: dict = {}
            for p, following, reward, terminated in of.P[s][a]:
                if p > 0:
                    before = row.setdefault(_int(following), [0.0, [], bool(terminated)])
                    if before[2] != bool(terminated):
                        raise ValueError(f"the state {following} after the state {s} and the action {actions[a]} is terminal and not")
                    before[0] += float(p)
                    before[1].append((float(p), float(reward)))
            total = sum(p for p, _, _ in row.values())
            if abs(total - 1) > 1e-6 * max(2, len(row)):
                raise ValueError(f"the probabilities after the state {s} and the action {actions[a]} sum to {total}")
            if total != 1:
                for entry in row.values():
                    entry[0] /= total
            rows[s, a] = row

    # How the states that episodes reach are entered, and then the others.
    ends = {s: False for s, p in enumerate(first) if p > 0}
    queue = list(ends)
    for s in queue:
        for a in range(len(actions)):
            for following, (_, _, terminated) in rows[s, a].items():
                if following not in ends and not terminated:
                    queue.append(following)
                if ends.setdefault(following, terminated) != terminated:
                    raise ValueError(f"the state {following} is terminal after the state {s} and the action {actions[a]}, and not elsewhere, or the other way round")
    reached = set(ends)
    for (s, _), row in rows.items():
        for following, (_, _, terminated) in row.items():
            if terminated and s not in reached:
                ends.setdefault(following, True)
    rows = {key: row for key, row in rows.items() if not ends.get(key[0], False)}

    laws: List[dict] = [{} for _ in sizes]
    for (s, a), row in rows.items():
        each = [[0.0] * size for size in sizes]
        for following, (p, _, _) in row.items():
            for law, value in zip(each, points[following]):
                law[value] += p
        count = 1
        for law in each:
            count *= sum(p > 0 for p in law)
        for following, (p, _, _) in row.items():
            q = 1.0
            for law, value in zip(each, points[following]):
                q *= law[value]
            if count != len(row) or abs(p - q) > 1e-12:
                raise ValueError(f"after the state {dict(zip(names, points[s]))} and the action {actions[a]}, the next values are not independent of each other; one variable in place of several can hold them")
        for law, of_all in zip(each, laws):
            of_all[points[s] + (a,)] = law

    given_names, given_sizes = names + [action], sizes + [len(actions)]
    model: dict = {
        "format": "cpsrl/model", "version": 1, "name": name, "horizon": horizon, "state": variables,
        "action": [{"name": action, "size": len(actions), "values": list(actions)}],
        "initial": [{"state": list(points[s]), "p": p} for s, p in enumerate(first) if p > 0], "transition": [], "reward": [],
    }
    for v, size, law in zip(names, sizes, laws):
        given, table = _table(law, given_sizes, lambda p, q: all(abs(a - b) <= 1e-12 for a, b in zip(p, q)), [1.0] + [0.0] * (size - 1))
        model["transition"].append({"of": v, "given": [given_names[k] for k in given], "p": table})

    uneven = any(r != paid[0][1] for row in rows.values() for _, paid, _ in row.values() for _, r in paid)
    by_next = uneven or any(paid[0][1] != next(iter(row.values()))[1][0][1] for row in rows.values() for _, paid, _ in row.values())
    given, table = [], None
    if by_next and not uneven:
        paid_at = {points[s] + (a,) + points[y]: paid[0][1] for (s, a), row in rows.items() for y, (_, paid, _) in row.items()}
        given, table = _table(paid_at, given_sizes + sizes, operator.eq, 0.0, most=1 << 20)
    if table is None:
        if by_next:
            why = "differs on the way to the same state" if uneven else "by next state takes a large table"
            warnings.warn(f"a payoff {why}; the model pays its mean over the next states, which leaves the values of policies as they are", stacklevel=2)
        means = {}
        for (s, a), row in rows.items():
            paid_all = [(entry[0] * p / sum(q for q, _ in entry[1]), r) for entry in row.values() for p, r in entry[1]]
            r = paid_all[0][1]
            means[points[s] + (a,)] = r if all(other == r for _, other in paid_all) else sum(p * r for p, r in paid_all)
        given, table = _table(means, given_sizes, operator.eq, 0.0)
    if any(table):
        every = given_names + [v + "'" for v in names]
        model["reward"].append({"given": [every[k] for k in given], "mean": table, "kind": "fixed"})
    given, table = _table({point: ends.get(s, False) for s, point in enumerate(points)}, sizes, operator.eq, False)
    if any(table):
        inner: List[Values] = [()]
        for k in given:
            inner = [values + (value,) for values in inner for value in range(sizes[k])]
        model["terminal"] = [{"name": "terminated", "given": [names[k] for k in given], "is": [list(values) for values, is_end in zip(inner, table) if is_end]}]
    if "terminal" in model or any(v.endswith("'") for r in model["reward"] for v in r["given"] if v not in given_names):
        model["version"] = 2
    if out is not None:
        Path(out).write_text(json.dumps(model, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    return model


def _table(rows: Mapping[Values, Any], sizes: Sequence[int], same: Callable[[Any, Any], bool], otherwise: Any, most: int = 1 << 24) -> Tuple[List[int], Any]:
    """Leaves out the variables on which no row depends, from the last to the first, and returns the others with the whole
    table, or None if it has more rows. Rows that are absent may be anything."""
    given = list(range(len(sizes)))
    for k in reversed(range(len(sizes))):
        short: dict = {}
        for key, row in rows.items():
            if not same(short.setdefault(key[:k] + key[k + 1:], row), row):
                break
        else:
            rows = short
            del given[k]
    count = 1
    for k in given:
        count *= sizes[k]
    if count > most:
        return given, None
    table = [otherwise] * count
    for key, row in rows.items():
        index = 0
        for k, value in zip(given, key):
            index = index * sizes[k] + value
        table[index] = row
    return given, table


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
        ids=["CliffWalking-v1", "CliffWalking-v0"],
    )


def taxi_v3(horizon: int = 20, **prior: Any) -> Problem:
    """Gymnasium's Taxi-v3, which it calls Taxi-v4 from version 1.3 on. A step pays −1, an illegal pick-up or drop-off −9 more, and the delivery 21 more: that
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
        ids=["Taxi-v4", "Taxi-v3"],
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


def main() -> int:
    """Runs the program with this process's arguments: python -m cpsrl run -preset fig1-quick."""
    command = [find_program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.call(command)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AgentError as error:
        sys.exit(str(error))

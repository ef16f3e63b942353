"""A stand-in for the parts of Gymnasium that the tests of cpsrl.py use, where Gymnasium itself cannot be had. Its rules are
those of Gymnasium, by its printed map; test_cpsrl.py compares every step with the models of cpsrl. It has Gymnasium's
traps, too: names of older versions are refused, numbers are not Python's, and an episode that has ended or been truncated
does not go on."""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

__version__ = "1.4 (stand-in)"

_MAP = ["+---------+", "|R: | : :G|", "| : | : : |", "| : : : : |", "| | : | : |", "|Y| : |B: |", "+---------+"]
_STANDS = [(0, 0), (0, 4), (4, 0), (4, 3)]
_LAKES = {"4x4": "SFFF FHFH FFFH HFFG", "8x8": "SFFFFFFF FFFFFFFF FFFHFFFF FFFFFHFF FFFHFFFF FHHFFFHF FHFFHFHF FFFHFFFG"}


class error:
    """The errors of Gymnasium."""

    class Error(Exception):
        pass

    class DeprecatedEnv(Error):
        pass

    class VersionNotFound(Error):
        pass


class Whole:
    """A whole number that is no int, as numpy's."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __eq__(self, other: object) -> bool:
        return self.value == other

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Whole({self.value})"


class Real:
    """A number that is no float, as numpy's."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return float(self.value)


class Truth:
    """A truth value that is no bool, as numpy's: it has no index, but an item."""

    def __init__(self, value: bool) -> None:
        self.value = value

    def __bool__(self) -> bool:
        return self.value

    def item(self) -> bool:
        return self.value


def taxi_step(state: int, action: int) -> Tuple[int, float, bool]:
    """The next state, the reward and whether the episode ends, by Gymnasium's rules."""
    rest, destination = divmod(state, 4)
    rest, passenger = divmod(rest, 5)
    row, col = divmod(rest, 5)
    at, reward, ended = (row, col), -1.0, False
    if action == 0:
        row = min(row + 1, 4)
    elif action == 1:
        row = max(row - 1, 0)
    elif action == 2 and _MAP[row + 1][2 * col + 2] == ":":
        col = min(col + 1, 4)
    elif action == 3 and _MAP[row + 1][2 * col] == ":":
        col = max(col - 1, 0)
    elif action == 4:
        if passenger < 4 and at == _STANDS[passenger]:
            passenger = 4
        else:
            reward = -10.0
    elif action == 5:
        if passenger == 4 and at == _STANDS[destination]:
            passenger, reward, ended = destination, 20.0, True
        elif passenger == 4 and at in _STANDS:
            passenger = _STANDS.index(at)
        else:
            reward = -10.0
    return ((row * 5 + col) * 5 + passenger) * 4 + destination, reward, ended


def cliff_step(state: int, action: int) -> Tuple[int, float, bool]:
    row, col = divmod(state, 12)
    row = min(max(row + (-1, 0, 1, 0)[action], 0), 3)
    col = min(max(col + (0, 1, 0, -1)[action], 0), 11)
    if row == 3 and 0 < col < 11:
        return 36, -100.0, False
    return row * 12 + col, -1.0, (row, col) == (3, 11)


def lake_step(cells: Sequence[str]) -> Callable[[int, int], Tuple[int, float, bool]]:
    size = len(cells)

    def step(state: int, action: int) -> Tuple[int, float, bool]:
        row, col = divmod(state, size)
        if cells[row][col] in "HG":
            return state, 0.0, True
        row = min(max(row + (0, 1, 0, -1)[action], 0), size - 1)
        col = min(max(col + (-1, 0, 1, 0)[action], 0), size - 1)
        return row * size + col, float(cells[row][col] == "G"), cells[row][col] in "HG"

    return step


class Discrete:
    def __init__(self, n: int, start: int = 0) -> None:
        self.n, self.start = n, start


class MultiDiscrete:
    def __init__(self, nvec: List[int]) -> None:
        self.nvec, self.shape = list(nvec), (len(nvec),)

    def contains(self, values: Any) -> bool:
        return len(values) == len(self.nvec) and all(0 <= value < n for value, n in zip(values, self.nvec))


class spaces:
    """The spaces of Gymnasium."""

    MultiDiscrete = MultiDiscrete


class _Spec:
    def __init__(self, limit: Optional[int]) -> None:
        self.max_episode_steps = limit


class Env:
    """What environments derive from."""

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        pass

    def close(self) -> None:
        pass

    @property
    def unwrapped(self) -> "Env":
        return self


class TableEnv:
    """An environment with a table P, in the wrapper of a limit of steps."""

    def __init__(self, states: int, actions: int, rule: Callable[[int, int], Tuple[int, float, bool]], starts: List[int], limit: Optional[int] = None, slips: bool = False) -> None:
        self.observation_space, self.action_space, self.spec = Discrete(states), Discrete(actions), _Spec(limit)
        self._starts, self._rng, self._state, self._left = starts, random.Random(0), 0, -1
        self.initial_state_distrib = [Real((s in starts) / len(starts)) for s in range(states)]
        self.P: Dict[int, Dict[int, list]] = {}
        for s in range(states):
            self.P[s] = {}
            for a in range(actions):
                ways = [rule(s, b) for b in ([(a - 1) % 4, a, (a + 1) % 4] if slips else [a])]
                self.P[s][a] = [(1 / len(ways), Whole(y), reward, Truth(ended)) for y, reward, ended in ways]

    @property
    def unwrapped(self) -> "TableEnv":
        return self

    def reset(self, *, seed: Optional[int] = None) -> Tuple[Whole, dict]:
        if seed is not None:
            self._rng.seed(seed)
        self._state = self._starts[self._rng.randrange(len(self._starts))]
        self._left = self.spec.max_episode_steps or 1 << 30
        return Whole(self._state), {}

    def step(self, action: int) -> Tuple[Whole, Real, Truth, Truth, dict]:
        assert self._left > 0, "the episode is over, and reset begins the next one"
        assert isinstance(action, int) and 0 <= action < self.action_space.n, action
        ways = self.P[self._state][action]
        _, following, reward, ended = ways[self._rng.randrange(len(ways)) if len(ways) > 1 else 0]
        self._state, self._left = following.value, 0 if ended else self._left - 1
        return Whole(self._state), Real(reward), ended, Truth(not ended and self._left == 0), {}


def _taxi() -> TableEnv:
    return TableEnv(500, 6, taxi_step, [s for s in range(500) if s // 4 % 5 < 4 and s // 4 % 5 != s % 4], 200)


def _lake(name: str, limit: int) -> TableEnv:
    cells = _LAKES[name].split()
    return TableEnv(len(cells) ** 2, 4, lake_step(cells), [0], limit, slips=True)


registry = {
    "Taxi-v4": _taxi,
    "CliffWalking-v1": lambda: TableEnv(48, 4, cliff_step, [36]),
    "CliffWalkingSlippery-v1": lambda: TableEnv(48, 4, cliff_step, [36], slips=True),
    "FrozenLake-v1": lambda: _lake("4x4", 100),
    "FrozenLake8x8-v1": lambda: _lake("8x8", 200),
}


def make(name: str) -> TableEnv:
    if name in registry:
        return registry[name]()
    kind = name.rpartition("-v")[0]
    newest = next((other for other in registry if other.rpartition("-v")[0] == kind), None)
    if newest is not None and name < newest:
        raise error.DeprecatedEnv(f"Environment version for `{kind}` is deprecated. Please use `{newest}` instead.")
    raise error.VersionNotFound(f"Environment `{name}` could not be found.")

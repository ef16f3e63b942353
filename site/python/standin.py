"""A stand-in for the parts of Gymnasium that the tests of cpsrl.py use, where Gymnasium itself cannot be had. Its rules are
those of Gymnasium, by its printed map; test_cpsrl.py compares every step with the models of cpsrl."""

from __future__ import annotations

import random
from typing import Any, Optional, Tuple

_MAP = ["+---------+", "|R: | : :G|", "| : | : : |", "| : : : : |", "| | : | : |", "|Y| : |B: |", "+---------+"]
_STANDS = [(0, 0), (0, 4), (4, 0), (4, 3)]


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


class _Env:
    def __init__(self, step: Any, starts: Any) -> None:
        self._rule, self._starts, self._rng, self._state = step, starts, random.Random(0), 0

    def reset(self, *, seed: Optional[int] = None) -> Tuple[int, dict]:
        if seed is not None:
            self._rng.seed(seed)
        self._state = self._starts[self._rng.randrange(len(self._starts))]
        return self._state, {}

    def step(self, action: int) -> Tuple[int, float, bool, bool, dict]:
        self._state, reward, ended = self._rule(self._state, action)
        return self._state, reward, ended, False, {}


def make(name: str) -> _Env:
    if name.startswith("Taxi"):
        return _Env(taxi_step, [s for s in range(500) if s // 4 % 5 < 4 and s // 4 % 5 != s % 4])
    if name.startswith("CliffWalking"):
        return _Env(cliff_step, [36])
    raise ValueError(name)

"""The yardstick of the speed table: flat PSRL in vectorised numpy.

An episode at S=64, A=8, H=100 does the same work as an episode of the engine:
it samples a model (Dirichlet rows as normalised gammas), plans by backward
induction, steps, updates, and evaluates the policy exactly in the true model.
The program prints the median seconds of an episode.
"""

import time

import numpy as np

S, A, H, EPISODES = 64, 8, 100, 150

rng = np.random.default_rng(1)
true_p = rng.standard_gamma(1.0, (S * A, S))
true_p /= true_p.sum(axis=1, keepdims=True)
true_cdf = true_p.cumsum(axis=1)
reward = rng.random((S, A))
alpha = np.ones((S * A, S))
states = np.arange(S)


def plan(p):
    """Backward induction: the policy of each step, and the values of the first step."""
    policy = np.empty((H, S), dtype=np.int64)
    v = np.zeros(S)
    for h in reversed(range(H)):
        q = reward + (p @ v).reshape(S, A)
        policy[h] = q.argmax(axis=1)
        v = q[states, policy[h]]
    return policy, v


def evaluate(policy):
    """The value of the policy in the true model."""
    v = np.zeros(S)
    for h in reversed(range(H)):
        v = reward[states, policy[h]] + true_p[states * A + policy[h]] @ v
    return v.mean()


def episode():
    p = rng.standard_gamma(alpha)
    p /= p.sum(axis=1, keepdims=True)
    policy, _ = plan(p)
    s = int(rng.integers(S))
    for h in range(H):
        x = s * A + int(policy[h, s])
        y = min(int(true_cdf[x].searchsorted(rng.random(), side="right")), S - 1)
        alpha[x, y] += 1
        s = y
    error = np.abs(true_p - p).sum() / (S * A)
    return optimal - evaluate(policy), error


_, v_star = plan(true_p)
optimal = v_star.mean()
times = []
for _ in range(EPISODES):
    start = time.perf_counter()
    episode()
    times.append(time.perf_counter() - start)
print(float(np.median(times)))

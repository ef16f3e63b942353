// A simulator in JavaScript, and an agent that learns it: ../docs/agent.html.

import { agent } from "../playground.mjs";

const map = ["S...", ".##.", ".#..", "...G"];
const moves = [[-1, 0], [0, 1], [1, 0], [0, -1]];
const at = (row, col) => map[row]?.[col] ?? "#";

/** Where a move leads, and what the two payoffs pay: a tenth is lost at each step, and 1 is won at the goal. */
export function step([row, col], [move]) {
  const to = [row + moves[move][0], col + moves[move][1]];
  const next = at(...to) === "#" ? [row, col] : to;
  const ended = at(...next) === "G";
  return { next, paid: [-0.1, ended ? 1 : 0], ended };
}

/** What the agent is told: the variables, which edges are likely, and on what the payoffs depend. */
export const problem = {
  prior: {
    state: [{ name: "row", size: 4 }, { name: "col", size: 4 }],
    action: [{ name: "move", size: 4, values: ["up", "right", "down", "left"] }],
    sparseness: 3,
    edges: [["row", "row", 0.9], ["move", "row", 0.9], ["col", "col", 0.9], ["move", "col", 0.9]],
    dirichlet: { mix: [0.01, 0.1, 1] },
    tables: "tied",
  },
  horizon: 12,
  payoffs: [{ name: "step", range: [-0.1, 0], given: [] }, { name: "goal", range: [0, 1], given: ["row'", "col'"] }],
  seed: 1,
};

/** Plays an episode and lets the agent learn from it. */
export async function play(a, show = () => {}) {
  const policy = await a.policy();
  const steps = [];
  let state = [0, 0];
  for (const actions of policy) {
    const move = actions[4 * state[0] + state[1]];
    const { next, paid, ended } = step(state, [move]);
    steps.push({ x: [...state, move], y: next, paid, ...(ended && { ended }) });
    state = next;
    await show(state);
    if (ended) break;
  }
  return { steps, belief: await a.observe(steps) };
}

const grid = document.getElementById("grid");
const said = document.getElementById("said");
const start = document.getElementById("start");
const pause = () => new Promise((go) => setTimeout(go, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 20));

function draw([row, col]) {
  grid.textContent = map.map((line, r) => [...line].map((cell, c) => (r === row && c === col ? "●" : cell)).join(" ")).join("\n");
}

start?.addEventListener("click", async () => {
  start.disabled = true;
  said.textContent = "Loading the agent…";
  const a = agent(problem);
  const lengths = [];
  try {
    for (let episode = 1; episode <= 150; episode++) {
      const { steps, belief } = await play(a, episode % 10 === 0 ? async (state) => { draw(state); await pause(); } : undefined);
      lengths.push(steps.length);
      const sure = belief.edges.filter(({ p }) => p > 0.95).map(({ from, to }) => `${from} → ${to}`);
      said.textContent = `Episode ${episode}: ${steps.length} steps. It is sure of ${sure.length > 0 ? sure.join(", ") : "no edge yet"}.`;
    }
    const mean = lengths.slice(-20).reduce((sum, n) => sum + n, 0) / 20;
    said.textContent += ` The last 20 episodes took ${mean.toFixed(1)} steps on average; the shortest way has 6.`;
  } catch ({ message }) {
    said.textContent = `The agent refused: ${message}.`;
  }
  a.close();
  start.disabled = false;
});
if (grid) draw([0, 0]);
if (start) start.disabled = false;

// Measures sweeps: what 1,000 small settings cost beside their episodes, what a second core gives, how long a whole folder
// takes, and the memory of table and merge. `./build.sh bench` calls it; alone: node site/bench/sweep.mjs [ROUNDS].

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** The seconds, the seconds of processors and the peak resident megabytes of a command. @param {string[]} command */
function measured(...command) {
  const script = "import resource,subprocess,sys,time;t=time.time();subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);s=time.time()-t;u=resource.getrusage(resource.RUSAGE_CHILDREN);print(s,u.ru_utime+u.ru_stime,u.ru_maxrss/1024)";
  const [seconds, processor, megabytes] = execFileSync("/usr/bin/python3", ["-c", script, ...command], { encoding: "utf8" }).trim().split(" ").map(Number);
  return { seconds: seconds ?? NaN, processor: processor ?? NaN, megabytes: megabytes ?? NaN };
}

/**
 * Measures sweeps and returns rows of a table in Markdown: what, how much, and the bound.
 * @param {string} cli the program
 * @param {number} rounds
 */
export function sweeps(cli, rounds) {
  const folder = mkdtempSync(join(tmpdir(), "cpsrl-sweeps-"));
  const file = (/** @type {string} */ name) => join(folder, name);
  const small = ["-preset", "fig1-quick"]; // 4 runs of 3 agents with 60 episodes
  const seeds = Array.from({ length: 1000 }, (_, k) => k + 1).join(",");
  const sweep = (/** @type {number} */ cores) => measured("env", `GOMAXPROCS=${cores}`, cli, "sweep", ...small, "-vary", `seed=${seeds}`, "-o", file("d"), "-workers", String(cores));
  /** @type {Record<"cost" | "cores" | "resume", number[]>} */
  const kept = { cost: [], cores: [], resume: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      const episodes = measured(cli, "run", ...small, "-runs", "4000", "-workers", "1", "-o", file("run.jsonl"));
      const one = sweep(1);
      kept.resume.push(sweep(2).seconds);
      rmSync(file("d"), { recursive: true });
      const two = sweep(2);
      rmSync(file("d"), { recursive: true });
      kept.cost.push(one.processor / episodes.processor);
      kept.cores.push(one.seconds / two.seconds);
    }
    // 10⁶ records in one setting, and a hundredth of them.
    const memory = (/** @type {string} */ runs) => {
      const first = String(Number(runs) / 2);
      measured(cli, "sweep", ...small, "-vary", `runs=${runs}`, "-o", file("m"));
      measured(cli, "run", ...small, "-runs", first, "-o", file("a.jsonl"));
      measured(cli, "run", ...small, "-first", first, "-runs", first, "-o", file("b.jsonl"));
      const table = measured(cli, "table", file("m")).megabytes;
      const merge = measured(cli, "merge", file("a.jsonl"), file("b.jsonl"), "-o", file("c.jsonl")).megabytes;
      rmSync(file("m"), { recursive: true });
      return { table, merge };
    };
    const few = memory("56"), many = memory("5600");
    return [
      ["processor time of a sweep of 1,000 settings, beside its episodes", `${median(kept.cost).toFixed(2)} ×`, "1.2 ×"],
      ["two cores beside one, the same sweep", `${median(kept.cores).toFixed(2)} ×`, "at least 1.85 ×"],
      ["a whole folder of 1,000 settings, again", `${median(kept.resume).toFixed(1)} s`, "2 s"],
      ["memory of `table`, 10⁶ records (10⁴)", `${many.table.toFixed(0)} MB (${few.table.toFixed(0)} MB)`, "100 MB"],
      ["memory of `merge`, 10⁶ records (10⁴)", `${many.merge.toFixed(0)} MB (${few.merge.toFixed(0)} MB)`, "100 MB"],
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string[][]} rows */
export const table = (rows) => ["| sweeps | measured | bound |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cli = join(tmpdir(), `cpsrl-sweep-bench-${process.pid}`);
  execFileSync("go", ["build", "-o", cli, "./core/cmd/cpsrl"], { cwd: root });
  console.log(table(sweeps(cli, Number(process.argv[2] ?? 3))));
  rmSync(cli);
}

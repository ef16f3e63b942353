// One browser and one server for several files of tests: prints its own process and what the
// files have to know, for their environment's TEST_HOST. It ends when it is told to, or with its browser.

import { share } from "./browser.mjs";

const { host, stop } = await share(end);

async function end() {
  await stop();
  process.exit();
}
process.once("SIGTERM", end);
process.stdout.write(`${process.pid} ${JSON.stringify(host)}\n`);

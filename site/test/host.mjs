// Starts one browser and one server for several test files. It prints its process id and the value of
// TEST_HOST, the environment variable from which the files learn of them. It ends on SIGTERM, or when its browser ends.

import { share } from "./browser.mjs";

const { host, stop } = await share(end);

async function end() {
  await stop();
  process.exit();
}
process.once("SIGTERM", end);
process.stdout.write(`${process.pid} ${JSON.stringify(host)}\n`);

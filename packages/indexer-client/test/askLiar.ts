// Asks the indexer at a URL for its status, in a process of its own, and prints how that ended and at what cost. The second
// argument is how long the request may take, in milliseconds.
import { getStatus, openIndexer } from "../src/index.ts";

const [, , url = "", limit] = process.argv;
const timeoutMs = Number(limit);
const peakMiB = () => process.resourceUsage().maxRSS / 1024;
// What `fetch` takes by itself counts as the start.
await fetch(url, { method: "HEAD" }).catch(() => undefined);
const before = peakMiB();
const started = performance.now();
let code: unknown;
try {
  await getStatus(openIndexer(url, { attemptTimeoutMs: timeoutMs, timeoutMs }));
} catch (error) {
  code = Reflect.get(Object(error), "code");
}
const milliseconds = Math.round(performance.now() - started);
console.log(
  JSON.stringify({ code, milliseconds, grownMiB: Math.round(peakMiB() - before), before: Math.round(before) }),
);

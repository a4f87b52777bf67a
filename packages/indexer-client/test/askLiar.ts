// Reads the status of the indexer at a URL, in a separate process, and prints the result and its cost. The second
// argument is the timeout in milliseconds.
import { getStatus, openIndexer } from "../src/index.ts";

const [, , url = "", limit] = process.argv;
const timeoutMs = Number(limit);
const peakMiB = () => process.resourceUsage().maxRSS / 1024;
// The memory of `fetch` itself counts as the baseline.
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

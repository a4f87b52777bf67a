import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PlayedLogs } from "@vipscore/testkit/playedLogs";

/**
 * A separate process that plays an EVM node: `eventsServer <logs>`. Sends its URL to its parent, answers each message with the
 * seconds of CPU that it used so far, and ends with it.
 */
const played = new PlayedLogs(Number(process.argv[2]));
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(played.answer(Buffer.concat(chunks).toString()));
  });
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, last: played.height });
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1_000_000);
});
process.on("disconnect", () => process.exit(0));

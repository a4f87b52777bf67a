import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PlayedLogs } from "@vipscore/testkit/playedLogs";
import { PlayedVmEvents } from "@vipscore/testkit/playedVmEvents";
import { PlayedTokens } from "./playedTokens.ts";

/**
 * A separate process that plays a node with events, or an EVM node with NFTs: `playedServer evm|move|wasm|tokens <number>`. Sends
 * its URL to its parent, answers each message with the seconds of CPU that it used so far, and ends with it.
 */
const [, , kind = "", count] = process.argv;
const played = playedNode(kind, Number(count));
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(played.answer(Buffer.concat(chunks).toString()));
  });
});
// On a busy machine, a reader would use connections that are being closed.
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, last: played.height });
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1_000_000);
});
process.on("disconnect", () => process.exit(0));

function playedNode(of: string, number: number): PlayedLogs | PlayedVmEvents | PlayedTokens {
  if (of === "tokens") return new PlayedTokens(number);
  return of === "move" || of === "wasm" ? new PlayedVmEvents(of, number) : new PlayedLogs(number);
}

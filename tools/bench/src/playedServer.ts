import { PlayedLogs } from "@vipscore/testkit/playedLogs";
import { PlayedVmEvents } from "@vipscore/testkit/playedVmEvents";
import { servePlayed } from "@vipscore/testkit/servePlayed";
import { PlayedTokens } from "./playedTokens.ts";

/**
 * A separate process that plays a node with events, or an EVM node with NFTs: `playedServer evm|move|wasm|tokens <number>`. Sends
 * its URL to its parent, answers each message with the seconds of CPU that it used so far, and ends with it.
 */
const [, , kind = "", count] = process.argv;
const played = playedNode(kind, Number(count));
const { url } = await servePlayed(played);
process.send?.({ url, last: played.height });
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1_000_000);
});
process.on("disconnect", () => process.exit(0));

function playedNode(of: string, number: number): PlayedLogs | PlayedVmEvents | PlayedTokens {
  if (of === "tokens") return new PlayedTokens(number);
  return of === "move" || of === "wasm" ? new PlayedVmEvents(of, number) : new PlayedLogs(number);
}

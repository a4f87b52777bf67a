/**
 * Follows the EVM chain at the URL in the first argument into the database in the second, and serves it, until it is killed.
 * Prints lines of JSON: its URL, its events, and its peak memory in KiB. On an error that makes following impossible, prints
 * the error's code and exits with status 3.
 */
import { VipError } from "@vipscore/core";
import { startIndexer } from "../src/startIndexer.ts";

const [jsonRpcUrl = "", database = ""] = process.argv.slice(2);
const print = (line: object): void => console.log(JSON.stringify(line));

try {
  const indexer = await startIndexer({
    source: { jsonRpcUrl },
    database,
    pollMs: 50,
    onEvent: (event) => {
      const told = event.type === "waiting" ? { type: event.type, why: event.error.shortMessage } : event;
      print({ ...told, maxRssKib: process.resourceUsage().maxRSS });
    },
    onRequestError: (error) => print({ type: "request", why: String(error) }),
  });
  print({ type: "serves", url: indexer.url });
  await indexer.ended;
} catch (error) {
  print({ type: "ended", code: VipError.isVipError(error) ? error.code : String(error) });
  process.exitCode = 3;
}

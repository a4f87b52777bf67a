import { parseArgs } from "node:util";
import { getStatus, openIndexer } from "@vipscore/indexer-client";
import { seedOfRun } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { formatComparison } from "./formatComparison.ts";
import { readData } from "./readData.ts";
import { generateRequests } from "./requests/generateRequests.ts";
import { generateWalks } from "./requests/generateWalks.ts";
import { runRequests } from "./runRequests.ts";
import { sendTo } from "./sendTo.ts";

/** Shorter parts of a URL occur in texts by chance and are not treated as secrets. */
const shortestSecret = 6;

/**
 * Checks the indexer at a URL against the rules: `compare --url https://… [--seed N] [--requests N]`. Exit status 0 if all answers
 * agree, 1 if some differ, 2 if nothing could be compared.
 */
process.exitCode = await compare(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});

async function compare(args: string[]): Promise<number> {
  const { url, seed, count } = readOptions(args);
  const send = sendTo(url.href);
  const indexer = openIndexer(url.origin, {
    // The same for both: a URL's path, query, user and password are sent and never shown.
    fetch: async (input) => {
      const { pathname, search } = new URL(input);
      const { status, contentType, body } = await send({ path: pathname, query: search.slice(1) });
      return new Response(body, { status, headers: { "content-type": contentType } });
    },
  });
  const { chain_id: chainId, height } = await getStatus(indexer);
  const data = await readData(indexer);
  console.log(`seed ${seed} (FUZZ_SEED repeats it); ${url.origin}, chain ${chainId} at height ${height}:`);
  console.log(`tokens ${data.tokens.length}, collections ${data.collections.length}\n`);
  if (data.tokens.length === 0) throw new RangeError("the indexer has no token, so it cannot be compared");

  const random = seededRandom(seed);
  const requests = generateRequests(data, random, count);
  const comparison = await runRequests(send, data, { requests, walks: generateWalks(data, random) });
  console.log(hideSecrets(formatComparison(comparison), url));
  const { height: after } = await getStatus(indexer);
  if (after !== height)
    console.log(`\nThe chain moved on to height ${after}: changes since then count as differences.`);
  return comparison.differences.length > 0 ? 1 : 0;
}

function readOptions(args: string[]): { readonly url: URL; readonly seed: number; readonly count: number } {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: "string" },
      seed: { type: "string", default: String(seedOfRun()) },
      requests: { type: "string", default: "600" },
    },
  });
  const url = URL.parse(values.url ?? "");
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new RangeError("--url is the address before /indexer/nft/v1, http:// or https://");
  }
  return { url, seed: wholeNumber("--seed", values.seed), count: wholeNumber("--requests", values.requests) };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new RangeError(`${name} "${text}" is not a number`);
  return Number(text);
}

/** Removes parts of a URL that may be credentials: servers repeat them in their errors. */
function hideSecrets(text: string, { username, password, pathname, searchParams }: URL): string {
  const parts = [username, password, ...pathname.split("/"), ...searchParams.values()];
  const secrets = parts.filter((part) => part.length >= shortestSecret).sort((a, b) => b.length - a.length);
  return secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
}

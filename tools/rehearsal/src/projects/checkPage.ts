import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import { findChromium } from "@vipscore/testkit/findChromium";

const collection = "0xc100000000000000000000000000000000000001";
const owners = [
  "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz",
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl203",
  "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz",
];

/** The values that the page of `projects/vite` has to show for these tokens. */
const expected = {
  vm: "evm",
  chain: "rollup-1",
  account: "0xaaaa00000000000000000000000000000000aaaa",
  score: "2",
  proof: true,
  forged: false,
  error: "INPUT_INVALID",
};

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/**
 * Opens the page that a project has built in Chromium, on a server that is an NFT indexer too.
 *
 * @throws Error when the page shows something else than expected, or the browser complains.
 */
export async function checkPage(project: string): Promise<void> {
  const server = createServer((request, response) => answer(join(project, "dist"), request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const found = await findChromium();
  const browser = await chromium.launch(found.launch);
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // Ends early if the page's script fails.
    const shown = await Promise.race([
      page.locator("#result:not(:empty)").textContent(),
      page.waitForEvent("pageerror").then((error) => error.message),
    ]);
    if (complaints.length > 0) throw new Error(`Chromium: ${complaints.join("\n")}`);
    const result: unknown = JSON.parse(shown ?? "null");
    if (!isDeepStrictEqual(result, expected)) throw new Error(`the page shows ${shown}`);
    console.log(`Chromium ${browser.version()} shows ${shown}`);
  } finally {
    await browser.close();
    await found[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
  }
}

/** Answers as the indexer does, or with a file of the page. */
function answer(dist: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
  if (pathname === "/status" || pathname.startsWith("/indexer/")) {
    const body = pathname === "/status" ? status : listing(searchParams.has("pagination.key"));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    return;
  }
  const file = join(dist, pathname === "/" ? "index.html" : pathname);
  if (!existsSync(file)) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": types[extname(file)] ?? "" }).end(readFileSync(file));
}

const status = { version: "1", commit_hash: "ab", chain_id: "rollup-1", height: 5 };

/** The tokens, and after them an empty page. */
function listing(isLast: boolean): object {
  const tokens = owners.map((owner, index) => ({
    collection_addr: collection,
    collection_name: "Tokens",
    collection_origin_name: "Tokens",
    object_addr: "",
    owner,
    nft: { token_id: String(index), uri: "" },
    height: 5,
    timestamp: "2026-01-01T00:00:00Z",
  }));
  const next = { previous_key: null, next_key: null, total: "0" };
  return { tokens: isLast ? [] : tokens, pagination: next };
}

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { openChromium } from "@vipscore/testkit/openChromium";
import type * as addresses from "../../src/decodeAddress.ts";
import type * as holders from "../../src/holders.ts";
import type * as main from "../../src/index.ts";
import type * as metadata from "../../src/metadata.ts";
import type * as query from "../../src/query.ts";

/** The package in the page. */
export type PackageInPage = typeof main & typeof addresses & typeof holders & typeof metadata & typeof query;

declare global {
  // oxlint-disable-next-line no-var -- only a var is a property of globalThis
  var vipscore: PackageInPage;
}

/** The built entries of the package, by import specifier. */
const entries: Readonly<Record<string, string>> = {
  "@vipscore/indexer-client": "/dist/index.js",
  "@vipscore/indexer-client/address": "/dist/decodeAddress.js",
  "@vipscore/indexer-client/holders": "/dist/holders.js",
  "@vipscore/indexer-client/metadata": "/dist/metadata.js",
  "@vipscore/indexer-client/query": "/dist/query.js",
};

const html = `<!doctype html><title>vipscore</title>
<script type="importmap">${JSON.stringify({ imports: entries })}</script>
<script type="module">
${Object.keys(entries)
  .map((name, index) => `import * as entry${index} from "${name}";`)
  .join("\n")}
globalThis.vipscore = { ${Object.keys(entries)
  .map((_, index) => `...entry${index}`)
  .join(", ")} };
</script>`;

/** A page in Chromium with the package in it. */
export interface BrowserPage extends AsyncDisposable {
  readonly page: Page;
  /** Output and errors of the browser. */
  readonly complaints: readonly string[];
}

/** Starts Chromium and opens a page that has imported every entry of the built package. */
export async function openBrowserPage(): Promise<BrowserPage> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://server").pathname;
    if (!/^\/dist\/[\w/]+\.js$/.test(path)) return response.writeHead(200, { "content-type": "text/html" }).end(html);
    const file = new URL(`../..${path}`, import.meta.url);
    return response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const browser = await openChromium();
  const { page, complaints } = browser;
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the page's server has no port");
  await page.goto(`http://127.0.0.1:${address.port}/`);
  await page.waitForFunction(() => "vipscore" in globalThis);
  return {
    page,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await browser[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

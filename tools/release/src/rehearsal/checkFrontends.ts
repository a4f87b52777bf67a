import { deepStrictEqual } from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { findChromium } from "@vipscore/testkit/findChromium";
import { freePort } from "@vipscore/testkit/freePort";
import { until } from "@vipscore/testkit/until";
import { runProgram } from "../runProgram.ts";
import { servePage } from "./servePage.ts";
import { withPageChain } from "./withPageChain.ts";
import { withProgram } from "./withProgram.ts";

// The second in the page's scores.csv, together with a third.
const account = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
const answers = [
  ["Stage 2, which still counts", "350 points, rank 2 of 3"],
  ["Stage 1, to claim", "350 points, proved by its snapshot"],
  ["NFTs", "Cats 1"],
];
const lines = answers.map((answer) => answer.join(": "));

/**
 * Builds the page that `vipscore new page` wrote with other bundlers, and its code into Next.js and a worker, and opens each one
 * with one local chain.
 *
 * @param folder The project, with the page in its folder `page`.
 */
export async function checkFrontends(folder: string, given: NodeJS.ProcessEnv): Promise<void> {
  const env = { ...given, NEXT_TELEMETRY_DISABLED: "1" };
  const page = join(folder, "page");
  const build = async (program: string, ...args: readonly string[]): Promise<void> => {
    const started = performance.now();
    const output = await runProgram(program, args, folder, env);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`  ${[program, ...args].join(" ")} (${seconds} s): ${output.trim().split("\n").at(-1)}`);
  };
  const found = await findChromium();
  const browser = await chromium.launch(found.launch);
  try {
    await withPageChain(page, env, async () => {
      for (const part of ["index.html", "public", "src"])
        await cp(join(page, part), join(folder, part), { recursive: true });
      await build("npx", "next", "build");
      await checkNext(folder, env, browser);
      await build("npx", "parcel", "build", "index.html", "--dist-dir", "parcel", "--no-source-maps");
      await checkPageFiles(join(folder, "parcel"), browser);
      await build("node", "build.js");
      await checkPageFiles(join(folder, "esbuild"), browser);
      await checkWorker(folder, env);
    });
  } finally {
    await browser.close();
    await found[Symbol.asyncDispose]();
  }
}

async function checkNext(cwd: string, env: NodeJS.ProcessEnv, browser: Browser): Promise<void> {
  const port = String(await freePort());
  const command = ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", port] as const;
  await withProgram(["node", ...command], cwd, env, async (check) => {
    const url = `http://127.0.0.1:${port}/?account=${account}`;
    const html = await (await answerOf(url, check)).text();
    deepStrictEqual(/<li>(.*?)<\/li>/.exec(html)?.[1], lines[0], "the server reads the score");
    const page = await browser.newPage();
    await page.goto(url);
    await page.locator("li").nth(2).waitFor();
    deepStrictEqual(await page.locator("li").allTextContents(), lines);
    await page.close();
  });
}

async function checkWorker(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const address = `127.0.0.1:${await freePort()}`;
  const command = [
    "node_modules/workerd/bin/workerd",
    "serve",
    "worker.capnp",
    `--socket-addr=http=${address}`,
  ] as const;
  await withProgram(command, cwd, env, async (check) => {
    const response = await answerOf(`http://${address}/?account=${account}`, check);
    deepStrictEqual(await response.json(), answers);
  });
}

/** Asks a server as soon as it listens. */
function answerOf(url: string, check: () => void): Promise<Response> {
  return until(url, () => {
    check();
    return fetch(url).catch(() => undefined);
  });
}

/** Opens the template's page, whose files are in a folder, and those that it reads in `public` beside it. */
async function checkPageFiles(folder: string, browser: Browser): Promise<void> {
  const page = await browser.newPage();
  await servePage(page, folder, join(folder, "../public"));
  await page.goto("http://localhost/");
  await page.fill("#address", account);
  await page.press("#address", "Enter");
  await page.locator("dd").nth(2).waitFor();
  deepStrictEqual(await page.locator("dt, dd").allTextContents(), answers.flat());
  await page.close();
}

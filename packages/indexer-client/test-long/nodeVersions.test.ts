import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { playIndexer, recordedTokens } from "../test/playedIndexer.ts";

const collectionAddr = "0xc100000000000000000000000000000000000001";
const script = fileURLToPath(new URL("readEverything.mjs", import.meta.url));

// Settings of an npm around the tests would change what the tests' npm runs; the registry is kept.
const { npm_config_call: _call, npm_config_package: _package, ...env } = process.env;

// The package `node` in the registry has each version.
test.each([20, 22, 24])("the built package works in Node %i", async (version) => {
  const { url } = await playIndexer(recordedTokens);
  const { stdout } = await promisify(execFile)(
    "npx",
    ["-y", "-p", `node@${version}`, "node", script, url, collectionAddr],
    { cwd: fileURLToPath(new URL("..", import.meta.url)), env },
  );
  const { node, ...read } = JSON.parse(stdout) as { readonly node: string };
  console.log(node);
  expect(node).toMatch(new RegExp(`^v${version}\\.`));
  expect(read).toEqual({ tokens: 250, total: 250, holders: 1, refusal: "INDEXER_BAD_REQUEST", abort: "enough" });
});

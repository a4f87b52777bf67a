import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { blocksOf, readGuide } from "../guide.ts";
import { runCli, type CliResult, type JsonObject } from "../harness.ts";

const markdown = await readFile(new URL("../../../../docs/indexer.md", import.meta.url), "utf8");

const ended = new AbortController();
const cwd = temporaryFolder();
let node: Promise<CliResult>;
beforeAll(async () => {
  process.chdir(cwd);
  node = runCli(["node", "--vm", "move", "--indexer", "0", "--port", "0"], cwd, { signal: ended.signal });
  await until("the local node", () => readNodeFile(cwd));
});
afterAll(async () => {
  ended.abort();
  await node;
});

test("a package of two files brings a token to the indexer of a local chain", async () => {
  const [{ text, commands } = expect.fail("no section")] = readGuide(markdown, {}, /^Practice/);
  await mkdir(join(cwd, "cats", "sources"), { recursive: true });
  await writeFile(join(cwd, "cats", "Move.toml"), blocksOf(text, "toml")[0] ?? "");
  await writeFile(join(cwd, "cats", "sources", "cats.move"), blocksOf(text, "move")[0] ?? "");
  const [publish = [], list = []] = commands.map(({ args }) => args);
  // The compiler asks Go where the library is.
  const { PATH, HOME } = process.env;
  const { status, stderr } = await runCli(publish, cwd, { env: { PATH, HOME } });
  expect({ status, error: status === 0 ? "" : stderr }).toEqual({ status: 0, error: "" });
  // The indexer follows the chain.
  const tokens = await until("the token", async () => {
    const found = (await runCli([...list, "--json"], cwd)).json()["tokens"] as readonly JsonObject[];
    return found.length === 0 ? undefined : found;
  });
  expect(tokens).toMatchObject([{ collectionName: "Cats", tokenId: "1", uri: "https://example.org/1.json" }]);
});

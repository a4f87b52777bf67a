import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { passOn, script } from "@vipscore/testkit/scriptedServer";
import { runCli } from "./harness.ts";
import {
  alice,
  aliceShown,
  blockHash,
  cats,
  collection,
  localNode,
  mintCats,
  minted,
  startIndexedChain,
  type IndexedChain,
} from "./indexedChain.ts";

let indexed: IndexedChain;
let cwd: string;

beforeAll(async () => {
  indexed = await startIndexedChain();
  await mintCats(indexed);
});
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "vipscore-indexer-checks-"));
  await writeNodeFile(cwd, localNode(indexed));
  return () => rm(cwd, { recursive: true, force: true });
});
afterAll(() => indexed[Symbol.asyncDispose]());

const warningsIn = (stderr: string) => stderr.match(/^warning .*/gm) ?? [];

const score = (args: readonly string[]) => runCli(["score", "holders", ...args], cwd);

describe("an indexer", () => {
  const catsToFile = ["--collection", cats, "--out", "scores.csv"];
  afterEach(() => {
    indexed.ahead = 0;
    indexed.restedMs = 0;
    indexed.evmTxHash = undefined;
  });

  test("that is a few blocks behind the rollup is accepted", async () => {
    indexed.ahead = 20;
    const { status } = await score(catsToFile);
    expect(status).toBe(0);
  });

  test("that is more than 60 s behind is refused: INDEXER_BEHIND, no file; nft warns", async () => {
    indexed.ahead = 100;
    const { status, stderr } = await score(catsToFile);
    expect(status).toBe(4);
    expect(stderr).toContain("[INDEXER_BEHIND, exit 4]");
    expect(stderr).toMatch(/\b100 blocks, \d+ s\b/);
    expect(await readdir(cwd)).toEqual([".vipscore"]);
    const nft = await runCli(["nft", "holders", cats], cwd);
    expect(nft.status).toBe(0);
    expect(nft.stderr).toMatch(/^warning .*\b100 blocks, \d+ s\b/m);
  });

  test("that never gets the last block of an idle rollup is refused", async () => {
    indexed.ahead = 1;
    indexed.restedMs = 3_600_000;
    const { stderr } = await score(catsToFile);
    expect(stderr).toContain("[INDEXER_BEHIND, exit 4]");
    expect(stderr).toMatch(/\b1 block, 3,6\d\d s\b/);
  });

  test("that gets it during the check is accepted", async () => {
    const late = await startIndexedChain();
    await late.block(collection(cats), minted(cats, "1", alice));
    late.ahead = 1;
    late.restedMs = 3_600_000;
    let looks = 0;
    late.onRequest = async (path) => {
      if (path !== "/status") return;
      looks += 1;
      if (looks !== 3) return;
      late.ahead = 0;
      await late.block();
    };
    await writeNodeFile(cwd, localNode(late));
    const { status } = await score(catsToFile);
    await late[Symbol.asyncDispose]();
    expect(status).toBe(0);
    expect(looks).toBeGreaterThan(2);
  });

  test.each(["move", "wasm", "evm"] as const)("of another chain is refused on %s: CHAIN_MISMATCH", async (vm) => {
    const other = await startIndexedChain("99");
    const same = await score([...catsToFile, "--vm", vm, "--endpoint", indexed.nodeUrl]);
    expect(same.status).toBe(0);
    const { status, stderr } = await score(["--collection", cats, "--vm", vm, "--endpoint", other.nodeUrl]);
    await other[Symbol.asyncDispose]();
    expect(status).toBe(3);
    expect(stderr).toContain("[CHAIN_MISMATCH, exit 3]");
  });

  test("that names an EVM rollup by its Cosmos id is compared by the hash of a block", async () => {
    const cosmos = await startIndexedChain("local-evm-1");
    await cosmos.block(collection(cats), minted(cats, "1", alice));
    const args = ["--collection", cats, "--vm", "evm", "--indexer-url", cosmos.url, "--endpoint", cosmos.nodeUrl];
    const uncompared = await score(args);
    cosmos.evmTxHash = blockHash(1).toUpperCase().replace("0X", "0x");
    const compared = await score(args);
    cosmos.evmTxHash = blockHash(2);
    const other = await score(args);
    await cosmos[Symbol.asyncDispose]();
    expect(uncompared.status).toBe(0);
    expect(warningsIn(uncompared.stderr)).toHaveLength(1);
    expect(compared.status).toBe(0);
    expect(warningsIn(compared.stderr)).toEqual([]);
    expect(other.stderr).toContain("[CHAIN_MISMATCH, exit 3]");
  });

  test("is not checked without an endpoint, with a warning", async () => {
    const { status, stderr } = await score([...catsToFile, "--vm", "wasm"]);
    expect(status).toBe(0);
    expect(warningsIn(stderr)).toHaveLength(1);
  });

  test("that cannot serve a row fails the commands, or the row is skipped with --skip-unreadable", async () => {
    // An indexer that answers 500 for each page with a token.
    const { url, close } = await script(async (request) => {
      const page = await passOn(indexed.url, request);
      return JSON.stringify(page.body).includes(String.raw`\"token_id\":\"2\"`)
        ? { status: 500, body: "Internal Server Error", headers: { "content-type": "text/plain" } }
        : { ...page, headers: { "content-type": "application/json" } };
    });
    const indexerFlag = ["--indexer-url", url];
    const refused = await score([...catsToFile, ...indexerFlag]);
    expect(refused.status).toBe(4);
    expect(refused.stderr).toContain("[INDEXER_UNREADABLE, exit 4]");
    expect(refused.stderr).toMatch(/\b1 row\b.*\brow 2\b/);
    expect(await readdir(cwd)).toEqual([".vipscore"]);
    const without = await score(["--collection", cats, ...indexerFlag, "--skip-unreadable", "--json"]);
    expect(without.json()).toMatchObject({
      total: "2",
      collections: [{ tokens: 3, unreadable: [{ row: 2 }] }],
    });
    const holders = await runCli(["nft", "holders", cats, ...indexerFlag], cwd);
    expect(holders.stdout).toContain(aliceShown);
    expect(holders.stderr).toContain("[INDEXER_UNREADABLE, exit 4]");
    const tokens = await runCli(["nft", "tokens", "--collection", cats, ...indexerFlag], cwd);
    expect(tokens.stdout.trimEnd().split("\n")).toHaveLength(4);
    expect(tokens.stderr).toMatch(/\b1 row\b.*\brow 2\b/);
    expect(tokens.status).toBe(4);
    const listed = await runCli(["nft", "tokens", "--collection", cats, ...indexerFlag, "--skip-unreadable"], cwd);
    expect(listed).toMatchObject({ status: 0, stdout: tokens.stdout });
    await close();
  });
});

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readScores } from "@vipscore/core";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { addressOf, runCli, startTestChain, type CliOptions, type TestChain } from "./harness.ts";
import {
  alice,
  aliceShown,
  bob,
  cats,
  collection,
  localNode,
  mintCats,
  minted,
  moved,
  startIndexedChain,
  type IndexedChain,
} from "./indexedChain.ts";

const dogs = "0x00000000000000000000000000000000000000d1";
const object = `0x${"ab".repeat(32)}` as const;
const u64Max = 2n ** 64n - 1n;

let indexed: IndexedChain;
let cwd: string;

beforeAll(async () => {
  indexed = await startIndexedChain();
  await mintCats(indexed);
  await indexed.block(collection(dogs, "Dogs"), minted(dogs, "1", object), minted(dogs, "2", bob));
});
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "vipscore-score-"));
  await writeNodeFile(cwd, localNode(indexed));
  return () => rm(cwd, { recursive: true, force: true });
});
afterAll(() => indexed[Symbol.asyncDispose]());

const score = (args: readonly string[], options?: CliOptions) => runCli(["score", "holders", ...args], cwd, options);

describe("the CSV", () => {
  test("has tokens times weight of all collections, sorted by account, without tokens of the zero address", async () => {
    const { status, stdout, stderr } = await score([
      "--collection",
      cats,
      "--collection",
      dogs,
      "--weight",
      "10",
      "--weight",
      "3",
      "--vm",
      "move",
    ]);
    expect(status).toBe(0);
    expect(stdout).toBe(`address,score\n${bob},13\n${object},3\n${aliceShown},20\n`);
    expect(stderr.split("\n")).toEqual([
      `indexer   ${indexed.url}  (.vipscore/node.json)`,
      `${cats}  "Cats"  chain 31337  height 2  4 tokens  3 holders  weight 10`,
      `${dogs}  "Dogs"  chain 31337  height 2  2 tokens  2 holders  weight 3`,
      expect.stringMatching(/^warning .*\b1 token\b.*\b1 holder\b.*--without-contracts\b/),
      `  ${object}  1 token`,
      expect.stringMatching(/^1 token\b/),
      expect.stringMatching(/^scored .*\b3 accounts\b.*\b36\b.*\b[0-9a-f]{4}…[0-9a-f]{2}$/),
      expect.stringMatching(/\bscore new\b.*--example nft-holders\b/),
      "",
    ]);
  });

  // Three cats and two dogs have an owner.
  test.each([
    [[], 5n],
    [["--weight", "7"], 35n],
    [["--weight", "7", "1"], 23n],
  ])("weights %j", async (weights, total) => {
    const { status } = await score(["--collection", cats, dogs, ...weights, "--out", "scores.csv"]);
    expect(status).toBe(0);
    const table = await readScores(join(cwd, "scores.csv"), { accountBytes: [20, 32] });
    expect(table.total).toBe(total);
  });

  test("push's reader accepts a file with the largest possible score", async () => {
    const { status } = await score([
      "--collection",
      dogs,
      "--weight",
      (u64Max / 2n).toString(),
      "--vm",
      "move",
      "--out",
      "scores.csv",
    ]);
    expect(status).toBe(0);
    const table = await readScores(join(cwd, "scores.csv"), { accountBytes: [20, 32] });
    expect(table.total).toBe(u64Max - 1n);
  });

  test("--json has everything, including the scores if no file is written", async () => {
    const result = await score(["--collection", dogs, "--vm", "wasm", "--without-contracts", "--json"]);
    expect(result.json()).toMatchObject({
      command: "score holders",
      chainId: "31337",
      collections: [{ address: dogs, name: "Dogs", weight: "1", height: 2, tokens: 2, holders: 2 }],
      accounts: 1,
      total: "1",
      file: null,
      contracts: { vm: "wasm", areKnown: true, areLeftOut: true, holders: [{ address: object, tokens: 1 }] },
      tokensOfNobody: 0,
      scores: [{ address: bob, score: "1" }],
    });
    const inFile = await score(["--collection", dogs, "--vm", "wasm", "--out", "scores.csv", "--json"]);
    expect(inFile.json()).not.toHaveProperty("scores");
    expect(inFile.json()).toMatchObject({ file: "scores.csv" });
  });

  test("an existing file is not changed, and nothing else is left behind", async () => {
    await writeFile(join(cwd, "scores.csv"), "mine");
    const { status, stderr } = await score(["--collection", cats, "--out", "scores.csv"]);
    expect(status).toBe(2);
    expect(stderr).toContain("[FILE_UNWRITABLE, exit 2]");
    expect(await readFile(join(cwd, "scores.csv"), "utf8")).toBe("mine");
    const nowhere = await score(["--collection", cats, "--out", "no/such/folder.csv"]);
    expect(nowhere.stderr).toContain("[FILE_UNWRITABLE, exit 2]");
    const overflown = await score(["--collection", cats, "--weight", u64Max.toString(), "--out", "other.csv"]);
    expect(overflown.stderr).toContain(alice);
    expect(overflown.stderr).toContain("[INPUT_INVALID, exit 2]");
    expect(await readdir(cwd)).toEqual([".vipscore", "scores.csv"]);
  });
});

describe("bad input", () => {
  test.each([
    ["no collection", []],
    ["a weight of 0", ["--collection", cats, "--weight", "0"]],
    ["a negative weight", ["--collection", cats, "--weight=-1"]],
    ["a fraction", ["--collection", cats, "--weight", "1.5"]],
    ["a weight above u64", ["--collection", cats, "--weight", (u64Max + 1n).toString()]],
    ["a weight that is a word", ["--collection", cats, "--weight", "much"]],
    [
      "too few weights",
      ["--collection", cats, "--collection", dogs, "--collection", addressOf(1), "--weight", "1", "2"],
    ],
    ["too many weights", ["--collection", cats, "--weight", "1", "2"]],
    ["a collection twice", ["--collection", cats, "--collection", "0xc1"]],
    ["an invalid collection", ["--collection", "cats"]],
  ])("%s: INPUT_INVALID, nothing is written", async (_, args) => {
    const { status, stdout, stderr } = await score([...args, "--out", "scores.csv"]);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("[INPUT_INVALID, exit 2]");
    expect(await readdir(cwd)).toEqual([".vipscore"]);
  });

  test("reports all errors together", async () => {
    const { stderr } = await score(["--collection", "cats", "--weight", "0"]);
    expect(stderr).toContain('"cats"');
    expect(stderr).toContain('--weight "0"');
  });

  test("a collection that the indexer does not know, another VM, and a check that cannot be made", async () => {
    await writeNodeFile(cwd, localNode(indexed));
    const unknown = await score(["--collection", addressOf(0xc2), "--out", "scores.csv"]);
    expect(unknown.stderr).toContain("[INDEXER_NOT_FOUND, exit 3]");
    const vm = await score(["--collection", cats, "--vm", "solana"]);
    expect(vm.stderr).toContain("[CONFIG_INVALID, exit 2]");
    const unchecked = await score(["--collection", cats, "--vm", "evm", "--without-contracts"]);
    expect(unchecked.stderr).toContain("[CONFIG_INVALID, exit 2]");
    expect(await readdir(cwd)).toEqual([".vipscore"]);
  });
});

test("a collection that changes on every read: INDEXER_MOVING, no file", async () => {
  const moving = await startIndexedChain();
  await moving.block(collection(cats), minted(cats, "1", alice), minted(cats, "2", bob));
  let turn = 0;
  moving.onRequest = async (path) => {
    if (!path.includes("by_collection")) return;
    turn += 1;
    await moving.block(moved(cats, "1", turn % 2 ? bob : alice));
  };
  await writeNodeFile(cwd, localNode(moving));
  const args = ["score", "holders", "--collection", cats, "--out", "scores.csv"];
  const restless = await runCli(args, cwd);
  expect(restless.stderr).toContain("[INDEXER_MOVING, exit 4]");
  expect(await readdir(cwd)).toEqual([".vipscore"]);
  // It stops changing in the middle of the next read, which then succeeds.
  const end = turn + 2;
  const { onRequest } = moving;
  moving.onRequest = (path) => (turn < end ? onRequest(path) : Promise.resolve());
  const rested = await runCli([...args, "--json"], cwd);
  expect(rested.json()).toMatchObject({ accounts: turn % 2 ? 1 : 2, total: "2" });
  await moving[Symbol.asyncDispose]();
});

test("an interruption leaves no file", async () => {
  const interruption = new AbortController();
  const { onRequest } = indexed;
  indexed.onRequest = (path) => {
    if (path.includes("by_collection")) interruption.abort();
    return Promise.resolve();
  };
  const { status, stderr } = await score(["--collection", cats, "--out", "scores.csv"], {
    signal: interruption.signal,
  });
  indexed.onRequest = onRequest;
  expect(status).toBe(130);
  expect(stderr).toContain("[INTERRUPTED, exit 130]");
  expect(await readdir(cwd)).toEqual([".vipscore"]);
});

describe("contracts of an EVM rollup", () => {
  let chain: TestChain;
  let contract: `0x${string}`;
  const delegated = "0x00000000000000000000000000000000000000dd";

  beforeAll(async () => {
    chain = await startTestChain();
    contract = (await chain.deploy()).toLowerCase() as `0x${string}`;
    // An account that delegates to a contract remains an account (EIP-7702).
    await chain.rpc("hardhat_setCode", [delegated, `0xef0100${"11".repeat(20)}`]);
    await indexed.block(
      collection("0xa100000000000000000000000000000000000001", "Vaulted"),
      minted("0xa100000000000000000000000000000000000001", "1", contract),
      minted("0xa100000000000000000000000000000000000001", "2", delegated),
      minted("0xa100000000000000000000000000000000000001", "3", alice),
    );
  });
  afterAll(() => chain[Symbol.asyncDispose]());

  const vaulted = ["--collection", "0xa100000000000000000000000000000000000001"];

  test("are reported and kept, or left out with --without-contracts", async () => {
    const kept = await score([...vaulted, "--endpoint", chain.node.rpcUrl, "--json"]);
    expect(kept.json()).toMatchObject({
      accounts: 3,
      contracts: { vm: "evm", areKnown: true, areLeftOut: false, holders: [{ tokens: 1 }] },
    });
    expect(kept.stderr.toLowerCase()).toContain(contract);
    const without = await score([...vaulted, "--endpoint", chain.node.rpcUrl, "--without-contracts"]);
    expect(without.stdout).toBe(`address,score\n0x00000000000000000000000000000000000000dd,1\n${aliceShown},1\n`);
    expect(without.stderr).toMatch(/^warning .*\b1 holder\b/m);
    expect(without.stderr).not.toContain("--without-contracts");
  });

  test("are looked up at the local node; without one, a warning says that they were not checked", async () => {
    await writeNodeFile(cwd, { ...localNode(indexed), vm: "evm", rpcUrl: chain.node.rpcUrl });
    const local = await score([...vaulted, "--json"]);
    expect(local.json()).toMatchObject({ contracts: { areKnown: true, holders: [{ tokens: 1 }] } });
    await writeNodeFile(cwd, localNode(indexed));
    const unknown = await score([...vaulted, "--vm", "evm", "--json"]);
    expect(unknown.json()).toMatchObject({ accounts: 3, contracts: { areKnown: false, holders: [] } });
    expect(unknown.stderr).toMatch(/^warning .*--endpoint\b.*--vm\b/m);
  });

  test("an endpoint of another chain, a server that is not an endpoint, and one that does not answer", async () => {
    const other = await startIndexedChain("99");
    await other.block(collection(cats), minted(cats, "1", alice));
    await writeNodeFile(cwd, localNode(other));
    const mismatch = await score(["--collection", cats, "--endpoint", chain.node.rpcUrl]);
    await writeNodeFile(cwd, localNode(indexed));
    await other[Symbol.asyncDispose]();
    expect(mismatch.stderr).toContain("[CHAIN_MISMATCH, exit 3]");
    const noRpc = await score([...vaulted, "--endpoint", indexed.url]);
    expect(noRpc.stderr).toContain("[NODE_BAD_RESPONSE, exit 4]");
    const dead = await score([...vaulted, "--endpoint", "http://127.0.0.1:9"]);
    expect(dead.stderr).toContain("[NODE_UNREACHABLE, exit 4]");
  });
});

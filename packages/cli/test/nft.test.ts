import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { passOn, script } from "@vipscore/testkit/scriptedServer";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { addressOf, runCli, type CliResult } from "./harness.ts";
import { alice, aliceShown, bob, cats, collection, minted, moved, startIndexedChain } from "./indexedChain.ts";

const dogs = "0x00000000000000000000000000000000000000d1";
const many = "0x00000000000000000000000000000000000000e1";
const object = `0x${"ab".repeat(32)}` as const;

const chain = started(() => startIndexedChain());
const cwd = temporaryFolder();
/** The line with the indexer's URL, which each command prints. */
let indexerLine: string;

beforeAll(async () => {
  await writeNodeFile(cwd, {
    vm: "evm",
    rpcUrl: "http://127.0.0.1:9",
    chainId: "31337",
    indexerUrl: chain.url,
  });
  indexerLine = `indexer   ${chain.url}  (.vipscore/node.json)\n`;
  await chain.block(
    collection(cats, "Cats"),
    minted(cats, "1", alice),
    minted(cats, "20", bob),
    minted(cats, "3", alice),
  );
  await chain.block(collection(dogs, 'Dogs, "good"'), minted(dogs, 'a,"b"\u001b[2J', alice), minted(dogs, "c", object));
  await chain.block(
    collection(many, "Many"),
    ...Array.from({ length: 2300 }, (_, index) =>
      minted(many, String(index), addressOf(1 + (index % 7)) as `0x${string}`),
    ),
  );
});

const nft = (...args: readonly string[]): Promise<CliResult> => runCli(["nft", ...args], cwd);

describe("nft tokens", () => {
  test("of a collection: an aligned table with addresses in full", async () => {
    const { status, stdout, stderr } = await nft("tokens", "--collection", cats);
    expect(status).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "token_id  owner                                       height  timestamp                 uri",
      `1         ${aliceShown}       1  2023-11-14T22:13:21.000Z  https://example.org/1`,
      `20        ${bob}       1  2023-11-14T22:13:21.000Z  https://example.org/20`,
      `3         ${aliceShown}       1  2023-11-14T22:13:21.000Z  https://example.org/3`,
      "",
    ]);
    expect(stderr).toBe(`${indexerLine}3 tokens\n`);
  });

  test("of a collection, by the numbers of their IDs", async () => {
    const { stdout } = await nft("tokens", "--collection", cats, "--format", "csv", "--order-by", "token_number");
    const rows = stdout.trimEnd().split("\n").slice(1);
    expect(rows.map((line) => line.split(",")[1])).toEqual(["1", "3", "20"]);
  });

  test("of an account: CSV for spreadsheets, with the chain's exact text", async () => {
    const { stdout } = await nft("tokens", aliceShown, "--format", "csv", "--order-by", "height");
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("collection,token_id,owner,height,timestamp,uri");
    expect(lines[1]).toContain(`${dogs},"a,""b""\u001b[2J",${aliceShown},2,`);
    expect(lines.slice(2).map((line) => line.split(",").slice(0, 2))).toEqual([
      [cats, "3"],
      [cats, "1"],
    ]);
  });

  test("a table cannot move the cursor", async () => {
    const { stdout } = await nft("tokens", alice, "--collection", dogs);
    expect(stdout).toContain('a,"b"\u{FFFD}[2J');
    expect(stdout).not.toContain("\u001b");
  });

  test("one token, a limit, bech32, JSON", async () => {
    const one = await nft("tokens", "--collection", cats, "--token-id", "20", "--json");
    expect(one.json()).toEqual({
      command: "nft tokens",
      count: 1,
      unreadable: [],
      tokens: [
        {
          collection: cats,
          collectionName: "Cats",
          tokenId: "20",
          owner: bob,
          object: null,
          uri: "https://example.org/20",
          height: 1,
          timestamp: "2023-11-14T22:13:21.000Z",
        },
      ],
    });
    const limited = await nft("tokens", "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6", "--limit", "2", "--json");
    expect(limited.json()).toMatchObject({ count: 2 });
    const none = await nft("tokens", addressOf(0xdead), "--json");
    expect(none.json()).toEqual({ command: "nft tokens", count: 0, tokens: [], unreadable: [] });
  });

  test("writes a long listing completely, or up to a limit beyond one page", async () => {
    const whole = await nft("tokens", "--collection", many, "--format", "csv");
    expect(new Set(whole.stdout.trimEnd().split("\n")).size).toBe(2301);
    const limited = await nft("tokens", "--collection", many, "--format", "csv", "--limit", "1500");
    expect(limited.stdout.trimEnd().split("\n")).toHaveLength(1501);
    expect(whole.stdout.startsWith(limited.stdout)).toBe(true);
  });

  test.each([
    ["neither account nor collection", []],
    ["an invalid address", ["0xzz"]],
    ["an address without its last digit", ["0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff047"]],
    ["an address with a wrong letter", ["0xc5ea55d90Ae84e307622f1b8B13535Ec3Efa0475"]],
    ["an address of another chain", ["cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a"]],
    ["bare hex, which may be a key", ["ab".repeat(32)]],
    ["an invalid collection", ["--collection", "cats"]],
    ["an empty token id", [alice, "--token-id", ""]],
    ["a limit of 0", [alice, "--limit", "0"]],
    ["a limit that is not an integer", [alice, "--limit", "1e3"]],
    ["another order", [alice, "--order-by", "owner"]],
    ["an order by number across collections", [alice, "--order-by", "token_number"]],
    ["another format", [alice, "--format", "xml"]],
  ])("%s: INPUT_INVALID", async (_, args) => {
    const { status, stdout, stderr } = await nft("tokens", ...args);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("[INPUT_INVALID, exit 2]");
    expect(stderr).not.toContain("ab".repeat(32));
  });
});

describe("nft holders", () => {
  test("most tokens first, at one height", async () => {
    const { status, stdout, stderr } = await nft("holders", cats);
    expect(status).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "owner                                       tokens",
      `${aliceShown}       2`,
      `${bob}       1`,
      "",
    ]);
    expect(stderr.startsWith(indexerLine)).toBe(true);
    expect(stderr.slice(indexerLine.length)).toMatch(/^2 holders\b.*\b3 tokens\b.*"Cats".*\b31337\b.*\b3\n$/);
  });

  test("as CSV and as JSON", async () => {
    const csv = await nft("holders", dogs, "--format", "csv");
    expect(csv.stdout).toBe(`owner,tokens\n${object},1\n${aliceShown},1\n`);
    const json = await nft("holders", dogs, "--json");
    expect(json.json()).toEqual({
      command: "nft holders",
      chainId: "31337",
      height: 3,
      collection: { address: dogs, name: 'Dogs, "good"' },
      tokens: 2,
      holders: [
        { owner: object, tokens: 1 },
        { owner: aliceShown, tokens: 1 },
      ],
      unreadable: [],
    });
  });

  test("a collection that the indexer does not know: INDEXER_NOT_FOUND", async () => {
    const { status, stderr } = await nft("holders", addressOf(0xc2));
    expect(status).toBe(3);
    expect(stderr).toContain("[INDEXER_NOT_FOUND, exit 3]");
  });

  test("a collection that changes on every read: INDEXER_MOVING, until it stops", async () => {
    const moving = await startIndexedChain();
    await moving.block(collection(cats), minted(cats, "1", alice), minted(cats, "2", bob));
    let turn = 0;
    moving.onRequest = async (path) => {
      if (!path.includes("by_collection")) return;
      turn += 1;
      await moving.block(moved(cats, "1", turn % 2 ? bob : alice));
    };
    const restless = await nft("holders", cats, "--indexer-url", moving.url);
    expect(restless.stderr).toContain("[INDEXER_MOVING, exit 4]");
    // It stops changing in the middle of the next read, which then succeeds.
    const end = turn + 2;
    const { onRequest } = moving;
    moving.onRequest = (path) => (turn < end ? onRequest(path) : Promise.resolve());
    const rested = await nft("holders", cats, "--indexer-url", moving.url, "--json");
    expect(rested.json()).toMatchObject({ tokens: 2 });
    expect(rested.json()["holders"]).toHaveLength(turn % 2 ? 1 : 2);
    await moving[Symbol.asyncDispose]();
  });
});

test("an indexer that cannot serve a row fails the commands, or the row is skipped with --skip-unreadable", async () => {
  // It answers 500 for each page with a token.
  const { url, close } = await script(async (request) => {
    const page = await passOn(chain.url, request);
    return JSON.stringify(page.body).includes(String.raw`\"token_id\":\"20\"`)
      ? { status: 500, body: "Internal Server Error", headers: { "content-type": "text/plain" } }
      : { ...page, headers: { "content-type": "application/json" } };
  });
  const holders = await nft("holders", cats, "--indexer-url", url);
  expect(holders.stdout).toContain(aliceShown);
  expect(holders.status).toBe(4);
  expect(holders.stderr).toMatch(/\b1 row\b.*\brow 2\b/);
  expect(holders.stderr).toContain("[INDEXER_UNREADABLE, exit 4]");
  const skipped = await nft("holders", cats, "--indexer-url", url, "--skip-unreadable", "--json");
  expect(skipped.json()).toMatchObject({ unreadable: [{ row: 2 }] });
  const tokens = await nft("tokens", "--collection", cats, "--indexer-url", url);
  expect(tokens.stdout.trimEnd().split("\n")).toHaveLength(3);
  expect(tokens.stderr).toMatch(/\b1 row\b.*\brow 2\b/);
  expect(tokens.status).toBe(4);
  const listed = await nft("tokens", "--collection", cats, "--indexer-url", url, "--skip-unreadable");
  expect(listed).toMatchObject({ status: 0, stdout: tokens.stdout });
  await close();
});

describe("the indexer's URL", () => {
  test("missing: CONFIG_INVALID; invalid: CONFIG_INVALID, not repeated", async () => {
    const none = await runCli(["nft", "holders", cats, "--json"], tmpdir());
    expect(none.json()["error"]).toMatchObject({ code: "CONFIG_INVALID", exit: 2 });
    const wrong = await runCli(["nft", "holders", cats], cwd, {
      env: { INDEXER_URL: "ftp://me:hunter2@example.org" },
    });
    expect(wrong.stderr).toContain("[CONFIG_INVALID, exit 2]");
    const whole = await nft("holders", cats, "--indexer-url", "https://indexer.example/indexer/nft/v1", "--json");
    expect(whole.json()["error"]).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("/indexer/nft/v1") as string,
    });
    expect(wrong.stderr).not.toContain("hunter2");
  });

  test("user and password are sent as a header, and never shown", async () => {
    const credentials = `Basic ${Buffer.from("me:hunter2 ü").toString("base64")}`;
    const { url, close } = await script(async (request) =>
      request.headers["authorization"] === credentials
        ? { ...(await passOn(chain.url, request)), headers: { "content-type": "application/json" } }
        : { status: 401, body: "{}" },
    );
    const named = url.replace("//", "//me:hunter2%20%C3%BC@");
    const { status, stderr } = await runCli(["nft", "tokens", "--collection", cats], cwd, {
      env: { INDEXER_URL: named },
    });
    await close();
    expect({ status, stderr }).toEqual({ status: 0, stderr: `indexer   ${url}  (INDEXER_URL)\n3 tokens\n` });
  });

  test("flag, then environment, then settings file; printed unless a flag set it", async () => {
    const dead = "http://127.0.0.1:9";
    const tokens = (args: readonly string[], env: Record<string, string>) =>
      runCli(["nft", "tokens", "--collection", cats, ...args], cwd, { env });
    await writeFile(join(cwd, "own.json"), JSON.stringify({ indexerUrl: chain.url }));
    const inFile = await tokens(["--config", "own.json"], {});
    expect(inFile).toMatchObject({ status: 0, stderr: `indexer   ${chain.url}  (own.json)\n3 tokens\n` });
    const inEnvironment = await tokens([], { INDEXER_URL: chain.url });
    expect(inEnvironment).toMatchObject({ status: 0, stderr: `indexer   ${chain.url}  (INDEXER_URL)\n3 tokens\n` });
    const flag = await tokens(["--indexer-url", chain.url], { INDEXER_URL: dead });
    expect(flag).toMatchObject({ status: 0, stderr: "3 tokens\n" });
  });

  test("a server that does not answer, and one that is not an indexer", async () => {
    const dead = await runCli(["nft", "holders", cats, "--json", "--indexer-url", "http://127.0.0.1:9"], cwd);
    expect(dead.json()["error"]).toMatchObject({ code: "INDEXER_UNREACHABLE", exit: 4 });
    const { url, close } = await script(() => ({ headers: { "content-type": "text/html" }, body: "<html>" }));
    const page = await runCli(["nft", "holders", cats, "--json", "--indexer-url", url], cwd);
    await close();
    expect(page.json()["error"]).toMatchObject({ code: "INDEXER_BAD_ANSWER", exit: 4 });
  });

  test("an abort ends a listing", async () => {
    const interruption = new AbortController();
    chain.onRequest = () => {
      interruption.abort();
      return Promise.resolve();
    };
    const { status, stderr } = await runCli(["nft", "tokens", "--collection", many], cwd, {
      signal: interruption.signal,
    });
    chain.onRequest = () => Promise.resolve();
    expect(status).toBe(130);
    expect(stderr).toContain("[INTERRUPTED, exit 130]");
  });
});

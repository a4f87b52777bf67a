import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bcs } from "@initia/initia.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { readVipStage } from "@vipscore/l1";
import { isOfChain, readPolicy, runPolicy, type PolicySource } from "@vipscore/policy";
import { deployEmitter, type Emitter, type EvmRequest } from "@vipscore/testkit/eventEmitter";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { emitTrade } from "../examples/evmActivity.ts";
import { blocksOf, readGuide, type GuideCommand } from "../guide.ts";
import { addressOf, runCli, type CliResult } from "../harness.ts";
import { connectL1, type L1Calls } from "../localL1.ts";

const markdown = await readFile(new URL("../../../../docs/policy.md", import.meta.url), "utf8");
const chainId = "31337";

/** Runs a command of the page as a person at a terminal, who types the stage when asked. @throws Error if its status is another. */
async function runLine({ line, args, status }: GuideCommand, cwd: string): Promise<CliResult> {
  const result = await runCli(args, cwd, { env: { NO_COLOR: "1" }, typed: `${args[args.indexOf("--stage") + 1]}\n` });
  if (result.status !== status) throw new Error(`${line}: status ${result.status}\n${result.stderr}`);
  return result;
}

describe("the steps, on a local EVM rollup with L1", () => {
  const ended = new AbortController();
  const cwd = temporaryFolder();
  let node: Promise<CliResult>;
  let l1: L1Calls;
  let exchange: Emitter;
  let request: EvmRequest;

  beforeAll(async () => {
    process.chdir(cwd);
    node = runCli(["node", "--vm", "evm", "--l1", "--port", "0"], cwd, { signal: ended.signal });
    const { l1: endpoint, rpcUrl } = await until("the local node", () => readNodeFile(cwd));
    if (endpoint === undefined) throw new Error("the node runs without L1");
    const { restUrl: l1RestUrl, vipAddress } = endpoint;
    l1 = connectL1(endpoint, (await readVipStage({ l1RestUrl, vipAddress })).chainId);
    request = async (method, params) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json" };
      const { result } = (await (await fetch(rpcUrl, { method: "POST", headers, body })).json()) as { result: unknown };
      return result;
    };
    exchange = await deployEmitter(request, 2);
    const deployed = await runCli(["deploy", "--init-stage", "12", "--json"], cwd);
    const { address } = deployed.json()["contract"] as { readonly address: string };
    await l1.register(1n, address, 2n);
    // Stage 12 has the trades, and is over.
    const now = BigInt(Math.floor(Date.now() / 1000));
    const [stage, start, end] = [12n, now - 3_600n, now + 3_600n].map((value) => bcs.u64().serialize(value));
    await l1.call("set_stage", stage!, start!, end!);
    for (const [account, volume] of [
      [1, 9_000n],
      [1, 9_000n],
      [2, 1_200n],
    ] as const) {
      await emitTrade(exchange, addressOf(account) as `0x${string}`, volume);
    }
    await request("evm_increaseTime", [7_200]);
    await request("hardhat_mine", ["0x1"]);
    await l1.call("advance_stage");
  });
  afterAll(async () => {
    ended.abort();
    await node;
  });

  /** Output of commands of the guide. */
  const says: Readonly<Record<string, RegExp>> = {
    "vipscore audit scores12.manifest.json --policy policies/season1": /\bstage 12\b.*\b2 accounts\b.*\b11,200\b/,
  };

  // The variables are known only once the chain runs.
  test.each(readGuide(markdown, { CHAIN_ID: "", EXCHANGE: "" }))("$title", async ({ title }) => {
    const sections = readGuide(markdown, { CHAIN_ID: chainId, EXCHANGE: exchange.address });
    for (const command of sections.find((section) => section.title === title)?.commands ?? []) {
      const result = await runLine(command, cwd);
      expect(result.stdout).toMatch(says[command.line] ?? "");
    }
    if (title.startsWith("1.")) await expectShownFiles();
  });

  /** The page shows the files that the first command writes. */
  async function expectShownFiles(): Promise<void> {
    const shown = ["toml", "sql"].map((language) => `${blocksOf(markdown, language)[0]}\n`);
    const written = await Promise.all(
      ["policy.toml", "policy.sql"].map((name) => readFile(join(cwd, "policies", "season1", name), "utf8")),
    );
    expect(shown.map((text) => text.replace("$CHAIN_ID", chainId).replace("$EXCHANGE", exchange.address))).toEqual(
      written,
    );
  }
});

const [practice = expect.fail("no section")] = readGuide(markdown, {}, /^Practice/);

test.each([
  ["evm", "2"],
  ["move", "4"],
  ["wasm", "3"],
])("the practice scores the transactions of a local %s chain", async (vm, total) => {
  const cwd = temporaryFolder();
  const ended = new AbortController();
  process.chdir(cwd);
  const node = runCli(["node", "--vm", vm, "--port", "0"], cwd, { signal: ended.signal });
  try {
    const id = (await until("the local node", () => readNodeFile(cwd))).chainId;
    await mkdir(join(cwd, "policies", "practice"), { recursive: true });
    let block = "";
    for (const command of practice.commands) {
      if (command.line.includes("score run")) {
        for (const language of ["toml", "sql"]) {
          const text = (blocksOf(practice.text, language)[0] ?? "").replace('"31337"', `"${id}"`);
          await writeFile(join(cwd, `policies/practice/policy.${language}`), text.replace("[1, 2]", `[1, ${block}]`));
        }
      }
      const { stdout } = await runLine(command, cwd);
      block = /\(block (\d+), /.exec(stdout)?.[1] ?? block;
    }
    const stages = (await runCli(["status", "--json"], cwd)).json()["stages"];
    expect(stages).toMatchObject([{ stage: "1", isFinalized: true, total }, { stage: "2" }]);
  } finally {
    ended.abort();
    await node;
  }
});

test("the reference's policies can be read, and their queries run over their sources", async () => {
  const [toml, sql] = ["toml", "sql"].map((language) =>
    blocksOf(markdown.replace(practice.text, ""), language).slice(1),
  );
  expect(toml?.length).toBe(sql?.length);
  for (const [index, settings] of (toml ?? []).entries()) {
    const folder = temporaryFolder();
    const head = `name = "n"\nversion = "1"\n[rollup]\nchain_id = "1"\n[window]\nblocks = [1, 2]\n`;
    await writeFile(join(folder, "policy.toml"), head + settings);
    await writeFile(join(folder, "policy.sql"), sql?.[index] ?? "");
    const policy = await readPolicy(folder);
    expect(policy.sources.every(isOfChain)).toBe(true);
    const { table } = await runPolicy(
      policy,
      policy.sources.map(({ name, kind }) => emptySource(name, kind)),
    );
    expect(table.size).toBe(0);
  }
});

/** A source without rows, with the columns that the page's queries use of its kind. */
function emptySource(name: string, kind: string): PolicySource {
  const columns = {
    nft_holdings: [
      { name: "collection", type: "address" },
      { name: "token_id", type: "text" },
      { name: "owner", type: "address" },
      { name: "since", type: "integer" },
    ],
    transactions: [
      { name: "msg_index", type: "integer" },
      { name: "sender", type: "address" },
      { name: "gas_used", type: "integer" },
      { name: "success", type: "boolean" },
    ],
  } as const;
  if (kind !== "nft_holdings" && kind !== "transactions") throw new Error(`the page has a source of kind ${kind}`);
  const data = { name, kind, columns: columns[kind] };
  const noFiles = { files: [], reversed: [], lastHeight: undefined, rows: 0, digest: "" };
  return { ...data, collect: () => Promise.resolve({ ...data, ...noFiles }) };
}

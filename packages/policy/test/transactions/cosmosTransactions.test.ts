import { MsgExecute, MsgSend } from "@initia/initia.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCometNode, readStatus } from "@vipscore/blocks/cosmos";
import { formatBech32, parseAccount } from "@vipscore/core";
import { startVipnode, testAccounts, type CosmosNode } from "@vipscore/localnet";
import { startActingProxy } from "@vipscore/testkit/startProxy";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { openRollupNode } from "../../src/index.ts";
import { transactionColumns, transactionsSource } from "../../src/sources/transactionsSource.ts";
import { collectSource, type CollectOptions } from "../collectSource.ts";
import { openMoveCaller, type SentTransaction } from "../cosmos/moveCaller.ts";
import { openWasmCaller, tell, type WasmCaller } from "../cosmos/wasmCaller.ts";

const all = 'kind = "transactions"';
/** Blocks of the first part of a range. */
const partBlocks = 20;
const one = `0x${"1".padStart(40, "0")}`;

let node: CosmosNode;
/** The account that sent it, in lower-case hex. */
let sender: string;
/** The transactions that the test sent, each alone in its block, with more than a part of blocks after the first. */
let sent: readonly SentTransaction[];
let window: readonly [first: number, last: number];

const collect = (source: string, options: Partial<CollectOptions> = {}) =>
  collectSource(node, source, { blocks: window, ...options });

function setWindow(): void {
  window = [sent[0]?.height ?? 0, sent.at(-1)?.height ?? 0];
}

/** Returns the values that every message of a transaction has. */
function placeOf(transaction: SentTransaction | undefined) {
  const { hash, height = 0, gasUsed, code } = transaction ?? {};
  const outcome = { gas_used: gasUsed, success: code === 0 };
  return { ...outcome, tx_hash: hash, height: BigInt(height), tx_index: 0n, sender };
}

/** Waits until the chain has more blocks than the first part of a range. */
async function passPart(): Promise<void> {
  const height = async () => (await readStatus(openCometNode(node.rpcUrl), new AbortController().signal)).latest;
  const end = (await height()) + partBlocks + 1;
  await until(`block ${end}`, async () => (await height()) >= end);
}

/** Collects until the second part is read, which is then stopped. */
async function collectFirstPart(folder: string): Promise<void> {
  const stop = new AbortController();
  const isOfSecondPart = ({ body }: { readonly body: string }): boolean => {
    const [, height] = /"block".*"height":"(\d+)"/.exec(body) ?? [];
    return Number(height) >= window[0] + partBlocks;
  };
  const proxy = await startActingProxy(node.rpcUrl, isOfSecondPart, async () => stop.abort(new Error("stopped")));
  try {
    const stopped = collectSource({ ...node, rpcUrl: proxy.url }, all, { blocks: window, folder, signal: stop.signal });
    await expect(stopped).rejects.toThrow("stopped");
  } finally {
    await proxy.close();
  }
}

/** Checks that the rows do not depend on a stop in the middle, a second run or the division of the blocks. */
async function expectSameRows(): Promise<void> {
  const folder = temporaryFolder();
  const { rows, digest } = await collect(all);
  await collectFirstPart(folder);
  for (const stored of [window[0] + partBlocks - 1, window[1]]) {
    const heights: number[] = [];
    const again = await collect(all, { folder, onProgress: ({ height }) => heights.push(height) });
    expect(again.digest).toBe(digest);
    expect(heights[0]).toBe(stored);
  }
  const definition = { kind: "transactions", name: "found", contracts: undefined, startHeight: undefined } as const;
  const source = transactionsSource(definition, openRollupNode(node.vm, node.rpcUrl));
  const { signal } = new AbortController();
  const divided: unknown[] = [];
  for (let height = window[0]; height <= window[1]; height += 1) {
    for await (const part of source.read({ first: height, last: height }, signal)) divided.push(...part.rows);
  }
  expect(divided).toEqual(rows);
}

describe("on Move", () => {
  beforeAll(async () => {
    node = await startVipnode({ vm: "move", blockTimeMs: 50 });
    const caller = openMoveCaller(node);
    sender = parseAccount(caller.address, { accountBytes: [20] });
    const coin = caller.message("managed_coin::initialize", null, "Gold", "GOLD", 6, "", "");
    const missing = new MsgExecute(caller.address, one, "simple_nft", "burn_not_there", [], []);
    const { address } = testAccounts.operator;
    const send = new MsgSend(caller.address, parseAddress(address), "5umin");
    sent = [await caller.send(coin, send, coin)];
    await passPart();
    sent = [...sent, await caller.send(coin, missing), await caller.send(send)];
    setWindow();
  });
  afterAll(() => node.stop());

  test("each message of a transaction has a row, also that of one that failed", async () => {
    const { records } = await collect(all);
    expect(sent.map(({ code }) => code === 0)).toEqual([false, false, true]);
    const initialize = { contract: one, function: "managed_coin::initialize" };
    const transfer = { contract: "", function: "/cosmos.bank.v1beta1.MsgSend" };
    const [first, second, third] = sent.map((each) => placeOf(each));
    expect(records).toMatchObject([
      { ...first, msg_index: 0n, ...initialize },
      { ...first, msg_index: 1n, ...transfer },
      { ...first, msg_index: 2n, ...initialize },
      { ...second, msg_index: 0n, ...initialize },
      { ...second, msg_index: 1n, contract: one, function: "simple_nft::burn_not_there" },
      { ...third, msg_index: 0n, ...transfer },
    ]);
    expect(Object.keys(records[0] ?? {})).toEqual(transactionColumns.map(({ name }) => name));
    expect(Math.abs(Number(records[0]?.["time"]) - Date.now() / 1000)).toBeLessThan(600);
  });

  test.each(["0x1", `0x${"1".padStart(64, "0")}`, "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d"])(
    "only calls of %s",
    async (contract) => {
      const { records } = await collect(`${all}\ncontracts = ["${contract}", "0x7"]`);
      expect(records.map(({ msg_index: index }) => index)).toEqual([0n, 2n, 0n, 1n]);
    },
  );

  test("a stop in the middle, a second run and any division of the blocks give the same rows", expectSameRows);
});

describe("on Wasm", () => {
  let caller: WasmCaller;
  let market: string;

  beforeAll(async () => {
    node = await startVipnode({ vm: "wasm", blockTimeMs: 50 });
    caller = await openWasmCaller(node);
    sender = parseAccount(caller.address, { accountBytes: [20] });
    market = await caller.create();
    const call = caller.message(market, tell(["action", "trade"]));
    sent = [await caller.send(...Array.from({ length: 120 }, () => call))];
    await passPart();
    sent = [
      ...sent,
      await caller.send(call, caller.message(market, { mint: { token_id: "1" } })),
      await caller.send({
        typeUrl: "/cosmos.bank.v1beta1.MsgMultiSend",
        value: {
          inputs: [{ address: caller.address, coins: [{ denom: "umin", amount: "2" }] }],
          outputs: [{ address: parseAddress(testAccounts.operator.address), coins: [{ denom: "umin", amount: "2" }] }],
        },
      }),
    ];
    setWindow();
  });
  afterAll(async () => {
    caller.close();
    await node.stop();
  });

  test("each message of a transaction has a row, also that of one that failed", async () => {
    const { records } = await collect(all);
    expect(sent.map(({ code }) => code === 0)).toEqual([true, false, true]);
    const contract = parseAccount(market, { accountBytes: [32] });
    const [first, second, third] = sent.map((each) => placeOf(each));
    expect(records).toMatchObject([
      ...Array.from({ length: 120 }, (_, index) => ({
        ...first,
        msg_index: BigInt(index),
        contract,
        function: "tell",
      })),
      { ...second, msg_index: 0n, contract, function: "tell" },
      { ...second, msg_index: 1n, contract, function: "mint" },
      { ...third, msg_index: 0n, contract: "", function: "/cosmos.bank.v1beta1.MsgMultiSend" },
    ]);
  });

  test("only calls of a contract", async () => {
    expect((await collect(`${all}\ncontracts = ["${market}"]`)).rows).toHaveLength(122);
    await expect(collect(`${all}\ncontracts = ["${caller.address}"]`)).rejects.toMatchObject({
      code: "SOURCE_EMPTY",
    });
  });

  test("a stop in the middle, a second run and any division of the blocks give the same rows", expectSameRows);
});

function parseAddress(hex: string): string {
  return formatBech32(parseAccount(hex, { accountBytes: [20] }));
}

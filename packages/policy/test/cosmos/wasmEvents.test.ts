import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { collectSource, type CollectOptions } from "../collectSource.ts";
import type { SentTransaction } from "./moveCaller.ts";
import { openWasmCaller, tell, type WasmCaller } from "./wasmCaller.ts";

const operator = testAccounts.operator.address.toLowerCase();
const columns = '{ trader = "address", amount = "integer" }';

const node = started(() => startVipnode({ vm: "wasm" }));
let caller: WasmCaller;
/** Two contracts of the game, and one of nobody. */
let market: string;
let arena: string;
let other: string;
/** Trades of both contracts, one transaction that fails, and one more trade. */
let sent: readonly SentTransaction[];
let window: readonly [first: number, last: number];

const trade = (contract: string, trader: string, amount: string) =>
  caller.message(contract, tell(["action", "trade"], ["trader", trader], ["amount", amount]));

beforeAll(async () => {
  caller = await openWasmCaller(node);
  [market, arena, other] = [await caller.create(), await caller.create(), await caller.create()];
  const { address } = caller;
  sent = [
    await caller.send(
      trade(market, address, "1"),
      trade(other, address, "2"),
      trade(arena, address, String(2n ** 64n)),
      caller.message(market, tell(["action", "deposit"], ["amount", "3 coins"])),
      trade(market, address, "4"),
    ),
    await caller.send(trade(market, address, "5"), caller.message(market, { mint: {} })),
    await caller.send(trade(arena, "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq", "-6")),
  ];
  const [{ height: first } = { height: 0 }, , { height: last } = { height: 0 }] = sent;
  window = [first, last];
});
afterAll(async () => {
  caller.close();
});

function collect(more: string, contracts = [market, arena], options: Partial<CollectOptions> = {}) {
  const source = `kind = "wasm_events"\ncontracts = ${JSON.stringify(contracts)}\n${more}`;
  return collectSource(node, source, { blocks: window, ...options });
}

const trades = `columns = ${columns}\nwhere = { action = "trade" }`;

test("events of contracts are rows, exact and without those of failed transactions", async () => {
  const { records } = await collect(trades);
  expect(sent.map(({ code }) => code === 0)).toEqual([true, false, true]);
  const [many, , last] = sent;
  const of = (contract: string, amount: bigint) => ({
    contract: parseAccount(contract, { accountBytes: [32] }),
    amount,
  });
  const sender = parseAccount(caller.address, { accountBytes: [20] });
  expect(records).toMatchObject([
    { ...of(market, 1n), trader: sender, tx_hash: many?.hash, height: BigInt(many?.height ?? 0) },
    { ...of(arena, 2n ** 64n), trader: sender, tx_hash: many?.hash },
    { ...of(market, 4n), trader: sender, tx_hash: many?.hash },
    { ...of(arena, -6n), trader: operator, tx_hash: last?.hash, height: BigInt(last?.height ?? 0) },
  ]);
  const indexes = records.slice(0, 3).map(({ event_index: index }) => Number(index));
  expect(indexes).toEqual([...new Set(indexes)].sort((one, another) => one - another));
});

test("a contract may be written in hex, twice and in any order", async () => {
  const hex = parseAccount(market, { accountBytes: [32] });
  const { digest, rows } = await collect(trades, [hex, arena, market, hex]);
  expect(rows).toHaveLength(4);
  expect(digest).toBe((await collect(trades)).digest);
});

test.each([
  ["without a column", `columns = ${columns}`, "trader"],
  ["with another type", 'columns = { amount = "integer" }\nwhere = { action = "deposit" }', 'amount "3 coins"'],
  ["with an account as an integer", 'columns = { trader = "integer" }\nwhere = { amount = "1" }', "trader"],
  ["with a number as an account", 'columns = { amount = "address" }\nwhere = { amount = "1" }', "amount"],
])("an event %s is refused with its place and the fix", async (_, more, text) => {
  const pattern = new RegExp(`^found: event \\d+ of transaction ${sent[0]?.hash} in block ${window[0]}.*${text}`);
  await expect(collect(more)).rejects.toMatchObject({
    code: "SOURCE_INVALID",
    shortMessage: expect.stringMatching(pattern) as unknown,
    metaMessages: [expect.stringContaining("where")],
  });
});

test("for an attribute that some events lack, the type to write is shown, which reads them", async () => {
  await expect(collect(`columns = ${columns}`)).rejects.toMatchObject({
    metaMessages: [expect.stringMatching(/\b_contract_address\b.*"address\?"/)],
  });
  const { records } = await collect('columns = { trader = "address?" }');
  expect(records.some(({ trader }) => trader === null)).toBe(true);
});

test.each([
  ["an event that never occurs", 'event = "traded"'],
  ["an attribute that never occurs", 'where = { method = "trade" }'],
])("%s is refused", async (_, more) => {
  await expect(collect(more)).rejects.toMatchObject({ code: "SOURCE_EMPTY" });
  expect((await collect(`${more}\nmay_be_empty = true`)).rows).toEqual([]);
});

test("an attribute with two values, or an amount twice, is refused if the policy reads it", async () => {
  const contract = await caller.create();
  const { height } = await caller.send(
    caller.message(
      contract,
      tell(
        ...([
          ["action", "trade"],
          ["pool", "p"],
          ["pool", "p"],
        ] as const),
        ...([
          ["fee", "1"],
          ["fee", "1"],
          ["trader", "a"],
          ["trader", "b"],
        ] as const),
      ),
    ),
    caller.message(contract, tell(["action", "swap"], ["action", "log"], ["pool", "q"], ["fee", "2"])),
  );
  const read = (more: string) => collect(more, [contract], { blocks: [height, height] });
  const { records } = await read('columns = { pool = "text" }');
  expect(records).toMatchObject([{ pool: "p" }, { pool: "q" }]);
  for (const [attribute, more] of [
    ["trader", 'columns = { trader = "text" }'],
    ["fee", 'columns = { fee = "integer" }'],
    ["action", 'where = { action = "swap" }'],
  ] as const) {
    await expect(read(more)).rejects.toMatchObject({
      code: "SOURCE_INVALID",
      shortMessage: expect.stringMatching(new RegExp(`\\b${attribute}\\b`)) as unknown,
    });
  }
});

test.each([
  ["an address without data", { contracts: '["init1"]' }, "policy.toml: source[1].contracts[1] "],
  ["no contract", { contracts: "[]" }, "policy.toml: source[1].contracts "],
  ["a column of every event", { columns: '{ height = "integer" }' }, "policy.toml: source[1].columns.height "],
  ["an unknown type", { columns: '{ amount = "float" }' }, "policy.toml: source[1].columns.amount "],
  ["a condition that is not text", { where: "{ amount = 1 }" }, "policy.toml: source[1].where.amount "],
  ["an unknown field", { contract: '"x"' }, "policy.toml: source[1].contract "],
])("a source with %s is refused", async (_, fields, place) => {
  const all = Object.entries({ contracts: JSON.stringify([market]), ...fields });
  const source = `kind = "wasm_events"\n${all.map(([name, value]) => `${name} = ${value}`).join("\n")}`;
  await expect(collectSource(node, source, { blocks: window })).rejects.toMatchObject({
    code: "POLICY_INVALID",
    shortMessage: expect.stringContaining(place) as unknown,
  });
});

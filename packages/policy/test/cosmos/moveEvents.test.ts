import { beforeAll, expect, test } from "vitest";
import { readMoveAddress } from "@vipscore/blocks/cosmos";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { openRollupNode } from "../../src/index.ts";
import { moveEventsSource } from "../../src/sources/cosmos/moveEventsSource.ts";
import { eventColumns } from "../../src/sources/sourceFields.ts";
import { collectSource, type CollectOptions } from "../collectSource.ts";
import { openMoveCaller, type MoveCaller, type SentTransaction } from "./moveCaller.ts";

const u64Max = 2n ** 64n - 1n;
const deposit = "0x1::fungible_asset::DepositEvent";
const columns = '{ store_addr = "address", metadata_addr = "address", amount = "integer" }';
const one = `0x${"1".padStart(40, "0")}`;

const node = started(() => startVipnode({ vm: "move" }));
let caller: MoveCaller;
/** The object of the coin that the tests count. */
let coin: string;
/** Two deposits in a transaction, then one more; in between one that fails. */
let sent: readonly SentTransaction[];
let window: readonly [first: number, last: number];

beforeAll(async () => {
  caller = openMoveCaller(node);
  await caller.send(caller.message("managed_coin::initialize", null, "Gold", "GOLD", 6, "", ""));
  const created = await collectSource(
    node,
    'kind = "move_events"\ntype = "0x1::coin::CoinCreatedEvent"\ncolumns = { metadata_addr = "text" }',
    { blocks: [1, (await caller.send(caller.message("managed_coin::initialize", null, "B", "B", 6, "", ""))).height] },
  );
  const [gold, other] = created.records.map(({ metadata_addr: address }) => String(address));
  coin = gold ?? "";
  const { deployer, operator } = testAccounts;
  const mint = (amount: bigint, of = coin) =>
    caller.message("managed_coin::mint_to", deployer.address, of, String(amount));
  const give = (amount: bigint) => caller.message("coin::transfer", operator.address, coin, String(amount));
  sent = [
    await caller.send(mint(u64Max), mint(1n, other), give(2n ** 53n + 1n)),
    await caller.send(mint(5n, other), give(u64Max)),
    await caller.send(give(3n)),
  ];
  const [{ height: first } = { height: 0 }, , { height: last } = { height: 0 }] = sent;
  window = [first, last];
});

const collect = (more: string, options: Partial<CollectOptions> = {}, type = deposit) =>
  collectSource(node, `kind = "move_events"\ntype = "${type}"\n${more}`, { blocks: window, ...options });

test("events of a type are rows, exact and without those of failed transactions", async () => {
  const { records } = await collect(`columns = ${columns}\nwhere = { metadata_addr = "${coin}" }`);
  expect(sent.map(({ code }) => code === 0)).toEqual([true, false, true]);
  const [both, , last] = sent;
  const common = { contract: one, metadata_addr: readMoveAddress(coin) };
  expect(records).toMatchObject([
    { ...common, height: BigInt(both?.height ?? 0), tx_index: 0n, tx_hash: both?.hash, amount: u64Max },
    { ...common, height: BigInt(both?.height ?? 0), tx_index: 0n, tx_hash: both?.hash, amount: 2n ** 53n + 1n },
    { ...common, height: BigInt(last?.height ?? 0), tx_index: 0n, tx_hash: last?.hash, amount: 3n },
  ]);
  expect(records[1]?.["store_addr"]).toBe(records[2]?.["store_addr"]);
  expect(Object.keys(records[0] ?? {})).toEqual([
    ...eventColumns.map(({ name }) => name),
    "store_addr",
    "metadata_addr",
    "amount",
  ]);
});

test("the position of an event is among all events of its transaction", async () => {
  const { records } = await collect(`where = { metadata_addr = "${coin}" }`);
  const answer = await fetch(`${node.rpcUrl}/block_results?height=${window[0]}`);
  const { result } = (await answer.json()) as {
    result: { txs_results: { events: { attributes: { value: string }[] }[] }[] };
  };
  const events = result.txs_results[0]?.events ?? [];
  const places = events.flatMap(({ attributes: [tag, data] }, index) =>
    tag?.value === deposit && data?.value.includes(coin) === true ? [BigInt(index)] : [],
  );
  expect(places).toHaveLength(2);
  expect(records.slice(0, 2).map(({ event_index: index }) => index)).toEqual(places);
});

test.each([
  ["the amount", `where = { amount = "3" }`, 1],
  ["two fields", `where = { amount = "1", metadata_addr = "0x7" }\nmay_be_empty = true`, 0],
  ["no field", "", 4],
])("where selects events by %s", async (_, where, count) => {
  expect((await collect(where)).rows).toHaveLength(count);
});

test("an address may be written with leading zeros and capitals, in a field and in the type", async () => {
  const padded = `0x${coin.slice(2).toUpperCase().padStart(64, "0")}`;
  const { digest, rows } = await collect(
    `where = { metadata_addr = "${padded}" }`,
    {},
    deposit.replace("0x1", "0x0001"),
  );
  expect(rows).toHaveLength(3);
  expect(digest).toBe((await collect(`where = { metadata_addr = "${coin}" }`)).digest);
});

test.each([
  ["a field that the event does not have", 'columns = { owner = "address" }', "has no field owner"],
  ["a number as an address", 'columns = { amount = "address" }', "amount"],
  ["an address as an integer", 'columns = { store_addr = "integer" }', "store_addr"],
])("%s is refused with the place of the event", async (_, more, text) => {
  const [both] = sent;
  await expect(collect(more)).rejects.toMatchObject({
    code: "SOURCE_INVALID",
    shortMessage: expect.stringMatching(
      new RegExp(`^found: event \\d+ of transaction ${both?.hash} in block ${window[0]}.*${text}`),
    ) as unknown,
  });
});

test.each([
  ["a module that does not exist", "0x1::fungible_assets::DepositEvent"],
  ["a structure that does not exist", "0x1::fungible_asset::Deposited"],
  ["a structure without events", "0x1::fungible_asset::FungibleStore"],
  ["other type arguments", `${deposit}<0x1::coin::Coin>`],
])("a type of %s is refused", async (_, type) => {
  await expect(collect("", {}, type)).rejects.toMatchObject({ code: "SOURCE_EMPTY" });
  expect((await collect("may_be_empty = true", {}, type)).rows).toEqual([]);
});

test("any division of the blocks gives the same rows", async () => {
  const { rows } = await collect(`columns = ${columns}`);
  const fields = [
    { name: "store_addr", type: "address" },
    { name: "metadata_addr", type: "address" },
    { name: "amount", type: "integer" },
  ] as const;
  const definition = {
    kind: "move_events",
    name: "found",
    type: deposit,
    fields,
    where: [],
    startHeight: undefined,
  } as const;
  const opened = moveEventsSource(
    { ...definition, columns: [...eventColumns, ...fields] },
    openRollupNode("move", node.rpcUrl),
  );
  const { signal } = new AbortController();
  const divided: unknown[] = [];
  for (let height = window[0]; height <= window[1]; height += 1) {
    for await (const part of opened.read({ first: height, last: height }, signal)) divided.push(...part.rows);
  }
  expect(divided).toEqual(rows);
});

test("a policy of another VM is refused", async () => {
  const evm =
    'kind = "evm_events"\ncontracts = ["0x8cad25ec80a10522c258e2f59abf0006c9445d1b"]\nevent = "event A(uint256 b)"';
  await expect(collectSource(node, evm, { blocks: window })).rejects.toMatchObject({ code: "POLICY_INVALID" });
});

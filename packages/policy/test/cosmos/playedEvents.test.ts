import { describe, expect, test } from "vitest";
import { playNode, type PlayedBlock, type PlayedEvent } from "@vipscore/testkit/playedComet";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { collectSource } from "../collectSource.ts";

/** Events that the standard library does not emit, and more than a test can send. */

const time = "2026-11-21T07:27:44.8Z";

function move(tag: string, data: unknown): PlayedEvent {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return {
    type: "move",
    attributes: [
      { key: "type_tag", value: tag },
      { key: "data", value: text },
    ],
  };
}

async function open(blocks: readonly PlayedBlock[], latest: number, vm: "move" | "wasm" = "move") {
  // The contract exists.
  const response = { code: 0, height: String(latest), value: "YWJj" };
  const overrides = { abci_query: () => ({ body: { jsonrpc: "2.0", id: 1, result: { response } } }) };
  const { url, requests } = await playNode({ blocks, earliest: 1, latest, overrides });
  return { node: { vm, rpcUrl: url, chainId: "local-move-1" }, requests };
}

/** Collects the events of a block. */
async function collect(events: readonly PlayedEvent[], columns: string, type = "0xa::dex::Swapped") {
  const { node } = await open([{ height: 2, time, transactions: ["AAAA"], events: [events] }], 3);
  const source = `kind = "move_events"\ntype = "${type}"\ncolumns = ${columns}`;
  const { records } = await collectSource(node, source, { blocks: [1, 3] });
  return records;
}

const swap = (amount: unknown) => move("0xa::dex::Swapped", { amount });
const integer = '{ amount = "integer" }';

test.each([
  ["a small number", 255, 255n],
  ["a text of 64 bits", String(2n ** 64n - 1n), 2n ** 64n - 1n],
  ["the largest integer", String(10n ** 38n - 1n), 10n ** 38n - 1n],
  ["a number that is still exact", Number.MAX_SAFE_INTEGER, BigInt(Number.MAX_SAFE_INTEGER)],
])("%s is an exact integer", async (_, value, expected) => {
  expect(await collect([swap(value)], integer)).toMatchObject([{ amount: expected }]);
});

test.each([
  ["a number that a parser rounds", '{"amount":9007199254740993}', integer],
  ["a fraction", '{"amount":1.5}', integer],
  ["an integer of 39 digits", `{"amount":"${10n ** 38n}"}`, integer],
  ["an integer of 256 bits", `{"amount":"${2n ** 256n - 1n}"}`, integer],
  ["null", '{"amount":null}', integer],
  ["a list as an integer", '{"amount":["1"]}', integer],
  ["a text as a boolean", '{"amount":"yes"}', '{ amount = "boolean" }'],
  ["a number as text", '{"amount":1}', '{ amount = "text" }'],
  ["an address in bech32", '{"amount":"init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6"}', '{ amount = "address" }'],
  ["a field of all objects", "{}", '{ __proto__ = "text" }'],
  ["lists nested deeper than any of Move", `{"amount":${"[".repeat(129)}${"]".repeat(129)}}`, '{ amount = "text" }'],
  ["lists nested too deep for a stack", `{"amount":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, '{ amount = "text" }'],
  ["data that are not JSON", "{", integer],
  ["data that are a list", "[]", integer],
])("%s is refused", async (_, data, columns) => {
  const reading = collect([move("0xa::dex::Swapped", data)], columns);
  await expect(reading).rejects.toMatchObject({
    code: "SOURCE_INVALID",
    shortMessage: expect.stringMatching(/^found: event 0\b/) as unknown,
  });
});

test("a structure is its JSON in a column of text, a boolean and an address are as they are", async () => {
  const data = { amount: { inner: "0x7", parts: ["1", null] }, is_paid: true, owner: "0x7" };
  const columns = '{ amount = "text", is_paid = "boolean", owner = "address" }';
  expect(await collect([move("0xa::dex::Swapped", data)], columns)).toMatchObject([
    { amount: '{"inner":"0x7","parts":["1",null]}', is_paid: true, owner: `0x${"0".repeat(39)}7` },
  ]);
});

test("lists as deep as Move nests them are their JSON", async () => {
  const text = `${"[".repeat(128)}${"]".repeat(128)}`;
  expect(await collect([move("0xa::dex::Swapped", `{"amount":${text}}`)], '{ amount = "text" }')).toMatchObject([
    { amount: text },
  ]);
});

test("a type without arguments stands for those with any; with arguments for that one", async () => {
  const events = [
    move("0xa::dex::Swapped", { amount: 1 }),
    move("0xa::dex::Swapped<0x1::a::B,u64>", { amount: 2 }),
    move("0xa::dex::Swapped<0x1::a::C, u64>", { amount: 3 }),
    move("0xa::dex::SwappedBack", { amount: 4 }),
    move("0xaa::dex::Swapped", { amount: 5 }),
  ];
  const amounts = async (type: string) =>
    (await collect(events, integer, type)).map(({ amount, event_index: index }) => [amount, index]);
  expect(await amounts("0xa::dex::Swapped")).toEqual([
    [1n, 0n],
    [2n, 1n],
    [3n, 2n],
  ]);
  expect(await amounts("0x0A::dex::Swapped< 0x01::a::C,u64 >")).toEqual([[3n, 2n]]);
});

describe("events of a Wasm contract", () => {
  const contract = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds";

  function wasm(type: string, amount: string): PlayedEvent {
    const attributes = [
      { key: "_contract_address", value: contract },
      { key: "amount", value: amount },
      { key: "msg_index", value: "0" },
    ];
    return { type, attributes };
  }

  async function amounts(event: string): Promise<readonly unknown[]> {
    const events = [wasm("wasm", "1"), wasm("wasm-trade", "2"), wasm("wasm-trade-closed", "3"), wasm("transfer", "4")];
    const { node } = await open([{ height: 2, time, transactions: ["AAAA"], events: [events] }], 3, "wasm");
    const source = `kind = "wasm_events"\ncontracts = ["${contract}"]\n${event}\ncolumns = ${integer}`;
    return (await collectSource(node, source, { blocks: [1, 3] })).records.map(({ amount }) => amount);
  }

  test.each([
    ["", [1n]],
    ['event = "trade"', [2n]],
    ['event = "trade-closed"', [3n]],
    ['event = "transfer"\nmay_be_empty = true', []],
  ])("with %j are those of that name", async (event, expected) => {
    expect(await amounts(event)).toEqual(expected);
  });

  test.each(["wasm", "wasm-trade", " trade"])("%j is refused as a name", async (event) => {
    await expect(amounts(`event = "${event}"`)).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });
});

// Data are stored every 100,000 rows, so that it takes more than these to stop in between.
test("after a stop in the middle, a run reads what is missing and gives the same source", async () => {
  const blocks = Array.from({ length: 22 }, (_, index): PlayedBlock => {
    const height = 3 + 2 * index;
    const events = Array.from({ length: 5300 }, (__, each) => swap(`${height * 10_000 + each}`));
    return { height, time, transactions: ["AAAA"], events: [events] };
  });
  const { node, requests } = await open(blocks, 60);
  const source = `kind = "move_events"\ntype = "0xa::dex::Swapped"\ncolumns = ${integer}`;
  const range = { blocks: [1, 60] } as const;
  const folder = temporaryFolder();
  const whole = await collectSource(node, source, range);
  expect(whole.rows).toHaveLength(22 * 5300);
  const stop = new AbortController();
  const heights: number[] = [];
  const stopped = collectSource(node, source, {
    ...range,
    folder,
    signal: stop.signal,
    onProgress: ({ height, rows }) => {
      heights.push(height);
      if (rows > 0) stop.abort(new Error("stopped"));
    },
  });
  await expect(stopped).rejects.toThrow("stopped");
  const stored = heights.at(-1) ?? 0;
  expect(stored).toBeLessThan(blocks.at(-1)?.height ?? 0);
  const before = requests.length;
  const resumed = await collectSource(node, source, { ...range, folder });
  expect(resumed.digest).toBe(whole.digest);
  const read = requests.slice(before).flatMap(({ body }) => /"block_results".*"height":"(\d+)"/.exec(body)?.[1] ?? []);
  expect(read.map(Number).sort((a, b) => a - b)).toEqual(
    blocks.map(({ height }) => height).filter((height) => height > stored),
  );
});

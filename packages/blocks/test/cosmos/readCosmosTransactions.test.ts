import { BinaryWriter, WireType } from "cosmjs-types/binary";
import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { describe, expect, test } from "vitest";
import { playNode, recorded, recordedBlocks, type Override, type PlayedBlock } from "@vipscore/testkit/playedComet";
import { openCometNode } from "../../src/cosmos/cometNode.ts";
import { decodeCalls } from "../../src/cosmos/decodeCalls.ts";
import {
  readCosmosTransactions,
  type CosmosMessage,
  type ReadCosmosTransactionsOptions,
} from "../../src/cosmos/readCosmosTransactions.ts";

const [earliest, latest] = [38_600, 38_660];
const one = `0x${"1".padStart(40, "0")}` as const;
const sender = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";
const senderText = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
const contract = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds";
const contractHex = "0xade4a5f5803a439835c636395a8d648dee57b2fc90d98dc17fa887159b69638b";

async function read(
  blocks: readonly PlayedBlock[],
  options: Partial<ReadCosmosTransactionsOptions> = {},
  overrides: Readonly<Record<string, Override>> = {},
) {
  const { url, requests } = await playNode({ blocks, earliest, latest, overrides });
  const { signal } = new AbortController();
  const range = { first: earliest, last: latest, signal };
  const messages: CosmosMessage[] = [];
  for await (const { items } of readCosmosTransactions(openCometNode(url), { ...range, ...options })) {
    messages.push(...items);
  }
  const called = (method: string) => requests.filter(({ body }) => body.includes(`"${method}"`)).length;
  return { messages, called };
}

test("the recorded transactions are those of the chain", async () => {
  const { messages } = await read(recordedBlocks);
  expect(messages).toMatchObject(
    recorded.transactions.map(({ height, time, hash, events }) => {
      const called = events.find(({ type }) => type === "execute")?.attributes ?? [];
      const field = (name: string) => called.find(({ key }) => key === name)?.value;
      return {
        height: Number(height),
        timestamp: time,
        txHash: hash,
        transactionIndex: 0,
        messageIndex: 0,
        sender: field("sender"),
        contract: one,
        function: `${field("module_name")}::${field("function_name")}`,
        success: true,
      };
    }),
  );
});

test("gas and failure are those of the result", async () => {
  const [block] = recordedBlocks;
  const result = (code: number, gas?: string) => ({
    code,
    events: [],
    ...(gas === undefined ? {} : { gas_used: gas }),
  });
  const { messages } = await read(
    [
      {
        height: 38_610,
        time: "2026-11-21T07:27:44.8Z",
        transactions: [1, 2, 3].flatMap(() => block?.transactions ?? []),
        events: [],
      },
    ],
    {},
    {
      block_results: () => ({
        // Go omits zeros.
        body: { jsonrpc: "2.0", id: 1, result: { txs_results: [result(0, "123180"), result(5, "7"), result(2)] } },
      }),
    },
  );
  expect(messages.map(({ gasUsed, success, transactionIndex }) => [gasUsed, success, transactionIndex])).toEqual([
    [123_180, true, 0],
    [7, false, 1],
    [0, false, 2],
  ]);
});

test("only blocks with wanted calls cost a request for what came of them", async () => {
  const all = await read(recordedBlocks);
  const none = await read(recordedBlocks, { contracts: [sender] });
  const some = await read(recordedBlocks, { contracts: [sender, one] });
  expect([none.messages, none.called("block_results")]).toEqual([[], 0]);
  expect(some.messages).toEqual(all.messages);
  expect(some.called("block_results")).toBe(recordedBlocks.length);
});

test("bytes that are not a transaction have no messages", async () => {
  const [block] = recordedBlocks;
  const transactions = ["//8=", ...(block?.transactions ?? [])];
  const { messages } = await read([
    { height: 38_610, time: "2026-11-21T07:27:44.8Z", transactions, events: [undefined, []] },
  ]);
  expect(messages.map(({ transactionIndex, success }) => [transactionIndex, success])).toEqual([[1, true]]);
});

describe("a message", () => {
  /** The only call of a transaction with a message of these fields. */
  function decode(typeUrl: string, fields: Readonly<Record<number, string | Uint8Array>>) {
    const value = encode(fields);
    const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [{ typeUrl, value }] })).finish();
    return decodeCalls(TxRaw.encode(TxRaw.fromPartial({ bodyBytes })).finish())[0];
  }

  function encode(fields: Readonly<Record<number, string | Uint8Array>>): Uint8Array {
    const writer = BinaryWriter.create();
    for (const [number, value] of Object.entries(fields)) {
      writer.tag(Number(number), WireType.Bytes).bytes(Buffer.from(value as string));
    }
    return writer.finish();
  }

  const execute = "/cosmwasm.wasm.v1.MsgExecuteContract";
  test.each<[string, string]>([
    ['{"trade":{"amount":"1"}}', "trade"],
    ['{"trade":{},"other":{}}', "trade"],
    ['"claim"', "claim"],
    ["{}", execute],
    ["[1]", execute],
    ["{", execute],
  ])("to a contract of %s calls %s", (message, called) => {
    const call = decode(execute, { 1: senderText, 2: contract, 3: message });
    expect(call).toEqual({ sender, contract: contractHex, function: called });
  });

  test.each<[string, string, string | undefined]>([
    ["0x1", "in hex", one],
    [`0x${"A".repeat(64)}`, "of 32 bytes", `0x${"a".repeat(64)}`],
    [senderText, "in bech32", sender],
    ["", "that is missing", undefined],
  ])("to a Move module at %s, %s, is a call of it", (address, _, expected) => {
    const fields = { 1: senderText, 2: address, 3: "dex", 4: "swap", 5: "0x1::a::B" };
    for (const name of ["MsgExecute", "MsgExecuteJSON"]) {
      expect(decode(`/initia.move.v1.${name}`, fields)).toEqual({ sender, contract: expected, function: "dex::swap" });
    }
  });

  test.each<[string, Readonly<Record<number, string | Uint8Array>>, string]>([
    ["in its first field", { 1: senderText, 2: contract }, sender],
    ["in a later field", { 1: "transfer", 2: "channel-0", 4: senderText, 5: contract }, sender],
    ["in a field of a field", { 1: encode({ 1: senderText }), 2: encode({ 1: contract }) }, sender],
    ["only in another chain's spelling", { 1: "cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a" }, `0x${"0".repeat(40)}`],
    ["nowhere", {}, `0x${"0".repeat(40)}`],
  ])("with an account %s has a sender", (_, fields, expected) => {
    expect(decode("/a.b.MsgC", fields)).toEqual({ sender: expected, contract: undefined, function: "/a.b.MsgC" });
  });

  test("with many fields is decoded in linear time", () => {
    const many = BinaryWriter.create();
    for (let index = 0; index < 200_000; index += 1) many.tag(1, WireType.Bytes).bytes(new Uint8Array(1));
    expect(decode("/a.b.MsgC", { 1: many.finish() })).toMatchObject({ sender: `0x${"0".repeat(40)}` });
  });

  test("named like a method of objects is not a call", () => {
    expect(decode("constructor", { 1: senderText })).toEqual({ sender, contract: undefined, function: "constructor" });
  });
});

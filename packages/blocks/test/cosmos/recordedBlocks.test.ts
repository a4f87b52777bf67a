import { expect, test } from "vitest";
import { hashOf, playNode, recorded, recordedBlocks, type Override } from "@vipscore/testkit/playedComet";
import { readTxHashes } from "../../src/cosmos/blockTransactions.ts";
import { openCometNode, queryState, queryStateAt, readStatus, type CometNode } from "../../src/cosmos/cometNode.ts";
import { readBech32, readMoveAddress } from "../../src/cosmos/decodeCalls.ts";
import { findHeader, readHeaders } from "../../src/cosmos/readBlockParts.ts";
import { firstValue, readEvents } from "../../src/cosmos/readCosmosEvents.ts";

const { signal } = new AbortController();
const [earliest, latest] = [38_600, 38_660];
const [created] = recorded.transactions;

/** A node with the recorded blocks, and empty ones between them. */
async function open(overrides: Readonly<Record<string, Override>> = {}): Promise<CometNode> {
  return openCometNode((await playNode({ blocks: recordedBlocks, earliest, latest, overrides })).url);
}

test("the status names the chain and its blocks", async () => {
  expect(await readStatus(await open(), signal)).toEqual({ chainId: "local-move-1", earliest, latest });
});

test("headers come in order, however many are asked for", async () => {
  const headers = await readHeaders(await open(), earliest, latest, signal);
  expect(headers.map(({ height }) => height)).toEqual(Array.from({ length: 61 }, (_, index) => earliest + index));
  const busy = headers.filter(({ transactions }) => transactions > 0);
  expect(busy.map(({ height, timestamp }) => [height, timestamp])).toEqual(
    recorded.transactions.map(({ height, time }) => [Number(height), time]),
  );
});

test.each([
  ["that were pruned", earliest - 1, "NODE_ERROR", earliest],
  ["that do not exist yet", latest + 1, "NODE_UNREACHABLE", latest],
])("blocks %s are an error that says what there is", async (_, height, code, there) => {
  const reading = readHeaders(await open(), height, height, signal);
  const message = expect.stringMatching(new RegExp(`\\b${there}\\b`)) as unknown;
  await expect(reading).rejects.toMatchObject({ code, message });
});

test("a block's hash identifies it; a block that the node does not have has none", async () => {
  const node = await open();
  expect((await findHeader(node, latest, signal))?.hash).toBe(hashOf(latest).toLowerCase());
  expect(await findHeader(node, latest + 1, signal)).toBeUndefined();
  expect(await findHeader(node, 0, signal)).toBeUndefined();
});

test("wanted events come with their transaction's place, and its hash is the chain's", async () => {
  const node = await open();
  const block = { height: Number(created?.height), transactions: 1 };
  const wanted = "0x1::collection::CreateEvent";
  const isWanted = ({ attributes }: { attributes: Parameters<typeof firstValue>[0] }) =>
    firstValue(attributes, "type_tag") === wanted;
  const [transaction, ...others] = await readEvents(node, block, isWanted, signal);
  expect(others).toEqual([]);
  expect(transaction).toMatchObject({ index: 0, events: [{ type: "move" }] });
  expect(await readTxHashes(node, block, signal)).toEqual([created?.hash]);
});

test("an answer with fewer transactions than the header is refused", async () => {
  const block = { height: Number(created?.height), transactions: 2 };
  const node = await open();
  await expect(readEvents(node, block, () => true, signal)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("results of another block than asked for are refused", async () => {
  const results = { height: "38611", txs_results: [{ code: 0, events: [] }] };
  const node = await open({ block_results: () => ({ body: { jsonrpc: "2.0", id: 1, result: results } }) });
  const reading = readEvents(node, { height: 38_610, transactions: 1 }, () => true, signal);
  await expect(reading).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("state that was pruned is read at the newest block", async () => {
  const node = await open({
    abci_query: ({ parameters: { height } }) => {
      const log = "failed to load state at height 38619; version does not exist";
      const response =
        height === "0" ? { code: 0, height: "38660", value: "YWJj" } : { code: 38, log, codespace: "sdk", height };
      return { body: { jsonrpc: "2.0", id: 1, result: { response } } };
    },
  });
  const query = {
    path: "/a.b.Query/C",
    request: new Uint8Array(),
    decode: (value: Uint8Array) => String(value.length),
  };
  expect(await queryState(node, query, 38_619, signal)).toBe("3");
  await expect(queryStateAt(node, query, 38_619, signal)).rejects.toMatchObject({
    name: "PrunedState",
    shortMessage: expect.stringContaining("block 38619") as unknown,
  });
});

test.each([
  ["init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqa4qvvl", `0x${"0".repeat(40)}`],
  ["init13jkjtm9q5zjj9sk9ud7447qqdjy5t5wjq8e9ck", undefined],
  ["cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a", undefined],
])("%s is read as %s", (text, address) => {
  expect(readBech32(text)).toBe(address);
});

test.each([
  ["0x1", `0x${"0".repeat(39)}1`],
  [`0x${"AB".repeat(32)}`, `0x${"ab".repeat(32)}`],
  ["0x", undefined],
  [`0x${"1".repeat(65)}`, undefined],
])("%s is Move's spelling of %s", (text, address) => {
  expect(readMoveAddress(text)).toBe(address);
});

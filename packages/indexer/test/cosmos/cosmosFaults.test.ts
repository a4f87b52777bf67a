import { expect, test } from "vitest";
import { hashOf, playNode, recordedBlocks, rpcError, type Override } from "@vipscore/testkit/playedComet";
import type { ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { cosmosChain } from "../../src/chain/cosmos/cosmosChain.ts";
import type { NftChain } from "../../src/chain/nftChain.ts";

const { signal } = new AbortController();
const isKnown = () => false;

/** A node with the recorded blocks and its own faults. */
async function faultyNode(overrides: Readonly<Record<string, Override>>, earliest = 38600, latest = 38640) {
  const node = await playNode({ blocks: recordedBlocks, earliest, latest, overrides });
  return { ...node, chain: cosmosChain({ rpcNodeUrl: node.url }) };
}

function readAll(chain: NftChain) {
  return chain.readBlocks(38619, 38640, { isKnown, signal });
}

test("a node that has pruned blocks leads to an error that names its oldest block", async () => {
  const { chain } = await faultyNode({}, 38625);
  const refusal = { code: "NODE_ERROR", message: expect.stringContaining("block 38625") as unknown };
  await expect(readAll(chain)).rejects.toMatchObject(refusal);
  await expect(chain.readBlocks(1, 40, { isKnown, signal })).rejects.toMatchObject(refusal);
  expect(await chain.readBlocks(38625, 38640, { isKnown: () => true, signal })).toHaveLength(4);
});

test("a block that does not exist yet differs from an omitted one", async () => {
  const { chain } = await faultyNode({}, 1, 38630);
  await expect(readAll(chain)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  await expect(chain.readBlocks(39000, 39001, { isKnown, signal })).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  const body = { jsonrpc: "2.0", id: 1, result: { block_metas: [] } };
  const silent = await faultyNode({ blockchain: () => ({ body }) });
  await expect(readAll(silent.chain)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("the hash of a block that the node does not have is undefined", async () => {
  const { chain } = await faultyNode({});
  expect(await chain.readBlockHash(38627, signal)).toBe(hashOf(38627).toLowerCase());
  for (const height of [-1, 0, 1, 38599, 38641]) expect(await chain.readBlockHash(height, signal)).toBeUndefined();
});

const result = (value: unknown): ScriptedAnswer => ({ body: { jsonrpc: "2.0", id: 1, result: value } });

const passing: readonly (readonly [string, ScriptedAnswer])[] = [
  ["results that are not stored yet", rpcError("could not find results for height #38619")],
  ["a node behind others", rpcError("height 38619 must be less than or equal to the current blockchain height 38618")],
  ["a limit", { status: 429, body: "slow down" }],
  ["a gateway without a node", { status: 502, body: "<html>" }],
  ["a connection that is cut", { instead: "cut" }],
  ["results of no transaction", result({ txs_results: null })],
  ["an event without a type", result({ txs_results: [{ code: 0, events: [{ attributes: [] }] }] })],
];

test.each(passing)("a read continues after %s", async (_, answer) => {
  const { chain, requests } = await faultyNode({ block_results: ({ turn }) => (turn < 2 ? answer : undefined) });
  expect(await readAll(chain)).toHaveLength(6);
  expect(requests.filter(({ body }) => body.includes('"block_results"'))).toHaveLength(8);
});

const unreadable: readonly (readonly [string, string, ScriptedAnswer])[] = [
  ["a web page", "blockchain", { body: "<!doctype html>" }],
  ["nothing", "block_results", { body: "" }],
  ["a list", "blockchain", { body: "[]" }],
  ["results that are null", "block_results", result({ txs_results: null })],
  ["a code that is a string", "block_results", result({ txs_results: [{ code: "none" }] })],
  ["events that are an object", "block_results", result({ txs_results: [{ code: 0, events: {} }] })],
  [
    "attributes without values",
    "block_results",
    result({ txs_results: [{ code: 0, events: [{ type: "move", attributes: [{ key: "a" }] }] }] }),
  ],
  ["no transactions", "block", result({ block: { data: { txs: null } } })],
  ["a time of another kind", "blockchain", result({ block_metas: [{ header: { height: "38619", time: "today" } }] })],
  ["a height of another kind", "blockchain", result({ block_metas: [{ header: { height: "-1" } }] })],
];

test.each(unreadable)("%s instead of an answer counts as the node's fault", async (_, method, answer) => {
  const { chain } = await faultyNode({ [method]: () => answer });
  await expect(readAll(chain)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("a refusal keeps the node's own words", async () => {
  const said = "node is not persisting abci responses";
  const { chain } = await faultyNode({ block_results: () => rpcError(said) });
  const message = expect.stringContaining(said) as unknown;
  await expect(readAll(chain)).rejects.toMatchObject({ code: "NODE_ERROR", message });
});

test("a read ends with the signal's reason when it is aborted", async () => {
  const { chain } = await faultyNode({ block_results: () => ({ instead: "silence" }) });
  const controller = new AbortController();
  const reading = chain.readBlocks(38619, 38640, { isKnown, signal: controller.signal });
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(reading).rejects.toBe(reason);
});

test("an invalid URL is refused without repeating it", () => {
  expect(() => cosmosChain({ rpcNodeUrl: "ftp://secret" })).toThrowError(
    expect.objectContaining({ code: "CONFIG_INVALID" }),
  );
});

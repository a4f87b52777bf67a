import {
  QueryContractInfoResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { ContractInfo } from "cosmjs-types/cosmwasm/wasm/v1/types";
import { expect, test } from "vitest";
import { playNode, rpcError, type Override, type PlayedEvent } from "@vipscore/testkit/playedComet";
import type { ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { until } from "@vipscore/testkit/until";
import { cosmosChain, RefusedContracts } from "../../src/chain/cosmos/cosmosChain.ts";
import { startIndexer } from "../../src/index.ts";
import { withUris } from "../withUris.ts";

/** Events that a real chain does not emit, or only with difficulty. */

const { signal } = new AbortController();
const contract = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds";
const owner = "init1lf0swvvhy3vqautdemmvunfmp0grfrjgzznx9s";

function event(type: string, ...attributes: readonly (readonly [string, string])[]): PlayedEvent {
  return { type, attributes: attributes.map(([key, value]) => ({ key, value })) };
}

function move(tag: string, data: unknown, ...more: readonly (readonly [string, string])[]): PlayedEvent {
  return event("move", ["type_tag", tag], ["data", typeof data === "string" ? data : JSON.stringify(data)], ...more);
}

function playEvents(events: readonly PlayedEvent[], query: Override = () => undefined) {
  const blocks = [{ height: 5, time: "2026-11-21T07:27:44.8Z", transactions: ["AAAA"], events: [events] }];
  return playNode({ blocks, earliest: 1, latest: 9, overrides: { abci_query: query } });
}

/** Reads a block with one transaction that emitted the events. */
async function readEvents(events: readonly PlayedEvent[], query?: Override) {
  const node = await playEvents(events, query);
  const chain = withUris(cosmosChain({ rpcNodeUrl: node.url }));
  const read = async () => {
    const found = await chain.readBlocks(1, 9, { isKnown: () => false, signal });
    return found.flatMap(({ changes }) => changes);
  };
  return { read, changes: await read(), requests: node.requests };
}

const mintData = { collection: "0xc", token_id: "1", nft: "0xa" };
const madeObject = move("0x1::object::CreateEvent", { object: "0xa", owner: "0x7" });

test.each<[string, readonly PlayedEvent[]]>([
  ["of another address", [madeObject, move("0x11::collection::MintEvent", mintData)]],
  [
    "in a field that is named like the type",
    [madeObject, move("0x7::a::B", mintData, ["type_tag", "0x1::collection::MintEvent"])],
  ],
  [
    "in an event that does not start with its type",
    [madeObject, event("move", ["data", JSON.stringify(mintData)], ["type_tag", "0x1::collection::MintEvent"])],
  ],
  [
    "that is a wasm event with the library's type",
    [madeObject, event("wasm", ["type_tag", "0x1::collection::MintEvent"], ["data", JSON.stringify(mintData)])],
  ],
  ["whose data is not JSON", [madeObject, move("0x1::collection::MintEvent", "{")]],
  ["whose data is a list", [madeObject, move("0x1::collection::MintEvent", [])]],
  ["whose object was not created", [move("0x1::collection::MintEvent", mintData)]],
  ["whose object is a number", [madeObject, move("0x1::collection::MintEvent", { ...mintData, nft: 10 })]],
  ["of a transfer to no address", [move("0x1::object::TransferEvent", { object: "0xa", to: "init1" })]],
  [
    "of a description",
    [move("0x1::nft::MutationEvent", { nft: "0xa", mutated_field_name: "description", new_value: "x" })],
  ],
])("a Move event %s changes nothing", async (_, events) => {
  expect((await readEvents(events)).changes).toEqual([]);
});

test("a token that was transferred before its mint event has the later owner, in canonical form", async () => {
  const { changes } = await readEvents([
    move("0x1::collection::CreateEvent", { collection: "0xc", creator: "0x01", name: "n" }),
    move("0x1::collection::CreateCollectionEvent", { collection: "0x0c", creator: "0x1", name: "n" }),
    madeObject,
    move("0x1::object::TransferEvent", { object: "0xa", from: "0x7", to: `0x${"F".repeat(63)}` }),
    move("0x1::collection::MintEvent", mintData),
    move("0x1::nft::CreateEvent", { collection: "0xc", token_id: "1", uri: "" }),
  ]);
  const collectionAddr = `0x${"0".repeat(39)}c`;
  const objectAddr = `0x${"0".repeat(39)}a`;
  const later = `0x0${"f".repeat(63)}`;
  const txHash = "709E80C88487A2411E1EE4DFB9F22A861492D20C4765150C0C794ABD70F8147C";
  expect(changes).toEqual([
    { kind: "collection", collectionAddr, name: "n", creator: `0x${"0".repeat(39)}1` },
    { kind: "transferred", token: { objectAddr }, owner: later, txHash },
    { kind: "minted", collectionAddr, tokenId: "1", owner: later, uri: "", objectAddr, txHash },
  ]);
});

/** Answers queries of a contract by their names; refuses the others. */
function contractAnswers(answers: Readonly<Record<string, string>>): Override {
  return ({ parameters }) => {
    const { height = "0" } = parameters;
    const info = ContractInfo.fromPartial({ creator: owner });
    if (parameters["path"]?.endsWith("/ContractInfo") === true)
      return queried(QueryContractInfoResponse.encode({ address: contract, contractInfo: info }).finish(), height);
    const { queryData } = QuerySmartContractStateRequest.decode(Buffer.from(parameters["data"] ?? "", "hex"));
    const [name = ""] = Object.keys(JSON.parse(Buffer.from(queryData).toString()) as object);
    const answer = answers[name];
    if (answer === undefined) return refused(`no query ${name}: query wasm contract failed`);
    return queried(QuerySmartContractStateResponse.encode({ data: Buffer.from(answer) }).finish(), height);
  };
}

function queried(value: Uint8Array, height: string): ScriptedAnswer {
  const response = {
    code: 0,
    log: "",
    height: height === "0" ? "9" : height,
    value: Buffer.from(value).toString("base64"),
  };
  return { body: { jsonrpc: "2.0", id: 1, result: { response } } };
}

function refused(log: string): ScriptedAnswer {
  return { body: { jsonrpc: "2.0", id: 1, result: { response: { code: 6, codespace: "sdk", log, value: null } } } };
}

const minted = event("wasm", ["_contract_address", contract], ["action", "mint"], ["owner", owner], ["token_id", "1"]);

test("a contract that is not a collection is queried once", async () => {
  const { changes, read, requests } = await readEvents([minted, minted], contractAnswers({ contract_info: "{}" }));
  const asked = () => requests.filter(({ body }) => body.includes("abci_query")).length;
  expect(changes).toEqual([]);
  expect(asked()).toBe(2);
  expect(await read()).toEqual([]);
  expect(asked()).toBe(2);
});

test("a node that has pruned the state of the block is asked for its newest state", async () => {
  const now = contractAnswers({ contract_info: '{"name":"Old"}', nft_info: '{"token_uri":"ipfs://1"}' });
  const { changes, requests } = await readEvents([minted], (request) =>
    request.parameters["height"] === "0"
      ? now(request)
      : refused("failed to load state at height 5; version does not exist (latest height: 9): invalid request"),
  );
  expect(changes).toMatchObject([
    { kind: "collection", name: "Old" },
    { kind: "minted", uri: "ipfs://1" },
  ]);
  expect(requests.filter(({ body }) => body.includes("abci_query"))).toHaveLength(6);
});

test("a failing node is not a refusing contract", async () => {
  const failing = readEvents([minted], () => rpcError("database is closed"));
  await expect(failing).rejects.toMatchObject({ code: "NODE_ERROR" });
});

test("a query with an unreadable answer is retried", async () => {
  const answers = contractAnswers({ contract_info: '{"name":"Cats"}', nft_info: "{}" });
  const { changes } = await readEvents([minted], (request) =>
    request.turn % 2 === 0 ? queried(Buffer.from("no message"), "5") : answers(request),
  );
  expect(changes).toMatchObject([{ kind: "collection", name: "Cats" }, { kind: "minted" }]);
});

test("a query is retried if the node is busy", async () => {
  const answers = contractAnswers({ contract_info: '{"name":"Cats"}', nft_info: "{}" });
  const busy = refused("codespace sdk code 26: invalid height: cannot query with height in the future");
  const { changes } = await readEvents([minted], (request) => (request.turn === 0 ? busy : answers(request)));
  expect(changes).toMatchObject([
    { kind: "collection", name: "Cats" },
    { kind: "minted", uri: "" },
  ]);
});

test("a bounded number of contracts that are not collections is remembered, the newest", () => {
  const refusedContracts = new RefusedContracts();
  for (let index = 0; index < 10_002; index += 1) refusedContracts.add(`0x${index}`);
  const isRemembered = [0, 1, 2, 10_001].map((index) => refusedContracts.has(`0x${index}`));
  expect(isRemembered).toEqual([false, false, true, true]);
});

test.each([
  ["a minter and a creator", ["minter", "creator"], 1],
  ["a minter and an owner", ["minter", "owner"], 1],
  ["only a minter", ["minter"], 0],
  ["only an owner", ["owner"], 0],
])("a contract with %s in an event is checked for being a collection", async (_, keys, collections) => {
  const announced = event("wasm", ["_contract_address", contract], ...keys.map((key) => [key, owner] as const));
  const { changes } = await readEvents([announced, announced], contractAnswers({ contract_info: '{"name":"Cats"}' }));
  expect(changes.map(({ kind }) => kind)).toEqual(Array.from({ length: collections }, () => "collection"));
});

/** The event of a packet that port `to` received: IBC emits it before the events of what the port does with it. */
function received(to: string, classData: string, from = "nft-transfer"): PlayedEvent {
  const data = { classData: Buffer.from(classData).toString("base64"), classId: "0xca75", tokenIds: ["1"] };
  const packet = { data: JSON.stringify(data), src_port: from, dst_port: to, dst_channel: "channel-7" };
  return event("recv_packet", ...Object.entries(packet).map(([key, value]) => [`packet_${key}`, value] as const));
}

const wasmPort = `wasm.${contract}`;
const catsClass = JSON.stringify({ description: "", name: "Cats" });

test.each<[string, string, string, readonly PlayedEvent[]]>([
  ["a Wasm contract", wasmPort, `${wasmPort}/channel-7/0xca75`, [minted]],
  [
    "the NFT module of a Move rollup",
    "nft-transfer",
    "ibc/AA3E24BB86B5B63F31A2EABE27722CF416CC9AF4919A7D5363E8D54776B82792",
    [
      move("0x1::collection::CreateCollectionEvent", {
        collection: "0xc",
        creator: "0x1",
        name: "ibc/AA3E24BB86B5B63F31A2EABE27722CF416CC9AF4919A7D5363E8D54776B82792",
      }),
      madeObject,
      move("0x1::collection::MintEvent", mintData),
      move("0x1::nft::CreateEvent", { collection: "0xc", token_id: "1", uri: "" }),
    ],
  ],
])("a collection that %s received over IBC is listed with its name there", async (_, port, name, made) => {
  const answers = contractAnswers({ contract_info: JSON.stringify({ name }), nft_info: "{}" });
  const { url } = await playEvents([received(port, catsClass), ...made], answers);
  const indexer = await startIndexer({ source: { rpcNodeUrl: url }, pollMs: 20 });
  const read = async (path: string): Promise<unknown> => (await fetch(indexer.url + path)).json();
  await until("block 9 in the index", async () => ((await read("/status")) as { height: number }).height === 9);
  const {
    collections: [collection],
  } = (await read("/indexer/nft/v1/collections")) as { collections: { object_addr: string }[] };
  expect(collection).toMatchObject({ collection: { name, origin_name: "Cats" } });
  expect(await read(`/indexer/nft/v1/tokens/by_collection/${collection?.object_addr}`)).toMatchObject({
    tokens: [{ collection_name: name, collection_origin_name: "Cats", nft: { token_id: "1" } }],
  });
  await indexer.stop();
});

test.each<[string, PlayedEvent]>([
  ["from another port", received(wasmPort, catsClass, "transfer")],
  ["whose class is not JSON", received(wasmPort, "Cats")],
  ["whose class has no name", received(wasmPort, '{"name":1}')],
  ["whose data is not JSON", event("recv_packet", ["packet_src_port", "nft-transfer"], ["packet_data", "{"])],
  ["of another type", { ...received(wasmPort, catsClass), type: "send_packet" }],
])("a packet %s names nothing", async (_, packet) => {
  expect((await readEvents([packet])).changes).toEqual([]);
});

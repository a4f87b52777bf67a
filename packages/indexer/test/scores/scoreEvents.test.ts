import { encodeAbiParameters, encodeEventTopics, toEventSelector } from "viem";
import { expect, test } from "vitest";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { formatBech32, u64Max, type ContractIdentity } from "@vipscore/core";
import { playNode as playComet } from "@vipscore/testkit/playedComet";
import { playNode } from "@vipscore/testkit/scriptedServer";
import { scoreEventReader } from "../../src/chain/scoreEvents.ts";

const { signal } = new AbortController();
const address = (digits: string) => `0x${digits.padStart(40, "0")}` as const;
const long = `0x${"ab".repeat(32)}` as const;
const [alice, bob] = [address("a11ce"), address("b0b")];
const evmContract = address("c0");
const moveModule = `0x${"c0de".padStart(64, "0")}::vip_score`;
const wasmContract = formatBech32(`0x${"cc".repeat(32)}`);

const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, "0")}` as const;
const words = (...values: readonly bigint[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: "uint256" as const })),
    values,
  );

interface Log {
  readonly topics: readonly unknown[];
  readonly data: string;
  readonly address?: string;
}

const evmScore = (account: `0x${string}`, stage: bigint, score: bigint, total: bigint): Log => ({
  topics: encodeEventTopics({ abi: vipScoreAbi, eventName: "UpdateScore", args: { addr: account, stage } }),
  data: words(score, total),
});
const evmPacked = (stage: bigint, count: bigint, total: bigint): Log => ({
  topics: encodeEventTopics({ abi: vipScoreAbi, eventName: "UpdateScoresPacked", args: { stage } }),
  data: words(count, total),
});

/** Reads the logs of a block. */
async function readEvm(...logs: readonly Log[]) {
  const { url } = await playNode(({ method, params: [first] }) => {
    if (method === "eth_getLogs") {
      const place = (at: number) => ({ blockNumber: word(3).replace(/^0x0+/, "0x"), logIndex: `0x${at.toString(16)}` });
      const sent = { transactionIndex: "0x0", transactionHash: word(7), blockHash: word(3), removed: false };
      return { result: logs.map((log, at) => ({ address: evmContract, ...sent, ...place(at), ...log })) };
    }
    if (method === "eth_getBlockByNumber")
      return { result: { number: first, hash: word(Number(first)), timestamp: "0x1", transactions: [word(7)] } };
    return { result: "0x9" };
  });
  return readWith(url, { vm: "evm", chainId: "1", address: evmContract });
}

type Attributes = readonly (readonly [key: string, value: string])[];

/** Reads the events of a block's transaction, by type and attributes. */
async function readCosmos(vm: "move" | "wasm", ...events: readonly (readonly [type: string, Attributes])[]) {
  const played = events.map(([type, attributes]) => ({
    type,
    attributes: attributes.map(([key, value]) => ({ key, value })),
  }));
  const block = { height: 3, time: "2026-01-01T00:00:00Z", transactions: ["AA=="], events: [played] };
  const { url } = await playComet({ blocks: [block], earliest: 1, latest: 9 });
  return readWith(url, { vm, chainId: "mini-1", address: vm === "move" ? "0xc0de" : wasmContract });
}

async function readWith(url: string, identity: ContractIdentity) {
  const spelled = identity.vm === "move" ? `0x${"c0de".padStart(40, "0")}` : identity.address;
  const writes = await scoreEventReader(url, { ...identity, address: spelled })({ first: 3, last: 3 }, signal);
  return [...writes].map(([stage, { scores, isPacked, total }]) => ({ stage, scores: [...scores], isPacked, total }));
}

/** A Move event, of the contract unless its type has another module. */
const moveEvent = (type: string, fields: unknown): readonly [string, Attributes] => [
  "move",
  [
    ["type_tag", type.includes("::") ? type : `${moveModule}::${type}`],
    ["data", typeof fields === "string" ? fields : JSON.stringify(fields)],
  ],
];

/** An event of the Wasm contract. */
const wasmEvent = (name: string, fields: object, contract = wasmContract): readonly [string, Attributes] => [
  `wasm-${name}`,
  [["_contract_address", contract], ...Object.entries(fields).map(([key, value]) => [key, String(value)] as const)],
];

test("of the events in the contract's ABI, the two about scores are read", async () => {
  const read: string[] = [];
  for (const item of vipScoreAbi) {
    if (item.type !== "event") continue;
    const topics = [toEventSelector(item), ...item.inputs.flatMap(({ indexed }) => (indexed ? [word(1)] : []))];
    if ((await readEvm({ topics, data: words(3n, 9n) })).length > 0) read.push(item.name);
  }
  expect(read).toEqual(["UpdateScore", "UpdateScoresPacked"]);
});

test("EVM: an account has its last score, a batch says only the total, stages are apart", async () => {
  const read = await readEvm(
    evmScore(alice, 1n, 5n, 5n),
    evmScore(bob, 1n, u64Max - 7n, u64Max - 2n),
    evmScore(alice, 1n, 7n, u64Max),
    evmScore(alice, 2n, 0n, 0n),
    evmPacked(2n, 100n, 12n),
  );
  expect(read).toEqual([
    {
      stage: 1n,
      scores: [
        [alice, 7n],
        [bob, u64Max - 7n],
      ],
      isPacked: false,
      total: u64Max,
    },
    { stage: 2n, scores: [[alice, 0n]], isPacked: true, total: 12n },
  ]);
});

const { topics: scoreTopics } = evmScore(alice, 1n, 1n, 1n);
const { topics: packedTopics } = evmPacked(1n, 1n, 1n);

test.each<readonly [string, Log]>([
  ["no topics", { topics: [], data: words(1n, 1n) }],
  ["another event", { topics: [word(1), ...scoreTopics.slice(1)], data: words(1n, 1n) }],
  ["a stage that is not indexed", { topics: scoreTopics.slice(0, 2), data: words(1n, 1n, 1n) }],
  ["a topic more", { topics: [...packedTopics, word(1)], data: words(1n, 1n) }],
  ["a word less", { topics: scoreTopics, data: words(1n) }],
  ["a word more", { topics: scoreTopics, data: words(1n, 1n, 1n) }],
  ["no data", { topics: scoreTopics, data: "0x" }],
  ["stage 0", evmPacked(0n, 1n, 1n)],
  ["a stage above u64", { topics: [packedTopics[0], word(u64Max + 1n)], data: words(1n, 1n) }],
  ["a total above u64", { topics: scoreTopics, data: words(1n, u64Max + 1n) }],
])("EVM: an event with %s is skipped", async (_, log) => {
  expect(await readEvm(log)).toEqual([]);
});

test("EVM: an event whose score is above u64 counts as a batch", async () => {
  const read = await readEvm({ topics: scoreTopics, data: words(u64Max + 1n, 4n) });
  expect(read).toEqual([{ stage: 1n, scores: [], isPacked: true, total: 4n }]);
});

test("Move: accounts have 20 or 32 bytes, whatever zeros their text lacks", async () => {
  const scored = (account: string, score: string, total: string) =>
    moveEvent("UpdateScoreEvent", { account, stage: "1", score, total_score: total });
  const read = await readCosmos(
    "move",
    scored("0xa11ce", "5", "5"),
    scored(`0x${"0".repeat(24)}${bob.slice(2)}`, "6", "11"),
    scored(long, "7", "18"),
    scored(alice, "4", "17"),
    moveEvent("0xc0de::vip_score::UpdateScoresEvent", { stage: "2", count: "3", total_score: String(u64Max) }),
  );
  expect(read).toEqual([
    {
      stage: 1n,
      scores: [
        [alice, 4n],
        [bob, 6n],
        [long, 7n],
      ],
      isPacked: false,
      total: 17n,
    },
    { stage: 2n, scores: [], isPacked: true, total: u64Max },
  ]);
});

const moveFields = { account: alice, stage: "1", score: "5", total_score: "5" };

test.each<readonly [string, readonly [string, Attributes]]>([
  ["another contract", moveEvent("0xc0df::vip_score::UpdateScoreEvent", moveFields)],
  ["another module", moveEvent("0xc0de::vip_scores::UpdateScoreEvent", moveFields)],
  ["another event", moveEvent("FinalizeStageEvent", moveFields)],
  ["text in place of an address", moveEvent("vip::vip_score::UpdateScoreEvent", moveFields)],
  ["no data", ["move", [["type_tag", `${moveModule}::UpdateScoreEvent`]]]],
  ["data that is not JSON", moveEvent("UpdateScoreEvent", "{")],
  ["data that is a list", moveEvent("UpdateScoreEvent", [moveFields])],
  ["deep data", moveEvent("UpdateScoreEvent", "[".repeat(100_000))],
  ["no stage", moveEvent("UpdateScoreEvent", { ...moveFields, stage: undefined })],
  ["stage 0", moveEvent("UpdateScoreEvent", { ...moveFields, stage: "0" })],
  ["a stage above u64", moveEvent("UpdateScoreEvent", { ...moveFields, stage: String(u64Max + 1n) })],
  ["a negative total", moveEvent("UpdateScoreEvent", { ...moveFields, total_score: "-1" })],
  ["a total that is a number", moveEvent("UpdateScoreEvent", { ...moveFields, total_score: 5 })],
  ["a total with a fraction", moveEvent("UpdateScoreEvent", { ...moveFields, total_score: "1.5" })],
  [
    "the type in a later attribute",
    [
      "move",
      [
        ["data", JSON.stringify(moveFields)],
        ["type_tag", `${moveModule}::UpdateScoreEvent`],
      ],
    ],
  ],
  ["the type of Wasm", ["wasm-move", moveEvent("UpdateScoreEvent", moveFields)[1]]],
])("Move: an event with %s is skipped", async (_, event) => {
  expect(await readCosmos("move", event)).toEqual([]);
});

test.each([
  ["no account", { account: undefined }],
  ["an account that is a list", { account: [alice] }],
  ["an account that is an object", { account: { toString: alice } }],
  ["an account that is too long", { account: `${long}00` }],
  ["bech32", { account: formatBech32(alice) }],
  ["no score", { score: undefined }],
  ["a score above u64", { score: String(u64Max + 1n) }],
  ["a score that is a number", { score: 5 }],
])("Move: an event with %s counts as a batch", async (_, fields) => {
  const read = await readCosmos("move", moveEvent("UpdateScoreEvent", { ...moveFields, ...fields }));
  expect(read).toEqual([{ stage: 1n, scores: [], isPacked: true, total: 5n }]);
});

const wasmFields = { addr: formatBech32(alice), stage: "1", score: "5", total_score: "5" };

test("Wasm: scores and batches of the contract are read", async () => {
  const read = await readCosmos(
    "wasm",
    wasmEvent("update-score", wasmFields),
    wasmEvent("update-score", { ...wasmFields, addr: formatBech32(long), score: "0" }),
    wasmEvent("update-score", { ...wasmFields, score: "6", total_score: "6" }),
    wasmEvent("update-scores-packed", { stage: "2", count: "3", total_score: "9" }),
  );
  expect(read).toEqual([
    {
      stage: 1n,
      scores: [
        [alice, 6n],
        [long, 0n],
      ],
      isPacked: false,
      total: 6n,
    },
    { stage: 2n, scores: [], isPacked: true, total: 9n },
  ]);
});

test.each<readonly [string, readonly [string, Attributes]]>([
  ["another contract", wasmEvent("update-score", wasmFields, formatBech32(long))],
  ["no contract", ["wasm-update-score", Object.entries(wasmFields)]],
  ["another name", wasmEvent("update-scores", wasmFields)],
  ["no name", ["wasm", wasmEvent("", wasmFields)[1]]],
  ["no total", wasmEvent("update-score", { stage: "1", score: "5" })],
  ["stage 0", wasmEvent("update-score", { ...wasmFields, stage: "00" })],
  ["a stage above u64", wasmEvent("update-score", { ...wasmFields, stage: u64Max + 1n })],
  ["a total above u64", wasmEvent("update-scores-packed", { stage: "1", total_score: u64Max + 1n })],
  ["a total with a sign", wasmEvent("update-score", { ...wasmFields, total_score: "+5" })],
])("Wasm: an event with %s is skipped", async (_, event) => {
  expect(await readCosmos("wasm", event)).toEqual([]);
});

test.each([
  ["no account", { addr: "" }],
  ["hex", { addr: alice }],
  ["a wrong checksum", { addr: wasmFields.addr.replace(/.$/, (last) => (last === "q" ? "p" : "q")) }],
  ["an account of another chain", { addr: formatBech32(alice, "cosmos") }],
  ["an empty score", { score: "" }],
])("Wasm: an event with %s counts as a batch", async (_, fields) => {
  const read = await readCosmos("wasm", wasmEvent("update-score", { ...wasmFields, ...fields }));
  expect(read).toEqual([{ stage: 1n, scores: [], isPacked: true, total: 5n }]);
});

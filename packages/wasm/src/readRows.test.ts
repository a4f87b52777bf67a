import {
  QueryAllContractStateResponse,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { describe, expect, test } from "vitest";
import { ScoreTable, stage, u64Max, type Account, type ScoreRow } from "@vipscore/core";
import type { ContractState } from "@vipscore/core/engine";
import { openJsonRpc } from "@vipscore/core/wire";
import { askedBy, refused, result, scriptNode, state, type Reply } from "@vipscore/testkit/scriptedNode";
import { stringifyExact } from "./contractReader.ts";
import { publishedState } from "./publishedState.ts";
import { vipScoreState } from "./vipScoreState.ts";
import { accountOfAddress, addressOf } from "./wasmAddress.ts";

// Not after each test: the tests with refused answers wait at the same time.

const smartPath = "/cosmwasm.wasm.v1.Query/SmartContractState";
const address = addressOf(`0x${"ab".repeat(32)}` as Account);
const height = 9n;

/** A contract's answer to a query. */
function answer(value: unknown, at?: string): Reply {
  const data = Buffer.from(typeof value === "string" ? value : (stringifyExact(value) ?? ""));
  return state(QuerySmartContractStateResponse.encode({ data }).finish(), at);
}

const open = (count: bigint | null): Reply =>
  answer({ stage: 2n, exists: true, total_score: 5n, is_finalized: false, count, revision: 1n });

const addresses = Array.from({ length: 9_000 }, (_, index) =>
  addressOf(`0x${(index + 1).toString(16).padStart(40, "0")}` as Account),
);

/** Rows in ascending order of the bytes of their addresses. */
function rows(count: number, from = 0, all = addresses): readonly { readonly addr: string; readonly score: bigint }[] {
  return all.slice(from, from + count).map((addr, index) => ({ addr, score: BigInt(from + index) }));
}

/** Rows in ascending order of the texts of their addresses. */
function rowsByText(count: number, from = 0): ReturnType<typeof rows> {
  return rows(count, from, addresses.toSorted());
}

async function readAll(contract: ContractState, table?: ScoreTable): Promise<readonly ScoreRow[]> {
  const found: ScoreRow[] = [];
  for await (const page of contract.getScores(stage(2n), { height, table })) found.push(...page);
  return found;
}

async function read(replies: readonly Reply[], stateOf = vipScoreState) {
  const { url, requests } = await scriptNode({ [smartPath]: replies });
  const reading = readAll(stateOf({ comet: openJsonRpc(url), address }));
  // The test examines the failure.
  reading.catch(() => {});
  return { reading, requests };
}

type Requests = Awaited<ReturnType<typeof read>>["requests"];

/** The messages that a server received, with their heights. */
function questions(requests: Requests) {
  return requests.map((request) => {
    const { params } = askedBy(request);
    const { queryData } = QuerySmartContractStateRequest.decode(Buffer.from(params.data ?? "", "hex"));
    return [Buffer.from(queryData).toString(), params.height];
  });
}

/** Returns the number of different queries that a server received. */
function differentOf(requests: Requests): number {
  return new Set(requests.map((request) => JSON.stringify(askedBy(request).params))).size;
}

/** Most requests for one unreadable answer: pauses of at least 100 ms, each twice as long, within 3 seconds. */
const maxRepeats = 8;

describe("our contract", () => {
  test("is read to its end at one height", async () => {
    const [first, second] = [rows(2), rows(1, 2)];
    const last = { addr: second[0]!.addr, score: u64Max };
    const pages = [open(3n), answer({ scores: first }), answer({ scores: [last] })];
    const { reading, requests } = await read(pages);
    expect((await reading).map(({ account, score }) => [addressOf(account), score])).toEqual([
      [first[0]!.addr, 0n],
      [first[1]!.addr, 1n],
      [last.addr, u64Max],
    ]);
    expect(questions(requests)).toEqual([
      ['{"get_stage":{"stage":2}}', "9"],
      ['{"get_scores":{"stage":2,"limit":4000}}', "9"],
      [`{"get_scores":{"stage":2,"limit":4000,"start_after":"${first[1]!.addr}"}}`, "9"],
    ]);
  });

  test("a stage that does not exist, or has no rows, has no pages", async () => {
    const absent = answer({ stage: 2n, exists: false, total_score: 0n, is_finalized: false, count: 0n });
    expect(await (await read([absent])).reading).toEqual([]);
    expect(await (await read([open(0n)])).reading).toEqual([]);
  });

  const [one, two] = rows(2);
  test.concurrent.each<[string, readonly Reply[]]>([
    ["the same page again", [answer({ scores: [one] })]],
    ["rows out of order", [answer({ scores: [two, one] })]],
    ["a row twice", [answer({ scores: [one, one] })]],
    ["more rows than the stage has", [answer({ scores: rows(3) })]],
    ["an invalid address", [answer({ scores: [{ addr: "init1nobody", score: 1n }] })]],
    ["an address in capitals", [answer({ scores: [{ addr: one?.addr.toUpperCase(), score: 1n }] })]],
    ["a score that is not a whole number", [answer({ scores: [{ ...one, score: 1.5 }] })]],
    ["a score as a text", [answer({ scores: [{ ...one, score: "7" }] })]],
    ["a score above u64", [answer({ scores: [{ ...one, score: u64Max + 1n }] })]],
    ["a negative score", [answer({ scores: [{ ...one, score: -1n }] })]],
    ["no scores", [answer({})]],
    ["a page that is a list", [answer([])]],
    ["a page that is not JSON", [answer("<html>")]],
    ["bytes that are not a contract's answer", [state(Buffer.from("ffffffffff", "hex"))]],
    ["a result of another form", [result({ response: 7 })]],
    ["the state of another height", [answer({ scores: [one] }, "8")]],
  ])("%s: refused", async (_, pages) => {
    const { reading, requests } = await read([open(2n), ...pages]);
    await expect(reading).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
    expect(differentOf(requests)).toBeLessThanOrEqual(4);
    expect(requests.length).toBeLessThanOrEqual(4 + maxRepeats);
  });

  test("a page that is unreadable, or does not follow the one before, is read again", async () => {
    const [first, second] = [rows(2), rows(1, 2)];
    const page = answer({ scores: first });
    const torn = state(Buffer.from("ffffffffff", "hex"));
    const { reading, requests } = await read([open(3n), torn, page, page, answer({ scores: second })]);
    expect(await reading).toHaveLength(3);
    expect(differentOf(requests)).toBe(3);
    expect(requests).toHaveLength(5);
  });

  test("a page that fails is reported after the rows before it", async () => {
    const gone = refused(
      "failed to load state at height 9; version does not exist (latest height: 900): invalid request",
      18,
    );
    const { url } = await scriptNode({ [smartPath]: [open(2n), answer({ scores: [one] }), gone] });
    const rowPages = vipScoreState({ comet: openJsonRpc(url), address }).getScores(stage(2n), { height });
    const pages = rowPages[Symbol.asyncIterator]();
    expect((await pages.next()).value).toHaveLength(1);
    await expect(pages.next()).rejects.toMatchObject({ code: "NODE_ERROR" });
  });

  test("reading endless pages stops at the number of rows in the stage", async () => {
    const all = rows(2500);
    const page = (from: number): Reply => answer({ scores: all.slice(from, from + 10) });
    const endless = Array.from({ length: 240 }, (_, index) => page(10 * index));
    const { reading, requests } = await read([open(95n), ...endless]);
    await expect(reading).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
    expect(differentOf(requests)).toBeLessThan(15);
    expect(requests.length).toBeLessThan(15 + maxRepeats);
  });

  test("the pages of a stage that is as expected are requested at once, and each follows the one before", async () => {
    const all = rows(9_000);
    const page: Reply = (asked) => {
      const { queryData } = QuerySmartContractStateRequest.decode(Buffer.from(asked.params.data ?? "", "hex"));
      const message = JSON.parse(Buffer.from(queryData).toString()) as { get_scores: { start_after?: string } };
      const first = all.findIndex(({ addr }) => addr === message.get_scores.start_after) + 1;
      return answer({ scores: all.slice(first, first + 4_000) })(asked);
    };
    const { url, requests } = await scriptNode({ [smartPath]: [open(9_000n), page] });
    const scores = all.map(({ addr, score }) => ({ account: accountOfAddress(addr)!, score }));
    const table = ScoreTable.from(scores.toReversed());
    expect(await readAll(vipScoreState({ comet: openJsonRpc(url), address }), table)).toEqual(scores);
    expect(requests).toHaveLength(4);
  });

  test("a stage of the reference contract, which has no count, is read in order of text", async () => {
    const { url } = await scriptNode({ [smartPath]: [open(null)] });
    const found = await vipScoreState({ comet: openJsonRpc(url), address }).getStage(stage(2n), { height });
    expect(found).toEqual({ stage: 2n, total: 5n, isFinalized: false, count: undefined, revision: 1n });
    const last = rowsByText(1, 30)[0]!;
    const pages = [answer({ scores: rowsByText(30), next: last.addr }), answer({ scores: [last], next: null })];
    expect(await (await read([open(null), ...pages])).reading).toHaveLength(31);
    const { reading } = await read([open(30n), answer({ scores: rowsByText(30) })]);
    await expect(reading).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });

  test.concurrent.each<[string, unknown]>([
    ["a next page that does not advance", { scores: rowsByText(2), next: rowsByText(1)[0]?.addr }],
    ["an empty page before the last", { scores: [], next: one?.addr }],
    ["a next that is not a text", { scores: [one], next: 5n }],
  ])("%s, of a stage without a count: refused", async (_, page) => {
    const { reading, requests } = await read([open(null), answer(page)]);
    await expect(reading).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
    expect(differentOf(requests)).toBe(2);
  });
});

describe("a contract with the published interface", () => {
  const page = (count: number, from = 0): Reply =>
    answer({ scores: rowsByText(count, from).map((row) => ({ stage: 2n, ...row })) });

  test("is read until a page is empty: a page may have fewer rows than requested", async () => {
    const { reading, requests } = await read([page(1000), page(30, 1000), page(0)], publishedState);
    expect(await reading).toHaveLength(1030);
    const [, , third] = questions(requests);
    expect(third).toEqual([
      `{"get_scores":{"stage":2,"limit":1000,"start_after":"${rowsByText(1, 1029)[0]?.addr}"}}`,
      "9",
    ]);
  });

  test("the same page again is refused", async () => {
    const { reading, requests } = await read([page(3)], publishedState);
    await expect(reading).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
    expect(differentOf(requests)).toBe(2);
  });

  const storePath = "/cosmwasm.wasm.v1.Query/AllContractState";
  const entry = (key: Buffer) => ({ key, value: Buffer.from("{}") });
  const memberKey = (text: string) => Buffer.concat([Buffer.of(0, 10), Buffer.from(`allow_list${text}`)]);
  const entries = (keys: readonly Buffer[], nextKey = new Uint8Array()): Reply =>
    state(
      QueryAllContractStateResponse.encode({ models: keys.map(entry), pagination: { nextKey, total: 0n } }).finish(),
    );

  test("members are the keys of the store's list that are addresses", async () => {
    const [member, other] = rows(2).map(({ addr }) => addr);
    const first = entries([memberKey(member!), memberKey("junk")], memberKey("x"));
    const { url } = await scriptNode({
      [storePath]: [first, entries([memberKey(other!), Buffer.from("init_stage")])],
    });
    const members = await publishedState({ comet: openJsonRpc(url), address }).getMembers({ height });
    expect(members?.map(addressOf)).toEqual([member, other]);
  });

  test("reading stops if the store repeats a next key", async () => {
    const { url, requests } = await scriptNode({ [storePath]: [entries([memberKey("x")], memberKey("y"))] });
    const members = publishedState({ comet: openJsonRpc(url), address }).getMembers({ height });
    await expect(members).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
    expect(differentOf(requests)).toBe(2);
  });

  const rawPath = "/cosmwasm.wasm.v1.Query/RawContractState";
  const stored = (text: string): Reply =>
    state(QueryRawContractStateResponse.encode({ data: Buffer.from(text) }).finish());

  test.concurrent.each([
    ["{}", "NODE_BAD_RESPONSE"],
    ["x", "NODE_BAD_RESPONSE"],
    ["-1", "NODE_BAD_RESPONSE"],
    ['"1"', "NODE_BAD_RESPONSE"],
    ["", "STAGE_NOT_FOUND"],
  ])("a first stage stored as %j is invalid", async (text, code) => {
    const { url } = await scriptNode({ [rawPath]: [stored(text)] });
    const reading = publishedState({ comet: openJsonRpc(url), address }).getInitStage({ height });
    await expect(reading).rejects.toMatchObject({ code });
  });
});

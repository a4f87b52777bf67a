import { planPush, push, ScoreTable, type PushEvent } from "@vipscore/core";
import { startHardhat, type LocalNode } from "@vipscore/localnet";
import { passOn, script, stopScripts, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { numberToHex } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectEvm } from "../src/index.ts";
import { deployer, deployShape, rowsOf, stageOne } from "./testContract.ts";

let chain: LocalNode;
beforeAll(async () => {
  chain = await startHardhat();
});
afterEach(stopScripts);
afterAll(() => chain.stop());

/** What a faulty proxy before the node does with a request; undefined where it passes it on. */
type Fault = (
  method: string,
  turn: number,
) => { readonly passes: boolean; readonly answer: ScriptedAnswer } | undefined;

/** Deploys a contract and pushes so many rows to it over a faulty proxy. */
async function pushOver(fault: Fault, rows: number, onEvent: (event: PushEvent) => Promise<void> = async () => {}) {
  const { identity } = await deployShape(chain.rpcUrl, "ours");
  const turns = new Map<string, number>();
  const { url } = await script((request) => {
    const { method } = JSON.parse(request.body) as { readonly method: string };
    const turn = turns.get(method) ?? 0;
    turns.set(method, turn + 1);
    const met = fault(method, turn);
    if (met === undefined) return passOn(chain.rpcUrl, request);
    return met.passes ? passOn(chain.rpcUrl, request).then(() => met.answer) : met.answer;
  });
  const contract = await connectEvm({ rpcUrl: url, address: identity.address, account: deployer });
  const before = await contract.getSequence();
  const events: PushEvent[] = [];
  for await (const event of push(contract, await planPush(contract, stageOne, ScoreTable.from(rowsOf(rows))))) {
    events.push(event);
    await onEvent(event);
  }
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: rows } });
  const countOf = (type: PushEvent["type"]) => events.filter((event) => event.type === type).length;
  return { sent: countOf("sent"), setbacks: countOf("setback"), used: (await contract.getSequence()) - before };
}

async function ask(method: string, ...params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  await fetch(chain.rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
}

const internalError: ScriptedAnswer = {
  body: { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } },
};

test.each<[string, ScriptedAnswer]>([
  ["an internal error", internalError],
  ["a web page", { body: "<html>" }],
  ["status 502", { status: 502, body: "" }],
  ["silence", { instead: "silence" }],
])("a transaction that the node took is sent once, whatever the proxy answers: %s", async (_, answer) => {
  const isSend = (method: string) => method === "eth_sendRawTransaction";
  const fault: Fault = (method, turn) => (isSend(method) && turn === 1 ? { passes: true, answer } : undefined);
  const { sent, setbacks, used } = await pushOver(fault, 900);
  expect(sent).toBeGreaterThan(1);
  expect(setbacks).toBe(0);
  expect(used).toBe(BigInt(sent));
});

test("a transaction that never arrived is handed over again", async () => {
  const fault: Fault = (method, turn) =>
    method === "eth_sendRawTransaction" && turn % 2 === 0 ? { passes: false, answer: internalError } : undefined;
  expect(await pushOver(fault, 900)).toMatchObject({ setbacks: 0 });
});

test("reads go on over an endpoint that fails every third time", async () => {
  const answers: readonly ScriptedAnswer[] = [internalError, { body: "" }, { body: "<html>" }, { status: 503 }];
  const isRead = (method: string) => method === "eth_call" || method === "eth_getTransactionReceipt";
  const fault: Fault = (method, turn) =>
    isRead(method) && turn % 3 === 2 ? { passes: false, answer: answers[turn % answers.length] ?? {} } : undefined;
  expect(await pushOver(fault, 900)).toMatchObject({ setbacks: 0 });
});

test("an answer that cannot be read costs a repetition, whatever was asked for", async () => {
  const unreadable: ScriptedAnswer = { body: { jsonrpc: "2.0", id: 1, result: 7 } };
  const cut: ScriptedAnswer = { body: { jsonrpc: "2.0", id: 1, result: "0x00000000" } };
  // The first three calls ask which contract it is, and are repeated once; bytes of any kind are an answer to them.
  const isLaterCall = (method: string, turn: number) => method === "eth_call" && turn > 3;
  const fault: Fault = (method, turn) => {
    if (method === "eth_sendRawTransaction") return undefined;
    if (isLaterCall(method, turn) && turn % 4 === 0) return { passes: false, answer: cut };
    return turn === 0 ? { passes: false, answer: unreadable } : undefined;
  };
  expect(await pushOver(fault, 900)).toMatchObject({ setbacks: 0 });
});

test("a base fee that jumps costs a signature, not a setback", async () => {
  let isRaised = false;
  const raise = async ({ type }: PushEvent): Promise<void> => {
    if (type !== "confirmed" || isRaised) return;
    isRaised = true;
    await ask("hardhat_setNextBlockBaseFeePerGas", numberToHex(10n ** 11n));
    await ask("hardhat_mine");
  };
  const { sent, setbacks, used } = await pushOver(() => undefined, 900, raise);
  expect(isRaised).toBe(true);
  expect(setbacks).toBe(0);
  expect(used).toBe(BigInt(sent));
});

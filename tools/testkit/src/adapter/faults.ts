import { expect, test } from "vitest";
import { planPush, push, ScoreTable, type PlanPushOptions, type PushEvent } from "@vipscore/core";
import { passOn, script, type ScriptedAnswer, type SeenRequest } from "../scriptedServer.ts";
import type { AdapterChain } from "./adapterChain.ts";
import { countOf, pushSizes, rowsOf, stageOne } from "./rows.ts";

/** The requests and failures of a VM's nodes. */
export interface FaultyNode {
  /** True for a request that broadcasts a transaction. */
  readonly isSend: (request: SeenRequest) => boolean;
  /** True for a read that a push repeats. */
  readonly isRead: (request: SeenRequest) => boolean;
  /** A node's error without a reason. */
  readonly error: Answer;
}

type Answer = (request: SeenRequest) => ScriptedAnswer;

/** Characters of the largest request that a small gateway takes: some hundred rows. */
const largestBody = 35_000;

/** Returns the answer of a faulty proxy in front of the node; `pass` forwards the request. */
export type FaultyProxy = (
  request: SeenRequest,
  pass: () => Promise<ScriptedAnswer>,
) => Promise<ScriptedAnswer> | ScriptedAnswer;

/** The result of a push. */
interface Pushed {
  readonly setbacks: number;
  /** Number of used sequences beyond one per transaction. */
  readonly extra: bigint;
}

/** Pushes to a new contract over a faulty proxy, in several transactions; afterwards the contract must have all rows. */
export async function pushOver(
  chain: AdapterChain,
  proxy: FaultyProxy,
  options: PlanPushOptions = {},
): Promise<Pushed> {
  const actor = await chain.fund();
  const { identity } = await actor.deploy("ours");
  const { url } = await script(async (request) => proxy(request, () => passOn(chain.url, request)));
  const contract = await actor.connect(identity.address, { url });
  const before = await contract.getSequence();
  const events: PushEvent[] = [];
  const { rows: accounts, transactions } = pushSizes[chain.vm];
  const plan = await planPush(contract, stageOne, ScoreTable.from(rowsOf(accounts)), options);
  for await (const event of push(contract, plan)) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts } });
  const sent = countOf(events, "sent");
  expect(sent).toBeGreaterThanOrEqual(transactions);
  const used = (await contract.getSequence()) - before;
  return { setbacks: countOf(events, "setback"), extra: used - BigInt(sent) };
}

/** Returns a proxy that fails every n-th request of a kind. */
export function failEvery(
  turns: number,
  isMeant: (request: SeenRequest) => boolean,
  fail: (request: SeenRequest, pass: () => Promise<ScriptedAnswer>) => Promise<ScriptedAnswer>,
): FaultyProxy {
  let met = 0;
  return (request, pass) => {
    if (!isMeant(request)) return pass();
    met += 1;
    return met % turns === 0 ? fail(request, pass) : pass();
  };
}

/** Pushes while every second answer to an accepted transaction is replaced. Default: the node's own answer. */
export function pushAnswered(
  chain: AdapterChain,
  isSend: FaultyNode["isSend"],
  answer: (request: SeenRequest) => ScriptedAnswer | undefined,
): Promise<Pushed> {
  const proxy = failEvery(2, isSend, async (request, pass) => {
    const own = await pass();
    return answer(request) ?? own;
  });
  return pushOver(chain, proxy);
}

/** Registers the tests of a push over an endpoint that fails. */
export function testFaults(chain: () => AdapterChain, node: FaultyNode): void {
  const faults: readonly [string, Answer][] = [
    ["an internal error", (request) => node.error(request)],
    ["a web page", () => ({ body: "<html>" })],
    ["status 502", () => ({ status: 502, body: "" })],
    ["a cut connection", () => ({ instead: "cut" })],
  ];

  test.each(faults)("rows are written once, no matter what a proxy answers for the node: %s", async (_, answer) => {
    expect(await pushAnswered(chain(), node.isSend, answer)).toEqual({ setbacks: 0, extra: 0n });
  });

  test("a transaction that never arrived is broadcast again", async () => {
    const proxy = failEvery(2, node.isSend, async (request) => node.error(request));
    expect(await pushOver(chain(), proxy)).toMatchObject({ setbacks: 0 });
  });

  test("batches are halved where the endpoint closes the connection of large requests", async () => {
    let closed = 0;
    const { setbacks } = await pushOver(chain(), (request, pass) => {
      if (!node.isSend(request) || request.body.length <= largestBody) return pass();
      closed += 1;
      return { instead: "cut" };
    });
    expect(setbacks).toBeGreaterThan(0);
    expect(closed).toBeGreaterThan(setbacks);
  });

  test("reads continue over an endpoint that fails every third time", async () => {
    const answers: readonly Answer[] = [...faults.map(([, answer]) => answer), () => ({ body: "" })];
    let failed = 0;
    const fail = async (request: SeenRequest) => {
      const answer = answers[failed % answers.length];
      failed += 1;
      return answer?.(request) ?? node.error(request);
    };
    expect(await pushOver(chain(), failEvery(3, node.isRead, fail))).toMatchObject({ setbacks: 0 });
    expect(failed).toBeGreaterThan(2);
  });
}

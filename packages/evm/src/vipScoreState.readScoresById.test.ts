import { encodeFunctionResult, type Hex } from "viem";
import { expect, test } from "vitest";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { stage } from "@vipscore/core";
import { Answer, type JsonRpc } from "@vipscore/core/wire";
import { answeringRpc } from "../test/scriptedRpc.ts";
import { readScoresById } from "./vipScoreState.ts";

const abi = vipScoreAbi;
const info = { stage: 1n, totalScore: 0n, revision: 1n, isFinalized: false };
const address = "0x8E88A58b6912513002Ec36023CBCe51106ee3573";

/** A node's answers in order: the count of rows, the count of accounts, and pages. */
function answersOf(count: bigint, accounts: number, pages: readonly Hex[]): Hex[] {
  return [
    encodeFunctionResult({ abi, functionName: "getStage", result: { ...info, scoreCount: count } }),
    encodeFunctionResult({ abi, functionName: "accountCount", result: accounts }),
    ...pages,
  ];
}

/** A node that gives these answers, each once. */
function answering(...[count, accounts, pages]: Parameters<typeof answersOf>): JsonRpc {
  const answers = answersOf(count, accounts, pages);
  const endpoint = "http://scripted";
  const send: JsonRpc["send"] = async (title, _, read) =>
    read(new Answer({ endpoint, title }, answers.shift() ?? "0x"));
  return { endpoint, read: send, send };
}

function page(ids: readonly number[], nextId: number): Hex {
  const rows = ids.map((id) => ({ id, addr: `0x${id.toString(16).padStart(40, "0")}` as const, amount: BigInt(id) }));
  return encodeFunctionResult({ abi, functionName: "getScoresFrom", result: [rows, nextId] });
}

async function scoresOf(rpc: JsonRpc): Promise<readonly bigint[]> {
  const scores: bigint[] = [];
  for await (const rows of readScoresById({ rpc, address }, stage(1n), { height: 1n })) {
    scores.push(...rows.map(({ score }) => score));
  }
  return scores;
}

test("the contract's cursor is followed, even past an empty page", async () => {
  expect(await scoresOf(answering(3n, 9, [page([1, 4], 5), page([], 7), page([8], 0)]))).toEqual([1n, 4n, 8n]);
});

test.each([
  ["ids that do not ascend", page([4, 2], 0)],
  ["an id twice", page([4, 4], 0)],
  ["a cursor that stands still", page([], 1)],
  ["a cursor that goes back", page([1, 4], 3)],
  ["half a page", page([1], 0).slice(0, -64) as Hex],
])("%s: the answer is refused", async (_, answer) => {
  const reading = scoresOf(answering(2n, 9, [answer]));
  await expect(reading).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("an unreadable page is read again", async () => {
  const whole = page([1, 4], 0);
  const rpc = answeringRpc(...answersOf(2n, 9, [whole.slice(0, -64) as Hex, page([4, 1], 0), whole]));
  expect(await scoresOf(rpc)).toEqual([1n, 4n]);
  expect(rpc.asked).toHaveLength(5);
});

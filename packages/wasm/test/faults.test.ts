import { planPush, push, ScoreTable, type PushEvent } from "@vipscore/core";
import { startVipnode, type CosmosNode } from "@vipscore/localnet";
import { passOn, script, stopScripts, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectWasm } from "../src/index.ts";
import { askedBy, failure } from "./scriptedNode.ts";
import { deployShape, freshAccount, rowsOf, stageOne } from "./testContract.ts";

let chain: CosmosNode;
beforeAll(async () => {
  // Blocks that come late, so that transactions wait and nobody can look them up.
  chain = await startVipnode({ vm: "wasm", blockTimeMs: 500 });
});
afterEach(stopScripts);
afterAll(() => chain.stop());

test.each<[string, (id: number) => ScriptedAnswer]>([
  ["an internal error", (id) => failure("")({ id, name: "", params: {} })],
  ["an internal error with a reason that says nothing", (id) => failure("EOF")({ id, name: "", params: {} })],
  ["a web page", () => ({ body: "<html>" })],
  ["status 502", () => ({ status: 502, body: "" })],
  ["a cut connection", () => ({ instead: "cut" })],
])("rows are written once, whatever a proxy answers for the node: %s", async (_, answerOf) => {
  const account = await freshAccount(chain);
  const { identity } = await deployShape(chain, "ours", account);
  let sends = 0;
  const { url } = await script(async (request) => {
    const { name, id } = askedBy(request);
    const answer = await passOn(chain.rpcUrl, request);
    if (name !== "broadcast_tx_sync") return answer;
    sends += 1;
    return sends % 2 === 0 ? answerOf(id) : answer;
  });
  const contract = await connectWasm({ rpcUrl: url, address: identity.address, account });
  const before = await contract.getSequence();
  const events: PushEvent[] = [];
  const table = ScoreTable.from(rowsOf(9_000));
  for await (const event of push(contract, await planPush(contract, stageOne, table))) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 9_000 } });
  const sent = events.filter(({ type }) => type === "sent").length;
  expect(sent).toBeGreaterThan(2);
  expect(events.map(({ type }) => type)).not.toContain("setback");
  expect((await contract.getSequence()) - before).toBe(BigInt(sent));
});

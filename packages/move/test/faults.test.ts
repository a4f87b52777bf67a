import { planPush, push, ScoreTable, type PushEvent } from "@vipscore/core";
import { startVipnode, type CosmosNode } from "@vipscore/localnet";
import { passOn, refusal, script, stopScripts, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectMove } from "../src/index.ts";
import { deployShape, freshAccount, rowsOf, stageOne } from "./testContract.ts";

let chain: CosmosNode;
beforeAll(async () => {
  // Blocks that come late, so that transactions wait and nobody can look them up.
  chain = await startVipnode({ vm: "move", blockTimeMs: 500 });
});
afterEach(stopScripts);
afterAll(() => chain.stop());

test.each<[string, ScriptedAnswer]>([
  ["an internal error", refusal("internal error", 13)],
  ["a web page", { body: "<html>" }],
  ["status 502", { status: 502, body: "" }],
])("rows are written once, whatever a proxy answers for the node: %s", async (_, answer) => {
  const account = await freshAccount(chain);
  const { identity } = await deployShape(chain, "ours", account);
  let sends = 0;
  const { url } = await script(async (request) => {
    const answered = await passOn(chain.restUrl, request);
    if (request.path !== "/cosmos/tx/v1beta1/txs") return answered;
    sends += 1;
    return sends % 2 === 0 ? answer : answered;
  });
  const contract = await connectMove({ restUrl: url, address: identity.address, account });
  const before = await contract.getSequence();
  const events: PushEvent[] = [];
  const table = ScoreTable.from(rowsOf(18_000));
  for await (const event of push(contract, await planPush(contract, stageOne, table))) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 18_000 } });
  const sent = events.filter(({ type }) => type === "sent").length;
  expect(sent).toBeGreaterThan(1);
  expect(events.map(({ type }) => type)).not.toContain("setback");
  expect((await contract.getSequence()) - before).toBe(BigInt(sent));
});

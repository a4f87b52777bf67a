// A node that answers reads of any height from a state before the push's own writes, in which the stage held the file.
import { expect, test } from "vitest";
import { planPush, push, ScoreTable, verifyScores, type PushEvent } from "@vipscore/core";
import { shapes, useChain, type Shape } from "@vipscore/testkit/adapter/adapterChain";
import { done, pushAll, rowsOf, stageOne, writeRows } from "@vipscore/testkit/adapter/rows";
import { evmReplica } from "@vipscore/testkit/balanceEvm";
import { answerRpc, rpcOf } from "@vipscore/testkit/rpcCalls";
import { startProxy } from "@vipscore/testkit/startProxy";
import { hardhat } from "./evmChain.ts";

const chain = useChain(hardhat.start);
const table = ScoreTable.from(rowsOf(300));

/**
 * The stage holds the file, another member overwrites a row, the push writes it, perhaps the other member overwrites again, and then
 * the node answers from the first state, as often as given.
 */
async function pushOverOldNode(shape: Shape, { overwrites = true, oldAnswers = Infinity } = {}) {
  const owner = await chain().fund();
  const direct = await owner.deploy(shape);
  const { address } = direct.identity;
  const member = await chain().fund();
  await done(direct, { kind: "addMember", account: member.account });
  const other = await member.connect(address);
  await pushAll(direct, table);
  const held = await direct.getHeight();
  const overwrite = (score: bigint) =>
    writeRows(
      other,
      rowsOf(1).map((row) => ({ ...row, score })),
    );
  await overwrite(1n);

  const upstream = rpcOf(chain().url);
  const old = evmReplica(upstream, { head: held, flavor: "silent" });
  let left = 0;
  await using proxy = await startProxy(({ body }) =>
    answerRpc(body, (method, params) => {
      // The other member's sequence shows the adapter whether the block's state can be read.
      const isOfSigner = JSON.stringify(params).toLowerCase().includes(owner.account);
      const readsState = method === "eth_call" || (method === "eth_getTransactionCount" && isOfSigner);
      if (!readsState || left === 0) return upstream(method, params);
      left -= 1;
      return old(method, params);
    }),
  );
  const contract = await owner.connect(address, { url: proxy.url });
  const plan = await planPush(contract, stageOne, table);
  let last: PushEvent | undefined;
  for await (const event of push(contract, plan)) {
    last = event;
    if (event.type !== "confirmed") continue;
    if (overwrites) await overwrite(3n);
    left = oldAnswers;
  }
  if (last?.type !== "verified") throw new Error("the push ended without a verification");
  const { height } = last.verification;
  const truth = await verifyScores(direct, stageOne, table, { height });
  return { truth, otherWrites: last.otherWrites };
}

test.each(shapes)("a push never verifies that state: %s", async (shape) => {
  await expect(pushOverOldNode(shape)).rejects.toMatchObject({
    code: "VERIFY_MISMATCH",
    verification: { agrees: false, differences: [] },
  });
});

test.each(shapes)("a push verifies what the node shows once it has caught up: %s", async (shape) => {
  for (const oldAnswers of [1, 60]) {
    await expect(pushOverOldNode(shape, { oldAnswers })).rejects.toMatchObject({
      code: "VERIFY_MISMATCH",
      verification: { agrees: false, differences: [expect.objectContaining({ actual: 3n }) as unknown] },
    });
    const verified = await pushOverOldNode(shape, { oldAnswers, overwrites: false });
    expect(verified).toMatchObject({ truth: { agrees: true }, otherWrites: 0n });
  }
});

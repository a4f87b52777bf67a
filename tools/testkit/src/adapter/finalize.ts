import { describe, expect, test } from "vitest";
import { finalizeStage, NodeError, ScoreTable, u64Max, type ScoreContract } from "@vipscore/core";
import type { AdapterChain } from "./adapterChain.ts";
import { accountOf, done, pushAll, rowsOf, stageOne, stageTwo } from "./rows.ts";

/** The same contract; `act` takes the place of its first broadcast. */
function atFirstBroadcast(
  contract: ScoreContract,
  act: (broadcast: () => Promise<void>) => Promise<void>,
): ScoreContract {
  let isFirst = true;
  const broadcast: ScoreContract["broadcast"] = (...sent) => {
    const send = () => contract.broadcast(...sent);
    if (!isFirst) return send();
    isFirst = false;
    return act(send);
  };
  return { ...contract, broadcast };
}

const lost = () => new NodeError("the connection was lost", { code: "NODE_UNREACHABLE" });

/** Registers the tests of pushes and finalizes whose outcome our contract decides, or whose answers are lost. */
export function testFinalize(chain: () => AdapterChain): void {
  describe("our contract", () => {
    const deploy = async () => (await chain().fund()).deploy("ours");

    test("takes a score of almost 2^64 from one account to another: lower scores come first", async () => {
      const contract = await deploy();
      const [one, other] = [accountOf(0), accountOf(1)];
      for (const [first, second] of [
        [1n, u64Max - 1n],
        [u64Max - 1n, 1n],
        [0n, u64Max],
      ] as const) {
        const table = ScoreTable.from([
          { account: one, score: first },
          { account: other, score: second },
        ]);
        const events = await pushAll(contract, table);
        expect(events.filter(({ type }) => type === "setback")).toEqual([]);
        expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true } });
      }
    });

    test("refuses a finalize that was signed before another member wrote, even if the total is the same", async () => {
      const owner = await chain().fund();
      const contract = await owner.deploy("ours");
      const actor = await chain().fund();
      await done(contract, { kind: "addMember", account: actor.account });
      const other = await actor.connect(contract.identity.address);
      const rows = rowsOf(2);
      const table = ScoreTable.from(rows);
      await pushAll(contract, table);
      const late = atFirstBroadcast(contract, async (broadcast) => {
        const swapped = rows.map(({ account }, index) => ({ account, score: rows.at(-1 - index)?.score ?? 0n }));
        await done(other, { kind: "updateScores", stage: stageOne, rows: swapped });
        await broadcast();
      });
      const finalized = finalizeStage(late, stageOne, { expect: table });
      await expect(finalized).rejects.toMatchObject({ code: "FINALIZE_MISMATCH" });
      expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: false, count: 2n });
    });

    test.each(["request", "answer"] as const)("is finalized once if the first %s is lost", async (what) => {
      const contract = await deploy();
      const table = ScoreTable.from(rowsOf(4));
      await pushAll(contract, table);
      const sequence = await contract.getSequence();
      const losing = atFirstBroadcast(contract, async (broadcast) => {
        if (what === "answer") await broadcast();
        throw lost();
      });
      await finalizeStage(losing, stageOne, { expect: table });
      expect(await contract.getSequence()).toBe(sequence + 1n);
      expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true });
      expect(await contract.getStage(stageTwo)).toMatchObject({ isFinalized: false, total: 0n });
    });
  });
}

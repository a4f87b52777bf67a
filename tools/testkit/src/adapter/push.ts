import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { finalizeStage, Journal, planPush, push, ScoreTable, type ScoreContract, type Vm } from "@vipscore/core";
import { shapes, type AdapterChain, type Shape } from "./adapterChain.ts";
import { accountOf, countOf, pushAll, pushSizes, rowsOf, stageOne, stageTwo, widestAccountOf, write } from "./rows.ts";

/** Number of rows for several transactions in flight. */
const manyRows: Readonly<Record<Vm, number>> = { evm: 900, move: 11_000, wasm: 11_000 };

/**
 * Registers the tests of the push engine over a VM's adapter.
 *
 * @param chain Returns the running chain, see `useChain`. Slow blocks make transactions wait.
 * @param tested Shapes to test. Default: both.
 */
export function testPush(chain: () => AdapterChain, tested: readonly Shape[] = shapes): void {
  describe.each(tested)("a push to a contract of shape %s", (shape) => {
    const deploy = async () => (await chain().fund()).deploy(shape);

    test("writes, sends nothing the second time, prunes, is finalized, and is refused afterwards", async () => {
      const contract = await deploy();
      const { rows, transactions } = pushSizes[contract.identity.vm];
      const broadcast = vi.spyOn(contract, "broadcast");
      // Over REST, a node takes one at a time.
      const together = contract.broadcastAll && vi.spyOn(contract as Required<ScoreContract>, "broadcastAll");
      const wide = { account: widestAccountOf(contract, rows), score: 7n };
      const table = ScoreTable.from([...rowsOf(rows), wide]);
      const first = await pushAll(contract, table);
      expect(first.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: rows + 1 } });
      expect(countOf(first, "setback")).toBe(0);
      expect(countOf(first, "confirmed")).toBeGreaterThanOrEqual(transactions);
      const requests = together?.mock.calls.map(([sent]) => sent.length) ?? [];
      expect(requests.some((count) => count > 1)).toBe(together !== undefined && countOf(first, "confirmed") > 2);
      expect(countOf(await pushAll(contract, table), "sent")).toBe(0);

      const fewer = ScoreTable.from([...rowsOf(rows - 50), wide]);
      await expect(pushAll(contract, fewer)).rejects.toMatchObject({ code: "EXTRA_ACCOUNTS" });
      await pushAll(contract, fewer, { prune: true });

      const mismatch = finalizeStage(contract, stageOne, { expect: table });
      await expect(mismatch).rejects.toMatchObject({ code: "VERIFY_MISMATCH" });
      const { verification } = await finalizeStage(contract, stageOne, { expect: fewer });
      expect(verification).toMatchObject({ agrees: true, accounts: rows + 1, total: { contract: fewer.total } });
      expect(await contract.getStage(stageTwo)).toMatchObject({ isFinalized: false, total: 0n });
      await expect(pushAll(contract, table)).rejects.toMatchObject({ code: "STAGE_FINALIZED" });
      // The form that the node wants is known after one refusal.
      const answers = await Promise.allSettled(broadcast.mock.results.map(({ value }) => value as Promise<void>));
      const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
      expect(refused).toEqual(refused.slice(0, 1).map(() => expect.objectContaining({ refusal: "resign" }) as unknown));
    });

    test("is refused for an account that is not a member, and reports who manages members", async () => {
      const owner = await chain().fund();
      const contract = await owner.deploy(shape);
      const other = await chain().fund();
      const asOther = await other.connect(contract.identity.address);
      const table = ScoreTable.from(rowsOf(1));
      await expect(planPush(asOther, stageOne, table)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
      await expect(planPush(contract, stageTwo, table)).rejects.toMatchObject({ code: "STAGE_NOT_FOUND" });
      const managers = async () => [await contract.isManager(owner.account), await contract.isManager(other.account)];
      expect(await managers()).toEqual([true, false]);

      await write(contract, { kind: "addMember", account: other.account });
      await write(contract, { kind: "removeMember", account: owner.account });
      expect(await contract.isMember(owner.account)).toBe(false);
      // The owner of our contract manages the allow-list without being on it, and so does the publisher on Move. In the
      // reference on EVM and Wasm the members manage it; on Move members never do.
      const isMove = chain().vm === "move";
      expect(await managers()).toEqual([shape === "ours" || isMove, !isMove]);
      const events = await pushAll(asOther, table);
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true } });
    });

    test("that was interrupted is completed by the next one", async () => {
      const contract = await deploy();
      const { identity } = contract;
      const folder = await mkdtemp(join(tmpdir(), "vipscore-push-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const many = manyRows[identity.vm];
      const table = ScoreTable.from(rowsOf(many));
      const open = () => Journal.open(join(folder, "journal"), { identity, stage: stageOne });
      const cut = await open();
      const plan = await planPush(contract, stageOne, table, { journal: cut });
      // Stop while several transactions are in flight, without waiting for them.
      for await (const event of push(contract, plan, { journal: cut })) if (event.type === "confirmed") break;
      await cut.close();
      const journal = await open();
      const events = await pushAll(contract, table, { journal });
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: many } });
      expect(journal.unsettled).toEqual([]);
      await journal.close();
    });

    test("only takes longer when another program signs with the same key", async () => {
      const contract = await deploy();
      const { rows } = pushSizes[contract.identity.vm];
      const plan = await planPush(contract, stageOne, ScoreTable.from(rowsOf(rows)));
      let interfered = false;
      let last;
      for await (const event of push(contract, plan)) {
        last = event;
        if (event.type !== "confirmed" || interfered) continue;
        interfered = true;
        // Takes the sequence that the push expects to use next.
        const call = { kind: "addMember", account: accountOf(5) } as const;
        const sequence = await contract.getSequence();
        const stolen = await contract.sign(call, { sequence, gas: contract.getCallGas(call) });
        await contract.broadcast(stolen).catch(() => {});
      }
      expect(interfered).toBe(true);
      expect(last).toMatchObject({ type: "verified", verification: { agrees: true } });
    });
  });
}

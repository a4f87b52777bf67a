import { finalizeStage, Journal, planPush, push, ScoreTable, stage, type PushEvent } from "@vipscore/core";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectWasm, type WasmScoreContract } from "../src/index.ts";
import { startVipnode, type CosmosNode, type Mempool } from "@vipscore/localnet";
import { deployShape, freshAccount, longAccountOf, rowsOf, stageOne, write, type Shape } from "./testContract.ts";

const stageTwo = stage(2n);

/** Both contracts on the mempool of initia v1.4; on that of v1.2 ours, and both where VIPSCORE_LONG=true. */
function shapesOf(mempool: Mempool): readonly Shape[] {
  return mempool === "initia" || process.env["VIPSCORE_LONG"] === "true" ? ["ours", "reference"] : ["ours"];
}

async function pushAll(contract: WasmScoreContract, table: ScoreTable, prune = false): Promise<readonly PushEvent[]> {
  const events: PushEvent[] = [];
  for await (const event of push(contract, await planPush(contract, stageOne, table, { prune }))) events.push(event);
  return events;
}

function countOf(events: readonly PushEvent[], type: PushEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

describe.each<Mempool>(["initia", "classic"])("with the mempool %s", (mempool) => {
  let chain: CosmosNode;
  let scratch: string;
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "vipscore-push-"));
    // Blocks that come late, so that transactions wait.
    chain = await startVipnode({ vm: "wasm", mempool, blockTimeMs: 200 });
  });
  afterAll(async () => {
    await chain.stop();
    await rm(scratch, { recursive: true, force: true });
  });

  describe.each(shapesOf(mempool))("with the contract: %s", (shape) => {
    test("pushes, sends nothing the second time, prunes, finalizes, and is refused afterwards", async () => {
      const contract = await deployShape(chain, shape);
      const long = { account: longAccountOf(1), score: 7n };
      const table = ScoreTable.from([...rowsOf(7_000), long]);
      const first = await pushAll(contract, table);
      expect(first.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 7_001 } });
      expect(countOf(first, "setback")).toBe(0);
      expect(countOf(first, "confirmed")).toBeGreaterThan(2);
      expect(countOf(await pushAll(contract, table), "sent")).toBe(0);

      const fewer = ScoreTable.from([...rowsOf(6_500), long]);
      await expect(pushAll(contract, fewer)).rejects.toMatchObject({ code: "EXTRA_ACCOUNTS" });
      await pushAll(contract, fewer, true);

      await expect(finalizeStage(contract, stageOne, { expect: table })).rejects.toMatchObject({
        code: "VERIFY_MISMATCH",
      });
      const { verification } = await finalizeStage(contract, stageOne, { expect: fewer });
      expect(verification).toMatchObject({ agrees: true, accounts: 7_001, total: { contract: fewer.total } });
      expect(await contract.getStage(stageTwo)).toMatchObject({ isFinalized: false, total: 0n });
      await expect(pushAll(contract, table)).rejects.toMatchObject({ code: "STAGE_FINALIZED" });
    });

    test("says that the signer is no member, and who is a manager", async () => {
      const contract = await deployShape(chain, shape);
      const account = await freshAccount(chain);
      const { address } = contract.identity;
      const asOther = await connectWasm({ rpcUrl: chain.rpcUrl, address, account });
      const table = ScoreTable.from(rowsOf(1));
      await expect(planPush(asOther, stageOne, table)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
      await expect(planPush(contract, stageTwo, table)).rejects.toMatchObject({ code: "STAGE_NOT_FOUND" });
      expect(await contract.isManager(contract.signer!)).toBe(true);
      expect(await contract.isManager(account.account)).toBe(false);
      await write(contract, { kind: "addMember", account: account.account });
      await write(contract, { kind: "removeMember", account: contract.signer! });
      // The owner of ours needs no place on the allow-list to manage it; in the reference the list is all there is.
      expect(await contract.isManager(contract.signer!)).toBe(shape === "ours");
      expect(await contract.isManager(account.account)).toBe(true);
      const events = await pushAll(asOther, table);
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true } });
    });

    test("a run that was cut off is completed by the next one", async () => {
      const contract = await deployShape(chain, shape);
      const { identity } = contract;
      const table = ScoreTable.from(rowsOf(11_000));
      const open = () => Journal.open(join(scratch, `${shape}.journal`), { identity, stage: stageOne });
      const cut = await open();
      // Gone while several transactions are under way: nobody waits for them.
      for await (const event of push(contract, await planPush(contract, stageOne, table, { journal: cut }), {
        journal: cut,
      })) {
        if (event.type === "confirmed") break;
      }
      await cut.close();
      const journal = await open();
      const plan = await planPush(contract, stageOne, table, { journal });
      const events: PushEvent[] = [];
      for await (const event of push(contract, plan, { journal })) events.push(event);
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 11_000 } });
      expect(journal.unsettled).toEqual([]);
      await journal.close();
    });

    test("another program that signs with the same key only costs time", async () => {
      const contract = await deployShape(chain, shape);
      const table = ScoreTable.from(rowsOf(7_000));
      const events: PushEvent[] = [];
      let interfered = false;
      for await (const event of push(contract, await planPush(contract, stageOne, table))) {
        events.push(event);
        if (event.type !== "confirmed" || interfered) continue;
        interfered = true;
        // Takes the sequence that the push counts on next.
        const call = { kind: "addMember", account: longAccountOf(5) } as const;
        const sequence = await contract.getSequence();
        const stolen = await contract.sign(call, { sequence, gas: contract.getCallGas(call) });
        await contract.broadcast(stolen).catch(() => {});
      }
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true } });
    });
  });
});

import { join } from "node:path";
import { expect, test } from "vitest";
import { finalizeStage, Journal, planPush, push, ScoreTable } from "@vipscore/core";
import type { StartVipnodeOptions } from "@vipscore/localnet";
import { temporaryFolder } from "../temporaryFolder.ts";
import { shapes, type AdapterChain } from "./adapterChain.ts";
import { countOf, pushAll, rowsOf, stageOne, writeRows } from "./rows.ts";

/** Rows for several transactions in flight. */
const rows = 11_000;

/** Registers the test of a push over a node that keeps no index of transactions, and so no receipts. */
export function testTxIndexOff(start: (options: Omit<StartVipnodeOptions, "vm">) => Promise<AdapterChain>): void {
  test("a node without an index of transactions is enough to push and finalize, not to deploy", async () => {
    const home = temporaryFolder("vipnode");
    const before = await start({ home });
    const deployed = [];
    for (const shape of shapes) {
      const actor = await before.fund();
      deployed.push({ actor, address: (await actor.deploy(shape)).identity.address });
    }
    await before.stop();

    const chain = await start({ home, txIndex: false, blockTimeMs: 200 });
    try {
      await expect(chain.poor().deployOurs()).rejects.toMatchObject({ code: "TX_INDEX_OFF" });
      for (const { actor, address } of deployed) {
        const contract = await actor.connect(address, { url: chain.url });
        const { identity } = contract;
        const file = join(temporaryFolder(), "journal");
        const open = () => Journal.open(file, { identity, stage: stageOne });
        const table = ScoreTable.from(rowsOf(rows));
        const cut = await open();
        const plan = await planPush(contract, stageOne, table, { journal: cut });
        // A run that was killed while several transactions were in flight.
        for await (const event of push(contract, plan, { journal: cut })) if (event.type === "confirmed") break;
        await cut.close();
        const journal = await open();
        await pushAll(contract, table, { journal });
        expect(journal.unsettled).toEqual([]);

        // Scores that rise, fall and go.
        const changed = ScoreTable.from(
          rowsOf(rows - 50).map(({ account, score }, at) => ({ account, score: score + BigInt((at % 7) * 3 - 5) })),
        );
        const events = await pushAll(contract, changed, { journal, prune: true });
        expect(countOf(events, "confirmed")).toBeGreaterThan(1);
        expect(events.filter((event) => event.type === "confirmed" && event.gasUsed !== undefined)).toEqual([]);
        expect(countOf(events, "setback")).toBe(0);
        expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true }, otherWrites: 0n });

        const { transaction } = await finalizeStage(contract, stageOne, { expect: changed, journal });
        expect(transaction?.hash).toMatch(chain.forms.hash);
        expect(transaction?.gasUsed).toBeUndefined();
        await expect(writeRows(contract, rowsOf(1))).rejects.toMatchObject({ code: "TX_INDEX_OFF" });
        await journal.close();
      }
    } finally {
      await chain.stop();
    }
  });
}

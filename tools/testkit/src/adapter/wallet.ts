import { expect, test } from "vitest";
import { ScoreTable } from "@vipscore/core";
import type { OfflineSigner } from "@vipscore/cosmos";
import type { CosmosChain } from "./cosmosContract.ts";
import { countOf, done, pushAll, pushSizes, readRows, rowsOf, sorted, stageOne } from "./rows.ts";

/** Registers the test of a wallet in the form of cosmjs, on Move and Wasm. */
export function testWallet(chain: () => CosmosChain, name: string, open: () => Promise<OfflineSigner>): void {
  test(`a wallet deploys, pushes and finalizes: ${name}`, async () => {
    const actor = await chain().fundWallet(await open());
    const { address } = await actor.deployOurs({ initStage: stageOne });
    const contract = await actor.connect(address);
    const rows = rowsOf(2 * pushSizes[contract.identity.vm].rows);
    const events = await pushAll(contract, ScoreTable.from(rows));
    expect(countOf(events, "sent")).toBeGreaterThan(2);
    expect(countOf(events, "setback")).toBe(0);
    expect(sorted(await readRows(contract))).toEqual(sorted(rows));
    await done(contract, { kind: "finalizeStage", stage: stageOne });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true });
  });
}

import { describe, expect, test } from "vitest";
import { ScoreTable, type Account } from "@vipscore/core";
import type { AccountKey } from "@vipscore/core/keys";
import type { AminoSigner } from "@vipscore/cosmos";
import { aminoKey } from "./aminoKey.ts";
import type { CosmosChain } from "./cosmosContract.ts";
import { countOf, done, pushAll, pushSizes, readRows, rowsOf, sorted, stageOne, writeRows } from "./rows.ts";

/**
 * Registers the tests of the accounts of Move and Wasm that sign amino JSON.
 *
 * @param make Creates an account from a private key.
 * @param makeAmino Creates an account that signs amino JSON.
 */
export function testAminoAccount(
  chain: () => CosmosChain,
  make: (key: AccountKey) => { readonly address: string; readonly account: Account },
  makeAmino: (signer: AminoSigner) => { readonly address: string; readonly account: Account },
): void {
  describe.each([60, 118] as const)("an account that signs amino JSON with coin type %i", (coinType) => {
    const key = { privateKey: "0b".repeat(32), coinType };

    test("has the address of its key and is never queued", () => {
      const { address, account } = make(key);
      expect(makeAmino(aminoKey(key))).toMatchObject({ address, account, canQueue: false });
    });

    test("deploys, writes scores, pushes one transaction at a time and finalizes", async () => {
      const actor = await chain().fundAmino(aminoKey(key));
      const { address } = await actor.deployOurs({ initStage: stageOne });
      const contract = await actor.connect(address);
      const rows = rowsOf(3);
      await writeRows(contract, rows);
      expect(sorted(await readRows(contract))).toEqual(sorted(rows));
      // A node that queues refuses every transaction of this account that is not the next one.
      const events = await pushAll(contract, ScoreTable.from(rowsOf(2 * pushSizes[contract.identity.vm].rows)));
      expect(countOf(events, "sent")).toBeGreaterThan(2);
      expect(countOf(events, "setback")).toBe(0);
      await done(contract, { kind: "finalizeStage", stage: stageOne });
      expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true });
    });
  });
}

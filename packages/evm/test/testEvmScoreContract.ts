import { beforeAll, describe, expect, test } from "vitest";
import type { ScoreContract } from "@vipscore/core";
import { shapes, useChain } from "@vipscore/testkit/adapter/adapterChain";
import {
  accountOf,
  readRows,
  rowsOf,
  settle,
  sorted,
  stageOne,
  stageTwo,
  write,
  writeRows,
} from "@vipscore/testkit/adapter/rows";
import { testScoreContract } from "@vipscore/testkit/adapter/scoreContract";
import { isLong } from "@vipscore/testkit/isLong";
import type { EvmChain } from "./evmChain.ts";

/** Rows around the size of a page, and several pages; more at night. */
const rowCounts = isLong ? [999, 1000, 1001, 2000, 4300] : [1000, 1001, 2100];

/** Registers the tests of the EVM adapter's port. */
export function testEvmScoreContract({ start, traits }: EvmChain): void {
  const chain = useChain(start);

  testScoreContract(chain, rowCounts);

  describe.each(shapes)("on EVM only, with a contract of shape %s", (shape) => {
    let contract: ScoreContract;
    beforeAll(async () => {
      contract = await (await chain().fund()).deploy(shape);
    });

    test("a future sequence is queued, or refused as such", async () => {
      const sequence = await contract.getSequence();
      const sign = (index: number) => {
        const call = { kind: "addMember", account: accountOf(index) } as const;
        return contract.sign(call, { sequence: sequence + BigInt(index), gas: 200_000n });
      };
      const [first, second] = [await sign(0), await sign(1)];
      if (traits.queuesGaps) {
        await contract.broadcast(second);
        await contract.broadcast(second);
        expect(await contract.lookUp(second.hash)).toEqual({ state: "pending" });
      } else {
        await expect(contract.broadcast(second)).rejects.toMatchObject({ refusal: "sequence" });
      }
      await settle(contract, first);
      expect(await settle(contract, second)).toMatchObject({ succeeded: true });
    });

    const limits = traits.maxGas === undefined ? [] : [traits.maxGas];
    test.each(limits)("more gas than %i is refused as too large", async (maxGas) => {
      const sequence = await contract.getSequence();
      const large = await contract.sign({ kind: "addMember", account: accountOf(1) }, { sequence, gas: maxGas + 1n });
      const refused = { refusal: "too-large", code: "BROADCAST_REFUSED" };
      await expect(contract.broadcast(large)).rejects.toMatchObject(refused);
      expect(await contract.lookUp(large.hash)).toEqual({ state: "unknown" });
    });

    test("a stage with scores for few of the known accounts is read completely", async () => {
      await writeRows(contract, rowsOf(2100));
      await write(contract, { kind: "finalizeStage", stage: stageOne });
      // Half of the accounts are clustered at one end, and a single one is at the other.
      const rows = [...rowsOf(1100), { account: accountOf(2099), score: 1n }];
      await writeRows(contract, rows, stageTwo);
      expect(sorted(await readRows(contract, stageTwo))).toEqual(sorted(rows));
    });

    test("limits are the largest that EVM chains accept, and fees are in GAS", async () => {
      expect(await contract.getLimits()).toMatchObject({ maxGas: 16_777_216n, maxBytes: 120_000 });
      const { gasPrice, token } = await contract.getFees();
      expect(gasPrice.amount > 0n).toBe(traits.chargesGas);
      expect({ per: gasPrice.per, token }).toEqual({ per: 1n, token: { symbol: "GAS", decimals: 18 } });
    });
  });
}

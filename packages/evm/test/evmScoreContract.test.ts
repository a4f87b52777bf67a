import { type BroadcastRefusal, featuresOf, stage, u64Max } from "@vipscore/core";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EvmScoreContract } from "../src/evmScoreContract.ts";
import { connectEvm } from "../src/index.ts";
import { testChains, type RunningChain } from "./testChains.ts";
import {
  accountOf,
  byAccount,
  deployShape,
  operator,
  readRows,
  rowsOf,
  settle,
  stageOne,
  write,
  writeRows,
  type Shape,
} from "./testContract.ts";

const stageTwo = stage(2n);

/** Rows around the size of a page, and several pages; more where VIPSCORE_LONG=true. */
const rowCounts = process.env["VIPSCORE_LONG"] === "true" ? [999, 1000, 1001, 2000, 4300] : [1000, 1001, 2100];

describe.each(testChains)("on $name", ({ start, traits }) => {
  let chain: RunningChain;
  beforeAll(async () => {
    chain = await start();
  });
  afterAll(() => chain.stop());

  describe.each<Shape>(["ours", "reference"])("with the contract: %s", (shape) => {
    let contract: EvmScoreContract;
    beforeEach(async () => {
      contract = await deployShape(chain.rpcUrl, shape);
    });

    test("it says what it is connected to", () => {
      const version = shape === "ours" ? "2.0.0" : undefined;
      expect(contract.identity).toEqual({
        vm: "evm",
        chainId: chain.chainId,
        address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string,
      });
      expect(contract.features).toEqual(featuresOf(version));
      expect(contract.accountBytes).toEqual([20]);
    });

    test("a new contract has its first stage, empty and open, and no other", async () => {
      expect(await contract.getInitStage()).toBe(1n);
      const count = shape === "ours" ? 0n : undefined;
      expect(await contract.getStage(stageOne)).toEqual({
        stage: 1n,
        total: 0n,
        isFinalized: false,
        count,
        revision: count,
      });
      expect(await contract.getStage(stageTwo)).toBeUndefined();
      expect(await readRows(contract)).toEqual([]);
      expect(await readRows(contract, stageTwo)).toEqual([]);
    });

    test("scores are read back exactly: 0, above 2^53, and all of u64", async () => {
      const rows = [
        { account: accountOf(1), score: 0n },
        { account: accountOf(2), score: 2n ** 53n + 1n },
        { account: accountOf(3), score: u64Max - 2n ** 53n - 1n },
      ];
      await writeRows(contract, rows);
      expect([...(await readRows(contract))].sort(byAccount)).toEqual([...rows].sort(byAccount));
      for (const { account, score } of rows) expect(await contract.getScore(stageOne, account)).toBe(score);
      expect(await contract.getScore(stageOne, accountOf(4))).toBeUndefined();
      expect(await contract.getStage(stageOne)).toMatchObject({ total: u64Max });

      await write(contract, { kind: "finalizeStage", stage: stageOne });
      await writeRows(contract, [{ account: accountOf(1), score: u64Max }], stageTwo);
      expect(await readRows(contract, stageTwo)).toEqual([{ account: accountOf(1), score: u64Max }]);
      expect(await contract.getScore(stageOne, accountOf(1))).toBe(0n);
    });

    test("a read at a height shows the state of then", async () => {
      await writeRows(contract, [{ account: accountOf(1), score: 1n }]);
      const height = await contract.getHeight();
      await writeRows(contract, [
        { account: accountOf(1), score: 2n },
        { account: accountOf(2), score: 5n },
      ]);
      expect(await readRows(contract, stageOne, height)).toEqual([{ account: accountOf(1), score: 1n }]);
      expect(await contract.getScore(stageOne, accountOf(1), { height })).toBe(1n);
      expect(await contract.getStage(stageOne, { height })).toMatchObject({ total: 1n });
      expect(await contract.getStage(stageOne)).toMatchObject({ total: 7n });
    });

    test("members come and go", async () => {
      const { signer } = contract;
      const member = accountOf(7);
      expect(signer && (await contract.isMember(signer))).toBe(true);
      expect(await contract.isMember(member)).toBe(false);
      expect(await write(contract, { kind: "addMember", account: member })).toMatchObject({ succeeded: true });
      expect(await contract.isMember(member)).toBe(true);
      const members = await contract.getMembers();
      expect(members && new Set(members)).toEqual(shape === "ours" ? new Set([signer, member]) : undefined);
      expect(await write(contract, { kind: "removeMember", account: member })).toMatchObject({ succeeded: true });
      expect(await contract.isMember(member)).toBe(false);
    });

    test("a failed call is in a block, with the reason where the node gives it", async () => {
      const stranger = await connectEvm({
        rpcUrl: chain.rpcUrl,
        address: contract.identity.address,
        account: operator,
      });
      const rows = [{ account: accountOf(1), score: 1n }];
      const denied = await write(stranger, { kind: "updateScores", stage: stageOne, rows }, 300_000n);
      expect(denied.succeeded).toBe(false);
      expect(denied.code).toBe(traits.revertData ? "PERMISSION_DENIED" : undefined);
      const absent = await write(contract, { kind: "updateScores", stage: stageTwo, rows }, 300_000n);
      expect(absent.succeeded).toBe(false);
      expect(absent.code).toBe(traits.revertData ? "STAGE_NOT_FOUND" : undefined);
      const starved = await write(contract, { kind: "updateScores", stage: stageOne, rows: rowsOf(50) }, 200_000n);
      expect(starved.succeeded).toBe(false);
      expect(await readRows(contract)).toEqual([]);
    });

    test("a transaction is looked up by its hash from before it leaves until it is in a block", async () => {
      const sequence = await contract.getSequence();
      const call = { kind: "updateScores", stage: stageOne, rows: rowsOf(2) } as const;
      const transaction = await contract.sign(call, { sequence, gas: 400_000n });
      expect(transaction).toMatchObject({ sequence, gas: 400_000n });
      expect(await contract.lookUp(transaction.hash)).toEqual({ state: "unknown" });
      const { succeeded, gasUsed } = await settle(contract, transaction);
      expect({ succeeded, fits: gasUsed <= 400_000n }).toEqual({ succeeded: true, fits: true });
      expect(await contract.getSequence()).toBe(sequence + 1n);
      // Handed over again, by a program that lost the answer.
      await contract.broadcast(transaction);
      expect(await contract.lookUp(transaction.hash)).toMatchObject({ state: "included", succeeded: true, gasUsed });
    });

    test("a sequence that is used is refused as such", async () => {
      const sequence = await contract.getSequence();
      await write(contract, { kind: "addMember", account: accountOf(1) });
      const late = await contract.sign({ kind: "addMember", account: accountOf(2) }, { sequence, gas: 200_000n });
      await expect(contract.broadcast(late)).rejects.toMatchObject({ name: "BroadcastError", refusal: "sequence" });
    });

    test("a sequence ahead is queued, or refused as such", async () => {
      const sequence = await contract.getSequence();
      const options = { gas: 200_000n };
      const second = await contract.sign(
        { kind: "addMember", account: accountOf(2) },
        { ...options, sequence: sequence + 1n },
      );
      const first = await contract.sign({ kind: "addMember", account: accountOf(1) }, { ...options, sequence });
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

    test.each(traits.mostGas === undefined ? [] : [traits.mostGas])(
      "more gas than %i is refused as too large",
      async (mostGas) => {
        const sequence = await contract.getSequence();
        const call = { kind: "addMember", account: accountOf(1) } as const;
        const refusal: BroadcastRefusal = "too-large";
        const large = await contract.sign(call, { sequence, gas: mostGas + 1n });
        await expect(contract.broadcast(large)).rejects.toMatchObject({ refusal, code: "BROADCAST_REFUSED" });
        expect(await contract.lookUp(large.hash)).toEqual({ state: "unknown" });
      },
    );

    test.each(traits.chargesGas ? [0n] : [])("a balance of %i is refused as below the fee", async (balance) => {
      const account = privateKeyToAccount(generatePrivateKey());
      const poor = await connectEvm({ rpcUrl: chain.rpcUrl, address: contract.identity.address, account });
      expect(await poor.getFees()).toMatchObject({ balance });
      const transaction = await poor.sign(
        { kind: "addMember", account: accountOf(1) },
        { sequence: 0n, gas: 100_000n },
      );
      await expect(poor.broadcast(transaction)).rejects.toMatchObject({
        refusal: "funds",
        code: "INSUFFICIENT_FUNDS",
      });
    });

    test("finalizing opens the next stage; writing to the finalized one fails", async () => {
      await writeRows(contract, rowsOf(3));
      expect(await write(contract, { kind: "finalizeStage", stage: stageOne })).toMatchObject({ succeeded: true });
      expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true, total: 3003n });
      expect(await contract.getStage(stageTwo)).toMatchObject({ isFinalized: false, total: 0n });
      const late = await write(contract, { kind: "updateScores", stage: stageOne, rows: rowsOf(1) }, 300_000n);
      expect(late).toMatchObject({ succeeded: false, ...(traits.revertData ? { code: "STAGE_FINALIZED" } : {}) });
    });

    test.each(rowCounts)("%i rows are read in pages that add up", async (count) => {
      const rows = rowsOf(count);
      await writeRows(contract, rows);
      expect([...(await readRows(contract))].sort(byAccount)).toEqual([...rows].sort(byAccount));
    });

    test("a stage with scores of few of the known accounts is read whole", async () => {
      await writeRows(contract, rowsOf(2100));
      await write(contract, { kind: "finalizeStage", stage: stageOne });
      // Half of the accounts crowd at one end, and one stands alone at the other.
      const rows = [...rowsOf(1100), { account: accountOf(2099), score: 1n }];
      await writeRows(contract, rows, stageTwo);
      expect([...(await readRows(contract, stageTwo))].sort(byAccount)).toEqual([...rows].sort(byAccount));
    });

    test("limits and fees are the chain's", async () => {
      const { baseGas, maxGas, baseBytes, rowBytes, maxBytes } = await contract.getLimits();
      expect(maxGas).toBe(16_777_216n);
      expect(maxBytes).toBe(120_000);
      expect(baseGas).toBeGreaterThan(21_000n);
      const rows = rowsOf(300).map(({ account }) => ({ account, score: u64Max }));
      const call = { kind: "updateScores", stage: stage(u64Max), rows } as const;
      const transaction = await contract.sign(call, { sequence: 2n ** 32n, gas: maxGas });
      expect(transaction.bytes.length).toBeLessThanOrEqual(baseBytes + 300 * rowBytes);
      const { balance, gasPrice, token } = await contract.getFees();
      expect(balance).toBeGreaterThan(0n);
      expect(gasPrice.amount > 0n).toBe(traits.chargesGas);
      expect({ per: gasPrice.per, token }).toEqual({ per: 1n, token: { symbol: "GAS", decimals: 18 } });
    });

    test("a connection without an account reads, and refuses to sign", async () => {
      const reader = await connectEvm({ rpcUrl: chain.rpcUrl, address: contract.identity.address });
      expect(reader.signer).toBeUndefined();
      expect(await reader.getStage(stageOne)).toMatchObject({ stage: 1n });
      const call = { kind: "finalizeStage", stage: stageOne } as const;
      await expect(reader.sign(call, { sequence: 0n, gas: 1n })).rejects.toMatchObject({ code: "KEY_INVALID" });
      await expect(reader.getFees()).rejects.toMatchObject({ code: "KEY_INVALID" });
      await expect(reader.getSequence()).rejects.toMatchObject({ code: "KEY_INVALID" });
    });
  });

  test("the checked finalize fails unless total and count agree", async () => {
    const contract = await deployShape(chain.rpcUrl, "ours");
    await writeRows(contract, rowsOf(3));
    const finalize = (total: bigint, count: bigint) =>
      write(contract, { kind: "finalizeStage", stage: stageOne, expected: { total, count } });
    const reason = traits.revertData ? { code: "FINALIZE_MISMATCH" } : {};
    expect(await finalize(3003n, 2n)).toMatchObject({ succeeded: false, ...reason });
    expect(await finalize(3002n, 3n)).toMatchObject({ succeeded: false, ...reason });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: false, count: 3n });
    expect(await finalize(3003n, 3n)).toMatchObject({ succeeded: true });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true });
  });
});

import { type BroadcastRefusal, featuresOf, stage, u64Max } from "@vipscore/core";
import { signAndHandOver, waitForOutcome } from "@vipscore/core/engine";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectMove, moveAccount, type MoveScoreContract } from "../src/index.ts";
import { startVipnode, type CosmosNode } from "@vipscore/localnet";
import {
  accountOf,
  byAccount,
  deployShape,
  freshAccount,
  longAccountOf,
  readRows,
  rowsOf,
  settle,
  stageOne,
  write,
  writeRows,
  type Shape,
} from "./testContract.ts";

const stageTwo = stage(2n);

let chain: CosmosNode;
beforeAll(async () => {
  chain = await startVipnode({ vm: "move" });
});
afterAll(() => chain.stop());

describe.each<Shape>(["ours", "reference"])("with the module: %s", (shape) => {
  let contract: MoveScoreContract;
  beforeEach(async () => {
    contract = await deployShape(chain, shape);
  });

  test("it says what it is connected to", () => {
    const version = shape === "ours" ? "2.0.0" : undefined;
    expect(contract.identity).toEqual({ vm: "move", chainId: chain.chainId, address: contract.signer });
    expect(contract.features).toEqual(featuresOf(version));
    expect(contract.accountBytes).toEqual([20, 32]);
  });

  test("a new contract has its first stage, empty and open, and no other", async () => {
    expect(await contract.getInitStage()).toBe(1n);
    expect(await contract.getStage(stageOne)).toMatchObject({ stage: 1n, total: 0n, isFinalized: false, count: 0n });
    expect(await contract.getStage(stageTwo)).toBeUndefined();
    expect(await readRows(contract)).toEqual([]);
    expect(await readRows(contract, stageTwo)).toEqual([]);
    expect(await contract.getScore(stageTwo, accountOf(1))).toBeUndefined();
  });

  test("scores are read back exactly: 0, above 2^53, and all of u64; accounts of 20 and of 32 bytes", async () => {
    const rows = [
      { account: accountOf(1), score: 0n },
      { account: longAccountOf(2), score: 2n ** 53n + 1n },
      { account: accountOf(3), score: u64Max - 2n ** 53n - 1n },
    ];
    await writeRows(contract, rows);
    expect([...(await readRows(contract))].sort(byAccount)).toEqual([...rows].sort(byAccount));
    for (const { account, score } of rows) expect(await contract.getScore(stageOne, account)).toBe(score);
    expect(await contract.getScore(stageOne, accountOf(4))).toBeUndefined();
    expect(await contract.getStage(stageOne)).toMatchObject({ total: u64Max, count: 3n });

    const full = await write(contract, {
      kind: "updateScores",
      stage: stageOne,
      rows: [{ account: accountOf(5), score: 1n }],
    });
    expect(full).toMatchObject({ succeeded: false, code: "SCORE_OVERFLOW" });

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
    expect(await contract.getStage(stageOne, { height })).toMatchObject({ total: 1n, count: 1n });
    expect(await contract.getStage(stageOne)).toMatchObject({ total: 7n, count: 2n });
  });

  test("members come and go", async () => {
    const signer = contract.signer!;
    const member = longAccountOf(7);
    expect(await contract.isMember(signer)).toBe(true);
    expect(await contract.isMember(member)).toBe(false);
    expect(await write(contract, { kind: "addMember", account: member })).toMatchObject({ succeeded: true });
    expect(await contract.isMember(member)).toBe(true);
    expect(new Set(await contract.getMembers())).toEqual(new Set([signer, member]));
    const again = await write(contract, { kind: "addMember", account: member });
    expect(again).toMatchObject({ succeeded: false, code: "MEMBER_EXISTS" });
    expect(await write(contract, { kind: "removeMember", account: member })).toMatchObject({ succeeded: true });
    expect(await contract.isMember(member)).toBe(false);
    const gone = await write(contract, { kind: "removeMember", account: member });
    expect(gone).toMatchObject({ succeeded: false, code: "MEMBER_NOT_FOUND" });
  });

  test("a failed call is in a block, with its reason", async () => {
    const account = await freshAccount(chain);
    const stranger = await connectMove({ restUrl: chain.restUrl, address: contract.identity.address, account });
    const rows = [{ account: accountOf(1), score: 1n }];
    const denied = await write(stranger, { kind: "updateScores", stage: stageOne, rows });
    expect(denied).toMatchObject({ succeeded: false, code: "PERMISSION_DENIED" });
    const notManager = await write(stranger, { kind: "addMember", account: accountOf(1) });
    expect(notManager).toMatchObject({ succeeded: false, code: "PERMISSION_DENIED" });
    const absent = await write(contract, { kind: "updateScores", stage: stageTwo, rows });
    expect(absent).toMatchObject({ succeeded: false, code: "STAGE_NOT_FOUND" });
    const starved = await write(contract, { kind: "updateScores", stage: stageOne, rows: rowsOf(50) }, 100_000n);
    expect(starved.succeeded).toBe(false);
    expect(starved.details).toMatch(/out of gas/i);
    expect(starved.gasUsed * 100n).toBeGreaterThanOrEqual(95n * 100_000n);
    expect(await readRows(contract)).toEqual([]);
  });

  test("a transaction is looked up by its hash from before it leaves until it is in a block", async () => {
    const sequence = await contract.getSequence();
    const call = { kind: "updateScores", stage: stageOne, rows: rowsOf(2) } as const;
    const transaction = await contract.sign(call, { sequence, gas: 400_000n });
    expect(transaction).toMatchObject({
      sequence,
      gas: 400_000n,
      hash: expect.stringMatching(/^[0-9A-F]{64}$/) as string,
    });
    expect(await contract.lookUp(transaction.hash)).toEqual({ state: "unknown" });
    const { succeeded, gasUsed } = await settle(contract, transaction);
    expect({ succeeded, fits: gasUsed <= 400_000n }).toEqual({ succeeded: true, fits: true });
    expect(await contract.getSequence()).toBe(sequence + 1n);
    // Handed over again, by a program that lost the answer.
    await contract.broadcast(transaction);
    expect(await contract.lookUp(transaction.hash)).toMatchObject({ state: "included", succeeded: true, gasUsed });
  });

  test("several transactions with sequences that follow one another are under way at once", async () => {
    const first = await contract.getSequence();
    const sent = [];
    for (let index = 0; index < 6; index += 1) {
      const call = { kind: "updateScores", stage: stageOne, rows: rowsOf(1, index) } as const;
      const sign = (sequence: bigint) => contract.sign(call, { sequence, gas: 400_000n });
      sent.push(await signAndHandOver(contract, sign, { sequence: first + BigInt(index), rows: 1 }));
    }
    for (const transaction of sent) {
      expect(await waitForOutcome(contract, transaction)).toMatchObject({ succeeded: true });
    }
    expect(await readRows(contract)).toHaveLength(6);
  });

  test("a sequence that is used is refused as such", async () => {
    const sequence = await contract.getSequence();
    await write(contract, { kind: "addMember", account: accountOf(1) });
    const late = await contract.sign({ kind: "addMember", account: accountOf(2) }, { sequence, gas: 200_000n });
    await expect(contract.broadcast(late)).rejects.toMatchObject({ name: "BroadcastError", refusal: "sequence" });
  });

  test("a transaction above the chain's bytes is refused as too large", async () => {
    const sequence = await contract.getSequence();
    const call = { kind: "updateScores", stage: stageOne, rows: rowsOf(60_000) } as const;
    const refusal: BroadcastRefusal = "too-large";
    const large = await contract.sign(call, { sequence, gas: 300_000_000n });
    await expect(contract.broadcast(large)).rejects.toMatchObject({ refusal, code: "BROADCAST_REFUSED" });
    expect(await contract.lookUp(large.hash)).toEqual({ state: "unknown" });
  });

  test("an account that the chain does not know is told to be funded", async () => {
    const account = moveAccount({ privateKey: randomBytes(32).toString("hex") });
    const poor = await connectMove({ restUrl: chain.restUrl, address: contract.identity.address, account });
    expect(await poor.getFees()).toMatchObject({ balance: 0n });
    const call = { kind: "addMember", account: accountOf(1) } as const;
    const transaction = await poor.sign(call, { sequence: await poor.getSequence(), gas: 100_000n });
    await expect(poor.broadcast(transaction)).rejects.toMatchObject({ refusal: "funds", code: "INSUFFICIENT_FUNDS" });
  });

  test("finalizing opens the next stage; writing to the finalized one and finalizing it again fail", async () => {
    await writeRows(contract, rowsOf(3));
    expect(await write(contract, { kind: "finalizeStage", stage: stageOne })).toMatchObject({ succeeded: true });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true, total: 3003n });
    expect(await contract.getStage(stageTwo)).toMatchObject({ isFinalized: false, total: 0n });
    const late = await write(contract, { kind: "updateScores", stage: stageOne, rows: rowsOf(1) });
    expect(late).toMatchObject({ succeeded: false, code: "STAGE_FINALIZED" });
    const again = await write(contract, { kind: "finalizeStage", stage: stageOne });
    expect(again).toMatchObject({ succeeded: false, code: "STAGE_FINALIZED" });
  });

  test.each([1999, 2000, 2001, 4500])("%i rows are read in pages that add up", async (count) => {
    const rows = rowsOf(count);
    await writeRows(contract, rows);
    expect([...(await readRows(contract))].sort(byAccount)).toEqual([...rows].sort(byAccount));
  });

  test("limits and fees are the chain's", async () => {
    const { baseGas, maxGas, baseBytes, rowBytes, maxBytes } = await contract.getLimits();
    expect(maxGas).toBeGreaterThan(20_000_000n);
    expect(baseGas).toBeGreaterThan(50_000n);
    const rows = rowsOf(300).map(({ account }) => ({ account, score: u64Max }));
    const call = { kind: "updateScores", stage: stage(u64Max), rows } as const;
    const transaction = await contract.sign(call, { sequence: 2n ** 32n, gas: maxGas });
    expect(transaction.bytes.length).toBeLessThanOrEqual(baseBytes + 300 * rowBytes);
    expect(maxBytes).toBeLessThan(1_000_000);
    const { balance, gasPrice, token } = await contract.getFees();
    expect(balance).toBeGreaterThan(0n);
    expect({ gasPrice, token }).toEqual({
      gasPrice: { amount: 0n, per: 1n },
      token: { symbol: "umin", decimals: 0 },
    });
  });

  test("a given gas price is paid", async () => {
    const account = await freshAccount(chain);
    const { address } = contract.identity;
    const paying = await connectMove({ restUrl: chain.restUrl, address, account, gasPrices: "0.15umin" });
    const before = await paying.getFees();
    expect(before.gasPrice).toEqual({ amount: 15n, per: 100n });
    await write(paying, { kind: "addMember", account: accountOf(1) }, 200_001n);
    const { balance } = await paying.getFees();
    expect(before.balance - balance).toBe(30_001n);
    const call = { kind: "addMember", account: accountOf(1) } as const;
    const dear = await paying.sign(call, { sequence: await paying.getSequence(), gas: 10_000_000n });
    await expect(paying.broadcast(dear)).rejects.toMatchObject({ refusal: "funds", code: "INSUFFICIENT_FUNDS" });
  });

  test("a connection without an account reads, and refuses to sign", async () => {
    const reader = await connectMove({ restUrl: chain.restUrl, address: contract.identity.address });
    expect(reader.signer).toBeUndefined();
    expect(await reader.getStage(stageOne)).toMatchObject({ stage: 1n });
    const call = { kind: "finalizeStage", stage: stageOne } as const;
    await expect(reader.sign(call, { sequence: 0n, gas: 1n })).rejects.toMatchObject({ code: "KEY_INVALID" });
    await expect(reader.getFees()).rejects.toMatchObject({ code: "KEY_INVALID" });
    await expect(reader.getSequence()).rejects.toMatchObject({ code: "KEY_INVALID" });
  });
});

test("the checked finalize fails unless total and count agree", async () => {
  const contract = await deployShape(chain, "ours");
  await writeRows(contract, rowsOf(3));
  const finalize = (total: bigint, count: bigint) =>
    write(contract, { kind: "finalizeStage", stage: stageOne, expected: { total, count } });
  expect(await finalize(3003n, 2n)).toMatchObject({ succeeded: false, code: "FINALIZE_MISMATCH" });
  expect(await finalize(3002n, 3n)).toMatchObject({ succeeded: false, code: "FINALIZE_MISMATCH" });
  expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: false, count: 3n });
  expect(await finalize(3003n, 3n)).toMatchObject({ succeeded: true });
  expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true });
});

test("both kinds of keys sign", async () => {
  for (const coinType of [60, 118] as const) {
    const contract = await deployShape(chain, "ours", await freshAccount(chain, coinType));
    await writeRows(contract, rowsOf(2));
    expect(await readRows(contract)).toHaveLength(2);
  }
});

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  formatBech32,
  formatChecksummed,
  stage,
  u64Max,
  type ErrorCode,
  type Included,
  type ScoreContract,
} from "@vipscore/core";
import { signAndSubmit, waitForOutcome } from "@vipscore/core/engine";
import { contractVersion } from "../contractVersion.ts";
import { shapes, type Actor, type AdapterChain } from "./adapterChain.ts";
import {
  accountOf,
  gasOf,
  readRows,
  rowsOf,
  settle,
  sorted,
  stageOne,
  stageTwo,
  widestAccountOf,
  write,
  writeRows,
} from "./rows.ts";

/** Compares the outcome of a call with the expected one; the reason only if the node reports it. */
function expectOutcome({ reportsReasons }: AdapterChain, included: Included, expected: "DONE" | ErrorCode): void {
  const { succeeded, code } = included;
  const reason = expected === "DONE" || !reportsReasons ? undefined : expected;
  expect({ succeeded, code }).toEqual({ succeeded: expected === "DONE", code: reason });
}

/**
 * Registers the tests of a VM's score contract, ours and one shaped like the reference: reads, calls, and single transactions.
 *
 * @param chain Returns the running chain, see `useChain`.
 * @param rowCounts Numbers of rows around the size of a page, and of several pages.
 */
export function testScoreContract(chain: () => AdapterChain, rowCounts: readonly number[]): void {
  describe.each(shapes)("a contract of shape %s", (shape) => {
    const isOurs = shape === "ours";
    /** A value that only our contract reports. */
    const ifOurs = <T>(value: T): T | undefined => (isOurs ? value : undefined);
    /** Of the published interfaces, only Move's reports the number of rows of a stage. */
    const rowCount = (count: bigint): bigint | undefined => (chain().vm === "move" ? count : ifOurs(count));

    describe("without rows", () => {
      let contract: ScoreContract;
      beforeAll(async () => {
        contract = await (await chain().fund()).deploy(shape);
      });

      test("reports its identity", () => {
        const { vm, chainId, forms } = chain();
        const address = expect.stringMatching(forms.address) as string;
        expect(contract.identity).toEqual({ vm, chainId, address });
        expect(contract.version).toBe(ifOurs(contractVersion));
        expect(contract.accountBytes).toEqual(vm === "evm" ? [20] : [20, 32]);
      });

      test("has its first stage, empty and open, and no other", async () => {
        expect(await contract.getInitStage()).toBe(1n);
        expect(await contract.getStage(stageOne)).toEqual({
          stage: 1n,
          total: 0n,
          isFinalized: false,
          count: rowCount(0n),
          revision: ifOurs(0n),
        });
        expect(await contract.getStage(stageTwo)).toBeUndefined();
        expect(await readRows(contract)).toEqual([]);
        expect(await readRows(contract, stageTwo)).toEqual([]);
        expect(await contract.getScore(stageTwo, accountOf(1))).toBeUndefined();
      });

      test("bounds the size of its transactions, and reports the signer's balance", async () => {
        const { baseGas, maxGas, baseBytes, rowBytes, maxBytes } = await contract.getLimits();
        expect(baseGas).toBeGreaterThan(21_000n);
        expect(maxGas).toBeGreaterThan(16_000_000n);
        expect(maxBytes).toBeLessThan(1_000_000);
        const rows = Array.from({ length: 300 }, (_, index) => ({
          account: widestAccountOf(contract, index),
          score: u64Max,
        }));
        const call = { kind: "updateScores", stage: stage(u64Max), rows } as const;
        const transaction = await contract.sign(call, { sequence: 2n ** 32n, gas: maxGas });
        expect(transaction.bytes.length).toBeLessThanOrEqual(baseBytes + 300 * rowBytes);
        expect((await contract.getFees()).balance).toBeGreaterThan(0n);
      });

      test("rejects a transaction from an account that the chain does not know", async () => {
        const poor = await chain().poor().connect(contract.identity.address);
        expect(await poor.getFees()).toMatchObject({ balance: 0n });
        const call = { kind: "addMember", account: accountOf(1) } as const;
        const gas = poor.getCallGas(call);
        const sequence = await poor.getSequence();
        // On Cosmos such an account has no number to sign with; on EVM the node refuses.
        const send = async () => poor.broadcast(await poor.sign(call, { sequence, gas }));
        const refused = { code: "INSUFFICIENT_FUNDS", ...(chain().vm === "evm" && { refusal: "funds" }) };
        await expect(send()).rejects.toMatchObject(refused);
      });

      test("can be read without an account, but does not sign", async () => {
        const reader = await chain().read(contract.identity.address);
        expect(reader.signer).toBeUndefined();
        expect(await reader.getStage(stageOne)).toMatchObject({ stage: 1n });
        const call = { kind: "finalizeStage", stage: stageOne } as const;
        await expect(reader.sign(call, { sequence: 0n, gas: 1n })).rejects.toMatchObject({ code: "KEY_INVALID" });
        const { balance, ...quote } = await contract.getFees();
        expect(balance).toBeGreaterThan(0n);
        expect(await reader.getGasPrice()).toMatchObject(
          quote.gasPrice.amount === 0n ? { gasPrice: quote.gasPrice } : quote,
        );
        await expect(reader.getFees()).rejects.toMatchObject({ code: "KEY_INVALID" });
        await expect(reader.getSequence()).rejects.toMatchObject({ code: "KEY_INVALID" });
      });
    });

    describe("with rows", () => {
      let actor: Actor;
      let contract: ScoreContract;
      beforeEach(async () => {
        actor = await chain().fund();
        contract = await actor.deploy(shape);
      });

      test("reads scores back exactly: 0, above 2^53, and all of u64, for accounts of every length", async () => {
        const rows = [
          { account: accountOf(1), score: 0n },
          { account: widestAccountOf(contract, 2), score: 2n ** 53n + 1n },
          { account: accountOf(3), score: u64Max - 2n ** 53n - 1n },
        ];
        await writeRows(contract, rows);
        expect(sorted(await readRows(contract))).toEqual(sorted(rows));
        for (const { account, score } of rows) {
          for (const spelled of [account, formatChecksummed(account), formatBech32(account)]) {
            expect(await contract.getScore(stageOne, spelled)).toBe(score);
            expect(await contract.isMember(spelled)).toBe(false);
          }
        }
        expect(await contract.getScore(stageOne, accountOf(4))).toBeUndefined();
        expect(await contract.getStage(stageOne)).toMatchObject({ total: u64Max, count: rowCount(3n) });

        const more = { kind: "updateScores", stage: stageOne, rows: [{ account: accountOf(5), score: 1n }] } as const;
        const full = await write(contract, more);
        // The reference wraps except on Move: its total is now wrong, its rows are not.
        expectOutcome(chain(), full, isOurs || chain().vm === "move" ? "SCORE_OVERFLOW" : "DONE");

        await write(contract, { kind: "finalizeStage", stage: stageOne });
        await writeRows(contract, [{ account: accountOf(1), score: u64Max }], stageTwo);
        expect(await readRows(contract, stageTwo)).toEqual([{ account: accountOf(1), score: u64Max }]);
        expect(await contract.getScore(stageOne, accountOf(1))).toBe(0n);
      });

      test("shows the state at an earlier height", async () => {
        await writeRows(contract, [{ account: accountOf(1), score: 1n }]);
        const height = await contract.getHeight();
        const sequence = await contract.getSequence();
        await writeRows(contract, [
          { account: accountOf(1), score: 2n },
          { account: accountOf(2), score: 5n },
        ]);
        expect(await readRows(contract, stageOne, height)).toEqual([{ account: accountOf(1), score: 1n }]);
        expect(await contract.getScore(stageOne, accountOf(1), { height })).toBe(1n);
        expect(await contract.getStage(stageOne, { height })).toMatchObject({ total: 1n, count: rowCount(1n) });
        expect(await contract.getStage(stageOne)).toMatchObject({ total: 7n, count: rowCount(2n) });
        expect(await contract.getSequence({ height })).toBe(sequence);
        expect(await contract.getSequence({ height: await contract.getHeight() })).toBe(sequence + 1n);
      });

      test("adds and removes members", async () => {
        const member = widestAccountOf(contract, 7);
        expect(contract.signer).toBe(actor.account);
        const addMember = () => write(contract, { kind: "addMember", account: member });
        const removeMember = () => write(contract, { kind: "removeMember", account: member });
        const expectMembers = async (...expected: readonly string[]) => {
          expect(await contract.isMember(actor.account)).toBe(true);
          expect(await contract.isMember(member)).toBe(expected.includes(member));
          // The published interface of EVM does not list them.
          const listed = isOurs || chain().vm !== "evm" ? [...expected].sort() : undefined;
          expect((await contract.getMembers())?.toSorted()).toEqual(listed);
        };
        await expectMembers(actor.account);
        expect(await addMember()).toMatchObject({ succeeded: true });
        await expectMembers(actor.account, member);
        const again = await addMember();
        expectOutcome(chain(), again, chain().vm === "move" ? "MEMBER_EXISTS" : "DONE");
        await expectMembers(actor.account, member);
        expect(await removeMember()).toMatchObject({ succeeded: true });
        await expectMembers(actor.account);
        const gone = await removeMember();
        expectOutcome(chain(), gone, chain().vm === "move" ? "MEMBER_NOT_FOUND" : "DONE");
        await expectMembers(actor.account);
      });

      test("opens the next stage when one is finalized, which then accepts no scores and no second finalize", async () => {
        await writeRows(contract, rowsOf(3));
        expect(await write(contract, { kind: "finalizeStage", stage: stageOne })).toMatchObject({ succeeded: true });
        expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true, total: 3003n });
        expect(await contract.getStage(stageTwo)).toMatchObject({ isFinalized: false, total: 0n });
        const late = await write(contract, { kind: "updateScores", stage: stageOne, rows: rowsOf(1) });
        expectOutcome(chain(), late, "STAGE_FINALIZED");
        const again = await write(contract, { kind: "finalizeStage", stage: stageOne });
        // The reference creates the next stage again except on Move.
        expectOutcome(chain(), again, isOurs || chain().vm === "move" ? "STAGE_FINALIZED" : "DONE");
      });

      test(`reads ${rowCounts.join(", ")} rows in pages that add up`, async () => {
        let written = 0;
        for (const count of rowCounts) {
          await writeRows(contract, rowsOf(count).slice(written));
          expect(sorted(await readRows(contract))).toEqual(sorted(rowsOf(count)));
          written = count;
        }
      });
    });

    describe("whose transactions", () => {
      let contract: ScoreContract;
      beforeAll(async () => {
        contract = await (await chain().fund()).deploy(shape);
      });

      test("include a failed call in a block, with the reason if the node reports it", async () => {
        const stranger = await (await chain().fund()).connect(contract.identity.address);
        const rows = [{ account: accountOf(1), score: 1n }];
        const denied = await write(stranger, { kind: "updateScores", stage: stageOne, rows });
        expectOutcome(chain(), denied, "PERMISSION_DENIED");
        const notManager = await write(stranger, { kind: "addMember", account: accountOf(1) });
        expectOutcome(chain(), notManager, "PERMISSION_DENIED");
        const absent = await write(contract, { kind: "updateScores", stage: stageTwo, rows });
        expectOutcome(chain(), absent, "STAGE_NOT_FOUND");
        const half = (await gasOf(contract, rowsOf(50))) / 2n;
        const starved = await write(contract, { kind: "updateScores", stage: stageOne, rows: rowsOf(50) }, half);
        const details = expect.stringMatching(/out of gas/i) as string;
        expect(starved).toMatchObject({ succeeded: false, ...(chain().vm !== "evm" && { details }) });
        expect(starved.gasUsed * 100n).toBeGreaterThanOrEqual(95n * half);
        expect(await readRows(contract)).toEqual([]);
      });

      test("can be simulated, which sends and signs nothing, with the reason of a refusal", async () => {
        const call = { kind: "updateScores", stage: stageOne, rows: rowsOf(30) } as const;
        const sequence = await contract.getSequence();
        expect(await contract.simulate(call)).toEqual({ state: "accepted" });
        expect(await contract.simulate(call, { sequence })).toEqual({ state: "accepted" });
        const later = await contract.simulate(call, { sequence: sequence + 5n });
        expect(later).toEqual(chain().vm === "evm" ? { state: "accepted" } : { state: "unknown", isBehind: true });
        const details = expect.any(String) as string;
        const refused = (code: ErrorCode) => ({ state: "refused", details, ...(chain().reportsReasons && { code }) });
        expect(await contract.simulate({ ...call, stage: stageTwo })).toEqual(refused("STAGE_NOT_FOUND"));
        const stranger = await (await chain().fund()).connect(contract.identity.address);
        expect(await stranger.simulate(call)).toEqual(refused("PERMISSION_DENIED"));
        expect({ rows: await readRows(contract), sequence: await contract.getSequence() }).toEqual({
          rows: [],
          sequence,
        });
      });

      test("can be looked up by hash, before they are sent and until they are in a block", async () => {
        const sequence = await contract.getSequence();
        const call = { kind: "updateScores", stage: stageOne, rows: rowsOf(2) } as const;
        const gas = await gasOf(contract, call.rows);
        const transaction = await contract.sign(call, { sequence, gas });
        const hash = expect.stringMatching(chain().forms.hash) as string;
        expect(transaction).toMatchObject({ sequence, gas, hash });
        expect(await contract.lookUp(transaction.hash)).toEqual({ state: "unknown" });
        const { succeeded, gasUsed } = await settle(contract, transaction);
        expect({ succeeded, fits: gasUsed <= gas }).toEqual({ succeeded: true, fits: true });
        expect(await contract.getSequence()).toBe(sequence + 1n);
        // Broadcast again, by a program that lost the answer.
        await contract.broadcast(transaction);
        expect(await contract.lookUp(transaction.hash)).toMatchObject({ state: "included", succeeded: true, gasUsed });
      });

      test("are accepted with consecutive sequences without waiting for blocks", async () => {
        const first = await contract.getSequence();
        const gas = await gasOf(contract, rowsOf(1));
        const sent = [];
        for (let index = 0; index < 6; index += 1) {
          const call = { kind: "updateScores", stage: stageOne, rows: rowsOf(1, 100 + index) } as const;
          const sign = (sequence: bigint) => contract.sign(call, { sequence, gas });
          sent.push(await signAndSubmit(contract, sign, { sequence: first + BigInt(index), rows: 1 }));
        }
        for (const transaction of sent) {
          expect(await waitForOutcome(contract, transaction)).toMatchObject({ succeeded: true });
        }
        const scores = await Promise.all(sent.map((_, index) => contract.getScore(stageOne, accountOf(100 + index))));
        expect(scores).toEqual(sent.map(() => 1000n));
      });

      test("are refused with the right reason if their sequence is used", async () => {
        const sequence = await contract.getSequence();
        await write(contract, { kind: "addMember", account: accountOf(1) });
        const call = { kind: "addMember", account: accountOf(2) } as const;
        const late = await contract.sign(call, { sequence, gas: contract.getCallGas(call) });
        await expect(contract.broadcast(late)).rejects.toMatchObject({ name: "BroadcastError", refusal: "sequence" });
      });
    });
  });
}

import { u64Max, type Account } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import { accountOf, done, expectStage, longAccountOf, on, refused, scored } from "./expectations.ts";

const onOne = () => ({ stage: 1n, account: accountOf(0) }) as const;
const zeroAccount = `0x${"00".repeat(20)}` as Account;

export const scoreScenarios = inArea("scores", "score", {
  update: {
    name: "an update sets a score, and the next update replaces it",
    rules: ["R6", "R7"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "updateScore", ...onOne(), amount: 100n });
      await expectStage(contract, scored(100n));
      await done(contract, "creator", { kind: "updateScore", ...onOne(), amount: 30n });
      await expectStage(contract, scored(30n));
    }),
  },
  increase: {
    name: "an increase adds to a score, from 0 if there is none",
    rules: ["R6", "R7"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "increaseScore", ...onOne(), amount: 5n });
      await done(contract, "creator", { kind: "increaseScore", ...onOne(), amount: 7n });
      await expectStage(contract, scored(12n));
    }),
  },
  decrease: {
    name: "a decrease takes from a score, down to 0, and the account keeps its score of 0",
    rules: ["R6", "R7"],
    run: onContractOf({ scores: [10n, 1n] }, async (contract) => {
      await done(contract, "creator", { kind: "decreaseScore", ...onOne(), amount: 4n });
      await expectStage(contract, scored(6n, 1n));
      await done(contract, "creator", { kind: "decreaseScore", ...onOne(), amount: 6n });
      await expectStage(contract, scored(0n, 1n));
      expect(await contract.read.getScore(1n, accountOf(0))).toBe(0n);
    }),
  },
  "update-to-0": {
    name: "an update to 0 gives a new account a score, and does not remove an old one",
    rules: ["R6", "R7"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "updateScore", ...onOne(), amount: 0n });
      await expectStage(contract, scored(0n));
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(5n, 6n) });
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(0n, 0n) });
      await expectStage(contract, scored(0n, 0n));
    }),
  },
  "increase-by-0": {
    name: "an increase by 0 gives an account without a score a score of 0",
    rules: ["R6"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "increaseScore", ...onOne(), amount: 0n });
      await expectStage(contract, scored(0n));
    }),
  },
  "decrease-by-0": {
    name: "a decrease by 0 gives an account without a score a score of 0",
    rules: ["R6"],
    reference: "on Move it aborts inside the table, with a code that is not the module's",
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "decreaseScore", ...onOne(), amount: 0n });
      await expectStage(contract, scored(0n));
    }),
  },
  "decrease-too-much": {
    name: "a decrease by more than the score fails, by one as by 2^64 - 1",
    rules: ["R8", "R9"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "updateScore", ...onOne(), amount: 10n });
      for (const amount of [11n, u64Max]) {
        await refused(contract, "creator", { kind: "decreaseScore", ...onOne(), amount }, "INSUFFICIENT_SCORE");
      }
    }),
  },
  "decrease-nothing": {
    name: "an account without a score cannot be decreased, and does not get a score by trying",
    rules: ["R8", "R9"],
    reference: "on Move it aborts inside the table; on Wasm it has another text than a score that is too small",
    run: onContract(async (contract) => {
      const call = { kind: "decreaseScore", ...onOne(), amount: 1n } as const;
      await refused(contract, "creator", call, "INSUFFICIENT_SCORE");
      expect(await contract.read.getScore(1n, accountOf(0))).toBeUndefined();
    }),
  },
  "members-only": {
    name: "only a member writes a score, in any way",
    rules: ["R13", "R10"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "updateScore", ...onOne(), amount: 10n });
      for (const kind of ["updateScore", "increaseScore", "decreaseScore"] as const) {
        await refused(contract, "carol", { kind, ...onOne(), amount: 1n }, "PERMISSION_DENIED");
        // The caller counts before the stage.
        await refused(contract, "carol", { kind, stage: 9n, account: accountOf(0), amount: 1n }, "PERMISSION_DENIED");
      }
      for (const kind of ["updateScores", "updateScoresPacked"] as const) {
        await refused(contract, "carol", { kind, stage: 1n, rows: scored(1n) }, "PERMISSION_DENIED");
      }
    }),
  },
  "owner-is-no-member": {
    name: "an owner who is not a member writes no score",
    rules: ["R13", "R15"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await done(contract, "creator", { kind: "removeMember", account: contract.accountOf("creator") });
      await refused(contract, "creator", { kind: "updateScore", ...onOne(), amount: 1n }, "PERMISSION_DENIED");
      await done(contract, "alice", { kind: "updateScore", ...onOne(), amount: 1n });
    }),
  },
  "long-accounts": {
    name: "every length of account that the client allows is written and read back",
    rules: ["R6", "R18"],
    differences: [{ vm: "evm", rule: "R18", what: "accounts have 20 bytes, elsewhere 20 or 32" }],
    run: onContract(async (contract) => {
      const { accountBytes } = await contract.port("creator");
      expect(accountBytes).toEqual(on<readonly number[]>(contract.vm, { evm: [20], move: [20, 32], wasm: [20, 32] }));
      const rows = accountBytes.map((bytes) => ({
        account: bytes === 20 ? accountOf(1) : longAccountOf(1),
        score: BigInt(bytes),
      }));
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
      await expectStage(contract, rows);
      for (const row of rows) expect(await contract.read.getScore(1n, row.account)).toBe(row.score);
    }),
  },
  "zero-address": {
    name: "a score for the zero address, which our client refuses, does what the interface says",
    rules: ["R6", "R7"],
    reference: "on EVM it is silently skipped, so the file's total differs from the chain's, and nothing reports it",
    differences: [
      { vm: "evm", rule: "E3", what: "it is skipped, after the checks of the caller and the stage" },
      { vm: "move", rule: "M7", what: "it is an account like any other" },
      { vm: "wasm", rule: "W3", what: "20 zero bytes are an account like any other" },
    ],
    run: onContract(async (contract) => {
      const rows = [{ account: zeroAccount, score: 5n }, ...scored(1n)];
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
      await expectStage(contract, contract.vm === "evm" ? scored(1n) : rows);
      await done(contract, "creator", { kind: "updateScore", stage: 1n, account: zeroAccount, amount: 7n });
      expect((await contract.read.getStage(1n)).total).toBe(contract.vm === "evm" ? 1n : 8n);
      const unknown = { kind: "updateScore", stage: 9n, account: zeroAccount, amount: 1n } as const;
      await refused(contract, "creator", unknown, "STAGE_NOT_FOUND");
    }),
  },
  spellings: {
    name: "another spelling of an account in a call is the same account",
    rules: ["R6", "R11"],
    reference: "on Wasm the upper-case twin of an address is a separate account and is paid as one",
    differences: [
      { vm: "evm", rule: "R6", what: "calls hold bytes, which have one spelling" },
      { vm: "move", rule: "R6", what: "calls hold bytes, which have one spelling" },
    ],
    run: onContractOf({ scores: [7n] }, async (contract) => {
      if (contract.vm !== "wasm") return;
      const text = contract.spell(accountOf(0)).toUpperCase();
      await done(contract, "creator", { kind: "updateScoreOfText", stage: 1n, text });
      await expectStage(contract, scored(1n));
    }),
  },
  "junk-address": {
    name: "a score for an invalid address fails and is not stored",
    rules: ["R9", "R10"],
    reference: "on Wasm junk, upper-case twins and the empty text are stored and counted in the total",
    differences: [
      {
        vm: "evm",
        rule: "E4",
        what: "the language refuses calldata that is not an address, without an error of the contract",
      },
      { vm: "move", rule: "M7", what: "the VM refuses any length other than 32 bytes before the module runs" },
    ],
    run: onContract(async (contract) => {
      const code = contract.vm === "wasm" ? "INVALID_ADDRESS" : "TRANSACTION_FAILED";
      expect(contract.junkAddresses.length > 0).toBe(true);
      for (const text of contract.junkAddresses) {
        await refused(contract, "creator", { kind: "updateScoreOfText", stage: 1n, text }, code);
      }
    }),
  },
});

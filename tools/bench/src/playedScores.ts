import { createHash } from "node:crypto";
import { parseAccount, stage as toStage, type Account, type ScoreContract, type ScoreRow } from "@vipscore/core";

/** The stage that has the accounts. */
export const playedStage = 1n;

export function accountAt(index: number): Account {
  const digest = createHash("sha256").update(`account ${index}`).digest("hex");
  return parseAccount(`0x${digest.slice(0, 40)}`, { accountBytes: [20] });
}

/** Scores as of a game: few high ones, many low ones, with ties. */
export function scoreAt(index: number, accounts: number): bigint {
  return BigInt(Math.floor((100 * accounts) / (1 + ((index * 7_919) % accounts))));
}

/** The reads of a contract with one open stage. */
export function playedScores(accounts: number): ScoreContract {
  let total = 0n;
  for (let index = 0; index < accounts; index += 1) total += scoreAt(index, accounts);
  const info = { stage: toStage(playedStage), total, isFinalized: false, count: BigInt(accounts), revision: 1n };
  const contract: Pick<ScoreContract, "identity" | "getInitStage" | "getStage" | "getScores"> = {
    identity: { vm: "evm", chainId: "1", address: `0x${"c0".repeat(20)}` },
    getInitStage: () => Promise.resolve(info.stage),
    getStage: () => Promise.resolve(info),
    async *getScores() {
      for (let from = 0; from < accounts; from += 1_000) {
        const length = Math.min(1_000, accounts - from);
        yield Array.from({ length }, (_, row): ScoreRow => {
          return { account: accountAt(from + row), score: scoreAt(from + row, accounts) };
        });
      }
    },
  };
  return contract as ScoreContract;
}

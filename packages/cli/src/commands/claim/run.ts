import { CheckError, formatBech32, parseAccount, type Account } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import { claimRewardsCall, executeMessage, parseRatio, type VipStage } from "@vipscore/l1";
import type { MoveAccount } from "@vipscore/move";
import type { Context } from "../../context.ts";
import { claimGas } from "../../l1/claimGas.ts";
import { connectL1 } from "../../l1/l1Connection.ts";
import type { TransactionFlags } from "../../l1/transactionOptions.ts";
import { refuseFiles, writeTransaction } from "../../l1/writeTransaction.ts";
import { findL1Settings, type L1CommandFlags } from "../../settings/l1Settings.ts";
import { checkClaims, type CheckedClaim } from "./checkClaims.ts";
import { readClaims, type StageRange } from "./readClaims.ts";

export type { StageRange } from "./readClaims.ts";

/** The flags of `claim`. */
export interface ClaimFlags extends L1CommandFlags, TransactionFlags {
  readonly proofs: readonly string[];
  readonly address: string;
  readonly stages?: StageRange;
}

/** Writes the transaction with which an account claims its rewards: `claim`. */
export async function writeClaim(context: Context, flags: ClaimFlags): Promise<void> {
  const { proofs, address, stages: range } = flags;
  await refuseFiles(context, [flags.out]);
  const account = parseAccount(address, { accountBytes: [20, 32] });
  const claims = await readClaims(context, proofs, account, range);
  const l1 = await connectL1(context, await findL1Settings(context.io, flags), flags);
  checkIsClaimant(l1.signer, account);
  const checked = await checkClaims(context, l1, claims, { account, range });
  const rewards = checked.map((claim) => rewardOf(claim, l1.current));
  context.output.print(rewardLines(rewards).join("\n"));
  const { bridgeId, target } = claims.first;
  const call = claimRewardsCall(bridgeId, target.version, checked);
  await writeTransaction(context, l1, flags, {
    command: "claim",
    message: executeMessage(call, l1.current.vip.address, account),
    gas: claimGas(checked.length),
    details: { account, rewards },
  });
}

/** @throws CheckError `PERMISSION_DENIED` if another account than the claimant would sign. */
function checkIsClaimant(signer: MoveAccount | undefined, account: Account): void {
  if (signer === undefined || signer.account === account) return;
  throw new CheckError(`${formatBech32(signer.account)} cannot claim the rewards of ${formatBech32(account)}`, {
    code: "PERMISSION_DENIED",
    metaMessages: ["Sign with the key of --address."],
  });
}

/** The reward of a stage, which vests with later claims. */
interface StageReward {
  readonly stage: bigint;
  readonly score: bigint;
  readonly reward: bigint;
  /** The most that the claim of a later stage pays of it. */
  readonly part: bigint;
  /** The score of a later stage that is enough for the whole part. */
  readonly minimumScore: bigint;
  /** The stage whose claim pays the last part. */
  readonly endStage: bigint;
}

/** Returns what a claim opens, by the rule of `batch_claim_user_reward`. */
function rewardOf({ stage, score, total, funded }: CheckedClaim, { parameters }: VipStage): StageReward {
  const { vestingPeriodStages: period, minimumScoreRatio } = parameters;
  const reward = total === 0n ? 0n : (funded * score) / total;
  const ratio = parseRatio(minimumScoreRatio) ?? 0n;
  return {
    stage,
    score,
    reward,
    part: period === 0n ? 0n : reward / period,
    minimumScore: (ratio * score) / 10n ** 18n,
    endStage: stage + period,
  };
}

function rewardLines(rewards: readonly StageReward[]): readonly string[] {
  const rows = rewards.map(({ stage, score, reward, part, minimumScore, endStage }) =>
    [stage, score, reward, part, minimumScore, endStage].map(group),
  );
  const table = [["stage", "score", "reward", "part", "minimum score", "until stage"], ...rows];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return [
    ...table.map((row) => `  ${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  ")}`),
    "  A reward vests: the first claim of a stage pays nothing of it. The claim of each later stage pays a part, with less than the minimum score less.",
  ];
}

import type { Command } from "commander";
import { formatBech32, InputError, parseAccount, VipError, type Account } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import {
  checkClaims,
  claimGas,
  claimRewardsCall,
  executeMessage,
  otherTargetField,
  type ClaimFromFile,
  type StageReward,
} from "@vipscore/l1";
import { requireProved } from "@vipscore/snapshot";
import type { Context } from "../context.ts";
import { connectL1 } from "../l1/openL1.ts";
import {
  refuseFiles,
  withTransactionOptions,
  writeTransaction,
  type TransactionFlags,
} from "../l1/writeTransaction.ts";
import { configOption, parseU64, withL1Options, withOutputOptions } from "../options.ts";
import { formatTable } from "../output/table.ts";
import { findL1Settings, type L1CommandFlags } from "../settings/readSettings.ts";
import { checkProofFile } from "./verifyProof.ts";

export function addClaim(command: Command, context: Context): void {
  withTransactionOptions(withL1Options(withOutputOptions(command)))
    .requiredOption("--proofs <file...>", "proof files, one for each stage to claim")
    .requiredOption("--address <address>", "the account that claims")
    .option("--stages <range>", "stages to claim, e.g. 2-5 (default: all files)", parseRange)
    .addOption(configOption())
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore claim --proofs proofs2.json proofs3.json --address init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq --out claim.tx.json",
    )
    .action((flags: ClaimFlags) => writeClaim(context, flags));
}

interface ClaimFlags extends L1CommandFlags, TransactionFlags {
  readonly proofs: readonly string[];
  readonly address: string;
  readonly stages?: StageRange;
}

interface StageRange {
  readonly from: bigint;
  readonly to: bigint;
}

function parseRange(text: string): StageRange {
  const [from = "", to = from, ...more] = text.split("-");
  const parse = parseU64("--stages");
  const range = { from: parse(from), to: parse(to) };
  if (more.length === 0 && range.from <= range.to) return range;
  throw new InputError(`--stages "${text}" is not a range of stages such as 2-5`);
}

async function writeClaim(context: Context, flags: ClaimFlags): Promise<void> {
  const { proofs, address, stages: range } = flags;
  await refuseFiles(context, [flags.out]);
  const account = parseAccount(address, { accountBytes: [20, 32] });
  const claims = await readClaims(context, proofs, account, range);
  const l1 = await connectL1(context, await findL1Settings(context.io, flags), flags);
  if (l1.signer !== undefined && l1.signer.account !== account) {
    throw new VipError(`${formatBech32(l1.signer.account)} cannot claim the rewards of ${formatBech32(account)}`, {
      code: "PERMISSION_DENIED",
      metaMessages: ["Sign with the key of --address."],
    });
  }
  const { rewards, warnings } = await checkClaims(l1, claims, { account, isRange: range !== undefined });
  const empty = claims.filter(({ score }) => score === 0n).map(({ stage }) => stage);
  if (empty.length > 0) {
    context.output.warn(`${formatBech32(account)} has no score in stage ${empty.join(", ")}: check --address`);
  }
  context.output.warnAll(warnings);
  context.output.print(rewardLines(rewards, l1.denom, context.output.columns).join("\n"));
  const [{ bridgeId, target }] = claims;
  const call = claimRewardsCall(bridgeId, target.version, claims);
  await writeTransaction(context, l1, flags, {
    command: "claim",
    message: executeMessage(call, l1.current.vip.address, account),
    gas: claimGas(claims.length),
    details: { account, rewards },
  });
}

/** Reads and checks an account's proofs: those of consecutive stages of one registration, in ascending order. */
async function readClaims(
  context: Context,
  files: readonly string[],
  account: Account,
  range: StageRange | undefined,
): Promise<readonly [ClaimFromFile, ...ClaimFromFile[]]> {
  const found: ClaimFromFile[] = [];
  for (const file of files) found.push(await readClaim(context, file, account));
  const [first, ...later] = found
    .filter(({ stage }) => range === undefined || (range.from <= stage && stage <= range.to))
    .toSorted((one, other) => (one.stage < other.stage ? -1 : 1));
  if (first === undefined) throw new InputError("no proof file is for a stage in --stages");
  for (const claim of later) requireSameRegistration(first, claim);
  const { from, to } = range ?? { from: first.stage, to: (later.at(-1) ?? first).stage };
  let next = from;
  for (const { stage, file } of [first, ...later]) {
    if (stage < next) throw new InputError(`${file} is a second proof file for stage ${stage}`);
    if (stage > next) break;
    next += 1n;
  }
  if (next <= to) {
    throw new InputError(`no proof file is for stage ${next}`, {
      metaMessages: ["A claim takes consecutive stages, also those in which the account has no score."],
    });
  }
  return [first, ...later];
}

async function readClaim(context: Context, file: string, account: Account): Promise<ClaimFromFile> {
  const checked = await checkProofFile(context, file, account);
  requireProved(file, checked);
  const { bridgeId, stage, target, root, total, leaf } = checked;
  if (target === undefined) {
    throw new InputError(`${file} does not say where on L1 its stage is claimed`, {
      metaMessages: ["Write it with vipscore snapshot --out and an L1 endpoint."],
    });
  }
  if (leaf === undefined) await requireWhole(context, file, account);
  return { file, bridgeId, stage, target, root, total, score: leaf?.score ?? 0n, proof: leaf?.proof ?? [] };
}

/**
 * Checks that a file has all scores, so that an account that is not in it has none: L1 believes a claim of score 0 without a
 * proof, and it cannot be repeated.
 */
async function requireWhole(context: Context, file: string, account: Account): Promise<void> {
  const checked = await checkProofFile(context, file);
  requireProved(file, checked);
  if (checked.sum === checked.total) return;
  throw new InputError(`${file} has no proof of ${account}, and does not contain all accounts`, {
    metaMessages: ["Use the file with all proofs, or the one for this account."],
  });
}

function requireSameRegistration(one: ClaimFromFile, other: ClaimFromFile): void {
  const wrong =
    otherTargetField(one.target, other.target) ?? (one.bridgeId === other.bridgeId ? undefined : "bridgeId");
  if (wrong === undefined) return;
  throw new InputError(`${one.file} and ${other.file} differ in ${wrong}: claim them separately`);
}

function rewardLines(rewards: readonly StageReward[], denom: string, columns: number): readonly string[] {
  const rows = rewards.map(({ stage, score, reward, part, minimumScore, endStage, paid, lost }) =>
    [stage, score, paid, lost, reward, part, minimumScore, endStage].map(group),
  );
  const head = ["stage", "score", "pays", "loses", "opens", "part", "minimum score", "until stage"];
  const sum = (of: "paid" | "lost"): string =>
    `${group(rewards.reduce((total, reward) => total + reward[of], 0n))} ${denom}`;
  return [
    ...formatTable([head, ...rows], { align: "rrrrrrrr", indent: "  ", columns }),
    `  This claim pays ${sum("paid")} and loses ${sum("lost")} of earlier stages for good, where the score is below their minimum.`,
    "  What it opens is paid in parts by the claims of later stages.",
  ];
}

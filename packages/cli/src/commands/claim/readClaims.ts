import { InputError, type Account } from "@vipscore/core";
import type { ClaimedStage } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { checkProofs, requireProved } from "../../l1/checkProofs.ts";
import type { ClaimTarget } from "../../l1/claimTarget.ts";
import type { OwnSnapshot } from "../../l1/compareSnapshot.ts";

/** A stage to claim, according to its file. */
export interface FileClaim extends ClaimedStage, OwnSnapshot {
  readonly file: string;
  readonly bridgeId: bigint;
  readonly target: ClaimTarget;
}

/** Consecutive stages of one registration, in ascending order. */
export interface Claims {
  readonly first: FileClaim;
  readonly last: FileClaim;
  readonly all: readonly FileClaim[];
}

/** Stages from the first to the last one. */
export interface StageRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Reads what an account can claim with files of proofs, and checks its proofs.
 *
 * @throws CheckError `PROOF_INVALID`; InputError `INPUT_INVALID` for files of several registrations, a stage without a file
 * or with two; `FILE_UNREADABLE`.
 */
export async function readClaims(
  context: Context,
  files: readonly string[],
  account: Account,
  range: StageRange | undefined,
): Promise<Claims> {
  const found: FileClaim[] = [];
  for (const file of files) found.push(await readClaim(context, file, account));
  const isWanted = ({ stage }: FileClaim): boolean => range === undefined || (range.from <= stage && stage <= range.to);
  const all = found.filter(isWanted).toSorted((one, other) => (one.stage < other.stage ? -1 : 1));
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) throw new InputError("no file of proofs is of a stage of --stages");
  for (const claim of all) requireSameRegistration(first, claim);
  requireConsecutive(all, range ?? { from: first.stage, to: last.stage });
  return { first, last, all };
}

async function readClaim(context: Context, file: string, account: Account): Promise<FileClaim> {
  const checked = await checkProofs(context, file, account);
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
  const checked = await checkProofs(context, file, undefined);
  requireProved(file, checked);
  if (checked.sum === checked.total) return;
  throw new InputError(`${file} has no proof of ${account}, and does not have all accounts`, {
    metaMessages: ["Take the file of all proofs, or the one of this account."],
  });
}

function requireSameRegistration(one: FileClaim, other: FileClaim): void {
  const fields = ["chainId", "vipAddress", "version"] as const;
  const wrong = fields.find((field) => one.target[field] !== other.target[field]);
  const isSame = one.bridgeId === other.bridgeId && wrong === undefined;
  if (isSame) return;
  const what = wrong === undefined ? "bridgeId" : wrong;
  throw new InputError(`${one.file} and ${other.file} differ in ${what}: claim them apart`);
}

function requireConsecutive(all: readonly FileClaim[], { from, to }: StageRange): void {
  for (const [index, { stage, file }] of all.entries()) {
    const wanted = from + BigInt(index);
    if (stage < wanted) throw new InputError(`${file} is a second file of stage ${stage}`);
    if (stage > wanted) throw noFile(wanted);
  }
  const next = from + BigInt(all.length);
  if (next <= to) throw noFile(next);
}

function noFile(stage: bigint): InputError {
  return new InputError(`no file of proofs is of stage ${stage}`, {
    metaMessages: ["A claim takes consecutive stages, also those in which the account has no score."],
  });
}

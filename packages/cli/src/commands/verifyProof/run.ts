import { CheckError, InputError, parseAccount } from "@vipscore/core";
import type { Context } from "../../context.ts";
import { claimTarget, type ClaimTarget } from "../../l1/claimTarget.ts";
import {
  compareSnapshot,
  comparisonJson,
  comparisonText,
  openL1,
  requireSame,
  type SnapshotComparison,
} from "../../l1/compareSnapshot.ts";
import { count } from "../../output/numbers.ts";
import { findL1Settings, type L1CommandFlags } from "../../settings/l1Settings.ts";
import { checkProofs, type CheckedProofs } from "./checkProofs.ts";

/** The flags of `verify-proof`. */
export interface VerifyProofFlags extends L1CommandFlags {
  readonly address?: string;
}

/** Checks a file of proofs: `verify-proof`. */
export async function verifyProofFile(context: Context, file: string, flags: VerifyProofFlags): Promise<void> {
  const { output } = context;
  const account = flags.address === undefined ? undefined : parseAccount(flags.address, { accountBytes: [20, 32] });
  const checked = await checkProofs(context, file, account);
  if (account !== undefined && checked.checked === 0) throw new InputError(`${file} has no proof of ${account}`);
  requireProved(file, checked);
  const { bridgeId, stage, root, total } = checked;
  const verified = output.paint("green", "verified");
  output.print(`${verified}  ${count(checked.checked, "proof")} of stage ${stage} by the root of ${file}`);
  const l1 = await compareWithL1(context, file, flags, checked);
  if (l1 === undefined) output.warn("not compared with L1: set --l1-rest-url or L1_REST_URL");
  else {
    output.print(`L1        ${comparisonText(l1, checked)}`);
    requireSame(l1, checked);
  }
  output.json({
    command: "verify-proof",
    file,
    bridgeId,
    stage,
    root: root ?? null,
    total,
    proofs: checked.checked,
    l1: comparisonJson(l1),
  });
}

/** @throws CheckError `PROOF_INVALID` */
function requireProved(file: string, { wrong, wrongCount, checked }: CheckedProofs): void {
  if (wrongCount === 0) return;
  const left = wrongCount - wrong.length;
  throw new CheckError(`${wrongCount} of ${count(checked, "proof")} do not lead to the root of ${file}`, {
    code: "PROOF_INVALID",
    metaMessages: [...wrong, ...(left > 0 ? [`and ${left} more`] : [])],
  });
}

/**
 * Checks that the file names where L1 takes claims of its stage. A file without it, written before L1 was known, passes.
 *
 * @throws CheckError `PROOF_INVALID`.
 */
function requireTarget(file: string, { stage, target }: CheckedProofs, onL1: ClaimTarget | undefined): void {
  if (target === undefined) return;
  const fields = ["chainId", "vipAddress", "version"] as const;
  const wrong = fields.find((field) => target[field] !== onL1?.[field]);
  if (wrong === undefined) return;
  throw new CheckError(
    `${file} names ${wrong} ${target[wrong]}, and L1 takes stage ${stage} ${onL1 === undefined ? "for no registration" : `for ${onL1[wrong]}`}`,
    {
      code: "PROOF_INVALID",
      metaMessages: [
        "A claim of another version or on another chain fails. Write the file again with vipscore snapshot.",
      ],
    },
  );
}

/** L1's snapshot of the file's stage; undefined without an L1 endpoint. */
async function compareWithL1(
  context: Context,
  file: string,
  flags: VerifyProofFlags,
  head: CheckedProofs,
): Promise<SnapshotComparison | undefined> {
  const l1 = await findL1Settings(context.io, flags);
  if (l1 === undefined) return undefined;
  const { bridgeId, stage } = head;
  const found = await openL1(context, l1, { bridgeId, contract: undefined, stage });
  requireTarget(file, head, claimTarget(found, stage));
  return compareSnapshot(found, head);
}

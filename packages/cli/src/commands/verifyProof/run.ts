import { InputError, parseAccount } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { checkProofs, requireProved, type CheckedProofs } from "../../l1/checkProofs.ts";
import { claimTarget, requireTarget } from "../../l1/claimTarget.ts";
import {
  compareSnapshot,
  comparisonJson,
  comparisonText,
  openL1,
  requireSame,
  type SnapshotComparison,
} from "../../l1/compareSnapshot.ts";
import { findL1Settings, type L1CommandFlags } from "../../settings/l1Settings.ts";

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
  const proofs = `${count(checked.checked, "proof")} of stage ${stage} of bridge ${bridgeId}`;
  output.print(`${proofs}: consistent with the file's own root`);
  const l1 = await compareWithL1(context, file, flags, checked);
  if (l1 === undefined) {
    // A file of other numbers can agree with itself as well.
    output.warn("nothing is verified without L1's root: set --l1-rest-url or L1_REST_URL");
  } else {
    output.print(`L1  ${comparisonText(l1, checked)}`);
    requireSame(l1, checked);
    if (l1.status === "matches") output.print(`${output.paint("green", "verified")} ${proofs}`);
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

import { CheckError } from "@vipscore/core";
import { registrationAt } from "@vipscore/l1";
import type { RollupOnL1 } from "./compareSnapshot.ts";

/** Where a stage is claimed on L1: a proof is good for no other version. */
export interface ClaimTarget {
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
  readonly version: bigint;
}

/** Statements of a file of proofs. */
interface ClaimedFile {
  readonly stage: bigint;
  readonly target: ClaimTarget | undefined;
}

/** Returns where a stage is claimed; undefined if L1 takes it for no registration of the bridge. */
export function claimTarget({ bridge, current }: RollupOnL1, stage: bigint): ClaimTarget | undefined {
  if (registrationAt([bridge], stage) === undefined) return undefined;
  return { chainId: current.chainId, vipAddress: current.vip.address, version: bridge.version };
}

/**
 * Checks that the file names where L1 takes claims of its stage. A file without it, written before L1 was known, passes.
 *
 * @throws CheckError `PROOF_INVALID`.
 */
export function requireTarget(file: string, { stage, target }: ClaimedFile, onL1: ClaimTarget | undefined): void {
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

import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { InputError, quoteText } from "@vipscore/core/errors";
import { hashLeaf, hashNodes } from "./hashNodes.ts";
import { addressBytes, requireU64 } from "./leafValues.ts";
import type { SnapshotLeaf } from "./snapshot.ts";

/** A leaf, and the stage and root that it is checked against. */
export interface VerifyProofOptions extends Omit<SnapshotLeaf, "account"> {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  readonly account: string;
  /** The stage's total score. */
  readonly total: bigint;
  /** 64 hex digits. */
  readonly root: string;
}

/**
 * Checks a proof as L1 does: true if the leaf and the proof's hashes lead to the root.
 *
 * @throws InputError `INPUT_INVALID` if a number exceeds u64, or a text is not an address or a hash.
 * @example
 * verifyProof({ bridgeId: 1n, stage: 12n, total, root, ...leaf });
 */
export function verifyProof({ bridgeId, stage, account, score, total, proof, root }: VerifyProofOptions): boolean {
  for (const [name, value] of Object.entries({ "bridge ID": bridgeId, stage, score, total })) requireU64(name, value);
  const address = addressBytes(account);
  if (address === undefined) {
    throw new InputError(`address ${quoteText(account)} is not 0x and 40 or 64 hexadecimal digits`);
  }
  let node = hashLeaf({ bridgeId, stage, address, score, total });
  for (const sibling of proof) node = hashNodes(node, hashOf(sibling, "a hash of the proof"));
  return bytesToHex(node) === bytesToHex(hashOf(root, "the root"));
}

function hashOf(text: string, name: string): Uint8Array {
  if (/^[0-9a-f]{64}$/i.test(text)) return hexToBytes(text);
  throw new InputError(`${name} is not 64 hexadecimal digits: ${quoteText(text)}`);
}

import { encodeAbiParameters, keccak256, toHex } from "viem";
import type { Hex } from "viem";

/** Where ScoreStorage keeps things, as docs/spec.md says (E16 to E18): a second account of the layout, which tests hold against it. */
const ACCOUNT_COUNT = 0n;
const ACCOUNTS = 1n;
const STAGES = ACCOUNTS + 2n ** 32n;
const WORDS = keccak256(toHex("vipscore.words"));

/** The word with the number of accounts. */
export function accountCountSlot(): Hex {
  return slotOf(ACCOUNT_COUNT);
}

/** The word with the address of an account. */
export function accountSlot(id: number): Hex {
  return slotOf(ACCOUNTS + BigInt(id));
}

/** The word with number, total, revision, count and flag of a stage. */
export function stageSlot(stage: bigint): Hex {
  return slotOf(stageBase(stage));
}

/** The word with the bits of 256 ids of a stage. */
export function presentSlot(stage: bigint, bucket: number): Hex {
  return mappingSlot(BigInt(bucket), stageBase(stage) + 1n);
}

/** The word with the counts of 16 words of bits. */
export function countsSlot(stage: bigint, span: number): Hex {
  return mappingSlot(BigInt(span), stageBase(stage) + 2n);
}

/** The word with the scores of four ids of a stage. */
export function wordSlot(stage: bigint, group: number): Hex {
  const base = keccak256(encodeAbiParameters([{ type: "uint64" }, { type: "bytes32" }], [stage, WORDS]));
  return slotOf((BigInt(base) + BigInt(group)) % 2n ** 256n);
}

function stageBase(stage: bigint): bigint {
  return BigInt(mappingSlot(stage, STAGES));
}

function mappingSlot(key: bigint, slot: bigint): Hex {
  return keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [key, slot]));
}

function slotOf(slot: bigint): Hex {
  return toHex(slot, { size: 32 });
}

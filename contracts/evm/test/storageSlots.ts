import { concat, keccak256, toHex, type Hex } from "viem";

/** The storage slots of VipScore according to SPEC.md (E17), implemented independently, so that tests compare the two. */
const ACCOUNTS = 5n;
const IDS = 6n;
const STAGES = 7n;

/** The word with the number of accounts. */
export function accountCountSlot(): Hex {
  return slotOf(ACCOUNTS);
}

/** The word with the address of an account. */
export function accountSlot(id: number): Hex {
  return slotOf(BigInt(keccak256(slotOf(ACCOUNTS))) + BigInt(id - 1));
}

/** The word with the id of an account. */
export function idSlot(addr: Hex): Hex {
  return mappingSlot(BigInt(addr), IDS);
}

/** The word with number, total, revision, count and flag of a stage. */
export function stageSlot(stage: bigint): Hex {
  return slotOf(stageBase(stage));
}

/** The word with the scores of four ids of a stage. */
export function groupSlot(stage: bigint, group: number): Hex {
  return mappingSlot(BigInt(group), stageBase(stage) + 1n);
}

/** The word with the bits of 256 ids of a stage. */
export function presentSlot(stage: bigint, bucket: number): Hex {
  return mappingSlot(BigInt(bucket), stageBase(stage) + 2n);
}

/** The word with the numbers of bits in 16 buckets of a stage. */
export function inBucketsSlot(stage: bigint, span: number): Hex {
  return mappingSlot(BigInt(span), stageBase(stage) + 3n);
}

function stageBase(stage: bigint): bigint {
  return BigInt(mappingSlot(stage, STAGES));
}

function mappingSlot(key: bigint, slot: bigint): Hex {
  return keccak256(concat([slotOf(key), slotOf(slot)]));
}

function slotOf(slot: bigint): Hex {
  return toHex(slot, { size: 32 });
}

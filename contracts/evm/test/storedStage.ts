import { toHex, type Hex } from "viem";
import type { Chain, Contract } from "./chain.ts";
import { someAddress } from "./someAddress.ts";
import { accountSlot, groupSlot, inBucketsSlot, presentSlot, stageSlot } from "./storageSlots.ts";

/** Writes storage words of a contract directly, without its code. */
export function storageWriter(chain: Chain, contract: Contract): (slot: Hex, word: bigint) => Promise<unknown> {
  return async (slot, word) =>
    chain.tests.setStorageAt({ address: contract.address, index: slot, value: toHex(word, { size: 32 }) });
}

/** Words of one kind by their index. */
type Words = Map<number, bigint>;

/**
 * Writes an open stage with a score of 7 for each of the ids, ascending, directly to storage: through the contract, millions
 * of accounts would take billions of gas. Writes addresses, bits and scores only for the ids that `isRead` selects and their
 * neighbors, but the counts that lead to them for all.
 */
export async function storeStage(
  put: (slot: Hex, word: bigint) => Promise<unknown>,
  stage: bigint,
  ids: readonly number[],
  isRead: (id: number) => boolean,
): Promise<void> {
  const [spans, buckets, groups] = [1, 2, 3].map(() => new Map<number, bigint>()) as [Words, Words, Words];
  const add = (words: Words, index: number, shift: number, value: bigint) =>
    words.set(index, (words.get(index) ?? 0n) + (value << BigInt(shift)));
  for (const id of ids) {
    const [bucket, span] = [Math.floor(id / 256), Math.floor(id / 4096)];
    add(spans, span, 16 * (bucket % 16), 1n);
    add(buckets, bucket, id % 256, 1n);
    if (!isRead(id)) continue;
    add(groups, Math.floor(id / 4), 64 * (id % 4), 7n);
    await put(accountSlot(id), BigInt(someAddress(id)));
  }
  const readBuckets = new Set(ids.filter(isRead).map((id) => Math.floor(id / 256)));
  await put(stageSlot(stage), stage | (BigInt(7 * ids.length) << 64n) | (BigInt(ids.length) << 192n));
  for (const [span, word] of spans) await put(inBucketsSlot(stage, span), word);
  for (const [bucket, word] of buckets) if (readBuckets.has(bucket)) await put(presentSlot(stage, bucket), word);
  for (const [group, word] of groups) await put(groupSlot(stage, group), word);
}

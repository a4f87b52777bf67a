import { keccak_256 } from "@noble/hashes/sha3";
import { NodeError } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { lowerFilter, matchesFilter, type BlockLogs, type LogFilter } from "./blockLogReader.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { Contradiction } from "./logChecker.ts";
import { readBlockHeads, type BlockHead } from "./readBlockHeads.ts";
import { listOf, lowerHex, type LogPlace } from "./rpcValues.ts";

/** Heads of blocks, and how many of them have a bloom filter that agrees with the logs. */
interface ComparedHeads {
  readonly heads: ReadonlyMap<number, BlockHead>;
  readonly compared: number;
}

/** Receipts of a reading besides one for each head: the blooms of busy chains may have everything. */
const freeReceipts = 2_000;

/**
 * Creates a reader of the heads of blocks, which compares the logs that a filter gave with the bloom filters of the headers. Of a
 * block without logs whose bloom has an address and an event of the filter, the receipts are read.
 *
 * A block is not compared if it has no bloom, if a log that came is not in it, or if its receipts are too many or cannot be read.
 * None is compared from a bloom without its log on: some rollups leave all blooms empty.
 *
 * The reader throws Contradiction for a log that was left out, and the errors of {@link readBlockHeads}.
 */
export function comparedHeadReader(rpc: EvmRpc, filter: LogFilter) {
  const wanted = lowerFilter(filter);
  const values = [wanted.addresses ?? [], [wanted.topics?.[0] ?? []].flat()].filter((some) => some.length > 0);
  const bits = values.map((some) => some.map(bloomBits));
  const mayHave = (bloom: string): boolean => bits.every((some) => some.some((one) => one.every(isSet(bloom))));
  let areEmpty = false;
  let receiptsLeft = freeReceipts;
  return async (
    heights: readonly number[],
    { logs, hashes }: Pick<BlockLogs<LogPlace>, "logs" | "hashes">,
    signal: AbortSignal,
  ): Promise<ComparedHeads> => {
    const withLogs = new Set(logs.map(({ height }) => height));
    const compared = new Set<number>();
    /** Hashes of the transactions of blocks that may have a log which did not come. */
    const suspects = new Map<number, readonly string[]>();
    const look = (height: number, header: Answer): void => {
      const { logsBloom: bloom } = header.object();
      if (typeof bloom !== "string" || !/^0x[0-9a-f]{512}$/i.test(bloom)) return;
      const isMaybe = mayHave(bloom);
      if (withLogs.has(height)) areEmpty ||= !isMaybe;
      else if (isMaybe) {
        const transactions = listOf(header.field("transactions"));
        suspects.set(
          height,
          transactions.map((hash) => lowerHex(hash, 32)),
        );
      }
      compared.add(height);
    };
    const heads = await readBlockHeads(rpc, heights, signal, { hashes, look });
    receiptsLeft += heights.length;
    const calls: { readonly method: string; readonly params: readonly string[]; readonly height: number }[] = [];
    for (const [height, transactions] of suspects) {
      const isOver = calls.length + transactions.length > receiptsLeft;
      if (isOver || transactions.length === 0) compared.delete(height);
      else for (const hash of transactions) calls.push({ method: "eth_getTransactionReceipt", params: [hash], height });
    }
    receiptsLeft -= calls.length;
    const hasLog = (receipt: Answer): boolean | undefined =>
      receipt.value === null ? undefined : listOf(receipt.field("logs")).some((log) => matchesFilter(wanted, log));
    for (const [index, found] of (await rpc.readAll(calls, hasLog, signal)).entries()) {
      const { height, params } = calls[index] ?? { height: 0, params: [] };
      if (found === true) {
        // They are asked for again.
        receiptsLeft += calls.length;
        throw new Contradiction(rpc.endpoint, `no log of block ${height}, where transaction ${params.join()} has one`);
      }
      if (found === undefined || found instanceof NodeError) compared.delete(height);
    }
    return { heads, compared: areEmpty ? 0 : compared.size };
  };
}

/** A bit in the text of a bloom filter: the place of its hex digit, and its mask there. */
type BloomBit = readonly [place: number, mask: number];

/** The three bits of a value, as in the Yellow Paper's 4.3.1: the low 11 bits of the first three pairs of bytes of its hash. */
function bloomBits(hex: string): readonly BloomBit[] {
  const hash = Buffer.from(keccak_256(Buffer.from(hex.slice(2), "hex")));
  return [0, 2, 4].map((at) => {
    const bit = hash.readUInt16BE(at) & 0x7_ff;
    // The lowest bit is in the last of 512 digits, after `0x`.
    return [513 - (bit >> 2), 1 << (bit & 3)];
  });
}

function isSet(bloom: string): (bit: BloomBit) => boolean {
  return ([place, mask]) => (Number.parseInt(bloom.charAt(place), 16) & mask) !== 0;
}

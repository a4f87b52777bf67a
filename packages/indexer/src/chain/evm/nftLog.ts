import { zeroAddress } from "@vipscore/blocks";
import {
  addressOfWord,
  logReader,
  readLogPlace,
  topicsOf,
  type EvmRpc,
  type LogFilter,
  type LogPlace,
  type LogReader,
} from "@vipscore/blocks/evm";
import type { Answer } from "@vipscore/core/wire";
import { maxChanges, type HexAddress } from "../nftChain.ts";

/**
 * keccak256 of `Transfer(address,address,uint256)`, an event of both ERC-721 and ERC-20. ERC-721 indexes all three
 * arguments and so has four topics; ERC-20 indexes two and has three.
 */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/**
 * keccak256 of `ConsecutiveTransfer(uint256,uint256,address,address)`, ERC-2309, which gives a range of tokens to one account. All
 * arguments but the last token are indexed.
 */
export const consecutiveTransferTopic = "0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d";

/** keccak256 of `MetadataUpdate(uint256)`, ERC-4906, whose argument is not indexed. */
export const metadataUpdateTopic = "0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7";

/** keccak256 of `BatchMetadataUpdate(uint256,uint256)`, ERC-4906, whose arguments are not indexed. */
export const batchMetadataUpdateTopic = "0x6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c";

/** Logs with new owners. Positions without a condition require as many topics, which excludes ERC-20 transfers. */
export const transferTopics = [[transferTopic, consecutiveTransferTopic], null, null, null] as const;

const nftFilters: readonly LogFilter[] = [
  { topics: transferTopics },
  { topics: [[metadataUpdateTopic, batchMetadataUpdateTopic]] },
];

/** Maximum tokens of one ERC-2309 log, twenty times what OpenZeppelin's and ERC721A's contracts allow. */
export const maxConsecutive = 100_000n;

/** Consecutive tokens, most often one. */
export interface TokenRange {
  readonly firstId: bigint;
  /** Inclusive. */
  readonly lastId: bigint;
}

/** A new owner of tokens. */
export interface Transfer extends TokenRange {
  readonly from: HexAddress;
  readonly to: HexAddress;
}

export type NftLog = LogPlace &
  (({ readonly kind: "transfer" } & Transfer) | ({ readonly kind: "metadata" } & TokenRange));

/** Parses a log of a node's answer; undefined if it is not about ERC-721 tokens. */
function readNftLog(log: Answer): NftLog | undefined {
  const topics = topicsOf(log);
  const data = log.object()["data"];
  const transfer = readTransfer(topics, data);
  if (transfer !== undefined) return { kind: "transfer", ...readLogPlace(log), ...transfer };
  const range = readMetadataRange(topics, data);
  return range && { kind: "metadata", ...readLogPlace(log), ...range };
}

/** The arguments of the events of ERC-4906: a token, or the first and the last of a range. */
const metadataArguments: ReadonlyMap<string | undefined, number> = new Map([
  [metadataUpdateTopic, 1],
  [batchMetadataUpdateTopic, 2],
]);

function readMetadataRange([event, ...indexed]: readonly string[], data: unknown): TokenRange | undefined {
  const words = wordsOf(data);
  if (indexed.length > 0 || words.length !== metadataArguments.get(event)) return undefined;
  const [firstId, lastId = firstId] = words;
  return firstId === undefined || lastId === undefined || lastId < firstId ? undefined : { firstId, lastId };
}

/** The new owner in a log of ERC-721 or ERC-2309; undefined for another log, and one that gives nothing to nobody. */
export function readTransfer([event, ...words]: readonly string[], data: unknown): Transfer | undefined {
  const [first = "", second = "", third = ""] = words;
  if (words.length !== 3) return undefined;
  if (event === transferTopic) {
    const id = BigInt(third);
    return transferOf(first, second, { firstId: id, lastId: id });
  }
  const [lastId, ...others] = wordsOf(data);
  if (event !== consecutiveTransferTopic || lastId === undefined || others.length > 0) return undefined;
  const firstId = BigInt(first);
  return lastId < firstId ? undefined : transferOf(second, third, { firstId, lastId });
}

function transferOf(fromWord: string, toWord: string, range: TokenRange): Transfer | undefined {
  const [from, to] = [addressOfWord(fromWord), addressOfWord(toWord)];
  return from === zeroAddress && to === zeroAddress ? undefined : { ...range, from, to };
}

/** The 32-byte words of a log's data; none if it has other bytes. */
function wordsOf(data: unknown): readonly bigint[] {
  if (typeof data !== "string" || !/^0x([0-9a-f]{64})*$/i.test(data)) return [];
  return (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}

export function* idsOf({ firstId, lastId }: TokenRange): Generator<string> {
  for (let id = firstId; id <= lastId; id += 1n) yield id.toString();
}

export function sizeOf({ firstId, lastId }: TokenRange): bigint {
  return lastId - firstId + 1n;
}

/** `widest`: maximum blocks per request. */
export function nftLogReader(rpc: EvmRpc, widest: number): LogReader<NftLog> {
  return logReader(rpc, { filters: nftFilters, keep: readNftLog, widest, maxLogs: maxChanges });
}

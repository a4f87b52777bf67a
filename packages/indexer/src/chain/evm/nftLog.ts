import { addressOfWord, listOf, lowerHex } from "@vipscore/blocks/evm";
import type { Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../nftChain.ts";

/** The zero address, the sender of a mint and the receiver of a burn. */
export const zeroAddress: HexAddress = `0x${"0".repeat(40)}`;

/**
 * keccak256 of `Transfer(address,address,uint256)`, an event of both ERC-721 and ERC-20. ERC-721 indexes all three
 * arguments and so has four topics; ERC-20 indexes two and has three.
 */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** keccak256 of `MetadataUpdate(uint256)`, ERC-4906, whose argument is not indexed. */
export const metadataUpdateTopic = "0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7";

/**
 * The topics of log requests about tokens. Positions without a condition require logs with at least as many topics,
 * which excludes ERC-20 transfers.
 */
export const nftTopics: readonly (readonly (string | null)[])[] = [
  [transferTopic, null, null, null],
  [metadataUpdateTopic],
];

/** A log's position in the chain. */
interface LogPlace {
  readonly height: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
  readonly txHash: string;
  readonly address: HexAddress;
  readonly tokenId: bigint;
}

/** A log about one token. */
export type NftLog = LogPlace &
  ({ readonly kind: "transfer"; readonly from: HexAddress; readonly to: HexAddress } | { readonly kind: "metadata" });

/** Logs that are skipped because no request could read them. */
export interface UnreadLogs {
  readonly height: number;
  /** Names the transaction or the block, and why. */
  readonly reason: string;
}

/** The token logs of a range of blocks. */
export interface NftLogs {
  /** In the order of the chain. */
  readonly logs: readonly NftLog[];
  /** Existing data that no request could read. */
  readonly unread: readonly UnreadLogs[];
}

/**
 * Parses a log of a node's answer; undefined if it is not about an ERC-721 token.
 *
 * @throws UnreadableAnswer for what is not a log.
 */
export function readNftLog(log: Answer): NftLog | undefined {
  const place = () => ({
    height: log.field("blockNumber").hexCount(),
    transactionIndex: log.field("transactionIndex").hexCount(),
    logIndex: log.field("logIndex").hexCount(),
    txHash: lowerHex(log.field("transactionHash"), 32),
    address: lowerHex(log.field("address"), 20),
  });
  const { value: data } = log.field("data");
  const [event, ...words]: readonly string[] = listOf(log.field("topics")).map((topic) => lowerHex(topic, 32));
  const [from, to, id] = words;
  if (event === transferTopic && from !== undefined && to !== undefined && id !== undefined) {
    const owners = { from: addressOfWord(from), to: addressOfWord(to) };
    return { kind: "transfer", ...place(), tokenId: BigInt(id), ...owners };
  }
  if (
    event === metadataUpdateTopic &&
    words.length === 0 &&
    typeof data === "string" &&
    /^0x[0-9a-f]{64}$/i.test(data)
  ) {
    return { kind: "metadata", ...place(), tokenId: BigInt(data) };
  }
  return undefined;
}

/** The order of the chain. Sorts by transaction first, because not every node may number logs through the block. */
export function byPlace(a: NftLog, b: NftLog): number {
  return a.height - b.height || a.transactionIndex - b.transactionIndex || a.logIndex - b.logIndex;
}

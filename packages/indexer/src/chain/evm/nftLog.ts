import type { Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../nftChain.ts";
import { addressOfWord, listOf, lowerHex } from "./rpcValues.ts";

/**
 * keccak256 of `Transfer(address,address,uint256)`, an event of ERC-721 and of ERC-20 alike. ERC-721 indexes all three
 * arguments and so has four topics; ERC-20 indexes two and has three.
 */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** keccak256 of `MetadataUpdate(uint256)`, ERC-4906, whose argument is not indexed. */
export const metadataUpdateTopic = "0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7";

/**
 * The topics by which logs about tokens are asked for. Places without a condition ask for logs with at least as many topics,
 * which leaves the transfers of ERC-20 out.
 */
export const nftTopics: readonly (readonly (string | null)[])[] = [
  [transferTopic, null, null, null],
  [metadataUpdateTopic],
];

/** Where in the chain a log stands. */
interface LogPlace {
  readonly height: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
  readonly txHash: string;
  readonly address: HexAddress;
  readonly tokenId: bigint;
}

/** A log that is about one token. */
export type NftLog = LogPlace &
  ({ readonly kind: "transfer"; readonly from: HexAddress; readonly to: HexAddress } | { readonly kind: "metadata" });

/**
 * A log of a node's answer; undefined for one that is about no token of ERC-721.
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

/** The order of the chain. The transaction counts first: nothing says that every node counts logs through the block. */
export function byPlace(a: NftLog, b: NftLog): number {
  return a.height - b.height || a.transactionIndex - b.transactionIndex || a.logIndex - b.logIndex;
}

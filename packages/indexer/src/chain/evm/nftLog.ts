import {
  addressOfWord,
  listOf,
  logReader,
  lowerHex,
  readLogPlace,
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

/** keccak256 of `MetadataUpdate(uint256)`, ERC-4906, whose argument is not indexed. */
export const metadataUpdateTopic = "0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7";

/**
 * The logs about tokens. Positions without a condition require logs with at least as many topics, which excludes ERC-20
 * transfers.
 */
const nftFilters: readonly LogFilter[] = [
  { topics: [transferTopic, null, null, null] },
  { topics: [metadataUpdateTopic] },
];

/** A log about one token. */
export type NftLog = LogPlace & { readonly tokenId: bigint } & (
    { readonly kind: "transfer"; readonly from: HexAddress; readonly to: HexAddress } | { readonly kind: "metadata" }
  );

/** Parses a log of a node's answer; undefined if it is not about an ERC-721 token. */
function readNftLog(log: Answer): NftLog | undefined {
  const { value: data } = log.field("data");
  const [event, ...words]: readonly string[] = listOf(log.field("topics")).map((topic) => lowerHex(topic, 32));
  const [from, to, id] = words;
  if (event === transferTopic && from !== undefined && to !== undefined && id !== undefined) {
    const owners = { from: addressOfWord(from), to: addressOfWord(to) };
    return { kind: "transfer", ...readLogPlace(log), tokenId: BigInt(id), ...owners };
  }
  if (
    event === metadataUpdateTopic &&
    words.length === 0 &&
    typeof data === "string" &&
    /^0x[0-9a-f]{64}$/i.test(data)
  ) {
    return { kind: "metadata", ...readLogPlace(log), tokenId: BigInt(data) };
  }
  return undefined;
}

/**
 * Creates a reader of the logs about tokens.
 *
 * @param widest - Maximum blocks per request.
 */
export function nftLogReader(rpc: EvmRpc, widest: number): LogReader<NftLog> {
  return logReader(rpc, { filters: nftFilters, keep: readNftLog, widest, maxLogs: maxChanges });
}

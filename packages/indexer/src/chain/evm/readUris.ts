import { isUnreadable, zeroAddress } from "@vipscore/blocks";
import type { View, ViewReader } from "@vipscore/blocks/evm";
import type { NotRead } from "../nftChain.ts";
import { decodeUri } from "./abiText.ts";
import type { NftLog } from "./nftLog.ts";

/** Gas limit of a `tokenURI`: enough for pictures drawn on chain, and at most 1.6 MB of memory for others. */
const maxGas = 5_000_000;
/** Gas limit of a `tokenURI` in a block with very many of them: several times the cost of text around a number. */
const leastGas = 300_000;
/** Gas limit of all of a block's calls, while each has at least that: a few seconds of a node's work. */
const gasOfBlock = 10_000_000_000;

/** Maximum URI that is stored unchanged, in bytes; pictures in a `data:` URI take tens of thousands. */
const longestUri = 65_536;
/** Maximum URI that is stored unchanged in a block with very many of them, in bytes. */
const leastLongest = 2_048;
/** Bytes of all of a block's URIs, while each may have at least that many. */
const bytesOfBlock = 67_108_864;

/** `tokenURI(uint256)` of ERC-721's metadata, without its argument. */
const tokenUri = "0xc87b56dd";

/** The URIs for the logs of some blocks. */
export interface ReadUris {
  /** By {@link uriKey}; empty if the contract has none. */
  readonly uris: ReadonlyMap<string, string>;
  /** The URIs that could not be read, or not as a whole, by height. */
  readonly notRead: ReadonlyMap<number, readonly NotRead[]>;
}

/** A token's URI as of a block. */
interface WantedUri extends View {
  readonly key: string;
  readonly tokenId: bigint;
  readonly longest: number;
}

/**
 * Reads the URIs of tokens that the logs mint or refresh, each once per block. The total cost of a block's URIs is
 * limited, so that nobody can keep the reader busy for hours with one block.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readUris(readViews: ViewReader, logs: readonly NftLog[], signal: AbortSignal): Promise<ReadUris> {
  const wanted = findWanted(logs);
  const answers = await readViews(wanted, (answer, { longest }) => decodeUri(answer, longest), signal);
  const uris = new Map<string, string>();
  const notRead = new Map<number, NotRead[]>();
  for (const [index, { key, height, to: collectionAddr, tokenId }] of wanted.entries()) {
    const answer = answers[index];
    const isRead = answer !== undefined && "text" in answer;
    uris.set(key, isRead ? answer.text : "");
    let fault: string | undefined;
    if (isUnreadable(answer)) fault = `the URI of token ${tokenId}: ${answer.shortMessage}`;
    else if (isRead && !answer.isWhole) fault = `a part of the URI of token ${tokenId}: U+0000 or invalid UTF-8`;
    if (fault === undefined) continue;
    notRead.set(height, [...(notRead.get(height) ?? []), { collectionAddr, reason: fault }]);
  }
  return { uris, notRead };
}

/** The key of a log's URI. */
export function uriKey({ height, address, tokenId }: NftLog): string {
  return `${height}/${address}/${tokenId}`;
}

function findWanted(logs: readonly NftLog[]): readonly WantedUri[] {
  const firsts = new Map<string, NftLog>();
  const counts = new Map<number, number>();
  for (const log of logs) {
    if (log.kind === "transfer" && log.from !== zeroAddress) continue;
    const key = uriKey(log);
    if (firsts.has(key)) continue;
    firsts.set(key, log);
    counts.set(log.height, (counts.get(log.height) ?? 0) + 1);
  }
  return [...firsts].map(([key, { address: to, tokenId, height }]) => {
    const count = counts.get(height) ?? 1;
    return {
      key,
      to,
      tokenId,
      height,
      data: tokenUri + tokenId.toString(16).padStart(64, "0"),
      gas: shareOf(gasOfBlock, count, leastGas, maxGas),
      longest: shareOf(bytesOfBlock, count, leastLongest, longestUri),
    };
  });
}

function shareOf(whole: number, count: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(whole / count)));
}

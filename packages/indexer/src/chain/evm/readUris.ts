import { isUnreadable } from "@vipscore/blocks";
import type { Outcome, View, ViewReader } from "@vipscore/blocks/evm";
import { inParallel } from "@vipscore/core/wire";
import type { PendingUri, UriRead } from "../nftChain.ts";
import { decodeUri, type DecodedUri } from "./abiText.ts";

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

/** Concurrent requests: a node answers the calls of one request one after the other, on one core. */
const requestsAtOnce = 4;

/** A call for a token's URI. */
interface UriView extends View {
  readonly longest: number;
}

/**
 * Reads the URIs of tokens. The total cost of a block's URIs is limited, so that nobody can keep the reader busy for hours
 * with one block.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readUris(
  readViews: ViewReader,
  pending: readonly PendingUri[],
  signal: AbortSignal,
): Promise<readonly UriRead[]> {
  const width = Math.ceil(pending.length / requestsAtOnce);
  const parts = Array.from({ length: requestsAtOnce }, (_, part) => pending.slice(part * width, (part + 1) * width));
  const read = await inParallel(parts, requestsAtOnce, async (part) => {
    const answers = await readViews(part.map(viewOf), (answer, { longest }) => decodeUri(answer, longest), signal);
    return part.map((one, index) => readOf(one, answers[index]));
  });
  return read.flat();
}

function viewOf({ collectionAddr: to, tokenId, height, urisInBlock }: PendingUri): UriView {
  return {
    to,
    height,
    data: tokenUri + BigInt(tokenId).toString(16).padStart(64, "0"),
    gas: shareOf(gasOfBlock, urisInBlock, leastGas, maxGas),
    longest: shareOf(bytesOfBlock, urisInBlock, leastLongest, longestUri),
  };
}

function shareOf(whole: number, count: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(whole / count)));
}

function readOf({ collectionAddr, tokenId, height }: PendingUri, answer: Outcome<DecodedUri> | undefined): UriRead {
  const isRead = answer !== undefined && "text" in answer;
  let notRead: string | undefined;
  if (isUnreadable(answer)) notRead = `the URI of token ${tokenId}: ${answer.shortMessage}`;
  else if (isRead && !answer.isWhole) notRead = `a part of the URI of token ${tokenId}: U+0000 or invalid UTF-8`;
  return { collectionAddr, tokenId, height, uri: isRead ? answer.text : "", notRead };
}

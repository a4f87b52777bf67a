import { isUnreadable } from "@vipscore/blocks";
import type { Outcome, View, ViewReader } from "@vipscore/blocks/evm";
import { NodeError } from "@vipscore/core";
import { inParallel } from "@vipscore/core/wire";
import type { PendingUri, UriRead } from "../nftChain.ts";
import { decodeUri, type DecodedUri } from "./abiText.ts";
import { isNodesRefusal } from "./readCollections.ts";

/** Gas limit of a `tokenURI`: enough for pictures drawn on chain, and the most of a transaction (EIP-7825), which a node may refuse to exceed. */
const maxGas = 16_777_216;
/** Gas limit of a `tokenURI` in a block with very many of them: several times the cost of text around a number. */
const leastGas = 300_000;
/** Gas limit of all of a block's calls, while each has at least that: a few seconds of a node's work. */
const gasOfBlock = 10_000_000_000;

/** Maximum URI that is read in a block with very many of them, in bytes. */
const leastLongest = 2_048;
/** Bytes of all of a block's URIs, while each may have at least that many. */
const bytesOfBlock = 67_108_864;

/** `tokenURI(uint256)` of ERC-721's metadata, without its argument. */
const tokenUri = "0xc87b56dd";

/** Concurrent requests: a node answers the calls of one request one after the other, on one core. */
const requestsAtOnce = 4;

interface UriView extends View {
  readonly longest: number;
}

export interface UriReading {
  readonly readViews: ViewReader;
  readonly maxUriBytes: number;
}

/**
 * Reads the URIs of tokens. The total cost of a block's URIs is limited, so that nobody can keep the reader busy for hours
 * with one block.
 */
export async function readTokenUris(
  { readViews, maxUriBytes }: UriReading,
  pending: readonly PendingUri[],
  signal: AbortSignal,
): Promise<readonly UriRead[]> {
  const width = Math.ceil(pending.length / requestsAtOnce);
  const parts = Array.from({ length: requestsAtOnce }, (_, part) => pending.slice(part * width, (part + 1) * width));
  const read = await inParallel(parts, requestsAtOnce, async (part) => {
    const views = part.map((one) => viewOf(one, maxUriBytes));
    const answers = await readViews(views, (answer, { longest }) => decodeUri(answer, longest), signal);
    return part.map((one, index) => [one, answers[index]] as const);
  });
  // What the node did not serve stays pending.
  const given = read.flat().filter(([, answer]) => !isNodesRefusal(answer));
  const [[, refusal] = []] = read.flat();
  if (refusal instanceof Error && given.length === 0) throw refusal;
  return given.map(([one, answer]) => readOf(one, answer));
}

function viewOf({ collectionAddr: to, tokenId, height, urisInBlock }: PendingUri, maxUriBytes: number): UriView {
  return {
    to,
    height,
    data: tokenUri + BigInt(tokenId).toString(16).padStart(64, "0"),
    gas: shareOf(gasOfBlock, urisInBlock, leastGas, maxGas),
    longest: shareOf(bytesOfBlock, urisInBlock, leastLongest, maxUriBytes),
  };
}

function shareOf(whole: number, count: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(whole / count)));
}

function readOf({ collectionAddr, tokenId, height }: PendingUri, answer: Outcome<DecodedUri> | undefined): UriRead {
  const isRead = answer !== undefined && "text" in answer;
  const lost = isRead ? answer.lost : failureOf(answer);
  const notRead = lost === undefined ? undefined : `the URI of token ${tokenId}: ${lost}`;
  return { collectionAddr, tokenId, height, uri: isRead ? answer.text : "", notRead };
}

/** Why a URI was not read; undefined if its contract has none. */
function failureOf(answer: unknown): string | undefined {
  if (isUnreadable(answer)) return answer.shortMessage;
  // Whatever the node's limit was, the contract may have a URI.
  return answer instanceof NodeError && /out ?of ?gas/i.test(answer.details ?? "")
    ? "the call ran out of gas"
    : undefined;
}

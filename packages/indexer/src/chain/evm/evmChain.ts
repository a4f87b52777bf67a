import { isUnreadable, zeroAddress } from "@vipscore/blocks";
import {
  addressOfWord,
  CosmosHashes,
  openEvmRpc,
  readBlockHash,
  readBlockTimes,
  readEvmEvents,
  viewReader,
  type EvmEvent,
  type Outcome,
  type View,
  type ViewReader,
} from "@vipscore/blocks/evm";
import { inParallel, isCommitted } from "@vipscore/core/wire";
import type { HexAddress, NftBlock, NftChain, NftChange, PendingUri, ReadBlocksOptions, UriRead } from "../nftChain.ts";
import type { NftOwners, OwnerBlock, OwnerChange } from "../nftOwners.ts";
import { decodeUri, type DecodedUri } from "./abiText.ts";
import { nftLogReader, transferTopic, type NftLog } from "./nftLog.ts";
import { isNodesRefusal, readCollections } from "./readCollections.ts";

/** Blocks per log request; minievm allows 500 and reads each of them. */
const blocksPerRead = 250;

/** Maximum number of remembered contracts that are not collections, so that they are not queried at each transfer. */
const othersKept = 10_000;

/**
 * An EVM rollup, read over the JSON-RPC of one of its nodes: ERC-721 by its `Transfer` events and ERC-4906 by
 * `MetadataUpdate`. Names and URIs are read after the block in which they were first seen or changed if the node still
 * has that state, otherwise at its newest block; a call that fails in the contract leaves them empty.
 */
export function evmChain({ jsonRpcUrl }: { readonly jsonRpcUrl: string }): NftChain {
  const rpc = openEvmRpc(jsonRpcUrl);
  const readLogs = nftLogReader(rpc, blocksPerRead);
  const readViews = viewReader(rpc);
  const cosmosHashes = new CosmosHashes(rpc);
  const others = new Set<HexAddress>();
  /** The newest block whose state was found to be committed. */
  let committed = 0;

  /** Returns new collections in the logs, by address; remembers contracts that are not collections. */
  const findCollections = async (logs: readonly NftLog[], { isKnown, signal }: ReadBlocksOptions) => {
    const firsts = new Map<HexAddress, NftLog>();
    for (const log of logs) {
      const { kind, address } = log;
      if (kind !== "transfer" || firsts.has(address) || others.has(address) || isKnown(address)) continue;
      firsts.set(address, log);
    }
    const logsOfNew = [...firsts.values()];
    const read = await readCollections({ rpc, readViews }, logsOfNew, signal);
    for (const [index, { address }] of logsOfNew.entries()) if (read[index] === undefined) others.add(address);
    for (const address of others) if (others.size > othersKept) others.delete(address);
    return new Map(read.flatMap((seen) => (seen === undefined ? [] : [[seen.collectionAddr, seen] as const])));
  };

  const readBlocks: NftChain["readBlocks"] = async (first, last, options) => {
    const { isKnown, signal } = options;
    const { logs: allLogs, unread } = await readLogs(first, last, signal);
    const newCollections = await findCollections(allLogs, options);
    const logs = allLogs.filter(({ address }) => newCollections.has(address) || isKnown(address));
    const heights = [...new Set([...logs, ...unread].map(({ height }) => height))].sort((a, b) => a - b);
    const times = await readBlockTimes(rpc, heights, signal);
    const txHashes = logs.map(({ txHash }) => txHash);
    const hashes = await cosmosHashes.read(txHashes, signal);
    const changes = new Map<number, NftChange[]>(heights.map((height) => [height, []]));
    for (const log of logs) {
      const ofBlock = changes.get(log.height);
      const seen = newCollections.get(log.address);
      if (seen !== undefined) {
        // A collection starts with a transfer; earlier logs are not about its tokens.
        if (log.kind !== "transfer") continue;
        ofBlock?.push(seen);
        newCollections.delete(log.address);
      }
      const change = readNftChange(log, hashes.get(log.txHash) ?? log.txHash);
      if (change !== undefined) ofBlock?.push(change);
    }
    return heights.map((height): NftBlock => {
      const unreadHere = unread.filter((logsOfOne) => logsOfOne.height === height);
      const lost = unreadHere.map(({ reason }) => ({ collectionAddr: undefined, reason }));
      return { height, timestamp: times.get(height) ?? "", changes: changes.get(height) ?? [], notRead: lost };
    });
  };

  /** Names and URIs are read in the state after a block, so a block counts once the node has that. */
  const readHead: NftChain["readHead"] = async (signal) => {
    const newest = await rpc.read("eth_blockNumber", [], (answer) => answer.hexCount(), signal);
    if (newest <= committed) return newest;
    committed = (await isCommitted(rpc, BigInt(newest), signal)) ? newest : newest - 1;
    return committed;
  };

  return {
    blocksPerRead,
    readBlocks,
    readUris: (pending, signal) => readUris(readViews, pending, signal),
    readChainId: (signal) => rpc.read("eth_chainId", [], (answer) => answer.quantity().toString(), signal),
    readBlockHash: (height, signal) => readBlockHash(rpc, height, signal),
    readHead,
  };
}

/** The change in a log, without a URI; undefined for a transfer from and to the zero address. */
function readNftChange(log: NftLog, txHash: string): NftChange | undefined {
  const { address: collectionAddr } = log;
  const tokenId = log.tokenId.toString();
  const token = { collectionAddr, tokenId };
  if (log.kind === "metadata") return { kind: "uriChanged", token, uri: undefined, txHash };
  const { from, to: owner } = log;
  if (owner === zeroAddress) return from === zeroAddress ? undefined : { kind: "burned", token, txHash };
  if (from !== zeroAddress) return { kind: "transferred", token, owner, txHash };
  return { kind: "minted", collectionAddr, tokenId, owner, uri: undefined, objectAddr: undefined, txHash };
}

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
 */
async function readUris(
  readViews: ViewReader,
  pending: readonly PendingUri[],
  signal: AbortSignal,
): Promise<readonly UriRead[]> {
  const width = Math.ceil(pending.length / requestsAtOnce);
  const parts = Array.from({ length: requestsAtOnce }, (_, part) => pending.slice(part * width, (part + 1) * width));
  const read = await inParallel(parts, requestsAtOnce, async (part) => {
    const answers = await readViews(part.map(viewOf), (answer, { longest }) => decodeUri(answer, longest), signal);
    // What the node refused to serve stays pending.
    const refusal = answers.find((answer) => isNodesRefusal(answer));
    const given = part.flatMap((one, index) => (isNodesRefusal(answers[index]) ? [] : [readOf(one, answers[index])]));
    if (refusal instanceof Error && given.length === 0) throw refusal;
    return given;
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

/** Reads the owners of ERC-721 tokens from the `Transfer` events of their contracts. */
export function evmOwners(jsonRpcUrl: string, collections: ReadonlySet<HexAddress>): NftOwners {
  const rpc = openEvmRpc(jsonRpcUrl);
  // Four topics: ERC-20 has the same event with three.
  const filter = { addresses: [...collections], topics: [transferTopic, null, null, null] };
  return {
    async *read({ first, last }, signal) {
      for await (const part of readEvmEvents(rpc, { ...filter, first, last, signal })) {
        yield { first: part.first, last: part.last, lastHash: part.lastHash, blocks: ownerBlocks(part.events) };
      }
    },
  };
}

function ownerBlocks(events: readonly EvmEvent[]): readonly OwnerBlock[] {
  const blocks: { height: number; changes: OwnerChange[] }[] = [];
  for (const event of events) {
    const change = readOwnerChange(event);
    if (change === undefined) continue;
    if (blocks.at(-1)?.height !== event.height) blocks.push({ height: event.height, changes: [] });
    blocks.at(-1)?.changes.push(change);
  }
  return blocks;
}

/** Undefined for a transfer from and to the zero address. */
function readOwnerChange({ address: collectionAddr, topics }: EvmEvent): OwnerChange | undefined {
  const [, from, to, id] = topics;
  if (from === undefined || to === undefined || id === undefined) return undefined;
  const owner = addressOfWord(to);
  if (owner === zeroAddress && addressOfWord(from) === zeroAddress) return undefined;
  const token = { collectionAddr, tokenId: BigInt(id).toString() };
  return { token, objectAddr: undefined, owner: owner === zeroAddress ? undefined : owner };
}

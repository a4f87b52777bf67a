import { zeroAddress } from "@vipscore/blocks";
import {
  CosmosHashes,
  openEvmRpc,
  readBlockHash,
  readBlockHeads,
  readEvmEvents,
  viewReader,
} from "@vipscore/blocks/evm";
import { isCommitted } from "@vipscore/core/wire";
import type {
  CollectionSeen,
  HexAddress,
  NftBlock,
  NftChain,
  NftChange,
  NotRead,
  ReadBlocksOptions,
  TokenBurned,
  TokenMinted,
  TokenTransferred,
} from "../nftChain.ts";
import { defaultMaxUriBytes } from "../textDigest.ts";
import {
  idsOf,
  maxConsecutive,
  nftLogReader,
  readTransfer,
  sizeOf,
  transferTopics,
  type NftLog,
  type Transfer,
} from "./nftLog.ts";
import { readCollections, readNames } from "./readCollections.ts";
import { readTokenUris } from "./readTokenUris.ts";

/** Blocks per log request; minievm allows 500 and reads each of them. */
const blocksPerRead = 250;

/** Maximum earlier transfers of a contract that are read when it turns out to be a collection, and held in memory. */
const maxEarlier = 100_000;

export interface EvmChainOptions {
  readonly jsonRpcUrl: string;
  /** Maximum bytes of a URI; the digest of a longer one takes its place. Default: 1 MiB. */
  readonly maxUriBytes?: number | undefined;
}

/**
 * An EVM rollup, read over the JSON-RPC of one of its nodes: ERC-721 by its `Transfer` events, ERC-2309 by
 * `ConsecutiveTransfer` and ERC-4906 by `MetadataUpdate` and `BatchMetadataUpdate`. Names and URIs are read after the block
 * in which they were first seen or changed if the node still has that state, otherwise at its newest block; a call that
 * fails in the contract leaves them empty.
 */
export function evmChain({ jsonRpcUrl, maxUriBytes = defaultMaxUriBytes }: EvmChainOptions): NftChain {
  const rpc = openEvmRpc(jsonRpcUrl);
  const readLogs = nftLogReader(rpc, blocksPerRead);
  const readViews = viewReader(rpc);
  const cosmosHashes = new CosmosHashes(rpc);
  /** The newest block whose state was found to be committed. */
  let committed = 0;

  /**
   * Returns the new collections in the logs, by address, and the other contracts. A contract may become a collection in the
   * middle of the logs, as a proxy does, so one that is not a collection at its first log is asked once more at its last.
   */
  const findCollections = async (logs: readonly NftLog[], { isKnown, signal }: ReadBlocksOptions) => {
    const firsts = new Map<HexAddress, NftLog>();
    const lasts = new Map<HexAddress, NftLog>();
    for (const log of logs) {
      if (log.kind !== "transfer" || isKnown(log.address)) continue;
      if (!firsts.has(log.address)) firsts.set(log.address, log);
      lasts.set(log.address, log);
    }
    const found = new Map<HexAddress, CollectionSeen>();
    const ask = async (asked: readonly NftLog[]) => {
      for (const seen of await readCollections({ rpc, readViews }, asked, signal)) {
        if (seen !== undefined) found.set(seen.collectionAddr, seen);
      }
    };
    await ask([...firsts.values()]);
    await ask([...lasts.values()].filter((log) => !found.has(log.address) && firsts.get(log.address) !== log));
    return { found, others: [...firsts.values()].filter(({ address }) => !found.has(address)) };
  };

  /** Reads the transfers of a contract from the block in which it was no collection yet to before a block. */
  const readEarlier = async (
    collectionAddr: HexAddress,
    [from, before]: readonly [from: number, before: number],
    signal: AbortSignal,
  ): Promise<Pick<ReadBlock, "changes" | "notRead">> => {
    const changes: NftChange[] = [];
    const events = { addresses: [collectionAddr], topics: transferTopics, first: from, last: before - 1, signal };
    for await (const part of before > from ? readEvmEvents(rpc, events) : []) {
      const hashes = await cosmosHashes.read(
        part.events.map(({ txHash }) => txHash),
        signal,
      );
      for (const event of part.events) {
        const transfer = readTransfer(event.topics, event.data);
        if (transfer === undefined) continue;
        if (changes.length + Number(sizeOf(transfer)) > maxEarlier) {
          const reason = `more than ${maxEarlier} transfers from block ${from} on, when the contract was no collection`;
          return { changes: [], notRead: [{ collectionAddr, reason }] };
        }
        const { height, timestamp, txHash } = event;
        for (const change of transferChanges(collectionAddr, transfer, hashes.get(txHash) ?? txHash)) {
          changes.push({ ...change, at: { height, timestamp } });
        }
      }
    }
    return { changes, notRead: [] };
  };

  const readBlocks: NftChain["readBlocks"] = async (first, last, options) => {
    const { isKnown, otherSince, signal } = options;
    const { logs: allLogs, unread, hashes } = await readLogs(first, last, signal);
    const { found, others } = await findCollections(allLogs, options);
    const newOthers = others.filter(({ address }) => otherSince?.(address) === undefined);
    const logs = allLogs.filter(({ address }) => found.has(address) || isKnown(address));
    const heights = [...new Set([...logs, ...unread, ...newOthers].map(({ height }) => height))].sort((a, b) => a - b);
    const heads = await readBlockHeads(rpc, heights, signal, { hashes });
    const txHashes = await cosmosHashes.read(
      logs.map(({ txHash }) => txHash),
      signal,
    );
    const blocks = new Map<number, ReadBlock>();
    for (const height of heights) {
      const timestamp = heads.get(height)?.timestamp ?? "";
      blocks.set(height, { height, timestamp, changes: [], notRead: [], others: [] });
    }
    /** Tokens named by the ERC-2309 logs of the blocks, by height. */
    const consecutive = new Map<number, bigint>();
    for (const { height, reason } of unread) blocks.get(height)?.notRead.push({ collectionAddr: undefined, reason });
    for (const { height, address } of newOthers) blocks.get(height)?.others.push(address);
    for (const log of logs) {
      const block = blocks.get(log.height);
      if (block === undefined) continue;
      const seen = found.get(log.address);
      if (seen !== undefined) {
        // A collection starts with a transfer; earlier logs are not about its tokens.
        if (log.kind !== "transfer") continue;
        found.delete(log.address);
        block.changes.push(seen);
        const from = otherSince?.(log.address);
        if (from !== undefined) {
          const earlier = await readEarlier(log.address, [from, first], signal);
          for (const change of earlier.changes) block.changes.push(change);
          block.notRead.push(...earlier.notRead);
        }
      }
      addChanges(block, log, consecutive, txHashes.get(log.txHash) ?? log.txHash);
    }
    return [...blocks.values()];
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
    readName: async (address, height, signal) => (await readNames(readViews, [{ address, height }], signal))[0],
    readUris: (pending, signal) => readTokenUris({ readViews, maxUriBytes }, pending, signal),
    readChainId: (signal) => rpc.read("eth_chainId", [], (answer) => answer.quantity().toString(), signal),
    readBlockHash: (height, signal) => readBlockHash(rpc, height, signal),
    readHead,
  };
}

/** A block while its logs are read. */
interface ReadBlock extends NftBlock {
  readonly changes: NftChange[];
  readonly notRead: NotRead[];
  readonly others: HexAddress[];
}

/** Adds the changes of a log to its block, unless the block's logs of ERC-2309 name too many tokens: a log of any number is cheap. */
function addChanges(block: ReadBlock, log: NftLog, consecutive: Map<number, bigint>, txHash: string): void {
  const size = sizeOf(log);
  if (log.kind === "transfer" && size > 1n) {
    const named = (consecutive.get(block.height) ?? 0n) + size;
    if (named > maxConsecutive) {
      const reason = `${size} tokens of a ConsecutiveTransfer: a block may name ${maxConsecutive}`;
      block.notRead.push({ collectionAddr: log.address, reason });
      return;
    }
    consecutive.set(block.height, named);
  }
  for (const change of changesOf(log, txHash)) block.changes.push(change);
}

/** The changes in a log, without URIs. */
function changesOf(log: NftLog, txHash: string): Iterable<NftChange> {
  const { address: collectionAddr } = log;
  if (log.kind === "transfer") return transferChanges(collectionAddr, log, txHash);
  const { firstId, lastId } = log;
  if (firstId !== lastId) return [{ kind: "urisChanged", collectionAddr, firstId, lastId }];
  return [{ kind: "uriChanged", token: { collectionAddr, tokenId: firstId.toString() }, uri: undefined, txHash }];
}

function* transferChanges(
  collectionAddr: HexAddress,
  transfer: Transfer,
  txHash: string,
): Generator<TokenMinted | TokenTransferred | TokenBurned> {
  const { from, to: owner } = transfer;
  for (const tokenId of idsOf(transfer)) {
    const token = { collectionAddr, tokenId };
    if (owner === zeroAddress) yield { kind: "burned", token, txHash };
    else if (from !== zeroAddress) yield { kind: "transferred", token, owner, txHash };
    else yield { kind: "minted", ...token, owner, uri: undefined, objectAddr: undefined, txHash };
  }
}

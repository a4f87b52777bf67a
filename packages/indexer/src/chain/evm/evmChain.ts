import { zeroAddress } from "@vipscore/blocks";
import { CosmosHashes, openEvmRpc, readBlockHash, readBlockTimes, viewReader } from "@vipscore/blocks/evm";
import { isCommitted } from "@vipscore/core/wire";
import type { HexAddress, NftBlock, NftChain, NftChange, ReadBlocksOptions } from "../nftChain.ts";
import { nftLogReader, type NftLog } from "./nftLog.ts";
import { readCollections } from "./readCollections.ts";
import { readUris } from "./readUris.ts";

/** Blocks per log request; minievm allows 500 and reads each of them. */
const blocksPerRead = 250;

/** Maximum number of remembered contracts that are not collections, so that they are not queried at each transfer. */
const othersKept = 10_000;

/**
 * An EVM rollup, read over the JSON-RPC of one of its nodes: ERC-721 by its `Transfer` events and ERC-4906 by
 * `MetadataUpdate`. Names and URIs are read after the block in which they were first seen or changed if the node still
 * has that state, otherwise at its newest block; a call that fails in the contract leaves them empty.
 *
 * @throws InputError `CONFIG_INVALID` if the URL is not http or https.
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

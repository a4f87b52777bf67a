import {
  findHeader,
  openCometNode,
  readBusyBlocks,
  readEvents,
  readHeaders,
  readStatus,
  readTxHashes,
  requestsAtOnce,
  type BlockHeader,
  type CometNode,
  type VmEvent,
} from "@vipscore/blocks/cosmos";
import { formatBech32, parseAccount } from "@vipscore/core";
import { inParallel } from "@vipscore/core/wire";
import type { NftBlock, NftChain, NftChange, ReadBlocksOptions } from "../nftChain.ts";
import { CollectionFinder, RefusedContracts } from "./collectionFinder.ts";
import { readCw721Change } from "./cw721Changes.ts";
import { findUri } from "./cw721Contract.ts";
import {
  isCw721Event,
  readCw721Event,
  readNewCollection,
  type ContractReference,
  type Cw721Event,
} from "./cw721Events.ts";
import { isMoveNftEvent, isObjectCreation, readMoveChanges } from "./moveChanges.ts";

/**
 * Reads a Move or CosmWasm rollup through a node's CometBFT RPC only. CW-721 tokens come from the events of their
 * contracts, and a contract is a collection if it answers `contract_info` with a name; Move NFTs come from the events
 * of the standard library. Changes outside transactions are not read: neither VM makes any.
 *
 * @throws InputError `CONFIG_INVALID` if the URL is invalid.
 */
export function cosmosChain({ rpcNodeUrl }: { readonly rpcNodeUrl: string }): NftChain {
  const node = openCometNode(rpcNodeUrl);
  const refused = new RefusedContracts();
  return {
    blocksPerRead: 100,
    readChainId: async (signal) => (await readStatus(node, signal)).chainId,
    readBlockHash: async (height, signal) => (await findHeader(node, height, signal))?.hash,
    // The height that the VM has executed: the block store is one ahead for a moment, without results.
    readHead: (signal) =>
      node.read("abci_info", {}, (answer) => answer.field("response").field("last_block_height").count(), signal),
    // Only those of CW-721 tokens: Move's events have the URI.
    readUris: (pending, signal) =>
      inParallel(pending, requestsAtOnce, async ({ collectionAddr, tokenId, height }) => {
        const contract = {
          address: formatBech32(parseAccount(collectionAddr, { accountBytes: [20, 32] })),
          collectionAddr,
        };
        const read = await findUri({ node, contract, height, signal }, tokenId);
        return { collectionAddr, tokenId, height, ...read };
      }),
    readBlocks: (first, last, options) => readBlocks({ node, first, last, refused, ...options }),
  };
}

/** The blocks of one read, and the inputs for it. */
interface Read extends ReadBlocksOptions {
  readonly node: CometNode;
  readonly first: number;
  readonly last: number;
  readonly refused: RefusedContracts;
}

async function readBlocks({ node, first, last, refused, isKnown, signal }: Read): Promise<readonly NftBlock[]> {
  const headers = await readHeaders(node, first, last, signal);
  const parts = (await readBusyBlocks(headers, (header) => readParts(node, header, signal))).flat();
  const finder = new CollectionFinder({ node, isKnown, refused, signal });
  const told = await inParallel(parts, requestsAtOnce, (part) => settlePart(part, { node, signal }, finder));
  const blocks: { height: number; timestamp: string; changes: NftChange[] }[] = [];
  for (const { header, changes } of told) {
    if (changes.length === 0) continue;
    const { height, timestamp } = header;
    if (blocks.at(-1)?.height !== height) blocks.push({ height, timestamp, changes: [] });
    for (const change of changes) blocks.at(-1)?.changes.push(...(await finder.introduce(change, height)));
  }
  return blocks.filter(({ changes }) => changes.length > 0);
}

/** A part of a block: a whole Move transaction, a contract that may be a collection, or one CW-721 token. */
type Part = { readonly header: BlockHeader } & (
  | { readonly changes: readonly NftChange[] }
  | { readonly created: ContractReference }
  | { readonly event: Cw721Event; readonly txHash: string }
);

async function readParts(node: CometNode, header: BlockHeader, signal: AbortSignal): Promise<readonly Part[]> {
  const isWanted = (event: VmEvent): boolean =>
    isMoveNftEvent(event) || isCw721Event(event) || readNewCollection(event) !== undefined;
  const transactions = (await readEvents(node, header, isWanted, signal)).filter(({ events }) =>
    events.some((event) => !isObjectCreation(event)),
  );
  if (transactions.length === 0) return [];
  const hashes = await readTxHashes(node, header, signal);
  return transactions.flatMap(({ index, events }): readonly Part[] => {
    const txHash = hashes[index] ?? "";
    const told = events.flatMap((event): readonly Part[] => {
      const created = readNewCollection(event);
      const changes = readCw721Event(event).map((change) => ({ header, event: change, txHash }));
      return created === undefined ? changes : [{ header, created }, ...changes];
    });
    const parts: Part[] = [{ header, changes: readMoveChanges(events, txHash) }];
    return parts.concat(told);
  });
}

async function settlePart(part: Part, { node, signal }: Pick<Read, "node" | "signal">, finder: CollectionFinder) {
  const { header } = part;
  if ("changes" in part) return { header, changes: part.changes };
  if ("created" in part) {
    const found = await finder.findNew({ node, contract: part.created, height: header.height, signal });
    return { header, changes: found === undefined ? [] : [found] };
  }
  const { event, txHash } = part;
  const asked = { node, contract: event.contract, height: header.height, signal };
  if (!(await finder.isCollection(asked))) return { header, changes: [] };
  return { header, changes: [await readCw721Change(asked, event, txHash)] };
}

import {
  openCometNode,
  readBusyBlocks,
  readEvents,
  readHeaders,
  type BlockHeader,
  type CometNode,
  type VmEvent,
} from "@vipscore/blocks/cosmos";
import type { HexAddress } from "../nftChain.ts";
import { ownerChangeOf, type NftOwners, type OwnerBlock, type OwnerChange } from "../nftOwners.ts";
import { cosmosChain } from "./cosmosChain.ts";
import { findOwnerAt, readCw721Event, type Cw721Event } from "./cw721Contract.ts";
import { isMoveNftEvent, readMoveChanges } from "./moveChanges.ts";

const blocksPerPart = 100;

/** Reads the owners of CW-721 tokens and of Move's NFTs from the events of transactions, through a node's CometBFT RPC. */
export function cosmosOwners(rpcNodeUrl: string, collections: ReadonlySet<HexAddress>): NftOwners {
  const node = openCometNode(rpcNodeUrl);
  return {
    countTokens: cosmosChain({ rpcNodeUrl }).countTokens,
    async *read(range, signal) {
      for (let first = range.first; first <= range.last; first += blocksPerPart) {
        const last = Math.min(range.last, first + blocksPerPart - 1);
        const headers = await readHeaders(node, first, last, signal);
        const blocks = await readBusyBlocks(headers, (header) => readOwnerBlock({ node, collections, header, signal }));
        yield {
          first,
          last,
          lastHash: headers.at(-1)?.hash ?? "",
          blocks: blocks.filter(({ changes }) => changes.length > 0),
        };
      }
    },
  };
}

interface AskedBlock {
  readonly node: CometNode;
  readonly collections: ReadonlySet<HexAddress>;
  readonly header: BlockHeader;
  readonly signal: AbortSignal;
}

async function readOwnerBlock(asked: AskedBlock): Promise<OwnerBlock> {
  const { node, collections, header, signal } = asked;
  const tokensOf = (event: VmEvent): readonly Cw721Event[] =>
    readCw721Event(event).filter(({ contract }) => collections.has(contract.collectionAddr));
  const isWanted = (event: VmEvent): boolean => isMoveNftEvent(event) || tokensOf(event).length > 0;
  const changes: OwnerChange[] = [];
  for (const { events } of await readEvents(node, header, isWanted, signal)) {
    changes.push(...readMoveOwners(events, collections));
    for (const event of events.flatMap(tokensOf)) {
      const change = await readCw721Owner(asked, event);
      if (change !== undefined) changes.push(change);
    }
  }
  return { height: header.height, changes };
}

/** Keeps changes of all objects: which ones are tokens of the collections, the caller knows from their mints. */
function readMoveOwners(events: readonly VmEvent[], collections: ReadonlySet<HexAddress>): readonly OwnerChange[] {
  // Owners do not depend on the transaction's hash.
  const changes = readMoveChanges(events, "").flatMap((change) => ownerChangeOf(change) ?? []);
  return changes.filter(({ token }) => !("collectionAddr" in token) || collections.has(token.collectionAddr));
}

/** Asks the contract if its event is incomplete. Undefined for an event of something else than the owner. */
async function readCw721Owner(
  { node, header, signal }: AskedBlock,
  event: Cw721Event,
): Promise<OwnerChange | undefined> {
  const { contract, tokenId, what } = event;
  const token = { collectionAddr: contract.collectionAddr, tokenId };
  switch (what) {
    case "minted":
    case "transferred":
      return { token, objectAddr: undefined, owner: event.owner };
    case "burned":
      return { token, objectAddr: undefined, owner: undefined };
    case "unclear": {
      const owner = await findOwnerAt({ node, contract, height: header.height, signal }, tokenId);
      return { token, objectAddr: undefined, owner };
    }
    case "uriChanged":
  }
  return undefined;
}

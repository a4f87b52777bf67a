import {
  openCometNode,
  readBusyBlocks,
  readEvents,
  readHeaders,
  type BlockHeader,
  type CometNode,
  type VmEvent,
} from "@vipscore/blocks/cosmos";
import type { HexAddress, NftChange } from "../nftChain.ts";
import { ownerChangeOf, type NftOwners, type OwnerBlock, type OwnerChange } from "../nftOwners.ts";
import { cosmosChain } from "./cosmosChain.ts";
import { cw721Changes, findOwnerAt, readCw721Event, type Cw721Event } from "./cw721Contract.ts";
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

async function readOwnerBlock({ node, collections, header, signal }: AskedBlock): Promise<OwnerBlock> {
  const { height } = header;
  // Owners do not depend on the transaction's hash.
  const txHash = "";
  const tokensOf = (event: VmEvent): readonly Cw721Event[] =>
    readCw721Event(event, txHash).filter(({ contract }) => collections.has(contract.collectionAddr));
  const isWanted = (event: VmEvent): boolean => isMoveNftEvent(event) || tokensOf(event).length > 0;
  const changes: NftChange[] = [];
  for (const { events } of await readEvents(node, header, isWanted, signal)) {
    changes.push(...readMoveChanges(events, txHash));
    for (const event of events.flatMap(tokensOf)) {
      changes.push(...(await cw721Changes({ node, contract: event.contract, height, signal }, event, findOwnerAt)));
    }
  }
  const owners = changes.flatMap((change) => ownerChangeOf(change) ?? []);
  // All objects of Move are kept: which ones are tokens of the collections, the caller knows from their mints.
  const isKept = ({ token }: OwnerChange) => !("collectionAddr" in token) || collections.has(token.collectionAddr);
  return { height, changes: owners.filter(isKept) };
}

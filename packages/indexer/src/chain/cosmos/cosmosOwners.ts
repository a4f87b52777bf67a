import {
  openCometNode,
  readBusyBlocks,
  readEvents,
  readHeaders,
  type BlockHeader,
  type VmEvent,
} from "@vipscore/blocks/cosmos";
import type { HexAddress, NftChange } from "../nftChain.ts";
import { ownerChangeOf, type NftOwners, type OwnerBlock, type OwnerChange } from "../nftOwners.ts";
import { cosmosChain } from "./cosmosChain.ts";
import { cw721Changes, findOwnerAt, readCw721Event } from "./cw721Contract.ts";
import { isMoveNftEvent, readMoveChanges } from "./moveChanges.ts";

const blocksPerPart = 100;

/** Reads the owners of CW-721 tokens and of Move's NFTs from the events of transactions, through a node's CometBFT RPC. */
export function cosmosOwners(rpcNodeUrl: string, collections: ReadonlySet<HexAddress>): NftOwners {
  const node = openCometNode(rpcNodeUrl);
  // Owners do not depend on the transaction's hash.
  const txHash = "";
  const tokensOf = (event: VmEvent) =>
    readCw721Event(event, txHash).filter(({ contract }) => collections.has(contract.collectionAddr));
  const isWanted = (event: VmEvent): boolean => isMoveNftEvent(event) || tokensOf(event).length > 0;
  // All objects of Move are kept: which ones are tokens of the collections, the caller knows from their mints.
  const isKept = ({ token }: OwnerChange) => !("collectionAddr" in token) || collections.has(token.collectionAddr);

  const readBlock = async (header: BlockHeader, signal: AbortSignal): Promise<OwnerBlock> => {
    const { height } = header;
    const changes: NftChange[] = [];
    for (const { events } of await readEvents(node, header, isWanted, signal)) {
      changes.push(...readMoveChanges(events, txHash));
      for (const event of events.flatMap(tokensOf)) {
        changes.push(...(await cw721Changes({ node, contract: event.contract, height, signal }, event, findOwnerAt)));
      }
    }
    return { height, changes: changes.flatMap((change) => ownerChangeOf(change) ?? []).filter(isKept) };
  };

  return {
    countTokens: cosmosChain({ rpcNodeUrl }).countTokens,
    async *read(range, signal) {
      for (let first = range.first; first <= range.last; first += blocksPerPart) {
        const last = Math.min(range.last, first + blocksPerPart - 1);
        const headers = await readHeaders(node, first, last, signal);
        const blocks = await readBusyBlocks(headers, (header) => readBlock(header, signal));
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

import { zeroAddress } from "@vipscore/blocks";
import { addressOfWord, openEvmRpc, readEvmEvents, type EvmEvent } from "@vipscore/blocks/evm";
import type { HexAddress } from "../nftChain.ts";
import type { NftOwners, OwnerBlock, OwnerChange } from "../nftOwners.ts";
import { transferTopic } from "./nftLog.ts";

/**
 * Reads the owners of ERC-721 tokens from the `Transfer` events of their contracts.
 *
 * @throws InputError `CONFIG_INVALID` if the URL is not http or https.
 */
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

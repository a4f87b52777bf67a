import { zeroAddress } from "@vipscore/blocks";
import { openEvmRpc, readEvmEvents, type EvmEvent } from "@vipscore/blocks/evm";
import { VipError } from "@vipscore/core";
import type { HexAddress } from "../nftChain.ts";
import type { NftOwners, OwnerBlock, OwnerChange } from "../nftOwners.ts";
import { idsOf, maxConsecutive, readTransfer, sizeOf, transferTopics } from "./nftLog.ts";

/** Reads the owners of ERC-721 tokens from their contracts' `Transfer` events, and from ERC-2309's `ConsecutiveTransfer`. */
export function evmOwners(jsonRpcUrl: string, collections: ReadonlySet<HexAddress>): NftOwners {
  const rpc = openEvmRpc(jsonRpcUrl);
  const filter = { addresses: [...collections], topics: transferTopics };
  return {
    async *read({ first, last }, signal) {
      for await (const { events, ...part } of readEvmEvents(rpc, { ...filter, first, last, signal })) {
        yield { ...part, blocks: ownerBlocks(events) };
      }
    },
  };
}

function ownerBlocks(events: readonly EvmEvent[]): readonly OwnerBlock[] {
  const blocks: { height: number; changes: OwnerChange[] }[] = [];
  for (const event of events) {
    const { height } = event;
    const changes = blocks.at(-1)?.height === height ? blocks.at(-1)?.changes : undefined;
    const list = changes ?? [];
    for (const change of ownerChanges(event)) list.push(change);
    if (changes === undefined && list.length > 0) blocks.push({ height, changes: list });
  }
  return blocks;
}

function* ownerChanges({ address: collectionAddr, topics, data, height }: EvmEvent): Generator<OwnerChange> {
  const transfer = readTransfer(topics, data);
  if (transfer === undefined) return;
  if (sizeOf(transfer) > maxConsecutive) {
    throw new VipError(`a log of ${collectionAddr} in block ${height} names ${sizeOf(transfer)} tokens`, {
      code: "POLICY_LIMIT",
      metaMessages: [`A ConsecutiveTransfer of ERC-2309 may name at most ${maxConsecutive} tokens.`],
    });
  }
  const owner = transfer.to === zeroAddress ? undefined : transfer.to;
  for (const tokenId of idsOf(transfer)) yield { token: { collectionAddr, tokenId }, objectAddr: undefined, owner };
}

import type { NftChange } from "../nftChain.ts";
import { findOwner, type AskedContract } from "./cw721Contract.ts";
import type { Cw721Event } from "./cw721Events.ts";

/**
 * Returns what an event of a CW-721 contract changes. If the event is incomplete, queries the contract for the token's
 * owner after the block.
 *
 * @throws NodeError
 */
export async function readCw721Change(asked: AskedContract, event: Cw721Event, txHash: string): Promise<NftChange> {
  const { contract, tokenId } = event;
  const { collectionAddr } = contract;
  const token = { collectionAddr, tokenId };
  const minted = { kind: "minted", ...token, objectAddr: undefined, txHash } as const;
  switch (event.what) {
    case "minted":
      return { ...minted, owner: event.owner, uri: event.uri };
    case "transferred":
      return { kind: "transferred", token, owner: event.owner, txHash };
    case "burned":
      return { kind: "burned", token, txHash };
    case "uriChanged":
      return { kind: "uriChanged", token, uri: event.uri, txHash };
    case "unclear":
  }
  const owner = await findOwner(asked, tokenId);
  if (owner === undefined) return { kind: "burned", token, txHash };
  return { ...minted, owner, uri: undefined };
}

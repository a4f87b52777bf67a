import { BinaryReader, BinaryWriter } from "cosmjs-types/binary";
import { queryState, readMoveAddress, type CometNode } from "@vipscore/blocks/cosmos";
import { isObject } from "@vipscore/core/wire";
import type { CollectionSeen, HexAddress } from "../nftChain.ts";

const path = "/initia.move.v1.Query/Resource";

/**
 * Reads a collection from its resource on the chain, for a collection created before the first block.
 *
 * @throws QueryError if the chain has none; NodeError.
 */
export async function findMoveCollection(
  node: CometNode,
  collectionAddr: HexAddress,
  height: number,
  signal: AbortSignal,
): Promise<CollectionSeen> {
  // QueryResourceRequest (initia/move/v1/query.proto): address = 1, struct_tag = 2.
  const request = new BinaryWriter();
  request.uint32(10).string(collectionAddr).uint32(18).string("0x1::collection::Collection");
  const query = { path, request: request.finish(), decode: readCollection };
  return { kind: "collection", collectionAddr, ...(await queryState(node, query, height, signal)) };
}

/** Parses a collection's resource. @throws Error if an answer is not one. */
function readCollection(answer: Uint8Array): { readonly name: string; readonly creator: HexAddress } {
  // QueryResourceResponse.resource = 1, Resource.move_resource = 3, the resource as JSON.
  const text = Buffer.from(readField(readField(answer, 1), 3)).toString();
  const resource: unknown = JSON.parse(text);
  const data = isObject(resource) ? resource["data"] : undefined;
  const { name, creator } = isObject(data) ? data : {};
  const from = typeof creator === "string" ? readMoveAddress(creator) : undefined;
  if (typeof name !== "string" || from === undefined) throw new Error(`${text.slice(0, 200)} is not a collection`);
  return { name, creator: from };
}

/** The bytes of a message's field; empty if it is absent. */
function readField(message: Uint8Array, field: number): Uint8Array {
  const reader = new BinaryReader(message);
  let bytes = new Uint8Array();
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === field * 8 + 2) bytes = new Uint8Array(reader.bytes());
    else reader.skipType(tag & 7);
  }
  return bytes;
}

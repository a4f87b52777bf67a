import {
  findHeader,
  openCometNode,
  queryState,
  readBusyBlocks,
  readEvents,
  readHeaders,
  readMoveAddress,
  readStatus,
  readTxHashes,
  requestsAtOnce,
  type BlockHeader,
  type CometNode,
  type VmEvent,
} from "@vipscore/blocks/cosmos";
import { formatBech32, parseAccount } from "@vipscore/core";
import { encodeField, inParallel, isObject, QueryError, readFields } from "@vipscore/core/wire";
import type { CollectionSeen, HexAddress, NftBlock, NftChain, NftChange, ReadBlocksOptions } from "../nftChain.ts";
import {
  cw721Changes,
  findCollection,
  findOwner,
  findTokenCount,
  findUri,
  isCw721Event,
  readCw721Event,
  readNewCollection,
  type AskedContract,
  type ContractReference,
  type Cw721Event,
} from "./cw721Contract.ts";
import { isMoveNftEvent, isObjectCreation, readMoveChanges } from "./moveChanges.ts";
import { readOriginName } from "./readOriginName.ts";

/**
 * Reads a Move or CosmWasm rollup through a node's CometBFT RPC only. CW-721 tokens come from the events of their
 * contracts, and a contract is a collection if it answers `contract_info` with a name; Move NFTs come from the events
 * of the standard library. Changes outside transactions are not read: neither VM makes any.
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
    readUris: (pending, signal) =>
      inParallel(pending, requestsAtOnce, async ({ collectionAddr, tokenId, height, objectAddr }) => {
        if (objectAddr !== undefined) {
          return { collectionAddr, tokenId, height, uri: await findMoveUri(node, objectAddr, height, signal) };
        }
        const read = await findUri({ node, contract: contractOf(collectionAddr), height, signal }, tokenId);
        return { collectionAddr, tokenId, height, ...read };
      }),
    readBlocks: (first, last, options) => readBlocks({ node, first, last, refused, ...options }),
    countTokens: (collectionAddr, height, signal) =>
      findTokenCount({ node, contract: contractOf(collectionAddr), height, signal }),
  };
}

function contractOf(collectionAddr: HexAddress): ContractReference {
  return { address: formatBech32(parseAccount(collectionAddr, { accountBytes: [20, 32] })), collectionAddr };
}

interface Read extends ReadBlocksOptions {
  readonly node: CometNode;
  readonly first: number;
  readonly last: number;
  readonly refused: RefusedContracts;
}

async function readBlocks(read: Read): Promise<readonly NftBlock[]> {
  const { node, first, last, signal } = read;
  const headers = await readHeaders(node, first, last, signal);
  const parts = (await readBusyBlocks(headers, (header) => readParts(node, header, signal))).flat();
  const finder = new CollectionFinder(read);
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
  { readonly changes: readonly NftChange[] } | { readonly created: ContractReference } | { readonly event: Cw721Event }
);

async function readParts(node: CometNode, header: BlockHeader, signal: AbortSignal): Promise<readonly Part[]> {
  const isWanted = (event: VmEvent): boolean =>
    isMoveNftEvent(event) ||
    isCw721Event(event) ||
    readNewCollection(event) !== undefined ||
    readOriginName(event) !== undefined;
  const transactions = (await readEvents(node, header, isWanted, signal)).filter(({ events }) =>
    events.some((event) => !isObjectCreation(event)),
  );
  if (transactions.length === 0) return [];
  const hashes = await readTxHashes(node, header, signal);
  return transactions.flatMap(({ index, events }): readonly Part[] => {
    const txHash = hashes[index] ?? "";
    const told = events.flatMap((event): readonly Part[] => {
      const created = readNewCollection(event);
      const changes = readCw721Event(event, txHash).map((each) => ({ header, event: each }));
      return created === undefined ? changes : [{ header, created }, ...changes];
    });
    const origins = events.flatMap((event) => readOriginName(event) ?? []);
    const parts: Part[] = [{ header, changes: readMoveChanges(events, txHash).concat(origins) }];
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
  const { event } = part;
  const asked = { node, contract: event.contract, height: header.height, signal };
  if (!(await finder.isCollection(asked))) return { header, changes: [] };
  return { header, changes: await cw721Changes(asked, event, findOwner) };
}

/** Maximum number of remembered contracts that are not collections; the oldest is forgotten first and queried again. */
const maxRefused = 10_000;

/**
 * Contracts with events like CW-721 that are not collections. One that becomes a collection in a migration is found
 * after the next start.
 */
export class RefusedContracts {
  readonly #addresses = new Set<HexAddress>();

  has(address: HexAddress): boolean {
    return this.#addresses.has(address);
  }

  add(address: HexAddress): void {
    this.#addresses.add(address);
    if (this.#addresses.size <= maxRefused) return;
    for (const oldest of this.#addresses) {
      this.#addresses.delete(oldest);
      return;
    }
  }
}

/** Finds the collections of one read of blocks; queries the chain at most once for each. */
class CollectionFinder {
  readonly #parts: Read;
  /** Collections with a returned change. */
  readonly #told = new Set<HexAddress>();
  readonly #asked = new Map<HexAddress, Promise<CollectionSeen | undefined>>();

  constructor(parts: Read) {
    this.#parts = parts;
  }

  async isCollection(asked: AskedContract): Promise<boolean> {
    return this.#parts.isKnown(asked.contract.collectionAddr) || (await this.findNew(asked)) !== undefined;
  }

  /** Returns a contract's collection; undefined for another contract, or if it is already stored. @throws NodeError */
  async findNew(asked: AskedContract): Promise<CollectionSeen | undefined> {
    const { isKnown, refused } = this.#parts;
    const { collectionAddr } = asked.contract;
    if (isKnown(collectionAddr) || refused.has(collectionAddr)) return undefined;
    const found = await this.#once(collectionAddr, () => findCollection(asked));
    if (found === undefined) refused.add(collectionAddr);
    return found;
  }

  /**
   * Returns a change, preceded by its collection if that is new: a contract's collection, or the chain's data of a Move
   * collection created before the first block. In chain order.
   */
  async introduce(change: NftChange, height: number): Promise<readonly NftChange[]> {
    const collectionAddr = neededCollection(change);
    if (collectionAddr === undefined) return [change];
    const isNew = !this.#told.has(collectionAddr) && !this.#parts.isKnown(collectionAddr);
    this.#told.add(collectionAddr);
    if (change.kind === "collection") return isNew ? [change] : [];
    if (!isNew) return [change];
    const { node, signal } = this.#parts;
    const ask = () => findMoveCollection(node, collectionAddr, height, signal);
    const collection = await this.#once(collectionAddr, ask);
    return collection === undefined ? [] : [collection, change];
  }

  #once(address: HexAddress, ask: () => Promise<CollectionSeen | undefined>): Promise<CollectionSeen | undefined> {
    const asked = this.#asked.get(address) ?? ask();
    this.#asked.set(address, asked);
    return asked;
  }
}

/** The collection that a change requires; an unknown token needs none. */
function neededCollection(change: NftChange): HexAddress | undefined {
  if (change.kind === "collection" || change.kind === "minted") return change.collectionAddr;
  if (change.kind !== "transferred") return undefined;
  return "collectionAddr" in change.token ? change.token.collectionAddr : undefined;
}

/** Reads a collection from its resource on the chain, for a collection created before the first block. */
async function findMoveCollection(
  node: CometNode,
  collectionAddr: HexAddress,
  height: number,
  signal: AbortSignal,
): Promise<CollectionSeen> {
  const { name, creator } = await readResource(node, [collectionAddr, "0x1::collection::Collection"], height, signal);
  const from = typeof creator === "string" ? readMoveAddress(creator) : undefined;
  if (typeof name !== "string" || from === undefined) throw new Error(`${collectionAddr} is not a collection`);
  return { kind: "collection", collectionAddr, name, creator: from };
}

/** Reads the URI of a token whose mint had no event with it, as before v1.1 of the standard library; empty if it is gone. */
async function findMoveUri(
  node: CometNode,
  objectAddr: HexAddress,
  height: number,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { uri } = await readResource(node, [objectAddr, "0x1::nft::Nft"], height, signal);
    return typeof uri === "string" ? uri : "";
  } catch (error) {
    if (error instanceof QueryError && /not found/i.test(error.details ?? "")) return "";
    throw error;
  }
}

async function readResource(
  node: CometNode,
  [address, structTag]: readonly [address: string, structTag: string],
  height: number,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  // QueryResourceRequest (initia/move/v1/query.proto): address = 1, struct_tag = 2.
  const request = Buffer.concat([encodeField(1, address), encodeField(2, structTag)]);
  const decode = (answer: Uint8Array) => {
    // QueryResourceResponse.resource = 1, Resource.move_resource = 3, the resource as JSON.
    const resource: unknown = JSON.parse(Buffer.from(readField(readField(answer, 1), 3)).toString());
    const data = isObject(resource) ? resource["data"] : undefined;
    return isObject(data) ? data : {};
  };
  return queryState(node, { path: "/initia.move.v1.Query/Resource", request, decode }, height, signal);
}

/** The bytes of a message's field; empty if it is absent. */
function readField(message: Uint8Array, field: number): Uint8Array {
  const value = new Map(readFields(message)).get(field);
  return value instanceof Uint8Array ? value : new Uint8Array();
}

import { firstValue, moveTypeTag, readMoveAddress, type VmEvent } from "@vipscore/blocks/cosmos";
import { parseObject } from "@vipscore/core/wire";
import type { HexAddress, NftChange, TokenMinted } from "../nftChain.ts";

/*
 * The NFT events of the standard library of Initia's Move rollups, as of movevm v1.2.0 (minitia_stdlib: object,
 * collection, nft). A mint emits three events in this order: object::CreateEvent with the first owner,
 * collection::MintEvent with the object and the id, and since v1.1 nft::CreateEvent with the URI. A burn emits object::DeleteEvent,
 * then collection::BurnEvent.
 */

/** The events that are read; types at other addresses are not the standard library's. */
const wanted: ReadonlySet<string> = new Set([
  "0x1::object::CreateEvent",
  "0x1::object::TransferEvent",
  "0x1::object::DeleteEvent",
  "0x1::collection::CreateEvent",
  "0x1::collection::CreateCollectionEvent",
  "0x1::collection::MintEvent",
  "0x1::collection::BurnEvent",
  "0x1::nft::CreateEvent",
  "0x1::nft::MutationEvent",
]);

/** True for an event about an NFT, or one that may be needed to understand it. */
export function isMoveNftEvent(event: VmEvent): boolean {
  return wanted.has(moveTypeTag(event));
}

/** True for an event that alone does not concern a token: most objects are not tokens. */
export function isObjectCreation(event: VmEvent): boolean {
  return moveTypeTag(event) === "0x1::object::CreateEvent";
}

/** The changes in the events of one transaction, including transfers and deletions of objects that are not tokens. */
export function readMoveChanges(events: readonly VmEvent[], txHash: string): readonly NftChange[] {
  const reader = new MoveReader(txHash);
  for (const event of events) if (isMoveNftEvent(event)) reader.take(event);
  return reader.changes;
}

class MoveReader {
  readonly changes: NftChange[] = [];
  readonly #txHash: string;
  /** Owners of the objects that the transaction created. */
  readonly #owners = new Map<HexAddress, HexAddress>();
  /** Index of a token's mint in the changes. */
  readonly #mints = new Map<string, number>();

  constructor(txHash: string) {
    this.#txHash = txHash;
  }

  take(event: VmEvent): void {
    const fields = new EventFields(firstValue(event.attributes, "data") ?? "");
    switch (moveTypeTag(event)) {
      case "0x1::object::CreateEvent":
        this.#created(fields.address("object"), fields.address("owner"));
        break;
      case "0x1::object::TransferEvent":
        this.#transferred(fields.address("object"), fields.address("to"));
        break;
      case "0x1::object::DeleteEvent":
        this.#deleted(fields.address("object"));
        break;
      case "0x1::collection::CreateEvent":
      case "0x1::collection::CreateCollectionEvent":
        this.#collection(fields);
        break;
      case "0x1::collection::MintEvent":
        this.#minted(fields);
        break;
      case "0x1::collection::BurnEvent":
        this.#burned(fields);
        break;
      case "0x1::nft::CreateEvent":
        this.#described(fields);
        break;
      case "0x1::nft::MutationEvent":
        this.#mutated(fields);
    }
  }

  #created(object: HexAddress | undefined, owner: HexAddress | undefined): void {
    if (object !== undefined && owner !== undefined) this.#owners.set(object, owner);
  }

  #transferred(objectAddr: HexAddress | undefined, owner: HexAddress | undefined): void {
    if (objectAddr === undefined || owner === undefined) return;
    if (this.#owners.has(objectAddr)) this.#owners.set(objectAddr, owner);
    this.changes.push({ kind: "transferred", token: { objectAddr }, owner, txHash: this.#txHash });
  }

  #deleted(objectAddr: HexAddress | undefined): void {
    if (objectAddr === undefined) return;
    this.#owners.delete(objectAddr);
    this.changes.push({ kind: "burned", token: { objectAddr }, txHash: this.#txHash });
  }

  #collection(fields: EventFields): void {
    const collectionAddr = fields.address("collection");
    const creator = fields.address("creator");
    const name = fields.text("name");
    if (collectionAddr === undefined || creator === undefined || name === undefined) return;
    this.changes.push({ kind: "collection", collectionAddr, name, creator });
  }

  #minted(fields: EventFields): void {
    const collectionAddr = fields.address("collection");
    const objectAddr = fields.address("nft");
    const tokenId = fields.text("token_id");
    if (collectionAddr === undefined || objectAddr === undefined || tokenId === undefined) return;
    const owner = this.#owners.get(objectAddr);
    // The standard library creates the object in the same call.
    if (owner === undefined) return;
    this.#mints.set(`${collectionAddr} ${tokenId}`, this.changes.length);
    const minted = { kind: "minted", collectionAddr, tokenId, owner, objectAddr, txHash: this.#txHash } as const;
    // Unless nft::CreateEvent follows, the URI is to be read.
    this.changes.push({ ...minted, uri: undefined });
  }

  #described(fields: EventFields): void {
    const uri = fields.text("uri");
    const index = this.#mints.get(`${fields.address("collection")} ${fields.text("token_id")}`);
    if (index === undefined || uri === undefined) return;
    const mint = this.changes[index];
    if (mint?.kind === "minted") this.changes[index] = { ...mint, uri } satisfies TokenMinted;
  }

  #burned(fields: EventFields): void {
    const collectionAddr = fields.address("collection");
    const tokenId = fields.text("token_id");
    if (collectionAddr === undefined || tokenId === undefined) return;
    this.changes.push({ kind: "burned", token: { collectionAddr, tokenId }, txHash: this.#txHash });
  }

  #mutated(fields: EventFields): void {
    const objectAddr = fields.address("nft");
    const uri = fields.text("new_value");
    if (objectAddr === undefined || uri === undefined || fields.text("mutated_field_name") !== "uri") return;
    this.changes.push({ kind: "uriChanged", token: { objectAddr }, uri, txHash: this.#txHash });
  }
}

class EventFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(data: string) {
    this.#fields = parseObject(data) ?? {};
  }

  text(name: string): string | undefined {
    const value = this.#fields[name];
    return typeof value === "string" ? value : undefined;
  }

  address(name: string): HexAddress | undefined {
    return readMoveAddress(this.text(name) ?? "");
  }
}

import { firstValue, moveTypeTag, readMoveAddress, type VmEvent } from "@vipscore/blocks/cosmos";
import { parseObject } from "@vipscore/core/wire";
import type { HexAddress, NftChange } from "../nftChain.ts";

/*
 * The NFT events of the standard library of Initia's Move rollups, as of movevm v1.2.0 (minitia_stdlib: object,
 * collection, nft). A mint emits three events in this order: object::CreateEvent with the first owner,
 * collection::MintEvent with the object and the id, and since v1.1 nft::CreateEvent with the URI. A burn emits object::DeleteEvent,
 * then collection::BurnEvent.
 */

/** Returns a field of an event; undefined if it has none of this kind. */
interface EventFields {
  readonly text: (name: string) => string | undefined;
  readonly address: (name: string) => HexAddress | undefined;
}

/** What the events of a transaction have said. */
interface Told {
  readonly txHash: string;
  readonly changes: NftChange[];
  /** Owners of the objects that the transaction created. */
  readonly owners: Map<HexAddress, HexAddress>;
  /** Index of a token's mint in the changes. */
  readonly mints: Map<string, number>;
}

type ReadEvent = (told: Told, fields: EventFields) => void;

const objectCreation = "0x1::object::CreateEvent";

function readCollection({ changes }: Told, { text, address }: EventFields): void {
  const [collectionAddr, creator, name] = [address("collection"), address("creator"), text("name")];
  if (collectionAddr === undefined || creator === undefined || name === undefined) return;
  changes.push({ kind: "collection", collectionAddr, name, creator });
}

/** How the events are read, by their type; types at other addresses are not the standard library's. */
const readers: ReadonlyMap<string, ReadEvent> = new Map(
  Object.entries<ReadEvent>({
    [objectCreation]: ({ owners }, { address }) => {
      const [object, owner] = [address("object"), address("owner")];
      if (object !== undefined && owner !== undefined) owners.set(object, owner);
    },
    "0x1::object::TransferEvent": ({ owners, changes, txHash }, { address }) => {
      const [objectAddr, owner] = [address("object"), address("to")];
      if (objectAddr === undefined || owner === undefined) return;
      if (owners.has(objectAddr)) owners.set(objectAddr, owner);
      changes.push({ kind: "transferred", token: { objectAddr }, owner, txHash });
    },
    "0x1::object::DeleteEvent": ({ owners, changes, txHash }, { address }) => {
      const objectAddr = address("object");
      if (objectAddr === undefined) return;
      owners.delete(objectAddr);
      changes.push({ kind: "burned", token: { objectAddr }, txHash });
    },
    "0x1::collection::CreateEvent": readCollection,
    "0x1::collection::CreateCollectionEvent": readCollection,
    "0x1::collection::MintEvent": ({ owners, mints, changes, txHash }, { text, address }) => {
      const [collectionAddr, objectAddr, tokenId] = [address("collection"), address("nft"), text("token_id")];
      if (collectionAddr === undefined || objectAddr === undefined || tokenId === undefined) return;
      const owner = owners.get(objectAddr);
      // The standard library creates the object in the same call.
      if (owner === undefined) return;
      mints.set(`${collectionAddr} ${tokenId}`, changes.length);
      // Unless nft::CreateEvent follows, the URI is to be read.
      changes.push({ kind: "minted", collectionAddr, tokenId, owner, objectAddr, txHash, uri: undefined });
    },
    "0x1::collection::BurnEvent": ({ changes, txHash }, { text, address }) => {
      const [collectionAddr, tokenId] = [address("collection"), text("token_id")];
      if (collectionAddr === undefined || tokenId === undefined) return;
      changes.push({ kind: "burned", token: { collectionAddr, tokenId }, txHash });
    },
    "0x1::nft::CreateEvent": ({ mints, changes }, { text, address }) => {
      const uri = text("uri");
      const index = mints.get(`${address("collection")} ${text("token_id")}`);
      if (index === undefined || uri === undefined) return;
      const mint = changes[index];
      if (mint?.kind === "minted") changes[index] = { ...mint, uri };
    },
    "0x1::nft::MutationEvent": ({ changes, txHash }, { text, address }) => {
      const [objectAddr, uri] = [address("nft"), text("new_value")];
      if (objectAddr === undefined || uri === undefined || text("mutated_field_name") !== "uri") return;
      changes.push({ kind: "uriChanged", token: { objectAddr }, uri, txHash });
    },
  }),
);

/** True for an event about an NFT, or one that may be needed to understand it. */
export function isMoveNftEvent(event: VmEvent): boolean {
  return readers.has(moveTypeTag(event));
}

/** True for an event that alone does not concern a token: most objects are not tokens. */
export function isObjectCreation(event: VmEvent): boolean {
  return moveTypeTag(event) === objectCreation;
}

/** The changes in the events of one transaction, including transfers and deletions of objects that are not tokens. */
export function readMoveChanges(events: readonly VmEvent[], txHash: string): readonly NftChange[] {
  const told: Told = { txHash, changes: [], owners: new Map(), mints: new Map() };
  for (const event of events) {
    const read = readers.get(moveTypeTag(event));
    if (read === undefined) continue;
    const fields = parseObject(firstValue(event.attributes, "data") ?? "") ?? {};
    const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : undefined);
    const address = (name: string) => readMoveAddress(text(name) ?? "");
    read(told, { text, address });
  }
  return told.changes;
}

import { InputError, VipError, type Account } from "@vipscore/core";
import {
  isMissingRoute,
  isNotFound,
  openRest,
  RestError,
  undefinedIf,
  type Answer,
  type ReadAnswer,
  type RestClient,
} from "@vipscore/core/wire";
import { parseRatio } from "../bcs/bcsType.ts";
import { findVipAddress, parseVipAddress, type VipAddress } from "./vipAddress.ts";

/** Location of L1, and the block whose state is read. */
export interface L1Options {
  /** REST endpoint of L1, e.g. `https://rest.initia.xyz`. */
  readonly l1RestUrl: string;
  /** The block to read at, such as that of `readVipStage`, so that several reads see one state. Default: the newest one. */
  readonly block?: L1Block | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Location of VIP, which every read of it needs. */
export interface VipOptions extends L1Options {
  /** Address of the module `vip` in hex or bech32; not needed for the public networks. */
  readonly vipAddress?: string | undefined;
}

/** The block of L1 that a read belongs to. */
export interface L1Block {
  readonly chainId: string;
  /** The height of this data. */
  readonly height: bigint;
  /** The time of that block, which L1 uses. */
  readonly time: Date;
}

export function openL1({ l1RestUrl, block, signal }: L1Options): {
  readonly rest: RestClient;
  readonly at: { readonly height?: bigint; readonly signal: AbortSignal | undefined };
} {
  const rest = openRest(l1RestUrl, { title: "REST URL of L1" });
  return { rest, at: { ...(block === undefined ? {} : { height: block.height }), signal } };
}

/** L1's module `vip` at the height of one block. */
export interface VipReader {
  readonly block: L1Block;
  readonly vip: VipAddress;
  readonly rest: RestClient;
  /** Options that every read takes to see the state of {@link block}. */
  readonly at: { readonly height: bigint; readonly signal: AbortSignal | undefined };
  /**
   * Reads the data of the resource `ModuleStore`.
   *
   * @throws InputError `CONFIG_INVALID` if the module is not there; VipError `VIP_NOT_INITIALIZED` if it has no data.
   */
  readonly readModuleStore: <T>(read: ReadAnswer<T>) => Promise<T>;
}

/** Finds the module `vip` on L1, and the block at which everything that belongs together is read. */
export async function openVip({ vipAddress, signal, ...l1 }: VipOptions): Promise<VipReader> {
  const { rest } = openL1({ ...l1, signal });
  const named = vipAddress === undefined ? undefined : parseVipAddress(vipAddress);
  const block = l1.block ?? (await rest.get("/cosmos/base/tendermint/v1beta1/blocks/latest", readL1Block, { signal }));
  const { chainId, height } = block;
  const vip = findVipAddress(chainId, named);
  const { address } = vip;
  const at = { height, signal };
  const readModuleStore: VipReader["readModuleStore"] = (read) => {
    const path = `/initia/move/v1/accounts/${address}/resources/by_struct_tag`;
    const query = { struct_tag: `${address}::vip::ModuleStore` };
    const asked = rest.get(path, (answer) => read(dataOfModuleStore(answer)), { query, ...at });
    return asked.catch(async (error: unknown) => {
      if (!isNotFound(error) && !isMissingRoute(error)) throw error;
      // A node answers alike for a wrong address and for a module without its data.
      if (isNotFound(error) && (await hasModule(rest, address, at))) throw notInitialized(chainId, address, error);
      throw new InputError(`chain ${chainId} at ${rest.endpoint} has no VIP module at ${address}`, {
        code: "CONFIG_INVALID",
        metaMessages: ["Check that the REST URL is L1's, not the rollup's, and the module's address."],
        cause: error,
      });
    });
  };
  return { block, vip, rest, at, readModuleStore };
}

/** Any refusal means that the module cannot be read, so that the address is in doubt. */
async function hasModule(rest: RestClient, address: Account, at: VipReader["at"]): Promise<boolean> {
  const path = `/initia/move/v1/accounts/${address}/modules/vip`;
  const name = rest.get(path, (answer) => answer.field("module").field("module_name").text(), at);
  return (await undefinedIf((error) => error instanceof RestError, name)) === "vip";
}

function notInitialized(chainId: string, address: Account, cause: unknown): VipError {
  return new VipError(`the module vip at ${address} on chain ${chainId} is not initialized`, {
    code: "VIP_NOT_INITIALIZED",
    metaMessages: ["VIP has not started on this chain. Check that it is the L1 you mean."],
    cause,
  });
}

function readL1Block(answer: Answer): L1Block {
  const header = answer.field("block").field("header");
  return {
    chainId: header.field("chain_id").text(),
    height: header.field("height").u64(),
    time: header.field("time").isoTime(),
  };
}

function dataOfModuleStore(answer: Answer): Answer {
  const resource = answer.field("resource").field("move_resource").json();
  const type = resource.field("type");
  if (!type.text().endsWith("::vip::ModuleStore")) type.unreadable("that of VIP's ModuleStore");
  return resource.field("data");
}

export function readHandle(table: Answer): string {
  const handle = table.field("handle");
  return /^0x[0-9a-f]{1,64}$/i.test(handle.text()) ? handle.text() : handle.unreadable("a table's handle");
}

/** Reads the resource `ModuleStore` of another of VIP's modules. */
export function readStoreOf<T>(
  { rest, vip, at }: VipReader,
  module: "operator" | "tvl_manager" | "vault" | "vesting",
  read: (data: Answer) => T,
): Promise<T> {
  const readData = (answer: Answer): T => read(answer.field("resource").field("move_resource").json().field("data"));
  const query = { struct_tag: `${vip.address}::${module}::ModuleStore` };
  return rest.get(`/initia/move/v1/accounts/${vip.address}/resources/by_struct_tag`, readData, { ...at, query });
}

/** True for L1's answer about a missing entry of a table; a gateway's own 404 says nothing of the table. */
function isMissingEntry(error: unknown): boolean {
  return isNotFound(error) && error.status !== 404;
}

/** Reads a value of a table; undefined if the table does not have the key. */
export function findEntry<T>(
  { rest, at }: VipReader,
  handle: string,
  key: Buffer,
  read: (value: Answer) => T,
): Promise<T | undefined> {
  const path = `/initia/move/v1/tables/${handle}/entries/by_key_bytes`;
  const asked = rest.get(path, (answer) => read(answer.field("table_entry").field("value").json()), {
    ...at,
    query: { key_bytes: key.toString("base64") },
  });
  return undefinedIf(isMissingEntry, asked);
}

/** Reads a decimal number as a multiple of 10^-18. */
export function readRatio(field: Answer): bigint {
  return parseRatio(field.decimal()) ?? field.unreadable("a decimal number");
}

/** Entries in a page, and pages of a table at most. */
const limits = { entries: 100, pages: 100 };

/** Reads all entries of a table, sorted by the bytes of their keys. */
export async function listEntries<T>(
  { rest, at }: VipReader,
  handle: string,
  read: (entry: Answer, value: Answer) => T,
): Promise<readonly T[]> {
  const path = `/initia/move/v1/tables/${handle}/entries`;
  const found: T[] = [];
  let key = "";
  for (let page = 1; page <= limits.pages; page += 1) {
    const from: Record<string, string> = key === "" ? {} : { "pagination.key": key };
    const readPage = (answer: Answer): { readonly entries: readonly T[]; readonly next: string } => {
      const next = answer.optional("pagination")?.optional("next_key");
      if (next !== undefined && page === limits.pages) next.unreadable(`the end of at most ${limits.pages} pages`);
      const entries = answer.field("table_entries").elements();
      return {
        entries: entries.map((entry) => read(entry, entry.field("value").json())),
        next: next?.text() ?? "",
      };
    };
    const query = { "pagination.limit": `${limits.entries}`, ...from };
    const { entries, next } = await rest.get(path, readPage, { ...at, query });
    found.push(...entries);
    if (next === "") break;
    key = next;
  }
  return found;
}

/** A number in a table's key: a BCS list of its 8 bytes, big-endian, so that the table is sorted by it. */
export function keyOf(value: bigint): Buffer {
  const key = Buffer.alloc(9, 8);
  key.writeBigUInt64BE(value, 1);
  return key;
}

/** Two numbers in a table's key: 16 bytes, both in big-endian order. */
export function pairKey(one: bigint, other: bigint): Buffer {
  const key = Buffer.alloc(16);
  key.writeBigUInt64BE(one);
  key.writeBigUInt64BE(other, 8);
  return key;
}

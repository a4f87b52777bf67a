import { isSlow, zeroAddress } from "@vipscore/blocks";
import {
  allGiven,
  lowerHex,
  quantity,
  readBlockTimes,
  type EvmRpc,
  type Outcome,
  type RpcCall,
  type ViewReader,
} from "@vipscore/blocks/evm";
import { NodeError } from "@vipscore/core";
import { isCallFailure, isRefusalToWork, RpcError, type Answer } from "@vipscore/core/wire";
import type { CollectionSeen, HexAddress } from "../nftChain.ts";
import { decodeName } from "./abiText.ts";
import type { NftLog } from "./nftLog.ts";

/** Gas for a call: ERC-165 allows 30,000; a name that takes more than this is ignored. */
const gas = 1_000_000;

/** `supportsInterface(0x80ac58cd)`: ERC-165 asked for ERC-721. */
const supportsErc721 = `0x01ffc9a780ac58cd${"0".repeat(56)}`;
/** `supportsInterface(0x5b5e139f)`: ERC-165 asked for the metadata of ERC-721. */
const supportsMetadata = `0x01ffc9a75b5e139f${"0".repeat(56)}`;
/** `ownerOf(uint256)` of ERC-721, without its argument. */
const ownerOf = "0x6352211e";
/** `decimals()` of ERC-20, which ERC-721 does not have. */
const decimals = "0x313ce567";
/** `name()` of ERC-721's metadata. */
const nameOf = "0x06fdde03";

/**
 * Reads the contracts of the logs, each the first log of its contract: returns collections, or undefined for a contract
 * that is not an ERC-721 collection.
 *
 * Some ERC-20-like contracts index the value of a transfer, so that the log probes like ERC-721. Yes to ERC-165 decides. A
 * contract that says no may have forgotten a parent in its override: it is a collection if it has ERC-721's metadata, or an
 * owner of the log's token and no decimals. A contract without an answer (it reverts, or does not return a boolean) is a
 * collection unless it has decimals: early collections do not support ERC-165.
 *
 * The creator, the height and the time of a collection are those of its contract's creation, as on a real indexer; if
 * the node does not know the creation, those of the log.
 */
export async function readCollections(
  { rpc, readViews }: { readonly rpc: EvmRpc; readonly readViews: ViewReader },
  logs: readonly NftLog[],
  signal: AbortSignal,
): Promise<readonly (CollectionSeen | undefined)[]> {
  const questions = (log: NftLog) => [
    supportsErc721,
    supportsMetadata,
    decimals,
    ownerOf + log.firstId.toString(16).padStart(64, "0"),
  ];
  const words = givenByContracts(await readViews(viewsOf(logs, questions), firstWord, signal));
  const collections = logs.filter((_, index) => isErc721(words.slice(4 * index, 4 * index + 4)));
  const names = await readNames(readViews, collections, signal);
  const creations = await readCreations(rpc, collections, signal);
  const heights = [...new Set(creations.flatMap((creation) => creation?.height ?? []))];
  const times = await readBlockTimes(rpc, heights, signal);
  const unknown = collections.filter((_, index) => creations[index] === undefined);
  const signers = await readSigners(rpc, unknown, signal);
  const read = new Map<HexAddress, CollectionSeen>();
  for (const [index, { address: collectionAddr }] of collections.entries()) {
    const creation = creations[index];
    const seen = { kind: "collection", collectionAddr, name: names[index] ?? "" } as const;
    if (creation === undefined) {
      read.set(collectionAddr, { ...seen, creator: signers.get(collectionAddr) ?? zeroAddress });
    } else {
      const { height, creator } = creation;
      read.set(collectionAddr, { ...seen, creator, createdAt: { height, timestamp: times.get(height) ?? "" } });
    }
  }
  return logs.map(({ address }) => read.get(address));
}

/** Reads the names of contracts; undefined for one that gives none. @throws the first refusal of the node. */
export async function readNames(
  readViews: ViewReader,
  contracts: readonly Pick<NftLog, "address" | "height">[],
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  const views = viewsOf(contracts, () => [nameOf]);
  const names = givenByContracts(await readViews(views, decodeName, signal));
  return names.map((name) => (typeof name === "string" && name !== "" ? name : undefined));
}

/** Returns outcomes that are the contracts' answers. @throws the first refusal of the node, which says nothing about them. */
function givenByContracts<T>(outcomes: readonly Outcome<T>[]): readonly Outcome<T>[] {
  const refusal = outcomes.find((outcome) => isNodesRefusal(outcome));
  if (refusal instanceof NodeError) throw refusal;
  return outcomes;
}

/**
 * True if the node did not serve a call: the contract answered nothing, and did not fail. A node under load does not answer in
 * time (chainstack PR 288).
 */
export function isNodesRefusal(outcome: unknown): boolean {
  return isSlow(outcome) || (outcome instanceof RpcError && !isCallFailure(outcome));
}

function viewsOf<L extends Pick<NftLog, "address" | "height">>(
  logs: readonly L[],
  callsOf: (log: L) => readonly string[],
) {
  return logs.flatMap((log) => callsOf(log).map((data) => ({ to: log.address, height: log.height, data, gas })));
}

function isErc721([supports, metadata, places, owner]: readonly Outcome<bigint | undefined>[]): boolean {
  const hasDecimals = typeof places === "bigint" && places < 256n;
  if (supports === 1n) return true;
  if (supports !== 0n) return !hasDecimals;
  const hasOwner = typeof owner === "bigint" && owner > 0n && owner < 2n ** 160n;
  return metadata === 1n || (hasOwner && !hasDecimals);
}

/** The first word of an answer; undefined if there is none. */
function firstWord(answer: string): bigint | undefined {
  return answer.length < 66 ? undefined : BigInt(answer.slice(0, 66));
}

/** The signers of the logs' transactions, by the logs' contracts, if the node still has the transactions. */
async function readSigners(
  rpc: EvmRpc,
  logs: readonly NftLog[],
  signal: AbortSignal,
): Promise<ReadonlyMap<HexAddress, HexAddress>> {
  const method = "eth_getTransactionByHash";
  const calls = logs.map(({ txHash, address }) => ({ method, params: [txHash], address }));
  const read = (answer: Answer, { address }: (typeof calls)[number]) =>
    answer.value === null ? [] : [[address, lowerHex(answer.field("from"), 20)] as const];
  return new Map(allGiven(await rpc.readAll(calls, read, signal)).flat());
}

interface Creation {
  readonly height: number;
  /** The signer of the transaction. */
  readonly creator: HexAddress;
}

/** Maximum transactions of a block whose receipts are searched. */
const maxReceipts = 1_000;

/** Attempts for a call before the search goes without its answer. */
const maxAttempts = 3;

/** A contract, and between which blocks it was created: it has no code after `noCodeAt`, and some after `hasCodeAt`. */
interface Search {
  readonly address: HexAddress;
  noCodeAt: number;
  hasCodeAt: number;
  hasFailed: boolean;
}

/**
 * Finds when the contracts of some logs were created, from when their code first existed: 20 to 30 requests for each.
 * Undefined if the node has pruned that state, or does not show which transaction of the block it was.
 */
async function readCreations(
  rpc: EvmRpc,
  logs: readonly NftLog[],
  signal: AbortSignal,
): Promise<readonly (Creation | undefined)[]> {
  const searches = logs.map(({ address, height }): Search => {
    return { address, noCodeAt: 0, hasCodeAt: height, hasFailed: false };
  });
  // Most contracts are created in the block of their first token, or just before.
  const probes: readonly ((search: Search) => number)[] = [
    (search) => search.hasCodeAt - 1,
    (search) => search.hasCodeAt - 16,
  ];
  for (let round = 0; ; round += 1) {
    const open = searches.filter((search) => !search.hasFailed && search.hasCodeAt - search.noCodeAt > 1);
    if (open.length === 0) break;
    const middle = probes[round] ?? ((search: Search) => Math.floor((search.noCodeAt + search.hasCodeAt) / 2));
    await narrow(rpc, open, middle, signal);
  }
  const found = searches.filter(({ hasFailed }) => !hasFailed);
  const creations = await findTransactions(rpc, found, signal);
  return searches.map(({ address }) => creations.get(address));
}

async function narrow(
  rpc: EvmRpc,
  open: readonly Search[],
  middleOf: (search: Search) => number,
  signal: AbortSignal,
): Promise<void> {
  const calls = open.map((search) => {
    const height = Math.max(search.noCodeAt + 1, middleOf(search));
    return { method: "eth_getCode", params: [search.address, quantity(height)], search, height };
  });
  const answers = await readAgain(rpc, calls, hasCode, signal);
  for (const [index, { search, height }] of calls.entries()) {
    if (answers[index] === false) search.noCodeAt = height;
    else if (answers[index] === true) search.hasCodeAt = height;
    else search.hasFailed = true;
  }
}

/**
 * Returns what the calls answer; undefined for those that the node refuses, or answers with nothing, at each attempt. A node
 * that has the state may fail once, and what it refuses is not asked for later.
 */
async function readAgain<T>(
  rpc: EvmRpc,
  calls: readonly RpcCall[],
  read: (answer: Answer) => T | undefined,
  signal: AbortSignal,
): Promise<readonly (T | undefined)[]> {
  const answers = new Map<RpcCall, T>();
  for (let attempt = 1; attempt <= maxAttempts && answers.size < calls.length; attempt += 1) {
    const open = calls.filter((call) => !answers.has(call));
    const outcomes = await rpc.readAll(open, read, signal);
    for (const [index, call] of open.entries()) {
      const outcome = outcomes[index];
      if (isRefusalToWork(outcome)) throw outcome;
      if (outcome !== undefined && !(outcome instanceof NodeError)) answers.set(call, outcome);
    }
  }
  return calls.map((call) => answers.get(call));
}

/** True if there is code; undefined if unclear, for example if the node has pruned the state. */
function hasCode({ value }: Answer): boolean | undefined {
  return typeof value === "string" && /^0x(?:[0-9a-f]{2}|$)/i.test(value) ? value.length > 2 : undefined;
}

/** The transactions that created the contracts in the known blocks, by contract address. */
async function findTransactions(
  rpc: EvmRpc,
  searches: readonly Search[],
  signal: AbortSignal,
): Promise<ReadonlyMap<HexAddress, Creation>> {
  const creations = new Map<HexAddress, Creation>();
  for (const height of new Set(searches.map((search) => search.hasCodeAt))) {
    const addresses = new Set(searches.filter((search) => search.hasCodeAt === height).map(({ address }) => address));
    for (const receipt of await readReceipts(rpc, height, signal)) {
      for (const address of receipt.contracts) {
        if (!addresses.has(address) || creations.has(address)) continue;
        creations.set(address, { height, creator: receipt.from });
      }
    }
  }
  return creations;
}

/** The contracts in a transaction's receipt. */
interface ReadReceipt {
  readonly from: HexAddress;
  /**
   * The contract that it created, and those with logs in it: the receipt of a factory call does not name the contract.
   */
  readonly contracts: ReadonlySet<HexAddress>;
}

async function readReceipts(rpc: EvmRpc, height: number, signal: AbortSignal): Promise<readonly ReadReceipt[]> {
  const block = { method: "eth_getBlockByNumber", params: [quantity(height), false] };
  const readHashes = (answer: Answer) => {
    if (answer.value === null) return undefined;
    return answer
      .field("transactions")
      .list()
      .map((transaction) => transaction.hex());
  };
  const [hashes] = await readAgain(rpc, [block], readHashes, signal);
  if (hashes === undefined || hashes.length > maxReceipts) return [];
  const calls = hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
  const receipts = await readAgain(rpc, calls, readCreationReceipt, signal);
  return receipts.flatMap((receipt) => receipt ?? []);
}

function readCreationReceipt(answer: Answer): ReadReceipt | undefined {
  if (answer.value === null) return undefined;
  const created = answer.optional("contractAddress");
  const logs = answer.field("logs").list();
  const contracts = new Set(logs.map((log) => lowerHex(log.field("address"), 20)));
  if (created !== undefined) contracts.add(lowerHex(created, 20));
  return { from: lowerHex(answer.field("from"), 20), contracts };
}

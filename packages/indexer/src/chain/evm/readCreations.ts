import { lowerHex, quantity, type EvmRpc, type RpcCall } from "@vipscore/blocks/evm";
import { NodeError } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../nftChain.ts";
import type { NftLog } from "./nftLog.ts";

/** A contract's creation. */
export interface Creation {
  readonly height: number;
  /** The signer of the transaction. */
  readonly creator: HexAddress;
}

/** Maximum transactions of a block whose receipts are searched. */
const maxReceipts = 1_000;

/** Attempts for a call before the search goes without its answer. */
const maxAttempts = 3;

/** A contract, and between which blocks it was created: it has no code after `without`, and some after `with`. */
interface Search {
  readonly address: HexAddress;
  without: number;
  with: number;
  isOver: boolean;
}

/**
 * Finds when the contracts of some logs were created, from when their code first existed: 20 to 30 requests for each.
 * Undefined if the node has pruned that state, or does not show which transaction of the block it was.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readCreations(
  rpc: EvmRpc,
  logs: readonly NftLog[],
  signal: AbortSignal,
): Promise<readonly (Creation | undefined)[]> {
  const searches = logs.map(({ address, height }): Search => {
    return { address, without: 0, with: height, isOver: false };
  });
  // Most contracts are created in the block of their first token, or just before.
  const looks: readonly ((search: Search) => number)[] = [(search) => search.with - 1, (search) => search.with - 16];
  for (let look = 0; ; look += 1) {
    const open = searches.filter((search) => !search.isOver && search.with - search.without > 1);
    if (open.length === 0) break;
    const middle = looks[look] ?? ((search: Search) => Math.floor((search.without + search.with) / 2));
    await narrow(rpc, open, middle, signal);
  }
  const found = searches.filter(({ isOver }) => !isOver);
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
    const height = Math.max(search.without + 1, middleOf(search));
    return { method: "eth_getCode", params: [search.address, quantity(height)], search, height };
  });
  const answers = await readAgain(rpc, calls, hasCode, signal);
  for (const [index, { search, height }] of calls.entries()) {
    if (answers[index] === false) search.without = height;
    else if (answers[index] === true) search.with = height;
    else search.isOver = true;
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
  for (const height of new Set(searches.map((search) => search.with))) {
    const addresses = new Set(searches.filter((search) => search.with === height).map(({ address }) => address));
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
  const receipts = await readAgain(rpc, calls, readReceipt, signal);
  return receipts.flatMap((receipt) => receipt ?? []);
}

function readReceipt(answer: Answer): ReadReceipt | undefined {
  if (answer.value === null) return undefined;
  const created = answer.optional("contractAddress");
  const logs = answer.field("logs").list();
  const contracts = new Set(logs.map((log) => lowerHex(log.field("address"), 20)));
  if (created !== undefined) contracts.add(lowerHex(created, 20));
  return { from: lowerHex(answer.field("from"), 20), contracts };
}

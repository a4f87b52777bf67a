import type { HexAddress } from "../nftChain.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { isHex, quantity, readBytes, readObject } from "./hexValues.ts";
import type { NftLog } from "./nftLog.ts";
import { RpcRefusal } from "./rpcRefusal.ts";

/** How a contract came to be. */
export interface Creation {
  readonly height: number;
  /** Who signed the transaction. */
  readonly creator: HexAddress;
}

/** Most transactions of a block whose receipts are looked through. */
const mostReceipts = 1_000;

/** A contract, and between which blocks it was created: it has no code after `without`, and some after `with`. */
interface Search {
  readonly address: HexAddress;
  without: number;
  with: number;
  isOver: boolean;
}

/**
 * Finds the creations of the contracts of some logs, by when their code was first there: 20 to 30 questions for each. Undefined
 * where the node has forgotten that state, or does not tell one transaction of the block from another.
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
  const heights = open.map((search) => Math.max(search.without + 1, middleOf(search)));
  const calls = open.map(({ address }, index) => {
    return { method: "eth_getCode", params: [address, quantity(heights[index] ?? 0)] };
  });
  const answers = await rpc.requestAll(calls, signal);
  for (const [index, search] of open.entries()) {
    const [answer, height = 0] = [answers[index], heights[index]];
    if (typeof answer !== "string" || !isHex(answer)) search.isOver = true;
    else if (answer === "0x") search.without = height;
    else search.with = height;
  }
}

/** The transactions that created the contracts, in the blocks that are known, by the contracts' addresses. */
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

/** What a transaction's receipt says of contracts. */
interface ReadReceipt {
  readonly from: HexAddress;
  /** The contract that it created, and those that logged something in it: a factory names no contract in its receipt. */
  readonly contracts: readonly HexAddress[];
}

async function readReceipts(rpc: EvmRpc, height: number, signal: AbortSignal): Promise<readonly ReadReceipt[]> {
  const [block] = await rpc.requestAll([{ method: "eth_getBlockByNumber", params: [quantity(height), false] }], signal);
  const transactions: unknown = typeof block === "object" && block !== null ? Reflect.get(block, "transactions") : [];
  if (!Array.isArray(transactions) || transactions.length > mostReceipts) return [];
  const method = "eth_getTransactionReceipt";
  const calls = transactions.map((hash: unknown) => ({ method, params: [hash] }));
  const read = (answer: unknown): ReadReceipt | undefined => {
    if (answer instanceof RpcRefusal || answer === null) return undefined;
    const { from, contractAddress, logs } = readObject(rpc, method, answer);
    const loggers = Array.isArray(logs) ? logs.map((log: unknown) => readObject(rpc, method, log)["address"]) : [];
    const contracts = [contractAddress, ...new Set(loggers)].flatMap((address) =>
      address === null || address === undefined ? [] : readBytes(rpc, method, address, 20),
    );
    return { from: readBytes(rpc, method, from, 20), contracts };
  };
  return (await rpc.readAll(calls, read, signal)).flatMap((receipt) => receipt ?? []);
}

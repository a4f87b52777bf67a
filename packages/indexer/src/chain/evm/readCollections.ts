import { zeroAddress } from "@vipscore/blocks";
import { allGiven, lowerHex, readBlockTimes, type EvmRpc, type Outcome, type ViewReader } from "@vipscore/blocks/evm";
import type { Answer } from "@vipscore/core/wire";
import type { CollectionSeen, HexAddress } from "../nftChain.ts";
import { decodeName } from "./abiText.ts";
import type { NftLog } from "./nftLog.ts";
import { readCreations } from "./readCreations.ts";

/** Gas for a call: ERC-165 allows 30,000; a name that takes more than this is ignored. */
const gas = 1_000_000;

/** `supportsInterface(0x80ac58cd)`: ERC-165 asked for ERC-721. */
const supportsErc721 = `0x01ffc9a780ac58cd${"0".repeat(56)}`;
/** `decimals()` of ERC-20, which ERC-721 does not have. */
const decimals = "0x313ce567";
/** `name()` of ERC-721's metadata. */
const nameOf = "0x06fdde03";

/**
 * Reads the contracts of the logs, each the first log of its contract: returns collections, or undefined for a contract
 * that is not an ERC-721 collection.
 *
 * Some ERC-20-like contracts index the value of a transfer, so that the log looks like ERC-721. An answer to ERC-165
 * decides. A contract without one (it reverts, or does not return a boolean) is a collection unless it has decimals:
 * early collections do not support ERC-165.
 *
 * The creator, the height and the time of a collection are those of its contract's creation, as on a real indexer; if
 * the node does not know the creation, those of the log.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readCollections(
  { rpc, readViews }: { readonly rpc: EvmRpc; readonly readViews: ViewReader },
  logs: readonly NftLog[],
  signal: AbortSignal,
): Promise<readonly (CollectionSeen | undefined)[]> {
  const kinds = await readViews(viewsOf(logs, [supportsErc721, decimals]), firstWord, signal);
  const collections = logs.filter((_, index) => isErc721(kinds[2 * index], kinds[2 * index + 1]));
  const names = await readViews(viewsOf(collections, [nameOf]), decodeName, signal);
  const creations = await readCreations(rpc, collections, signal);
  const heights = [...new Set(creations.flatMap((creation) => creation?.height ?? []))];
  const times = await readBlockTimes(rpc, heights, signal);
  const unknown = collections.filter((_, index) => creations[index] === undefined);
  const signers = await readSigners(rpc, unknown, signal);
  const read = new Map<HexAddress, CollectionSeen>();
  for (const [index, { address: collectionAddr }] of collections.entries()) {
    const name = names[index];
    const creation = creations[index];
    const seen = { kind: "collection", collectionAddr, name: typeof name === "string" ? name : "" } as const;
    if (creation === undefined) {
      read.set(collectionAddr, { ...seen, creator: signers.get(collectionAddr) ?? zeroAddress });
    } else {
      const { height, creator } = creation;
      read.set(collectionAddr, { ...seen, creator, createdAt: { height, timestamp: times.get(height) ?? "" } });
    }
  }
  return logs.map(({ address }) => read.get(address));
}

function viewsOf(logs: readonly NftLog[], calls: readonly string[]) {
  return logs.flatMap(({ address: to, height }) => calls.map((data) => ({ to, height, data, gas })));
}

function isErc721(supports: Outcome<bigint | undefined>, places: Outcome<bigint | undefined>): boolean {
  if (supports === 0n || supports === 1n) return supports === 1n;
  const hasDecimals = typeof places === "bigint" && places < 256n;
  return !hasDecimals;
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

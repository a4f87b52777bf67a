import type { CollectionSeen, HexAddress } from "../nftChain.ts";
import { decodeName } from "./abiText.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { readBytes, readObject, zeroAddress } from "./hexValues.ts";
import type { NftLog } from "./nftLog.ts";
import { RpcRefusal } from "./rpcRefusal.ts";
import type { ViewReader } from "./readViews.ts";

/** ERC-165 allows 30,000; a name that takes more than this is none. */
const gas = 1_000_000;

/** `supportsInterface(0x80ac58cd)`: ERC-165 asked for ERC-721. */
const supportsErc721 = `0x01ffc9a780ac58cd${"0".repeat(56)}`;
/** `decimals()` of ERC-20, which ERC-721 does not have. */
const decimals = "0x313ce567";
/** `name()` of ERC-721's metadata. */
const name = "0x06fdde03";

/**
 * Reads the contracts of the logs, each the first that is seen of its contract: as collections, or undefined for one that is
 * no collection of ERC-721.
 *
 * Some contracts like ERC-20 index the value of a transfer, so that the log looks like one of ERC-721. A contract that
 * answers ERC-165 is believed, both ways. One that does not answer it (it reverts, or answers no boolean) is a collection
 * unless it has decimals: early collections know nothing of ERC-165.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readCollections(
  { rpc, readViews }: { readonly rpc: EvmRpc; readonly readViews: ViewReader },
  logs: readonly NftLog[],
  signal: AbortSignal,
): Promise<readonly (CollectionSeen | undefined)[]> {
  const creators = await readSenders(rpc, logs, signal);
  const views = logs.flatMap(({ address: to, height }) =>
    [supportsErc721, decimals, name].map((data) => ({ to, height, data, gas })),
  );
  const answers = await readViews(views, signal);
  return logs.map(({ address }, index) => {
    const [supports, places, named] = answers.slice(3 * index);
    if (!isErc721(supports, places)) return undefined;
    const creator = creators[index] ?? zeroAddress;
    return { kind: "collection", collectionAddr: address, name: decodeName(named), creator };
  });
}

function isErc721(supports: string | undefined, places: string | undefined): boolean {
  const answer = wordOf(supports);
  if (answer === 0n || answer === 1n) return answer === 1n;
  const hasDecimals = (wordOf(places) ?? 256n) < 256n;
  return !hasDecimals;
}

/** The first word of an answer; undefined where there is none. */
function wordOf(answer: string | undefined): bigint | undefined {
  return answer === undefined || answer.length < 66 ? undefined : BigInt(answer.slice(0, 66));
}

/** Who signed the logs' transactions; undefined where the node does not know the transaction any more. */
async function readSenders(
  rpc: EvmRpc,
  logs: readonly NftLog[],
  signal: AbortSignal,
): Promise<readonly (HexAddress | undefined)[]> {
  const method = "eth_getTransactionByHash";
  const answers = await rpc.requestAll(
    logs.map(({ txHash }) => ({ method, params: [txHash] })),
    signal,
  );
  return answers.map((answer) => {
    if (answer instanceof RpcRefusal) throw answer;
    return answer === null ? undefined : readBytes(rpc, method, readObject(rpc, method, answer)["from"], 20);
  });
}

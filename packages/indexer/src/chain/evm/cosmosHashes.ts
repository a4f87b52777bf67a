import { RpcError, type Answer } from "@vipscore/core/wire";
import type { EvmRpc } from "./evmRpc.ts";

/** minievm's method (`jsonrpc/namespaces/cosmos/api.go`); it answers hex without `0x`, zeros for a transaction it does not know. */
const method = "cosmos_cosmosTxHashByTxHash";

/** With such words a node says that it does not have a method; the code for it is -32601. */
const missingTexts = /method.*(not found|not exist|not supported|not available|unavailable)|unsupported method/i;

/** Gives the hashes of Cosmos transactions that stand for those of EVM transactions. */
export class CosmosHashes {
  readonly #rpc: EvmRpc;
  /** A chain that is not a Cosmos chain does not become one. */
  #isMissing = false;

  constructor(rpc: EvmRpc) {
    this.#rpc = rpc;
  }

  /**
   * The Cosmos hash in upper-case hex by the EVM hash, as a real indexer lists it; without those that the node does not know,
   * and empty for a node without Cosmos transactions.
   *
   * @throws NodeError; the signal's reason when aborted.
   */
  async read(txHashes: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const hashes = [...new Set(txHashes)];
    const [first] = hashes;
    if (this.#isMissing || first === undefined) return new Map();
    const ask = (some: readonly string[]) =>
      this.#rpc.readAll(
        some.map((txHash) => ({ method, params: [txHash] })),
        readHash,
        signal,
      );
    const [one] = await ask([first]);
    if (one instanceof RpcError && (one.rpcCode === -32601 || missingTexts.test(one.details ?? ""))) {
      this.#isMissing = true;
      return new Map();
    }
    const found = [one, ...(await ask(hashes.slice(1)))];
    return new Map(
      hashes.flatMap((txHash, index) => {
        const hash = found[index];
        return typeof hash === "string" ? [[txHash, hash] as const] : [];
      }),
    );
  }
}

function readHash({ value }: Answer): string | undefined {
  const [, digits] = (typeof value === "string" && /^(?:0x)?([0-9a-f]{64})$/i.exec(value)) || [];
  return digits === undefined || /^0+$/.test(digits) ? undefined : digits.toUpperCase();
}

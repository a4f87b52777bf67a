import type { Answer } from "@vipscore/core/wire";
import { isMissingMethod } from "../readErrors.ts";
import type { EvmRpc } from "./evmRpc.ts";

/**
 * minievm's method (`jsonrpc/namespaces/cosmos/api.go`); it returns hex without `0x`, zeros for an unknown transaction.
 */
const method = "cosmos_cosmosTxHashByTxHash";

/** Maps hashes of EVM transactions to those of their Cosmos transactions. */
export class CosmosHashes {
  readonly #rpc: EvmRpc;
  /** True if the node lacks the method, which does not change. */
  #isMissing = false;

  constructor(rpc: EvmRpc) {
    this.#rpc = rpc;
  }

  /**
   * Returns the Cosmos hash in uppercase hex by EVM hash; without unknown transactions, and empty for a node without
   * Cosmos transactions.
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
    if (isMissingMethod(one)) {
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

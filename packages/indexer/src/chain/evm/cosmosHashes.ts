import type { EvmRpc } from "./evmRpc.ts";
import { RpcRefusal } from "./rpcRefusal.ts";

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
    const found = new Map<string, string>();
    if (this.#isMissing || first === undefined) return found;
    const keep = (txHash: string, answer: unknown): void => {
      if (typeof answer !== "string" || !/^(?:0x)?[0-9a-f]{64}$/i.test(answer) || /^(?:0x)?0+$/.test(answer)) return;
      found.set(txHash, answer.replace(/^0x/, "").toUpperCase());
    };
    const [one] = await this.#rpc.requestAll([{ method, params: [first] }], signal);
    if (one instanceof RpcRefusal && (one.rpcCode === -32601 || missingTexts.test(one.details ?? ""))) {
      this.#isMissing = true;
      return found;
    }
    keep(first, one);
    const others = hashes.slice(1);
    const calls = others.map((txHash) => ({ method, params: [txHash] }));
    await this.#rpc.readAll(calls, (answer, index) => keep(others[index] ?? "", answer), signal);
    return found;
  }
}

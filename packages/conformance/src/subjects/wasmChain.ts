import { createHash } from "node:crypto";
import { Comet38Client } from "@cosmjs/tendermint-rpc";
import { QueryAccountInfoRequest, QueryAccountInfoResponse } from "cosmjs-types/cosmos/auth/v1beta1/query";
import {
  QueryAllContractStateRequest,
  QueryAllContractStateResponse,
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { BroadcastError, type TransactionStatus } from "@vipscore/core";
import type { TransactionPort } from "@vipscore/core/engine";
import type { CosmosMessage, UnsignedTransaction } from "@vipscore/cosmos";
import type { WasmAccount } from "@vipscore/wasm";

/** A query that the contract refused, with the contract's text. */
export class ContractQueryError extends Error {
  override readonly name = "ContractQueryError";
}

interface Signed {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** A chain with CosmWasm, queried over CometBFT's RPC with cosmjs. */
export class WasmChain implements TransactionPort {
  readonly chainId: string;
  readonly #comet: Comet38Client;

  constructor(comet: Comet38Client, chainId: string) {
    this.#comet = comet;
    this.chainId = chainId;
  }

  static async connect(rpcUrl: string, chainId: string): Promise<WasmChain> {
    return new WasmChain(await Comet38Client.connect(rpcUrl), chainId);
  }

  /** Queries a contract; integers in the answer are bigint. */
  async query<T>(contract: string, message: string): Promise<T> {
    const request = { address: contract, queryData: Buffer.from(message) };
    const data = QuerySmartContractStateRequest.encode(request).finish();
    const answer = await this.#comet.abciQuery({ path: "/cosmwasm.wasm.v1.Query/SmartContractState", data });
    if (answer.code !== 0) throw new ContractQueryError(answer.log ?? "");
    const text = Buffer.from(QuerySmartContractStateResponse.decode(answer.value).data).toString("utf8");
    return parseExact(text) as T;
  }

  /** Returns who may migrate a contract, in bech32; empty for nobody. */
  async adminOf(contract: string): Promise<string> {
    const data = QueryContractInfoRequest.encode({ address: contract }).finish();
    const answer = await this.#comet.abciQuery({ path: "/cosmwasm.wasm.v1.Query/ContractInfo", data });
    if (answer.code !== 0) throw new ContractQueryError(answer.log ?? "");
    return QueryContractInfoResponse.decode(answer.value).contractInfo.admin;
  }

  /** Returns everything that a contract keeps at a height: values as text by keys in hex. */
  async stateOf(contract: string, height: number): Promise<ReadonlyMap<string, string>> {
    const state = new Map<string, string>();
    let key: Uint8Array = new Uint8Array();
    do {
      const request = { address: contract, pagination: { key, limit: 1_000n } };
      const data = QueryAllContractStateRequest.encode(QueryAllContractStateRequest.fromPartial(request)).finish();
      const path = "/cosmwasm.wasm.v1.Query/AllContractState";
      const answer = await this.#comet.abciQuery({ path, data, height });
      if (answer.code !== 0) throw new ContractQueryError(answer.log ?? "");
      const { models, pagination } = QueryAllContractStateResponse.decode(answer.value);
      for (const model of models) {
        state.set(Buffer.from(model.key).toString("hex"), Buffer.from(model.value).toString("latin1"));
      }
      key = pagination?.nextKey ?? new Uint8Array();
    } while (key.length > 0);
    return state;
  }

  /** Returns the height of a transaction that is in a block. */
  async heightOf(hash: string): Promise<number> {
    return (await this.#comet.tx({ hash: Buffer.from(hash, "hex") })).height;
  }

  /** Signs a message with the account's next sequence, or one that many later. */
  async sign(
    account: WasmAccount,
    message: CosmosMessage,
    { gas, fee, ahead = 0n }: Pick<UnsignedTransaction, "gas" | "fee"> & { readonly ahead?: bigint },
  ): Promise<Signed & { readonly sequence: bigint; readonly gas: bigint }> {
    const data = QueryAccountInfoRequest.encode({ address: account.address }).finish();
    const answer = await this.#comet.abciQuery({ path: "/cosmos.auth.v1beta1.Query/AccountInfo", data });
    const { info } = QueryAccountInfoResponse.decode(answer.value);
    if (info === undefined) throw new Error(`the chain does not know ${account.address}: ${answer.log ?? ""}`);
    const sequence = info.sequence + ahead;
    const unsigned = { message, chainId: this.chainId, accountNumber: info.accountNumber, sequence, gas, fee };
    const bytes = await account.signTransaction(unsigned);
    return { hash: createHash("sha256").update(bytes).digest("hex").toUpperCase(), bytes, sequence, gas };
  }

  async broadcast(transaction: Signed): Promise<void> {
    const { code, log = "" } = await this.#comet.broadcastTxSync({ tx: transaction.bytes });
    if (code !== 0) throw new BroadcastError(`the node refused ${transaction.hash}: ${log}`, { refusal: "other" });
  }

  async lookUp(hash: string): Promise<TransactionStatus> {
    // The search is empty for a transaction that is not in a block; looking up its hash would be an error.
    const { txs } = await this.#comet.txSearch({ query: `tx.hash='${hash}'` });
    const [tx] = txs;
    if (tx === undefined) return { state: "unknown" };
    const { code, gasUsed, log = "" } = tx.result;
    return { state: "included", succeeded: code === 0, height: BigInt(tx.height), gasUsed, details: log };
  }

  /** Returns the events of a transaction that is in a block. */
  async events(
    hash: string,
  ): Promise<readonly { readonly type: string; readonly values: ReadonlyMap<string, string> }[]> {
    const { result } = await this.#comet.tx({ hash: Buffer.from(hash, "hex") });
    return result.events.map(({ type, attributes }) => ({
      type,
      values: new Map(attributes.map(({ key, value }) => [key, value])),
    }));
  }
}

/** Not in lib.es2023 yet; Node 22 has it. */
type Parse = (
  text: string,
  reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
) => unknown;

function parseExact(text: string): unknown {
  return (JSON.parse as Parse)(text, (_, value, context) =>
    typeof value === "number" ? BigInt(context?.source ?? "") : value,
  );
}

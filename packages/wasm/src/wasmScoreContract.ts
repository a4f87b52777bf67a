import {
  type Account,
  type ContractCall,
  type ContractControl,
  type ContractFeatures,
  type ContractIdentity,
  type EntryPointOptions,
  type OtherCall,
  type PinnedOptions,
  type PricedRow,
  type PriceOptions,
  type ReadOptions,
  type RowToWrite,
  type Score,
  type ScoreContract,
  type ScoreRow,
  type SignalOptions,
  type SignedTransaction,
  type Stage,
  type StageInfo,
  type TransactionLimits,
  type TransactionStatus,
} from "@vipscore/core";
import { SendingContract } from "@vipscore/core/engine";
import type { MonotonicHeight } from "@vipscore/core/wire";
import type { CosmosAccount, CosmosMessage, TransactionSigner } from "@vipscore/cosmos";
import { broadcast } from "./broadcast.ts";
import type { ContractReader } from "./contractReader.ts";
import { encodeCall } from "./encodeCall.ts";
import { otherCallGas, pricePublishedRows, priceRows } from "./gasModel.ts";
import { lookUp } from "./lookUp.ts";
import { RowOrder } from "./rowOrder.ts";
import type { ScoreState } from "./scoreState.ts";
import { stateOf } from "./stateOf.ts";
import { transactionLimits } from "./transactionLimits.ts";
import { wasmAccountBytes } from "./wasmAddress.ts";

/** The parts of a {@link WasmScoreContract}, which `connectWasm` provides. */
export interface WasmScoreContractParts extends ContractReader {
  readonly chainId: string;
  /** The version that the contract reports, if any. */
  readonly version: string | undefined;
  readonly features: ContractFeatures;
  readonly signer: TransactionSigner | undefined;
  readonly heights: MonotonicHeight;
}

/** A scoring contract on a Wasm rollup. Created by `connectWasm`. */
export class WasmScoreContract extends SendingContract<CosmosMessage> implements ScoreContract {
  readonly identity: ContractIdentity & { readonly vm: "wasm" };
  readonly version: string | undefined;
  readonly features: ContractFeatures;
  readonly accountBytes = wasmAccountBytes;
  readonly #reader: ContractReader;
  readonly #state: ScoreState;
  readonly #account: CosmosAccount | undefined;

  constructor({ comet, address, chainId, version, features, signer, heights }: WasmScoreContractParts) {
    super(heights, signer, signer?.account.account);
    this.identity = { vm: "wasm", chainId, address };
    this.version = version;
    this.features = features;
    this.#reader = { comet, address };
    this.#state = stateOf(this.#reader, features);
    this.#account = signer?.account;
  }

  async getStage(stage: Stage, options: ReadOptions = {}): Promise<StageInfo | undefined> {
    return this.#state.getStage(stage, await this.heights.pin(options));
  }

  async getInitStage(options: ReadOptions = {}): Promise<Stage> {
    return this.#state.getInitStage(await this.heights.pin(options));
  }

  async getScore(stage: Stage, account: Account, options: ReadOptions = {}): Promise<Score | undefined> {
    return this.#state.getScore(stage, account, await this.heights.pin(options));
  }

  getScores(stage: Stage, options: PinnedOptions): AsyncIterable<readonly ScoreRow[]> {
    return this.#state.getScores(stage, options);
  }

  async isMember(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return this.#state.isMember(account, await this.heights.pin(options));
  }

  async isManager(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return this.#state.isManager(account, await this.heights.pin(options));
  }

  async getControl(options: ReadOptions = {}): Promise<ContractControl | undefined> {
    return this.#state.getControl(await this.heights.pin(options));
  }

  async getMembers(options: ReadOptions = {}): Promise<readonly Account[]> {
    return this.#state.getMembers(await this.heights.pin(options));
  }

  getLimits(options: EntryPointOptions & SignalOptions = {}): Promise<TransactionLimits> {
    return transactionLimits(this.#reader.comet, this.#account, options);
  }

  async priceRows(rows: readonly RowToWrite[], options: PriceOptions): Promise<readonly PricedRow[]> {
    const { scores, packed = false } = options;
    if (!this.features.packed) return pricePublishedRows(rows, { packed });
    return priceRows(rows, new RowOrder(scores), { packed });
  }

  getCallGas(call: OtherCall): bigint {
    return otherCallGas(call);
  }

  protected encode(call: ContractCall, account: Account): CosmosMessage {
    return encodeCall({ signer: account, contract: this.#reader.address }, call);
  }

  protected send(transaction: SignedTransaction, signal: AbortSignal | undefined): Promise<void> {
    return broadcast(this.#reader.comet, transaction, signal);
  }

  protected find(hash: string, signal: AbortSignal | undefined): Promise<TransactionStatus> {
    return lookUp(this.#reader.comet, hash, signal);
  }
}

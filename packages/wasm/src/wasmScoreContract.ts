import {
  BroadcastError,
  InputError,
  type Account,
  type ContractCall,
  type ContractControl,
  type ContractIdentity,
  type EntryPointOptions,
  type FeeQuote,
  type NewestHeightOptions,
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
  type SignOptions,
  type Stage,
  type StageInfo,
  type TransactionLimits,
  type TransactionStatus,
} from "@vipscore/core";
import type { HeightFloor } from "@vipscore/core/wire";
import { accountLimits, type TransactionSigner } from "@vipscore/cosmos";
import { broadcast } from "./broadcast.ts";
import type { ContractReader } from "./contractReader.ts";
import { encodeCall } from "./encodeCall.ts";
import { baseGas, otherCallGas, pricePublishedRows, priceRows } from "./gasModel.ts";
import { lookUp } from "./lookUp.ts";
import { publishedState } from "./publishedState.ts";
import { RowOrder } from "./rowOrder.ts";
import type { ScoreState } from "./scoreState.ts";
import { documentSize, transactionLimits } from "./transactionLimits.ts";
import { vipScoreState } from "./vipScoreState.ts";
import { wasmAccountBytes } from "./wasmAddress.ts";

/** The parts of a {@link WasmScoreContract}, which `connectWasm` provides. */
export interface WasmScoreContractParts extends ContractReader {
  readonly chainId: string;
  /** The version of our contract; undefined for one that has only the published interface. */
  readonly version: string | undefined;
  readonly signer: TransactionSigner | undefined;
  readonly heights: HeightFloor;
}

/** A scoring contract on a Wasm rollup. Created by `connectWasm`. */
export class WasmScoreContract implements ScoreContract {
  readonly identity: ContractIdentity & { readonly vm: "wasm" };
  readonly version: string | undefined;
  readonly signer: Account | undefined;
  readonly accountBytes = wasmAccountBytes;
  readonly #reader: ContractReader;
  readonly #state: ScoreState;
  readonly #signer: TransactionSigner | undefined;
  readonly #heights: HeightFloor;

  constructor({ comet, address, chainId, version, signer, heights }: WasmScoreContractParts) {
    this.identity = { vm: "wasm", chainId, address };
    this.version = version;
    this.signer = signer?.account.account;
    this.#reader = { comet, address };
    this.#state = version === undefined ? publishedState(this.#reader) : vipScoreState(this.#reader);
    this.#signer = signer;
    this.#heights = heights;
  }

  getHeight(options: NewestHeightOptions = {}): Promise<bigint> {
    return this.#heights.getHeight(options);
  }

  async getStage(stage: Stage, options: ReadOptions = {}): Promise<StageInfo | undefined> {
    return this.#state.getStage(stage, await this.#heights.pin(options));
  }

  async getInitStage(options: ReadOptions = {}): Promise<Stage> {
    return this.#state.getInitStage(await this.#heights.pin(options));
  }

  async getScore(stage: Stage, account: Account, options: ReadOptions = {}): Promise<Score | undefined> {
    return this.#state.getScore(stage, account, await this.#heights.pin(options));
  }

  getScores(stage: Stage, options: PinnedOptions): AsyncIterable<readonly ScoreRow[]> {
    return this.#state.getScores(stage, options);
  }

  async isMember(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return this.#state.isMember(account, await this.#heights.pin(options));
  }

  async isManager(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return this.#state.isManager(account, await this.#heights.pin(options));
  }

  async getControl(options: ReadOptions = {}): Promise<ContractControl | undefined> {
    return this.#state.getControl(await this.#heights.pin(options));
  }

  async getMembers(options: ReadOptions = {}): Promise<readonly Account[]> {
    return this.#state.getMembers(await this.#heights.pin(options));
  }

  async getLimits(options: EntryPointOptions & SignalOptions = {}): Promise<TransactionLimits> {
    const limits = await transactionLimits(this.#reader.comet, baseGas, options);
    return accountLimits(limits, this.#signer?.account, documentSize(limits));
  }

  async priceRows(rows: readonly RowToWrite[], options: PriceOptions): Promise<readonly PricedRow[]> {
    const { scores, packed = false } = options;
    if (this.version === undefined) return pricePublishedRows(rows, { packed });
    return priceRows(rows, new RowOrder(scores), { packed });
  }

  getCallGas(call: OtherCall): bigint {
    return otherCallGas(call);
  }

  async getFees({ signal }: SignalOptions = {}): Promise<FeeQuote> {
    return this.#signing().readFees(signal);
  }

  async getSequence({ signal }: SignalOptions = {}): Promise<bigint> {
    return this.#signing().readSequence(signal);
  }

  async sign(call: ContractCall, options: SignOptions): Promise<SignedTransaction> {
    const signer = this.#signing();
    const target = { sender: signer.account.address, contract: this.#reader.address };
    return signer.sign(encodeCall(target, call), options);
  }

  async broadcast(transaction: SignedTransaction, { signal }: SignalOptions = {}): Promise<void> {
    try {
      await broadcast(this.#reader.comet, transaction, signal);
    } catch (error) {
      if (error instanceof BroadcastError) this.#signer?.noteRefusal(transaction, error);
      throw error;
    }
  }

  async lookUp(hash: string, { signal }: SignalOptions = {}): Promise<TransactionStatus> {
    const status = await lookUp(this.#reader.comet, hash, signal);
    if (status.state === "included") this.#heights.raise(status.height);
    return status;
  }

  #signing(): TransactionSigner {
    if (this.#signer === undefined) {
      throw new InputError("this connection has no signing account and can only read", { code: "KEY_INVALID" });
    }
    return this.#signer;
  }
}

import type { Address } from "viem";
import {
  BroadcastError,
  InputError,
  stage as stageOf,
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
import { broadcast } from "./broadcast.ts";
import { encodeCall } from "./encodeCall.ts";
import { accountOfAddress } from "./evmAddress.ts";
import type { EvmSigner } from "./evmSigner.ts";
import { callGas, type GasModel } from "./gasModel.ts";
import { lookUp } from "./lookUp.ts";
import { readContract, type ContractReader } from "./readContract.ts";
import { readControl } from "./readControl.ts";
import { readMembers } from "./readMembers.ts";
import { readPaddedScores } from "./readPaddedScores.ts";
import { readScoresById } from "./readScoresById.ts";
import { readStageInfo } from "./readStageInfo.ts";
import { referenceGas } from "./referenceGas.ts";
import { transactionLimits } from "./transactionLimits.ts";
import { vipScoreGas } from "./vipScoreGas.ts";

/** The parts of an {@link EvmScoreContract}, which `connectEvm` provides. */
export interface EvmScoreContractParts extends ContractReader {
  readonly chainId: bigint;
  /** The version of our contract; undefined for one that has only the published interface. */
  readonly version: string | undefined;
  readonly signer: EvmSigner | undefined;
  readonly heights: HeightFloor;
}

/** A scoring contract on an EVM rollup. Created by `connectEvm`. */
export class EvmScoreContract implements ScoreContract {
  readonly identity: ContractIdentity & { readonly address: Address };
  readonly version: string | undefined;
  readonly signer: Account | undefined;
  readonly accountBytes: readonly (20 | 32)[] = [20];
  readonly #reader: ContractReader;
  readonly #signer: EvmSigner | undefined;
  readonly #gas: GasModel;
  readonly #heights: HeightFloor;

  constructor({ rpc, address, chainId, version, signer, heights }: EvmScoreContractParts) {
    this.identity = { vm: "evm", chainId: chainId.toString(), address };
    this.version = version;
    this.signer = signer && accountOfAddress(signer.account.address);
    this.#reader = { rpc, address };
    this.#signer = signer;
    this.#heights = heights;
    this.#gas = version === undefined ? referenceGas : vipScoreGas(this.#reader);
  }

  getHeight(options: NewestHeightOptions = {}): Promise<bigint> {
    return this.#heights.getHeight(options);
  }

  async getStage(stage: Stage, options: ReadOptions = {}): Promise<StageInfo | undefined> {
    const at = await this.#heights.pin(options);
    if (this.version !== undefined) return readStageInfo(this.#reader, stage, at);
    const [number, total, isFinalized] = await readContract(this.#reader, "stages", [stage], at);
    return number === 0n ? undefined : { stage, total, isFinalized, count: undefined, revision: undefined };
  }

  async getInitStage(options: ReadOptions = {}): Promise<Stage> {
    return stageOf(await readContract(this.#reader, "initStage", [], await this.#heights.pin(options)));
  }

  async getScore(stage: Stage, account: Account, options: ReadOptions = {}): Promise<Score | undefined> {
    const at = await this.#heights.pin(options);
    const [isIndexed, amount] = await readContract(this.#reader, "scores", [stage, account], at);
    return isIndexed ? amount : undefined;
  }

  getScores(stage: Stage, options: PinnedOptions): AsyncIterable<readonly ScoreRow[]> {
    const read = this.version === undefined ? readPaddedScores : readScoresById;
    return read(this.#reader, stage, options);
  }

  async isMember(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return readContract(this.#reader, "allowList", [account], await this.#heights.pin(options));
  }

  async isManager(account: Account, options: ReadOptions = {}): Promise<boolean> {
    const at = await this.#heights.pin(options);
    if (this.version === undefined) return this.isMember(account, at);
    const [owner, membersManage] = await Promise.all([
      readContract(this.#reader, "owner", [], at),
      readContract(this.#reader, "membersCanManage", [], at),
    ]);
    return accountOfAddress(owner) === account || (membersManage && this.isMember(account, at));
  }

  async getControl(options: ReadOptions = {}): Promise<ContractControl | undefined> {
    if (this.version === undefined) return undefined;
    return readControl(this.#reader, await this.#heights.pin(options));
  }

  async getMembers(options: ReadOptions = {}): Promise<readonly Account[] | undefined> {
    if (this.version === undefined) return undefined;
    return readMembers(this.#reader, await this.#heights.pin(options));
  }

  getLimits(options: EntryPointOptions & SignalOptions = {}): Promise<TransactionLimits> {
    return transactionLimits(this.#reader.rpc, this.#gas.baseGas, options);
  }

  priceRows(rows: readonly RowToWrite[], options: PriceOptions): Promise<readonly PricedRow[]> {
    return this.#gas.priceRows(rows, options);
  }

  getCallGas(call: OtherCall): bigint {
    return callGas(call);
  }

  async getFees({ signal }: SignalOptions = {}): Promise<FeeQuote> {
    return this.#signing().readFees(signal);
  }

  async getSequence({ signal }: SignalOptions = {}): Promise<bigint> {
    return this.#signing().readSequence(signal);
  }

  async sign(call: ContractCall, options: SignOptions): Promise<SignedTransaction> {
    return this.#signing().sign({ to: this.#reader.address, data: encodeCall(call) }, options);
  }

  async broadcast(transaction: SignedTransaction, { signal }: SignalOptions = {}): Promise<void> {
    try {
      await broadcast(this.#reader.rpc, transaction, signal);
    } catch (error) {
      if (error instanceof BroadcastError) this.#signer?.noteRefusal(error);
      throw error;
    }
  }

  async lookUp(hash: string, { signal }: SignalOptions = {}): Promise<TransactionStatus> {
    const status = await lookUp(this.#reader.rpc, hash, signal);
    if (status.state === "included") this.#heights.raise(status.height);
    return status;
  }

  #signing(): EvmSigner {
    if (this.#signer === undefined) {
      throw new InputError("this connection has no signing account and can only read", { code: "KEY_INVALID" });
    }
    return this.#signer;
  }
}

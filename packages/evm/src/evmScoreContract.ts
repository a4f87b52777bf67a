import type { Address } from "viem";
import {
  stage as stageOf,
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
import { broadcast } from "./broadcast.ts";
import { encodeCall } from "./encodeCall.ts";
import { accountOfAddress } from "./evmAddress.ts";
import type { EvmMessage, EvmSigner } from "./evmSigner.ts";
import { callGas, type GasModel } from "./gasModel.ts";
import { lookUp } from "./lookUp.ts";
import { readContract, type ContractReader } from "./readContract.ts";
import { readPaddedScores } from "./readPaddedScores.ts";
import { readScoresById } from "./readScoresById.ts";
import { referenceGas } from "./referenceGas.ts";
import { transactionLimits } from "./transactionLimits.ts";
import { vipScoreGas } from "./vipScoreGas.ts";
import { readControl, readMembers, readStageInfo } from "./vipScoreState.ts";

/** The parts of an {@link EvmScoreContract}, which `connectEvm` provides. */
export interface EvmScoreContractParts extends ContractReader {
  readonly chainId: bigint;
  /** The version that the contract reports, if any. */
  readonly version: string | undefined;
  readonly features: ContractFeatures;
  /** True for a proxy whose implementation can change. */
  readonly isProxy: boolean;
  readonly signer: EvmSigner | undefined;
  readonly heights: MonotonicHeight;
}

/** A scoring contract on an EVM rollup. Created by `connectEvm`. */
export class EvmScoreContract extends SendingContract<EvmMessage> implements ScoreContract {
  readonly identity: ContractIdentity & { readonly address: Address };
  readonly version: string | undefined;
  readonly features: ContractFeatures;
  readonly accountBytes: readonly (20 | 32)[] = [20];
  readonly #reader: ContractReader;
  readonly #isProxy: boolean;
  readonly #gas: GasModel;

  constructor({ rpc, address, chainId, version, features, isProxy, signer, heights }: EvmScoreContractParts) {
    super(heights, signer, signer && accountOfAddress(signer.account.address));
    this.identity = { vm: "evm", chainId: chainId.toString(), address };
    this.version = version;
    this.features = features;
    this.#reader = { rpc, address };
    this.#isProxy = isProxy;
    this.#gas = features.packed ? vipScoreGas(this.#reader) : referenceGas;
  }

  async getStage(stage: Stage, options: ReadOptions = {}): Promise<StageInfo | undefined> {
    const at = await this.heights.pin(options);
    if (this.features.checkedFinalize) return readStageInfo(this.#reader, stage, at);
    const [number, total, isFinalized] = await readContract(this.#reader, "stages", [stage], at);
    return number === 0n ? undefined : { stage, total, isFinalized, count: undefined, revision: undefined };
  }

  async getInitStage(options: ReadOptions = {}): Promise<Stage> {
    return stageOf(await readContract(this.#reader, "initStage", [], await this.heights.pin(options)));
  }

  async getScore(stage: Stage, account: Account, options: ReadOptions = {}): Promise<Score | undefined> {
    const at = await this.heights.pin(options);
    const [isIndexed, amount] = await readContract(this.#reader, "scores", [stage, account], at);
    return isIndexed ? amount : undefined;
  }

  getScores(stage: Stage, options: PinnedOptions): AsyncIterable<readonly ScoreRow[]> {
    const read = this.features.packed ? readScoresById : readPaddedScores;
    return read(this.#reader, stage, options);
  }

  async isMember(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return readContract(this.#reader, "allowList", [account], await this.heights.pin(options));
  }

  async isManager(account: Account, options: ReadOptions = {}): Promise<boolean> {
    const at = await this.heights.pin(options);
    if (!this.features.roles) return this.isMember(account, at);
    const [owner, membersManage] = await Promise.all([
      readContract(this.#reader, "owner", [], at),
      readContract(this.#reader, "membersCanManage", [], at),
    ]);
    return accountOfAddress(owner) === account || (membersManage && this.isMember(account, at));
  }

  async getControl(options: ReadOptions = {}): Promise<ContractControl | undefined> {
    if (!this.features.roles) return undefined;
    return readControl(this.#reader, this.#isProxy, await this.heights.pin(options));
  }

  async getMembers(options: ReadOptions = {}): Promise<readonly Account[] | undefined> {
    if (!this.features.roles) return undefined;
    return readMembers(this.#reader, await this.heights.pin(options));
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

  protected encode(call: ContractCall): EvmMessage {
    return { to: this.#reader.address, data: encodeCall(call) };
  }

  protected send(transaction: SignedTransaction, signal: AbortSignal | undefined): Promise<void> {
    return broadcast(this.#reader.rpc, transaction, signal);
  }

  protected find(hash: string, signal: AbortSignal | undefined): Promise<TransactionStatus> {
    return lookUp(this.#reader.rpc, hash, signal);
  }
}

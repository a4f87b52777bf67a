import {
  CheckError,
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
import { isMissingRoute, type MonotonicHeight } from "@vipscore/core/wire";
import type { CosmosAccount, CosmosMessage, TransactionSigner } from "@vipscore/cosmos";
import { broadcast } from "./broadcast.ts";
import { encodeCall } from "./encodeCall.ts";
import { gasOfCall, packedGas, priceRows, publishedGas, referenceGas, type GasModel } from "./gasModel.ts";
import { lookUp } from "./lookUp.ts";
import { readControl, readExtension } from "./moduleExtension.ts";
import {
  findScore,
  findStageEntry,
  readModuleStore,
  type ModuleReader,
  type ModuleStore,
  type StageEntry,
} from "./moduleStore.ts";
import { readStageInfo, readViewRows } from "./moduleViews.ts";
import { moveAccountBytes } from "./moveAddress.ts";
import { readTableRows } from "./readTableRows.ts";
import { transactionLimits } from "./transactionLimits.ts";

/** The parts of a {@link MoveScoreContract}, which `connectMove` provides. */
export interface MoveScoreContractParts extends ModuleReader {
  readonly chainId: string;
  /** The version that the module reports, if any. */
  readonly version: string | undefined;
  readonly features: ContractFeatures;
  /** Handle of the module's table of stages; undefined while unknown. */
  readonly stages?: string;
  readonly signer: TransactionSigner | undefined;
  readonly heights: MonotonicHeight;
}

/** A scoring module on a Move rollup. Created by `connectMove`. */
export class MoveScoreContract extends SendingContract<CosmosMessage> implements ScoreContract {
  readonly identity: ContractIdentity & { readonly vm: "move" };
  readonly version: string | undefined;
  readonly features: ContractFeatures;
  readonly accountBytes = moveAccountBytes;
  readonly #reader: ModuleReader;
  readonly #account: CosmosAccount | undefined;
  #stages: string | undefined;

  constructor({ rest, address, chainId, version, features, stages, signer, heights }: MoveScoreContractParts) {
    super(heights, signer, signer?.account.account);
    this.identity = { vm: "move", chainId, address };
    this.version = version;
    this.features = features;
    this.#reader = { rest, address };
    this.#account = signer?.account;
    this.#stages = stages;
  }

  async getStage(stage: Stage, options: ReadOptions = {}): Promise<StageInfo | undefined> {
    if (this.features.checkedFinalize) return readStageInfo(this.#reader, stage, await this.heights.pin(options));
    const entry = await this.#findStage(stage, options);
    if (entry === undefined) return undefined;
    const { total, isFinalized, count } = entry;
    return { stage, total, isFinalized, count, revision: undefined };
  }

  async getInitStage(options: ReadOptions = {}): Promise<Stage> {
    const { initStage } = await this.#readStore(options);
    if (initStage > 0n) return stageOf(initStage);
    throw new CheckError(`the module at ${this.identity.address} has no stage yet`, {
      code: "STAGE_NOT_FOUND",
      metaMessages: [
        { code: "set-first-stage", text: "A deployer sets the first one with set_init_stage; a deployment does it." },
      ],
    });
  }

  async getScore(stage: Stage, account: Account, options: ReadOptions = {}): Promise<Score | undefined> {
    const at = await this.heights.pin(options);
    const entry = await this.#findStage(stage, at);
    return entry && findScore(this.#reader.rest, entry.scores, account, at);
  }

  async *getScores(stage: Stage, options: PinnedOptions): AsyncGenerator<readonly ScoreRow[], void, undefined> {
    const entry = await this.#findStage(stage, options);
    if (entry === undefined || entry.count === 0n) return;
    let read = 0;
    try {
      for await (const page of readTableRows(this.#reader.rest, entry.scores, options)) {
        yield page;
        read += page.length;
      }
      return;
    } catch (error) {
      if (read > 0 || !isMissingRoute(error)) throw error;
    }
    yield* readViewRows(this.#reader, stage, options);
  }

  async isMember(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return (await this.#readStore(options)).deployers.includes(account);
  }

  async isManager(account: Account, options: ReadOptions = {}): Promise<boolean> {
    const isPublisher = account === this.#reader.address;
    if (!this.features.roles) return isPublisher;
    const { owner, publisherManages } = await readExtension(this.#reader, await this.heights.pin(options));
    return account === owner || (isPublisher && publisherManages);
  }

  async getControl(options: ReadOptions = {}): Promise<ContractControl | undefined> {
    if (!this.features.roles) return undefined;
    return readControl(this.#reader, await this.heights.pin(options));
  }

  async getMembers(options: ReadOptions = {}): Promise<readonly Account[]> {
    return (await this.#readStore(options)).deployers;
  }

  getLimits(options: EntryPointOptions & SignalOptions = {}): Promise<TransactionLimits> {
    return transactionLimits(this.#reader.rest, this.#gasOf(options.packed).baseGas, this.#account, options);
  }

  priceRows(rows: readonly RowToWrite[], { packed = false }: PriceOptions): Promise<readonly PricedRow[]> {
    return Promise.resolve(priceRows(this.#gasOf(packed), rows, packed));
  }

  getCallGas(call: OtherCall): bigint {
    return gasOfCall(call);
  }

  protected encode(call: ContractCall, account: Account): CosmosMessage {
    const { roles } = this.features;
    return encodeCall({ signer: account, module: this.#reader.address, hasRoles: roles }, call);
  }

  protected send(transaction: SignedTransaction, signal: AbortSignal | undefined): Promise<void> {
    return broadcast(this.#reader.rest, transaction, signal);
  }

  protected find(hash: string, signal: AbortSignal | undefined): Promise<TransactionStatus> {
    return lookUp(this.#reader.rest, hash, signal);
  }

  #gasOf(packed = false): GasModel {
    if (!this.features.packed) return referenceGas;
    return packed ? packedGas : publishedGas;
  }

  async #readStore(options: ReadOptions): Promise<ModuleStore> {
    const store = await readModuleStore(this.#reader, await this.heights.pin(options));
    this.#stages ??= store.stages;
    return store;
  }

  async #findStage(stage: Stage, options: ReadOptions): Promise<StageEntry | undefined> {
    const at = await this.heights.pin(options);
    // A handle never changes, so one read is enough.
    const stages = this.#stages ?? (await this.#readStore(at)).stages;
    return findStageEntry(this.#reader.rest, stages, stage, at);
  }
}

import { createHash } from "node:crypto";
import type { Account } from "../src/account.ts";
import { allFeatures, noFeatures, type ContractFeatures } from "../src/contractIdentity.ts";
import { BroadcastError, NodeError, type BroadcastRefusal } from "../src/errors/vipError.ts";
import { requireFee } from "../src/push/feeBudget.ts";
import type { ReadOptions } from "../src/readOptions.ts";
import type {
  ContractCall,
  ContractControl,
  EntryPointOptions,
  FeeQuote,
  PricedRow,
  RowToWrite,
  ScoreContract,
  SignedTransaction,
  SignOptions,
  Simulation,
  StageInfo,
  TransactionLimits,
  TransactionStatus,
} from "../src/scoreContract.ts";
import { stage, u64Max, type Score, type Stage } from "../src/stage.ts";
import type { ScoreRow } from "../src/table/scoreTable.ts";
import { apply, emptyStage, sum, type ChainState } from "./memoryState.ts";
import { decode, encode } from "./transactionText.ts";

/**
 * The fate of a broadcast: accepted; refused (`sequence`: because another transaction of the account takes its sequence);
 * accepted but the answer is lost; lost on the way, with or without a reset of the connection; accepted, then forgotten.
 */
export type BroadcastFate = "take" | BroadcastRefusal | "lose-answer" | "lose-request" | "reset" | "forget";

interface QueuedTransaction {
  readonly transaction: SignedTransaction;
  readonly call: ContractCall;
}

/**
 * A scoring contract and its chain in memory, for tests of the engine: blocks, a queue by sequence, reads at any height,
 * and faults on demand. `automine` puts every transaction into a block immediately; otherwise `mine()` does.
 */
export class MemoryScoreContract implements ScoreContract {
  readonly identity = { vm: "evm", chainId: "1", address: "0xmemory" } as const;
  readonly version: string | undefined;
  readonly code = "";
  readonly features: ContractFeatures;
  readonly accountBytes = [20] as const;
  signer: Account | undefined;

  automine = true;
  /** False for a node that keeps no index of transactions. */
  isIndexed = true;
  /** The most transactions that the node takes in one request. */
  mostTogether = Infinity;
  /** The number of transactions in each request with several. */
  readonly requests: number[] = [];
  /** Decides the fate of the n-th broadcast, from 0. */
  fate: (submission: number, transaction: SignedTransaction) => BroadcastFate = () => "take";
  /** The gas that a row and a transaction actually use; in the model 100 and 1,000. */
  realGas = { base: 1_000n, row: 100n };
  limits: TransactionLimits = { baseGas: 1_000n, maxGas: 11_000n, baseBytes: 100, rowBytes: 64, maxBytes: 64_100 };
  fees: FeeQuote = {
    balance: 10n ** 18n,
    gasPrice: { amount: 1n, per: 1n },
    token: { symbol: "GAS", decimals: 18 },
  };
  /** Price of gas below which the node refuses a transaction. The connection asks for it once, as adapters do. */
  nodePrice = 1n;
  /** How many times its price a transaction offers to pay; its receipt then shows what it paid. */
  cap = 1n;
  #knownPrice: bigint | undefined;
  /** Called before a transaction is executed in its block. */
  beforeExecute: (call: ContractCall, state: ChainState) => void = () => undefined;
  /** Number of pages of scores that were read. */
  pagesRead = 0;
  /** Changes a page, to imitate a node that serves pages of different states. */
  distortPage: (page: readonly ScoreRow[]) => readonly ScoreRow[] = (page) => page;

  /** Blocks by which the node that answers a read at a height is behind it, without saying so. */
  blocksBehind: () => number = () => 0;

  readonly initStage: Stage;
  readonly #owner: Account;
  submissions = 0;
  lookUps = 0;
  /** Maximum number of concurrent look-ups so far. */
  maxLookUps = 0;
  /** Changes the gas used in a receipt, to imitate a node that reports wrong values. */
  distortGas = (used: bigint): bigint => used;
  simulations = 0;
  /** False for a batch that the node does not simulate. */
  simulates: (rows: readonly ScoreRow[]) => boolean = () => true;
  /** True for a batch that the contract refuses. */
  refuses: (call: ContractCall & { kind: "updateScores" }) => boolean = () => false;
  /** Every call that was put into a block. */
  readonly calls: ContractCall[] = [];
  /** Every row that a successful transaction wrote, in order. */
  readonly written: ScoreRow[] = [];
  readonly #history: ChainState[];
  readonly #receipts = new Map<string, TransactionStatus & { state: "included" }>();
  readonly #queue = new Map<bigint, QueuedTransaction>();
  #sequence = 0n;
  #lookingUp = 0;

  constructor(options: { signer: Account; initStage?: Stage; isReference?: boolean }) {
    this.signer = options.signer;
    this.initStage = options.initStage ?? stage(1n);
    const { isReference = false, signer } = options;
    this.version = isReference ? undefined : "1.0.0";
    this.features = isReference ? noFeatures : allFeatures;
    this.#owner = signer;
    const stages = new Map([[this.initStage, emptyStage()]]);
    this.#history = [{ stages, members: new Set([signer]), finalizer: undefined, sequence: 0n }];
  }

  /** Height of the newest block. */
  get newest(): bigint {
    return BigInt(this.#history.length - 1);
  }

  getHeight(): Promise<bigint> {
    return Promise.resolve(this.newest);
  }

  async getStage(stageNumber: Stage, options: ReadOptions = {}): Promise<StageInfo | undefined> {
    const rows = this.#stateAt(options.height).stages.get(stageNumber);
    if (rows === undefined) return undefined;
    const count = this.version === undefined ? undefined : BigInt(rows.scores.size);
    const revision = this.version === undefined ? undefined : rows.revision;
    return { stage: stageNumber, total: sum(rows.scores), isFinalized: rows.isFinalized, count, revision };
  }

  getInitStage(): Promise<Stage> {
    return Promise.resolve(this.initStage);
  }

  async getScore(stageNumber: Stage, account: Account, options: ReadOptions = {}): Promise<Score | undefined> {
    return this.#stateAt(options.height).stages.get(stageNumber)?.scores.get(account);
  }

  async *getScores(stageNumber: Stage, options: { readonly height: bigint }): AsyncIterable<readonly ScoreRow[]> {
    const scores = this.#stateAt(options.height).stages.get(stageNumber)?.scores ?? new Map<Account, Score>();
    const rows = Array.from(scores, ([account, score]) => ({ account, score }));
    for (let start = 0; start < rows.length; start += 10) {
      this.pagesRead += 1;
      yield this.distortPage(rows.slice(start, start + 10));
    }
  }

  async isMember(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return this.#stateAt(options.height).members.has(account);
  }

  isManager(account: Account, options: ReadOptions = {}): Promise<boolean> {
    return this.isMember(account, options);
  }

  async getControl(options: ReadOptions = {}): Promise<ContractControl | undefined> {
    if (this.version === undefined) return undefined;
    const { finalizer } = this.#stateAt(options.height);
    return { owner: this.#owner, pendingOwner: undefined, finalizer, othersManage: true, codeAdmin: undefined };
  }

  async getMembers(options: ReadOptions = {}): Promise<readonly Account[] | undefined> {
    return this.version === undefined ? undefined : [...this.#stateAt(options.height).members];
  }

  getLimits(): Promise<TransactionLimits> {
    return Promise.resolve(this.limits);
  }

  /** The packed entry point costs half, and does not accept the account with the number 0x7. */
  priceRows(rows: readonly RowToWrite[], { packed = false }: EntryPointOptions = {}): Promise<readonly PricedRow[]> {
    const isPacked = (account: Account): boolean => packed && BigInt(account) !== 7n;
    const priced = rows.map((row) => {
      return { ...row, gas: isPacked(row.account) ? 50n : 100n, packed: isPacked(row.account) };
    });
    return Promise.resolve(priced.sort((a, b) => Number(b.packed) - Number(a.packed)));
  }

  getCallGas(): bigint {
    return 5_000n;
  }

  getFees(): Promise<FeeQuote> {
    return Promise.resolve(this.fees);
  }

  getGasPrice(): Promise<FeeQuote> {
    return this.getFees();
  }

  async getSequence({ height }: ReadOptions = {}): Promise<bigint> {
    if (height !== undefined) return this.#stateAt(height).sequence;
    let next = this.#sequence;
    while (this.#queue.has(next)) next += 1n;
    return next;
  }

  /** Runs the call on the newest state, without `beforeExecute`. */
  async simulate(call: ContractCall): Promise<Simulation> {
    this.simulations += 1;
    if (!this.simulates("rows" in call ? call.rows : [])) return { state: "unknown" };
    const transaction = { hash: "", sequence: 0n, gas: u64Max, bytes: new Uint8Array() };
    const { succeeded } = this.#execute(this.#nextState(), { transaction, call }, []);
    return succeeded ? { state: "accepted" } : { state: "refused", details: "refused by the contract" };
  }

  async sign(call: ContractCall, { sequence, gas, maxFee }: SignOptions): Promise<SignedTransaction> {
    this.#knownPrice ??= this.nodePrice;
    const fee = gas * this.#knownPrice * this.cap;
    requireFee("the next transaction", fee, maxFee, this.fees.token);
    const bytes = encode({ call, sequence, gas, price: this.#knownPrice });
    const hash = createHash("sha256").update(bytes).digest("hex");
    return { hash, sequence, gas, bytes, fee };
  }

  broadcast(transaction: SignedTransaction): Promise<void> {
    return this.#meet(transaction, this.#nextFate(transaction));
  }

  #nextFate(transaction: SignedTransaction): BroadcastFate {
    const fate = this.fate(this.submissions, transaction);
    this.submissions += 1;
    return fate;
  }

  async #meet(transaction: SignedTransaction, fate: BroadcastFate): Promise<void> {
    if (fate === "lose-request") throw new NodeError("no answer", { code: "NODE_UNREACHABLE" });
    if (fate === "reset") throw new NodeError("no answer", { code: "NODE_UNREACHABLE", details: "ECONNRESET" });
    if (fate === "forget") return;
    const { hash, sequence } = transaction;
    if (fate === "take" && decode(transaction.bytes).price < this.nodePrice) {
      this.#knownPrice = undefined;
      throw new BroadcastError("insufficient fee", { refusal: "fee" });
    }
    if (fate === "sequence") this.#take(sequence);
    if (fate !== "take" && fate !== "lose-answer") throw new BroadcastError("refused", { refusal: fate });
    const isKnown = this.#receipts.has(hash) || this.#queue.get(sequence)?.transaction.hash === hash;
    if (!isKnown) {
      if (sequence < this.#sequence || this.#queue.has(sequence)) {
        throw new BroadcastError("sequence is used", { refusal: "sequence" });
      }
      this.#queue.set(sequence, { transaction, call: decode(transaction.bytes).call });
      if (this.automine) this.mine();
    }
    if (fate === "lose-answer") throw new NodeError("no answer", { code: "NODE_UNREACHABLE" });
  }

  /** The transactions arrive in order. One as large as one that is too large is refused, too. */
  broadcastAll(transactions: readonly SignedTransaction[]): readonly Promise<void>[] {
    this.requests.push(transactions.length);
    let tooLarge = Infinity;
    return transactions.map((transaction) => {
      const { length } = transaction.bytes;
      if (transactions.length > this.mostTogether)
        return Promise.reject(new NodeError("one at a time", { code: "NODE_BAD_RESPONSE" }));
      if (length >= tooLarge) return Promise.reject(new BroadcastError("refused", { refusal: "too-large" }));
      const fate = this.#nextFate(transaction);
      if (fate === "too-large") tooLarge = length;
      return this.#meet(transaction, fate);
    });
  }

  /** Makes a transaction of another program take a sequence. */
  #take(sequence: bigint): void {
    if (sequence < this.#sequence || this.#queue.has(sequence) || this.signer === undefined) return;
    const call = { kind: "addMember", account: this.signer } as const;
    const transaction = { hash: `taken ${sequence}`, sequence, gas: 10_000n, bytes: new Uint8Array() };
    this.#queue.set(sequence, { transaction, call });
    if (this.automine) this.mine();
  }

  async lookUp(hash: string): Promise<TransactionStatus> {
    this.lookUps += 1;
    this.#lookingUp += 1;
    this.maxLookUps = Math.max(this.maxLookUps, this.#lookingUp);
    await Promise.resolve();
    this.#lookingUp -= 1;
    if (!this.isIndexed) return { state: "unindexed" };
    const receipt = this.#receipts.get(hash);
    if (receipt !== undefined) return receipt;
    const isQueued = [...this.#queue.values()].some((queued) => queued.transaction.hash === hash);
    return { state: isQueued ? "pending" : "unknown" };
  }

  /** Makes one block of every transaction whose turn it is. */
  mine(): void {
    const state = this.#nextState();
    for (;;) {
      const queued = this.#queue.get(this.#sequence);
      if (queued === undefined) break;
      this.#queue.delete(this.#sequence);
      this.#sequence += 1n;
      this.calls.push(queued.call);
      this.beforeExecute(queued.call, state);
      const { gasUsed, succeeded } = this.#execute(state, queued);
      const fee = this.cap > 1n && { fee: gasUsed * this.nodePrice };
      const status = { state: "included", succeeded, height: this.newest + 1n, gasUsed, ...fee } as const;
      this.#receipts.set(queued.transaction.hash, status);
    }
    state.sequence = this.#sequence;
    this.#history.push(state);
  }

  /** Changes the newest state without the signer, in a separate block. */
  tamper(change: (state: ChainState) => void): void {
    const state = this.#nextState();
    for (const rows of state.stages.values()) rows.scores = new Map(rows.scores);
    change(state);
    this.#history.push(state);
  }

  /** A copy of the newest state to change; scores are shared, because a transaction replaces them as a whole. */
  #nextState(): ChainState {
    const { stages, members, ...others } = this.#stateAt(undefined);
    return {
      stages: new Map(Array.from(stages, ([number, rows]) => [number, { ...rows }])),
      members: new Set(members),
      ...others,
    };
  }

  #stateAt(height: bigint | undefined): ChainState {
    const behind = height === undefined ? 0 : this.blocksBehind();
    const state = this.#history[Math.max(0, Number(height ?? this.newest) - behind)];
    if (state === undefined) throw new NodeError(`no block ${height}`, { code: "NODE_ERROR" });
    return state;
  }

  #execute(
    state: ChainState,
    { transaction, call }: QueuedTransaction,
    written = this.written,
  ): { gasUsed: bigint; succeeded: boolean } {
    const rows = call.kind === "updateScores" ? call.rows.length : 0;
    const isPacked = call.kind === "updateScores" && call.packed === true;
    const gasUsed = this.realGas.base + (isPacked ? this.realGas.row / 2n : this.realGas.row) * BigInt(rows);
    if (gasUsed > transaction.gas) return { gasUsed: transaction.gas, succeeded: false };
    const isMember = this.signer !== undefined && state.members.has(this.signer);
    const { finalizer } = state;
    const isAllowed = call.kind === "finalizeStage" && finalizer !== undefined ? this.signer === finalizer : isMember;
    const isDone = (): boolean => {
      if (call.kind === "updateScores" && this.refuses(call)) return false;
      return apply(state, call, written);
    };
    return { gasUsed: this.distortGas(gasUsed), succeeded: isAllowed && isDone() };
  }
}

import type { Account } from "./account.ts";
import type { ContractFeatures, ContractIdentity } from "./contractIdentity.ts";
import type { ErrorCode } from "./errors/errorCodes.ts";
import type { NewestHeightOptions, PinnedOptions, ReadOptions, SignalOptions } from "./readOptions.ts";
import type { Score, Stage } from "./stage.ts";
import type { ScoreRow, ScoreTable } from "./table/scoreTable.ts";

/** Who can change what on a contract. */
export interface ContractControl {
  readonly owner: Account;
  /** The account that must accept ownership to become the owner; undefined if ownership is not offered. */
  readonly pendingOwner: Account | undefined;
  /** The only account that may finalize; undefined if every member may. */
  readonly finalizer: Account | undefined;
  /** True if others than the owner may add and remove members: members on EVM and Wasm, the module's publisher on Move. */
  readonly othersManage: boolean;
  /**
   * The account that can replace the contract's code: the admin of a proxy on EVM, the publisher of a module with the
   * compatible policy on Move, the contract's admin on Wasm. "implementation" for a proxy without an admin, whose
   * implementation decides who can. Undefined for nobody.
   */
  readonly codeAdmin: Account | "implementation" | undefined;
}

/** A stage as the contract holds it. */
export interface StageInfo {
  readonly stage: Stage;
  /** Sum of all scores of the stage, u64. */
  readonly total: bigint;
  readonly isFinalized: boolean;
  /**
   * Number of accounts with a row in the stage, including rows of score 0; undefined for a reference contract, and on Wasm for a
   * stage that one finalized before it was migrated to ours.
   */
  readonly count: bigint | undefined;
  /** Number of calls that have written rows to the stage, u64; undefined for a reference contract. */
  readonly revision: bigint | undefined;
}

/** A call that changes the contract. */
export type ContractCall =
  | {
      readonly kind: "updateScores";
      readonly stage: Stage;
      readonly rows: readonly CallRow[];
      /** Use the cheaper entry point with one event for all rows, if `priceRows` returned them as packed. Default: false. */
      readonly packed?: boolean;
    }
  | {
      readonly kind: "finalizeStage";
      readonly stage: Stage;
      /** Uses the checked finalize; not on a reference contract. */
      readonly expected?: { readonly total: bigint; readonly count: bigint; readonly revision: bigint };
    }
  | { readonly kind: "addMember" | "removeMember" | "offerOwnership"; readonly account: Account }
  | {
      /** Replaces all members, one or more. For the owner; not on a reference contract. */
      readonly kind: "setMembers";
      readonly accounts: readonly Account[];
    }
  | { readonly kind: "acceptOwnership" }
  | {
      /** Not on a reference contract. */
      readonly kind: "setFinalizer";
      /** Undefined: every member may finalize. */
      readonly account: Account | undefined;
    }
  | {
      /**
       * Allows or forbids others than the owner to manage members; see {@link ContractControl.othersManage}. Not on a
       * reference contract.
       */
      readonly kind: "setManagement";
      readonly allowed: boolean;
    };

/** A call other than a batch of scores. */
export type OtherCall = Exclude<ContractCall, { kind: "updateScores" }>;

/** Such a call whose accounts may have any spelling. */
export type SpelledCall<Call = OtherCall> = Call extends { readonly account: infer Of }
  ? Omit<Call, "account"> & { readonly account: string | Extract<Of, undefined> }
  : Call extends { readonly accounts: unknown }
    ? Omit<Call, "accounts"> & { readonly accounts: readonly string[] }
    : Call;

/** A row of a call. */
export interface CallRow extends ScoreRow {
  /**
   * The contract's number for the account, if packed batches refer to accounts by number; set by `priceRows`. 0 for an account
   * that the contract does not know.
   */
  readonly accountId?: number | undefined;
}

/** A row that a push will write; one with an `accountId` was already priced. */
export interface RowToWrite extends CallRow {
  /** The account's score on the chain; undefined if it has no row in the stage. */
  readonly current: Score | undefined;
}

/** A row that a push will write, with an upper bound of the gas it adds to a transaction. */
export interface PricedRow extends RowToWrite {
  readonly gas: bigint;
  /** Written through the packed entry point; rows of the two entry points are never in one transaction. */
  readonly packed: boolean;
}

/** The entry point for writing rows. */
export interface EntryPointOptions {
  /** Use the cheaper entry point, with one event per batch, not per score; not on a reference contract. Default: false. */
  readonly packed?: boolean;
}

/** The rows of a stage by account, including rows of score 0. */
export interface HeldScores extends Iterable<readonly [Account, Score]> {
  readonly size: number;
  get(account: Account): Score | undefined;
}

/** The state of the stage that rows are priced for. */
export interface PriceOptions extends EntryPointOptions, PinnedOptions {
  readonly stage: Stage;
  /** All scores of the stage at the height. */
  readonly scores: HeldScores;
}

/** Options of a signature. */
export interface SignOptions extends SignalOptions {
  readonly sequence: bigint;
  /** The gas limit. */
  readonly gas: bigint;
  /** Most that the transaction may cost, in the smallest unit of the fee token. Default: no limit. */
  readonly maxFee?: bigint | undefined;
}

/** Options of a simulation. */
export type SimulateOptions = SignalOptions & Partial<Pick<SignOptions, "sequence">>;

/** The limits of one transaction on this chain, and its cost without rows. */
export interface TransactionLimits {
  /** Upper bound of the gas of an `updateScores` transaction without its rows. */
  readonly baseGas: bigint;
  /** Largest gas limit that one transaction may have. */
  readonly maxGas: bigint;
  /** Bytes of a signed `updateScores` transaction without its rows. */
  readonly baseBytes: number;
  /** Bytes that one row adds. */
  readonly rowBytes: number;
  /** Maximum size of one transaction, in bytes. */
  readonly maxBytes: number;
  /** Most transactions of the signer that may wait for a block at once. Default: as many as the node takes. */
  readonly maxInFlight?: number;
}

/** The current gas price. */
export interface GasQuote {
  /** Price of one unit of gas in the smallest unit, as an exact fraction; may be 0. */
  readonly gasPrice: { readonly amount: bigint; readonly per: bigint };
  /** The fee token's symbol and the number of decimals of its smallest unit. */
  readonly token: { readonly symbol: string; readonly decimals: number };
}

/** The signer's balance and the current gas price. */
export interface FeeQuote extends GasQuote {
  /** The signer's balance in the smallest unit. */
  readonly balance: bigint;
}

/** A transaction that is signed but not sent. Its hash is already known. */
export interface SignedTransaction {
  readonly hash: string;
  readonly sequence: bigint;
  /** The gas limit. */
  readonly gas: bigint;
  readonly bytes: Uint8Array;
  /** Most that it can cost, in the smallest unit of the fee token. Default: 0. */
  readonly fee?: bigint;
  /** False if the signer cannot sign it in the other form that some nodes ask for. Default: true. */
  readonly hasOtherForm?: boolean;
}

/** A node's knowledge of a transaction hash. */
export type TransactionStatus =
  | { readonly state: "unknown" }
  /** The node keeps no index of transactions, and so no receipts. */
  | { readonly state: "unindexed" }
  | { readonly state: "pending" }
  | {
      readonly state: "included";
      readonly succeeded: boolean;
      /** The block's height. */
      readonly height: bigint;
      readonly gasUsed: bigint;
      /** What it cost, if that can be less than the signed fee and the chain reports it. */
      readonly fee?: bigint;
      /** Why it failed, if the chain reports it. */
      readonly code?: ErrorCode;
      /** The chain's own text for a failure. */
      readonly details?: string;
    };

/** What a call would do now, as far as the node shows it: it runs the call without sending it. */
export type Simulation =
  | { readonly state: "accepted" }
  | {
      readonly state: "unknown";
      /** The node expects another sequence: it may be behind, so that it can answer later. */
      readonly isBehind?: true;
    }
  | {
      readonly state: "refused";
      /** Why, if it is an error of our contract. */
      readonly code?: ErrorCode;
      /** The contract's own text. */
      readonly details?: string;
      /** The contract's artifact would name the error. */
      readonly isUnnamed?: boolean;
    };

/**
 * Everything that the push engine needs from a scoring contract on any VM, and nothing more.
 *
 * The engine handles sequences, batches, waiting, resuming and verification. An adapter reads state, prices rows, and signs,
 * sends and looks up one transaction at a time.
 *
 * Every method throws `NodeError` when the endpoint fails, and the signal's reason when aborted.
 */
export interface ScoreContract {
  readonly identity: ContractIdentity;
  /** The version that the contract reports, if any: for people. What it can do is in `features`. */
  readonly version: string | undefined;
  /** The code that runs, for comparison: its hash on EVM (behind a proxy: of the implementation) and Move, its ID on Wasm. */
  readonly code: string;
  readonly features: ContractFeatures;
  /** The account that signs; undefined if the contract can only be read. */
  readonly signer: Account | undefined;
  /** The lengths in bytes that an account may have on this VM. */
  readonly accountBytes: readonly (20 | 32)[];

  /**
   * Returns the newest height whose state can be read, never below one that this connection has seen in a read or in a
   * transaction's block. So reads at this height include everything that the connection has seen before.
   *
   * @throws NodeError `NODE_BEHIND` when the endpoint stays behind.
   */
  getHeight(options?: NewestHeightOptions): Promise<bigint>;
  /** Returns the stage, or undefined if it does not exist yet. */
  getStage(stage: Stage, options?: ReadOptions): Promise<StageInfo | undefined>;
  /** Returns the contract's first stage. */
  getInitStage(options?: ReadOptions): Promise<Stage>;
  /** Returns the account's score, or undefined if it has no row in the stage. */
  getScore(stage: Stage, account: string, options?: ReadOptions): Promise<Score | undefined>;
  /**
   * Yields every row of the stage in pages, including rows of score 0; requires the height so that all pages agree.
   *
   * @param options - `info`: the stage at this height, if it was already read. `table`: scores that the stage is expected to
   * have, if any, so that several pages can be requested at once.
   */
  getScores(
    stage: Stage,
    options: PinnedOptions & { readonly info?: StageInfo | undefined; readonly table?: ScoreTable | undefined },
  ): AsyncIterable<readonly ScoreRow[]>;
  /** Returns whether the account may write scores. */
  isMember(account: string, options?: ReadOptions): Promise<boolean>;
  /** Returns whether the account may add and remove members. */
  isManager(account: string, options?: ReadOptions): Promise<boolean>;
  /** Returns who can change what, read at one height; undefined for a reference contract. */
  getControl(options?: ReadOptions): Promise<ContractControl | undefined>;
  /** Returns all allow-list members; undefined if the contract cannot list them. */
  getMembers(options?: ReadOptions): Promise<readonly Account[] | undefined>;

  /** Returns the current limits of one transaction on this chain. */
  getLimits(options?: EntryPointOptions & SignalOptions): Promise<TransactionLimits>;
  /**
   * Prices the rows that a push will write, and returns them in their cheapest order. With `packed`, rows that the packed entry
   * point does not accept are returned as not packed. Depends only on its arguments, not on earlier reads.
   */
  priceRows(rows: readonly RowToWrite[], options: PriceOptions): Promise<readonly PricedRow[]>;
  /** Returns an upper bound of the gas of a call that is not `updateScores`. */
  getCallGas(call: OtherCall): bigint;
  /** Returns the price that a transaction would pay now, also without a signer. */
  getGasPrice(options?: SignalOptions): Promise<GasQuote>;
  getFees(options?: SignalOptions): Promise<FeeQuote>;

  /**
   * Returns the sequence (nonce) of the signer's next transaction, including transactions pending at the node; with a height,
   * that of the state at this height.
   */
  getSequence(options?: ReadOptions): Promise<bigint>;
  /**
   * Asks the node to run a call of the signer on its newest state; signs and sends nothing. Refused only if the contract itself
   * refuses; unknown if the node does not run the call, or not to its end.
   *
   * @param options - `sequence`: the signer's next one, if it was already read.
   */
  simulate(call: ContractCall, options?: SimulateOptions): Promise<Simulation>;
  /**
   * Builds and signs one transaction; sends nothing.
   *
   * @throws VipError `FEE_LIMIT` if it costs more than `maxFee`.
   */
  sign(call: ContractCall, options: SignOptions): Promise<SignedTransaction>;
  /**
   * Broadcasts a signed transaction to the node. Succeeds if the node already has it.
   *
   * @throws BroadcastError when the node refuses it; NodeError when no answer came; the node may then have it.
   */
  broadcast(transaction: SignedTransaction, options?: SignalOptions): Promise<void>;
  /**
   * Broadcasts several transactions of the signer in one request, which the node takes in order. Undefined for an endpoint that
   * takes one at a time.
   *
   * @returns for each the promise that `broadcast` returns.
   */
  broadcastAll?(transactions: readonly SignedTransaction[], options?: SignalOptions): readonly Promise<void>[];
  /** Returns what the node knows about a transaction. */
  lookUp(hash: string, options?: SignalOptions): Promise<TransactionStatus>;
}

import type { Account } from "./account.ts";
import type { ErrorCode } from "./errors/errorCodes.ts";
import type { NewestHeightOptions, PinnedOptions, ReadOptions, SignalOptions } from "./readOptions.ts";
import type { Score } from "./score.ts";
import type { Stage } from "./stage.ts";
import type { ScoreRow } from "./table/scoreTable.ts";

/** The virtual machine of a rollup. */
export type Vm = "evm" | "move" | "wasm";

/** Which contract on which chain; written into the journal and compared on resume. */
export interface ContractIdentity {
  readonly vm: Vm;
  /** The chain id as the chain spells it: decimal on EVM, text on Move and Wasm. */
  readonly chainId: string;
  /** The contract's address as the chain spells it. */
  readonly address: string;
}

/** What the contract can do beyond the published interface; a reference contract has none of it. */
export interface ContractFeatures {
  /** The contract's own version, or undefined for a reference contract. */
  readonly version: string | undefined;
  /** Finalize takes the expected total and count and fails unless the contract agrees. */
  readonly checkedFinalize: boolean;
  /** A stage has a revision, which every write of rows raises, and finalize can expect it too; contracts from 2.0 on. */
  readonly revisions: boolean;
  /** The owner can name one account that alone finalizes; contracts from 2.0 on. */
  readonly finalizer: boolean;
}

/** Who can change what on a contract. */
export interface ContractControl {
  readonly owner: Account;
  /** Who has to accept the ownership to become the owner; undefined while none is offered. */
  readonly pendingOwner: Account | undefined;
  /** The one account that finalizes; undefined where every member does. */
  readonly finalizer: Account | undefined;
  /** Not the owner alone adds and removes members: so do members on EVM and Wasm, and the module's publisher on Move. */
  readonly othersManage: boolean;
  /**
   * Who can replace the contract's code: nobody on EVM, the publisher of a module under the compatible policy on Move, the
   * contract's admin on Wasm. Undefined for nobody.
   */
  readonly codeAdmin: Account | undefined;
}

/** A stage as the contract holds it. */
export interface StageInfo {
  readonly stage: Stage;
  /** Sum of all scores of the stage, u64. */
  readonly total: bigint;
  readonly isFinalized: boolean;
  /** Number of accounts with a row in the stage, rows of score 0 included; undefined where the contract does not tell. */
  readonly count: bigint | undefined;
  /** How many calls have written rows to the stage, u64; undefined where the contract does not count them. */
  readonly revision: bigint | undefined;
}

/** A call that changes the contract. */
export type ContractCall =
  | {
      readonly kind: "updateScores";
      readonly stage: Stage;
      readonly rows: readonly CallRow[];
      /** Through the cheap entry point with one event for all rows; only rows that `priceRows` gave as packed. Default: false. */
      readonly packed?: boolean;
    }
  | {
      readonly kind: "finalizeStage";
      readonly stage: Stage;
      /** With it the checked finalize is used; only where `features.checkedFinalize`. */
      readonly expected?: {
        readonly total: bigint;
        readonly count: bigint;
        /** Only where `features.revisions`. */
        readonly revision?: bigint;
      };
    }
  | { readonly kind: "addMember" | "removeMember" | "offerOwnership"; readonly account: Account }
  | { readonly kind: "acceptOwnership" }
  | {
      /** Only where `features.finalizer`. */
      readonly kind: "setFinalizer";
      /** Undefined: every member finalizes. */
      readonly account: Account | undefined;
    }
  | {
      /** Lets others than the owner manage members, see {@link ContractControl.othersManage}, or ends it. */
      readonly kind: "setManagement";
      readonly allowed: boolean;
    };

/** A call other than a batch of scores. */
export type OtherCall = Exclude<ContractCall, { kind: "updateScores" }>;

/** A row of a call. */
export interface CallRow extends ScoreRow {
  /**
   * The number under which the contract knows the account, where packed batches name accounts by number: `priceRows` gives
   * it. 0 for an account that the contract does not know.
   */
  readonly accountId?: number | undefined;
}

/** A row that a push will write; one with an `accountId` was priced before. */
export interface RowToWrite extends CallRow {
  /** What the chain holds for the account, undefined where it has no row in the stage. */
  readonly current: Score | undefined;
}

/** A row that a push will write, with an upper bound of the gas it adds to a transaction. */
export interface PricedRow extends RowToWrite {
  readonly gas: bigint;
  /** Written through the packed entry point; rows of the two entry points are never in one transaction. */
  readonly packed: boolean;
}

/** Which entry point rows are written through. */
export interface EntryPointOptions {
  /** The cheap one, with one event for a batch instead of one for each score; where the contract is ours. Default: false. */
  readonly packed?: boolean;
}

/** The rows of a stage by account, rows of score 0 included. */
export interface HeldScores extends Iterable<readonly [Account, Score]> {
  readonly size: number;
  get(account: Account): Score | undefined;
}

/** The stage that rows are priced for, as it was read. */
export interface PriceOptions extends EntryPointOptions, PinnedOptions {
  readonly stage: Stage;
  /** All that the stage holds at the height. */
  readonly scores: HeldScores;
}

/** What a transaction is signed with. */
export interface SignOptions extends SignalOptions {
  readonly sequence: bigint;
  /** The gas limit. */
  readonly gas: bigint;
}

/** What bounds one transaction on this chain, and what it costs before any row. */
export interface TransactionLimits {
  /** Upper bound of the gas of an `updateScores` transaction without its rows. */
  readonly baseGas: bigint;
  /** Largest gas limit that one transaction may have. */
  readonly maxGas: bigint;
  /** Bytes of a signed `updateScores` transaction without its rows. */
  readonly baseBytes: number;
  /** Bytes that one row adds. */
  readonly rowBytes: number;
  /** Most bytes that one transaction may have. */
  readonly maxBytes: number;
}

/** What the signer has and what gas costs now. */
export interface FeeQuote {
  /** The signer's balance in the smallest unit. */
  readonly balance: bigint;
  /** Price of one unit of gas in the smallest unit, as an exact fraction; may be 0. */
  readonly gasPrice: { readonly amount: bigint; readonly per: bigint };
  /** The fee token's symbol and the number of decimals of its smallest unit. */
  readonly token: { readonly symbol: string; readonly decimals: number };
}

/** A transaction that is signed but not sent. Its hash is known before it leaves. */
export interface SignedTransaction {
  readonly hash: string;
  readonly sequence: bigint;
  /** The gas limit. */
  readonly gas: bigint;
  readonly bytes: Uint8Array;
}

/** What a node knows of a transaction hash. */
export type TransactionStatus =
  | { readonly state: "unknown" }
  | { readonly state: "pending" }
  | {
      readonly state: "included";
      readonly succeeded: boolean;
      /** The block's height. */
      readonly height: bigint;
      readonly gasUsed: bigint;
      /** Why it failed, where the chain says so. */
      readonly code?: ErrorCode;
      /** The chain's own text for a failure. */
      readonly details?: string;
    };

/**
 * All that the push engine needs of a scoring contract on any VM, and nothing more.
 *
 * Sequences, batches, waiting, resuming and verification are the engine's. An adapter reads state, prices rows, and
 * signs, sends and looks up one transaction at a time.
 *
 * Every method throws `NodeError` when the endpoint fails, and passes the signal's reason on when aborted.
 */
export interface ScoreContract {
  readonly identity: ContractIdentity;
  readonly features: ContractFeatures;
  /** The account that signs; undefined for reading only. */
  readonly signer: Account | undefined;
  /** The lengths in bytes that an account may have on this VM. */
  readonly accountBytes: readonly (20 | 32)[];

  /**
   * The newest height whose state can be read, never below one that this connection has seen: in a read, or of a block with
   * a transaction that it looked up. So whatever is read at this height contains what those showed.
   *
   * @throws NodeError `NODE_BEHIND` when the endpoint stays behind.
   */
  getHeight(options?: NewestHeightOptions): Promise<bigint>;
  /** The stage, or undefined when it has not been created. */
  getStage(stage: Stage, options?: ReadOptions): Promise<StageInfo | undefined>;
  /** The stage that the contract started with. */
  getInitStage(options?: ReadOptions): Promise<Stage>;
  /** The account's score, or undefined when it has no row in the stage. */
  getScore(stage: Stage, account: Account, options?: ReadOptions): Promise<Score | undefined>;
  /** Every row of the stage, rows of score 0 included, in pages; the height is required so that all pages agree. */
  getScores(stage: Stage, options: PinnedOptions): AsyncIterable<readonly ScoreRow[]>;
  /** True if the account may write scores. */
  isMember(account: Account, options?: ReadOptions): Promise<boolean>;
  /** True if the account may add and remove members. */
  isManager(account: Account, options?: ReadOptions): Promise<boolean>;
  /** Who can change what, read at one height; undefined for a reference contract. */
  getControl(options?: ReadOptions): Promise<ContractControl | undefined>;
  /** All allow-list members; undefined where the contract cannot list them. */
  getMembers(options?: ReadOptions): Promise<readonly Account[] | undefined>;

  /** Limits of one transaction on this chain now. */
  getLimits(options?: EntryPointOptions & SignalOptions): Promise<TransactionLimits>;
  /**
   * Prices the rows that a push will write, in the order in which they are cheapest to write. With `packed`, rows that the
   * packed entry point does not take are given as not packed. Depends on nothing that was read before, but for what it is given.
   */
  priceRows(rows: readonly RowToWrite[], options: PriceOptions): Promise<readonly PricedRow[]>;
  /** Upper bound of the gas of a call that is not `updateScores`. */
  getCallGas(call: OtherCall): bigint;
  getFees(options?: SignalOptions): Promise<FeeQuote>;

  /** The sequence (nonce) of the signer's next transaction, transactions waiting at the node counted. */
  getSequence(options?: SignalOptions): Promise<bigint>;
  /** Builds and signs one transaction; sends nothing. */
  sign(call: ContractCall, options: SignOptions): Promise<SignedTransaction>;
  /**
   * Hands a signed transaction to the node. Handing over one that the node already has succeeds.
   *
   * @throws BroadcastError when the node refuses it; NodeError when no answer came, and then the node may have it.
   */
  broadcast(transaction: SignedTransaction, options?: SignalOptions): Promise<void>;
  /** What the node knows of a transaction. */
  lookUp(hash: string, options?: SignalOptions): Promise<TransactionStatus>;
}

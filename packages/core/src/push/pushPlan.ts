import type { FeeQuote, PricedRow } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import type { ScoreTable } from "../table/scoreTable.ts";

/** Rows that go into one transaction. */
export interface Batch {
  readonly rows: readonly PricedRow[];
  /** The gas limit of its transaction. */
  readonly gas: bigint;
}

/** What writing the rows of a plan through an entry point costs. */
export interface EntryPointCost {
  /** Through the packed one, with one event for a batch. */
  readonly packed: boolean;
  /** Number of transactions. */
  readonly batches: number;
  /** Upper bound of the gas of all batches. */
  readonly gas: bigint;
  /** Price of that gas, in the fee token's smallest unit; undefined without a signer. */
  readonly price: bigint | undefined;
}

/** How the rows of the table relate to what the chain holds. */
export interface PlanCounts {
  /** Accounts that the stage does not have yet. */
  readonly add: number;
  /** Accounts whose score differs. */
  readonly change: number;
  /** Accounts whose score is already right. */
  readonly unchanged: number;
  /** Accounts that the table does not name and that a prune sets to 0. */
  readonly toZero: number;
  /** Accounts with a score that the table does not name and that stay as they are: without prune, push refuses them. */
  readonly extra: number;
}

/** The difference between a score table and a stage on the chain, and what it takes to write it. */
export interface PushPlan {
  readonly stage: Stage;
  readonly table: ScoreTable;
  readonly prune: boolean;
  /** Rows are written through the packed entry point, as far as it takes them. */
  readonly packed: boolean;
  /** The height at which the chain was read. */
  readonly height: bigint;
  /** What the stage held at that height: the contract's total, the accounts with a row, the revision where there is one. */
  readonly chain: { readonly total: bigint; readonly accounts: number; readonly revision: bigint | undefined };
  readonly counts: PlanCounts;
  /** Rows to write, in the order in which they are written. */
  readonly rows: readonly PricedRow[];
  /** The batches as they would be sent now; receipts may change their size on the way. */
  readonly batches: readonly Batch[];
  /** Upper bound of the gas of all batches. */
  readonly gas: bigint;
  /** Price of that gas, in the fee token's smallest unit; undefined without a signer. */
  readonly price: bigint | undefined;
  /** What the other entry point would cost; only where the plan was asked for it and the contract has two. */
  readonly otherEntryPoint: EntryPointCost | undefined;
  /** Undefined without a signer. */
  readonly fees: FeeQuote | undefined;
}

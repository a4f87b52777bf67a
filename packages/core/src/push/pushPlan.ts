import type { FeeQuote, PricedRow } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import type { ScoreTable } from "../table/scoreTable.ts";

/** The rows of one transaction. */
export interface Batch {
  readonly rows: readonly PricedRow[];
  /** The gas limit of its transaction. */
  readonly gas: bigint;
}

/** The cost of writing a plan's rows through an entry point. */
export interface EntryPointCost {
  /** True for the packed entry point, with one event per batch. */
  readonly packed: boolean;
  /** Number of transactions. */
  readonly batches: number;
  /** Upper bound of the gas of all batches. */
  readonly gas: bigint;
  /** Price of that gas, in the fee token's smallest unit; undefined without a signer. */
  readonly price: bigint | undefined;
}

/** Numbers of accounts, by how the rows of the table relate to the stage. */
export interface PlanCounts {
  /** Accounts that the stage does not have yet. */
  readonly add: number;
  /** Accounts whose score differs. */
  readonly change: number;
  /** Accounts whose score is already correct. */
  readonly unchanged: number;
  /** Accounts missing from the table that a prune sets to 0. */
  readonly toZero: number;
  /** Accounts with a score that are missing from the table and stay unchanged: without prune, push refuses them. */
  readonly extra: number;
}

/** The difference between a score table and a stage on the chain, and how to write it. */
export interface PushPlan {
  readonly stage: Stage;
  readonly table: ScoreTable;
  readonly prune: boolean;
  /** True if rows are written through the packed entry point, as far as it accepts them. */
  readonly packed: boolean;
  /** The height at which the chain was read. */
  readonly height: bigint;
  /** The stage at that height: the contract's total, the accounts with a row, the revision if the contract has one. */
  readonly chain: { readonly total: bigint; readonly accounts: number; readonly revision: bigint | undefined };
  readonly counts: PlanCounts;
  /** Rows to write, in this order. */
  readonly rows: readonly PricedRow[];
  /** The batches as currently planned; receipts may change their size during the push. */
  readonly batches: readonly Batch[];
  /** Upper bound of the gas of all batches. */
  readonly gas: bigint;
  /** Price of that gas, in the fee token's smallest unit; undefined without a signer. */
  readonly price: bigint | undefined;
  /** The cost of the other entry point; only with `compareEntryPoints`, and if the contract has two. */
  readonly otherEntryPoint: EntryPointCost | undefined;
  /** Undefined without a signer. */
  readonly fees: FeeQuote | undefined;
}

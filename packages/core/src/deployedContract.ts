import type { Account } from "./account.ts";
import type { Stage } from "./stage.ts";

/** The desired result of a deployment. */
export interface DesiredState {
  readonly initStage: Stage;
  /** Accounts that may write scores. */
  readonly members: readonly Account[];
  /** The only account that may finalize stages. Undefined: unchanged. */
  readonly finalizer: Account | undefined;
  /** The account to offer ownership to. Undefined: nobody. */
  readonly owner: Account | undefined;
}

/** A deployed contract of this project on any VM, with its state read back from the chain. */
export interface DeployedContract {
  /** The transaction that created or migrated the contract; undefined if it already existed. */
  readonly transaction: { readonly hash: string; readonly height: bigint; readonly gasUsed: bigint } | undefined;
  /** The contract's own version. */
  readonly version: string;
  readonly initStage: Stage;
  readonly members: readonly Account[];
  /** The only account that may finalize stages; undefined if every member may. */
  readonly finalizer: Account | undefined;
  readonly owner: Account;
  /** The account that must accept ownership to become the owner; undefined if ownership was not offered. */
  readonly pendingOwner: Account | undefined;
}

import type { Account } from "./account.ts";
import type { Stage } from "./stage.ts";

/** What a deployment is asked to lead to. */
export interface WishedState {
  readonly initStage: Stage;
  /** Accounts that may write scores. */
  readonly members: readonly Account[];
  /** The only account that may finalize stages. Undefined: stays as it is. */
  readonly finalizer: Account | undefined;
  /** Who is offered the ownership. Undefined: nobody. */
  readonly owner: Account | undefined;
}

/** A deployed contract of ours on any VM, its state read back from the chain. */
export interface DeployedContract {
  /** The transaction that created or migrated the contract; undefined if it was there already. */
  readonly transaction: { readonly hash: string; readonly height: bigint; readonly gasUsed: bigint } | undefined;
  /** The contract's own version. */
  readonly version: string;
  readonly initStage: Stage;
  readonly members: readonly Account[];
  /** The only account that may finalize stages; undefined if every member may. */
  readonly finalizer: Account | undefined;
  readonly owner: Account;
  /** Who must accept the ownership to become the owner; undefined if it was not offered. */
  readonly pendingOwner: Account | undefined;
}

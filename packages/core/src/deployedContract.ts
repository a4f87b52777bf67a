import type { Account } from "./account.ts";
import type { ContractFeatures } from "./contractIdentity.ts";
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

/** A deployed contract on any VM, with its state read back from the chain. */
export interface DeployedContract {
  /** The transaction that created or migrated the contract; undefined if it already existed. */
  readonly transaction: { readonly hash: string; readonly height: bigint; readonly gasUsed: bigint } | undefined;
  /** The contract's own version; undefined if it reports none. */
  readonly version: string | undefined;
  readonly features: ContractFeatures;
  readonly initStage: Stage;
  /** All members; for a contract that cannot list them, those of the deployment. */
  readonly members: readonly Account[];
  /** The only account that may finalize stages; undefined if every member may. */
  readonly finalizer: Account | undefined;
  /** Undefined for a contract without roles. */
  readonly owner: Account | undefined;
  /** The account that must accept ownership to become the owner; undefined if ownership was not offered. */
  readonly pendingOwner: Account | undefined;
}

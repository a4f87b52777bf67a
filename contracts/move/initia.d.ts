import type { MsgExecute } from "@initia/initia.js";

/** An account in bech32 or hex. */
type Address = string;
/** An integer below 2^64; a number has to be below 2^53. */
type U64 = bigint | number | string;

/** A builder for each entry function of the module, by its name. SPEC.md has what they do, and who may call them. */
export interface VipScoreMessages {
  accept_ownership_script: () => MsgExecute;
  add_deployer_script: (deployer: Address) => MsgExecute;
  complete_upgrade_script: () => MsgExecute;
  finalize_checked_script: (stage: U64, expectedTotal: U64, expectedCount: U64, expectedRevision: U64) => MsgExecute;
  finalize_script: (stage: U64) => MsgExecute;
  owner_add_deployer_script: (deployer: Address) => MsgExecute;
  owner_remove_deployer_script: (deployer: Address) => MsgExecute;
  remove_deployer_script: (deployer: Address) => MsgExecute;
  set_deployers_script: (deployers: readonly Address[]) => MsgExecute;
  set_finalizer_script: (finalizer: Address | null) => MsgExecute;
  set_init_stage: (stage: U64) => MsgExecute;
  set_publisher_manages_script: (allowed: boolean) => MsgExecute;
  transfer_ownership_script: (newOwner: Address) => MsgExecute;
  update_score_script: (stage: U64, accounts: readonly Address[], scores: readonly U64[]) => MsgExecute;
  update_scores_script: (stage: U64, accounts: readonly Address[], scores: readonly U64[]) => MsgExecute;
}

/** Builds messages of an account to the module that `publisher` has published, to sign with a wallet of initia.js. */
export function vipScoreMessages(sender: Address, publisher: Address): VipScoreMessages;

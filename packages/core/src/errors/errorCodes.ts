/**
 * Who has to act on an error, and the exit status of the command:
 * `input` (2) the caller's data, options or settings are wrong; `check` (3) a check failed;
 * `chain` (4) the chain or the network failed; `interrupted` (130) a signal ended the work.
 */
export type ErrorCategory = "input" | "check" | "chain" | "interrupted";

/** Every stable error code with its category and the one-line meaning that `docs/errors.md` lists. */
export const errorCodes = {
  // the caller's input
  INPUT_INVALID: { category: "input", title: "A file or an argument has invalid values" },
  INDEXER_BAD_REQUEST: { category: "input", title: "The NFT indexer rejects a value of the request" },
  FILE_UNREADABLE: { category: "input", title: "A file is missing or cannot be read" },
  FILE_CHANGED: { category: "input", title: "A file changed while it was read" },
  FILE_UNWRITABLE: { category: "input", title: "A file cannot be written" },
  CONFIG_INVALID: { category: "input", title: "A setting is missing or invalid" },
  PACKAGE_MISSING: { category: "input", title: "An optional package that the command needs is not installed" },
  KEY_INVALID: { category: "input", title: "The signing key is missing or invalid" },
  STAGE_ZERO: { category: "input", title: "Stages count from 1" },
  DEVICE_MISSING: { category: "input", title: "The signing device or its package is missing" },
  DEVICE_LOCKED: { category: "input", title: "The signing device is locked" },
  DEVICE_WRONG_APP: { category: "input", title: "The signing device shows another app" },
  DEVICE_FAILED: { category: "input", title: "The signing device cannot sign this" },
  PROPOSAL_INVALID: { category: "input", title: "A field of a proposal's settings cannot be used" },
  POLICY_INVALID: { category: "input", title: "A file of a policy cannot be used" },
  POLICY_REFUSED: { category: "input", title: "A policy uses something that policies may not use" },

  // refusals of a check
  PERMISSION_DENIED: { category: "check", title: "The signer may not do this on the contract" },
  STAGE_NOT_FOUND: { category: "check", title: "The stage does not exist on the contract yet" },
  STAGE_FINALIZED: { category: "check", title: "The stage is finalized and can no longer change" },
  LENGTH_MISMATCH: { category: "check", title: "The address and amount lists differ in length" },
  INSUFFICIENT_SCORE: { category: "check", title: "A score cannot be decreased below zero" },
  SCORE_OVERFLOW: { category: "check", title: "A score or a stage's total would exceed the u64 range" },
  INVALID_ADDRESS: { category: "check", title: "The contract does not accept an address" },
  LAST_MEMBER: { category: "check", title: "The last member cannot be removed" },
  MEMBER_EXISTS: { category: "check", title: "The account is already a member" },
  MEMBER_NOT_FOUND: { category: "check", title: "The account is not a member" },
  INIT_STAGE_SET: { category: "check", title: "The contract's first stage is already set" },
  ACTION_REQUIRED: { category: "check", title: "Something must be done before the next stage ends" },
  FINALIZE_MISMATCH: { category: "check", title: "The stage changed after it was verified" },
  FINALIZED_OTHER_SCORES: { category: "check", title: "The stage was finalized with scores that differ from the file" },
  ROW_REFUSED: { category: "check", title: "The contract refuses a row" },
  EXTRA_ACCOUNTS: { category: "check", title: "The chain holds scores of accounts that are missing from the file" },
  VERIFY_MISMATCH: { category: "check", title: "The chain does not hold exactly what the file says" },
  ENDPOINTS_DIFFER: { category: "check", title: "Two endpoints show different states of the same height" },
  SNAPSHOT_DIFFERS: {
    category: "check",
    title: "L1's snapshot of the stage does not match the contract's scores, or a challenge removed it",
  },
  PROOF_INVALID: { category: "check", title: "A proof does not lead to its snapshot's root" },
  STAGE_RUNNING: { category: "check", title: "The stage is still active on L1" },
  STAGE_AHEAD: { category: "check", title: "L1 has not reached the stage" },
  VERSION_MISMATCH: { category: "check", title: "The local minitiad and the rollup have different versions" },
  CHAIN_MISMATCH: { category: "check", title: "The endpoint serves a different chain than expected" },
  CONTRACT_NOT_FOUND: { category: "check", title: "There is no scoring contract at the address" },
  NOT_SUPPORTED: { category: "check", title: "A reference contract does not support this" },
  INSUFFICIENT_FUNDS: { category: "check", title: "The signer's balance does not cover the fees or the deposit" },
  FEE_LIMIT: { category: "check", title: "A push would cost more than its maximum fee" },
  JOURNAL_INVALID: { category: "check", title: "The journal is damaged or belongs to another push" },
  OTHERS_WROTE: { category: "check", title: "Others wrote to the stage during a push" },
  PUSH_RUNNING: { category: "check", title: "Another command of the same signer is working on the stage" },
  PENDING_TRANSACTIONS: { category: "check", title: "The signer has transactions that are still pending" },
  CONFIRMATION_MISSING: { category: "check", title: "A step that cannot be undone was not confirmed" },
  DATABASE_INVALID: { category: "check", title: "The indexer's database is damaged or has another version" },
  DATABASE_IN_USE: { category: "check", title: "Another indexer writes to the database" },
  CHAIN_RESTARTED: { category: "check", title: "The chain was reset since it was indexed" },
  INDEXER_NOT_FOUND: { category: "check", title: "The NFT indexer does not know the collection" },
  DEVICE_REFUSED: { category: "check", title: "The user refused on the signing device" },
  VIP_NOT_INITIALIZED: { category: "check", title: "L1's VIP module is not initialized" },
  BRIDGE_MISMATCH: { category: "check", title: "The rollup names another bridge than the settings" },
  BRIDGE_NOT_FOUND: { category: "check", title: "L1 has no such bridge" },
  PROPOSAL_OPEN: { category: "check", title: "L1 votes on the same proposal already" },
  BRIDGE_REGISTERED: { category: "check", title: "The bridge is already registered with VIP" },
  BRIDGE_NOT_REGISTERED: { category: "check", title: "The bridge is not registered with VIP" },
  BRIDGE_BELOW_MINIMUM: { category: "check", title: "The bridge holds less than VIP's minimum" },
  FIRST_STAGE_LATE: { category: "check", title: "The contract starts after the first stage that L1 needs" },
  OPERATOR_INVALID: { category: "check", title: "The operator is not an account of L1 that can sign" },
  CHALLENGE_LATE: { category: "check", title: "A vote on the challenge would end after the challenge period" },
  CHALLENGE_NEEDLESS: { category: "check", title: "There is no wrong snapshot to challenge" },
  CLAIM_INVALID: { category: "check", title: "L1 would refuse the claim, or there is nothing to claim" },
  COMMISSION_INVALID: { category: "check", title: "L1 would refuse the operator's commission" },
  POLICY_LIMIT: { category: "check", title: "A policy needs more than a run may use" },
  QUERY_ENDED: { category: "check", title: "A policy's query ended before its last row" },
  POLICY_FORBIDDEN: { category: "check", title: "A policy breaks VIP's rules or its own limits" },
  WINDOW_OPEN: { category: "check", title: "Some blocks of a policy's window do not exist yet" },
  SOURCE_INVALID: {
    category: "check",
    title: "The chain does not have what a policy's source names, or in another form",
  },
  SOURCE_EMPTY: { category: "check", title: "A policy's source selects nothing" },
  DATA_INVALID: { category: "check", title: "Stored data of a policy's source is damaged" },
  DATA_IN_USE: { category: "check", title: "Another command reads the same source into the same folder" },
  AUDIT_DIFFERS: { category: "check", title: "An audit does not reproduce the scores" },
  NOT_CONFORMING: { category: "check", title: "A contract breaks a rule" },
  POLICY_NOT_DETERMINISTIC: { category: "check", title: "Two runs of a policy give different scores" },

  // failures of the chain or the network
  NODE_UNREACHABLE: { category: "chain", title: "The endpoint does not answer" },
  NODE_BAD_RESPONSE: { category: "chain", title: "The endpoint's answer does not follow its protocol" },
  NODE_REDIRECTED: { category: "chain", title: "The endpoint redirects to another host" },
  NODE_BEHIND: { category: "chain", title: "The endpoint lacks a block that it showed before" },
  NODE_ERROR: { category: "chain", title: "The node refused a request" },
  SIGNER_UNREACHABLE: { category: "chain", title: "The remote signer does not answer" },
  SIGNER_FAILED: { category: "chain", title: "The remote signer refuses to sign, or its answer cannot be used" },
  TX_INDEX_OFF: { category: "chain", title: "The node keeps no index of transactions" },
  BROADCAST_REFUSED: { category: "chain", title: "The node refused a transaction before it reached a block" },
  TRANSACTION_FAILED: { category: "chain", title: "A transaction failed in a block" },
  DATABASE_UNREACHABLE: { category: "chain", title: "The indexer's database does not answer" },
  INDEXER_UNREACHABLE: { category: "chain", title: "The NFT indexer does not answer" },
  INDEXER_TIMEOUT: { category: "chain", title: "The NFT indexer did not answer in time" },
  INDEXER_SERVER_ERROR: { category: "chain", title: "The NFT indexer failed to answer a request" },
  INDEXER_BAD_ANSWER: { category: "chain", title: "The NFT indexer's answer does not follow its API" },
  INDEXER_UNREADABLE: { category: "chain", title: "The NFT indexer cannot serve some of its rows" },
  INDEXER_MOVING: { category: "chain", title: "A collection changes faster than its listing can be read" },
  NO_PROGRESS: { category: "chain", title: "Several rounds in a row changed nothing on the chain" },

  INTERRUPTED: { category: "interrupted", title: "The work was interrupted" },
} as const satisfies Record<string, { category: ErrorCategory; title: string }>;

/** A stable error code; see `docs/errors.md`. */
export type ErrorCode = keyof typeof errorCodes;

const exitStatuses: Record<ErrorCategory, number> = { input: 2, check: 3, chain: 4, interrupted: 130 };

/** The process exit status that belongs to an error code: 2, 3, 4 or 130. */
export function exitStatusOf(code: ErrorCode): number {
  return exitStatuses[errorCodes[code].category];
}

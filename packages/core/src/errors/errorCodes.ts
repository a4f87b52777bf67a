/**
 * Who has to act on an error, and so with which status a command ends:
 * `input` (2) the caller's data, options or settings are wrong; `check` (3) a check refused to go on;
 * `chain` (4) the chain or the network failed; `interrupted` (130) a signal ended the work.
 */
export type ErrorCategory = "input" | "check" | "chain" | "interrupted";

/** Every stable error code with its category and the one-line meaning that `docs/errors.md` lists. */
export const errorCodes = {
  // what the caller gave
  INPUT_INVALID: { category: "input", title: "A file or an argument has values that cannot be used" },
  INDEXER_BAD_REQUEST: { category: "input", title: "The NFT indexer does not take a value of the request" },
  FILE_UNREADABLE: { category: "input", title: "A file is missing or cannot be read" },
  FILE_UNWRITABLE: { category: "input", title: "A file cannot be written" },
  CONFIG_INVALID: { category: "input", title: "A setting is missing or has a value that cannot be used" },
  KEY_INVALID: { category: "input", title: "The signing key is missing or cannot be used" },
  STAGE_ZERO: { category: "input", title: "Stages count from 1" },

  // what a check refused
  PERMISSION_DENIED: { category: "check", title: "The signer may not do this on the contract" },
  STAGE_NOT_FOUND: { category: "check", title: "The stage has not been created on the contract" },
  STAGE_FINALIZED: { category: "check", title: "The stage is finalized and can no longer change" },
  LENGTH_MISMATCH: { category: "check", title: "The address and amount lists differ in length" },
  INSUFFICIENT_SCORE: { category: "check", title: "A score cannot be decreased below zero" },
  SCORE_OVERFLOW: { category: "check", title: "A score or a stage's total would exceed the u64 range" },
  INVALID_ADDRESS: { category: "check", title: "The contract does not accept an address" },
  LAST_MEMBER: { category: "check", title: "The last allow-list member cannot be removed" },
  MEMBER_EXISTS: { category: "check", title: "The account is an allow-list member already" },
  MEMBER_NOT_FOUND: { category: "check", title: "The account is no allow-list member" },
  INIT_STAGE_SET: { category: "check", title: "The contract's first stage is set already" },
  FINALIZE_MISMATCH: { category: "check", title: "The stage is not what was verified before it was finalized" },
  FINALIZED_OTHER_SCORES: { category: "check", title: "The stage was finalized with other scores than the file's" },
  EXTRA_ACCOUNTS: { category: "check", title: "The chain holds scores of accounts that the file does not name" },
  VERIFY_MISMATCH: { category: "check", title: "The chain does not hold exactly what the file says" },
  STAGE_RUNNING: { category: "check", title: "L1 still runs the stage" },
  STAGE_AHEAD: { category: "check", title: "L1 has not reached the stage" },
  VERSION_MISMATCH: { category: "check", title: "The local minitiad is of another version than the rollup" },
  CHAIN_MISMATCH: { category: "check", title: "The endpoint serves another chain than expected" },
  CONTRACT_NOT_FOUND: { category: "check", title: "No scoring contract is at the address" },
  NOT_SUPPORTED: { category: "check", title: "The contract is of a version that does not have this" },
  INSUFFICIENT_FUNDS: { category: "check", title: "The signer's balance does not cover the fees" },
  JOURNAL_INVALID: { category: "check", title: "The journal is damaged or belongs to another push" },
  PUSH_RUNNING: { category: "check", title: "Another command of the same signer works on the stage" },
  PENDING_TRANSACTIONS: { category: "check", title: "The signer has transactions that are still pending" },
  CONFIRMATION_MISSING: { category: "check", title: "A step that cannot be undone was not confirmed" },
  DATABASE_INVALID: { category: "check", title: "The indexer's database is damaged or of another version" },
  DATABASE_IN_USE: { category: "check", title: "Another indexer writes to the database" },
  CHAIN_RESTARTED: { category: "check", title: "The chain was reset since it was indexed" },
  INDEXER_NOT_FOUND: { category: "check", title: "The NFT indexer knows no such collection" },

  // what the chain or the network did
  NODE_UNREACHABLE: { category: "chain", title: "The endpoint does not answer" },
  NODE_BAD_RESPONSE: { category: "chain", title: "The endpoint answered something that is not its protocol" },
  NODE_REDIRECTED: { category: "chain", title: "The endpoint redirects to another host" },
  NODE_BEHIND: { category: "chain", title: "The endpoint does not show a block that it showed before" },
  NODE_ERROR: { category: "chain", title: "The node refused a request" },
  BROADCAST_REFUSED: { category: "chain", title: "The node refused a transaction before any block" },
  TRANSACTION_FAILED: { category: "chain", title: "A transaction is in a block and failed" },
  DATABASE_UNREACHABLE: { category: "chain", title: "The indexer's database does not answer" },
  INDEXER_UNREACHABLE: { category: "chain", title: "The NFT indexer does not answer" },
  INDEXER_TIMEOUT: { category: "chain", title: "The NFT indexer did not answer in time" },
  INDEXER_SERVER_ERROR: { category: "chain", title: "The NFT indexer failed to answer a request" },
  INDEXER_BAD_ANSWER: { category: "chain", title: "The NFT indexer answered something that is not its API" },
  INDEXER_BEHIND: { category: "chain", title: "The NFT indexer is too far behind the rollup" },
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

/** How long the indexer waits, in milliseconds; `Retry-After` in seconds. */
export const times = {
  /** `Retry-After` while the database is down: about as long as a restart takes. */
  retryDownSeconds: 5,
  /** `Retry-After` while the index is behind: a follower catches up hundreds of blocks meanwhile. */
  retryBehindSeconds: 10,
  /** Maximum age of what the follower last saw; after that, nobody knows how far behind the index is. */
  headSeenMs: 60_000,
  /** For which a reading of the lag is used again. */
  readLagEveryMs: 1_000,
  /** Timeout of the database: shorter than the server's idle timeout. */
  databaseMs: 8_000,
  /** Maximum that a connection is idle, and that a request takes to arrive. */
  requestMs: 10_000,
  /** Maximum that a client takes to read an answer: a full page at a few KB a second. */
  answerMs: 60_000,
  /** Between checks of connections for slow requests. */
  checkConnectionsMs: 1_000,
  /** Maximum that pending requests continue after `close`: longer than the database may take. */
  closeMs: 10_000,
  /** Between readings of L1, and the age of what a claim says of its account. */
  readL1Ms: 10_000,
  /** Between checks for a new block. */
  pollMs: 500,
  /** Minimum between two records of the same newest height. */
  recordSameHeadMs: 1_000,
  /** First and longest pause after a failure. */
  firstRetryMs: 250,
  longestRetryMs: 15_000,
  /** Opening a connection to PostgreSQL. */
  connectMs: 10_000,
  /** Maximum wait of a connection to SQLite for another process; this blocks the whole program. */
  busyMs: 2_000,
  /** Maximum wait for another program's lock: a server may notice that a program was killed only after its replacement started. */
  claimMs: 5_000,
  claimEveryMs: 200,
} as const;

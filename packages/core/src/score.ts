/** The largest score, stage number and stage total: 2^64 - 1. */
export const u64Max = 18_446_744_073_709_551_615n;

/** A score, 0 to 2^64 - 1. The contracts hold it as u64; it never passes through a JavaScript number. */
export type Score = bigint;

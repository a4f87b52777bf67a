/** How long reads of a node are retried. */
export interface NodePatience {
  /**
   * Retry limit of a read while its failure may pass, in milliseconds. Default: 3,000, because a program that follows a chain
   * retries longer itself, and reports why.
   */
  readonly patienceMs?: number | undefined;
}

export const defaultPatienceMs = 3_000;

import { IndexerRequestError, type IndexerErrorFields } from "../http/indexerErrors.ts";

/** `INDEXER_MOVING`: a collection changed during each attempt to read it at one height. */
export class IndexerMovingError extends IndexerRequestError {
  override readonly name = "IndexerMovingError";
  override readonly code = "INDEXER_MOVING";
  /** Number of attempts. */
  declare readonly attempts: number;
  /** The height of the last attempt. */
  declare readonly height: number;

  constructor(message: string, fields: IndexerErrorFields & { readonly attempts: number; readonly height: number }) {
    super(message, { ...fields, retryable: true });
  }
}

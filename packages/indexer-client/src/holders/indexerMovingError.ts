import { IndexerRequestError, type IndexerErrorFields } from "../http/indexerErrors.ts";

/** `INDEXER_MOVING`: a collection changed during each attempt to read it as it is at one height. */
export class IndexerMovingError extends IndexerRequestError {
  override readonly name = "IndexerMovingError";
  override readonly code = "INDEXER_MOVING";
  /** How often the collection was read. */
  declare readonly attempts: number;
  /** The height at which the last attempt tried to read it. */
  declare readonly height: number;

  constructor(message: string, fields: IndexerErrorFields & { readonly attempts: number; readonly height: number }) {
    super(message, { ...fields, retryable: true });
  }
}

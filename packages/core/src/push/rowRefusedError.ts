import { VipError, type VipErrorOptions } from "../errors/vipError.ts";
import type { RowToWrite } from "../scoreContract.ts";

/** The contract refuses a row, or several only together. */
export class RowRefusedError extends VipError {
  static override readonly className: string = "RowRefusedError";

  override readonly name: string = "RowRefusedError";
  readonly refusal: RowRefusal;

  constructor(shortMessage: string, { refusal, ...options }: VipErrorOptions & { readonly refusal: RowRefusal }) {
    super(shortMessage, options);
    this.refusal = refusal;
  }
}

/** Rows that the contract refuses, and what the push had written before. */
export interface RowRefusal {
  /** `row` is its number in the input, undefined for an account that is pruned; `current` its score in the stage. */
  readonly rows: readonly (RowToWrite & { readonly row: number | undefined })[];
  /** The contract's own text. */
  readonly reason: string | undefined;
  readonly rowsWritten: number;
  readonly rowsToWrite: number;
}

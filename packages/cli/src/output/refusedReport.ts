import type { ErrorCode } from "@vipscore/core";
import { CheckError } from "@vipscore/core/errors";

/** A check that failed after the command printed its report: `--json` prints one object with both. */
export class RefusedReport extends CheckError {
  static override readonly className: string = "RefusedReport";

  override readonly name: string = "RefusedReport";
  /** The report, for `--json`. */
  readonly report: object;

  constructor(shortMessage: string, options: { readonly code: ErrorCode; readonly report: object }) {
    super(shortMessage, { code: options.code });
    this.report = options.report;
  }
}

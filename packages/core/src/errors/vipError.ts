import type { ErrorCode } from "./errorCodes.ts";

/** Options of every vipscore error. */
export interface VipErrorOptions {
  /** Stable code, listed in `docs/errors.md`. */
  readonly code: ErrorCode;
  /** Lines that add the place, the value, and what to do next. Never a secret. */
  readonly metaMessages?: readonly string[];
  /** The text of a lower layer, e.g. a node's answer. */
  readonly details?: string;
  /** The error that caused this one. */
  readonly cause?: unknown;
}

const brand = Symbol.for("vipscore.VipError");

/**
 * The base of every error that vipscore throws on purpose.
 *
 * `message` is the short message followed by the meta messages; tests and programs should check `code`.
 */
export class VipError extends Error {
  override readonly name: string = "VipError";
  readonly code: ErrorCode;
  readonly shortMessage: string;
  readonly metaMessages: readonly string[];
  readonly details: string | undefined;
  readonly docsPath: string;

  constructor(shortMessage: string, options: VipErrorOptions) {
    const metaMessages = options.metaMessages ?? [];
    super([shortMessage, ...metaMessages].join("\n"), options.cause === undefined ? {} : { cause: options.cause });
    this.code = options.code;
    this.shortMessage = shortMessage;
    this.metaMessages = metaMessages;
    this.details = options.details;
    this.docsPath = `docs/errors.md#${options.code.toLowerCase()}`;
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for any vipscore error, including one created by a second copy of this package. */
  static isVipError(value: unknown): value is VipError {
    return typeof value === "object" && value !== null && brand in value;
  }

  /** Returns the first error in the chain of causes, including this one, that `matches`, or undefined. */
  walk(matches: (error: unknown) => boolean): unknown {
    if (matches(this)) return this;
    let current = this.cause;
    // A longer chain of causes is a cycle.
    for (let depth = 0; depth < 32 && current !== undefined; depth += 1) {
      if (matches(current)) return current;
      current = current instanceof Error ? current.cause : undefined;
    }
    return undefined;
  }
}

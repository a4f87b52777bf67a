import type { ErrorCode } from "./errorCodes.ts";
import type { Hint } from "./hint.ts";

/** Options of every vipscore error. */
export interface VipErrorOptions {
  /** Stable code, listed in `docs/errors.md`. */
  readonly code: ErrorCode;
  /** Lines that add the place, the value, and what to do next. Never a secret. */
  readonly metaMessages?: readonly (string | Hint)[];
  /** The text of a lower layer, e.g. a node's answer. */
  readonly details?: string;
  /** The error that caused this one. */
  readonly cause?: unknown;
}

const brand = Symbol.for("vipscore.VipError");
const isInstance = Function.prototype[Symbol.hasInstance];

/**
 * The base of every error that vipscore throws on purpose.
 *
 * `message` is the short message followed by the meta messages; tests and programs should check `code`.
 */
export class VipError extends Error {
  /**
   * Names the class among all vipscore errors. By it, `instanceof` also holds for an error of another copy of this package, such
   * as the one that an optional package of the command brings.
   */
  static readonly className: string = "VipError";

  override readonly name: string = "VipError";
  readonly code: ErrorCode;
  readonly shortMessage: string;
  readonly metaMessages: readonly string[];
  /** The meta messages, with the codes and values of those that a program can word with its own commands. */
  readonly advice: readonly (string | Hint)[];
  readonly details: string | undefined;
  readonly docsPath: string;

  constructor(shortMessage: string, options: VipErrorOptions) {
    const advice = options.metaMessages ?? [];
    const metaMessages = advice.map((line) => (typeof line === "string" ? line : line.text));
    super([shortMessage, ...metaMessages].join("\n"), options.cause === undefined ? {} : { cause: options.cause });
    this.code = options.code;
    this.shortMessage = shortMessage;
    this.metaMessages = metaMessages;
    this.advice = advice;
    this.details = options.details;
    this.docsPath = `docs/errors.md#${options.code.toLowerCase()}`;
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for an instance of the class, including one created by a second copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (isInstance.call(this, value)) return true;
    // A class that does not name itself has the name of the class above it, which has more instances.
    return Object.hasOwn(this, "className") && VipError.isVipError(value) && classNames(value).has(this.className);
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

/** The names of an error's class and of the classes above it. */
function classNames(error: VipError): ReadonlySet<string> {
  const names = new Set<string>();
  for (let type: unknown = error.constructor; typeof type === "function"; type = Object.getPrototypeOf(type)) {
    if ("className" in type) names.add(String(type.className));
  }
  return names;
}

/** A check failed; nothing that it guards was sent. */
export class CheckError extends VipError {
  static override readonly className: string = "CheckError";

  override readonly name: string = "CheckError";
}

import type { Account } from "../account.ts";
import type { Vm } from "../contractIdentity.ts";
import { errorCodes, type ErrorCode } from "./errorCodes.ts";

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

  constructor(shortMessage: string, options: VipErrorOptions) {
    const advice = options.metaMessages ?? [];
    const metaMessages = advice.map((line) => (typeof line === "string" ? line : line.text));
    super([shortMessage, ...metaMessages].join("\n"), options.cause === undefined ? {} : { cause: options.cause });
    this.code = options.code;
    this.shortMessage = shortMessage;
    this.metaMessages = metaMessages;
    this.advice = advice;
    this.details = options.details;
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

/** True if a check failed, as opposed to invalid input or a node's failure. */
export function isFailedCheck(error: unknown): error is VipError {
  return VipError.isVipError(error) && errorCodes[error.code].category === "check";
}

/** What a hint carries besides its text, by its code. */
interface HintValues {
  readonly "add-member": { readonly account: Account };
  /** The contract's address as the chain spells it; a reference contract has no owner. */
  readonly "ask-manager": { readonly vm: Vm; readonly address: string; readonly owner: Account | undefined };
  readonly challenge: { readonly stage: bigint };
  readonly "claim-next": { readonly stage: bigint };
  /** The time before which an expedited vote must start. */
  readonly expedite: { readonly before: string; readonly deposit: string };
  /** IDs of the registered bridges. */
  readonly "name-bridge": { readonly known: string };
  readonly "name-finalizer": { readonly owner: Account };
  readonly "name-l1": { readonly chainId: string };
  /** The chains for which the address of the module `vip` is known. */
  readonly "name-vip": { readonly known: string };
  readonly "offer-ownership": { readonly owner: Account; readonly account: Account };
  readonly "replace-reference-contract": { readonly vm: Vm };
  /** Scores are multiples of 10^-scale; the unit's name, undefined for ones. */
  readonly scale: { readonly scale: number; readonly unit: string | undefined };
}

/** Codes of hints that carry only a text. */
type PlainHint =
  | "choose-bridge"
  | "complete-upgrade"
  | "drop-fraction"
  | "extra-accounts"
  | "fee-limit"
  | "finalize"
  | "finalize-early"
  | "free-port"
  | "install-transport"
  | "more-memory"
  | "name-admin"
  | "name-artifact"
  | "name-columns"
  | "name-contract"
  | "name-endpoint"
  | "name-policy"
  | "name-window"
  | "no-packed"
  | "propose-contract"
  | "propose-registration"
  | "publish-first"
  | "reference-roles"
  | "rewrite-proofs"
  | "set-first-stage"
  | "skip-stages"
  | "spill"
  | "start-local-node"
  | "upgrade"
  | "use-jsonl"
  | "write-manifest"
  | "write-proofs";

/** A line of an error that says what to do next. By its code, a program can word it with its own commands. */
export type Hint = { readonly text: string } & (
  | { readonly code: PlainHint }
  | { [Code in keyof HintValues]: { readonly code: Code } & HintValues[Code] }[keyof HintValues]
);

/** Options of {@link NodeError}. */
export interface NodeErrorOptions extends VipErrorOptions {
  /** Wait that the endpoint asks of clients, in milliseconds. Default: 0. */
  readonly retryAfterMs?: number;
  /** True if the same request may succeed later. Default: true for `NODE_UNREACHABLE`, false for any other code. */
  readonly isTransient?: boolean;
  /** True if the text comes from a contract, so that anyone may have written it. Default: false. */
  readonly isOfContract?: boolean;
}

/** The endpoint is unreachable, does not speak the protocol, or refused a request. Never contains the URL's credentials. */
export class NodeError extends VipError {
  static override readonly className: string = "NodeError";

  override readonly name: string = "NodeError";
  /** Wait that the endpoint asks of clients, in milliseconds; 0 if it does not ask. */
  readonly retryAfterMs: number;
  /** True if the same request may succeed later. Reads are retried only after such failures. */
  readonly isTransient: boolean;
  /** True if a contract refused: anyone may have written its text, which says nothing about the node. */
  readonly isOfContract: boolean;

  constructor(shortMessage: string, options: NodeErrorOptions) {
    super(shortMessage, options);
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.isOfContract = options.isOfContract ?? false;
    this.isTransient = !this.isOfContract && (options.isTransient ?? options.code === "NODE_UNREACHABLE");
  }
}

/**
 * Meaning of a refusal before inclusion for the sender:
 * `sequence` the sequence is used or ahead; `resign` the node accepts the same call and sequence once the same connection,
 * which now knows the right form, signs it again; `fee` the node requires a higher price, which the same
 * connection reads again before it signs; `too-large` gas or bytes exceed the node's limit; `funds` the balance does not
 * cover the fee; `execution` the node ran the call and it fails; `other` any other reason.
 */
export type BroadcastRefusal = "sequence" | "resign" | "fee" | "too-large" | "funds" | "execution" | "other";

/** A node refused a transaction before including it in a block: nothing was written and no fee was paid. */
export class BroadcastError extends VipError {
  static override readonly className: string = "BroadcastError";

  override readonly name: string = "BroadcastError";
  readonly refusal: BroadcastRefusal;

  constructor(shortMessage: string, options: Omit<VipErrorOptions, "code"> & { readonly refusal: BroadcastRefusal }) {
    const isUnfunded = options.refusal === "funds";
    super(shortMessage, {
      ...(isUnfunded && { metaMessages: ["Fund the signer and try again."] }),
      ...options,
      code: isUnfunded ? "INSUFFICIENT_FUNDS" : "BROADCAST_REFUSED",
    });
    this.refusal = options.refusal;
  }
}

/** A transaction was included in a block and failed: a fee may have been paid, nothing was written. */
export class ExecutionError extends VipError {
  static override readonly className: string = "ExecutionError";

  override readonly name: string = "ExecutionError";
  /** Hash of the failed transaction, in the chain's spelling. */
  readonly txHash: string;

  constructor(shortMessage: string, options: VipErrorOptions & { readonly txHash: string }) {
    super(shortMessage, options);
    this.txHash = options.txHash;
  }
}

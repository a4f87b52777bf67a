import { NodeError, VipError, type Hint, type VipErrorOptions } from "./vipError.ts";

/** Why one row of a score table, or one argument, was rejected. */
export type InputIssueReason =
  | "ADDRESS_INVALID"
  | "ADDRESS_CHECKSUM"
  | "ADDRESS_PREFIX"
  | "ADDRESS_LENGTH"
  | "ADDRESS_ZERO"
  | "ADDRESS_DUPLICATE"
  | "SCORE_INVALID"
  | "SCORE_NEGATIVE"
  | "SCORE_FRACTION"
  | "SCORE_TOO_LARGE"
  | "TOTAL_TOO_LARGE"
  | "ROW_MALFORMED"
  | "FILE_EMPTY"
  | "FILE_BINARY"
  | "FILE_MALFORMED";

/**
 * Why a value was rejected, without its place. Functions that read single values return it instead of throwing, because a
 * file with a million bad rows must be read to its end.
 */
export interface InputProblem {
  readonly reason: InputIssueReason;
  /** The problem, with the value and what to do next. */
  readonly message: string;
  /** What to do next, with which the message ends, if a program can word it with its own options. */
  readonly hint?: Hint;
}

/** One rejected row or value. */
export interface InputIssue {
  readonly reason: InputIssueReason;
  /** The file's name as the caller wrote it. */
  readonly file: string;
  /** Line number in the file (CSV, JSON Lines) or element number (JSON), from 1; undefined if the issue concerns the whole file. */
  readonly row?: number;
  /** The problem, with the value and what to do next; without file and row. */
  readonly message: string;
  /** What to do next, with which the message ends, if a program can word it with its own options. */
  readonly hint?: Hint;
}

/** Number of rejected rows that the message lists; `issues` has all. */
const issuesInMessage = 10;

/** The caller's data cannot be used; nothing was sent. `issues` lists every rejected row. */
export class InputError extends VipError {
  static override readonly className: string = "InputError";

  override readonly name: string = "InputError";
  readonly issues: readonly InputIssue[];

  constructor(
    shortMessage: string,
    options: Partial<VipErrorOptions> & { readonly issues?: readonly InputIssue[] } = {},
  ) {
    super(shortMessage, { code: "INPUT_INVALID", ...options });
    this.issues = options.issues ?? [];
    // A caller that prints only the message must also see what is wrong.
    this.message = [this.message, ...this.issues.slice(0, issuesInMessage).map(describeIssue)].join("\n");
  }
}

function describeIssue({ file, row, message }: InputIssue): string {
  return row === undefined ? `${file}  ${message}` : `${file}:${row}  ${message}`;
}

/** Maximum number of rejected values to keep. The rest are only counted, so that a hostile file cannot exhaust memory. */
export const issuesKept = 100_000;

/** Collects what is wrong with one input and throws it as one error. */
export class IssueLog {
  readonly #file: string;
  readonly #issues: InputIssue[] = [];
  #count = 0;
  #rows = 0;
  #lastRow = 0;

  /** `file` is the file's name as the caller wrote it. */
  constructor(file: string) {
    this.#file = file;
  }

  /** True if nothing has been rejected. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Adds one rejected value. Rows arrive in ascending order; a row may have several issues. */
  add(row: number, reason: InputIssueReason, message: string, hint?: Hint): void {
    this.#count += 1;
    if (row !== this.#lastRow) this.#rows += 1;
    this.#lastRow = row;
    if (this.#issues.length < issuesKept)
      this.#issues.push({ reason, file: this.#file, row, message, ...(hint && { hint }) });
  }

  /**
   * @throws InputError `INPUT_INVALID` with the issues in input order, if there are any. Its short message counts all
   * refused rows, including those whose issues were not kept.
   */
  throwIfAny(): void {
    if (this.isEmpty) return;
    const rows = `${this.#rows.toLocaleString("en-US")} ${this.#rows === 1 ? "row" : "rows"}`;
    throw new InputError(`${rows} of ${this.#file} refused`, { issues: this.#issues, metaMessages: this.#notes() });
  }

  /**
   * Stops reading an input that cannot be read further.
   *
   * @throws InputError `INPUT_INVALID` with the issues so far and this one.
   */
  fail(reason: Extract<InputIssueReason, `FILE_${string}`>, message: string, row?: number, hint?: Hint): never {
    const last: InputIssue = {
      reason,
      file: this.#file,
      message,
      ...(row !== undefined && { row }),
      ...(hint && { hint }),
    };
    throw new InputError(`${this.#file} refused`, { issues: [...this.#issues, last], metaMessages: this.#notes() });
  }

  #notes(): readonly string[] {
    const unlisted = this.#count - this.#issues.length;
    if (unlisted === 0) return [];
    return [
      `Only the first ${issuesKept.toLocaleString("en-US")} problems are listed; ${unlisted.toLocaleString("en-US")} more were found.`,
    ];
  }
}

/** Maximum number of characters of a value that a message shows. */
const shownLength = 80;

/**
 * Hex digits that may be a private key: more than a 20-byte address has; fewer than a key is enough, as it may be cut off. A
 * number has no letters.
 */
const keyLike = /(?<![0-9a-f])(?=[0-9]*[a-f])[0-9a-f]{48,}/gi;

/** Words that may be a mnemonic, which has 12 or more. */
const phraseLike = /(?<!\p{L})\p{L}{3,}(?:[\s,_-]+\p{L}{3,}){11,}/gu;

/**
 * Quotes a value of an input for a message: cut to 80 characters, with control, format and unpaired characters
 * escaped, so that a hostile file cannot control the terminal. Text that may be a private key or a mnemonic in the wrong
 * place is left out, except for the first and last four hex digits.
 */
export function quoteText(text: string): string {
  const shown = text.replace(keyLike, (digits) => `${digits.slice(0, 4)}…${digits.slice(-4)}`).replace(phraseLike, "…");
  const cut = shown.length > shownLength ? `${shown.slice(0, shownLength)}…` : shown;
  return `"${cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on its disk",
  EDQUOT: "the disk quota of this user is used up",
  EROFS: "its file system is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOENT: "its folder does not exist",
};

/**
 * Creates the error `FILE_UNWRITABLE` for a failed file operation.
 *
 * @param name The file, as shown in messages.
 * @param cause What the operation threw; its `code`, such as `ENOSPC`, becomes the reason.
 * @param metaMessages What to do next.
 */
export function fileUnwritable(name: string, cause: unknown, metaMessages: readonly string[] = []): InputError {
  const code = systemErrorCode(cause);
  const reason = reasons[code];
  const why = reason === undefined ? code : `${reason} (${code})`;
  return new InputError(`${name} cannot be written: ${why}`, { code: "FILE_UNWRITABLE", metaMessages, cause });
}

/** Returns the system's code of a failed operation, such as `ENOENT`, or `unknown error`. */
export function systemErrorCode(error: unknown): string {
  const hasCode = typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
  return hasCode ? String(error.code) : "unknown error";
}

/** The codes of the system and of Node for a connection, with TLS and undici; all others of the system are of files. */
const connectionCodes =
  /^(E(AFNO|ADDR|AI_|CONN|DESTADDR|HOST|ISCONN|MSGSIZE|NET|NOTCONN|NOTFOUND|NOTSOCK|PIPE|PROTO|SHUTDOWN|SOCKT|TIMEDOUT)|UND_ERR_|HPE_|ERR_(HTTP|SOCKET|SSL|STREAM_PREMATURE|TLS)|CERT_|CRL_|DEPTH_ZERO|ERROR_IN_C|HOSTNAME_|INVALID_(CA|PURPOSE)|PATH_LENGTH|SELF_SIGNED|UNABLE_TO_)/;
const connectionCalls = /^(accept|bind|connect|getaddrinfo|getnameinfo|listen|query|recv|send)/;
/** The calls that write, and the codes that only writing can meet: `open` is a call of both. */
const writing =
  /^(E(DQUOT|EXIST|FBIG|NOSPC|NOTEMPTY|ROFS|TXTBSY|XDEV)$|append|chmod|copy|cp|f?datasync|fsync|f?truncate|f?utime|[fl]?chown|link|mk|rename|rm|symlink|unlink|write)/;

/**
 * Returns the error for a refusal of the system, by its kind, that was not worded where it happened: of a file, a program, a port
 * or a connection. It may be among the causes of an error. Undefined for any other error.
 */
export function systemError(error: unknown, depth = 0): VipError | undefined {
  if (!(error instanceof Error) || depth > 8) return undefined;
  const { syscall = "", path = "a file", message, cause } = error as NodeJS.ErrnoException;
  const code = systemErrorCode(error);
  if (connectionCodes.test(code) || connectionCalls.test(syscall)) {
    return /^(bind|listen)/.test(syscall)
      ? new InputError(`a port cannot be opened, choose another: ${message}`, { code: "CONFIG_INVALID", cause: error })
      : new NodeError(`a connection failed: ${message}`, { code: "NODE_UNREACHABLE", details: code, cause: error });
  }
  if (code.startsWith("ERR_FS_") || (syscall !== "" && /^E[A-Z0-9]+$/.test(code))) {
    if (writing.test(code) || writing.test(syscall)) return fileUnwritable(path, error);
    const what = syscall.startsWith("spawn") ? "started" : "read";
    return new InputError(`${path} cannot be ${what} (${code})`, { code: "FILE_UNREADABLE", cause: error });
  }
  return systemError(error instanceof AggregateError ? error.errors[0] : cause, depth + 1);
}

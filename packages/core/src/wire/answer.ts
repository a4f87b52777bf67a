import { NodeError } from "../errors/vipError.ts";
import { tryParseJson } from "../jsonScanner.ts";
import { parseTime } from "../numbers.ts";
import { u64Max } from "../stage.ts";

/** Extracts the result of a request from its answer. Runs inside the retry: an unreadable answer is requested again. */
export type ReadAnswer<T> = (answer: Answer) => T;

/** The largest number of seconds since 1970 that a Date can hold. */
const lastDateSecond = 8_640_000_000_000n;

/**
 * An endpoint's answer, or a part of it, read field by field. A value of the wrong type throws
 * {@link UnreadableAnswer}, which names the endpoint, the request and the field.
 */
export class Answer {
  readonly value: unknown;
  readonly #source: AnswerSource;
  readonly #parent: Answer | undefined;
  readonly #name: string | number;

  constructor(source: AnswerSource, value: unknown, parent?: Answer, name: string | number = "") {
    this.value = value;
    this.#source = source;
    this.#parent = parent;
    this.#name = name;
  }

  /** A field of an object. If the field is missing, reading its value fails. */
  field(name: string): Answer {
    return new Answer(this.#source, this.object()[name], this, name);
  }

  /** The same part of the answer with another value, such as its decoded form. */
  as(value: unknown): Answer {
    return new Answer(this.#source, value, this.#parent, this.#name);
  }

  /** A field of an object; undefined if it is missing or `null`. */
  optional(name: string): Answer | undefined {
    const field = this.field(name);
    return field.value === undefined || field.value === null ? undefined : field;
  }

  /** The elements of a list; none for `null` or a missing field, which is how Go writes an empty list. */
  list(): readonly Answer[] {
    const value: unknown = this.value ?? [];
    if (!Array.isArray(value)) return this.unreadable("a list");
    return value.map((element: unknown, index) => new Answer(this.#source, element, this, index));
  }

  /** The elements of a required list: the REST interface of a Cosmos node writes empty lists too. */
  elements(): readonly Answer[] {
    return Array.isArray(this.value) ? this.list() : this.unreadable("a list");
  }

  object(): Readonly<Record<string, unknown>> {
    return isObject(this.value) ? this.value : this.unreadable("an object");
  }

  text(): string {
    return typeof this.value === "string" ? this.value : this.unreadable("a text");
  }

  boolean(): boolean {
    return typeof this.value === "boolean" ? this.value : this.unreadable("true or false");
  }

  /** A JSON number without a fraction, from 0 to 2^53 - 1. */
  integer(): number {
    const { value } = this;
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : this.unreadable("a number");
  }

  /** An integer as a number or a decimal text, from 0 to 2^53 - 1; 0 if missing, because Go omits zeros. */
  count(): number {
    const value = this.value ?? 0;
    const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return typeof number === "number" && Number.isSafeInteger(number) && number >= 0
      ? number
      : this.unreadable("a count");
  }

  /** An integer from 0 to 2^64 - 1: a decimal text, or a bigint from a parser that keeps integers exact. */
  u64(): bigint {
    const { value } = this;
    const number = typeof value === "string" && /^\d{1,20}$/.test(value) ? BigInt(value) : value;
    return typeof number === "bigint" && number >= 0n && number <= u64Max ? number : this.unreadable("a u64");
  }

  /** A JSON-RPC quantity: `0x` and 1 to 64 hex digits. */
  quantity(): bigint {
    const { value } = this;
    const isQuantity = typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value);
    return isQuantity ? BigInt(value) : this.unreadable("a quantity in hex");
  }

  /** A JSON-RPC quantity from 0 to 2^53 - 1, such as a height. */
  hexCount(): number {
    const number = Number(this.quantity());
    return Number.isSafeInteger(number) ? number : this.unreadable("a count in hex");
  }

  /**
   * Bytes in hex: `0x` and an even number of hex digits, unchanged.
   *
   * @param bytes - Required number of bytes. Default: any number.
   */
  hex(bytes?: number): `0x${string}` {
    const { value } = this;
    const isHex = isHexBytes(value) && (bytes === undefined || value.length === 2 + 2 * bytes);
    return isHex ? value : this.unreadable(bytes === undefined ? "bytes in hex" : `${bytes} bytes in hex`);
  }

  /** Bytes in base64. */
  base64(): Buffer {
    const text = this.text();
    // Under its bare name, Parcel would put a polyfill into pages, which read no base64.
    const bytes = globalThis.Buffer.from(text, "base64");
    // Buffer silently skips characters that are not base64, which would give other bytes.
    const isWhole = bytes.length === Math.floor((text.replace(/=+$/, "").length * 3) / 4);
    return isWhole ? bytes : this.unreadable("bytes in base64");
  }

  /**
   * Parses a field that holds JSON text, which is how a Cosmos node returns a Move resource.
   *
   * @param parse - Parses the text; throws if it is not JSON. Default: `JSON.parse`, which rounds numbers above 2^53.
   */
  json(parse: (text: string) => unknown = JSON.parse): Answer {
    const text = this.text();
    try {
      return this.as(parse(text));
    } catch {
      return this.unreadable("JSON");
    }
  }

  /** A decimal number with at most 18 digits after the point, as text. */
  decimal(): string {
    const text = this.text();
    return /^\d{1,78}(?:\.\d{1,18})?$/.test(text) ? text : this.unreadable("a decimal number");
  }

  /** A time in seconds since 1970, as decimal text. */
  unixTime(): Date {
    const seconds = this.u64();
    return seconds <= lastDateSecond ? new Date(Number(seconds) * 1000) : this.unreadable("a time");
  }

  /** A time such as `2026-11-21T06:06:15.640122012Z`, truncated to milliseconds. */
  isoTime(): Date {
    const { value } = this;
    return (typeof value === "string" ? parseTime(value) : undefined) ?? this.unreadable("a time");
  }

  /**
   * Rejects this part of the answer.
   *
   * @param expected - The expected type, after "is not": `a u64`.
   * @throws UnreadableAnswer always.
   */
  unreadable(expected: string, cause?: unknown): never {
    const place = this.#place();
    throw new UnreadableAnswer(
      this.#source,
      `${place === "" ? "the answer" : place} is not ${expected}`,
      describeFound(this.value),
      cause,
    );
  }

  #place(): string {
    if (this.#parent === undefined) return String(this.#name);
    const outer = this.#parent.#place();
    if (typeof this.#name === "number") return `${outer}[${this.#name}]`;
    return outer === "" ? this.#name : `${outer}.${this.#name}`;
  }
}

function isHexBytes(value: unknown): value is `0x${string}` {
  return typeof value === "string" && value.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(value);
}

function describeFound(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "nothing" : shortJson(value, 1_000);
}

/** The source of an answer, for messages. */
export interface AnswerSource {
  /** The URL that the request went to, without credentials. */
  readonly endpoint: string;
  /** The path or method that was requested. */
  readonly title: string;
  /** Removes possible credentials of the endpoint from a text; see `HttpEndpoint`. Default: returns the text unchanged. */
  readonly hide?: (text: string) => string;
}

/**
 * An answer in the endpoint's protocol without the requested data: a field is missing or has another type. A read
 * is retried for a few seconds, because proxies and nodes under load have given such answers once.
 */
export class UnreadableAnswer extends NodeError {
  static override readonly className: string = "UnreadableAnswer";

  override readonly name: string = "UnreadableAnswer";

  /**
   * @param what - What is wrong, after "something unreadable": `tx_response.code is not a number`.
   * @param found - What the endpoint sent instead.
   */
  constructor({ endpoint, title, hide = (text) => text }: AnswerSource, what: string, found: string, cause?: unknown) {
    super(`${endpoint} answered ${title} with something unreadable: ${what}`, {
      code: "NODE_BAD_RESPONSE",
      details: hide(found).slice(0, 200),
      isTransient: true,
      cause,
    });
  }
}

/** True for a JSON object, with any fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON object; returns undefined for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = tryParseJson(text);
  return isObject(value) ? value : undefined;
}

/**
 * Writes the start of a value as JSON for a message, about as many characters as `longest`. Unlike `JSON.stringify` it takes
 * values of any depth and size: each level writes a bracket, so the length bounds the depth too.
 */
function shortJson(value: unknown, longest: number): string {
  let text = "";
  const writeParts = (open: string, parts: Iterable<readonly [start: string, part: unknown]>, close: string): void => {
    text += open;
    for (const [start, part] of parts) {
      if (text.length >= longest) return;
      if (text.at(-1) !== open) text += ",";
      text += start;
      write(part);
    }
    text += close;
  };
  const write = (part: unknown): void => {
    if (text.length >= longest) return;
    if (typeof part === "string") text += JSON.stringify(part.slice(0, longest));
    else if (Array.isArray(part)) writeParts("[", elementsOf(part), "]");
    else if (typeof part === "object" && part !== null) writeParts("{", fieldsOf(part), "}");
    else text += String(part);
  };
  write(value);
  return text.slice(0, longest);
}

function* elementsOf(list: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const element of list) yield ["", element];
}

function* fieldsOf(object: object): Generator<readonly [string, unknown]> {
  // Not `Object.entries`, which would list a million fields of which ten are written.
  for (const name in object) yield [`${JSON.stringify(name.slice(0, 80))}:`, Reflect.get(object, name)];
}

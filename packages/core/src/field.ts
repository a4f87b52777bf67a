import { quoteText } from "./errors/inputError.ts";
import { u64Max } from "./stage.ts";
import { isObject } from "./wire/answer.ts";

export { findRepeatedKey, type JsonPart, JsonScanner, type JsonScannerOptions } from "./jsonScanner.ts";

/** Creates the error for a value: `place` is the file and the path in it. */
export type RefuseField = (place: string, problem: string) => Error;

/**
 * A value in a file that a person writes, with its place for messages.
 *
 * @example
 * const readSettings = object({ name: text, size: optional(count) });
 * const { name, size } = readSettings(new Field(JSON.parse(json), "settings.json", refuse));
 */
export class Field {
  /** Undefined if the object around it does not have the field. */
  readonly value: unknown;
  readonly #file: string;
  readonly #refuse: RefuseField;
  readonly #path: string;

  /**
   * @param value The content of the whole file.
   * @param file The file's name, for messages.
   */
  constructor(value: unknown, file: string, refuse: RefuseField, path = "") {
    this.value = value;
    this.#file = file;
    this.#refuse = refuse;
    this.#path = path;
  }

  /** The file and the path in it, for messages: `policy.toml: source[2].kind`. */
  get place(): string {
    return this.#path === "" ? this.#file : `${this.#file}: ${this.#path}`;
  }

  /** The names of the object's fields, in the file's order. */
  get names(): readonly string[] {
    return Object.keys(this.#object());
  }

  /** Returns a field of an object, which may be missing. */
  at(name: string): Field {
    const values = this.#object();
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const printed = /^[\w-]{1,40}$/.test(name) ? name : quoteText(name);
    return this.#inner(value, this.#path === "" ? printed : `${this.#path}.${printed}`);
  }

  /** Returns the items of a list, which messages count from 1. */
  items(): readonly Field[] {
    if (!Array.isArray(this.value)) return this.failExpected("a list");
    return this.value.map((item: unknown, index) => this.#inner(item, `${this.#path}[${index + 1}]`));
  }

  /** Refuses the value, and shows it: `is 5; give a text`. */
  failExpected(wanted: string): never {
    return this.fail(`is ${quoteValue(this.value)}; give ${wanted}`);
  }

  /** Refuses the value, with what is wrong after its place. A missing value is only reported as missing. */
  fail(problem: string): never {
    throw this.#refuse(this.place, this.value === undefined ? "is missing" : problem);
  }

  #object(): Readonly<Record<string, unknown>> {
    // A date of TOML is an object of JavaScript.
    if (isObject(this.value) && !(this.value instanceof Date)) return this.value;
    // The whole content of a file may be a secret.
    return this.fail("is not an object");
  }

  #inner(value: unknown, path: string): Field {
    return new Field(value, this.#file, this.#refuse, path);
  }
}

/** Reads a value, or throws the error of its {@link Field}. */
export interface ReadField<T> {
  (field: Field): T;
  /** JSON Schema for editors, which takes all values that the reader takes, and perhaps others. Default: takes all. */
  readonly schema?: object;
  /** Whether the field may be missing. */
  readonly isOptional?: boolean;
}

/** Gives a reader its {@link ReadField.schema}. */
export function withSchema<T>(schema: object, read: (field: Field) => T): ReadField<T> {
  return Object.assign((field: Field) => read(field), { schema });
}

type Shape = Readonly<Record<string, ReadField<unknown>>>;

/** What the readers of a {@link Shape} return. */
type Read<T extends Shape> = { readonly [Name in keyof T]: ReturnType<T[Name]> };

/** Returns a reader of objects that have these fields, and perhaps others. */
export function fields<const T extends Shape>(shape: T): ReadField<Read<T>> {
  const readers = Object.entries(shape);
  const properties = Object.fromEntries(readers.map(([name, { schema = {} }]) => [name, schema]));
  const required = readers.flatMap(([name, { isOptional = false }]) => (isOptional ? [] : [name]));
  return withSchema({ type: "object", properties, required }, (field) => {
    const read = readers.map(([name, readValue]) => [name, readValue(field.at(name))]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the shape
    return Object.fromEntries(read) as Read<T>;
  });
}

/** Returns a reader of objects that have these fields and no others. */
export function object<const T extends Shape>(shape: T): ReadField<Read<T>> {
  const read = fields(shape);
  return withSchema({ ...read.schema, additionalProperties: false }, (field) => {
    const values = read(field);
    const unknown = field.names.find((name) => !Object.hasOwn(shape, name));
    if (unknown === undefined) return values;
    return field.at(unknown).fail(`is not a field here; known are ${Object.keys(shape).join(", ")}`);
  });
}

/** Returns a reader of a field that may be missing. */
export function optional<T>(read: ReadField<T>): ReadField<T | undefined> {
  const readIfAny = (field: Field): T | undefined => (field.value === undefined ? undefined : read(field));
  return Object.assign(readIfAny, { schema: read.schema ?? {}, isOptional: true });
}

/** Returns a reader of a value that may be null, and then is undefined. */
export function nullable<T>(read: ReadField<T>): ReadField<T | undefined> {
  return (field) => (field.value === null ? undefined : read(field));
}

/** Returns a reader of lists. */
export function list<T>(read: ReadField<T>): ReadField<readonly T[]> {
  return withSchema({ type: "array", items: read.schema ?? {} }, (field) => field.items().map(read));
}

/** Returns a reader of texts of a form, which `wanted` names for messages. */
export function matching(pattern: RegExp, wanted: string): ReadField<string> {
  return withSchema({ type: "string" }, (field) => {
    const { value } = field;
    return typeof value === "string" && pattern.test(value) ? value : field.failExpected(wanted);
  });
}

/** Returns a reader of one of some texts. */
export function oneOf<const T extends string>(known: readonly T[]): ReadField<T> {
  return withSchema(
    { enum: known },
    (field) => known.find((item) => item === field.value) ?? field.failExpected(known.join(" or ")),
  );
}

/** Reads a text of 1 to 500 printable characters, which are not all spaces. */
export const text = matching(/^(?!\s*$)[^\p{C}\p{Zl}\p{Zp}]{1,500}$/u, "a text of 1 to 500 printable characters");

/** Reads a SHA-256 in lower-case hex. */
export const sha256 = matching(/^[0-9a-f]{64}$/, "64 lower-case hex digits");

/** Reads an integer from 0 to 2^53 - 1. */
export function count(field: Field): number {
  const { value } = field;
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return isCount ? value : field.failExpected("an integer from 0 to 2^53 - 1");
}

/** Reads an integer from 0 to 2^64 - 1, which is decimal text because most readers of JSON round numbers of this size. */
export function u64(field: Field): bigint {
  const { value } = field;
  const number = typeof value === "string" && /^(?:0|[1-9]\d{0,19})$/.test(value) ? BigInt(value) : undefined;
  return number !== undefined && number <= u64Max
    ? number
    : field.failExpected("an integer from 0 to 2^64 - 1 as text");
}

/** Formats a value for a message: what it is, or the value if it is short. */
function quoteValue(value: unknown): string {
  if (typeof value === "string") return quoteText(value);
  if (Array.isArray(value)) return "a list";
  return value instanceof Date ? "a date" : isObject(value) ? "an object" : String(value);
}

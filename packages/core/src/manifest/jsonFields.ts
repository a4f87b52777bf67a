import { InputError } from "../errors/inputError.ts";
import { quoteText } from "../errors/quoteText.ts";
import { u64Max } from "../score.ts";
import { isObject } from "../wire/isObject.ts";

/** Required form of a text. */
interface Form {
  readonly pattern: RegExp;
  /** For messages. */
  readonly wanted: string;
}

const printable: Form = {
  pattern: /^[^\p{C}\p{Zl}\p{Zp}]{1,500}$/u,
  wanted: "a text of 1 to 500 printable characters",
};
const digest: Form = { pattern: /^[0-9a-f]{64}$/, wanted: "64 lower-case hex digits" };

/** Reads the fields of one JSON object strictly: each error names the field, and {@link refuseOthers} those nobody read. */
export class JsonFields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #file: string;
  readonly #path: string;
  readonly #read = new Set<string>();

  /**
   * @param file The file's name, for messages.
   * @param path The object's place in the file, such as `policy.files[2]`; empty for the whole file.
   * @throws InputError `INPUT_INVALID` unless the value is an object.
   */
  constructor(value: unknown, file: string, path = "") {
    this.#file = file;
    this.#path = path;
    if (!isObject(value)) throw fieldInvalid(file, path, "is not a JSON object");
    this.#fields = value;
  }

  /** Returns true if the object has the field. */
  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  /** Returns the value if it is null, or what `read` makes of it. @throws InputError `INPUT_INVALID`. */
  nullable<T>(name: string, read: () => T): T | undefined {
    this.#read.add(name);
    return this.has(name) && this.#fields[name] === null ? undefined : read();
  }

  /** Returns a text of 1 to 500 printable characters. @throws InputError `INPUT_INVALID`. */
  text(name: string): string {
    return this.#match(name, this.#take(name), printable);
  }

  /** Returns a list of texts, each as {@link text} allows it. @throws InputError `INPUT_INVALID`. */
  texts(name: string): readonly string[] {
    return this.#list(name).map((value, index) => this.#match(`${name}[${index + 1}]`, value, printable));
  }

  /** Returns a SHA-256 in lower-case hex. @throws InputError `INPUT_INVALID`. */
  sha256(name: string): string {
    return this.#match(name, this.#take(name), digest);
  }

  /** Returns `0x` and the hex digits of some bytes. @throws InputError `INPUT_INVALID`. */
  hex(name: string, bytes: number): `0x${string}` {
    const digits = 2 * bytes;
    const pattern = new RegExp(`^0x[0-9a-fA-F]{${digits}}$`);
    return `0x${this.#match(name, this.#take(name), { pattern, wanted: `0x and ${digits} hex digits` }).slice(2)}`;
  }

  /** Returns one of the given texts. @throws InputError `INPUT_INVALID`. */
  oneOf<T extends string>(name: string, known: readonly T[]): T {
    const value = this.#take(name);
    const found = known.find((item) => item === value);
    if (found === undefined) throw this.invalid(name, `is not ${known.map((item) => `"${item}"`).join(" or ")}`);
    return found;
  }

  /** Returns an integer from 0 to 2^53 - 1. @throws InputError `INPUT_INVALID`. */
  count(name: string): number {
    const value = this.#take(name);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.invalid(name, "is not an integer from 0 to 2^53 - 1");
  }

  /** Returns an integer from 0 to 2^64 - 1, which is decimal text. @throws InputError `INPUT_INVALID`. */
  u64(name: string): bigint {
    const value = this.#take(name);
    const isWhole = typeof value === "string" && /^(?:0|[1-9]\d{0,19})$/.test(value);
    if (isWhole && BigInt(value) <= u64Max) return BigInt(value);
    throw this.invalid(name, "is not an integer from 0 to 2^64 - 1 as text");
  }

  /** Returns an object inside this one. @throws InputError `INPUT_INVALID`. */
  object(name: string): JsonFields {
    return new JsonFields(this.#take(name), this.#file, this.#pathOf(name));
  }

  /** Returns a list of objects, counted from 1 in messages. @throws InputError `INPUT_INVALID`. */
  objects(name: string): readonly JsonFields[] {
    return this.#list(name).map(
      (value, index) => new JsonFields(value, this.#file, `${this.#pathOf(name)}[${index + 1}]`),
    );
  }

  /** Refuses fields that nobody has read. @throws InputError `INPUT_INVALID`. */
  refuseOthers(): void {
    for (const name of Object.keys(this.#fields)) {
      if (this.#read.has(name)) continue;
      const shown = /^\w{1,60}$/.test(name) ? name : quoteText(name);
      throw this.invalid(shown, "is not a field here; a newer vipscore may know it");
    }
  }

  /** Creates the error for a field of this object. */
  invalid(name: string, problem: string): InputError {
    return fieldInvalid(this.#file, this.#pathOf(name), problem);
  }

  #take(name: string): unknown {
    this.#read.add(name);
    if (!this.has(name)) throw this.invalid(name, "is missing");
    return this.#fields[name];
  }

  #list(name: string): readonly unknown[] {
    const value = this.#take(name);
    if (Array.isArray(value)) return value;
    throw this.invalid(name, "is not a list");
  }

  #match(name: string, value: unknown, { pattern, wanted }: Form): string {
    if (typeof value === "string" && pattern.test(value)) return value;
    throw this.invalid(name, `is not ${wanted}`);
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }
}

function fieldInvalid(file: string, path: string, problem: string): InputError {
  return new InputError(path === "" ? `${file} ${problem}` : `${file}: ${path} ${problem}`);
}

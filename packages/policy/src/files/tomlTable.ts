import { quoteText } from "@vipscore/core/errors";
import { policyInvalid } from "../policyError.ts";

/** Reads the fields of one TOML table and refuses what nobody reads. */
export class TomlTable {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #read = new Set<string>();

  /** `path` is the table's place in the file, such as `source[1]`; empty for the whole file. */
  constructor(fields: Readonly<Record<string, unknown>>, path = "") {
    this.#fields = fields;
    this.#path = path;
  }

  /** The names of the fields, in the file's order. */
  get names(): readonly string[] {
    return Object.keys(this.#fields);
  }

  /** The place of a field, for messages. */
  place(name: string): string {
    return `policy.toml: ${this.#path === "" ? "" : `${this.#path}.`}${printableName(name)}`;
  }

  /** Returns a text that is not empty, of at most 500 characters. @throws InputError `POLICY_INVALID`. */
  text(name: string): string {
    return this.#checkText(name, this.#take(name));
  }

  /** Like {@link text}, but undefined if the field is missing. */
  optionalText(name: string): string | undefined {
    return this.#fields[name] === undefined ? undefined : this.text(name);
  }

  /** Returns one or more texts, each as {@link text} allows it. @throws InputError `POLICY_INVALID`. */
  texts(name: string): readonly string[] {
    const value = this.#take(name);
    if (!Array.isArray(value) || value.length === 0) throw this.#wrong(name, value, "a list of one or more texts");
    return value.map((item: unknown) => this.#checkText(name, item));
  }

  /** Returns an integer; undefined if the field is missing. @throws InputError `POLICY_INVALID`. */
  optionalInteger(name: string): bigint | undefined {
    if (this.#fields[name] === undefined) return undefined;
    const value = this.#take(name);
    if (typeof value === "bigint") return value;
    throw this.#wrong(name, value, "an integer");
  }

  /** Returns two integers. @throws InputError `POLICY_INVALID`. */
  integerPair(name: string): readonly [bigint, bigint] {
    const value = this.#take(name);
    const [first, last, ...more]: readonly unknown[] = Array.isArray(value) ? value : [];
    if (typeof first === "bigint" && typeof last === "bigint" && more.length === 0) return [first, last];
    throw this.#wrong(name, value, "two integers, as in [100, 200]");
  }

  /** Returns a table. @throws InputError `POLICY_INVALID`. */
  table(name: string): TomlTable {
    const value = this.#take(name);
    if (isTable(value)) return new TomlTable(value, this.#pathOf(name));
    throw this.#wrong(name, value, `a table, [${this.#pathOf(name)}]`);
  }

  /** Like {@link table}, but undefined if the field is missing. */
  optionalTable(name: string): TomlTable | undefined {
    return this.#fields[name] === undefined ? undefined : this.table(name);
  }

  /** Returns an array of tables, counted from 1 in messages. @throws InputError `POLICY_INVALID`. */
  tables(name: string): readonly TomlTable[] {
    const value = this.#take(name);
    if (!Array.isArray(value) || value.length === 0 || !value.every(isTable)) {
      throw this.#wrong(name, value, `one or more tables, [[${this.#pathOf(name)}]]`);
    }
    return value.map((fields, index) => new TomlTable(fields, `${this.#pathOf(name)}[${index + 1}]`));
  }

  /** Refuses fields that nobody has read. @throws InputError `POLICY_INVALID`. */
  refuseOthers(): void {
    for (const name of this.names) {
      if (this.#read.has(name)) continue;
      throw policyInvalid(this.place(name), `is not a field here; known are ${[...this.#read].join(", ")}`);
    }
  }

  #take(name: string): unknown {
    this.#read.add(name);
    const value = this.#fields[name];
    if (value === undefined) throw policyInvalid(this.place(name), "is missing");
    return value;
  }

  #checkText(name: string, value: unknown): string {
    if (typeof value !== "string") throw this.#wrong(name, value, "a text in quotes");
    if (value.trim() === "" || value.length > 500 || /\p{C}/u.test(value)) {
      throw policyInvalid(this.place(name), `is ${quoteText(value)}; give 1 to 500 printable characters`);
    }
    return value;
  }

  #wrong(name: string, value: unknown, wanted: string): Error {
    const found = Array.isArray(value) ? "a list" : typeof value === "object" ? "a table or a date" : typeof value;
    return policyInvalid(this.place(name), `is ${found}; give ${wanted}`);
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function printableName(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : quoteText(name);
}

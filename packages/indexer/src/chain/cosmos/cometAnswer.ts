import { NodeError } from "@vipscore/core";
import { isObject } from "@vipscore/core/http";

/** Where an answer came from, for the message when it cannot be read. */
interface Source {
  /** The endpoint without credentials. */
  readonly endpoint: string;
  readonly method: string;
}

/** A node's answer, or a part of it, that is read field by field. Every read throws NodeError `NODE_BAD_RESPONSE`. */
export class CometAnswer {
  readonly #source: Source;
  readonly #value: unknown;
  readonly #place: string;

  constructor(source: Source, value: unknown, place = "result") {
    this.#source = source;
    this.#value = value;
    this.#place = place;
  }

  /** A field, which may be absent. */
  at(name: string): CometAnswer {
    const value: unknown = isObject(this.#value) ? this.#value[name] : this.unreadable();
    return new CometAnswer(this.#source, value, `${this.#place}.${name}`);
  }

  /** The parts of a list; none where Go wrote `null` for an empty one. */
  list(): readonly CometAnswer[] {
    if (this.#value === null || this.#value === undefined) return [];
    if (!Array.isArray(this.#value)) return this.unreadable();
    return this.#value.map((part: unknown, index) => new CometAnswer(this.#source, part, `${this.#place}[${index}]`));
  }

  text(): string {
    return typeof this.#value === "string" ? this.#value : this.unreadable();
  }

  /** A whole number of at least 0, as text where it may have 64 bits; 0 where Go left it out. */
  count(): number {
    const value = this.#value ?? 0;
    const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : this.unreadable();
  }

  /** Bytes in base64; none where Go wrote `null`. */
  bytes(): Buffer {
    return Buffer.from(this.#value === null || this.#value === undefined ? "" : this.text(), "base64");
  }

  /**
   * @param what what cannot be taken as it is; this part of the answer when absent.
   * @throws NodeError `NODE_BAD_RESPONSE`, always.
   */
  unreadable(what = `an unreadable ${this.#place}`): never {
    const { endpoint, method } = this.#source;
    throw new NodeError(`${endpoint} answered ${method} with ${what}`, {
      code: "NODE_BAD_RESPONSE",
      details: (JSON.stringify(this.#value) ?? "nothing").slice(0, 200),
    });
  }
}

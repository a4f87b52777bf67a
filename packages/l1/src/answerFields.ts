import { NodeError, u64Max } from "@vipscore/core";
import { isObject, type RestClient } from "@vipscore/core/http";

/** The largest number of seconds since 1970 that a Date can hold. */
const lastDateSecond = 8_640_000_000_000n;

/** Who answered, and how its texts may be shown. */
type Answerer = Pick<RestClient, "endpoint" | "hide">;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The fields of one object in a node's answer. What is not of the asked type is a NodeError `NODE_BAD_RESPONSE` that names
 * the endpoint and the field.
 */
export class AnswerFields {
  readonly #endpoint: Answerer;
  readonly #path: string;
  readonly #fields: JsonObject;

  /**
   * @param endpoint who answered.
   * @param path the object's own place in the answer, such as `resource`; empty for the answer itself.
   */
  constructor(endpoint: Answerer, path: string, value: unknown) {
    this.#endpoint = endpoint;
    this.#path = path;
    if (!isObject(value)) throw this.#wrong(path === "" ? "its answer" : path, "an object", value);
    this.#fields = value;
  }

  object(name: string): AnswerFields {
    return new AnswerFields(this.#endpoint, this.#pathOf(name), this.#fields[name]);
  }

  text(name: string): string {
    const value = this.#fields[name];
    if (typeof value !== "string") throw this.#wrong(this.#pathOf(name), "text", value);
    return value;
  }

  /** Text, or empty where the field is left out. */
  optionalText(name: string): string {
    return this.#fields[name] === undefined ? "" : this.text(name);
  }

  /** A u64 written as decimal text, which JSON's own numbers cannot hold. */
  u64(name: string): bigint {
    const value = this.#fields[name];
    if (typeof value !== "string" || !/^\d{1,20}$/.test(value) || BigInt(value) > u64Max) {
      throw this.#wrong(this.#pathOf(name), "a u64 in decimal text", value);
    }
    return BigInt(value);
  }

  /** A number of seconds since 1970, written as decimal text. */
  unixTime(name: string): Date {
    const seconds = this.u64(name);
    if (seconds > lastDateSecond) throw this.#wrong(this.#pathOf(name), "a time", this.#fields[name]);
    return new Date(Number(seconds) * 1000);
  }

  /** A time such as `2026-11-21T06:06:15.640122012Z`, cut to milliseconds. */
  isoTime(name: string): Date {
    const value = this.#fields[name];
    const time = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(time)) throw this.#wrong(this.#pathOf(name), "a time", value);
    return new Date(time);
  }

  /** A decimal number of at most 18 digits after the point, as it is written. */
  decimal(name: string): string {
    const value = this.text(name);
    if (!/^\d{1,78}(?:\.\d{1,18})?$/.test(value)) throw this.#wrong(this.#pathOf(name), "a decimal number", value);
    return value;
  }

  /** The object that a field holds as JSON text, which is how a Cosmos node gives a Move resource. */
  jsonText(name: string): AnswerFields {
    const text = this.text(name);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#wrong(this.#pathOf(name), "JSON", text);
    }
    return new AnswerFields(this.#endpoint, this.#pathOf(name), value);
  }

  /** The error for a field whose value is of the right type and cannot be. */
  impossible(name: string, expected: string): NodeError {
    return this.#wrong(this.#pathOf(name), expected, this.#fields[name]);
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }

  #wrong(path: string, expected: string, value: unknown): NodeError {
    const { endpoint, hide } = this.#endpoint;
    const found = value === undefined ? "nothing" : hide(JSON.stringify(value).slice(0, 100));
    return new NodeError(`${endpoint}: ${path} is not ${expected} but ${found}`, { code: "NODE_BAD_RESPONSE" });
  }
}

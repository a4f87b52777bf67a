import { NodeError } from "@vipscore/core";
import { isObject, type RestAnswer, type RestClient } from "@vipscore/core/http";

/** Where an answer came from, for the message when it cannot be read. */
export interface Source {
  readonly rest: RestClient;
  readonly path: string;
}

/** @throws NodeError `NODE_BAD_RESPONSE`, always. */
export function unreadable({ rest, path }: Source, what: string, value: unknown): never {
  throw new NodeError(`${rest.endpoint} answered ${path} with an unreadable ${what}`, {
    code: "NODE_BAD_RESPONSE",
    details: (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, 200),
  });
}

/** A field that is an object. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readObject(source: Source, answer: RestAnswer, name: string): RestAnswer {
  const value = answer[name];
  return isObject(value) ? value : unreadable(source, name, value);
}

/** A field that is a list. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readList(source: Source, answer: RestAnswer, name: string): readonly unknown[] {
  const value = answer[name];
  return Array.isArray(value) ? value : unreadable(source, name, value);
}

/** A field that is a text. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readText(source: Source, answer: RestAnswer, name: string): string {
  const value = answer[name];
  return typeof value === "string" ? value : unreadable(source, name, value);
}

/** A field that is a u64, which this interface writes as a decimal text. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readU64(source: Source, answer: RestAnswer, name: string): bigint {
  const text = readText(source, answer, name);
  return /^\d{1,20}$/.test(text) ? BigInt(text) : unreadable(source, name, text);
}

/** A field that is base64. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readBase64(source: Source, answer: RestAnswer, name: string): Buffer {
  const text = readText(source, answer, name);
  const bytes = Buffer.from(text, "base64");
  // Buffer skips what is not base64, and would make other bytes of it.
  return bytes.length === Math.floor((text.replace(/=+$/, "").length * 3) / 4) ? bytes : unreadable(source, name, text);
}

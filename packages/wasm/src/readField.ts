import { NodeError, u64Max } from "@vipscore/core";
import { isObject } from "@vipscore/core/http";
import { stringifyExact } from "./exactJson.ts";

/** Where an answer came from, for the message when it cannot be read. */
export interface Source {
  /** The endpoint without credentials. */
  readonly endpoint: string;
  /** What was asked. */
  readonly title: string;
}

/** An object of an answer whose fields are known by name, from a generated type, but not yet by value. */
export type Answer<T> = Readonly<Partial<Record<keyof T, unknown>>>;

type Fields = Readonly<Record<string, unknown>>;

/** @throws NodeError `NODE_BAD_RESPONSE`, always. */
export function unreadable({ endpoint, title }: Source, what: string, value: unknown): never {
  throw new NodeError(`${endpoint} answered ${title} with an unreadable ${what}`, {
    code: "NODE_BAD_RESPONSE",
    details: (typeof value === "string" ? value : (stringifyExact(value) ?? "nothing")).slice(0, 200),
  });
}

/** A value that is an object. @throws NodeError `NODE_BAD_RESPONSE`. */
export function asObject(source: Source, what: string, value: unknown): Fields {
  return isObject(value) ? value : unreadable(source, what, value);
}

/** A value that is a u64. @throws NodeError `NODE_BAD_RESPONSE`. */
export function asU64(source: Source, what: string, value: unknown): bigint {
  return typeof value === "bigint" && value >= 0n && value <= u64Max ? value : unreadable(source, what, value);
}

/** A field that is a list. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readList<T extends object>(source: Source, answer: T, name: keyof T & string): readonly unknown[] {
  const value: unknown = answer[name];
  return Array.isArray(value) ? value : unreadable(source, name, value);
}

/** A field that is a text. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readText<T extends object>(source: Source, answer: T, name: keyof T & string): string {
  const value: unknown = answer[name];
  return typeof value === "string" ? value : unreadable(source, name, value);
}

/** A field that is a truth value. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readBoolean<T extends object>(source: Source, answer: T, name: keyof T & string): boolean {
  const value: unknown = answer[name];
  return typeof value === "boolean" ? value : unreadable(source, name, value);
}

/** A field that is a u64. @throws NodeError `NODE_BAD_RESPONSE`. */
export function readU64<T extends object>(source: Source, answer: T, name: keyof T & string): bigint {
  return asU64(source, name, answer[name]);
}

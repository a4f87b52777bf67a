import { inspect, isDeepStrictEqual } from "node:util";

/** A contract that does not behave as a scenario expects. */
export class ExpectationError extends Error {
  override readonly name = "ExpectationError";
  constructor(what: string, expected: unknown, actual: unknown, about: string | undefined) {
    const seen = `expected ${what}${show(expected)}, saw ${show(actual)}`;
    super(about === undefined ? seen : `${about}: ${seen}`);
  }
}

/**
 * Compares a value as the function of the same name of Vitest does, in programs that install no test runner. `about` says in the
 * error what the value is.
 */
export function expect(actual: unknown, about?: string): Expectation {
  return new Expectation(actual, about);
}

class Expectation {
  readonly #actual: unknown;
  readonly #about: string | undefined;

  constructor(actual: unknown, about: string | undefined) {
    this.#actual = actual;
    this.#about = about;
  }

  /** Expects the same value, as `Object.is` compares. */
  toBe(expected: unknown): void {
    this.#check(Object.is(this.#actual, expected), "", expected);
  }

  /** Expects an equal value; properties that are undefined count as missing. */
  toEqual(expected: unknown): void {
    this.#check(isEqual(this.#actual, expected, false), "", expected);
  }

  toDiffer(expected: unknown): void {
    this.#check(!isEqual(this.#actual, expected, false), "a value other than ", expected);
  }

  /** Expects all properties of `expected`, and lists of the same length. */
  toMatchObject(expected: object): void {
    this.#check(isEqual(this.#actual, expected, true), "", expected);
  }

  toHaveLength(expected: number): void {
    this.#check((this.#actual as { readonly length?: unknown }).length === expected, "length ", expected);
  }

  toBeUndefined(): void {
    this.toBe(undefined);
  }

  toMatch(expected: RegExp): void {
    this.#check(typeof this.#actual === "string" && expected.test(this.#actual), "a text that matches ", expected);
  }

  /** Expects a promise that fails with an error with these properties. */
  async toReject(expected: object): Promise<void> {
    let result: unknown;
    try {
      result = await this.#actual;
    } catch (error) {
      expect(error, this.#about).toMatchObject(expected);
      return;
    }
    throw new ExpectationError("an error with ", expected, result, this.#about);
  }

  #check(holds: boolean, what: string, expected: unknown): void {
    if (!holds) throw new ExpectationError(what, expected, this.#actual, this.#about);
  }
}

function isEqual(actual: unknown, expected: unknown, isPart: boolean): boolean {
  if (Object.is(actual, expected)) return true;
  if (!isRecord(actual) || !isRecord(expected)) return false;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((one, index) => isEqual(actual[index], one, isPart))
    );
  }
  if (expected instanceof Map || expected instanceof Set || ArrayBuffer.isView(expected)) {
    return isDeepStrictEqual(actual, expected);
  }
  const keys = new Set([...Object.keys(expected), ...(isPart ? [] : Object.keys(actual))]);
  return [...keys].every((key) => isEqual(actual[key], expected[key], isPart));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** An error without its stack, which is of no use to an author. */
function show(value: unknown): string {
  if (value instanceof Error) return `${"code" in value ? String(value.code) : value.name}: ${value.message}`;
  return inspect(value, { depth: 4, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 8, maxStringLength: 500 });
}

import { afterAll, beforeAll } from "vitest";

/**
 * Starts something before the tests of a suite, and stops it after them. Until its hooks run, the result has no properties.
 * It is a copy: what a test sets on it does not reach what was started.
 */
export function started<T extends AsyncDisposable>(start: () => Promise<T>): T {
  const result = {} as T;
  beforeAll(async () => {
    Object.assign(result, await start());
  });
  afterAll(() => result[Symbol.asyncDispose]());
  return result;
}

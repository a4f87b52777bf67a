import { afterAll, beforeAll } from "vitest";

/**
 * Starts something before the tests of a suite, and stops it after them. Until its hooks run, the result has no properties;
 * then it reads and sets those of what was started.
 */
export function started<T extends AsyncDisposable>(start: () => Promise<T>): T {
  const result = {} as T;
  beforeAll(async () => {
    const value = await start();
    for (const key of Reflect.ownKeys(value)) {
      Object.defineProperty(result, key, {
        enumerable: true,
        configurable: true,
        get: () => Reflect.get(value, key) as unknown,
        set: (to: unknown) => {
          Reflect.set(value, key, to);
        },
      });
    }
  });
  afterAll(() => result[Symbol.asyncDispose]());
  return result;
}

import type { Allowed } from "./answer.ts";
import type { Reading } from "./pageRules.ts";

/** All readings of each parameter of a request. */
export type Readings<T> = { readonly [K in keyof T]: readonly Reading<T[K]>[] };

/**
 * Returns the answers allowed to a request, over all combinations of the readings of its parameters. An invalid parameter
 * makes the answer 400; of several, any may be reported: no rule says which is checked first.
 */
export function combineReadings<T extends object>(
  readings: Readings<T>,
  answer: (values: T) => readonly Allowed[],
): readonly Allowed[] {
  const names = Object.keys(readings) as (keyof T & string)[];
  let combinations: readonly Partial<Record<keyof T, Reading<T[keyof T]>>>[] = [{}];
  for (const name of names) {
    combinations = combinations.flatMap((chosen) => readings[name].map((reading) => ({ ...chosen, [name]: reading })));
  }
  return combinations.flatMap((chosen): readonly Allowed[] => {
    const errors = Object.values<Reading<T[keyof T]> | undefined>(chosen).flatMap((reading) =>
      reading && "error" in reading ? [reading.error] : [],
    );
    if (errors.length > 0) return errors.map((text) => ({ kind: "text", status: 400, text }));
    const values = Object.entries<Reading<unknown>>(chosen as Record<string, Reading<unknown>>).map(
      ([name, reading]) => [name, "value" in reading ? reading.value : undefined],
    );
    return answer(Object.fromEntries(values) as T);
  });
}

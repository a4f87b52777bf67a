import { badAnswer } from "./http/indexerErrors.ts";

export type Check = (value: unknown) => boolean;

/**
 * The fields that an answer of type `T` must have, each with a {@link Check}; other fields are allowed. A list of one
 * shape means any number of such rows.
 */
export type Shape<T> = T extends string | number | boolean | null
  ? Check
  : T extends readonly (infer Row)[]
    ? readonly [Shape<Row>]
    : { readonly [Field in keyof T as string extends Field ? never : Field]: Shape<T[Field]> };

/** A string. */
export const text: Check = (value) => typeof value === "string";

/** A whole number from 0 to 2^53 - 1, beyond which JSON.parse would have rounded it. */
export const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** A check that a value fits a {@link Shape}. */
export function fits<T>(shape: Shape<T>): Check {
  return (value) => misfit(value, shape) === undefined;
}

/** @throws IndexerBadAnswerError naming the first field that does not fit the {@link Shape}. */
export function checkAnswer<T>(answer: unknown, shape: Shape<T>, url: string): T {
  const fault = misfit(answer, shape);
  if (fault !== undefined) throw badAnswer(url, `answered with a missing or wrong ${fault || "object"}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what misfit has just checked
  return answer as T;
}

/** Returns the path of the first field that does not fit, built only on a failure: there can be millions of rows. */
function misfit(value: unknown, shape: unknown): string | undefined {
  if (typeof shape === "function") return shape(value) ? undefined : "";
  const isList = Array.isArray(shape);
  if (Object(value) !== value || Array.isArray(value) !== isList) return "";
  for (const field in Object(isList ? value : shape)) {
    const fault = misfit(Object(value)[field], Object(shape)[isList ? 0 : field]);
    if (fault !== undefined) return fault ? `${field}.${fault}` : field;
  }
  return undefined;
}

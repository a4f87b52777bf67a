import { isDeepStrictEqual } from "node:util";
import type { Allowed, AllowedPage, Answer, Row, Tie } from "./rules/answer.ts";

/**
 * Returns how an answer breaks the rules; undefined if it matches one of the allowed answers.
 * Unknown fields are ignored.
 */
export function findDifference(allowed: readonly Allowed[], answer: Answer): string | undefined {
  const differences = allowed.map((one) => differenceOf(one, answer));
  if (differences.length === 0 || differences.includes(undefined)) return undefined;
  return [...new Set(differences)].slice(0, 3).join(", or ");
}

function differenceOf(allowed: Allowed, { status, contentType, body }: Answer): string | undefined {
  const expectedStatus = allowed.kind === "text" ? allowed.status : 200;
  if (status !== expectedStatus) return `status ${expectedStatus} expected`;
  if (allowed.kind === "text") return textDifference(allowed.text, contentType, body);
  if (!/^application\/json\s*(?:;|$)/i.test(contentType)) return "content type application/json expected";
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return "JSON expected";
  }
  if (allowed.kind === "page") return pageDifference(allowed, json);
  if (allowed.kind === "shape") return allowed.findFault(json);
  const { collection } = (json ?? {}) as { readonly collection?: unknown };
  const isRight = hasAllOf(collection, allowed.collection);
  return isRight ? undefined : `collection ${JSON.stringify(allowed.collection)} expected`;
}

function textDifference(text: string | undefined, contentType: string, body: string): string | undefined {
  if (!/^text\/plain\s*(?:;|$)/i.test(contentType)) return "content type text/plain expected";
  return text === undefined || text === body ? undefined : `the text ${JSON.stringify(text)} expected`;
}

interface PageBody {
  readonly pagination?: { readonly next_key?: unknown; readonly previous_key?: unknown; readonly total?: unknown };
}

function pageDifference(allowed: AllowedPage, json: unknown): string | undefined {
  const body = (json ?? {}) as PageBody & Readonly<Record<string, unknown>>;
  const rows = body[allowed.field];
  if (!Array.isArray(rows)) return `${allowed.field} expected`;
  const { next_key: next, previous_key: previous, total } = body.pagination ?? {};
  const expectedPrevious = allowed.previous === null ? null : keyOf(String(allowed.previous));
  return (
    rowsDifference(allowed.ties, rows) ??
    nextDifference(allowed, rows.at(-1), next) ??
    (previous === expectedPrevious ? undefined : `previous_key ${expectedPrevious} expected`) ??
    totalDifference(allowed.total, total)
  );
}

function rowsDifference(ties: readonly Tie[], rows: readonly unknown[]): string | undefined {
  const expected = ties.reduce((sum, { take }) => sum + take, 0);
  if (rows.length !== expected) return `${expected} rows expected`;
  let at = 0;
  for (const { rows: candidates, take } of ties) {
    let left = candidates;
    for (const end = at + take; at < end; at += 1) {
      const found = left.findIndex((row) => hasAllOf(rows[at], row));
      if (found === -1)
        return `row ${at}: ${left
          .map((row) => JSON.stringify(row))
          .slice(0, 2)
          .join(" or ")} expected`;
      left = left.toSpliced(found, 1);
    }
  }
  return undefined;
}

function nextDifference({ next, field }: AllowedPage, lastRow: unknown, key: unknown): string | undefined {
  if (next === null) return key === null ? undefined : "no next_key expected";
  if (next !== "afterLastRow") {
    const expected = keyOf(String(next.offset));
    return key === expected ? undefined : `next_key ${expected} (${next.offset}) expected`;
  }
  if (typeof key !== "string") return "the next_key of a row expected";
  const text = Buffer.from(key, "base64").toString();
  if (keyOf(text) !== key) return "a next_key in padded base64 expected";
  const { height, nft } = lastRow as { readonly height: number; readonly nft: { readonly token_id: string } };
  const expected = { height, token_id: nft.token_id };
  return isDeepStrictEqual(parseOr(text), expected)
    ? undefined
    : `next_key of ${field} after ${JSON.stringify(expected)} expected`;
}

function totalDifference(expected: number | null, total: unknown): string | undefined {
  // -1 means that the server gave up counting.
  const isRight = total === String(expected ?? 0) || (expected !== null && total === "-1");
  return isRight ? undefined : `total "${expected ?? 0}" expected`;
}

/** True if a value has all fields of a row, with the same values. */
function hasAllOf(value: unknown, row: Row): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(row).every(([name, expected]: [string, unknown]) => {
    const got = (value as Record<string, unknown>)[name];
    return typeof expected === "object" && expected !== null ? hasAllOf(got, expected) : got === expected;
  });
}

function keyOf(text: string): string {
  return Buffer.from(text).toString("base64");
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { InputError, IssueLog, quoteText } from "@vipscore/core/errors";
import { u64Max } from "@vipscore/core/values";
import { addressBytes, addressText, hashBytes, sortByBytes } from "./hashNodes.ts";

/** One account's score. The rows of a `ScoreTable` have this form. */
export interface SnapshotRow {
  /** `0x` and 40 or 64 hex digits. 20 bytes are the same account as these bytes after 12 zero bytes. */
  readonly account: string;
  /** 0 to 2^64 - 1. */
  readonly score: bigint;
}

/** Rows in flat arrays: a million of them take 44 MB. */
export interface FlatRows {
  /** 32 bytes a row. */
  readonly addresses: Uint8Array;
  readonly scores: BigUint64Array;
  /** The rows' positions, ascending by address. */
  readonly byAddress: Uint32Array;
}

type Issue = readonly [row: number, ...what: readonly [reason: Reason, message: string]];
type Reason = "ADDRESS_LENGTH" | "ADDRESS_INVALID" | "ADDRESS_DUPLICATE" | "SCORE_NEGATIVE" | "SCORE_TOO_LARGE";

/**
 * Reads rows and checks that they add up to the total.
 *
 * @throws InputError `INPUT_INVALID` with an issue for each row that is not an account's score or repeats an account,
 * numbered from 1; or if the scores do not add up to `total`.
 */
export function readRows(rows: Iterable<SnapshotRow>, total: bigint): FlatRows {
  let addresses = new Uint8Array(1024 * hashBytes);
  let scores = new BigUint64Array(1024);
  let count = 0;
  let sum = 0n;
  const issues: Issue[] = [];
  const refused = new Set<number>();
  for (const { account, score } of rows) {
    if (count === scores.length) {
      addresses = enlarge(addresses, new Uint8Array(2 * addresses.length));
      scores = enlarge(scores, new BigUint64Array(2 * scores.length));
    }
    const bytes = addressBytes(account);
    if (bytes === undefined) issues.push([count + 1, ...addressIssue(account)]);
    else addresses.set(bytes, hashBytes * count);
    if (score < 0n || score > u64Max) issues.push([count + 1, ...scoreIssue(score)]);
    else scores[count] = score;
    if (issues.at(-1)?.[0] === count + 1) refused.add(count);
    sum += score;
    count += 1;
  }
  const found = { addresses: addresses.subarray(0, hashBytes * count), scores: scores.subarray(0, count) };
  const byAddress = sortByBytes(found.addresses);
  issues.push(...duplicates(found.addresses, byAddress, refused));
  throwIfAny(issues);
  if (sum !== total) {
    throw new InputError(`the scores add up to ${sum}, which is not the total ${total}`, {
      metaMessages: ["Read the rows and the total at one height."],
    });
  }
  return { ...found, byAddress };
}

function enlarge<T extends Uint8Array | BigUint64Array>(from: T, to: T): T {
  if (from instanceof Uint8Array && to instanceof Uint8Array) to.set(from);
  if (from instanceof BigUint64Array && to instanceof BigUint64Array) to.set(from);
  return to;
}

function addressIssue(account: string): readonly [Reason, string] {
  const isHex = /^0x[0-9a-f]*$/i.test(account);
  const message = `address ${quoteText(account)} is not 0x and 40 or 64 hexadecimal digits`;
  return [isHex ? "ADDRESS_LENGTH" : "ADDRESS_INVALID", message];
}

function scoreIssue(score: bigint): readonly [Reason, string] {
  return score < 0n
    ? ["SCORE_NEGATIVE", `score ${score} is negative`]
    : ["SCORE_TOO_LARGE", `score ${score} exceeds the u64 range; the largest is ${u64Max}`];
}

function duplicates(addresses: Uint8Array, byAddress: Uint32Array, refused: ReadonlySet<number>): readonly Issue[] {
  const at = (row: number): Uint8Array => addresses.subarray(hashBytes * row, hashBytes * (row + 1));
  const issues: Issue[] = [];
  let first: number | undefined;
  for (const row of byAddress) {
    if (refused.has(row)) continue;
    if (first !== undefined && isEqualBytes(at(first), at(row))) {
      issues.push([row + 1, "ADDRESS_DUPLICATE", `account ${addressText(at(row))} is in row ${first + 1} already`]);
    } else first = row;
  }
  return issues;
}

function isEqualBytes(one: Uint8Array, other: Uint8Array): boolean {
  for (let index = 0; index < hashBytes; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

function throwIfAny(issues: Issue[]): void {
  const log = new IssueLog("the snapshot's rows");
  for (const issue of issues.sort(([one], [other]) => one - other)) log.add(...issue);
  log.throwIfAny();
}

import type { Hex } from "viem";
import type { ScoreRow } from "@vipscore/core";
import { accountOfAddress } from "./evmAddress.ts";

/** Hex digits of one ABI word. */
const word = 64;
const zeroAddress = "0".repeat(40);

/** A row of a page as the contract returns it. */
export interface PageRow extends ScoreRow {
  /** The sort key of the page: the row's place in the stage, or the account's id. */
  readonly key: bigint;
}

/** The position of each value among the words of a row. */
export interface RowShape {
  readonly account: 0 | 1;
  readonly score: 1 | 2;
  readonly key: 0 | 2;
}

/**
 * Decodes the first return value of a page, an array of rows of three words, up to its first zero row. Returns undefined
 * when the data does not have this shape. Written by hand because verifying a large stage decodes millions of words, for
 * which a general decoder takes many times as long.
 */
export function decodeRows(data: Hex, shape: RowShape): readonly PageRow[] | undefined {
  const offset = smallNumber(data.slice(2, 2 + word));
  if (offset === undefined || offset < 32) return undefined;
  const start = 2 + 2 * offset;
  const length = smallNumber(data.slice(start, start + word));
  if (length === undefined || data.length < start + word * (1 + 3 * length)) return undefined;
  const rows: PageRow[] = [];
  for (let position = start + word; rows.length < length; position += 3 * word) {
    const at = (column: number) => data.slice(position + column * word, position + (column + 1) * word);
    const [account, score, key] = [at(shape.account), at(shape.score), at(shape.key)];
    const address = account.slice(24);
    if (address === zeroAddress) break;
    if (/[^0]/.test(account.slice(0, 24) + score.slice(0, 48) + key.slice(0, 48))) return undefined;
    rows.push({ account: accountOfAddress(`0x${address}`), score: BigInt(`0x${score}`), key: BigInt(`0x${key}`) });
  }
  return rows;
}

/** The value of a word below 2^32, or undefined. */
function smallNumber(digits: string): number | undefined {
  return /^0{56}[0-9a-f]{8}$/i.test(digits) ? Number.parseInt(digits.slice(56), 16) : undefined;
}

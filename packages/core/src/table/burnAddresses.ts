import type { Account } from "../account.ts";
import { formatChecksummed } from "../account/readAccount.ts";
import type { ScoreRow, ScoreTable } from "./scoreTable.ts";

/**
 * Accounts that nobody has the key of, in any VM: 0x…dEaD, by convention the address for burning tokens
 * (https://etherscan.io/address/0x000000000000000000000000000000000000dead); 0xEeee…, which stands for the native coin
 * (https://eips.ethereum.org/EIPS/eip-7528); 0x1, the EVM's first precompiled contract (Ethereum's Yellow Paper, appendix E) and
 * Move's standard library. The zero address is refused wherever accounts are read.
 */
const burnAddresses: ReadonlySet<string> = new Set(
  ["dead", "e".repeat(40), "1"].map((digits) => `0x${digits.padStart(40, "0")}`),
);

/** True for a known account that nobody has the key of, such as 0x…dEaD. */
export function isBurnAddress(account: Account): boolean {
  return burnAddresses.has(account);
}

/** Returns a warning about the scores of known accounts that nobody has the key of, with their share; undefined without any. */
export function burnWarning(table: ScoreTable): string | undefined {
  const rows: readonly ScoreRow[] = [...burnAddresses].flatMap((address) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 bytes
    const account = address as Account;
    const score = table.get(account) ?? 0n;
    return score > 0n ? [{ account, score }] : [];
  });
  if (rows.length === 0) return undefined;
  const hundredths = (rows.reduce((sum, { score }) => sum + score, 0n) * 10_000n) / table.total;
  const share = `${hundredths / 100n}.${`${hundredths % 100n}`.padStart(2, "0")}%`;
  const shown = rows.map(({ account }) => formatChecksummed(account)).join(", ");
  return `burn addresses, which nobody has the key of, have ${share} of the total: ${shown}`;
}

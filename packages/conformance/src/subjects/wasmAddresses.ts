import { formatBech32, parseAccount, type Account } from "@vipscore/core";

/** The account that nobody owns; the client rejects it in files, but a contract may hold it. */
const zeroAccount = `0x${"00".repeat(20)}` as Account;
const zeroAddress = formatBech32(zeroAccount);

/** Converts an address as the chain spells it to an `Account`. */
export function accountOfAddress(address: string): Account {
  return address === zeroAddress ? zeroAccount : parseAccount(address, { accountBytes: [20, 32] });
}

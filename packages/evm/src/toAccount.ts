import type { Address } from "viem";
import type { Account } from "@vipscore/core";

/** Converts an address from the chain or a key to the one form that accounts have. */
export function toAccount(address: Address): Account {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 bytes is that form
  return address.toLowerCase() as Account;
}

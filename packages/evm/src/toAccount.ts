import type { Account } from "@vipscore/core";
import type { Address } from "viem";

/** An address that the chain or a key gave, in the one form that accounts have. */
export function toAccount(address: Address): Account {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 bytes is that form
  return address.toLowerCase() as Account;
}

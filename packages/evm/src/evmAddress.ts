import { getAddress, isAddress, type Address } from "viem";
import { InputError, type Account } from "@vipscore/core";

/** Converts an address from the chain or a key to the one form that accounts have. */
export function accountOfAddress(address: Address): Account {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 bytes is that form
  return address.toLowerCase() as Account;
}

/** Parses a contract's address: 20 bytes in hex, checksummed or in one case. */
export function parseContractAddress(text: string): Address {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) {
    throw new InputError(`contract address "${text}" is not 0x and 40 hex digits`);
  }
  const isOneCase = /^0x([0-9a-f]*|[0-9A-F]*)$/.test(text);
  if (!isOneCase && !isAddress(text)) {
    throw new InputError(`contract address "${text}" has a wrong checksum: check its digits for a typo`);
  }
  return getAddress(text.toLowerCase());
}

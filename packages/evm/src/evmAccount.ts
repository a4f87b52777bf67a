import type { Address, Hex, TransactionSerializableEIP1559 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { SigningAccount } from "@vipscore/core";

/** An account that signs on an EVM rollup. viem's accounts from a key or a mnemonic have this form. */
export interface EvmAccount extends SigningAccount<TransactionSerializableEIP1559, Hex> {
  readonly address: Address;
}

/** Creates the account of a private key: `0x` and 64 hex digits. */
export function evmAccount(privateKey: Hex): EvmAccount {
  return privateKeyToAccount(privateKey);
}

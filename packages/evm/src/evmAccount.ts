import type { Address, Hex, TransactionSerializableEIP1559 } from "viem";
import type { SigningAccount } from "@vipscore/core";

/** An account that signs on an EVM rollup. viem's accounts from a key or a mnemonic have this form. */
export interface EvmAccount extends SigningAccount<TransactionSerializableEIP1559, Hex> {
  readonly address: Address;
}

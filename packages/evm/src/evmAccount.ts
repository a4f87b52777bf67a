import {
  getAddress,
  hexToBytes,
  recoverTransactionAddress,
  serializeTransaction,
  toHex,
  type Address,
  type Hex,
  type TransactionSerializableEIP1559,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { VipError, type SigningAccount } from "@vipscore/core";

/** An account that signs on an EVM rollup. viem's accounts from a key or a mnemonic have this form. */
export interface EvmAccount extends SigningAccount<TransactionSerializableEIP1559, Hex> {
  readonly address: Address;
}

/** Creates the account of a private key: `0x` and 64 hex digits. */
export function evmAccount(privateKey: Hex): EvmAccount {
  return privateKeyToAccount(privateKey);
}

/** A hardware wallet with the Ethereum app. */
export interface EvmDevice {
  /** The address as the device shows it. */
  readonly shownAddress: string;
  /**
   * Signs an EIP-1559 transaction, serialized without a signature.
   *
   * @param about The transaction, for people.
   * @returns r and s, 64 bytes, s in the lower half of the order.
   * @throws VipError.
   */
  signTransaction(transaction: Uint8Array, about: string): Promise<Uint8Array>;
}

/** Creates an account whose transactions a device signs. A signature of another key is refused (`DEVICE_FAILED`). */
export function evmDeviceAccount(device: EvmDevice): EvmAccount {
  const address = getAddress(device.shownAddress);
  return {
    address,
    signTransaction: async (transaction) => {
      const { to, chainId } = transaction;
      const what = to === undefined || to === null ? "a new contract" : `a call of ${to}`;
      const unsigned = hexToBytes(serializeTransaction(transaction));
      const signature = await device.signTransaction(unsigned, `${what} on chain ${chainId}`);
      const [r, s] = [toHex(signature.subarray(0, 32)), toHex(signature.subarray(32))];
      for (const yParity of [0, 1]) {
        const signed = serializeTransaction(transaction, { r, s, yParity });
        if (await isSignedBy(signed, address)) return signed;
      }
      throw new VipError("the Ethereum app signed with another key, or another transaction", {
        code: "DEVICE_FAILED",
        metaMessages: ["The transaction was not sent."],
      });
    },
  };
}

async function isSignedBy(signed: `0x02${string}`, address: string): Promise<boolean> {
  try {
    return (await recoverTransactionAddress({ serializedTransaction: signed })) === address;
  } catch {
    // No key has such a signature.
    return false;
  }
}

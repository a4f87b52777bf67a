import { getAddress, hexToBytes, recoverTransactionAddress, serializeTransaction, toHex } from "viem";
import { DeviceError } from "@vipscore/core";
import type { EvmAccount } from "./evmAccount.ts";

/** A hardware wallet with the Ethereum app. */
export interface EvmDevice {
  /** The address as the device shows it. */
  readonly shownAddress: string;
  /**
   * Signs an EIP-1559 transaction, serialized without a signature.
   *
   * @param about The transaction, for people.
   * @returns r and s, 64 bytes, s in the lower half of the order.
   * @throws DeviceError.
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
      throw new DeviceError("the Ethereum app signed with another key, or another transaction", {
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

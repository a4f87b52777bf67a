import { DeviceError } from "@vipscore/core";
import type { AminoSigner } from "@vipscore/cosmos";
import { getCosmosAddress, signCosmosDocument } from "./cosmosApp.ts";
import type { Device } from "./device.ts";
import { getEthereumAddress, isBlindSigningOn, signEthereumMessage, signEthereumTransaction } from "./ethereumApp.ts";

/** A device's account, before a VM turns it into its own kind of account. */
export interface SigningDevice extends AminoSigner {
  /** The address as the device shows it. */
  readonly shownAddress: string;
  /**
   * Asks the person to compare the address on the device.
   *
   * @throws DeviceError.
   */
  confirmAddress(): Promise<void>;
  /**
   * Signs an EIP-1559 transaction, serialized without a signature; only with coin type 60.
   *
   * @param about The transaction, for people.
   * @returns r and s, 64 bytes, s in the lower half of the order.
   * @throws DeviceError.
   */
  signTransaction(transaction: Uint8Array, about: string): Promise<Uint8Array>;
}

/** A device's account, and where to tell the person what to do. */
interface SigningDeviceOptions {
  readonly path: readonly number[];
  readonly note: (text: string) => void;
}

/**
 * Opens an account of the Ethereum app.
 *
 * @throws DeviceError.
 */
export async function openEthereumAccount(
  device: Device,
  { path, note }: SigningDeviceOptions,
): Promise<SigningDevice> {
  const { publicKey, address } = await getEthereumAddress(device, path, { isShown: false });
  const { maxDocumentBytes } = device.app;
  let isChecked = false;
  return {
    coinType: 60,
    publicKey,
    maxDocumentBytes,
    shownAddress: address,
    confirmAddress: async () => {
      const shown = await getEthereumAddress(device, path, { isShown: true });
      if (shown.address !== address) throw device.malformed();
    },
    signAmino: (document) => {
      requireSmall(device, document);
      note("sign on the device: it shows the transaction as JSON");
      return signEthereumMessage(device, path, document);
    },
    signTransaction: async (transaction, about) => {
      if (!isChecked) await requireBlindSigning(device);
      isChecked = true;
      note(`sign on the device: ${about}; blind signing, the device cannot show what the call does`);
      return signEthereumTransaction(device, path, transaction);
    },
  };
}

/**
 * Opens an account of the Cosmos app.
 *
 * @throws DeviceError.
 */
export async function openCosmosAccount(device: Device, { path, note }: SigningDeviceOptions): Promise<SigningDevice> {
  const { publicKey, address } = await getCosmosAddress(device, path, { isShown: false });
  return {
    coinType: 118,
    publicKey,
    maxDocumentBytes: device.app.maxDocumentBytes,
    shownAddress: address,
    confirmAddress: async () => {
      const shown = await getCosmosAddress(device, path, { isShown: true });
      if (shown.address !== address) throw device.malformed();
    },
    signAmino: (document) => {
      requireSmall(device, document);
      note("sign on the device: it shows the fields of the transaction");
      return signCosmosDocument(device, path, document);
    },
    signTransaction: () => Promise.reject(new Error("the Cosmos app signs no Ethereum transactions")),
  };
}

async function requireBlindSigning(device: Device): Promise<void> {
  if (await isBlindSigningOn(device)) return;
  throw new DeviceError("blind signing is off in the Ethereum app, and the app does not know this contract", {
    code: "DEVICE_FAILED",
    metaMessages: ["Turn on Blind signing in the settings of the Ethereum app and run the same command again."],
  });
}

function requireSmall({ app }: Device, document: Uint8Array): void {
  if (document.length <= app.maxDocumentBytes) return;
  throw new DeviceError(
    `the transaction has ${document.length} bytes, and the ${app.name} app signs at most ${app.maxDocumentBytes}`,
    { code: "DEVICE_FAILED", metaMessages: ["Sign it with a key instead. It was not sent."] },
  );
}

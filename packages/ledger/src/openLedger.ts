import { InputError, VipError } from "@vipscore/core";
import type { AminoSigner } from "@vipscore/cosmos";
import { getCosmosAddress, signCosmosDocument } from "./cosmosApp.ts";
import { Device, type DeviceTransport, type LedgerAppFacts } from "./device.ts";
import { getEthereumAddress, isBlindSigningOn, signEthereumMessage, signEthereumTransaction } from "./ethereumApp.ts";

/** The app of a hardware wallet that signs. */
export type LedgerApp = "ethereum" | "cosmos";

const apps: Readonly<Record<LedgerApp, LedgerAppFacts>> = {
  ethereum: { name: "Ethereum", coinType: 60, maxDocumentBytes: 7_500, refusals: [0x6985] },
  cosmos: { name: "Cosmos", coinType: 118, maxDocumentBytes: 15_000, refusals: [0x6985, 0x6986] },
};

const hardened = 0x8000_0000;

/** A device's account, before a VM turns it into its own kind of account. */
export interface LedgerAccount extends AminoSigner {
  /** The address as the device shows it. */
  readonly shownAddress: string;
  /**
   * Asks the person to compare the address on the device.
   *
   * @throws VipError.
   */
  confirmAddress(): Promise<void>;
  /**
   * Signs an EIP-1559 transaction, serialized without a signature; only with coin type 60.
   *
   * @param about The transaction, for people.
   * @returns r and s, 64 bytes, s in the lower half of the order.
   * @throws VipError.
   */
  signTransaction(transaction: Uint8Array, about: string): Promise<Uint8Array>;
}

/** A device's account, and where to tell the person what to do. */
export interface LedgerOptions {
  /** Derivation path. Default: that of the app's first account. */
  readonly path?: string | undefined;
  /** Connects to the device. */
  readonly open: () => Promise<DeviceTransport>;
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Opens an account of a hardware wallet. The caller closes the transport.
 *
 * @throws InputError `INPUT_INVALID` for a path that the app does not derive; VipError.
 */
export async function openLedger(app: LedgerApp, { path, open, note, signal }: LedgerOptions): Promise<LedgerAccount> {
  const facts = apps[app];
  const { coinType, maxDocumentBytes } = facts;
  const elements = parsePath(path ?? `m/44'/${coinType}'/0'/0/0`, facts);
  const device = new Device(await open(), { app: facts, signal });
  const readAccount = app === "ethereum" ? getEthereumAddress : getCosmosAddress;
  const { publicKey, address } = await readAccount(device, elements, { isShown: false });
  let isChecked = false;
  return {
    coinType,
    publicKey,
    maxDocumentBytes,
    shownAddress: address,
    confirmAddress: async () => {
      const shown = await readAccount(device, elements, { isShown: true });
      if (shown.address !== address) throw device.malformed();
    },
    signAmino: (document) => {
      requireSmall(device, document);
      note(
        `sign on the device: it shows ${app === "ethereum" ? "the transaction as JSON" : "the fields of the transaction"}`,
      );
      const sign = app === "ethereum" ? signEthereumMessage : signCosmosDocument;
      return sign(device, elements, document);
    },
    signTransaction: async (transaction, about) => {
      if (app === "cosmos") throw new Error("the Cosmos app signs no Ethereum transactions");
      if (!isChecked) await requireBlindSigning(device);
      isChecked = true;
      note(`sign on the device: ${about}; blind signing, the device cannot show what the call does`);
      return signEthereumTransaction(device, elements, transaction);
    },
  };
}

/** Parses a derivation path such as `m/44'/60'/0'/0/0`; hardened elements have the highest bit set. */
function parsePath(text: string, { name, coinType }: LedgerAppFacts): readonly number[] {
  const elements = text.replace(/^m\//, "").split("/").map(parseElement);
  const [purpose, coin, account] = elements;
  const isOfApp = purpose === 44 + hardened && coin === coinType + hardened;
  // The Cosmos app derives exactly this form, the Ethereum app also shorter paths, as old wallets use.
  const isComplete =
    coinType === 60 ? elements.length >= 3 && elements.length <= 10 : elements.length === 5 && isHardened(account);
  if (isOfApp && isComplete && elements.every((element) => element !== undefined)) return elements;
  throw new InputError(`the path "${text}" is not one of the ${name} app, such as m/44'/${coinType}'/0'/0/0`);
}

function parseElement(text: string): number | undefined {
  const [, digits, mark] = /^(\d{1,10})('?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === undefined || number >= hardened) return undefined;
  return mark === "'" ? number + hardened : number;
}

function isHardened(element: number | undefined): boolean {
  return element !== undefined && element >= hardened;
}

async function requireBlindSigning(device: Device): Promise<void> {
  if (await isBlindSigningOn(device)) return;
  throw new VipError("blind signing is off in the Ethereum app, and the app does not know this contract", {
    code: "DEVICE_FAILED",
    metaMessages: ["Turn on Blind signing in the settings of the Ethereum app and run the same command again."],
  });
}

function requireSmall({ app }: Device, document: Uint8Array): void {
  if (document.length <= app.maxDocumentBytes) return;
  throw new VipError(
    `the transaction has ${document.length} bytes, and the ${app.name} app signs at most ${app.maxDocumentBytes}`,
    { code: "DEVICE_FAILED", metaMessages: ["Sign it with a key instead. It was not sent."] },
  );
}

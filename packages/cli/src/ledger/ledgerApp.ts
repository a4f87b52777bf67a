import { InputError } from "@vipscore/core";

/** The app of a hardware wallet that signs. */
export type LedgerApp = "ethereum" | "cosmos";

/** Facts that are known about an app before a device is asked. */
export interface LedgerAppFacts {
  /** Its name on the device. */
  readonly name: string;
  readonly coinType: 60 | 118;
  /**
   * Most bytes of a transaction in amino JSON. The Ethereum app holds the document and its display text in 16 KiB (since
   * version 1.18), the Cosmos app the document in 16,384 bytes.
   */
  readonly maxDocumentBytes: number;
  /** The status words with which it reports that the person refused, in addition to those of the operating system. */
  readonly refusals: readonly number[];
}

/** The apps that can sign. */
export const ledgerApps: Readonly<Record<LedgerApp, LedgerAppFacts>> = {
  ethereum: { name: "Ethereum", coinType: 60, maxDocumentBytes: 7_500, refusals: [0x6985] },
  cosmos: { name: "Cosmos", coinType: 118, maxDocumentBytes: 15_000, refusals: [0x6985, 0x6986] },
};

const hardened = 0x8000_0000;

/** The path of an app's first account. */
export function defaultPath({ coinType }: LedgerAppFacts): string {
  return `m/44'/${coinType}'/0'/0/0`;
}

/**
 * Parses a derivation path such as `m/44'/60'/0'/0/0`; hardened elements have the highest bit set.
 *
 * @throws InputError `INPUT_INVALID` for another form, or a path that the app does not derive.
 */
export function parsePath(text: string, { name, coinType }: LedgerAppFacts): readonly number[] {
  const elements = text.replace(/^m\//, "").split("/").map(parseElement);
  const [purpose, coin, account] = elements;
  const isOfApp = purpose === 44 + hardened && coin === coinType + hardened;
  // The Cosmos app derives exactly this form, the Ethereum app also shorter paths, as old wallets use.
  const isComplete =
    coinType === 60 ? elements.length >= 3 && elements.length <= 10 : elements.length === 5 && isHardened(account);
  if (isOfApp && isComplete && elements.every((element) => element !== undefined)) return elements;
  throw new InputError(`--path "${text}" is not a path of the ${name} app, such as m/44'/${coinType}'/0'/0/0`);
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

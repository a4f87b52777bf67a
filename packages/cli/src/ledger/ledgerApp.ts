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

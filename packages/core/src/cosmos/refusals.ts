import type { BroadcastRefusal } from "../errors/broadcastError.ts";

/** What a node's refusal means. `known` is no refusal: the node has this very transaction already. */
export type RefusalKind = BroadcastRefusal | "known";

/**
 * The codes of codespace `sdk` with which a node refuses a transaction, where they mean more than "other".
 * Source: Cosmos SDK 0.50, `types/errors/errors.go`.
 */
const sdkCodes: ReadonlyMap<number, RefusalKind> = new Map([
  // insufficient funds
  [5, "funds"],
  // unknown address: the signer never received anything
  [9, "funds"],
  // insufficient fee
  [13, "fee"],
  // tx too large
  [21, "too-large"],
  // incorrect account sequence
  [32, "sequence"],
  // invalid gas limit: above what a block may use
  [41, "too-large"],
]);

/** A node's refusal of a transaction: code, codespace and text. */
export interface Refusal {
  readonly codespace: string;
  readonly code: number;
  readonly log: string;
}

/** `tx already in mempool` of the Cosmos SDK. */
const inMempoolCode = 19;

/**
 * Sorts a node's refusal. Code 19 is two things: without a text, or with the cache's, the node has these very bytes; with
 * any other text (recorded on minimove) another transaction has the sequence, and this one was not taken.
 */
export function classifyRefusal({ codespace, code, log }: Refusal): RefusalKind {
  const said = (): RefusalKind => classifyText(log) ?? "other";
  if (codespace !== "sdk") return said();
  if (code === inMempoolCode) return log === "" ? "known" : said();
  return sdkCodes.get(code) ?? "other";
}

/**
 * Sorts an error that comes without a code of its own, by its text; sources: CometBFT 0.38, Cosmos SDK 0.50, proxies.
 * Gives undefined for a text that does not say whether the node took the transaction.
 */
export function classifyText(text: string): RefusalKind | undefined {
  if (activeSequence.test(text) || /account sequence/i.test(text)) return "sequence";
  if (/already (exists )?in (the )?(mempool|cache)/i.test(text)) return "known";
  if (/(tx|transaction|request|body|entity|content)( size)? (is )?too (large|big)/i.test(text)) return "too-large";
  if (/insufficient fee/i.test(text)) return "fee";
  if (/insufficient funds/i.test(text)) return "funds";
  return otherRefusals.test(text) ? "other" : undefined;
}

/** Texts with which a node says that it did not take a transaction, for a reason that has no kind of its own. */
const otherRefusals = /mempool is full|tx parse error|signature verification failed|unauthorized|out of gas/i;

/** Another transaction with the same sequence waits at the node (recorded on minimove and miniwasm). */
const activeSequence = /(?:active|queued) tx with nonce (\d{1,20})/;

/**
 * The sequence that the node expects next, transactions that wait at the node counted, from the text with which it
 * refuses another one: `account sequence mismatch, expected 7, got 6` (Cosmos SDK), `tx nonce 1 is stale for sender …
 * (expected >= 6)` and `active tx with nonce 48 for sender …` (recorded on minimove).
 */
export function expectedSequence(log: string): bigint | undefined {
  const active = activeSequence.exec(log)?.[1];
  if (active !== undefined) return BigInt(active) + 1n;
  const found = /expected (?:>= )?(\d{1,20})/.exec(log)?.[1];
  return found === undefined ? undefined : BigInt(found);
}

import type { BroadcastRefusal, ErrorCode } from "@vipscore/core";

/** Meaning of a node's refusal. `known` is not a refusal: the node already has this exact transaction. */
export type RefusalKind = BroadcastRefusal | "known";

/**
 * Codes of codespace `sdk` that mean more than "other" when a node refuses a transaction.
 * Source: Cosmos SDK 0.50, `types/errors/errors.go`.
 */
const sdkCodes: ReadonlyMap<number, RefusalKind> = new Map([
  // insufficient funds
  [5, "funds"],
  // unknown address: the signer has never received funds
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
 * Classifies a node's refusal. Code 19 has two meanings: with no text, or with the cache's text, the node has these exact
 * bytes; with any other text (recorded on minimove) another transaction has the sequence, and this one was not accepted.
 */
export function classifyRefusal({ codespace, code, log }: Refusal): RefusalKind {
  const byText = (): RefusalKind => classifyText(log) ?? "other";
  if (codespace !== "sdk") return byText();
  if (code === inMempoolCode) return log === "" ? "known" : byText();
  return sdkCodes.get(code) ?? "other";
}

/**
 * Classifies an error without a code by its text; sources: CometBFT 0.38, Cosmos SDK 0.50, proxies.
 * Returns undefined for a text that does not say whether the node accepted the transaction.
 */
export function classifyText(text: string): RefusalKind | undefined {
  if (activeSequence.test(text) || /account sequence/i.test(text)) return "sequence";
  if (/already (exists )?in (the )?(mempool|cache)/i.test(text)) return "known";
  if (/(tx|transaction|request|body|entity|content)( size)? (is )?too (large|big)/i.test(text)) return "too-large";
  if (/insufficient fee/i.test(text)) return "fee";
  if (/insufficient funds/i.test(text)) return "funds";
  return otherRefusals.test(text) ? "other" : undefined;
}

/** Texts that say that a node did not accept a transaction, for a reason that has no kind. */
const otherRefusals = /mempool is full|tx parse error|signature verification failed|unauthorized|out of gas/i;

/** Another transaction with the same sequence is pending at the node (recorded on minimove and miniwasm). */
const activeSequence = /(?:active|queued) tx with nonce (\d{1,20})/;

/**
 * Returns the sequence that the node expects next, pending transactions included, from the text of a refusal:
 * `account sequence mismatch, expected 7, got 6` (Cosmos SDK), `tx nonce 1 is stale for sender … (expected >= 6)` and
 * `active tx with nonce 48 for sender …` (recorded on minimove).
 */
export function expectedSequence(log: string): bigint | undefined {
  const active = activeSequence.exec(log)?.[1];
  if (active !== undefined) return BigInt(active) + 1n;
  const found = /expected (?:>= )?(\d{1,20})/.exec(log)?.[1];
  return found === undefined ? undefined : BigInt(found);
}

/** Why a transaction failed, as far as the chain's answer says. */
export interface FailureReason {
  readonly code?: ErrorCode;
  readonly details: string;
  /** An error of the contract whose name its artifact has. */
  readonly isUnnamed?: boolean;
}

/** Finds the reason of a failed transaction in the chain's answer, which for a simulation is only a text; differs by VM. */
export type ParseFailure = (failure: Pick<Refusal, "log"> & Partial<Refusal>) => FailureReason;

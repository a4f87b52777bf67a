import type { AminoMessage, UnsignedTransaction } from "./cosmosAccount.ts";
import { feeCoins } from "./transactionBytes.ts";

/** What a signature in amino JSON covers. */
export interface AminoDocument {
  readonly account_number: string;
  readonly chain_id: string;
  readonly fee: {
    readonly amount: readonly { readonly denom: string; readonly amount: string }[];
    readonly gas: string;
  };
  readonly memo: string;
  readonly msgs: readonly AminoMessage[];
  readonly sequence: string;
}

/** Returns a transaction in amino JSON. Throws an Error for a message without an amino form. */
export function aminoDocument(transaction: UnsignedTransaction): AminoDocument {
  const { message, chainId, accountNumber, sequence, gas } = transaction;
  if (message.amino === undefined) throw new Error(`${message.typeUrl} has no form in amino JSON here`);
  return {
    account_number: accountNumber.toString(),
    chain_id: chainId,
    fee: { amount: feeCoins(transaction), gas: gas.toString() },
    memo: "",
    msgs: [message.amino()],
    sequence: sequence.toString(),
  };
}

/**
 * Returns the bytes that a signature covers: the fields in alphabetical order, without white space, as the chain writes them
 * (Cosmos SDK 0.50, `x/auth/migrations/legacytx`).
 */
export function encodeAmino(document: AminoDocument): Uint8Array {
  return Buffer.from(escapeAsGo(sortedJson(document)));
}

/** Writes JSON with the fields of each object in the order of their names; a field whose value is undefined is left out. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${sortedJson(field)}`).join(",")}}`;
}

/** Escapes the characters that Go's encoder escapes in JSON and JavaScript's does not. */
function escapeAsGo(json: string): string {
  return json.replace(/[&<>\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

import type { Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../hexAddress.ts";

/** A height or another count as a JSON-RPC quantity. */
export function quantity(count: number): string {
  return `0x${count.toString(16)}`;
}

/** {@link Answer.hex} in lowercase. */
export function lowerHex(answer: Answer, bytes?: number): HexAddress {
  const hex = answer.hex(bytes);
  // Nodes write lowercase; a new text for each value would cost a fifth of the time of reading logs.
  return /[A-FX]/.test(hex) ? `0x${hex.slice(2).toLowerCase()}` : hex;
}

/** The address in the low 20 bytes of a word, as the EVM reads one. */
export function addressOfWord(word: string): HexAddress {
  return `0x${word.slice(-40)}`;
}

/** The elements of a list. `null` is not an empty list: a node returns it for missing data. */
export function listOf(answer: Answer): readonly Answer[] {
  return answer.value === null || answer.value === undefined ? answer.unreadable("a list") : answer.list();
}

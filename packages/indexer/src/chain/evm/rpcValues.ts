import type { Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../nftChain.ts";

/** The zero address, which a mint comes from and a burn goes to. */
export const zeroAddress: HexAddress = `0x${"0".repeat(40)}`;

/** A height or another count as JSON-RPC takes it. */
export function quantity(count: number): string {
  return `0x${count.toString(16)}`;
}

/** {@link Answer.hex} in lower case. */
export function lowerHex(answer: Answer, bytes?: number): HexAddress {
  return `0x${answer.hex(bytes).slice(2).toLowerCase()}`;
}

/** The address in the low 20 bytes of a word, as the EVM reads one. */
export function addressOfWord(word: string): HexAddress {
  return `0x${word.slice(-40)}`;
}

/** The elements of a list. `null` is not an empty one: a node gives it for what it does not have. */
export function listOf(answer: Answer): readonly Answer[] {
  return answer.value === null || answer.value === undefined ? answer.unreadable("a list") : answer.list();
}

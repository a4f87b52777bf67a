import { concatHex, type Hex } from "viem";
import type { Chain, Contract } from "./chain.ts";

/**
 * Code that answers a list of slots with their words:
 * `i = 0; do { mstore(i, sload(calldataload(i))); i += 32 } while (i < calldatasize()); return(0, calldatasize())`.
 */
const code: Hex = "0x5f5b8035548152602001368110600157365ff3";
/** Enough for 400,000 words that no transaction has touched before. */
const gas = 900_000_000n;

/** Reads storage words of a contract. One call with other code reads thousands of them as fast as one request reads a word. */
export async function readWords(
  chain: Chain,
  { address }: Contract,
  slots: readonly Hex[],
): Promise<readonly bigint[]> {
  const data = concatHex(slots);
  const { data: words = "0x" } = await chain.reader.call({
    to: address,
    data,
    gas,
    stateOverride: [{ address, code }],
  });
  return slots.map((_, i) => BigInt(`0x${words.slice(2 + 64 * i, 66 + 64 * i)}`));
}

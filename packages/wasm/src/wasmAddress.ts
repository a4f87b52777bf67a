import { fromBech32 } from "@cosmjs/encoding";
import { formatBech32, InputError, parseAccount, type Account } from "@vipscore/core";

/** The lengths in bytes that an account may have on Wasm: 20 of a key, 32 of a contract. */
export const wasmAccountBytes: readonly (20 | 32)[] = [20, 32];

/** Characters of the longest address: of 32 bytes. */
const longestAddress = 63;

/** An account as the chain spells it: `init1…`. */
export function addressOf(account: Account): string {
  return formatBech32(account);
}

/**
 * The account of an address exactly as the chain spells it; undefined for anything else, such as upper case or another
 * prefix, which reference contracts may hold as rows of their own. What a chain holds is read as it is: also the zero
 * address, which no file may name.
 */
export function accountOfAddress(text: unknown): Account | undefined {
  if (typeof text !== "string" || !/^init1[a-z0-9]+$/.test(text)) return undefined;
  const bytes = decode(text);
  if (bytes === undefined || (bytes.length !== 20 && bytes.length !== 32)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 or 32 bytes is that form
  return `0x${Buffer.from(bytes).toString("hex")}` as Account;
}

function decode(text: string): Uint8Array | undefined {
  try {
    // Without a limit cosmjs asks for an infinite one, which the codec beneath it refuses.
    return fromBech32(text, longestAddress).data;
  } catch {
    return undefined;
  }
}

/**
 * The contract's address as bech32 or hex, in the form of the chain.
 *
 * @throws InputError `INPUT_INVALID`.
 */
export function parseContractAddress(text: string): string {
  try {
    return addressOf(parseAccount(text, { accountBytes: wasmAccountBytes }));
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new InputError(`contract address: ${cause.shortMessage}`, { cause });
  }
}

import { createHash } from "node:crypto";
import { bech32 } from "@scure/base";
import { formatBech32, InputError, parseAccount, type Account } from "@vipscore/core";

/** The lengths in bytes that an account may have on Wasm: 20 for a key, 32 for a contract. */
export const wasmAccountBytes: readonly (20 | 32)[] = [20, 32];

/** Formats an account as the chain does: `init1…`. */
export function addressOf(account: string): string {
  return formatBech32(account);
}

/**
 * Parses an address in the chain's exact spelling; undefined for anything else, such as uppercase or another prefix, which
 * reference contracts may contain as separate rows. Accepts the zero address, which a chain may contain but a score file
 * may not.
 */
export function accountOfAddress(text: unknown): Account | undefined {
  if (typeof text !== "string" || !/^init1[a-z0-9]+$/.test(text)) return undefined;
  const decoded = bech32.decodeUnsafe(text);
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words);
  if (!bytes || (bytes.length !== 20 && bytes.length !== 32)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 or 32 bytes is that form
  return `0x${Buffer.from(bytes).toString("hex")}` as Account;
}

/** Parses a contract's address in bech32 or hex. */
export function parseContractAddress(text: string): string {
  try {
    return addressOf(parseAccount(text, { accountBytes: wasmAccountBytes }));
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new InputError(`contract address: ${cause.shortMessage}`, { cause });
  }
}

/** The inputs of a contract's address, which is known before the contract exists. */
export interface AddressParts {
  /** sha256 of the code. */
  readonly checksum: Buffer;
  /** The account that instantiates. */
  readonly creator: Account;
  /** Distinguishes contracts with the same creator and code: 1 to 64 bytes. */
  readonly salt: Buffer;
}

/**
 * Returns the address that `MsgInstantiateContract2` gives a contract. Source: wasmd 0.55, `x/wasm/keeper/addresses.go`,
 * `BuildContractAddressPredictable`, and ADR-028 of the Cosmos SDK.
 */
export function contractAddress({ checksum, creator, salt }: AddressParts): string {
  const parts = [checksum, Buffer.from(creator.slice(2), "hex"), salt, Buffer.alloc(0)];
  const key = Buffer.concat([Buffer.from("wasm\0"), ...parts.flatMap((part) => [lengthPrefix(part), part])]);
  const type = createHash("sha256").update("module").digest();
  const bytes = createHash("sha256").update(type).update(key).digest();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 32 bytes is that form
  return addressOf(`0x${bytes.toString("hex")}` as Account);
}

function lengthPrefix(part: Buffer): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(part.length));
  return bytes;
}

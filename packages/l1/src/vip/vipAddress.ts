import { InputError, parseAccount, VipError, type Account } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";

/** Address of the module `vip` on an L1. */
export interface VipAddress {
  readonly address: Account;
  /** False for an address that published sources disagree on. */
  readonly isConfirmed: boolean;
}

/**
 * Addresses from Initia's documentation, by chain ID. For the testnet initiation-2, this one is from the integration
 * guide; other sources have another.
 */
const known: Readonly<Record<string, VipAddress>> = {
  "interwoven-1": {
    address: parseMoveAddress("0x3a886b32a802582f2e446e74d4a24d1d7ed01adf46d2a8f65c5723887e708789"),
    isConfirmed: true,
  },
  "initiation-2": {
    address: parseMoveAddress("0xe55cc823efb411bed5eed25aca5277229a54c62ab3769005f86cc44bc0c0e5ab"),
    isConfirmed: false,
  },
};

/** Returns the address of the module `vip`: the given address, otherwise the known address for the chain. */
export function findVipAddress(chainId: string, named: Account | undefined): VipAddress {
  const found = named === undefined ? known[chainId] : { address: named, isConfirmed: true };
  if (found !== undefined) return found;
  const chains = Object.keys(known).join(" and ");
  throw new InputError(`no address of the VIP module is known for chain ${chainId}`, {
    code: "CONFIG_INVALID",
    metaMessages: [{ code: "name-vip", known: chains, text: `It is known for ${chains}. Name it.` }],
  });
}

/** Parses a module's address: `0x` and up to 64 hex digits, with or without leading zeros, or bech32. */
export function parseVipAddress(text: string): Account {
  const trimmed = text.trim();
  try {
    return parseMoveAddress(trimmed);
  } catch (cause) {
    const reason = VipError.isVipError(cause) ? cause.shortMessage : "";
    throw new InputError(`the VIP module's address cannot be used: ${reason}`, { code: "CONFIG_INVALID", cause });
  }
}

/**
 * Parses an address as Move prints it, or bech32.
 *
 * @throws InputError `INPUT_INVALID`.
 */
export function parseMoveAddress(text: string): Account {
  const [, digits] = /^0x([0-9a-f]{1,64})$/i.exec(text) ?? [];
  // Move omits leading zeros and has no checksum in uppercase letters.
  const full = digits === undefined ? text : `0x${digits.toLowerCase().padStart(64, "0")}`;
  return parseAccount(full, { accountBytes: [20, 32] });
}

/** Reads an address as Move prints it. */
export function readMoveAddress(field: Answer): Account {
  try {
    return parseMoveAddress(field.text());
  } catch {
    return field.unreadable("an address");
  }
}

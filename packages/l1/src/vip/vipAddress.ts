import { InputError, parseAccount, VipError, type Account } from "@vipscore/core";

/** Where the module `vip` is on an L1. */
export interface VipAddress {
  readonly address: Account;
  /** False for an address that published sources disagree on. */
  readonly isConfirmed: boolean;
}

/**
 * The addresses that Initia's documentation gives by chain id. For the testnet initiation-2 the integration guide gives this
 * one and other sources another.
 */
const known: Readonly<Record<string, VipAddress>> = {
  "interwoven-1": {
    address: parse("0x3a886b32a802582f2e446e74d4a24d1d7ed01adf46d2a8f65c5723887e708789"),
    isConfirmed: true,
  },
  "initiation-2": {
    address: parse("0xe55cc823efb411bed5eed25aca5277229a54c62ab3769005f86cc44bc0c0e5ab"),
    isConfirmed: false,
  },
};

/**
 * The address of the module `vip`: the one that was named, else the one that is known for the chain.
 *
 * @throws InputError `CONFIG_INVALID` when none was named and none is known.
 */
export function findVipAddress(chainId: string, named: Account | undefined): VipAddress {
  const found = named === undefined ? known[chainId] : { address: named, isConfirmed: true };
  if (found !== undefined) return found;
  throw new InputError(`no address of the VIP module is known for chain ${chainId}`, {
    code: "CONFIG_INVALID",
    metaMessages: [
      `It is known for ${Object.keys(known).join(" and ")}. Name it with --vip-address, VIP_ADDRESS or vipAddress.`,
    ],
  });
}

/**
 * Reads a module's address: `0x` and up to 64 hex digits, leading zeros left out or not, or bech32.
 *
 * @throws InputError `CONFIG_INVALID`.
 */
export function parseVipAddress(text: string): Account {
  const trimmed = text.trim();
  try {
    return parse(trimmed);
  } catch (cause) {
    const reason = VipError.isVipError(cause) ? cause.shortMessage : "";
    throw new InputError(`the VIP module's address cannot be used: ${reason}`, { code: "CONFIG_INVALID", cause });
  }
}

function parse(text: string): Account {
  const [, digits] = /^0x([0-9a-f]{1,64})$/i.exec(text) ?? [];
  // Move leaves out leading zeros, and knows no checksum in capitals.
  const full = digits === undefined ? text : `0x${digits.toLowerCase().padStart(64, "0")}`;
  return parseAccount(full, { accountBytes: [20, 32] });
}

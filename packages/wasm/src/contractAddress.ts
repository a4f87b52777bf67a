import { createHash } from "node:crypto";
import type { Account } from "@vipscore/core";
import { addressOf } from "./wasmAddress.ts";

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
  const key = Buffer.concat([Buffer.from("wasm\0"), ...parts.flatMap((part) => [lengthOf(part), part])]);
  const type = createHash("sha256").update("module").digest();
  const bytes = createHash("sha256").update(type).update(key).digest();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 32 bytes is that form
  return addressOf(`0x${bytes.toString("hex")}` as Account);
}

function lengthOf(part: Buffer): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(part.length));
  return bytes;
}

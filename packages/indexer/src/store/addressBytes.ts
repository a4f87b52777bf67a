import type { HexAddress } from "../chain/nftChain.ts";

/** The bytes of an address, as stored in the tables. */
export function addressBytes(address: HexAddress): Buffer {
  return Buffer.from(address.slice(2), "hex");
}

/** The address of stored bytes. */
export function addressOfBytes(bytes: Buffer): HexAddress {
  return `0x${bytes.toString("hex")}`;
}

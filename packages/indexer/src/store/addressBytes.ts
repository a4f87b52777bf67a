import type { HexAddress } from "../chain/nftChain.ts";

/** The bytes of an address, as the tables hold them. */
export function addressBytes(address: HexAddress): Buffer {
  return Buffer.from(address.slice(2), "hex");
}

/** The address of bytes that the tables hold. */
export function addressOfBytes(bytes: Buffer): HexAddress {
  return `0x${bytes.toString("hex")}`;
}

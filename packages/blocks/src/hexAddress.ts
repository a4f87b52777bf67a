/** An address as lowercase `0x` hex: 20 bytes, or 32 if the first 12 are not all zero. */
export type HexAddress = `0x${string}`;

/** The account without a key: the sender of a mint, the receiver of a burn, and the caller of a read-only call. */
export const zeroAddress: HexAddress = `0x${"0".repeat(40)}`;

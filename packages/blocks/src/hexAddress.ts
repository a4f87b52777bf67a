/** An address as lowercase `0x` hex: 20 bytes, or 32 if the first 12 are not all zero. */
export type HexAddress = `0x${string}`;

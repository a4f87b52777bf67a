/** The 32 characters of bech32 by their value (BIP-173). */
const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** The value of each of the 32 characters. */
const valueOf: ReadonlyMap<string, number> = new Map(Array.from(alphabet, (character, value) => [character, value]));

/** Generators of the checksum, one for each of the five bits shifted out of its register (BIP-173). */
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The generators combined for all five bits. */
const mixed: readonly number[] = Array.from(alphabet, (_, bits) =>
  generators.reduce((sum, generator, bit) => ((bits >> bit) & 1 ? sum ^ generator : sum), 0),
);

/** The checksum's register after the expanded prefix `init`: high bits, zero, low bits (BIP-173). */
const afterPrefix = [3, 3, 3, 3, 0, 9, 14, 9, 20].reduce(mix, 1);

/**
 * Returns the bytes of an address as `0x` and lowercase hex, so that different forms of it compare with `===`. Accepts
 * bech32 with the prefix `init`, and `0x` with 40 or 64 hex digits. On Move, 32 bytes of which the first 12 are zero are
 * the account of the last 20, and are returned as those.
 *
 * A wrong character is found in bech32, which has a checksum. In hex only a wrong number of digits is: for the checksum
 * that mixed case has on EVM (EIP-55), call `isAddress` of viem first.
 *
 * @throws TypeError if the text is not an address: another prefix, a wrong checksum, other digits, `0X`.
 * @example
 * decodeAddress("init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz"); // 0xaaaa00000000000000000000000000000000aaaa
 */
export function decodeAddress(address: string): `0x${string}` {
  const [, digits = decodeBech32(address)] = /^0x([0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?)$/.exec(address) ?? [];
  if (digits === "")
    throw new TypeError(
      `${address.slice(0, 100)} is not an address: neither 0x with 40 or 64 hex digits nor init1… with its checksum`,
    );
  return `0x${digits.toLowerCase().replace(/^0{24}(?=.{40}$)/, "")}`;
}

/**
 * Returns what `decodeAddress` does, and also accepts `0x` hex that lacks leading zeros, as nodes of Move rollups write
 * addresses: `0x1`. Not for what a person types, because a lost digit goes unnoticed.
 */
export function decodeMoveAddress(address: string): `0x${string}` {
  const digits = /^0x([0-9a-fA-F]{1,64})$/.exec(address)?.[1];
  return decodeAddress(digits === undefined ? address : `0x${digits.padStart(64, "0")}`);
}

/** Returns the hex digits of the 20 or 32 bytes of a bech32 address; an empty string if it is not one. */
function decodeBech32(address: string): string {
  const lower = address.toLowerCase();
  const isOneCase = address === lower || address === address.toUpperCase();
  // 32 or 52 characters of 5 bits each, and 6 of the checksum.
  if (!isOneCase || !/^init1(?:.{38}|.{58})$/.test(lower)) return "";
  let register = afterPrefix;
  let digits = "";
  let bits = 0;
  let bitCount = 0;
  for (let index = 5; index < lower.length; index += 1) {
    const value = valueOf.get(lower.charAt(index));
    if (value === undefined) return "";
    register = mix(register, value);
    if (index >= lower.length - 6) continue;
    bits = ((bits & 15) << 5) | value;
    for (bitCount += 5; bitCount >= 4;) {
      bitCount -= 4;
      digits += ((bits >> bitCount) & 15).toString(16);
    }
  }
  // The four bits left over after 32 bytes must be zero.
  const isWhole = digits.length === 40 || digits.endsWith("0");
  return register === 1 && isWhole ? digits.slice(0, digits.length === 40 ? 40 : 64) : "";
}

/** Returns the checksum's register after another 5-bit value. */
function mix(register: number, value: number): number {
  return ((register & 0x1ffffff) << 5) ^ value ^ (mixed[register >> 25] ?? 0);
}
